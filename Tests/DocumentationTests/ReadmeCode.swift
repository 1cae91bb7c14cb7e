#if SQLite
  import ListSourcesTestSupport
  // The code of the README, compiled and run. Each of its blocks stands here line by line; ReadmeTests looks.
  import LiveLists

  struct Photo: Codable, Identifiable, Sendable, LiveRecord {
    var id: UUID
    var albumID: UUID
    var title: String
    var rank: Rank
  }

  /// Shows an album in a view, until the task is cancelled.
  nonisolated(nonsending) func show(
    _ albumID: UUID, at path: String, in grid: StrictListView<FetchSectionID, UUID, Photo>,
    whenOpen: (SQLiteStore) -> Void
  ) async throws {
    let store = try SQLiteStore(path: path, creating: Photo.self)

    let request = FetchDescriptor<Photo>()
      .filter(#Predicate { $0.albumID == albumID })
      .ordered(by: .ascending(\.rank))

    let photos = FetchController(request, in: store)
    let dataSource = DiffableDataSource(target: grid) { id in photos.object(for: id) }

    whenOpen(store)
    try await dataSource.follow(photos)
  }

  func send(
    _ photos: FetchController<Photo>, query: String?, by write: ([UInt8]) async throws -> Void
  ) async throws {
    let stream = photos.stream()
    for await event in stream.events(query: query) { try await write(event) }
  }

  func move(_ photo: Photo, between before: Photo, and after: Photo, in store: SQLiteStore) async throws {
    let rank = try Rank.between(before.rank, after.rank)
    try await store.write { db in
      var moved = photo
      moved.rank = rank
      try moved.update(db)
    }
  }

  extension Photo: DraftModel {}

  func rename(
    _ photo: Photo, in request: FetchDescriptor<Photo>, of store: SQLiteStore
  ) async throws -> FetchController<Photo> {
    let draft = FetchDraft(of: store)
    let edited = FetchController(request, in: draft)
    try await edited.performFetch()
    try draft.edit("Rename") { edit in try edit.update(photo) { $0.title = "Fjord" } }
    try await draft.save()  // Cancel is draft.discard()
    return edited
  }

  extension StrictListView where SectionID == FetchSectionID, ItemID == UUID, Content == Photo {
    /// The photos that the view shows, in order.
    var photos: [Photo] { sections.flatMap(\.items).compactMap { cells[$0] } }
  }
#endif
