import Foundation

/// Makes text from outside fit to be shown, stored and used as the name of a download.
enum TextCleaning {
  /// One line without control characters or marks that turn the direction of writing, trimmed and cut.
  ///
  /// - Parameter limit: The most bytes of UTF-8 that are kept; a character is kept whole or not at all.
  static func oneLine(_ text: String, limit: Int) -> String {
    var result = ""
    var room = limit
    var pendingSpace = false
    for character in text.precomposedStringWithCanonicalMapping {
      if character.isWhitespace || character.isNewline {
        pendingSpace = !result.isEmpty
        continue
      }
      guard character.unicodeScalars.allSatisfy(isVisible) else { continue }
      let cost = character.utf8.count + (pendingSpace ? 1 : 0)
      guard cost <= room else { break }
      if pendingSpace { result.append(" ") }
      pendingSpace = false
      result.append(character)
      room -= cost
    }
    return result
  }

  /// What follows the last slash of a path, of either kind.
  static func lastPart(_ path: String) -> String {
    path.split(whereSeparator: { $0 == "/" || $0 == "\\" }).last.map(String.init) ?? ""
  }

  /// A file name: the last part of whatever path came, without anything that has a meaning to a file system.
  static func fileName(_ text: String) -> String {
    let allowed = lastPart(text).filter { !":*?\"<>|".contains($0) }
    var name = oneLine(allowed, limit: 10_000)
    if name.utf8.count > 180 {
      // The suffix says what the file is, so the middle gives way.
      let suffix = name.lastIndex(of: ".").map { String(name[$0...]) } ?? ""
      let kept = suffix.utf8.count <= 12 ? suffix : ""
      name = oneLine(String(name.dropLast(kept.count)), limit: 180 - kept.utf8.count) + kept
    }
    while name.hasPrefix(".") { name.removeFirst() }
    return name.isEmpty ? "photo" : name
  }

  /// The title that a photo gets from its file's name.
  static func title(ofFile name: String) -> String {
    guard let dot = name.lastIndex(of: "."), dot > name.startIndex else { return name }
    return String(name[..<dot])
  }

  private static func isVisible(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .surrogate, .lineSeparator, .paragraphSeparator, .unassigned: return false
    case .format:
      // Joiners are part of words and of emoji; the others turn text around or hide in it.
      return scalar.value == 0x200C || scalar.value == 0x200D || (0xE0020...0xE007F).contains(scalar.value)
    default: return true
    }
  }
}
