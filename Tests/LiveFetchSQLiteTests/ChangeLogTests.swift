#if SQLite
  import Foundation
  import GRDB
  import LiveFetch
  import LiveFetchSQLite
  import Snapshots
  import Testing

  /// Deeds of other processes to tables, triggers and indexes, and the log of their writes.
  @Suite("The log of other processes' writes")
  struct ChangeLogTests {
    private func other(_ temporary: TemporaryStore) throws -> DatabaseQueue {
      try DatabaseQueue(path: temporary.directory.appendingPathComponent("test.sqlite").path)
    }

    private static let table =
      "CREATE TABLE x (id INTEGER PRIMARY KEY, a, t); INSERT INTO x VALUES (1, 0, 'bob'), (2, 1, 'Ann')"

    /// The way that SQLite's documentation gives for changes that ALTER TABLE cannot make.
    private static let madeAnew = """
      CREATE TABLE new_x (t, id INTEGER PRIMARY KEY, a); INSERT INTO new_x (id, a, t) SELECT id, a, t FROM x;
      DROP TABLE x; ALTER TABLE new_x RENAME TO x
      """

    @Test(
      "After a table was made anew, by either, the writes of both are followed row by row",
      arguments: [true, false])
    func madeAnew(_ isByOther: Bool) async throws {
      let temporary = try TemporaryStore(options: OtherProcessTests.options) { db in
        try db.execute(sql: Self.table)
      }
      let store = temporary.store
      let other = try other(temporary)
      let controllers = SchemaCase.lists.prefix(2).map { FetchController($0.request, in: store) }
      for controller in controllers { try await controller.performFetch() }
      if isByOther {
        try await other.write { db in try db.execute(sql: Self.madeAnew) }
        // Its next write finds no trigger.
        try await other.write { db in try db.execute(sql: "INSERT INTO x (id, a, t) VALUES (3, 0, 'cy')") }
        await store.checkForExternalChanges()
      } else {
        try await store.write { db in try db.execute(sql: Self.madeAnew) }
        for controller in controllers { await controller.waitUntilCurrent() }
        try await other.write { db in try db.execute(sql: "INSERT INTO x (id, a, t) VALUES (3, 0, 'cy')") }
        await store.checkForExternalChanges()
      }
      for controller in controllers { await controller.waitUntilCurrent() }
      #expect(controllers.map { $0.snapshot?.itemIdentifiers } == [[1, 2, 3], [1, 3]])
      let fetches = controllers.map(\.statistics.fetches)
      try await other.write { db in try db.execute(sql: "UPDATE x SET a = 0 WHERE id = 2") }
      await store.checkForExternalChanges()
      try await store.write { db in try db.execute(sql: "DELETE FROM x WHERE id = 1") }
      for controller in controllers { await controller.waitUntilCurrent() }
      #expect(controllers.map { $0.snapshot?.itemIdentifiers } == [[2, 3], [2, 3]])
      #expect(controllers.map(\.statistics.fetches) == fetches)
    }

    @Test(
      "Tables that are renamed take their triggers along, and whoever gets their names has others",
      arguments: [
        ["ALTER TABLE x RENAME TO former", table],
        [
          "CREATE TABLE y (id INTEGER PRIMARY KEY, a INT, t TEXT)", "ALTER TABLE x RENAME TO z",
          "ALTER TABLE y RENAME TO x", "ALTER TABLE z RENAME TO y",
        ],
      ])
    func swapped(_ statements: [String]) async throws {
      let temporary = try TemporaryStore(options: OtherProcessTests.options) { db in
        try db.execute(sql: Self.table)
      }
      let store = temporary.store
      let other = try other(temporary)
      let controller = FetchController(SchemaCase.lists[0].request, in: store)
      try await controller.performFetch()
      try await store.write { db in
        for sql in statements { try db.execute(sql: sql) }
        try db.execute(sql: "DELETE FROM x")
      }
      await controller.waitUntilCurrent()
      #expect(controller.failures.isEmpty)
      #expect(controller.snapshot?.itemIdentifiers == [])
      for number in 7...8 {
        try await other.write { db in try db.execute(sql: "INSERT INTO x VALUES (\(number), 0, 'new')") }
        await store.checkForExternalChanges()
        #expect(controller.snapshot?.itemIdentifiers == Array(7...number))
      }
    }

    @Test("Triggers and a log that somebody dropped are made again, and lists read")
    func dropped() async throws {
      let temporary = try TemporaryStore(options: OtherProcessTests.options) { db in
        try db.execute(sql: Self.table)
      }
      let store = temporary.store
      let other = try other(temporary)
      let controller = FetchController(SchemaCase.lists[0].request, in: store)
      try await controller.performFetch()
      for number in 3..<6 {
        try await other.write { db in
          for name in try String.fetchAll(db, sql: "SELECT name FROM sqlite_master WHERE type = 'trigger'") {
            try db.execute(sql: "DROP TRIGGER \"\(name)\"")
          }
          if number != 4 { try db.execute(sql: "DROP TABLE grdb_livelists_log") }
          try db.execute(sql: "INSERT INTO x VALUES (?, 0, 'new')", arguments: [number])
        }
        await store.checkForExternalChanges()
        await controller.waitUntilCurrent()
        #expect(controller.snapshot?.itemIdentifiers == Array(1...number))
        try await other.write { db in try db.execute(sql: "DELETE FROM x WHERE id = ?", arguments: [number]) }
        await store.checkForExternalChanges()
        #expect(controller.snapshot?.itemIdentifiers == Array(1..<number))
        try await store.write { db in
          try db.execute(sql: "INSERT INTO x VALUES (?, 0, 'new')", arguments: [number])
        }
      }
    }

    static let replaced: [(name: String, schema: String)] = [
      ("an expression", "CREATE UNIQUE INDEX u ON x (lower(t) /* , ) */ COLLATE BINARY DESC, \"a\" || '-')"),
      (
        "an expression of no column but one in brackets",
        "CREATE UNIQUE INDEX u ON x ((instr(upper([t]), 'BO') + 1.5) ASC)"
      ),
      ("another collation", "CREATE UNIQUE INDEX u ON x (t COLLATE NOCASE)"),
      ("some rows", "CREATE UNIQUE INDEX u ON x (t COLLATE NOCASE) WHERE a = 0"),
    ]

    @Test("A row that REPLACE removes by a unique index on anything is seen", arguments: replaced.map(\.name))
    func replace(_ name: String) async throws {
      let index = try #require(Self.replaced.first { $0.name == name }?.schema)
      let temporary = try TemporaryStore(options: OtherProcessTests.options) { db in
        try db.execute(sql: Self.table + "; " + index)
      }
      let controller = FetchController(SchemaCase.lists[0].request, in: temporary.store)
      try await controller.performFetch()
      try await other(temporary).write { db in try db.execute(sql: "REPLACE INTO x VALUES (3, 0, 'BOB')") }
      await temporary.store.checkForExternalChanges()
      #expect(controller.snapshot?.itemIdentifiers == [2, 3])
      try await other(temporary).write { db in
        try db.execute(sql: "UPDATE OR REPLACE x SET t = 'bob', a = 0 WHERE id = 2")
      }
      await temporary.store.checkForExternalChanges()
      #expect(controller.snapshot?.itemIdentifiers == [2] && controller.statistics.fetches == 1)
      // Columns that no index needs may go.
      try await temporary.store.write { db in
        try db.execute(sql: "ALTER TABLE x ADD COLUMN z; ALTER TABLE x DROP COLUMN z")
      }
    }

    @Test(
      "A row that REPLACE removes by the number of rows is seen",
      arguments: [
        "n INTEGER PRIMARY KEY, id INTEGER UNIQUE, a, t", "id INTEGER UNIQUE, a, t", "id UNIQUE, rowid, a, t",
      ])
    func numbers(_ columns: String) async throws {
      let temporary = try TemporaryStore(options: OtherProcessTests.options) { db in
        try db.execute(
          sql: "CREATE TABLE x (\(columns)); INSERT INTO x (_rowid_, id) VALUES (1, 10), (2, 20)")
      }
      let controller = FetchController(SchemaCase.lists[0].request, in: temporary.store)
      try await controller.performFetch()
      try await other(temporary).write { db in
        try db.execute(sql: "REPLACE INTO x (_rowid_, id) VALUES (1, 30)")
      }
      await temporary.store.checkForExternalChanges()
      #expect(controller.snapshot?.itemIdentifiers == [20, 30])
      try await other(temporary).write { db in
        try db.execute(sql: "UPDATE OR REPLACE x SET _rowid_ = 2 WHERE id = 30")
      }
      await temporary.store.checkForExternalChanges()
      #expect(controller.snapshot?.itemIdentifiers == [30] && controller.statistics.fetches == 1)
    }

    @Test("GRDB's migrator does not take the log and the triggers for a changed schema")
    func erasing() async throws {
      var migrator = DatabaseMigrator()
      migrator.eraseDatabaseOnSchemaChange = true
      migrator.registerMigration("first") { db in
        try db.execute(sql: "CREATE TABLE x (id INTEGER PRIMARY KEY, a, t)")
      }
      let temporary = try TemporaryStore(options: OtherProcessTests.options) { _ in }
      let path = temporary.directory.appendingPathComponent("test.sqlite").path
      for launch in 0..<3 {
        let store = try SQLiteStore(path: path, options: OtherProcessTests.options) { [migrator] pool in
          try migrator.migrate(pool)
        }
        let controller = FetchController(SchemaCase.lists[0].request, in: store)
        #expect(try await controller.performFetch().itemIdentifiers == Array(0..<launch))
        try await store.write { db in
          try db.execute(sql: "INSERT INTO x VALUES (?, 0, 't')", arguments: [launch])
        }
        let isChanged = try await store.read { [migrator] db in try migrator.hasSchemaChanges(db) }
        #expect(!isChanged)
        try store.close()
      }
    }

    /// As versions until November 2026 made them: no triggers for numbers, names that migrators compare.
    static let former = """
      CREATE TABLE livelists_log (position INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL, key);
      CREATE TRIGGER "livelists_x_insert" AFTER INSERT ON "x" BEGIN INSERT INTO livelists_log (name, key) SELECT 'x', NEW."id"; END;
      CREATE TRIGGER "livelists_x_update" AFTER UPDATE ON "x" BEGIN INSERT INTO livelists_log (name, key) SELECT 'x', OLD."id";
        INSERT INTO livelists_log (name, key) SELECT 'x', NEW."id" WHERE NEW."id" IS NOT OLD."id"; END;
      CREATE TRIGGER "livelists_x_delete" AFTER DELETE ON "x" BEGIN INSERT INTO livelists_log (name, key) SELECT 'x', OLD."id"; END;
      CREATE TRIGGER livelists_of_the_app AFTER INSERT ON x BEGIN UPDATE x SET t = t WHERE id = NEW.id; END;
      INSERT INTO x VALUES (3, 0, 'logged');
      """

    @Test("The triggers and the log of earlier versions are replaced at the start")
    func formerVersion() async throws {
      let temporary = try TemporaryStore(options: OtherProcessTests.options) { db in
        try db.execute(sql: Self.table + "; " + Self.former)
      }
      let store = temporary.store
      let controller = FetchController(SchemaCase.lists[0].request, in: store)
      try await controller.performFetch()
      let names = try await store.read { db in
        try String.fetchAll(
          db, sql: "SELECT name FROM sqlite_master WHERE name LIKE '%livelists%' ORDER BY name")
      }
      #expect(names.filter { !$0.hasPrefix("grdb_livelists_") } == ["livelists_of_the_app"])
      try await other(temporary).write { db in try db.execute(sql: "INSERT INTO x VALUES (4, 0, 'new')") }
      await store.checkForExternalChanges()
      #expect(controller.snapshot?.itemIdentifiers == [1, 2, 3, 4] && controller.statistics.fetches == 1)
      // Triggers that are not as they should be are made again.
      try await other(temporary).write { db in
        try db.execute(
          sql: """
            DROP TRIGGER "grdb_livelists_x.id.insert";
            CREATE TRIGGER "grdb_livelists_x.id.insert" AFTER INSERT ON x BEGIN SELECT 1; END
            """)
      }
      let second = try SQLiteStore(
        path: temporary.directory.appendingPathComponent("test.sqlite").path,
        options: OtherProcessTests.options)
      defer { try? second.close() }
      let following = FetchController(SchemaCase.lists[0].request, in: second)
      try await following.performFetch()
      try await other(temporary).write { db in try db.execute(sql: "INSERT INTO x VALUES (5, 0, 'new')") }
      await second.checkForExternalChanges()
      #expect(following.snapshot?.itemIdentifiers == [1, 2, 3, 4, 5])
    }

    @Test("Lists by different keys of one table, and one by SQL of its own, are told each by its own")
    func severalKeys() async throws {
      let temporary = try TemporaryStore(options: OtherProcessTests.options) { db in
        try db.execute(sql: Self.table + "; CREATE TABLE y (id INTEGER PRIMARY KEY, x) WITHOUT ROWID")
      }
      let store = temporary.store
      let byNumber = FetchController(SchemaCase.lists[0].request, in: store)
      let byText = FetchController(FetchDescriptor<Named>().ordered(by: .ascending(\.a)), in: store)
      let bySQL = FetchController(
        FetchDescriptor<Thing>.sql(
          "SELECT x.id FROM x JOIN y ON y.x = x.id ORDER BY x.id", reading: ["x", "y"]), in: store)
      try await bySQL.performFetch()
      try await byText.performFetch()
      try await byNumber.performFetch()
      await store.checkForExternalChanges()
      try await other(temporary).write { db in
        try db.execute(sql: "UPDATE x SET a = 2, t = 'z' WHERE id = 1; INSERT INTO y VALUES (1, 2)")
      }
      await store.checkForExternalChanges()
      await bySQL.waitUntilCurrent()
      #expect(byText.snapshot?.itemIdentifiers == ["Ann", "z"])
      #expect(byNumber.snapshot?.itemIdentifiers == [1, 2] && bySQL.snapshot?.itemIdentifiers == [2])
      #expect(byText.statistics.fetches == 1 && byNumber.statistics.fetches == 1)
    }

    struct Named: FetchModel {
      var id: String
      var a: Int?
      static let fetchTable = FetchTable<Named>("x", id: .column("t", \.id), columns: [.column("a", \.a)])
      init(fetchRow row: FetchRow) throws {
        id = try row["t"]
        a = try row["a"]
      }
    }
  }
#endif
