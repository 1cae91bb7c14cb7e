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

    static func tickets() async throws {
      struct Ticket: PostgresRecord {
        var id: UUID
        var queue: String
        var subject: String
        var due: Date?
        static let fetchTable = FetchTable<Ticket>(decoding: "ticket")
      }

      let store = try await PostgresStore(connection: "dbname=tickets")
      let tickets = FetchController(
        FetchDescriptor<Ticket>().sectioned(by: \.queue).ordered(
          by: .ascending(\.due, nulls: .last), .ascending(\.subject)),
        in: store)

      Task.detached {
        for try await change in tickets.changes {
          print(tickets.isCurrent ? "Now:" : "May be old:")
          for id in change.snapshot.itemIdentifiers { print(" ", tickets.object(for: id)?.subject ?? "–") }
        }
      }

      while let subject = readLine() {
        try await store.write { try $0.insert(Ticket(id: UUID(), queue: "mail", subject: subject)) }
      }
    }

    static func written<Ticket: PostgresRecord>(_ ticket: Ticket, in store: PostgresStore) async throws
      -> String
    {
      try await store.write { try $0.insert(ticket) }
      let seen = store.token.map { "\($0)" } ?? ""
      return seen
    }

    static func catchUp(_ seen: String, in store: PostgresStore) async throws {
      if let token = PostgresToken(seen) { try await store.catchUp(to: token) }
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
