import LiveListsTestSupport
#if SQLite
  import Foundation
  import GRDB
  import LiveFetch
  import LiveFetchSQLite
  import Snapshots
  import Synchronization
  import Testing

  /// Writes of every kind that SQLite knows.
  @Suite("Commits of every kind")
  struct CommitTests {
    struct Pair: FetchModel, FetchableRecord, Codable {
      var id: String
      var unique: Int
      static let fetchTable = FetchTable<Pair>(
        "pair", id: .column("id", \.id), columns: [.column("unique", \.unique)])
    }

    static let request = FetchDescriptor<Pair>().ordered(by: .ascending(\.unique))

    func controller(_ schema: String) async throws -> (TemporaryStore, FetchController<Pair>) {
      let temporary = try TemporaryStore { db in
        try db.execute(sql: schema)
        try db.execute(sql: #"INSERT INTO pair VALUES ('a', 1), ('b', 2), ('c', 3)"#)
      }
      let controller = FetchController(Self.request, in: temporary.store)
      try await controller.performFetch()
      return (temporary, controller)
    }

    static let schemas = [
      #"CREATE TABLE pair (id TEXT PRIMARY KEY, "unique" INTEGER UNIQUE)"#,
      #"CREATE TABLE pair (id TEXT PRIMARY KEY, "unique" INTEGER UNIQUE) WITHOUT ROWID"#,
      #"CREATE TABLE PAIR (id TEXT PRIMARY KEY, "unique" INTEGER UNIQUE)"#,
    ]

    @Test("REPLACE removes a row that was not named", arguments: schemas)
    func replace(_ schema: String) async throws {
      let (temporary, controller) = try await controller(schema)
      try await temporary.store.write { db in try db.execute(sql: "REPLACE INTO pair VALUES ('d', 2)") }
      #expect(controller.snapshot == ["": ["a", "d", "c"]])
      try await temporary.store.write { db in
        try db.execute(sql: #"UPDATE OR REPLACE pair SET "unique" = 3 WHERE id = 'a'"#)
      }
      #expect(controller.snapshot == ["": ["d", "a"]])
    }

    @Test("A DELETE of all rows, upserts, new keys and tables without rowids", arguments: schemas)
    func statements(_ schema: String) async throws {
      let (temporary, controller) = try await controller(schema)
      let store = temporary.store
      try await store.write { db in try db.execute(sql: "UPDATE pair SET id = 'z' WHERE id = 'a'") }
      #expect(controller.snapshot == ["": ["z", "b", "c"]])
      try await store.write { db in
        try db.execute(
          sql:
            #"INSERT INTO pair VALUES ('b', 9) ON CONFLICT (id) DO UPDATE SET "unique" = excluded."unique""#)
      }
      #expect(controller.snapshot == ["": ["z", "c", "b"]])
      try await store.write { db in try db.execute(sql: "DELETE FROM pair") }
      #expect(controller.snapshot == ["": []])
    }

    @Test(
      "More rows than the hook writes down at a time are all told, and a row that is changed again and again once"
    )
    func longTransactions() async throws {
      let (temporary, controller) = try await controller(Self.schemas[0])
      try await temporary.store.write { db in
        for number in 10..<6_000 {
          try db.execute(sql: "INSERT INTO pair VALUES (?, ?)", arguments: ["\(number)", number * 10_000])
        }
      }
      let changes = controller.changes.makeAsyncIterator()
      await controller.waitUntilCurrent()
      #expect(try await changes.next()?.snapshot.numberOfItems == 5_993)
      try await temporary.store.write { db in
        for number in 10..<4_500 {
          try db.execute(
            sql: #"UPDATE pair SET "unique" = "unique" + 1 WHERE id IN ('10', ?)"#, arguments: ["\(number)"])
        }
        try db.execute(sql: "DELETE FROM pair WHERE id = 'a'")
      }
      await controller.waitUntilCurrent()
      let change = try #require(try await changes.next())
      #expect(change.deleted == ["a"] && change.inserted.isEmpty)
      #expect(Set(change.updated + change.moved) == Set((10..<4_500).map { "\($0)" }))
      #expect(change.updated.count + change.moved.count == 4_490)
    }

    @Test("An observer that comes within a transaction changes nothing for those that were there")
    func observersWithin() async throws {
      let (temporary, controller) = try await controller(Self.schemas[0])
      let store = temporary.store
      let plan = try Self.request.filter(#Predicate { $0.unique == 20 }).plan()
      let told = Mutex(0)
      let observation = try await store.write { [store] db in
        try db.execute(sql: #"UPDATE pair SET "unique" = 10 WHERE id = 'a'"#)
        let observation = store.observe(plan) { _ in told.withLock { $0 += 1 } }
        try db.execute(sql: #"UPDATE pair SET "unique" = 20 WHERE id = 'b'"#)
        return observation
      }.result
      await controller.waitUntilCurrent()
      #expect(controller.snapshot == ["": ["c", "a", "b"]])
      #expect(told.withLock { $0 } == 1)
      observation.cancel()
      try await store.write { db in try db.execute(sql: #"UPDATE pair SET "unique" = 30 WHERE id = 'b'"#) }
      #expect(told.withLock { $0 } == 1 && controller.snapshot == ["": ["c", "a", "b"]])
    }

    @Test("What was rolled back is not told with the next commit")
    func rolledBack() async throws {
      let (temporary, controller) = try await controller(Self.schemas[0])
      struct Stop: Error {}
      await #expect(throws: Stop.self) {
        try await temporary.store.write { db in
          try db.execute(sql: #"UPDATE pair SET "unique" = -"unique" WHERE id <> 'b'"#)
          throw Stop()
        }
      }
      let before = controller.statistics.rowsRead
      try await temporary.store.write { db in
        try db.execute(sql: #"UPDATE pair SET "unique" = 20 WHERE id = 'b'"#)
      }
      #expect(controller.snapshot == ["": ["a", "c", "b"]] && controller.statistics.rowsRead == before + 1)
    }

    @Test("Triggers and cascades are seen with the commit that sets them off")
    func triggers() async throws {
      let (temporary, controller) = try await controller(
        Self.schemas[0] + """
          ; CREATE TABLE owner (id INTEGER PRIMARY KEY);
          CREATE TABLE deed (id INTEGER PRIMARY KEY, owner INTEGER REFERENCES owner ON DELETE CASCADE);
          CREATE TRIGGER gone AFTER DELETE ON deed BEGIN DELETE FROM pair WHERE id = 'b'; END;
          INSERT INTO owner VALUES (1); INSERT INTO deed VALUES (1, 1);
          """)
      try await temporary.store.write { db in try db.execute(sql: "DELETE FROM owner") }
      #expect(controller.snapshot == ["": ["a", "c"]])
    }

    @Test("What is rolled back is not told, and what a savepoint takes back leaves no trace in the list")
    func rollback() async throws {
      let (temporary, controller) = try await controller(Self.schemas[0])
      await #expect(throws: RolledBack.self) {
        try await temporary.store.write { db in
          try db.execute(sql: "DELETE FROM pair")
          throw RolledBack()
        }
      }
      #expect(controller.statistics.commits == 0)
      try await temporary.store.write { db in
        try db.inSavepoint {
          try db.execute(sql: "DELETE FROM pair")
          return .rollback
        }
        try db.execute(sql: "INSERT INTO pair VALUES ('d', 0)")
      }
      #expect(controller.snapshot == ["": ["d", "a", "b", "c"]])
    }

    @Test("Of what was rolled back nothing is left: no rows to read, no origin, no doubt about the schema")
    func afterRollback() async throws {
      let (temporary, controller) = try await controller(Self.schemas[0])
      let changes = controller.changes.makeAsyncIterator()
      _ = try await changes.next()
      let before = controller.statistics
      await #expect(throws: RolledBack.self) {
        try await temporary.store.write(origin: "undone") { db in
          try db.execute(sql: "DELETE FROM pair; ALTER TABLE pair ADD COLUMN extra")
          throw RolledBack()
        }
      }
      try await temporary.store.pool.write { db in try db.execute(sql: "INSERT INTO pair VALUES ('d', 0)") }
      let change = try #require(try await changes.next())
      #expect(change.inserted == ["d"] && change.updated.isEmpty && change.origins.isEmpty)
      #expect(controller.statistics.rowsRead == before.rowsRead + 1)
      #expect(controller.statistics.fetches == before.fetches)
    }

    @Test("A list of one value follows its column when others before it go, and among more than sixty-three")
    func columnPlaces() async throws {
      let many = (0..<70).map { "c\($0) INTEGER" }.joined(separator: ", ")
      let temporary = try TemporaryStore { db in
        try db.execute(
          sql: """
            CREATE TABLE pair (\(many), id TEXT PRIMARY KEY, "unique" INTEGER);
            INSERT INTO pair (id, "unique") VALUES ('a', 1), ('b', 2), ('c', 2);
            """)
      }
      let store = temporary.store
      let request = FetchDescriptor<Pair>().filter(#Predicate { $0.unique == 1 }).ordered(
        by: .ascending(\.id))
      let controller = FetchController(request, in: store)
      try await controller.performFetch()
      func set(_ id: String) async throws {
        try await store.write { db in
          try db.execute(sql: #"UPDATE pair SET "unique" = 1 WHERE id = ?"#, arguments: [id])
        }
      }
      try await set("b")
      #expect(controller.snapshot == ["": ["a", "b"]])
      try await store.write { db in
        for number in 0..<68 { try db.execute(sql: "ALTER TABLE pair DROP COLUMN c\(number)") }
      }
      await controller.waitUntilCurrent()
      try await set("c")
      #expect(controller.snapshot == ["": ["a", "b", "c"]])
    }

    @Test("A write that changes nothing, or another table, is silence without a statement")
    func silence() async throws {
      let (temporary, controller) = try await controller(
        Self.schemas[0] + "; CREATE TABLE other (id INTEGER)")
      let before = controller.statistics
      try await temporary.store.write { db in
        try db.execute(sql: #"UPDATE pair SET "unique" = "unique"; INSERT INTO other VALUES (1)"#)
      }
      #expect(controller.statistics == before)
    }

    @Test("Columns change, a table goes and comes back: the list follows and mends itself")
    func schema() async throws {
      let (temporary, controller) = try await controller(Self.schemas[0])
      let store = temporary.store
      let changes = controller.changes.makeAsyncIterator()
      _ = try await changes.next()
      try await store.write { db in
        try db.execute(sql: "ALTER TABLE pair ADD COLUMN extra TEXT; INSERT INTO pair VALUES ('d', 0, 'x')")
      }
      await controller.waitUntilCurrent()
      #expect(controller.snapshot == ["": ["d", "a", "b", "c"]])
      try await store.write { db in try db.execute(sql: "UPDATE pair SET extra = 'y' WHERE id = 'a'") }
      await controller.waitUntilCurrent()
      try await store.write { db in try db.execute(sql: "ALTER TABLE pair RENAME TO gone") }
      await controller.waitUntilCurrent()
      #expect(controller.snapshot == ["": ["d", "a", "b", "c"]])
      var failures: [FetchError] = []
      while failures.isEmpty { failures += try #require(try await changes.next()).failures }
      #expect(failures.first?.kind == .database)
      try await store.write { db in
        try db.execute(sql: "ALTER TABLE gone RENAME TO pair; DELETE FROM pair WHERE id = 'a'")
      }
      await controller.waitUntilCurrent()
      #expect(controller.snapshot == ["": ["d", "b", "c"]])
    }

    @Test(
      "Touched rows that cannot be read are told of; the list stays, and goes on when they can be",
      .timeLimit(.minutes(20)))
    func unreadable() async throws {
      let isBroken = Atomic(false)
      var configuration = Configuration()
      configuration.prepareDatabase { db in
        let place = DatabaseFunction("place", argumentCount: 1, pure: true) { values in
          if isBroken.load(ordering: .relaxed) { throw DatabaseError(message: "no place") }
          return values[0]
        }
        db.add(function: place)
      }
      let temporary = try TemporaryStore(configuration: configuration) { db in
        try db.execute(
          sql: """
            CREATE TABLE pair (id TEXT PRIMARY KEY, n INTEGER, "unique" INTEGER AS (place(n)) VIRTUAL);
            INSERT INTO pair (id, n) VALUES ('a', 1), ('b', 2)
            """)
      }
      let store = temporary.store
      let controller = FetchController(Self.request, in: store)
      try await controller.performFetch()
      let changes = controller.changes.makeAsyncIterator()
      _ = try await changes.next()
      func set(_ number: Int, breaking: Bool = false) async throws {
        try await store.write { db in
          try db.execute(sql: "UPDATE pair SET n = ? WHERE id = 'a'", arguments: [number])
          // From here on what was written cannot be read.
          isBroken.store(breaking, ordering: .relaxed)
        }
      }
      try await set(3)
      let moved = try #require(try await changes.next())
      #expect(moved.moved == ["a"] && !moved.cost.isReread && controller.snapshot == ["": ["b", "a"]])
      try await set(0, breaking: true)
      let failed = try #require(try await changes.next())
      #expect(failed.failures.count == 1 && failed.failures.first?.kind == .database)
      #expect(controller.snapshot == ["": ["b", "a"]])
      isBroken.store(false, ordering: .relaxed)
      // Another row: what was missed of the first one is made up for.
      try await store.write { db in try db.execute(sql: "INSERT INTO pair (id, n) VALUES ('c', 1)") }
      while controller.snapshot != ["": ["a", "c", "b"]] { _ = try #require(try await changes.next()) }
    }

    @Test("Where the database compares text in another way the order is that of the bytes even so")
    func collation() async throws {
      let temporary = try TemporaryStore { db in
        try db.execute(sql: #"CREATE TABLE pair (id TEXT PRIMARY KEY COLLATE NOCASE, "unique" INTEGER)"#)
        try db.execute(sql: "INSERT INTO pair VALUES ('a', 1), ('B', 1), ('c', 2), ('D', 2), ('e', 2)")
      }
      let store = temporary.store
      let plain = FetchController(Self.request, in: store)
      #expect(try await plain.performFetch() == ["": ["B", "a", "D", "c", "e"]])
      let sectioned = FetchController(Self.request.sectioned(by: \.unique), in: store)
      #expect(try await sectioned.performFetch() == ["1": ["B", "a"], "2": ["D", "c", "e"]])
      try await store.write { db in try db.execute(sql: "INSERT INTO pair VALUES ('F', 2), ('G', 3)") }
      #expect(plain.snapshot == ["": ["B", "a", "D", "F", "c", "e", "G"]])
    }

    @Test("A row that cannot be listed is reported with its key, and the rest of the list goes on")
    func undecodableRow() async throws {
      let (temporary, controller) = try await controller(Self.schemas[0])
      let changes = controller.changes.makeAsyncIterator()
      _ = try await changes.next()
      try await temporary.store.write { db in
        try db.execute(sql: "INSERT INTO pair VALUES ('bad', 'no number'), ('good', 0)")
      }
      let change = try #require(try await changes.next())
      #expect(change.inserted == ["good"])
      #expect(change.failures.map(\.row?.id) == ["'bad'"])
      #expect(change.failures.first?.row?.column == "unique")
      try await temporary.store.write { db in
        try db.execute(sql: #"UPDATE pair SET "unique" = 7 WHERE id = 'bad'"#)
      }
      #expect(try #require(try await changes.next()).inserted == ["bad"])
    }

    @Test("Above the most touched rows the list is read anew, and the answer is the same")
    func manyRows() async throws {
      var options = SQLiteStoreOptions()
      options.maximumTouchedRows = 10
      let temporary = try TemporaryStore(options: options) { db in try db.execute(sql: Self.schemas[0]) }
      let controller = FetchController(Self.request, in: temporary.store)
      try await controller.performFetch()
      let changes = controller.changes.makeAsyncIterator()
      _ = try await changes.next()
      try await temporary.store.write(origin: "import") { db in
        for number in 0..<100 {
          try db.execute(sql: "INSERT INTO pair VALUES (?, ?)", arguments: ["\(number)", -number])
        }
      }
      let change = try #require(try await changes.next())
      #expect(change.inserted.count == 100 && change.cost.isReread && change.origins == ["import"])
      #expect(change.snapshot.items.first == "99")
    }

    @Test("As many rows as may be touched are looked at singly, one more is not, and all are told of")
    func maximumRows() async throws {
      var options = SQLiteStoreOptions()
      options.maximumTouchedRows = 10
      let temporary = try TemporaryStore(options: options) { db in
        try db.execute(sql: #"CREATE TABLE pair (id TEXT PRIMARY KEY, "unique" INTEGER)"#)
        for number in 0..<90 {
          try db.execute(sql: "INSERT INTO pair VALUES (?, ?)", arguments: ["\(number)", number])
        }
      }
      let controller = FetchController(Self.request, in: temporary.store)
      try await controller.performFetch()
      let changes = controller.changes.makeAsyncIterator()
      _ = try await changes.next()
      for count in [10, 11, 90] {
        try await temporary.store.write { db in
          try db.execute(
            sql: #"UPDATE pair SET "unique" = "unique" + 1000 WHERE CAST(id AS INTEGER) < ?"#,
            arguments: [count])
        }
        await controller.waitUntilCurrent()
        let change = try #require(try await changes.next())
        #expect(change.cost.isReread == (count > 10), "\(count) rows")
        #expect(change.updated.count + change.moved.count == count, "\(count) rows")
      }
    }

    @Test("Ten lists of one table cost one statement for the touched rows; lists of other values cost none")
    func routing() async throws {
      let temporary = try TemporaryStore()
      let store = temporary.store
      let controllers = (0..<10).map { number in
        let album = "album \(number)"
        return FetchController(
          FetchDescriptor<Note>().filter(#Predicate { $0.album == album }).ordered(by: .ascending(\.rank)),
          in: store)
      }
      for controller in controllers { try await controller.performFetch() }
      let before = controllers.map(\.statistics)
      let row = Note(
        id: UUID(), album: "album 3", title: nil, position: 0, weight: nil, created: .now, rank: .middle)
      try await store.write { db in try row.insert(db) }
      for (number, controller) in controllers.enumerated() {
        let isMine = number == 3
        #expect(controller.statistics.commits - before[number].commits == (isMine ? 1 : 0))
        #expect(controller.statistics.statements - before[number].statements == (isMine ? 1 : 0))
        #expect(controller.snapshot?.numberOfItems == (isMine ? 1 : 0))
      }
      // Of what is done to a row in one commit, all counts.
      try await store.write { db in
        try db.execute(sql: "UPDATE note SET title = 'x'; UPDATE note SET album = 'album 4'")
      }
      #expect(controllers[3].snapshot?.numberOfItems == 0 && controllers[4].snapshot?.numberOfItems == 1)
    }

    @Test("Closing the store ends the streams, and what is asked afterwards fails as closed")
    func closing() async throws {
      let (temporary, controller) = try await controller(Self.schemas[0])
      let changes = controller.changes.makeAsyncIterator()
      _ = try await changes.next()
      try temporary.store.close()
      #expect(try await changes.next() == nil)
      #expect(controller.snapshot?.numberOfItems == 3)
      let error = await #expect(throws: FetchError.self) { try await controller.performFetch() }
      #expect(error?.kind == .closed)
    }
  }
#endif
#if SQLite
  @Suite("Requests in SQL")
  struct RawRequestTests {
    @Test("A list over a join is read again when a table that it reads is touched, and compared")
    func join() async throws {
      let temporary = try TemporaryStore { db in
        try db.execute(
          sql: """
            CREATE TABLE pair (id TEXT PRIMARY KEY, "unique" INTEGER);
            CREATE TABLE name (number INTEGER PRIMARY KEY, name TEXT NOT NULL);
            CREATE TABLE other (id INTEGER);
            INSERT INTO pair VALUES ('a', 1), ('b', 2), ('c', 1);
            INSERT INTO name VALUES (1, 'one'), (2, 'two');
            """)
      }
      let store = temporary.store
      let request = FetchDescriptor<CommitTests.Pair>.sql(
        #"SELECT id, name FROM pair JOIN name ON number = "unique" WHERE id <> ? ORDER BY name, id"#,
        [.text("x")],
        reading: ["pair", "name"], isSectioned: true)
      let controller = FetchController(request, in: store)
      #expect(try await controller.performFetch() == ["one": ["a", "c"], "two": ["b"]])
      let changes = controller.changes.makeAsyncIterator()
      _ = try await changes.next()
      try await store.write { db in try db.execute(sql: "UPDATE name SET name = 'zwei' WHERE number = 2") }
      await controller.waitUntilCurrent()
      #expect(controller.snapshot == ["one": ["a", "c"], "zwei": ["b"]])
      let renamed = try #require(try await changes.next())
      #expect(renamed.cost.isReread && renamed.difference.insertedSections.map(\.id) == ["zwei"])
      // Through another table any row may show otherwise.
      #expect(Set(renamed.updated + renamed.moved) == ["a", "b", "c"])
      try await store.write(origin: "act") { db in
        try db.execute(sql: #"UPDATE pair SET "unique" = 2 WHERE id = 'a'; INSERT INTO pair VALUES ('x', 1)"#)
      }
      await controller.waitUntilCurrent()
      let moved = try #require(try await changes.next())
      #expect(moved.moved == ["a"] && moved.updated.isEmpty && moved.origins == ["act"])
      #expect(controller.snapshot == ["one": ["c"], "zwei": ["a", "b"]])
      let fetches = controller.statistics.fetches
      try await store.write { db in try db.execute(sql: "INSERT INTO other VALUES (1)") }
      await controller.waitUntilCurrent()
      #expect(controller.statistics.fetches == fetches)
    }

    @Test("A mistake in the SQL is told when the list is fetched")
    func mistake() async throws {
      let temporary = try TemporaryStore()
      let controller = FetchController(
        FetchDescriptor<Note>.sql("SELECT nothing FROM note", reading: ["note"]), in: temporary.store)
      let error = await #expect(throws: FetchError.self) { try await controller.performFetch() }
      #expect(error?.kind == .database)
    }
  }
#endif
