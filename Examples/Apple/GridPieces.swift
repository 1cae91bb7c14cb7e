#if canImport(UIKit)
  import LiveLists
  import UIKit

  // The pieces of the article on ListSourcesApple, and of the comments on its types. Type-checked against stubs of UIKit; never run.
  @MainActor enum GridPieces {
    static func show(
      _ photos: FetchController<Photo>, in collectionView: UICollectionView,
      by registration: UICollectionView.CellRegistration<UICollectionViewCell, Photo>
    ) async throws {
      let grid = CollectionViewTarget<FetchSectionID, UUID, Photo>(collectionView) {
        view, indexPath, id, photo in
        view.dequeueConfiguredReusableCell(using: registration, for: indexPath, item: photo)
      }
      let source = DiffableDataSource(target: grid) { id in photos.object(for: id) }
      try await source.follow(photos)
    }

    static func reorder(
      _ source: DiffableDataSource<CollectionViewTarget<FetchSectionID, UUID, Photo>>,
      in collectionView: UICollectionView,
      save: @escaping @MainActor (ReorderTransaction<FetchSectionID, UUID>) -> Void
    ) -> CollectionViewReordering<FetchSectionID, UUID> {
      source.reorderingHandlers.canReorderItem = { _ in true }
      source.reorderingHandlers.didReorder = { transaction in save(transaction) }
      let drag = ReorderDrag(source)
      let reordering = CollectionViewReordering(collectionView, drag)  // hold both
      return reordering
    }

    static func cell(for event: Event, in view: UITableView, at path: IndexPath) -> UITableViewCell {
      view.dequeueReusableCell(withIdentifier: event.sectionName, for: path)
    }

    static func table(_ tableView: UITableView, _ events: FetchController<Event>) -> TableViewList<Event> {
      let list = TableViewList(tableView, showing: events) { view, path, event in
        cell(for: event, in: view, at: path)
      }
      list.headerTitle = { $0.text }
      list.start()
      return list
    }
  }
#endif
