#if SQLite
  import LiveLists

  // The code of "From GRDB's ValueObservation". ValueObservationGuideTests runs it.
  enum ValueObservationGuide {
    struct Photo: LiveRecord {
      var id: UUID
      var albumID: UUID
      var title: String
      var rank: Rank
    }

    struct Picture: Codable, Identifiable, Sendable, FetchableRecord, PersistableRecord {
      var id: UUID
      var albumID: UUID
      var taken: Date

      enum CodingKeys: String, CodingKey {
        case id
        case albumID = "album_id"
        case taken
      }
    }

    @MainActor static func before(_ albumID: UUID, in pool: DatabasePool, _ show: ([Photo]) -> Void)
      async throws
    {
      let observation = ValueObservation.tracking { db in
        try Photo.filter(Column("albumID") == albumID).order(Column("rank")).fetchAll(db)
      }
      for try await photos in observation.values(in: pool) { show(photos) }
    }

    typealias Snapshot = DiffableSnapshot<FetchSectionID, UUID>

    @MainActor static func after(
      _ albumID: UUID, in store: SQLiteStore,
      _ show: (Snapshot, SnapshotDifference<FetchSectionID, UUID>) -> Void
    ) async throws {
      let photos = FetchController(
        FetchDescriptor<Photo>().filter(#Predicate { $0.albumID == albumID }).ordered(by: .ascending(\.rank)),
        in: store)
      for try await change in photos.changes { show(change.snapshot, change.difference) }
    }

    static func open(_ path: String, _ migrator: DatabaseMigrator) throws -> (SQLiteStore, DatabasePool) {
      let store = try SQLiteStore(path: path) { pool in try migrator.migrate(pool) }
      let pool = store.pool
      return (store, pool)
    }

    @MainActor static func count(in store: SQLiteStore, _ show: (Int) -> Void) async throws {
      let count = ValueObservation.tracking { db in try Photo.fetchCount(db) }
      for try await count in count.values(in: store.pool) { show(count) }
    }

    static func joined(_ title: String) -> FetchDescriptor<Photo> {
      let request = FetchDescriptor<Photo>.sql(
        "SELECT photo.id FROM photo JOIN album ON album.id = photo.albumID WHERE album.title = ? ORDER BY photo.rank",
        [.text(title)], reading: ["photo", "album"])
      return request
    }
  }

  typealias Picture = ValueObservationGuide.Picture

  extension Picture: FetchModel {
    static let fetchTable = FetchTable<Picture>(
      "picture", id: .column("id", \.id),
      columns: [.column("album_id", \.albumID), .column("taken", \.taken, stored: .dateText)])
  }
#endif
