/// A position in the history of a store: after a certain commit.
///
/// Positions of one store compare in the order of its commits. What the number is, is the store's own affair.
public struct FetchPosition: Hashable, Comparable, Sendable, CustomStringConvertible {
  /// The store's number for the position.
  public let value: UInt64

  /// Creates a position.
  public init(_ value: UInt64) { self.value = value }

  /// Whether one commit was made before another.
  public static func < (lhs: Self, rhs: Self) -> Bool { lhs.value < rhs.value }

  /// The number.
  public var description: String { String(value) }
}

/// A store whose positions are not those of the store that is written to, such as a draft: what a write returns is not to be compared
/// with them.
package protocol OwnPositions: FetchStore {}
