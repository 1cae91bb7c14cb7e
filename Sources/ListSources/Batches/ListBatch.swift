public import Snapshots

/// Operations on sections and items, by their positions, that a list view performs together.
///
/// There are two systems of positions, and never a mixture. A deletion, a reload, a reconfiguration and the
/// origin of a move are positions in the list **before** the batch; an insertion and the destination of a move are
/// positions in the list **after** it. The order of the operations in a batch does not matter.
///
/// Deletions and reloads ascend by their position before, insertions and moves by their position after.
public struct ListBatch: Hashable, Sendable {
  /// A section that changes its position.
  public struct SectionMove: Hashable, Sendable {
    /// The index before the batch.
    public var from: Int
    /// The index after the batch.
    public var to: Int

    /// Creates a move of a section.
    @inlinable
    public init(from: Int, to: Int) {
      self.from = from
      self.to = to
    }
  }

  /// An item that changes its position.
  public struct ItemMove: Hashable, Sendable {
    /// The index path before the batch.
    public var from: ListIndexPath
    /// The index path after the batch.
    public var to: ListIndexPath

    /// Creates a move of an item.
    @inlinable
    public init(from: ListIndexPath, to: ListIndexPath) {
      self.from = from
      self.to = to
    }
  }

  /// Sections that go, with their items.
  public var deletedSections: [Int] = []
  /// Sections that arrive, with all the items that they have after the batch.
  public var insertedSections: [Int] = []
  /// The sections that move, with their items.
  public var movedSections: [SectionMove] = []
  /// Sections to be shown anew, cells and all.
  public var reloadedSections: [Int] = []
  /// Items that go.
  public var deletedItems: [ListIndexPath] = []
  /// Items that arrive.
  public var insertedItems: [ListIndexPath] = []
  /// The items that move. A move whose two index paths are equal is not idle: other items pass from one side of it to the
  /// other.
  public var movedItems: [ItemMove] = []
  /// Items to be shown by a new cell.
  public var reloadedItems: [ListIndexPath] = []
  /// Items to be shown anew by the cell that they have.
  public var reconfiguredItems: [ListIndexPath] = []

  /// Creates an empty batch.
  @inlinable
  public init() {}

  /// Whether there is nothing to do.
  ///
  /// - Complexity: O(1).
  @inlinable
  public var isEmpty: Bool {
    !changesStructure && reloadedSections.isEmpty && reloadedItems.isEmpty && reconfiguredItems.isEmpty
  }

  /// Whether sections or items are deleted, inserted or moved.
  ///
  /// - Complexity: O(1).
  @inlinable
  public var changesStructure: Bool {
    !(deletedSections.isEmpty && insertedSections.isEmpty && movedSections.isEmpty && deletedItems.isEmpty
      && insertedItems.isEmpty && movedItems.isEmpty)
  }

  /// The number of operations.
  ///
  /// - Complexity: O(1).
  public var operationCount: Int {
    deletedSections.count + insertedSections.count + movedSections.count + reloadedSections.count
      + deletedItems.count + insertedItems.count + movedItems.count + reloadedItems.count
      + reconfiguredItems.count
  }
}

extension ListBatch: CustomStringConvertible {
  /// The operations, one a line, such as `delete item 0.3`, `move section 1 to 0`.
  public var description: String {
    var lines: [String] = []
    lines += deletedSections.map { "delete section \($0)" }
    lines += deletedItems.map { "delete item \($0)" }
    lines += insertedSections.map { "insert section \($0)" }
    lines += movedSections.map { "move section \($0.from) to \($0.to)" }
    lines += insertedItems.map { "insert item \($0)" }
    lines += movedItems.map { "move item \($0.from) to \($0.to)" }
    lines += reloadedSections.map { "reload section \($0)" }
    lines += reloadedItems.map { "reload item \($0)" }
    lines += reconfiguredItems.map { "reconfigure item \($0)" }
    return lines.isEmpty ? "an empty batch" : lines.joined(separator: "\n")
  }
}
