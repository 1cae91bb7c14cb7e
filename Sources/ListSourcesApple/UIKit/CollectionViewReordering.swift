#if canImport(UIKit)
  public import ListSources
  internal import Snapshots
  public import UIKit

  /// Drag and drop of a collection view, wired to the reordering of its data source.
  ///
  /// It becomes the view's drag and drop delegate and must be held by the app. A drag of a selected item takes the whole
  /// selection. This file can't be run where the library is tested: it is kept thin, and checked against stubs of UIKit.
  @MainActor
  public final class CollectionViewReordering<
    SectionID: Hashable & Sendable, ItemID: Hashable & Sendable, Content
  >: NSObject, UICollectionViewDragDelegate, UICollectionViewDropDelegate {
    /// The data source of such a view.
    public typealias Source = DiffableDataSource<CollectionViewTarget<SectionID, ItemID, Content>>

    private let source: Source
    private var session: Source.ReorderSession?

    /// Wires a view to its data source.
    public init(_ view: UICollectionView, source: Source) {
      self.source = source
      super.init()
      view.dragDelegate = self
      view.dropDelegate = self
    }

    /// Answers the view.
    public func collectionView(
      _ collectionView: UICollectionView, itemsForBeginning session: any UIDragSession,
      at indexPath: IndexPath
    ) -> [UIDragItem] {
      guard let item = source.itemIdentifier(for: ListIndexPath(indexPath)) else { return [] }
      let selected = (collectionView.indexPathsForSelectedItems ?? [])
        .compactMap { source.itemIdentifier(for: ListIndexPath($0)) }
      self.session = source.beginReordering(selected.contains(item) ? selected : [item])
      return (self.session?.items ?? []).map { item in
        let dragItem = UIDragItem(itemProvider: NSItemProvider())
        dragItem.localObject = item
        return dragItem
      }
    }

    /// Answers the view.
    public func collectionView(
      _ collectionView: UICollectionView, dragSessionDidEnd session: any UIDragSession
    ) {
      self.session = nil
    }

    /// Answers the view.
    public func collectionView(
      _ collectionView: UICollectionView, dropSessionDidUpdate session: any UIDropSession,
      withDestinationIndexPath destinationIndexPath: IndexPath?
    ) -> UICollectionViewDropProposal {
      self.session?.rebase(onto: source.snapshot())
      guard let session = self.session, !session.isCancelled else {
        return UICollectionViewDropProposal(operation: .forbidden)
      }
      return UICollectionViewDropProposal(operation: .move, intent: .insertAtDestinationIndexPath)
    }

    /// Answers the view.
    public func collectionView(
      _ collectionView: UICollectionView, performDropWith coordinator: any UICollectionViewDropCoordinator
    ) {
      guard var session, let path = coordinator.destinationIndexPath else { return }
      self.session = nil
      guard session.move(to: ListIndexPath(path), in: source.snapshot()) else { return }
      for item in coordinator.items { _ = coordinator.drop(item.dragItem, toItemAt: path) }
      Task { [source] in await source.endReordering(session) }
    }
  }
#endif
