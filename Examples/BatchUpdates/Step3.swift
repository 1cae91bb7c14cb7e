#if canImport(UIKit)
  import CoreData
  import LiveLists
  import UIKit

  /// The photos of an album. Its delegate collects what changes, and hands it to the view.
  final class AlbumViewController: UIViewController, UICollectionViewDataSource,
    @preconcurrency NSFetchedResultsControllerDelegate
  {
    private let grid: UICollectionView
    private let empty: UIView
    private let results: NSFetchedResultsController<NSManagedObject>
    private var changes: [() -> Void] = []
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

    init(
      _ grid: UICollectionView, empty: UIView, showing results: NSFetchedResultsController<NSManagedObject>,
      _ photos: FetchController<Photo>
    ) {
      (self.grid, self.empty, self.results) = (grid, empty, results)
      self.photos = photos
      super.init(nibName: nil, bundle: nil)
    }

    required init?(coder: NSCoder) { nil }

    override func viewDidLoad() {
      super.viewDidLoad()
      grid.register(UICollectionViewCell.self, forCellWithReuseIdentifier: "photo")
      grid.dataSource = self
      results.delegate = self
      try? results.performFetch()
    }

    override func setEditing(_ editing: Bool, animated: Bool) {
      super.setEditing(editing, animated: animated)
      grid.reloadData()
    }

    func collectionView(_ view: UICollectionView, numberOfItemsInSection section: Int) -> Int {
      results.fetchedObjects?.count ?? 0
    }

    func collectionView(_ view: UICollectionView, cellForItemAt path: IndexPath) -> UICollectionViewCell {
      let cell = view.dequeueReusableCell(withReuseIdentifier: "photo", for: path)
      var content = UIListContentConfiguration.cell()
      content.text = results.object(at: path).value(forKey: "title") as? String
      cell.contentConfiguration = content
      return cell
    }

    func controller(
      _ controller: NSFetchedResultsController<any NSFetchRequestResult>, didChange object: Any,
      at path: IndexPath?, for type: NSFetchedResultsChangeType, newIndexPath: IndexPath?
    ) {
      changes.append { [grid] in
        switch (type, path, newIndexPath) {
        case (.insert, _, let new?): grid.insertItems(at: [new])
        case (.delete, let old?, _): grid.deleteItems(at: [old])
        case (.move, let old?, let new?): grid.moveItem(at: old, to: new)
        case (.update, let old?, _): grid.reloadItems(at: [old])
        default: break
        }
      }
    }

    func controllerDidChangeContent(_ controller: NSFetchedResultsController<any NSFetchRequestResult>) {
      grid.performBatchUpdates { [changes] in for change in changes { change() } }
      changes = []
      empty.isHidden = results.fetchedObjects?.isEmpty == false
    }
  }
#endif
