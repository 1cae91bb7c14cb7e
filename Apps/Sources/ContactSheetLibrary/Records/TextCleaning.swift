import Foundation

/// Makes text from outside fit to be shown, stored and used as the name of a download.
package enum TextCleaning {
  /// One line without control characters or marks that turn the direction of writing, trimmed and cut. To clean what is
  /// clean changes nothing.
  ///
  /// - Parameter limit: The most bytes of UTF-8 that are kept; a character is kept whole or not at all.
  package static func oneLine(_ text: String, limit: Int) -> String {
    var line = cleaned(text, limit: limit)
    // Letters and marks that only now stand beside each other may compose.
    for _ in 0..<4 {
      let again = cleaned(line, limit: limit)
      if again.isExactly(line) { break }
      line = again
    }
    return line
  }

  private static func cleaned(_ text: String, limit: Int) -> String {
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

  /// Returns whether a text can be stored as it is, to the byte: what an export wrote was cleaned when it came in, by
  /// the rules of that time.
  static func isFit(_ text: String, limit: Int) -> Bool {
    text.utf8.count <= limit && text.unicodeScalars.allSatisfy(isVisible)
      && text.unicodeScalars.contains { !$0.properties.isWhitespace }
  }

  /// Returns the part of a path after the last slash, of either kind.
  static func lastPart(_ path: String) -> String {
    path.parts(between: "/", "\\").last.map(String.init) ?? ""
  }

  /// Returns whether a character has a meaning to the file systems and shells of some computer.
  static func isSpecialInNames(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "/", "\\", ":", "*", "?", "\"", "<", ">", "|": true
    default: scalar.value < 0x20 || scalar.value == 0x7F
    }
  }

  /// A file name: the last part of whatever path came, without anything that has a meaning to a file system.
  package static func fileName(_ text: String) -> String {
    var allowed = String.UnicodeScalarView()
    for scalar in lastPart(text).unicodeScalars where scalar.value < 0x20 || !isSpecialInNames(scalar) {
      allowed.append(scalar)
    }
    // Of a name that is far too long the middle is left out, so that cleaning it takes no time.
    if allowed.count > 2100 {
      allowed.replaceSubrange(
        allowed.index(allowed.startIndex, offsetBy: 2000)..<allowed.index(allowed.endIndex, offsetBy: -100),
        with: [])
    }
    var name = oneLine(String(allowed), limit: 10_000)
    if name.utf8.count > 180 {
      // The suffix says what the file is, so the middle gives way.
      let suffix = name.lastByte(of: ".").map { String(name[$0...]) } ?? ""
      let kept = suffix.utf8.count <= 12 ? suffix : ""
      name =
        oneLine(String(Substring(name.utf8.dropLast(kept.utf8.count))), limit: 180 - kept.utf8.count) + kept
    }
    let visible = name.utf8.drop { $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: " ") }
    return visible.isEmpty ? "photo" : String(Substring(visible))
  }

  /// The title that a photo gets from its file's name.
  static func title(ofFile name: String) -> String {
    guard let dot = name.lastByte(of: "."), dot > name.startIndex else { return name }
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
