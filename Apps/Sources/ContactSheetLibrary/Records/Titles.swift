/// The titles of photos and albums: one line of at most 500 bytes, wherever it comes from.
enum Titles {
  /// The most bytes of UTF-8 that a title has.
  static let limit = 500
  /// A text that is so many times as long is refused as it is: making it one line takes time.
  private static let slack = 16

  /// Makes a title of what a user typed: one line without control characters, trimmed; empty where nothing is left.
  ///
  /// - Throws: `ContactSheetError.Code.badRequest` where it is too long. Nothing is cut off.
  static func typed(_ text: String) throws(ContactSheetError) -> String {
    let isFarTooLong = text.utf8.count > slack * limit
    let title = isFarTooLong ? text : TextCleaning.oneLine(text, limit: .max)
    guard title.utf8.count <= limit else {
      throw ContactSheetError(
        .badRequest,
        "The title is too long: it has \(title.utf8.count) bytes in UTF-8, and \(limit) are the most. Shorten it."
      )
    }
    return title
  }

  /// The sentence on a title of a manifest that cannot be stored as it is.
  ///
  /// - Parameters:
  ///   - what: What has the title, at the beginning of the sentence.
  ///   - wanted: The title in the manifest.
  ///   - title: The one that was stored in its stead.
  static func note(on what: String, _ wanted: String, became title: String) -> String {
    "\(what) in \(AlbumManifest.fileName) could not be kept: “\(beginning(wanted))” became “\(beginning(title))”."
      + " Titles are one line of at most \(limit) bytes, without control characters."
  }

  /// The most letters of a title in a message.
  private static let shown = 50

  /// Returns a text, or the beginning of a long one, on one line.
  private static func beginning(_ text: String) -> String {
    let first = text.unicodeScalars.prefix(shown)
    let line = TextCleaning.oneLine(String(String.UnicodeScalarView(first)), limit: .max)
    return first.endIndex < text.unicodeScalars.endIndex ? line + "…" : line
  }
}
