#if PostgreSQL
  import Foundation
  import LiveFetch
  @testable import LiveFetchPostgres
  import LiveListsTestSupport
  import Snapshots
  import Synchronization
  import Testing

  /// Tables that are altered while lists of them are read, and lists that could not be read for a while.
  @Suite("Lists of tables that are altered, and reads that are lost", .server, .serialized)
  struct AlteredTests {
    static let rows = TestDatabase.items + "; INSERT INTO item SELECT i, 'a', i FROM generate_series(1, 40) i"
    /// The column of a list's filter, written anew with all rows and brought back.
    static let thereAndBack = "ALTER TABLE item ALTER key TYPE int; ALTER TABLE item ALTER key TYPE bigint"

    @Test("Rows of a table that was written anew after a look's snapshot are not taken for gone")
    func rewritten() async throws {
      let database = try await TestDatabase(Self.rows)
      let list = FetchController(
        FetchDescriptor<ConformanceItem>().ordered(by: .ascending(\.key)), in: database.store)
      try await list.performFetch()
      let watched = try #require(database.store.observers.withLock { $0.tables["item"] })
      let query = try #require(TouchedRowsQuery(watched, ["key", "section"]))
      let connection = try Connection(database.address, name: "look")
      for keys in [["3"], ["3", "4"]] {
        _ = try connection.beginLooking(since: nil, maximumRows: 10)
        let right = try query.rows(keys, on: connection)
        #expect(!query.isRewritten(right) && query.hasTypes(right) && !right.isNull(0, 2))
        try connection.run("COMMIT")
        _ = try connection.beginLooking(since: nil, maximumRows: 10)
        try database.other.run(Self.thereAndBack)
        let gone = try query.rows(keys, on: connection)
        #expect(gone.isNull(0, 2), "PostgreSQL shows such a table as empty.")
        #expect(query.isRewritten(gone))
        try connection.run("COMMIT")
      }
      try database.other.run("ALTER TABLE item ALTER key TYPE int")
      #expect(!query.hasTypes(try query.rows(["3"], on: connection)))
    }

    @Test(
      "A key that was renamed and is back has the list go on, also where a row was read before the store noticed"
    )
    func renamedAndBack() async throws {
      var options = PostgresStoreOptions()
      options.schemaInterval = .zero
      let database = try await TestDatabase(Self.rows, options: options)
      let list = FetchController(
        FetchDescriptor<ConformanceItem>().ordered(by: .ascending(\.key)), in: database.store)
      try await list.performFetch()
      for round in 1...5 {
        try database.other.run("ALTER TABLE item RENAME COLUMN id TO number")
        try await eventually { !list.isCurrent }
        try database.other.run(
          "ALTER TABLE item RENAME COLUMN number TO id; INSERT INTO item VALUES (\(100 + round), 'a', \(100 + round))"
        )
        _ = try? await list.objects(for: Array(1...40))
        try await eventually { list.snapshot?.itemIdentifiers.count == 40 + round }
        #expect(list.failures.isEmpty)
      }
    }

    @Test("Where somebody has dropped the schema, lists say so, and go on when another store has set it up")
    func droppedSchema() async throws {
      var options = PostgresStoreOptions()
      options.schemaInterval = .zero
      let database = try await TestDatabase(Self.rows, options: options)
      let list = FetchController(
        FetchDescriptor<ConformanceItem>().ordered(by: .ascending(\.key)), in: database.store)
      try await list.performFetch()
      for round in 1...3 {
        try database.other.run(
          "DROP SCHEMA livelists CASCADE; INSERT INTO item VALUES (\(100 + round), 'a', \(100 + round))")
        try await eventually { !list.isCurrent }
        let other = try await database.makeNode(options: options)
        defer { other.close() }
        try await eventually { list.isCurrent && list.snapshot?.itemIdentifiers.count == 40 + round }
        try await database.store.write { try $0.execute("UPDATE item SET note = ?", ["\(round)"]) }
        await list.waitUntilCurrent()
        #expect(list.object(for: 1)?.note == "\(round)" && list.failures.isEmpty)
      }
    }

    @Test("Lists stay right while a column's type goes there and back beside each commit")
    func typesThereAndBack() async throws {
      let database = try await TestDatabase(Self.rows)
      var options = PostgresStoreOptions()
      options.ringsBell = false
      let other = try await database.makeNode(options: options)
      defer { other.close() }
      let list = FetchController(
        FetchDescriptor<ConformanceItem>().filter(#Predicate { $0.section == "b" }).ordered(
          by: .ascending(\.key)),
        in: other)
      try await list.performFetch()
      for round in 1...30 {
        let section = round % 2 == 0 ? "a" : "b"
        try await database.store.write {
          try $0.execute("UPDATE item SET section = ? WHERE id < 20", [section])
        }
        try database.other.run(Self.thereAndBack)
        let (read, _) = try await other.read(
          FetchDescriptor<ConformanceItem>().ordered(by: .ascending(\.id)).plan()
        ) { cursor in
          var count = 0
          while try cursor.next() != nil { count += 1 }
          return count
        }
        #expect(read == 40, "round \(round)")
        await other.waitUntilCurrent()
        await list.waitUntilCurrent()
        #expect(list.snapshot?.itemIdentifiers == (section == "b" ? Array(1..<20) : []), "round \(round)")
      }
    }

    @Test(
      "A list of a column that has become another is refused with the reason, and not as rows that are bad")
    func anotherType() async throws {
      var options = PostgresStoreOptions()
      options.schemaInterval = .seconds(3_600)
      let database = try await TestDatabase(Self.rows, options: options)
      try await FetchController(
        FetchDescriptor<ConformanceItem>().ordered(by: .ascending(\.id)), in: database.store
      ).performFetch()
      try database.other.run("ALTER TABLE item ALTER key TYPE text")
      for request in [
        FetchDescriptor<ConformanceItem>().sectioned(by: \.key).ordered(by: .ascending(\.key)),
        FetchDescriptor<ConformanceItem>().filter(#Predicate { $0.key == 3 }).ordered(by: .ascending(\.id)),
      ] {
        let list = FetchController(request, in: database.store)
        let error = await #expect(throws: FetchError.self) { try await list.performFetch() }
        #expect(error?.kind == .request, "\(String(describing: error))")
      }
    }

    @Test("A list whose read lost its connection is read again, though no commit follows")
    func lostRead() async throws {
      let database = try await TestDatabase(Self.rows)
      let list = FetchController(
        FetchDescriptor<ConformanceItem>().ordered(by: .ascending(\.key)), in: database.store)
      try await list.performFetch()
      let holder = try Connection(database.address, name: "holder")
      try holder.run("BEGIN; LOCK TABLE item IN ACCESS EXCLUSIVE MODE")
      // As many rows at once are logged: the list is read anew, and waits for the lock.
      try database.other.run(
        "INSERT INTO livelists.log (tab, op) SELECT max(tab), 'T' FROM livelists.watched")
      var ended = 0
      try await eventually {
        let found = try? database.other.query(
          """
          SELECT pg_terminate_backend(pid) FROM pg_stat_activity
          WHERE datname = current_database() AND application_name = 'LiveLists' AND wait_event_type = 'Lock'
          """)
        ended += found?.count ?? 0
        return ended > 0
      }
      try await eventually { !list.failures.isEmpty || list.isCurrent }
      try holder.run("ROLLBACK")
      try await eventually { list.isCurrent && list.failures.isEmpty }
      #expect(list.snapshot?.numberOfItems == 40)
    }

    @Test(
      "A list goes on when its table can be watched again, though nobody writes",
      arguments: [
        (
          "ALTER TABLE item DROP CONSTRAINT item_pkey", "ALTER TABLE item ADD PRIMARY KEY (id)"
        ),
        ("CREATE TABLE child () INHERITS (item)", "DROP TABLE child"),
      ])
    func watchableAgain(_ away: String, _ back: String) async throws {
      var options = PostgresStoreOptions()
      options.schemaInterval = .zero
      let database = try await TestDatabase(Self.rows, options: options)
      let list = FetchController(
        FetchDescriptor<ConformanceItem>().ordered(by: .ascending(\.key)), in: database.store)
      try await list.performFetch()
      try database.other.run(away)
      try await eventually { list.failures.contains { $0.kind == .unwatchable } }
      try database.other.run(back)
      try await eventually { list.isCurrent }
      try database.other.run("DELETE FROM item WHERE id > 3")
      await database.store.waitUntilCurrent()
      await list.waitUntilCurrent()
      #expect(list.snapshot?.itemIdentifiers == [1, 2, 3])
    }

    @Test("A list is refused whose key is gone, also where a list in SQL goes on reading the table")
    func keyGoneBesideSQL() async throws {
      var options = PostgresStoreOptions()
      options.schemaInterval = .zero
      let database = try await TestDatabase(Self.rows + "; " + TestDatabase.samples, options: options)
      let joined = FetchController(
        FetchDescriptor<ConformanceSample>.sql(
          "SELECT id FROM sample WHERE id IN (SELECT id FROM item)", reading: ["sample", "item"]),
        in: database.store)
      try await joined.performFetch()
      try database.other.run("ALTER TABLE item DROP CONSTRAINT item_pkey")
      // It names no row of the table, and is well without the key: the store knows the table as it is now.
      try await eventually { joined.isCurrent && joined.statistics.fetches >= 2 }
      let list = FetchController(
        FetchDescriptor<ConformanceItem>().ordered(by: .ascending(\.key)), in: database.store)
      let refusal = await #expect(throws: FetchError.self) { try await list.performFetch() }
      #expect(refusal?.kind == .unwatchable)
      try database.other.run("ALTER TABLE item ADD PRIMARY KEY (id)")
      #expect(try await list.performFetch().numberOfItems == 40)
    }

    @Test(
      "Two rows with one key, of a table that has lost its index, do not get into a list", arguments: 1...8)
    func twins(_ key: Int) async throws {
      let database = try await TestDatabase(Self.rows)
      let list = FetchController(
        FetchDescriptor<ConformanceItem>().ordered(by: .ascending(\.key)), in: database.store)
      var shown = try await list.performFetch()
      let changes = list.changes.makeAsyncIterator()
      _ = try await changes.next()
      try database.other.run(
        "ALTER TABLE item DROP CONSTRAINT item_pkey; INSERT INTO item VALUES (\(key), 'b', 99)")
      await database.store.waitUntilCurrent()
      // It stays as it was, and says why.
      while let change = try await changes.next() {
        shown = try shown.applying(change.difference)
        #expect(shown == change.snapshot && shown.itemIdentifiers == Array(1...40))
        if !change.failures.isEmpty { break }
      }
      #expect(!list.isCurrent && !list.failures.isEmpty)
      try database.other.run(
        "DELETE FROM item WHERE section = 'b'; ALTER TABLE item ADD PRIMARY KEY (id); DELETE FROM item WHERE id = 40"
      )
      while !list.isCurrent || shown.numberOfItems > 39, let change = try await changes.next() {
        shown = try shown.applying(change.difference)
        #expect(shown == change.snapshot)
      }
      #expect(shown.itemIdentifiers == Array(1...39) && list.failures.isEmpty)
    }

    @Test("A list goes on when its role may read the table again, or by another policy")
    func readableAgain() async throws {
      var options = PostgresStoreOptions()
      options.schemaInterval = .zero
      let database = try await TestDatabase(Self.rows, options: options)
      let role = "reader_\(UUID().uuidString.prefix(8).lowercased())"
      try database.other.run("CREATE ROLE \(role); GRANT SELECT ON item TO \(role)")
      defer { try? database.other.run("DROP OWNED BY \(role); DROP ROLE \(role)") }
      try await FetchController(
        FetchDescriptor<ConformanceItem>().ordered(by: .ascending(\.id)), in: database.store
      ).performFetch()
      _ = try database.other.query("SELECT livelists.allow('\(role)', true)")
      let store = try await PostgresStore(
        connection: database.address + " options='-c role=\(role)'", options: options)
      defer { store.close() }
      let list = FetchController(
        FetchDescriptor<ConformanceItem>().ordered(by: .ascending(\.key)), in: store)
      try await list.performFetch()
      try database.other.run("REVOKE SELECT ON item FROM \(role)")
      try await eventually { !list.isCurrent }
      try database.other.run("GRANT SELECT ON item TO \(role)")
      try await eventually { list.isCurrent }
      try database.other.run(
        "ALTER TABLE item ENABLE ROW LEVEL SECURITY; CREATE POLICY few ON item USING (key < 4)")
      try await eventually { list.isCurrent && list.snapshot?.itemIdentifiers == [1, 2, 3] }
      try database.other.run("ALTER POLICY few ON item USING (key < 3)")
      try await eventually { list.isCurrent && list.snapshot?.itemIdentifiers == [1, 2] }
    }
  }
#endif
