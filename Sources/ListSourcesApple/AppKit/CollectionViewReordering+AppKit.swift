#if canImport(AppKit) && !canImport(UIKit)
  public import AppKit
  internal import Snapshots

  /// Drag and drop of an `NSCollectionView`, wired to the reordering of its data source.
  ///
  /// It becomes the view's delegate and must be held by the app; subclass it to answer the delegate's other questions. A
  /// drag of a selected item takes the whole selection. This file can't be run where the library is tested: it only
  /// translates, and is checked against stubs of AppKit. What it decides is in ``ReorderDrag``.
  @MainActor
  open class CollectionViewReordering<
    SectionID: Hashable & Sendable, ItemID: Hashable & Sendable
  >: NSObject, NSCollectionViewDelegate {
    private let drag: ReorderDrag<SectionID, ItemID>

    /// Wires a view to the drag of its data source.
    public init(_ view: NSCollectionView, _ drag: ReorderDrag<SectionID, ItemID>) {
      self.drag = drag
      super.init()
      view.registerForDraggedTypes([.liveListItem])
      view.delegate = self
    }

    /// Returns the item provider of a drag, or nil if the item may not be dragged.
    open func collectionView(
      _ collectionView: NSCollectionView, pasteboardWriterForItemAt indexPath: IndexPath
    ) -> (any NSPasteboardWriting)? {
      drag.text(at: ListIndexPath(indexPath)).map { NSPasteboardItem.liveListItem($0) }
    }

    /// Begins a drag.
    open func collectionView(
      _ collectionView: NSCollectionView, draggingSession session: NSDraggingSession,
      willBeginAt screenPoint: NSPoint, forItemsAt indexPaths: Set<IndexPath>
    ) {
      drag.lift(indexPaths.map { ListIndexPath($0) })
    }

    /// Returns the operation of a drop at the proposed position; none if it is refused.
    open func collectionView(
      _ collectionView: NSCollectionView, validateDrop draggingInfo: any NSDraggingInfo,
      proposedIndexPath proposedDropIndexPath: AutoreleasingUnsafeMutablePointer<NSIndexPath>,
      dropOperation proposedDropOperation: UnsafeMutablePointer<NSCollectionView.DropOperation>
    ) -> NSDragOperation {
      proposedDropOperation.pointee = .before
      return drag.canDrop() ? .move : []
    }

    /// Performs a drop, and returns whether it was taken.
    open func collectionView(
      _ collectionView: NSCollectionView, acceptDrop draggingInfo: any NSDraggingInfo, indexPath: IndexPath,
      dropOperation: NSCollectionView.DropOperation
    ) -> Bool {
      drag.drop(inGap: ListIndexPath(indexPath)) != nil
    }

    /// Ends a drag.
    open func collectionView(
      _ collectionView: NSCollectionView, draggingSession session: NSDraggingSession,
      endedAt screenPoint: NSPoint, dragOperation operation: NSDragOperation
    ) {
      drag.cancel()
    }
  }

  extension NSPasteboard.PasteboardType {
    /// An item of a list of this program, by its identifier. What is dragged stays in the program; others are given the text.
    static let liveListItem = NSPasteboard.PasteboardType("livelists.item")
  }

  extension NSPasteboardItem {
    static func liveListItem(_ identifier: String) -> NSPasteboardItem {
      let item = NSPasteboardItem()
      _ = item.setString(identifier, forType: .liveListItem)
      _ = item.setString(identifier, forType: .string)
      return item
    }
  }
#endif
