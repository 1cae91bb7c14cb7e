/// The tokens of a statement in the schema: blanks, comments, the case of words and quotes around names, which releases of
/// SQLite write differently, do not tell two statements apart.
struct StatementTokens: Hashable, Sendable {
  private(set) var tokens: [[UInt8]] = []

  /// Cuts a statement into its tokens.
  ///
  /// - Complexity: O(length).
  init(_ statement: String) {
    var rest = Array(statement.utf8)[...]
    while let byte = rest.first {
      switch byte {
      case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\n"), UInt8(ascii: "\r"), 0x0C:
        rest.removeFirst()
      case UInt8(ascii: "-") where rest.dropFirst().first == byte:
        rest = rest.drop { $0 != UInt8(ascii: "\n") }
      case UInt8(ascii: "/") where rest.dropFirst().first == UInt8(ascii: "*"):
        rest = Self.afterComment(rest)
      case UInt8(ascii: "'"): tokens.append([byte] + Self.quoted(&rest, until: byte))
      case UInt8(ascii: "\""), UInt8(ascii: "`"):
        tokens.append(Self.quoted(&rest, until: byte).map(Self.lowercased))
      case UInt8(ascii: "["):
        tokens.append(Self.quoted(&rest, until: UInt8(ascii: "]")).map(Self.lowercased))
      case _ where Self.isPartOfWord(byte):
        let word = rest.prefix(while: Self.isPartOfWord)
        tokens.append(word.map(Self.lowercased))
        rest = rest[word.endIndex...]
      default:
        tokens.append([byte])
        rest.removeFirst()
      }
    }
  }

  /// Returns whether a statement of a table is this one with more columns behind: so SQLite adds them.
  func isBeginning(of other: StatementTokens) -> Bool {
    tokens.last == [UInt8(ascii: ")")] && other.tokens.count > tokens.count
      && other.tokens.starts(with: tokens.dropLast()) && other.tokens[tokens.count - 1] == [UInt8(ascii: ",")]
  }

  private static func isPartOfWord(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x80..., UInt8(ascii: "_"), UInt8(ascii: "$"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
    default: (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(lowercased(byte))
    }
  }

  private static func lowercased(_ byte: UInt8) -> UInt8 {
    (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
  }

  /// Takes a text in quotes; a quote that is doubled is part of it.
  private static func quoted(_ rest: inout ArraySlice<UInt8>, until quote: UInt8) -> [UInt8] {
    var text: [UInt8] = []
    rest.removeFirst()
    while let byte = rest.popFirst() {
      if byte == quote {
        guard rest.first == quote else { break }
        rest.removeFirst()
      }
      text.append(byte)
    }
    return text
  }

  private static func afterComment(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    var rest = text.dropFirst(2)
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "*"), rest.first == UInt8(ascii: "/") { return rest.dropFirst() }
    }
    return rest
  }
}
