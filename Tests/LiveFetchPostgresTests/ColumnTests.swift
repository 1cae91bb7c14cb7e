#if PostgreSQL
  import Foundation
  import LiveFetch
  @testable import LiveFetchPostgres
  import LiveListsTestSupport
  import Snapshots
  import Synchronization
  import Testing
  import _TestTools

  /// The columns that an update changed, as the log says it.
  @Suite("Which columns an update changed", .server)
  struct ColumnTests {
    struct Thing: FetchModel, Hashable {
      var id: Int
      var rank: Int
      var views: Int
      static let fetchTable = FetchTable<Thing>(
        "thing", id: .column("id", \.id), columns: [.column("rank", \.rank), .column("views", \.views)])
      init(fetchRow row: FetchRow) throws {
        (id, rank, views) = (try row["id"], try row["rank"], try row["views"])
      }
    }

    static let schema = """
      CREATE TYPE mood AS ENUM ('sad', 'gay');
      CREATE TABLE thing (id int PRIMARY KEY, gone int, rank bigint NOT NULL, views int NOT NULL DEFAULT 0, "no te" text, data json, price numeric,
        spot point, mood mood, real double precision, tags text[], bytes bytea);
      ALTER TABLE thing DROP COLUMN gone;
      INSERT INTO thing (id, rank) VALUES (1, 1), (2, 2)
      """

    /// Collects what a store says of rows.
    private final class Recorder: Sendable {
      let rows = Mutex<[(change: RowChange, columns: [String])]>([])

      func take(_ event: FetchStoreEvent) {
        guard case .changes(let changes) = event else { return }
        rows.withLock { $0 += changes.rows.map { ($0.change, changes.tableColumns) } }
      }

      /// The columns that the last row's update may have changed; nil for another change.
      var changed: [String]? {
        rows.withLock { rows in
          guard let last = rows.last, case .updated(let set) = last.change else { return nil }
          return last.columns.enumerated().filter { set.mayContain(column: $0.offset) }.map(\.element)
            .sorted()
        }
      }
      var count: Int { rows.withLock { $0.count } }
    }

    private static func record(
      _ database: TestDatabase, _ store: PostgresStore
    ) async throws -> (Recorder, FetchObservation) {
      let recorder = Recorder()
      let plan = try FetchDescriptor<Thing>().ordered(by: .ascending(\.rank)).plan()
      _ = try await store.read(plan) { _ in }
      return (recorder, store.observe(plan) { recorder.take($0) })
    }

    @Test("A list stays silent where an update changes nothing that it shows, and hears of all else")
    func silent() async throws {
      let database = try await TestDatabase(Self.schema)
      let list = FetchController(
        FetchDescriptor<Thing>().ordered(by: .ascending(\.rank)).ignoringChanges(to: \.views),
        in: database.store)
      try await list.performFetch()
      let changes = list.changes.makeAsyncIterator()
      _ = try await changes.next()
      try database.other.run("UPDATE thing SET views = views + 1")
      await database.store.waitUntilCurrent()
      await list.waitUntilCurrent()
      try await database.store.write(origin: "rank") {
        try $0.execute("UPDATE thing SET rank = 9 WHERE id = 1")
      }
      let change = try await changes.next()
      #expect(change?.snapshot.itemIdentifiers == [2, 1])
      #expect(change?.origins == ["rank"])
    }

    @Test("Each type of column is compared so that what a row holds otherwise is told")
    func types() async throws {
      let database = try await TestDatabase(Self.schema)
      let (recorder, observation) = try await Self.record(database, database.store)
      defer { observation.cancel() }
      let all = ["bytes", "data", "id", "mood", "no te", "price", "rank", "real", "spot", "tags", "views"]
      // What has no equality that is one of bytes counts as changed.
      for (set, columns) in [
        ("rank = 7", ["rank"]), ("rank = 8, views = 1", ["rank", "views"]), ("\"no te\" = 'x'", ["no te"]),
        ("\"no te\" = NULL", ["no te"]), ("data = '{\"a\":1}'", ["data"]), ("data = '{\"a\": 1}'", ["data"]),
        ("price = 1.0", ["price"]), ("price = 1.00", ["price"]), ("mood = 'sad'", ["mood"]),
        ("real = 0.1", ["real"]),
        ("tags = '{a,b}'", ["tags"]), ("bytes = '\\x00'", ["bytes"]), ("spot = '(1,2)'", []),
        ("\"no te\" = (SELECT string_agg(md5(i::text), '') FROM generate_series(1, 500) i)", ["no te"]),
        // Nobody fetches what lies outside of the row.
        ("rank = 10", ["no te", "rank"]),
        ("\"no te\" = ''", ["no te"]), ("rank = 11", ["rank"]),
      ] {
        try database.other.run("UPDATE thing SET \(set) WHERE id = 1")
        await database.store.waitUntilCurrent()
        #expect(recorder.changed == (columns + ["spot"]).sorted(), "after \(set)")
      }
      let before = recorder.count
      try database.other.run("ALTER TABLE thing ADD COLUMN later int")
      try database.other.run("UPDATE thing SET later = 1, rank = 12 WHERE id = 1")
      await database.store.waitUntilCurrent()
      // Whoever does not know the column yet takes all for changed, or those that are known and others.
      #expect(recorder.count > before && recorder.changed?.contains("rank") == true)
      #expect(Set(recorder.changed ?? []).isSubset(of: all + ["later"]))
    }

    @Test("A row that is updated so that nothing differs is told to nobody")
    func nothing() async throws {
      let database = try await TestDatabase(TestDatabase.items + "; INSERT INTO item VALUES (1, 'a', 1)")
      let lists = try await FollowedLists(in: database.store)
      try database.other.run("UPDATE item SET key = key; UPDATE item SET section = 'a'")
      await database.store.waitUntilCurrent()
      #expect(try database.other.query("SELECT count(*) FROM livelists.log").integer(0, 0) == 0)
      // A column that the triggers know nothing of is compared all the same.
      try database.other.run("ALTER TABLE item ADD COLUMN later int; UPDATE item SET later = 1")
      #expect(try database.other.query("SELECT count(*) FROM livelists.log").integer(0, 0) == 1)
      await lists.check(try database.rows(), "after all")
    }

    @Test("A new column is compared as soon as a node has noticed it")
    func laterColumn() async throws {
      var options = PostgresStoreOptions()
      options.schemaInterval = .zero
      let database = try await TestDatabase(Self.schema, options: options)
      let (recorder, observation) = try await Self.record(database, database.store)
      defer { observation.cancel() }
      try database.other.run("ALTER TABLE thing ADD COLUMN later int")
      let plan = try FetchDescriptor<Thing>().ordered(by: .ascending(\.rank)).plan()
      for number in 1...400 where recorder.changed != ["later", "spot"] {
        _ = try await database.store.read(plan) { _ in }
        try database.other.run("UPDATE thing SET later = \(number) WHERE id = 1")
        await database.store.waitUntilCurrent()
        try await Task.sleep(for: .milliseconds(5))
      }
      #expect(recorder.changed == ["later", "spot"])
    }

    @Test("A key that gets another type keeps no session from writing that is open")
    func keyOfAnotherType() async throws {
      var options = PostgresStoreOptions()
      options.schemaInterval = .seconds(3_600)
      let database = try await TestDatabase(
        TestDatabase.items.replacingOccurrences(of: "id bigint", with: "id int"), options: options)
      let lists = try await FollowedLists(in: database.store)
      let writer = try Connection(database.address, name: "writer")
      func write(_ id: Int) throws {
        try writer.run(
          """
          INSERT INTO item VALUES (\(id), 'a', 1); UPDATE item SET key = 2 WHERE id = \(id); UPDATE item SET id = id + 1000 WHERE id = \(id);
          DELETE FROM item WHERE id = \(id) + 1000; INSERT INTO item VALUES (\(id), 'a', 3)
          """)
      }
      try write(1)
      try database.other.run(
        "ALTER TABLE item ALTER id TYPE bigint, ALTER key TYPE int, ALTER section TYPE varchar(9)")
      try write(2)
      await database.store.waitUntilCurrent()
      await lists.check(try database.rows(), "after another type")
    }

    @Test(
      "A session that is open goes on writing whatever happens to the table, and each update is noted",
      arguments: [
        "ALTER TABLE item ALTER key TYPE int", "ALTER TABLE item ALTER section TYPE varchar(9)",
        "ALTER TABLE item ALTER note TYPE bytea USING note::bytea",
        "ALTER TABLE item RENAME COLUMN note TO remark",
        "ALTER TABLE item ADD COLUMN later int", "ALTER TABLE item DROP COLUMN note",
        "ALTER TABLE item RENAME TO thing; ALTER TABLE thing RENAME TO item",
        "ALTER TABLE item ADD COLUMN later int DEFAULT 7; ALTER TABLE item DROP COLUMN later",
      ])
    func openSession(_ change: String) async throws {
      let database = try await TestDatabase(TestDatabase.items + "; INSERT INTO item VALUES (1, 'a', 1, 'n')")
      let lists = try await FollowedLists(in: database.store)
      func noted() throws -> Int64 {
        try database.other.query("SELECT count(*) FROM livelists.log WHERE key = '1'").integer(0, 0) ?? 0
      }
      var key = 10
      func update(_ writer: Connection, _ context: String) throws {
        let before = try noted()
        key += 1
        try writer.run("UPDATE item SET key = \(key) WHERE id = 1")
        #expect(try noted() == before + 1, "\(context)")
      }
      let writers = try (0..<2).map { try Connection(database.address, name: "writer \($0)") }
      for writer in writers { try update(writer, "before") }
      // One of them sees the state from before the change.
      try writers[1].run("BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT 1")
      try database.other.run(change)
      let before = try noted()
      // No row at all, where the change has written them anew.
      let touched = try writers[1].query("UPDATE item SET key = \(key + 1) WHERE id = 1").touched
      try writers[1].run("COMMIT")
      #expect(try noted() == before + Int64(touched), "\(change)")
      key += touched
      for writer in writers { try update(writer, "later") }
      if !change.contains("note") {
        await database.store.waitUntilCurrent()
        await lists.check([1: ConformanceItem(id: 1, section: "a", key: key)], "after \(change)")
      }
    }

    @Test(
      "Rows that are written in bulk take one row of the log, and lists are right", arguments: [true, false])
    func bulk(_ isOurs: Bool) async throws {
      let database = try await TestDatabase(TestDatabase.items + "; INSERT INTO item VALUES (1, 'a', 1)")
      let lists = try await FollowedLists(in: database.store)
      let sql = """
        INSERT INTO item SELECT i, 'b', i % 9, NULL FROM generate_series(10, 5000) i;
        UPDATE item SET key = key + 1 WHERE id % 2 = 0; DELETE FROM item WHERE id % 3 = 0
        """
      if isOurs {
        try await database.store.write(origin: "import") { transaction in
          try transaction.noteTablesOnly()
          for statement in sql.split(separator: ";") { try transaction.execute(String(statement)) }
        }
      } else {
        // What a savepoint takes back it takes back with its row of the log.
        try database.other.run(
          "BEGIN; SET LOCAL livelists.bulk = 'on'; SAVEPOINT s; DELETE FROM item; ROLLBACK TO s; \(sql); COMMIT"
        )
        await database.store.waitUntilCurrent()
      }
      #expect(try database.other.query("SELECT count(*) FROM livelists.log").integer(0, 0) == 1)
      await lists.check(try database.rows(), "in bulk")
      // The transaction after it is noted row by row.
      try database.other.run("UPDATE item SET key = 1 WHERE id = 10; INSERT INTO item VALUES (2, 'a', 1)")
      #expect(try database.other.query("SELECT count(*) FROM livelists.log").integer(0, 0) == 3)
      await database.store.waitUntilCurrent()
      await lists.check(try database.rows(), "row by row")
    }

    @Test(
      "A look at a long log of which it knows all reads no more than its index", arguments: [false, true])
    func longLog(_ isAnalysed: Bool) async throws {
      let database = try await TestDatabase(TestDatabase.items)
      _ = try await FollowedLists(in: database.store)
      let other = database.other
      try other.run(
        "INSERT INTO livelists.log (xid, tab, op, key) SELECT '3', 1, 'U', i::text FROM generate_series(1, 50000) i"
      )
      if isAnalysed { try other.run("ANALYZE livelists.log") }
      let since = try #require(try other.query("SELECT pg_current_snapshot()::text").text(0, 0))
      func blocks() throws -> Int {
        let plan = try other.query(
          "EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) SELECT * FROM livelists.look('\(since)', 1000)")
        let text = try #require(plan.text(0, 0))
        return text.matches(of: /"Shared (?:Hit|Read) Blocks": (\d+)/).prefix(2).reduce(0) {
          $0 + (Int($1.1) ?? 0)
        }
      }
      // The first one plans.
      _ = try blocks()
      let size = try #require(
        try other.query("SELECT pg_relation_size('livelists.log') / 8192").integer(0, 0))
      let read = try blocks()
      #expect(size > 300 && read < 40 && read > 0)
    }

    @Test("A database that an older version set up is brought along, while its nodes and triggers go on")
    func olderVersion() async throws {
      let address = try TestServer.makeDatabase()
      let other = try Connection(address, name: "tests")
      try other.run(Self.schema)
      try other.run(SetupVersion1.script)
      try other.run(
        "SELECT livelists.start(); SELECT livelists.watch('thing', 'id'); SELECT livelists.note('thing', 'views')"
      )
      let version = "SELECT max(number) FROM livelists.version"
      #expect(try other.query(version).integer(0, 0) == 1)
      // A session that has planned the old trigger.
      try other.run("UPDATE thing SET rank = 3 WHERE id = 2")
      // A transaction that has written holds its tables; nobody waits behind for it for long.
      let long = try Connection(address, name: "long")
      try long.run("BEGIN; UPDATE thing SET rank = 4 WHERE id = 2")
      let error = await #expect(throws: PostgresError.self) { try await PostgresStore(connection: address) }
      #expect(error?.code == "55P03" && error?.message.contains("brought along") == true)
      #expect(try other.query(version).integer(0, 0) == 1)
      try long.run("COMMIT")
      let store = try await PostgresStore(connection: address)
      defer { store.close() }
      #expect(try other.query(version).integer(0, 0) == Setup.version)
      // What a node of the older version asks for.
      #expect(
        try other.query("SELECT seq, tab, op, key, origin, node, at, routes FROM livelists.log ORDER BY seq")
          .count == 2)
      let recorder = Recorder()
      let list = FetchController(FetchDescriptor<Thing>().ordered(by: .ascending(\.rank)), in: store)
      try await list.performFetch()
      let plan = try FetchDescriptor<Thing>().ordered(by: .ascending(\.rank)).plan()
      let observation = store.observe(plan) { recorder.take($0) }
      defer { observation.cancel() }
      try other.run("UPDATE thing SET rank = 0 WHERE id = 2")
      await store.waitUntilCurrent()
      #expect(recorder.changed == ["rank", "spot"])
      #expect(list.snapshot?.itemIdentifiers == [2, 1])
      let again = try await PostgresStore(connection: address)
      again.close()
    }

    @Test("A database of version 2, whose epochs do not know who made them, is brought along")
    func versionWithoutMaker() async throws {
      let database = try await TestDatabase(TestDatabase.items + "; INSERT INTO item VALUES (1, 'a', 1)")
      let lists = try await FollowedLists(in: database.store)
      try database.other.run(
        """
        ALTER TABLE livelists.boot DROP COLUMN made;
        DELETE FROM livelists.version; INSERT INTO livelists.version (number) VALUES (2)
        """)
      let node = try await database.makeNode()
      defer { node.close() }
      let more = try await FollowedLists(in: node)
      try await node.write { try $0.execute("INSERT INTO item VALUES (2, 'b', 2)") }
      await more.check(try database.rows(), "on the newer node")
      for _ in 0..<400 where !lists.controllers[0].isCurrent { try await Task.sleep(for: .milliseconds(25)) }
      await database.store.waitUntilCurrent()
      await lists.check(try database.rows(), "on the older node")
    }

    @Test(
      "A database of version 3 to 5 is brought along, and its lists go on from where they were",
      arguments: [
        (3, "DROP FUNCTION livelists.look"), (4, "ALTER FUNCTION livelists.look RESET jit"),
        (5, "ALTER FUNCTION livelists.watch RESET search_path"),
      ])
    func versionWithOtherLook(_ version: Int, _ look: String) async throws {
      let database = try await TestDatabase(TestDatabase.items + "; INSERT INTO item VALUES (1, 'a', 1)")
      let lists = try await FollowedLists(in: database.store)
      let epoch = try database.other.query("SELECT id::text FROM livelists.boot").text(0, 0)
      try database.other.run(
        """
        \(look);
        DELETE FROM livelists.version; INSERT INTO livelists.version (number) VALUES (\(version))
        """)
      let node = try await database.makeNode()
      defer { node.close() }
      #expect(
        try database.other.query("SELECT max(number) FROM livelists.version").integer(0, 0) == Setup.version)
      #expect(
        try database.other.query(
          "SELECT 'jit=off' = ANY (proconfig) FROM pg_proc WHERE oid = 'livelists.look'::regproc"
        ).truth(0, 0))
      #expect(try database.other.query("SELECT id::text FROM livelists.boot").text(0, 0) == epoch)
      try await node.write { try $0.execute("INSERT INTO item VALUES (2, 'b', 2)") }
      await database.store.waitUntilCurrent()
      await lists.check(try database.rows(), "after version \(version)")
      #expect(database.store.statistics.resets == 0)
    }

    @Test("Rows of a run are read by an index that has them side by side, and by no other")
    func runs() async throws {
      let database = try await TestDatabase(
        TestDatabase.items.replacingOccurrences(
          of: "section text", with: "section text COLLATE \"und-x-icu\"")
          + "; INSERT INTO item SELECT i, 's' || i % 3, i, NULL FROM generate_series(1, 300) i")
      struct Case { var index: String, isByText: Bool, isServed: Bool }
      let byKey = FetchDescriptor<ConformanceItem>().filter(#Predicate { $0.section == "s1" }).ordered(
        by: .ascending(\.key))
      let byText = FetchDescriptor<ConformanceItem>().ordered(by: .ascending(\.section))
      for example in [
        Case(index: "", isByText: false, isServed: false),
        Case(index: "(key)", isByText: false, isServed: false),
        Case(index: "(section, key)", isByText: false, isServed: true),
        Case(index: "(section, note, key)", isByText: false, isServed: false),
        Case(index: "(section, key) WHERE key > 0", isByText: false, isServed: false),
        Case(index: "(section)", isByText: true, isServed: false),
        Case(index: "(section COLLATE \"C\")", isByText: true, isServed: true),
      ] {
        try database.other.run("DROP INDEX IF EXISTS wanted")
        if !example.index.isEmpty { try database.other.run("CREATE INDEX wanted ON item \(example.index)") }
        // Which indexes there are is asked for once in a while.
        let store = try await database.makeNode()
        defer { store.close() }
        let plan = try (example.isByText ? byText : byKey).plan()
        let range =
          example.isByText
          ? FetchOrderRange(
            equalities: [], column: "section", least: .text("s0"), greatest: .text("s1"), count: 200)
          : FetchOrderRange(
            equalities: [], column: "key", least: .integer(10), greatest: .integer(40), count: 11)
        var keys: Set<FetchValue> = []
        let isServed = try store.rows(in: range, of: plan) { key, _ in
          keys.insert(FetchValue(key))
          return true
        }
        #expect(isServed == example.isServed, "\(example)")
        #expect(keys.count == (example.isServed ? range.count : 0), "\(example)")
        if isServed, !example.isByText {
          #expect(keys == Set(stride(from: 10, through: 40, by: 3).map { .integer($0) }))
        }
      }
    }
  }
#endif
