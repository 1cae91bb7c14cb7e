public import ListSources
internal import Snapshots

/// A target for views of rows without sections that perform one operation after the other, as `NSTableView` does.
///
/// It shows the items of all sections, one section below the other, each under a header row if that is wanted. Subclass it
/// to adapt a view: override ``perform(_:isAnimated:in:takeOver:)``, and be the view's data source.
@MainActor
open class RowViewTarget<
  View: ListView, SectionID: Hashable & Sendable, ItemID: Hashable & Sendable, Content
>: ListViewTarget<View, SectionID, ItemID, Content> {
  /// The rows as the view now counts them.
  public private(set) var rows: FlatRows<SectionID, ItemID>

  /// Creates a target of a view.
  ///
  /// - Parameters:
  ///   - view: The view.
  ///   - hasSectionHeaders: Whether each section has a row of its own above its items.
  public init(view: View, hasSectionHeaders: Bool) {
    rows = FlatRows(DiffableSnapshot(), hasHeaders: hasSectionHeaders)
    super.init(view: view)
  }

  /// Performs the operations of a change, and then shows rows anew.
  ///
  /// - Parameters:
  ///   - change: The change.
  ///   - isAnimated: Whether the changes are animated.
  ///   - view: The view.
  ///   - takeOver: Is to be called once, when the view begins to count the new rows.
  open func perform(
    _ change: FlatRowsChange<SectionID, ItemID>, isAnimated: Bool, in view: View, takeOver: () -> Void
  ) {}

  /// The item in a row and its content, `nil` if that is gone; `nil` for a header and where there is no row.
  public func itemAndContent(inRow row: Int) -> (item: ItemID, content: Content?)? {
    rows.indexPath(ofRow: row).flatMap(itemAndContent(at:))
  }

  override func change(_ view: View, _ update: ListUpdate<SectionID, ItemID, Content>) async {
    let change = update.rowChange(hasHeaders: rows.hasHeaders)
    perform(change, isAnimated: update.isAnimated, in: view) { take(update.snapshot) }
  }

  override func take(_ snapshot: DiffableSnapshot<SectionID, ItemID>) {
    super.take(snapshot)
    rows = FlatRows(snapshot, hasHeaders: rows.hasHeaders)
  }
}
