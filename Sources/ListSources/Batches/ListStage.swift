public import Snapshots

/// A batch together with the list before it and after it.
///
/// While a view performs ``batch``, the numbers of sections and items that it asks for change from those of
/// ``before`` to those of ``after``, and the items of sections that arrive are those of ``after``.
public struct ListStage<SectionID: Hashable & Sendable, ItemID: Hashable & Sendable>: Sendable {
  /// The operations, legal in one batch.
  public var batch: ListBatch
  /// The list before the batch.
  public var before: DiffableSnapshot<SectionID, ItemID>
  /// The list after the batch.
  public var after: DiffableSnapshot<SectionID, ItemID>

  /// Creates a stage.
  @inlinable
  public init(
    batch: ListBatch, before: DiffableSnapshot<SectionID, ItemID>, after: DiffableSnapshot<SectionID, ItemID>
  ) {
    self.batch = batch
    self.before = before
    self.after = after
  }
}

/// The operations that a view allows together in one batch.
public enum BatchStaging: Sendable, Hashable {
  /// One batch for all changes of structure. Legal in every collection and table view.
  case combined
  /// As ``combined``, unless a section moves whose items change as well: then in stages. For views that can't move a
  /// section and touch its items at once.
  case whenSectionsMoveAndChange
  /// Always in stages: deletions, then insertions and moves of sections, then insertions and moves of items. For
  /// views that can't combine operations.
  case always
}
