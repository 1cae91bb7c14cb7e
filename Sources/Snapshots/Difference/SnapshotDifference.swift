/// The difference between two snapshots: deletions, insertions and moves of sections and items, and the items and
/// sections to be shown anew.
///
/// A deletion and the origin of a move are positions in the old snapshot; an insertion and the destination of a move
/// are positions in the new one. Removing everything that is deleted or moved, then inserting everything that is inserted or moved in ascending
/// order, leads exactly to the new snapshot.
///
/// The difference is total: an item of a deleted section is listed as deleted, or as moved if it lives on
/// elsewhere, and an item of an inserted section as inserted or moved. An item whose section moved, and which
/// kept its position in it, is not listed. Moves are as few as can be.
public struct SnapshotDifference<SectionID: Hashable & Sendable, ItemID: Hashable & Sendable>: Sendable,
  Hashable
{
  /// A section that is deleted or inserted, and its index.
  public struct SectionChange: Sendable, Hashable {
    /// The section.
    public var id: SectionID
    /// The index: before the change if the section is deleted, after it if it is inserted.
    public var index: Int

    /// Creates a change of a section.
    @inlinable
    public init(id: SectionID, index: Int) {
      self.id = id
      self.index = index
    }
  }

  /// A section that changed its position among the sections that stay.
  public struct SectionMove: Sendable, Hashable {
    /// The section.
    public var id: SectionID
    /// The index before the change.
    public var from: Int
    /// The index after the change.
    public var to: Int

    /// Creates a move of a section.
    @inlinable
    public init(id: SectionID, from: Int, to: Int) {
      self.id = id
      self.from = from
      self.to = to
    }
  }

  /// An item that is deleted or inserted, and its index path.
  public struct ItemChange: Sendable, Hashable {
    /// The item.
    public var id: ItemID
    /// The index path: before the change if the item is deleted, after it if it is inserted.
    public var path: ListIndexPath

    /// Creates a change of an item.
    @inlinable
    public init(id: ItemID, path: ListIndexPath) {
      self.id = id
      self.path = path
    }
  }

  /// An item that changed its section, or its position among the items of its section that stay.
  public struct ItemMove: Sendable, Hashable {
    /// The item.
    public var id: ItemID
    /// The index path before the change.
    public var from: ListIndexPath
    /// The index path after the change.
    public var to: ListIndexPath

    /// Creates a move of an item.
    @inlinable
    public init(id: ItemID, from: ListIndexPath, to: ListIndexPath) {
      self.id = id
      self.from = from
      self.to = to
    }
  }

  /// The deleted sections, ascending by their index before the change.
  public var deletedSections: [SectionChange]
  /// The inserted sections, ascending by their index after the change.
  public var insertedSections: [SectionChange]
  /// The moved sections, ascending by their index after the change.
  public var movedSections: [SectionMove]
  /// The deleted items, ascending by their index path before the change.
  public var deletedItems: [ItemChange]
  /// The inserted items, ascending by their index path after the change.
  public var insertedItems: [ItemChange]
  /// The moved items, ascending by their index path after the change.
  public var movedItems: [ItemMove]
  /// The new snapshot's reload marks of sections, in the order they were set.
  public var reloadedSections: [SectionID]
  /// The new snapshot's reload marks of items, in the order they were set.
  public var reloadedItems: [ItemID]
  /// The new snapshot's reconfigure marks, in the order they were set.
  public var reconfiguredItems: [ItemID]

  /// Creates a difference from its parts, by default one of nothing.
  ///
  /// The parts are taken as they are; ``DiffableSnapshot/applying(_:)`` checks them.
  @inlinable
  public init(
    deletedSections: [SectionChange] = [], insertedSections: [SectionChange] = [],
    movedSections: [SectionMove] = [], deletedItems: [ItemChange] = [], insertedItems: [ItemChange] = [],
    movedItems: [ItemMove] = [], reloadedSections: [SectionID] = [], reloadedItems: [ItemID] = [],
    reconfiguredItems: [ItemID] = []
  ) {
    self.deletedSections = deletedSections
    self.insertedSections = insertedSections
    self.movedSections = movedSections
    self.deletedItems = deletedItems
    self.insertedItems = insertedItems
    self.movedItems = movedItems
    self.reloadedSections = reloadedSections
    self.reloadedItems = reloadedItems
    self.reconfiguredItems = reconfiguredItems
  }

  /// Whether sections or items are deleted, inserted or moved.
  ///
  /// - Complexity: O(1).
  @inlinable
  public var changesStructure: Bool {
    !(deletedSections.isEmpty && insertedSections.isEmpty && movedSections.isEmpty && deletedItems.isEmpty
      && insertedItems.isEmpty && movedItems.isEmpty)
  }

  /// Whether there is nothing to do at all: the snapshots are equal and the new one has no marks.
  ///
  /// - Complexity: O(1).
  @inlinable
  public var isEmpty: Bool {
    !changesStructure && reloadedSections.isEmpty && reloadedItems.isEmpty && reconfiguredItems.isEmpty
  }

  /// The difference that leads back. Marks say what the new snapshot wants shown anew, so they are dropped.
  ///
  /// - Complexity: O(*c* log *c*), where *c* is the number of changes.
  public var inverse: Self {
    Self(
      deletedSections: insertedSections,
      insertedSections: deletedSections,
      movedSections: movedSections.map { SectionMove(id: $0.id, from: $0.to, to: $0.from) }
        .sorted { $0.to < $1.to },
      deletedItems: insertedItems,
      insertedItems: deletedItems,
      movedItems: movedItems.map { ItemMove(id: $0.id, from: $0.to, to: $0.from) }
        .sorted { $0.to < $1.to })
  }
}

extension SnapshotDifference.SectionChange: Codable where SectionID: Codable {}
extension SnapshotDifference.SectionMove: Codable where SectionID: Codable {}
extension SnapshotDifference.ItemChange: Codable where ItemID: Codable {}
extension SnapshotDifference.ItemMove: Codable where ItemID: Codable {}
extension SnapshotDifference: Codable where SectionID: Codable, ItemID: Codable {}

extension SnapshotDifference: CustomStringConvertible {
  /// The changes, one a line, such as `- item 7 at 0.3`, `+ section B at 1`, `> item 9 from 0.1 to 1.0`.
  public var description: String {
    var lines: [String] = []
    for change in deletedSections { lines.append("- section \(change.id) at \(change.index)") }
    for change in deletedItems { lines.append("- item \(change.id) at \(change.path)") }
    for change in insertedSections { lines.append("+ section \(change.id) at \(change.index)") }
    for move in movedSections { lines.append("> section \(move.id) from \(move.from) to \(move.to)") }
    for change in insertedItems { lines.append("+ item \(change.id) at \(change.path)") }
    for move in movedItems { lines.append("> item \(move.id) from \(move.from) to \(move.to)") }
    for id in reloadedSections { lines.append("* reload section \(id)") }
    for id in reloadedItems { lines.append("* reload item \(id)") }
    for id in reconfiguredItems { lines.append("* reconfigure item \(id)") }
    return lines.isEmpty ? "no difference" : lines.joined(separator: "\n")
  }
}
