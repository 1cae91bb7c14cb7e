public import Snapshots

/// Handlers that are called when the user expands or collapses items of an outline.
///
/// They are for actions of the user; applying a section snapshot calls none of them. In each of them the data
/// source still has the old state.
public struct SectionSnapshotHandlers<ItemID: Hashable & Sendable> {
  /// Whether an item may be expanded. Unset means yes.
  public var shouldExpandItem: ((ItemID) -> Bool)?
  /// Is called before an item is expanded.
  public var willExpandItem: ((ItemID) -> Void)?
  /// Gives the children of an item that is being expanded, from the children it has. Unset means those it has.
  public var snapshotForExpandingParent:
    (
      (_ parent: ItemID, _ currentChildren: DiffableSectionSnapshot<ItemID>) -> DiffableSectionSnapshot<
        ItemID
      >
    )?
  /// Whether an item may be collapsed. Unset means yes.
  public var shouldCollapseItem: ((ItemID) -> Bool)?
  /// Is called before an item is collapsed.
  public var willCollapseItem: ((ItemID) -> Void)?

  /// Creates handlers that allow everything and do nothing.
  public init() {}
}
