#if PostgreSQL
  import Foundation
  import LiveFetch
  @testable import LiveFetchPostgres
  import LiveListsTestSupport
  import Snapshots
  import Testing

  /// Tables, servers and connections that change or fail under live lists.
  @Suite("Faults under lists of PostgreSQL's", .server, .serialized)
  struct FaultTests {
    /// Waits until a store has been told of all commits, also where it has to connect again first.
    private func settle(_ store: PostgresStore) async throws {
      for _ in 0..<400 {
        if (try? await store.pool.use { try store.advance(on: $0) }) != nil { return }
        try await Task.sleep(for: .milliseconds(25))
      }
      Issue.record("The store did not come back.")
    }

    @Test("TRUNCATE empties the lists")
    func truncation() async throws {
      let database = try await TestDatabase(
        TestDatabase.items + "; INSERT INTO item VALUES (1, 'a', 1), (2, 'b', 2)")
      let lists = try await FollowedLists(in: database.store)
      try database.other.run("TRUNCATE item")
      await database.store.waitUntilCurrent()
      await lists.check([:], "after TRUNCATE")
      try database.other.run("INSERT INTO item VALUES (3, 'a', 1)")
      await database.store.waitUntilCurrent()
      await lists.check(try database.rows(), "after the insertion")
    }

    @Test("More rows than are looked at singly are read anew", arguments: [10, 200])
    func manyRows(limit: Int) async throws {
      var options = PostgresStoreOptions()
      options.maximumTouchedRows = limit
      let database = try await TestDatabase(TestDatabase.items, options: options)
      let lists = try await FollowedLists(in: database.store)
      try database.other.run("INSERT INTO item SELECT i, 'a', i % 7, NULL FROM generate_series(1, 100) i")
      await database.store.waitUntilCurrent()
      await lists.check(try database.rows(), "limit \(limit)")
      #expect(database.store.statistics.resets == (limit == 10 ? 1 : 0))
    }

    @Test(
      "A changed schema is noticed: columns that come and go, a table that is replaced, triggers that are switched off"
    )
    func schema() async throws {
      var options = PostgresStoreOptions()
      options.schemaInterval = .zero
      let database = try await TestDatabase(
        TestDatabase.items + "; INSERT INTO item VALUES (1, 'a', 1)", options: options)
      let lists = try await FollowedLists(in: database.store)
      for statement in [
        "ALTER TABLE item ADD COLUMN extra text DEFAULT 'x'",
        "ALTER TABLE item DROP COLUMN extra",
        "ALTER TABLE item DISABLE TRIGGER livelists_rows",
        "DROP TRIGGER livelists_updates ON item",
        "ALTER TABLE item ALTER COLUMN key TYPE int",
        "BEGIN; ALTER TABLE item RENAME TO old; CREATE TABLE item (LIKE old INCLUDING ALL); COMMIT",
      ] {
        let before = database.store.statistics.resets
        try database.other.run(statement)
        try database.other.run(
          "INSERT INTO item SELECT coalesce(max(id), 0) + 1, 'a', 1 FROM item; UPDATE item SET key = key + 1")
        try await eventually(tries: 600) { database.store.statistics.resets > before }
        for list in lists.controllers { await list.waitUntilCurrent() }
        try database.other.run(
          "INSERT INTO item SELECT max(id) + 1, 'b', 0 FROM item; UPDATE item SET key = key + 1")
        await database.store.waitUntilCurrent()
        await lists.check(try database.rows(), "after \(statement)")
      }
      // The lists fail while there is no table, and come back with it.
      try database.other.run("DROP TABLE item")
      try await eventually(tries: 600) { lists.controllers[0].failures.contains { $0.kind == .database } }
      try database.other.run(TestDatabase.items + "; INSERT INTO item VALUES (7, 'a', 1)")
      try await eventually(tries: 600) { lists.controllers[0].snapshot?.itemIdentifiers == [7] }
    }

    @Test("Objects are read though a column is gone that no request names, and that was not missed yet")
    func objectsWithoutColumn() async throws {
      var options = PostgresStoreOptions()
      options.schemaInterval = .seconds(3_600)
      let database = try await TestDatabase(
        TestDatabase.items
          + "; ALTER TABLE item ADD extra text; CREATE INDEX ON item (key); INSERT INTO item SELECT i, 'a', i FROM generate_series(1, 50) i",
        options: options)
      let list = FetchController(
        FetchDescriptor<ConformanceItem>().ordered(by: .ascending(\.key)), in: database.store)
      try await list.performFetch()
      try database.other.run("ALTER TABLE item DROP extra")
      #expect(list.object(for: 1)?.key == 1)
      #expect(try await list.objects(for: Array(20...40)).count == 21)
      #expect(list.failures.isEmpty)
      // It is looked into at once, as if it were time.
      try await eventually(tries: 600) { database.store.statistics.resets == 1 }
      await list.waitUntilCurrent()
      #expect(try await list.objects(for: Array(1...50)).count == 50)
    }

    @Test("A key column that is renamed does not keep anybody from writing for long")
    func renamedKey() async throws {
      var options = PostgresStoreOptions()
      options.schemaInterval = .zero
      let database = try await TestDatabase(TestDatabase.items, options: options)
      let list = FetchController(
        FetchDescriptor<ConformanceItem>().ordered(by: .ascending(\.key)), in: database.store)
      try await list.performFetch()
      try database.other.run("ALTER TABLE item RENAME COLUMN id TO number")
      try await eventually(tries: 600) {
        (try? database.other.run("INSERT INTO item SELECT coalesce(max(number), 0) + 1, 'a', 1 FROM item"))
          != nil
      }
    }

    @Test(
      "Triggers that name a column which is gone are taken away, also where the table was never seen with it")
    func keyGoneBefore() async throws {
      var options = PostgresStoreOptions()
      options.schemaInterval = .zero
      let database = try await TestDatabase(TestDatabase.items, options: options)
      _ = try database.other.query("SELECT livelists.watch('item', 'id')")
      try database.other.run("ALTER TABLE item RENAME COLUMN id TO number")
      let list = FetchController(
        FetchDescriptor<ConformanceItem>().ordered(by: .ascending(\.key)), in: database.store)
      await #expect(throws: FetchError.self) { try await list.performFetch() }
      try await eventually(tries: 600) {
        (try? database.other.run("INSERT INTO item VALUES (1, 'a', 1) ON CONFLICT DO NOTHING")) != nil
      }
    }

    @Test("What cannot be watched is refused with the reason")
    func unwatchable() async throws {
      let database = try await TestDatabase(
        """
        CREATE TABLE base (id bigint, section text, key bigint, note text);
        CREATE VIEW item AS SELECT * FROM base
        """)
      func refusal() async -> String {
        let list = FetchController(
          FetchDescriptor<ConformanceItem>().ordered(by: .ascending(\.key)), in: database.store)
        let error = await #expect(throws: FetchError.self) { try await list.performFetch() }
        #expect(error?.kind == .unwatchable)
        return error?.description ?? ""
      }
      #expect(await refusal().contains("is a view"))
      try database.other.run(
        "DROP VIEW item; CREATE TABLE item (id bigint, section text, key bigint, note text)")
      #expect(await refusal().contains("unique index"))
      try database.other.run(
        "DROP TABLE item; CREATE TABLE item (id numeric PRIMARY KEY, section text, key bigint, note text)")
      #expect(await refusal().contains("numeric"))
      try database.other.run(
        "DROP TABLE item; CREATE TABLE item (id bigint PRIMARY KEY, section text, key bigint, note text) PARTITION BY RANGE (id)"
      )
      #expect(await refusal().contains("partitioned"))
    }

    @Test("A role that may not make triggers is told who can; once they are there, it has its lists")
    func rights() async throws {
      let database = try await TestDatabase(
        TestDatabase.items
          + """
          ; INSERT INTO item VALUES (1, 'a', 1);
          DO $$ BEGIN CREATE ROLE clerk LOGIN; EXCEPTION WHEN duplicate_object THEN END $$;
          GRANT SELECT, INSERT ON item TO clerk
          """)
      try database.other.run("SELECT livelists.allow('clerk', true)")
      let store = try await PostgresStore(connection: database.address + " user=clerk")
      defer { store.close() }
      let list = FetchController(FetchDescriptor<ConformanceItem>().ordered(by: .ascending(\.key)), in: store)
      let error = await #expect(throws: FetchError.self) { try await list.performFetch() }
      #expect(error?.kind == .unwatchable && error?.description.contains("livelists.watch") == true)
      try database.other.run("SELECT livelists.watch('public.item', 'id')")
      #expect(try await list.performFetch().itemIdentifiers == [1])
      try await store.write { try $0.execute("INSERT INTO item VALUES (2, 'a', 2)") }
      #expect(list.snapshot?.itemIdentifiers == [1, 2])
    }

    @Test(
      "By hand, too, a table is watched by a key alone that tells its rows apart",
      arguments: ["section", "note", "shared", "part", "missing"])
    func watchedByHand(_ column: String) async throws {
      let database = try await TestDatabase(
        """
        CREATE TABLE thing (id bigint PRIMARY KEY, section text NOT NULL, note text UNIQUE, shared int NOT NULL, part int NOT NULL, UNIQUE (shared, id));
        CREATE UNIQUE INDEX ON thing (part) WHERE id > 0
        """)
      let error = #expect(throws: PostgresError.self) {
        try database.other.query("SELECT livelists.watch('public.thing', $1)", [.text(column)])
      }
      #expect(error?.code == "42P16" && error?.description.contains(column) == true)
      #expect(try database.other.query("SELECT count(*) FROM livelists.watched").integer(0, 0) == 0)
      #expect(try database.other.query("SELECT livelists.watch('public.thing', 'id')").count == 1)
    }

    @Test(
      "A prepared transaction that has outlived a crash is seen when it ends, and read for once",
      arguments: ["COMMIT", "ROLLBACK"])
    func preparedThroughCrash(_ end: String) async throws {
      let server = try await OwnServer(settings: ["max_prepared_transactions = 4"])
      defer { server.remove() }
      let store = try await PostgresStore(connection: server.address)
      defer { store.close() }
      try await store.write { try $0.execute(TestDatabase.items) }
      try await store.write {
        try $0.execute("INSERT INTO item SELECT i, 'a', i FROM generate_series(1, 5) i")
      }
      let lists = try await FollowedLists(in: store)
      try Connection(server.address, name: "tests").run(
        "BEGIN; UPDATE item SET key = 9 WHERE id = 1; DELETE FROM item WHERE id = 3; PREPARE TRANSACTION 'two'"
      )
      try server.stop("immediate")
      try server.start()
      // The crash has it read anew, once or, where a read was lost, twice.
      let list = lists.controllers[0]
      try await eventually { list.isCurrent && list.statistics.fetches > 1 }
      let reads = list.statistics.fetches
      let other = try Connection(server.address, name: "tests")
      for _ in 0..<10 {
        try other.run("UPDATE item SET note = 'x' || coalesce(note, '') WHERE id = 2")
        await store.waitUntilCurrent()
        await list.waitUntilCurrent()
      }
      #expect(list.snapshot?.itemIdentifiers == [1, 2, 3, 4, 5])
      #expect(list.statistics.fetches < reads + 5, "It is under way, and nothing to read for.")
      try other.run("\(end) PREPARED 'two'")
      await store.waitUntilCurrent()
      await list.waitUntilCurrent()
      #expect(list.snapshot?.itemIdentifiers == (end == "COMMIT" ? [2, 4, 5, 1] : [1, 2, 3, 4, 5]))
      #expect(list.object(for: 1)?.key == (end == "COMMIT" ? 9 : 1))
    }

    @Test("Lists say that they may be old while the server is away, and catch up from where they were")
    func cleanRestart() async throws {
      let server = try await OwnServer()
      defer { server.remove() }
      let store = try await PostgresStore(connection: server.address)
      defer { store.close() }
      try await store.write { try $0.execute(TestDatabase.items) }
      try await store.write { try $0.execute("INSERT INTO item VALUES (1, 'a', 1)") }
      let lists = try await FollowedLists(in: store)
      let list = lists.controllers[0]
      #expect(list.isCurrent)
      let changes = list.changes.makeAsyncIterator()
      _ = try await changes.next()
      try server.stop("fast")
      let interrupted = try await changes.next()
      #expect(interrupted?.failures.first?.kind == .interrupted)
      #expect(!list.isCurrent && list.snapshot?.itemIdentifiers == [1])
      #expect(list.failures.contains { $0.kind == .interrupted })
      try server.start()
      let resumed = try await changes.next()
      #expect(resumed?.failures.isEmpty == true && resumed?.difference.isEmpty == true)
      #expect(list.isCurrent)
      try await store.write { try $0.execute("INSERT INTO item VALUES (2, 'a', 2)") }
      #expect(list.snapshot?.itemIdentifiers == [1, 2])
      // No commit can have been lost: nothing was read anew.
      #expect(store.statistics.resets == 0 && store.statistics.interruptions == 1)
    }

    @Test(
      "After a crash, in which transaction numbers are used again, lists are read anew",
      arguments: ["immediate", "kill"])
    func crash(_ way: String) async throws {
      // Nothing is written ahead by itself, so that the numbers are surely used again.
      let server = try await OwnServer(settings: ["wal_writer_delay = '10s'"])
      defer { server.remove() }
      let store = try await PostgresStore(connection: server.address)
      defer { store.close() }
      try await store.write { try $0.execute(TestDatabase.items) }
      let lists = try await FollowedLists(in: store)
      for round in 1...3 {
        // A number that was given out and is not written anywhere.
        let connection = try Connection(server.address, name: "lost")
        try connection.run("BEGIN; INSERT INTO item VALUES (\(100 + round), 'z', 0); ROLLBACK")
        await store.waitUntilCurrent()
        if way == "kill" {
          try server.killBackend(connection.process)
        } else {
          try server.stop("immediate")
          try server.start()
        }
        try await server.run("INSERT INTO item VALUES (\(round), 'a', \(round)) ON CONFLICT DO NOTHING")
        try await eventually(tries: 600) { store.statistics.resets >= round }
        try await settle(store)
        for list in lists.controllers { await list.waitUntilCurrent() }
        #expect(lists.controllers[0].snapshot?.itemIdentifiers == Array(1...round), "round \(round)")
      }
    }

    @Test(
      "A herd of lists that is read anew keeps nobody from writing, and uses no more connections than it may")
    func herd() async throws { try await Herd.run(lists: 300) }

    @Test(
      "Where the server's disk is full, writes fail with the reason, lists stay right, and go on when there is room",
      .enabled(if: OwnServer.canMount, "No file system can be mounted here, so that none can be filled."),
      arguments: ["the table", "the log"])
    func fullDisk(_ location: String) async throws {
      let server = try await OwnServer(small: .init(megabytes: 4))
      defer { server.remove() }
      let store = try await PostgresStore(connection: server.address)
      defer { store.close() }
      try await server.run("CREATE TABLESPACE small LOCATION '\(server.folder.path)/small'")
      let isLog = location == "the log"
      try await server.run(
        "CREATE TABLE filler TABLESPACE small AS SELECT repeat('x', 1000) FROM generate_series(1, 1000)")
      try await server.run(TestDatabase.items + (isLog ? "" : " TABLESPACE small"))
      let lists = try await FollowedLists(in: store)
      if isLog { try await server.run("ALTER TABLE livelists.log SET TABLESPACE small") }
      func write(_ id: Int) async throws {
        try await store.write(origin: "\(id)") {
          try $0.execute(
            "INSERT INTO item SELECT i, 'a', i % 9, repeat('x', 900) FROM generate_series(?, ? + 199) i",
            [id, id])
        }
      }
      var expected: [Int] = []
      var failure: PostgresError?
      for round in 0..<200 where failure == nil {
        do {
          try await write(round * 200)
          expected += round * 200..<(round + 1) * 200
        } catch let error as PostgresError { failure = error }
      }
      #expect(failure?.code == "53100" && failure?.isConnectionLost == false)
      #expect(!expected.isEmpty)
      let list = lists.controllers[0]
      await store.waitUntilCurrent()
      await list.waitUntilCurrent()
      #expect(list.snapshot?.itemIdentifiers.sorted() == expected && list.isCurrent)
      try await server.run("DROP TABLE filler")
      try await write(1_000_000)
      expected += 1_000_000..<1_000_200
      await store.waitUntilCurrent()
      await list.waitUntilCurrent()
      #expect(list.snapshot?.itemIdentifiers.sorted() == expected)
      #expect(store.statistics.interruptions == 0)
    }

    @Test(
      "Where the server dies of a full disk, lists stay as they are, and are right as soon as it is there again",
      .enabled(if: OwnServer.canMount, "No file system can be mounted here, so that none can be filled."))
    func fullLog() async throws {
      // No checkpoint makes room in the log.
      let server = try await OwnServer(
        settings: ["max_wal_size = '1GB'"], small: .init(megabytes: 12, hasLog: true))
      defer { server.remove() }
      let store = try await PostgresStore(connection: server.address)
      defer { store.close() }
      try await server.run(TestDatabase.items)
      let lists = try await FollowedLists(in: store)
      let list = lists.controllers[0]
      try server.fillSmall()
      var committed: Set<Int> = []
      var failure: PostgresError?
      for round in 0..<400 where failure == nil {
        do {
          try await store.write {
            try $0.execute(
              "INSERT INTO item SELECT i, 'a', i % 9, repeat('x', 900) FROM generate_series(?, ? + 99) i",
              [round * 100, round * 100])
          }
          committed.formUnion(round * 100..<(round + 1) * 100)
        } catch let error as PostgresError { failure = error }
      }
      #expect(failure?.isConnectionLost == true && !committed.isEmpty, "\(String(describing: failure))")
      try await eventually(tries: 600) { store.statistics.interruptions > 0 }
      await list.waitUntilCurrent()
      #expect(committed.isSubset(of: list.snapshot?.itemIdentifiers ?? []))
      try server.emptySmall()
      // It may have come up by itself, and died again.
      try server.stopIfRunning("immediate")
      try server.start()
      try await settle(store)
      try await eventually(tries: 600) { list.isCurrent }
      let rows = try Connection(server.address, name: "tests").query("SELECT id FROM item")
      let found = Set((0..<rows.count).compactMap { rows.integer($0, 0).map { Int($0) } })
      // Of the last write it is not known whether it was committed.
      #expect(committed.isSubset(of: found))
      #expect(Set(list.snapshot?.itemIdentifiers ?? []) == found)
      try await store.write { try $0.execute("INSERT INTO item VALUES (-1, 'a', -1)") }
      #expect(list.snapshot?.itemIdentifiers.first == -1)
      #expect(store.statistics.resets > 0)
    }

    @Test("A copy of a database is another: whoever finds it reads anew")
    func restoredCopy() async throws {
      let database = try await TestDatabase(TestDatabase.items)
      let lists = try await FollowedLists(in: database.store)
      await lists.check([:], "before")
      let before = try database.other.query("SELECT id::text FROM livelists.boot").text(0, 0)
      // As a base backup of another system's would have it, with a log.
      try database.other.run("INSERT INTO livelists.log (tab, op, key, xid) VALUES (1, 'I', '5', '3')")
      try database.other.run("UPDATE livelists.boot SET system = 1")
      let second = try await database.makeNode()
      defer { second.close() }
      _ = try database.other.query("SELECT livelists.start()")
      let after = try database.other.query("SELECT id::text FROM livelists.boot").text(0, 0)
      #expect(before != after)
      #expect(try database.other.query("SELECT count(*) FROM livelists.log").integer(0, 0) == 0)
      await database.store.waitUntilCurrent()
      #expect(database.store.statistics.resets == 1)
      try database.other.run("INSERT INTO item VALUES (1, 'a', 1)")
      try await settle(database.store)
      await lists.check(try database.rows(), "after")
    }
  }
#endif
