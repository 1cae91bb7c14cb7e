#if PostgreSQL
  import Foundation

  /// The tags of a transaction as the log keeps them, in one text.
  ///
  /// One tag stands as it is, so that any program can set it. Several, as those of a draft that is saved, are a JSON array behind a record
  /// separator (RFC 7464), as is one that begins with that character.
  enum OriginList {
    private static let separator = "\u{1E}"

    static func text(_ origins: [String]) -> String {
      if origins.isEmpty { return "" }
      if origins.count == 1, !origins[0].isEmpty, !origins[0].hasPrefix(separator) { return origins[0] }
      guard let json = try? JSONEncoder().encode(origins) else { return origins.joined(separator: " ") }
      return separator + String(decoding: json, as: UTF8.self)
    }

    static func origins(_ text: String) -> [String] {
      guard text.hasPrefix(separator),
        let origins = try? JSONDecoder().decode([String].self, from: Data(text.utf8.dropFirst()))
      else { return [text] }
      return origins
    }
  }
#endif
