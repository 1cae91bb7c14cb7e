/// The position of an item's section, and the position of the item within that section.
///
/// Positions count from zero. The type exists because Foundation's `IndexPath(item:section:)` is not
/// available on every platform, and because a list needs two numbers, not any number of them.
public struct ListIndexPath: Hashable, Sendable, Comparable, Codable, CustomStringConvertible {
  /// The position of the section in its list, from zero.
  public var section: Int
  /// The position of the item in its section, from zero.
  public var item: Int

  /// Creates an index path from an item's position and its section's.
  @inlinable
  public init(item: Int, section: Int) {
    self.section = section
    self.item = item
  }

  /// Orders index paths as they are displayed: by section, then by item.
  @inlinable
  public static func < (lhs: Self, rhs: Self) -> Bool {
    (lhs.section, lhs.item) < (rhs.section, rhs.item)
  }

  /// The path as `section.item`, such as `0.12`.
  public var description: String { "\(section).\(item)" }
}
