#if PostgreSQL
  import Foundation
  import LiveFetch
  @testable import LiveFetchPostgres
  import LiveListsTestSupport
  import Snapshots
  import Testing

  /// A database of which there are lists is dumped by `pg_dump`, and the dump is restored: elsewhere, over the database, and in its stead.
  @Suite("Dumps of a database under lists", .server, .serialized)
  struct RestoreTests {
    private static let rows =
      "; INSERT INTO item SELECT i, 's' || i % 3, i % 7, NULL FROM generate_series(1, 40) i"

    private static func program(_ name: String, _ arguments: String..., mayFail: Bool = false) throws {
      let folder = try #require(ProcessInfo.processInfo.environment["LIVELISTS_POSTGRES_BIN"])
      try OwnServer.run(["\(folder)/\(name)"] + arguments, mayFail: mayFail)
    }

    /// Dumps a database into a file.
    private static func dump(_ address: String) throws -> URL {
      let file = FileManager.default.temporaryDirectory.appendingPathComponent("dump-\(UUID().uuidString)")
      try program("pg_dump", "--format=custom", "--file=\(file.path)", "--dbname=\(address)")
      return file
    }

    /// The epoch that nodes go by; nil where there is none.
    private static func epoch(_ connection: Connection) throws -> String? {
      let found = try connection.query("SELECT id::text FROM livelists.boot WHERE made::xid = xmin")
      return found.count == 1 ? found.text(0, 0) : nil
    }

    /// Writes on a node and by another program, and compares the lists with the table.
    private static func goOn(
      _ store: PostgresStore, _ lists: FollowedLists, _ database: TestDatabase, _ other: Connection,
      _ context: String
    ) async throws {
      try await settle(store)
      await lists.check(try database.rows(on: other), "\(context), read")
      // A node may still have to look at the schema, which the other one has completed. Then commits are known row by row.
      for id in 101...120 {
        let resets = store.statistics.resets
        try await store.write { try $0.execute("INSERT INTO item VALUES (\(id), 's1', 3, 'by a node')") }
        await lists.check(try database.rows(on: other), "\(context), after a write")
        try other.run("UPDATE item SET key = key + 1 WHERE id % 2 = 0; DELETE FROM item WHERE id = 3")
        try await settle(store)
        await lists.check(try database.rows(on: other), "\(context), after another program's")
        if store.statistics.resets == resets { return }
      }
      Issue.record("\(context): commits are not known row by row")
    }

    private static func settle(_ store: PostgresStore) async throws {
      for _ in 0..<400 {
        if (try? await store.pool.use { try store.advance(on: $0) }) != nil { return }
        try await Task.sleep(for: .milliseconds(25))
      }
      Issue.record("The store did not come back.")
    }

    @Test("A dump that is restored elsewhere has lists of its own, and those of the first go on")
    func elsewhere() async throws {
      let database = try await TestDatabase(TestDatabase.items + Self.rows)
      let lists = try await FollowedLists(in: database.store)
      let file = try Self.dump(database.address)
      defer { try? FileManager.default.removeItem(at: file) }
      let copy = try TestServer.makeDatabase()
      // Between the dump and its copy, so that the log and the rows of both differ.
      try database.other.run("UPDATE item SET key = 5 WHERE id < 10")
      try Self.program("pg_restore", "--exit-on-error", "--dbname=\(copy)", file.path)
      let other = try Connection(copy, name: "tests")
      // Nobody has said yet that it is a copy.
      #expect(try Self.epoch(other) == nil)
      let store = try await PostgresStore(connection: copy)
      defer { store.close() }
      let copied = try await FollowedLists(in: store)
      try await Self.goOn(store, copied, database, other, "in the copy")
      try await Self.goOn(database.store, lists, database, database.other, "in the original")
      #expect(try Self.epoch(other) != Self.epoch(database.other) && Self.epoch(other) != nil)
      #expect(store.statistics.resets == 0 && database.store.statistics.resets == 0)
    }

    @Test("A dump that is restored over the database under its lists is what they show then")
    func inPlace() async throws {
      var options = PostgresStoreOptions()
      options.schemaInterval = .milliseconds(100)
      let database = try await TestDatabase(TestDatabase.items + Self.rows, options: options)
      let nodes = [database.store, try await database.makeNode(options: options)]
      defer { nodes[1].close() }
      let lists = [try await FollowedLists(in: nodes[0]), try await FollowedLists(in: nodes[1])]
      let file = try Self.dump(database.address)
      defer { try? FileManager.default.removeItem(at: file) }
      let before = try #require(try Self.epoch(database.other))
      try await nodes[0].write {
        try $0.execute("DELETE FROM item WHERE id % 4 = 0")
        try $0.execute("INSERT INTO item VALUES (200, 's0', 0, 'lost')")
      }
      // It tells of what nodes, which are not stopped, have made before it: triggers.
      try Self.program(
        "pg_restore", "--clean", "--if-exists", "--dbname=\(database.address)", file.path, mayFail: true)
      #expect(try database.other.query("SELECT count(*) FROM item").integer(0, 0) == 40)
      for (number, node) in nodes.enumerated() {
        try await Self.settle(node)
        // A list that was read while there was no table has failed, and is read again when the node looks at the schema.
        for list in lists[number].controllers {
          for _ in 0..<400 where !list.failures.isEmpty || !list.isCurrent {
            try await Task.sleep(for: .milliseconds(25))
          }
        }
        await lists[number].check(try database.rows(), "node \(number)")
      }
      #expect(try Self.epoch(database.other) != before)
      try await Self.goOn(nodes[0], lists[0], database, database.other, "over it")
      try await Self.settle(nodes[1])
      await lists[1].check(try database.rows(), "on the other node")
    }

    @Test("A database that is dropped and restored under its name is read anew")
    func inItsStead() async throws {
      let database = try await TestDatabase(TestDatabase.items + Self.rows)
      let lists = try await FollowedLists(in: database.store)
      let file = try Self.dump(database.address)
      defer { try? FileManager.default.removeItem(at: file) }
      try await database.store.write { try $0.execute("DELETE FROM item WHERE id > 7") }
      let name = try #require(try database.other.query("SELECT current_database()::text").text(0, 0))
      let server = try Connection(try #require(TestServer.address), name: "tests")
      try server.run("DROP DATABASE \(name) WITH (FORCE)")
      try server.run("CREATE DATABASE \(name)")
      try Self.program("pg_restore", "--dbname=\(database.address)", file.path)
      let other = try Connection(database.address, name: "tests")
      try await Self.goOn(database.store, lists, database, other, "in its stead")
      #expect(lists.controllers[0].isCurrent)
    }

    @Test("Triggers that came with a copy call no function of another table's, whatever numbers tables have")
    func sameNumbers() async throws {
      let database = try await TestDatabase(
        TestDatabase.items + "; CREATE TABLE thing (name text PRIMARY KEY)" + Self.rows)
      let lists = try await FollowedLists(in: database.store)
      // As in a copy of one that an older version set up, where a table has got the number that another one had.
      try database.other.run(
        """
        DO $$ BEGIN
          EXECUTE format('ALTER FUNCTION %s RENAME TO %I',
            (SELECT tgfoid::regprocedure FROM pg_trigger WHERE tgrelid = 'item'::regclass AND tgname = 'livelists_rows'),
            'note_' || 'thing'::regclass::oid);
        END $$;
        UPDATE livelists.watched SET rel = 'thing'::regclass WHERE rel = 'item'::regclass;
        UPDATE livelists.boot SET system = 1;
        SELECT livelists.watch('thing', 'name')
        """)
      try database.other.run("INSERT INTO item VALUES (300, 's0', 0); INSERT INTO thing VALUES ('x')")
      try await Self.goOn(database.store, lists, database, database.other, "with another's number")
      let functions =
        "SELECT count(*) FROM pg_proc WHERE pronamespace = 'livelists'::regnamespace AND prorettype = 'trigger'::regtype"
      #expect(try database.other.query(functions).integer(0, 0) == 2)
    }
  }
#endif
