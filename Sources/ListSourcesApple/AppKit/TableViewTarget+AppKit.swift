#if canImport(AppKit) && !canImport(UIKit)
  public import AppKit
  public import ListSources
  internal import Snapshots

  /// An `NSTableView` as the target of a data source.
  ///
  /// It shows the items of all sections, one section below the other, each under a row of its own if that is wanted; let
  /// the view's delegate answer `tableView(_:isGroupRow:)` with ``isHeader(row:)``. It becomes the view's data source and
  /// must be held by the app; the view is held weakly. This file can't be run where the library is tested: it only
  /// translates, and is checked against stubs of AppKit. What it decides is in ``RowViewTarget`` and ``ReorderDrag``.
  @MainActor
  public final class TableViewTarget<
    SectionID: Hashable & Sendable, ItemID: Hashable & Sendable, Content
  >: RowViewTarget<NSTableView, SectionID, ItemID, Content>, NSTableViewDataSource {
    /// How rows come and go.
    public var rowAnimation: NSTableView.AnimationOptions = .effectFade
    /// The drag of the view's data source; without one the user can't drag rows. Hold it yourself.
    public weak var reordering: ReorderDrag<SectionID, ItemID>?

    /// Makes a table view a target, and itself the view's data source. The view's delegate makes the cells, from
    /// ``RowViewTarget/itemAndContent(inRow:)``.
    public override init(view: NSTableView, hasSectionHeaders: Bool = false) {
      super.init(view: view, hasSectionHeaders: hasSectionHeaders)
      view.registerForDraggedTypes([.liveListItem])
      view.dataSource = self
    }

    /// Whether a row is the header of a section.
    public func isHeader(row: Int) -> Bool {
      guard case .header = rows[row] else { return false }
      return true
    }

    /// Asks the view for the operations of a change, one after the other.
    public override func perform(
      _ change: FlatRowsChange<SectionID, ItemID>, isAnimated: Bool, in view: NSTableView,
      takeOver: () -> Void
    ) {
      let animation = isAnimated ? rowAnimation : []
      view.beginUpdates()
      takeOver()
      for operation in change.operations {
        switch operation {
        case .remove(let row): view.removeRows(at: IndexSet(integer: row), withAnimation: animation)
        case .insert(let row): view.insertRows(at: IndexSet(integer: row), withAnimation: animation)
        case .move(let from, let to): view.moveRow(at: from, to: to)
        }
      }
      view.endUpdates()
      view.reloadData(
        forRowIndexes: IndexSet(change.refreshedRows), columnIndexes: IndexSet(0..<view.numberOfColumns))
    }

    /// Returns the number of rows.
    public func numberOfRows(in tableView: NSTableView) -> Int { rows.count }

    /// Returns the item provider of a drag, or nil if the row may not be dragged.
    public func tableView(_ tableView: NSTableView, pasteboardWriterForRow row: Int) -> (
      any NSPasteboardWriting
    )? {
      guard let path = rows.indexPath(ofRow: row), let text = reordering?.text(at: path) else { return nil }
      return NSPasteboardItem.liveListItem(text)
    }

    /// Begins a drag.
    public func tableView(
      _ tableView: NSTableView, draggingSession session: NSDraggingSession, willBeginAt screenPoint: NSPoint,
      forRowIndexes rowIndexes: IndexSet
    ) {
      reordering?.lift(rowIndexes.compactMap(rows.indexPath(ofRow:)))
    }

    /// Returns the operation of a drop at the proposed position; none if it is refused.
    public func tableView(
      _ tableView: NSTableView, validateDrop info: any NSDraggingInfo, proposedRow row: Int,
      proposedDropOperation dropOperation: NSTableView.DropOperation
    ) -> NSDragOperation {
      if dropOperation == .on { tableView.setDropRow(row, dropOperation: .above) }
      return reordering?.canDrop() == true ? .move : []
    }

    /// Performs a drop, and returns whether it was taken.
    public func tableView(
      _ tableView: NSTableView, acceptDrop info: any NSDraggingInfo, row: Int,
      dropOperation: NSTableView.DropOperation
    ) -> Bool {
      reordering?.drop(aboveRow: row, hasHeaders: rows.hasHeaders) != nil
    }

    /// Ends a drag.
    public func tableView(
      _ tableView: NSTableView, draggingSession session: NSDraggingSession, endedAt screenPoint: NSPoint,
      operation: NSDragOperation
    ) {
      reordering?.cancel()
    }
  }

  extension NSTableView: ListView {
    /// Whether the view is in a window.
    public var isOnScreen: Bool { window != nil }
  }
#endif
