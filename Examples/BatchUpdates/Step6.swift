#if canImport(UIKit)
  import LiveLists
  import UIKit

  /// The photos of an album.
  final class AlbumViewController: UIViewController {
    private let grid: UICollectionView
    private let empty: UIView
    private let photos: FetchController<Photo>
    private lazy var target = CollectionViewTarget<FetchSectionID, UUID, Photo>(grid) {
      view, path, _, photo in
      let cell = view.dequeueReusableCell(withReuseIdentifier: "photo", for: path)
      var content = UIListContentConfiguration.cell()
      content.text = photo?.title
      cell.contentConfiguration = content
      return cell
    }
    private lazy var source = DiffableDataSource(target: target) { [photos] id in photos.object(for: id) }
    private var following: Task<Void, any Error>?

    init(_ grid: UICollectionView, empty: UIView, showing photos: FetchController<Photo>) {
      (self.grid, self.empty, self.photos) = (grid, empty, photos)
      super.init(nibName: nil, bundle: nil)
    }

    required init?(coder: NSCoder) { nil }

    override func viewDidLoad() {
      super.viewDidLoad()
      grid.register(UICollectionViewCell.self, forCellWithReuseIdentifier: "photo")
      following = Task { [source, photos] in try await source.follow(photos) }
    }

    deinit { following?.cancel() }

    override func setEditing(_ editing: Bool, animated: Bool) {
      super.setEditing(editing, animated: animated)
      grid.reloadData()
    }
  }
#endif
