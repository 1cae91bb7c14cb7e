#if SQLite
  import LiveLists
  import _TestTools
  import Testing

  /// "From GRDB's ValueObservation": both ways show the same, side by side on one pool.
  struct ValueObservationGuideTests {
    typealias Photo = ValueObservationGuide.Photo

    @MainActor @Test("The observation and the list show the same after each write")
    func sideBySide() async throws {
      let folder = try TemporaryFolder()
      var migrator = DatabaseMigrator()
      migrator.registerMigration("Photos") { db in
        try db.create(table: "album") { table in
          table.primaryKey("id", .blob)
          table.column("title", .text).notNull()
        }
        try db.create(table: "photo") { table in
          table.primaryKey("id", .blob)
          table.column("albumID", .blob).notNull()
          table.column("title", .text).notNull()
          table.column("rank", .blob).notNull()
        }
        try db.create(table: "picture") { table in
          table.primaryKey("id", .blob)
          table.column("album_id", .blob).notNull()
          table.column("taken", .datetime).notNull()
        }
      }
      let (store, pool) = try ValueObservationGuide.open(folder.path + "/photos.sqlite", migrator)
      defer { try? store.close() }
      let album = UUID()
      let ranks = try Rank.between(nil, nil, count: 3)
      let photos = ranks.map { Photo(id: UUID(), albumID: album, title: "", rank: $0) }

      var (observed, listed, count) = ([UUID](), [UUID](), 0)
      let tasks = [
        Task { try await ValueObservationGuide.before(album, in: pool) { observed = $0.map(\.id) } },
        Task {
          try await ValueObservationGuide.after(album, in: store) { list, _ in listed = list.itemIdentifiers }
        },
        Task { try await ValueObservationGuide.count(in: store) { count = $0 } },
      ]
      // Written past the store's own `write`: by its pool, as the app did before.
      try await pool.write { db in
        try db.execute(sql: "INSERT INTO album VALUES (?, 'Iceland')", arguments: [album])
        for photo in photos.reversed() { try photo.insert(db) }
        try Picture(id: UUID(), albumID: album, taken: Date(timeIntervalSince1970: 0)).insert(db)
      }
      while observed != photos.map(\.id) || listed != observed || count != 3 { await Task.yield() }
      for task in tasks { task.cancel() }
      for task in tasks { try? await task.value }

      let joined = FetchController(ValueObservationGuide.joined("Iceland"), in: store)
      #expect(try await joined.performFetch().itemIdentifiers == photos.map(\.id))
      let pictures = FetchController(
        FetchDescriptor<Picture>().filter(#Predicate { $0.albumID == album }).ordered(
          by: .ascending(\.taken)),
        in: store)
      #expect(try await pictures.performFetch().numberOfItems == 1)
    }
  }
#endif
