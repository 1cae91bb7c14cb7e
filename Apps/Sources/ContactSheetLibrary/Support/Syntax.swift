/// Comparisons with pieces of syntax, byte by byte.
///
/// The operations of `String` compare grapheme clusters, and by canonical equivalence: to them `<` before U+0301 or after
/// U+0D4E is no `<`, and U+037E is a semicolon. Browsers, file systems and databases compare bytes; wherever a character
/// has a meaning to one of them, these are the operations to use. ASCII bytes never are parts of other scalars in UTF-8.
extension StringProtocol {
  /// Returns whether both are the same bytes.
  package func isExactly(_ other: some StringProtocol) -> Bool { utf8.elementsEqual(other.utf8) }

  /// Returns whether the text begins with the bytes of another.
  package func beginsExactly(with prefix: some StringProtocol) -> Bool { utf8.starts(with: prefix.utf8) }

  /// Returns whether the text ends with the bytes of another.
  package func endsExactly(with suffix: some StringProtocol) -> Bool {
    utf8.reversed().starts(with: suffix.utf8.reversed())
  }

  /// Returns whether the bytes of another text occur.
  package func containsExactly(_ other: some StringProtocol) -> Bool {
    utf8.firstRange(of: other.utf8) != nil
  }

  /// Returns whether an ASCII character occurs, whatever stands beside it.
  package func containsByte(of character: Unicode.Scalar) -> Bool { utf8.contains(UInt8(ascii: character)) }

  /// The first occurrence of an ASCII character.
  package func firstByte(of character: Unicode.Scalar) -> Index? {
    utf8.firstIndex(of: UInt8(ascii: character))
  }

  /// The last occurrence of an ASCII character.
  package func lastByte(of character: Unicode.Scalar) -> Index? {
    let byte = UInt8(ascii: character)
    return utf8.indices.reduce(nil) { utf8[$1] == byte ? $1 : $0 }
  }

  /// The parts between the occurrences of ASCII characters.
  package func parts(
    between characters: Unicode.Scalar..., maxSplits: Int = .max, omittingEmpty: Bool = true
  ) -> [Substring] {
    let bytes = characters.map { UInt8(ascii: $0) }
    return utf8.split(maxSplits: maxSplits, omittingEmptySubsequences: omittingEmpty) { bytes.contains($0) }
      .map { Substring(self[$0.startIndex..<$0.endIndex]) }
  }

  /// Returns the part after the last occurrence of an ASCII character, or `nil` where there is none.
  package func part(afterLast character: Unicode.Scalar) -> Substring? {
    lastByte(of: character).map { Substring(self[utf8.index(after: $0)...]) }
  }

  /// The text with the letters A to Z in lower case, and no others touched: `lowercased()` makes a `k` of the Kelvin sign.
  package var asciiLowercased: String {
    String(decoding: utf8.map { (65...90).contains($0) ? $0 | 0x20 : $0 }, as: UTF8.self)
  }
}

/// A name as bytes: two spellings of an accent are two names, as they are to file systems and archives.
struct ExactName: Hashable {
  private let bytes: [UInt8]

  init(_ name: some StringProtocol) { bytes = Array(name.utf8) }
}
