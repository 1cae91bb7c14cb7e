public import Snapshots

/// A drag in progress: which items were lifted, and the gap that they are over.
///
/// It is a value without effects. A list that changes meanwhile is passed to it by ``rebase(onto:)``: items that are gone
/// leave the drag, and the gap is found again by its neighbours.
public struct ReorderSession<SectionID: Hashable & Sendable, ItemID: Hashable & Sendable>: Sendable, Hashable
{
  /// The lifted items that are still there, in list order.
  public private(set) var items: [ItemID]
  /// The gap that they are over, or `nil` where they were lifted.
  public private(set) var destination: ReorderDestination<SectionID, ItemID>?
  /// Whether the drag is over without effect: nothing is left to drop, or the gap is gone.
  public private(set) var isCancelled = false

  /// The list that the session last saw.
  private(set) var list: DiffableSnapshot<SectionID, ItemID>

  /// Creates a session with lifted items.
  init(items: [ItemID], in list: DiffableSnapshot<SectionID, ItemID>) {
    self.items = items
    self.list = list
    isCancelled = items.isEmpty
  }

  /// Hashes the items and the gap.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(items)
    hasher.combine(destination)
  }

  /// Moves the items over a gap.
  public mutating func move(to destination: ReorderDestination<SectionID, ItemID>) {
    self.destination = destination
  }

  /// Moves the items over the gap at an index path, as list views name it.
  ///
  /// - Returns: Whether there is such a section.
  @discardableResult
  public mutating func move(
    to path: ListIndexPath, in snapshot: DiffableSnapshot<SectionID, ItemID>
  ) -> Bool {
    guard let destination = ReorderDestination(at: path, in: snapshot, dragging: items) else { return false }
    self.destination = destination
    list = snapshot
    return true
  }

  /// Follows a change of the list.
  ///
  /// - Complexity: O(*d* log *n*), where *d* is the number of dragged items.
  public mutating func rebase(onto snapshot: DiffableSnapshot<SectionID, ItemID>) {
    list = snapshot
    items = items.compactMap { item in snapshot.indexPath(ofItem: item).map { (item, $0) } }
      .sorted { $0.1 < $1.1 }.map(\.0)
    if items.isEmpty { isCancelled = true }
    guard let destination else { return }
    self.destination = destination.rebased(onto: snapshot, dragging: Set(items))
    if self.destination == nil { isCancelled = true }
  }
}
