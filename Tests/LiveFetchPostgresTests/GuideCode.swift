#if PostgreSQL
  import Foundation
  import LiveFetch
  import LiveFetchPostgres
  import LiveListsTestSupport
  import Snapshots

  // The pieces of the articles of this module, which only have to compile: the tests of the module run the like.
  enum Guide {
    static func start(title: String, id: UUID) async throws {
      let store = try await PostgresStore(connection: "postgresql://app@db.example/photos")
      try await store.write(origin: "drag-1") {
        try $0.execute("UPDATE photo SET title = ? WHERE id = ?", [title, id])
      }
    }

    static func follow(
      _ request: FetchDescriptor<ConformanceItem>, _ show: (DiffableSnapshot<FetchSectionID, Int>) -> Void
    ) async throws {
      let store = try await PostgresStore(connection: "host=db1,db2 user=app dbname=photos")
      let photos = FetchController(request, in: store)
      for try await change in photos.changes { show(change.snapshot) }
    }

    static func insert(_ store: PostgresStore) async throws {
      struct Photo: PostgresRecord {
        var id: UUID
        var title: String
        static let fetchTable = FetchTable<Photo>(decoding: "photo")
      }
      try await store.write { try $0.insert(Photo(id: UUID(), title: "Fjord")) }
    }

    static func arrive(in store: PostgresStore) async throws {
      try await store.write(origin: "import") {
        try $0.noteTablesOnly()
        try $0.execute("INSERT INTO photo SELECT * FROM arrived")
      }
    }

    static func delete(_ id: UUID, in store: PostgresStore) async throws -> FetchPosition {
      let (_, position) = try await store.write { try $0.execute("DELETE FROM photo WHERE id = ?", [id]) }
      return position
    }
  }
#endif
