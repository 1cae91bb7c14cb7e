#if SQLite
  import Foundation
  import GRDB
  import ListSources
  import LiveFetch
  import LiveFetchSQLite
  import LiveListsTestSupport
  import Snapshots

  // The code of the README, compiled and run. Each of its blocks stands here line by line; ReadmeTests looks.

  struct Photo: Codable, Sendable, FetchableRecord, PersistableRecord, FetchModel {
    var id: UUID
    var albumID: UUID
    var title: String
    var rank: Rank

    static let fetchTable = FetchTable<Photo>(
      "photo", id: .column("id", \.id),
      columns: [.column("albumID", \.albumID), .column("title", \.title), .column("rank", \.rank)])
  }

  /// Shows an album in a view, and calls back whenever the view has changed, until that says it is enough.
  func show(
    _ albumID: UUID, at path: String, in grid: StrictListView<String, UUID, Photo>,
    whenShown: (SQLiteStore, [Photo]) async throws -> Bool
  ) async throws {
    let store = try SQLiteStore(path: path)

    let request = FetchDescriptor<Photo>()
      .filter(#Predicate { $0.albumID == albumID })
      .ordered(by: .ascending(\.rank))

    let photos = FetchController(request, in: store)
    let dataSource = DiffableDataSource(target: grid) { id in photos.object(for: id) }

    try await photos.performFetch()
    for try await change in photos.changes {
      await dataSource.apply(change)
      if try await whenShown(store, grid.photos) { return }
    }
  }

  func move(_ photo: Photo, between before: Photo, and after: Photo, in store: SQLiteStore) async throws {
    let rank = try Rank.between(before.rank, after.rank)
    try await store.write { db in
      var moved = photo
      moved.rank = rank
      try moved.update(db)
    }
  }

  extension StrictListView where SectionID == String, ItemID == UUID, Content == Photo {
    /// The photos that the view shows, in order.
    var photos: [Photo] { sections.flatMap(\.items).compactMap { cells[$0] } }
  }
#endif
