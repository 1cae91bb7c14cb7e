/// One step of a live list: the list after it, and what led there.
///
/// It is how a source of lists, such as a fetch controller, gives a data source a change, without either knowing
/// the other.
public protocol SnapshotChange<SectionID, ItemID> {
  /// The type of section identifiers.
  associatedtype SectionID: Hashable & Sendable
  /// The type of item identifiers.
  associatedtype ItemID: Hashable & Sendable

  /// The list that ``difference`` leads from, or `nil` if it leads from nothing that was shown.
  ///
  /// The receiver takes the difference only if this is exactly the list that it has; else it finds its own.
  var previousSnapshot: DiffableSnapshot<SectionID, ItemID>? { get }
  /// The list after the change.
  var snapshot: DiffableSnapshot<SectionID, ItemID> { get }
  /// The difference from ``previousSnapshot`` to ``snapshot``, with the items to be shown anew.
  var difference: SnapshotDifference<SectionID, ItemID> { get }
  /// The origins that the writers gave the transactions of this change.
  var origins: [String] { get }
}
