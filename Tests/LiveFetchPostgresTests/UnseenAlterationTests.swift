#if PostgreSQL
  import LiveFetch
  @testable import LiveFetchPostgres
  import LiveListsTestSupport
  import Snapshots
  import Synchronization
  import Testing

  /// Tables that are altered and altered back before the store looks at their schema, and what becomes of lists meanwhile.
  @Suite("Lists of tables that were altered between two looks at the schema", .server)
  struct UnseenAlterationTests {
    /// Statements before the store looks at the log, and others after that.
    struct Alteration: Sendable, CustomTestStringConvertible {
      var name: String
      var first: String
      var second = "SELECT 1"

      var testDescription: String { name }
    }

    /// Has all lists read anew.
    static let bulk = "SET LOCAL livelists.bulk = 'on'; UPDATE item SET note = note || '!'; "

    static let alterations = [
      Alteration(
        name: "values written anew", first: "ALTER TABLE item ALTER key TYPE bigint USING 100 - key"),
      Alteration(name: "keys written anew", first: "ALTER TABLE item ALTER id TYPE bigint USING id + 100"),
      Alteration(
        name: "triggers off and on",
        first:
          "ALTER TABLE item DISABLE TRIGGER USER; DELETE FROM item WHERE id = 2; ALTER TABLE item "
          + "ENABLE ALWAYS TRIGGER livelists_rows, ENABLE ALWAYS TRIGGER livelists_updates, ENABLE ALWAYS TRIGGER livelists_whole"
      ),
      Alteration(
        name: "a child table",
        first: bulk + "CREATE TABLE child () INHERITS (item); INSERT INTO child VALUES (50, 'a', 50)",
        second: "DROP TABLE child"),
      Alteration(
        name: "columns that exchange names",
        first: bulk + exchange, second: exchange),
      Alteration(
        name: "another table in its stead",
        first: bulk
          + "ALTER TABLE item RENAME TO kept; CREATE TABLE item (LIKE kept INCLUDING ALL); INSERT INTO item VALUES (7, 'a', 7)",
        second: "DROP TABLE item; ALTER TABLE kept RENAME TO item"),
      Alteration(
        name: "a table that is away", first: bulk + "ALTER TABLE item RENAME TO kept",
        second: "ALTER TABLE kept RENAME TO item"),
    ]
    static let exchange =
      "ALTER TABLE item RENAME key TO kept; ALTER TABLE item RENAME other TO key; ALTER TABLE item RENAME kept TO other"

    @Test("They are right after the next look at it", arguments: alterations)
    func alteredBack(_ alteration: Alteration) async throws {
      var options = PostgresStoreOptions()
      options.schemaInterval = .seconds(3_600)
      options.ringsBell = false
      let database = try await TestDatabase(
        AlteredTests.rows
          + "; ALTER TABLE item ADD other bigint NOT NULL DEFAULT 0; UPDATE item SET note = 'n', other = 100 - key",
        options: options)
      let lists = try await FollowedLists(in: database.store)
      for list in lists.controllers { _ = try await list.objects(for: Array(1...40)) }
      try database.other.run(alteration.first)
      await database.store.waitUntilCurrent()
      for list in lists.controllers { await list.waitUntilCurrent() }
      try database.other.run(alteration.second)
      let rows = try database.rows()
      database.store.checkSchemaSoon()
      try await eventually(tries: 400) {
        lists.controllers[0].isCurrent
          && lists.controllers[0].snapshot?.itemIdentifiers
            == rows.values.sorted { ($0.key, $0.id) < ($1.key, $1.id) }.map(\.id)
      }
      await lists.check(rows, alteration.name)
      for list in lists.controllers {
        for id in list.snapshot?.itemIdentifiers ?? [] { #expect(list.object(for: id) == rows[id]) }
        #expect(list.failures.isEmpty)
      }
      // It is no reason to read again and again: once what the look at the schema led to is over.
      try await database.store.lookAtSchema()
      for list in lists.controllers { await list.waitUntilCurrent() }
      let resets = database.store.statistics.resets
      try await database.store.lookAtSchema()
      #expect(database.store.statistics.resets == resets)
    }

    @Test(
      "Columns are called as one likes, also like keywords that PL/pgSQL alone has, and whatever is in quotes"
    )
    func keywords() async throws {
      let words = [
        "begin", "by", "declare", "execute", "foreach", "loop", "strict", "while", "end", "a \"b\"", "old",
      ]
      let columns = words.map(SQLStatement.quoted)
      let database = try await TestDatabase(
        "CREATE TABLE kw (\"if\" int PRIMARY KEY, \(columns.map { "\($0) int" }.joined(separator: ", ")))")
      try database.other.run("SELECT livelists.watch('kw', 'if')")
      for (number, word) in words.prefix(4).enumerated() {
        #expect(
          try database.other.query("SELECT livelists.note('kw', $1)", [.text(word)]).truth(0, 0), "\(number)")
      }
      try database.other.run("INSERT INTO kw (\"if\") VALUES (1)")
      for column in columns { try database.other.run("UPDATE kw SET \(column) = 2") }
      try database.other.run("UPDATE kw SET \"if\" = 2; DELETE FROM kw")
      let log = try database.other.query("SELECT op::text, key, routes FROM livelists.log")
      let operations = (0..<log.count).compactMap { log.text($0, 0) }.joined()
      #expect(operations == "I" + String(repeating: "U", count: columns.count) + "DID")
      #expect(log.texts(1, 2).prefix(3) == ["begin", nil, "2"])
    }

    @Test("Tables that no list can be made of are not watched by hand either")
    func refused() async throws {
      let database = try await TestDatabase(
        "CREATE TABLE part (id bigint PRIMARY KEY) PARTITION BY RANGE (id); CREATE VIEW seen AS SELECT 1 AS id"
      )
      try database.other.run("CREATE TEMPORARY TABLE passing (id bigint PRIMARY KEY)")
      for name in ["part", "seen", "passing"] {
        let error = #expect(throws: PostgresError.self) {
          try database.other.query("SELECT livelists.watch('\(name)', 'id')")
        }
        #expect(error?.code == "42809", "\(name)")
      }
    }

    @Test("Objects are read once more where a connection was ended")
    func endedConnections() async throws {
      let database = try await TestDatabase(AlteredTests.rows)
      let list = FetchController(
        FetchDescriptor<ConformanceItem>().ordered(by: .ascending(\.key)), in: database.store)
      try await list.performFetch()
      for round in 1...30 {
        try database.other.run(
          """
          UPDATE item SET section = 's\(round)' WHERE id = 3;
          SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'LiveLists'
          """)
        #expect(try list.objects(in: 0..<40).count == 40)
        #expect(list.object(for: 3) != nil && list.failures.allSatisfy { $0.kind == .interrupted })
      }
    }

    @Test("A database whose transactions are serializable by default has lists as others do")
    func serializable() async throws {
      let database = try await TestDatabase(AlteredTests.rows)
      let name = try database.other.query("SELECT current_database()").text(0, 0) ?? ""
      try database.other.run("ALTER DATABASE \(name) SET default_transaction_isolation = 'serializable'")
      let node = try await database.makeNode()
      defer { node.close() }
      let lists = try await FollowedLists(in: node)
      try database.other.run("DELETE FROM item WHERE id > 20")
      await node.waitUntilCurrent()
      await lists.check(try database.rows(), "serializable")
    }
  }
#endif
