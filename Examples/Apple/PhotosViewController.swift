#if canImport(UIKit)
  import LiveLists
  import UIKit

  /// The photos of an album, ordered by dragging. Type-checked against stubs of UIKit; never run.
  final class PhotosViewController: UIViewController {
    private let photos: FetchController<Photo>
    private let save: @MainActor (ReorderTransaction<FetchSectionID, UUID>) -> Void
    private let grid: UICollectionView
    private lazy var target = CollectionViewTarget<FetchSectionID, UUID, Photo>(grid) {
      view, path, _, photo in
      let cell = view.dequeueReusableCell(withReuseIdentifier: "photo", for: path)
      var content = UIListContentConfiguration.cell()
      content.text = photo?.title
      cell.contentConfiguration = content
      return cell
    }
    private lazy var source = DiffableDataSource(target: target) { [photos] id in photos.object(for: id) }
    private lazy var reordering = CollectionViewReordering(grid, ReorderDrag(source))
    private var following: Task<Void, any Error>?

    /// - Parameter save: Writes the new ranks of the photos that were dragged, as `ReorderTransaction.rankWrites` gives them.
    init(
      _ view: UICollectionView, showing photos: FetchController<Photo>,
      save: @escaping @MainActor (ReorderTransaction<FetchSectionID, UUID>) -> Void
    ) {
      self.photos = photos
      self.save = save
      grid = view
      super.init(nibName: nil, bundle: nil)
    }

    required init?(coder: NSCoder) { nil }

    override func viewDidLoad() {
      super.viewDidLoad()
      grid.register(UICollectionViewCell.self, forCellWithReuseIdentifier: "photo")
      source.reorderingHandlers.canReorderItem = { _ in true }
      source.reorderingHandlers.didReorder = { [save] transaction in save(transaction) }
      _ = reordering
      following = Task { [source, photos] in try await source.follow(photos) }
    }
  }
#endif
