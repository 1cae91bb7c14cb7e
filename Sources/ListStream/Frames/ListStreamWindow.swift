/// The rows of a long list that a reader asks for: positions counted across all sections.
///
/// In an address it is written `<from>,<count>`, or `<count>` for the first rows.
public struct ListStreamWindow: Hashable, Sendable, LosslessStringConvertible {
  /// The position of the first row.
  public let from: Int
  /// How many rows.
  public let count: Int

  /// Creates a window; numbers below zero count as zero.
  public init(from: Int = 0, count: Int) {
    self.from = max(0, from)
    self.count = max(0, count)
  }

  /// Reads a window such as `120,60` or `60`, or `nil` if the text is not one.
  public init?(_ description: String) {
    let numbers = description.unicodeScalars.split(separator: ",", omittingEmptySubsequences: false)
      .map { Self.number(Substring($0)) }
    switch numbers.count {
    case 1:
      guard let count = numbers[0] else { return nil }
      self.init(count: count)
    case 2:
      guard let from = numbers[0], let count = numbers[1] else { return nil }
      self.init(from: from, count: count)
    default: return nil
    }
  }

  /// The window as `<from>,<count>`.
  public var description: String { "\(from),\(count)" }

  /// The positions of a list of a length that the window covers, `limit` at most.
  func positions(in length: Int, limit: Int) -> Range<Int> {
    let start = min(from, length)
    return start..<(start + min(count, limit, length - start))
  }

  private static func number(_ digits: Substring) -> Int? {
    guard digits.utf8.count <= 15, digits.utf8.allSatisfy({ (48...57).contains($0) }) else { return nil }
    return Int(digits)
  }
}
