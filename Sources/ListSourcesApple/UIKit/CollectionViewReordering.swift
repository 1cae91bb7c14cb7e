#if canImport(UIKit)
  internal import Snapshots
  public import UIKit

  /// Drag and drop of a `UICollectionView`, wired to the reordering of its data source.
  ///
  /// It becomes the view's drag and drop delegate, enables dragging (on iPhone, too) and must be held by the app. A drag of a
  /// selected item takes the whole selection. What other programs are given is the item's identifier, as text. This file can't be run where the library is tested: it only translates, and is checked against stubs of
  /// UIKit. What it decides is in ``ReorderDrag``.
  @MainActor
  public final class CollectionViewReordering<
    SectionID: Hashable & Sendable, ItemID: Hashable & Sendable
  >: NSObject, UICollectionViewDragDelegate, UICollectionViewDropDelegate {
    private let drag: ReorderDrag<SectionID, ItemID>

    /// Wires a view to the drag of its data source.
    public init(_ view: UICollectionView, _ drag: ReorderDrag<SectionID, ItemID>) {
      self.drag = drag
      super.init()
      view.dragDelegate = self
      view.dropDelegate = self
      view.dragInteractionEnabled = true
    }

    /// Returns the items of a drag that begins at an item; none if it may not be dragged.
    public func collectionView(
      _ collectionView: UICollectionView, itemsForBeginning session: any UIDragSession,
      at indexPath: IndexPath
    ) -> [UIDragItem] {
      let selected = (collectionView.indexPathsForSelectedItems ?? []).map { ListIndexPath($0) }
      return drag.lift(ListIndexPath(indexPath), selected: selected).map { item in
        let dragItem = UIDragItem(
          itemProvider: NSItemProvider(object: NSString(string: String(describing: item))))
        dragItem.localObject = item
        return dragItem
      }
    }

    /// Ends a drag.
    public func collectionView(
      _ collectionView: UICollectionView, dragSessionDidEnd session: any UIDragSession
    ) {
      drag.cancel()
    }

    /// Returns the proposal for a drop at the present position.
    public func collectionView(
      _ collectionView: UICollectionView, dropSessionDidUpdate session: any UIDropSession,
      withDestinationIndexPath destinationIndexPath: IndexPath?
    ) -> UICollectionViewDropProposal {
      drag.canDrop()
        ? UICollectionViewDropProposal(operation: .move, intent: .insertAtDestinationIndexPath)
        : UICollectionViewDropProposal(operation: .forbidden)
    }

    /// Performs a drop.
    public func collectionView(
      _ collectionView: UICollectionView, performDropWith coordinator: any UICollectionViewDropCoordinator
    ) {
      guard let path = coordinator.destinationIndexPath, drag.drop(at: ListIndexPath(path)) != nil
      else { return }
      for item in coordinator.items { _ = coordinator.drop(item.dragItem, toItemAt: path) }
    }
  }
#endif
