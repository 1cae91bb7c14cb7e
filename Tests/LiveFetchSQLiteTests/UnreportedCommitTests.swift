#if SQLite
  import Foundation
  import GRDB
  import GRDBSQLite
  import LiveFetch
  import LiveFetchSQLite
  import Snapshots
  import Testing

  @Suite("Commits of which GRDB says nothing, or not at once")
  struct UnreportedCommitTests {
    struct Record: Codable, FetchableRecord, PersistableRecord {
      var id: Int
      var a: Int?
      var t: String?
      static let databaseTableName = "x"
    }

    typealias Statement = (name: String, run: @Sendable (Database) throws -> Void)

    /// Each leaves the rows 1 and 2.
    static let statements: [Statement] = [
      ("insertAndFetch", { db in _ = try Record(id: 2).insertAndFetch(db, as: Record.self) }),
      (
        "RETURNING, read by fetchOne",
        { db in _ = try Int.fetchOne(db, sql: "INSERT INTO x (id) VALUES (2) RETURNING id") }
      ),
      (
        "RETURNING, one row of a cursor",
        { db in
          let cursor = try Int.fetchCursor(db, sql: "INSERT INTO x (id) VALUES (2) RETURNING id")
          _ = try cursor.next()
        }
      ),
      ("OR FAIL", { db in try? db.execute(sql: "INSERT OR FAIL INTO x (id) VALUES (2), (1), (3)") }),
      ("RAISE(FAIL)", { db in try? db.execute(sql: "INSERT INTO x (id) VALUES (2), (666)") }),
      (
        "sqlite3_exec of a statement",
        { db in sqlite3_exec(db.sqliteConnection, "INSERT INTO x (id) VALUES (2)", nil, nil, nil) }
      ),
      (
        "sqlite3_exec of a transaction",
        { db in
          sqlite3_exec(db.sqliteConnection, "BEGIN; INSERT INTO x (id) VALUES (2); COMMIT", nil, nil, nil)
        }
      ),
    ]

    /// A store that does not look for other writers by itself while a test runs.
    private func store(observingOthers: Bool) throws -> TemporaryStore {
      var options = SQLiteStoreOptions()
      options.observesOtherProcesses = observingOthers
      options.pollingInterval = .seconds(3_600)
      return try TemporaryStore(options: options) { db in
        try db.execute(
          sql: """
            CREATE TABLE x (id INTEGER PRIMARY KEY, a, t); INSERT INTO x VALUES (1, 0, 'bob');
            CREATE TRIGGER fails BEFORE INSERT ON x WHEN new.id = 666 BEGIN SELECT raise(FAIL, 'no'); END
            """)
      }
    }

    private func list(_ store: SQLiteStore) -> FetchController<Thing> {
      FetchController(FetchDescriptor<Thing>().ordered(by: .ascending(\.id)), in: store)
    }

    @Test(
      "Whoever waits for the list has all that was committed before the call",
      arguments: statements.map(\.name), [false, true])
    func settling(_ name: String, observesOthers: Bool) async throws {
      let run = try #require(Self.statements.first { $0.name == name }?.run)
      let temporary = try store(observingOthers: observesOthers)
      let (store, controller) = (temporary.store, list(temporary.store))
      try await controller.performFetch()
      for round in 0..<30 {
        try await store.write { db in try db.execute(sql: "DELETE FROM x WHERE id > 1") }
        try await store.pool.writeWithoutTransaction(run)
        switch round % 3 {
        case 0: await controller.waitUntilCurrent()
        case 1: try await controller.performFetch()
        // One that finds the list live reads nothing.
        default: try await list(store).performFetch()
        }
        #expect(controller.snapshot?.itemIdentifiers == [1, 2], "round \(round)")
      }
    }

    @Test(
      "A write that commits by itself fails, and lists have what it has committed", arguments: [false, true])
    func commitWithin(observesOthers: Bool) async throws {
      let temporary = try store(observingOthers: observesOthers)
      let controller = list(temporary.store)
      try await controller.performFetch()
      await #expect(throws: DatabaseError.self) {
        try await temporary.store.write { db in
          try db.execute(sql: "INSERT INTO x (id) VALUES (2)")
          try db.execute(sql: "COMMIT")
        }
      }
      await controller.waitUntilCurrent()
      #expect(controller.snapshot?.itemIdentifiers == [1, 2])
    }

    @Test("A transaction that begins right behind is not ended by it", arguments: [false, true])
    func transactionBehind(observesOthers: Bool) async throws {
      for statement in Self.statements {
        let temporary = try store(observingOthers: observesOthers)
        let controller = list(temporary.store)
        try await controller.performFetch()
        try await temporary.store.pool.writeWithoutTransaction { db in
          try statement.run(db)
          try db.execute(sql: "BEGIN")
          try db.execute(sql: "INSERT INTO x (id) VALUES (9)")
          #expect(db.isInsideTransaction, "\(statement.name)")
          try? db.execute(sql: "ROLLBACK")
        }
        await controller.waitUntilCurrent()
        let rows = try await temporary.store.read { db in try Int.fetchAll(db, sql: "SELECT id FROM x") }
        #expect(rows == [1, 2], "\(statement.name)")
        #expect(controller.snapshot?.itemIdentifiers == [1, 2], "\(statement.name)")
      }
    }

    @Test(
      "The store's own file under another name: its rows are told", arguments: [false, true])
    func ownFileAttached(observesOthers: Bool) async throws {
      let temporary = try store(observingOthers: observesOthers)
      let (store, controller) = (temporary.store, list(temporary.store))
      try await controller.performFetch()
      let path = temporary.directory.appendingPathComponent("test.sqlite").path
      try await store.pool.writeWithoutTransaction { db in
        try db.execute(sql: "ATTACH ? AS me; ATTACH ':memory:' AS aside", arguments: [path])
        try db.execute(sql: "CREATE TABLE aside.x (id INTEGER PRIMARY KEY, a, t)")
      }
      for (sql, rows) in [
        ("INSERT INTO me.x (id) VALUES (77)", [1, 77]),
        ("INSERT INTO aside.x (id) VALUES (78)", [1, 77]),
        ("UPDATE me.x SET id = 5 WHERE id = 1", [5, 77]),
        ("DELETE FROM me.x WHERE id = 77", [5]),
        ("INSERT INTO x (id) VALUES (6)", [5, 6]),
      ] {
        try await store.pool.writeWithoutTransaction { db in try db.execute(sql: sql) }
        await controller.waitUntilCurrent()
        #expect(controller.snapshot?.itemIdentifiers == rows, "\(sql)")
      }
      // With both attached SQLite lets no transaction begin that is immediate: it would wait for itself.
      try await store.pool.writeWithoutTransaction { db in
        try db.execute(sql: "BEGIN; DELETE FROM me.x; INSERT INTO me.x (id) VALUES (2); COMMIT")
      }
      await controller.waitUntilCurrent()
      #expect(controller.snapshot?.itemIdentifiers == [2])
    }
  }
#endif
