#if PostgreSQL
  import Foundation
  import LiveFetch
  @testable import LiveFetchPostgres
  import LiveListsTestSupport
  import Snapshots
  import Synchronization
  import Testing

  /// Roles that own some tables and not others, and what other programs do to tables meanwhile.
  @Suite("Roles with few rights, locks, and keys that are not sure", .server, .serialized)
  struct RolesTests {
    private static let request = FetchDescriptor<ConformanceItem>().ordered(by: .ascending(\.key))

    /// A role of a node, with a connection string of its own.
    private static func makeRole(in database: TestDatabase) throws -> (name: String, address: String) {
      let role = "node_\(UUID().uuidString.prefix(8).lowercased())"
      try database.other.run("CREATE ROLE \(role); GRANT ALL ON item TO \(role)")
      _ = try database.other.query("SELECT livelists.allow('\(role)', true)")
      return (role, database.address + " options='-c role=\(role)'")
    }

    private static func remove(_ role: String, in database: TestDatabase) {
      try? database.other.run("DROP OWNED BY \(role); DROP ROLE \(role)")
    }

    static let breaks = [
      "SELECT livelists.unwatch('item')",
      "DROP TABLE item; \(TestDatabase.items); INSERT INTO item VALUES (7, 'a', 7); GRANT ALL ON item TO PUBLIC",
      "ALTER TABLE item DISABLE TRIGGER livelists_rows",
    ]

    @Test(
      "A list goes on after its table's owner has done what the failure says, also where another read was faster",
      arguments: breaks, [true, false])
    func cured(_ damage: String, _ isReadBefore: Bool) async throws {
      var options = PostgresStoreOptions()
      options.schemaInterval = .milliseconds(300)
      let database = try await TestDatabase(
        TestDatabase.items + "; INSERT INTO item SELECT i, 'a', i FROM generate_series(1, 3) i",
        options: options)
      try database.other.run("SELECT livelists.watch('item', 'id')")
      let role = try Self.makeRole(in: database)
      defer { Self.remove(role.name, in: database) }
      let store = try await PostgresStore(connection: role.address, options: options)
      defer { store.close() }
      let list = FetchController(Self.request, in: store)
      try await list.performFetch()
      try database.other.run(damage)
      try await eventually { list.failures.contains { $0.kind == .unwatchable } }
      try await store.lookAtSchema()
      try database.other.run("SELECT livelists.watch('item', 'id')")
      if isReadBefore { try await FetchController(Self.request.limit(1), in: store).performFetch() }
      try await eventually(tries: 600) { list.isCurrent }
      #expect(list.snapshot?.itemIdentifiers == (damage.hasPrefix("DROP") ? [7] : [1, 2, 3]))
      #expect(list.failures.isEmpty)
    }

    @Test("A role that is a node's watches the tables that it owns")
    func owner() async throws {
      let database = try await TestDatabase(TestDatabase.items + "; INSERT INTO item VALUES (1, 'a', 1)")
      let role = try Self.makeRole(in: database)
      defer { Self.remove(role.name, in: database) }
      try database.other.run("ALTER TABLE item OWNER TO \(role.name)")
      let store = try await PostgresStore(connection: role.address)
      defer { store.close() }
      let list = FetchController(Self.request, in: store)
      try await list.performFetch()
      try await store.write { try $0.execute("INSERT INTO item VALUES (2, 'a', 2)") }
      #expect(list.snapshot?.itemIdentifiers == [1, 2])
      let other = FetchController(Self.request, in: database.store)
      #expect(try await other.performFetch().itemIdentifiers == [1, 2])
      try database.other.run("INSERT INTO item VALUES (3, 'a', 3)")
      for node in [store, database.store] { await node.waitUntilCurrent() }
      #expect(list.snapshot?.itemIdentifiers == [1, 2, 3] && other.snapshot?.itemIdentifiers == [1, 2, 3])
    }

    @Test("A key that is gone interrupts nobody, where the role may not take the triggers away")
    func keyOfOthersGone() async throws {
      let database = try await TestDatabase(TestDatabase.items + "; INSERT INTO item VALUES (1, 'a', 1)")
      try database.other.run("SELECT livelists.watch('item', 'id')")
      let role = try Self.makeRole(in: database)
      defer { Self.remove(role.name, in: database) }
      let store = try await PostgresStore(connection: role.address)
      defer { store.close() }
      let list = FetchController(Self.request, in: store)
      try await list.performFetch()
      try database.other.run("ALTER TABLE item RENAME id TO number")
      for _ in 0..<3 { try await store.lookAtSchema() }
      try await eventually { list.failures.contains { $0.kind == .unwatchable } }
      #expect(store.statistics.interruptions == 0)
      try database.other.run("ALTER TABLE item RENAME number TO id")
      try await store.lookAtSchema()
      try await eventually { list.isCurrent && list.failures.isEmpty }
    }

    @Test("A key that is gone holds up no other list, where somebody uses the table")
    func keyGoneInUse() async throws {
      let database = try await TestDatabase(
        TestDatabase.items + "; INSERT INTO item VALUES (1, 'a', 1); " + TestDatabase.samples)
      let list = FetchController(Self.request, in: database.store)
      try await list.performFetch()
      let others = FetchController(
        FetchDescriptor<ConformanceSample>().ordered(by: .ascending(\.id)), in: database.store)
      try await others.performFetch()
      try database.other.run("ALTER TABLE item RENAME id TO number")
      let reader = try Connection(database.address, name: "reader")
      try reader.run("BEGIN; SELECT * FROM item")
      for id in 1...3 {
        try await database.store.lookAtSchema()
        try database.other.run("INSERT INTO sample (id) VALUES (\(id))")
        try await eventually { others.snapshot?.itemIdentifiers.count == id }
      }
      #expect(others.isCurrent && database.store.statistics.interruptions == 0)
      try reader.run("COMMIT")
      // Writes fail until the triggers are gone.
      try await eventually {
        database.store.checkSchemaSoon()
        return (try? database.other.run("UPDATE item SET note = 'b'")) != nil
      }
    }

    @Test("The tables of the store itself are no lists")
    func ownTables() async throws {
      let database = try await TestDatabase(TestDatabase.items)
      let list = FetchController(
        FetchDescriptor<ConformanceItem>.sql("SELECT id FROM item", reading: ["livelists.log"]),
        in: database.store)
      let error = await #expect(throws: FetchError.self) { try await list.performFetch() }
      #expect(error?.kind == .unwatchable)
      #expect(throws: PostgresError.self) {
        try database.other.run("SELECT livelists.watch('livelists.log', NULL)")
      }
      try database.other.run("INSERT INTO item VALUES (1, 'a', 1)")
    }

    @Test("Reads that wait for a table which somebody has locked hold up nothing but lists of it")
    func locked() async throws {
      let database = try await TestDatabase(
        TestDatabase.items
          + "; INSERT INTO item SELECT i, 'a', i FROM generate_series(1, 50) i; CREATE TABLE other (id bigint PRIMARY KEY)"
      )
      let store = database.store
      let list = FetchController(Self.request, in: store)
      try await list.performFetch()
      try database.other.run("BEGIN; LOCK TABLE item")
      try await withThrowingTaskGroup(of: Int.self) { group in
        for id in 1...8 { group.addTask { try await list.objects(for: [id]).count } }
        let watching = try Connection(database.address, name: "tests")
        try await eventually {
          let waiting = try? watching.query(
            "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
          ).integer(0, 0)
          return waiting == 3
        }
        try await store.write { try $0.execute("INSERT INTO other VALUES (1)") }
        #expect(try await store.read { try $0.query("SELECT 1 FROM other").count } == 1)
        await store.waitUntilCurrent()
        try database.other.run("COMMIT")
        for try await count in group { #expect(count == 1) }
      }
    }

    @Test("Of two rows that a replica has written with one key no object is made")
    func twins() async throws {
      let database = try await TestDatabase(
        TestDatabase.items.replacingOccurrences(of: "PRIMARY KEY", with: "PRIMARY KEY DEFERRABLE")
          + "; INSERT INTO item SELECT i, 'a', i FROM generate_series(1, 3) i")
      let key = 2
      let list = FetchController(Self.request.filter(#Predicate { $0.key == key }), in: database.store)
      try await list.performFetch()
      try database.other.run(
        "BEGIN; SET LOCAL session_replication_role = replica; INSERT INTO item VALUES (2, 'twin', 9); COMMIT")
      await database.store.waitUntilCurrent()
      await list.waitUntilCurrent()
      #expect(try await list.objects(for: [2]).isEmpty)
      #expect(list.failures.contains { $0.kind == .duplicateIdentifier })
      try database.other.run("DELETE FROM item WHERE section = 'twin'")
      await database.store.waitUntilCurrent()
      await list.waitUntilCurrent()
      #expect(try await list.objects(for: [2])[2]?.section == "a")
    }

    @Test("What is wrong with the schema of the store is said with its cure")
    func ownSchema() async throws {
      let database = try await TestDatabase(TestDatabase.items)
      let list = FetchController(Self.request, in: database.store)
      try await list.performFetch()
      let role = try Self.makeRole(in: database)
      defer { Self.remove(role.name, in: database) }
      let store = try await PostgresStore(connection: role.address)
      defer { store.close() }
      try database.other.run("REVOKE SELECT ON livelists.log FROM \(role.name)")
      let refused = await #expect(throws: FetchError.self) {
        try await FetchController(Self.request, in: store).performFetch()
      }
      #expect(refused?.description.contains("livelists.allow") == true)
      try database.other.run("DROP SCHEMA livelists CASCADE")
      try await eventually { list.failures.contains { $0.description.contains("sets it up again") } }
      let node = try await database.makeNode()
      defer { node.close() }
      try await eventually { list.isCurrent }
      try database.other.run("INSERT INTO item VALUES (1, 'a', 1)")
      await database.store.waitUntilCurrent()
      await list.waitUntilCurrent()
      #expect(list.snapshot?.itemIdentifiers == [1])
    }
  }
#endif
