#if PostgreSQL
  import Foundation
  import LiveFetch
  @testable import LiveFetchPostgres
  import LiveListsTestSupport
  import Snapshots
  import Testing

  @Suite("Records and SQL of one's own on PostgreSQL", .server)
  struct RecordTests {
    enum Kind: String, Codable, CaseIterable { case land, sea }
    struct Place: Codable, Hashable { var name: String; var height: Double }

    struct Photo: PostgresRecord, Hashable {
      var id: UUID
      var title: String
      var taken: Date
      var stars: Int?
      var isHidden: Bool
      var ratio: Double
      var data: Data
      var kind: Kind
      var place: Place?
      static let fetchTable = FetchTable<Photo>(decoding: "photo")
    }

    static let schema = """
      CREATE TABLE photo (id uuid PRIMARY KEY, title text NOT NULL, taken timestamptz NOT NULL, stars int, "isHidden" boolean NOT NULL,
        ratio float8 NOT NULL, data bytea NOT NULL, kind text NOT NULL, place jsonb, price numeric)
      """

    private func photo(_ title: String) -> Photo {
      Photo(
        id: UUID(), title: title, taken: Date(timeIntervalSince1970: 1_700_000_000.25), stars: nil,
        isHidden: false, ratio: 1.5,
        data: Data([0, 1, 255]), kind: .sea, place: Place(name: "Å", height: 12.5))
    }

    @Test("A record is written and read by its properties alone, in lists and out of them")
    func records() async throws {
      let database = try await TestDatabase(Self.schema)
      let list = FetchController(
        FetchDescriptor<Photo>().filter(#Predicate { !$0.isHidden }).ordered(by: .ascending(\.title)),
        in: database.store)
      try await list.performFetch()
      var a = photo("a")
      var b = photo("b")
      b.place = nil
      b.stars = 5
      try await database.store.write { [a, b] in
        try $0.insert(a)
        try $0.insert(b)
      }
      #expect(list.snapshot?.itemIdentifiers == [a.id, b.id])
      #expect(list.object(for: a.id) == a && list.object(for: b.id) == b)
      (a.title, a.stars, a.kind, a.place) = ("z", 3, .land, nil)
      b.stars = nil
      try await database.store.write { [a, b] in
        #expect(try $0.update(a))
        try $0.upsert(b)
      }
      #expect(list.snapshot?.itemIdentifiers == [b.id, a.id])
      #expect(list.object(for: a.id) == a && list.object(for: b.id) == b)
      let wereThere = try await database.store.write { [b] in
        [try $0.delete(b), try $0.delete(b), try $0.update(b)]
      }
      #expect(wereThere.result == [true, false, false])
      #expect(list.snapshot?.itemIdentifiers == [a.id])
      let rows = try await database.store.read {
        try $0.query("SELECT title, stars + ? AS more FROM photo", [1])
      }
      #expect(
        rows.first?.storedValue("title") == .text("z") && rows.first?.storedValue("more") == .integer(4))
    }

    @Test("Rows of any length come whole where a whole table is read")
    func longRows() async throws {
      let database = try await TestDatabase(
        Self.schema + """
          ;
          INSERT INTO photo SELECT md5(i::text)::uuid, repeat('x', CASE WHEN i % 1000 = 0 THEN i * 20 ELSE i % 50 END) || i, now(), NULL, false, 1,
            '', 'sea' FROM generate_series(1, 30000) i
          """)
      let plan = try FetchDescriptor<Photo>().ordered(by: .ascending(\.title)).plan()
      let (titles, _) = try await database.store.read(plan) { cursor in
        var titles: [FetchValue] = []
        while let row = try cursor.next() { titles.append(row.value(1)) }
        return titles
      }
      let found = try database.other.query("SELECT title FROM photo ORDER BY title COLLATE \"C\"")
      #expect(titles == (0..<found.count).map { found.value($0, 0) })
      // One that is given up halfway leaves a connection that can be used.
      for _ in 0..<6 {
        let first = try await database.store.read(plan) { try $0.next()?.value(1) }
        #expect(first.0 == titles[0])
      }
    }

    @Test("A write without a statement, or whose first one fails, leaves nothing behind")
    func firstStatements() async throws {
      let database = try await TestDatabase(TestDatabase.items)
      let store = database.store
      let lists = try await FollowedLists(in: store)
      try await #expect(store.write { _ in 7 }.result == 7)
      await #expect(throws: CancellationError.self) {
        try await store.write { _ in throw CancellationError() }
      }
      for _ in 0..<6 {
        let failure = await #expect(throws: PostgresError.self) {
          try await store.write { try $0.execute("INSERT INTO nowhere VALUES (1)") }
        }
        #expect(failure?.code == "42P01")
        // An error that was caught has the rest rolled back.
        let second = await #expect(throws: PostgresError.self) {
          try await store.write { transaction in
            _ = try? transaction.execute("INSERT INTO nowhere VALUES (1)")
          }
        }
        #expect(second?.code == "25P02")
        await #expect(throws: PostgresError.self) {
          try await store.write { try $0.execute("COPY item TO STDOUT") }
        }
      }
      try await store.write(origin: "mine") { try $0.execute("INSERT INTO item VALUES (1, 'a', 1)") }
      #expect(
        try database.other.query("SELECT origin FROM livelists.log WHERE node IS NOT NULL").text(0, 0)
          == "mine")
      await lists.check(try database.rows(), "after the only write")
    }

    @Test("A list in SQL of one's own is read anew when one of its tables is touched")
    func rawLists() async throws {
      let database = try await TestDatabase(
        TestDatabase.items
          + """
          ; CREATE TABLE tag (item bigint, name text);
          INSERT INTO item VALUES (1, 'a', 1), (2, 'b', 2), (3, 'c', 3); INSERT INTO tag VALUES (1, 'x'), (3, 'x')
          """)
      let list = FetchController(
        FetchDescriptor<ConformanceItem>.sql(
          "SELECT i.id, i.section FROM item i JOIN tag t ON t.item = i.id WHERE t.name = ? ORDER BY i.id",
          [.text("x")],
          reading: ["tag"], isSectioned: true), in: database.store)
      let first = try await list.performFetch()
      #expect(first.itemIdentifiers == [1, 3] && first.sectionIdentifiers == ["a", "c"])
      try database.other.run("INSERT INTO tag VALUES (2, 'x')")
      await database.store.waitUntilCurrent()
      await list.waitUntilCurrent()
      #expect(list.snapshot?.itemIdentifiers == [1, 2, 3])
      try await database.store.write { try $0.execute("UPDATE item SET section = 'z' WHERE id = 3") }
      await list.waitUntilCurrent()
      #expect(list.snapshot?.sectionIdentifiers == ["a", "b", "z"])
      let wrong = FetchController(
        FetchDescriptor<ConformanceItem>.sql("SELECT nonsense", reading: []), in: database.store)
      let error = await #expect(throws: FetchError.self) { try await wrong.performFetch() }
      #expect(error?.kind == .database)
    }

    @Test(
      "A write that fails is rolled back with PostgreSQL's code, and a swallowed error does not pass for a commit"
    )
    func errors() async throws {
      let database = try await TestDatabase(TestDatabase.items + "; INSERT INTO item VALUES (1, 'a', 1)")
      let duplicate = await #expect(throws: PostgresError.self) {
        try await database.store.write { try $0.execute("INSERT INTO item VALUES (1, 'a', 1)") }
      }
      #expect(duplicate?.code == "23505" && duplicate?.isOutcomeUnknown == false)
      let swallowed = await #expect(throws: PostgresError.self) {
        try await database.store.write {
          try $0.execute("INSERT INTO item VALUES (2, 'a', 1)")
          _ = try? $0.execute("nonsense")
        }
      }
      #expect(swallowed?.code == "25P02")
      #expect(try database.rows().count == 1)
      let unreachable = await #expect(throws: PostgresError.self) {
        _ = try await PostgresStore(connection: "host=/nowhere port=1")
      }
      #expect(unreachable?.isConnectionLost == true)
    }

    @Test("Setting the schema up by many nodes at once, and again, is the same as once")
    func setup() async throws {
      let address = try TestServer.makeDatabase()
      let stores = try await withThrowingTaskGroup(of: PostgresStore.self) { group in
        for _ in 0..<4 { group.addTask { try await PostgresStore(connection: address) } }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      for store in stores { store.close() }
      let again = try await PostgresStore(connection: address)
      again.close()
      let connection = try Connection(address, name: "tests")
      #expect(try connection.query("SELECT count(*) FROM livelists.version").integer(0, 0) == 1)
      try connection.run("INSERT INTO livelists.version (number) VALUES (99)")
      let newer = await #expect(throws: PostgresError.self) {
        _ = try await PostgresStore(connection: address)
      }
      #expect(newer?.message.contains("99") == true)
      await #expect(throws: FetchError.self) { try await again.write { try $0.execute("SELECT 1") } }
    }
  }
#endif
