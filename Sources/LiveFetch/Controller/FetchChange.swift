public import LiveStore
public import Snapshots

/// A change of a live list, for one of its listeners.
public struct FetchChange<ID: FetchIdentifier>: SnapshotChange, Sendable {
  /// The snapshot that this listener was given before; nil when this is the first.
  public var previousSnapshot: DiffableSnapshot<FetchSectionID, ID>?
  /// The whole list as it now is. Rows that changed, moved or not, are marked as reconfigured (or reloaded,
  /// see ``FetchOptions/marksReloaded``).
  public var snapshot: DiffableSnapshot<FetchSectionID, ID>
  /// From the snapshot that this listener was given before to this one; from nothing when it is the first.
  public var difference: SnapshotDifference<FetchSectionID, ID>
  /// The rows that came into the list, in list order.
  public var inserted: [ID]
  /// The rows that changed and did not move, in list order.
  public var updated: [ID]
  /// The rows that left the list, in the order in which they stood there.
  public var deleted: [ID]
  /// The rows that changed and have another position among those that did not, in list order. None of them is in
  /// ``updated`` as well.
  public var moved: [ID]
  /// The rows that commits touched since the listener's change before, and which of the table's columns; those that the
  /// request hides are left out where nothing else of the row changed. Rows are named that were in the list meanwhile, or may
  /// have been. Nothing in the first change.
  ///
  /// A row that came into the list or left it is named as inserted or deleted where a commit did that to the row itself, and as
  /// ``RowChange/unknown`` where it only began or ceased to be a row of this list.
  public var touched: TouchedRows<ID>
  /// Whether this is the result of a fetch rather than of commits.
  public var isInitial: Bool
  /// The origins of the commits, in order.
  public var origins: [String]
  /// The writers of the commits since the listener's change before: this store, others, or both. Empty in the first change, and
  /// where no commit is in the change. After a time in which it was not followed how the list changed, both are named.
  public var writers: FetchWriters
  /// The place in the store's history of the last commit that went in.
  public var position: FetchPosition
  /// The failures since the listener's last change: rows that newly cannot be listed, or a failed read, after which the
  /// snapshot is still the last good one. The first change that a listener is given has the failures of the list as it
  /// is.
  ///
  /// Of one read or commit the first hundred are reported; a listener that is slow is given the newest thousand.
  public var failures: [FetchError]
  /// The cost of the change.
  public var cost: FetchCost

  /// Returns the names of the columns that commits may have changed in a row that was there before and after; nil where any may
  /// have, or where the row came, left, or may have. See ``touched``.
  /// - Complexity: O(*k*) for *k* touched rows.
  public func changedColumns(of id: ID) -> Set<String>? { touched.changedColumns(of: id) }
}
