#if SQLite
  import GRDB
  import LiveFetch
  import LiveFetchSQLite
  import Snapshots
  import Synchronization
  import Testing

  /// The positions (rowids, or what stands for them) at which touched rows are read.
  extension CommitTests {
    @Test(
      "Where a savepoint takes a row back from a position that another then has, both are read as they are")
    func takenBackFromPosition() async throws {
      let (temporary, controller) = try await controller(Self.schemas[0])
      let before = controller.statistics.statements
      try await temporary.store.write { db in
        try db.inSavepoint {
          try db.execute(sql: #"UPDATE pair SET rowid = 100, "unique" = 10 WHERE id = 'a'"#)
          return .rollback
        }
        try db.execute(sql: #"INSERT INTO pair (rowid, id, "unique") VALUES (100, 'd', 5)"#)
        // Nor is it where the hook saw it last after this, which changes no column.
        try db.execute(sql: #"UPDATE pair SET "unique" = 4 WHERE id = 'b'"#)
        try db.execute(sql: "UPDATE pair SET rowid = 200 WHERE id = 'b'")
      }
      #expect(controller.snapshot == ["": ["a", "c", "b", "d"]])
      #expect(controller.statistics.statements == before + 2)
    }

    static let rowidSchemas: [(schema: String, name: String)] = [
      (#"CREATE TABLE pair (id TEXT PRIMARY KEY, "unique" INTEGER)"#, "rowid"),
      (#"CREATE TABLE pair (id TEXT PRIMARY KEY, "unique" INTEGER, RowID TEXT)"#, "_rowid_"),
      (#"CREATE TABLE pair (id TEXT PRIMARY KEY, "unique" INTEGER, "rowid" TEXT, _ROWID_ TEXT)"#, "oid"),
      (
        #"CREATE TABLE pair (id TEXT PRIMARY KEY, "unique" INTEGER, rowid TEXT, _rowid_ TEXT, oid TEXT)"#,
        "id"
      ),
      (#"CREATE TABLE pair (id TEXT PRIMARY KEY, "unique" INTEGER) WITHOUT ROWID"#, "id"),
    ]

    @Test(
      "Touched rows are read in one statement: where they are, or by key if some are gone or have no number",
      arguments: rowidSchemas)
    func onePlace(_ schema: String, _ name: String) async throws {
      let statements = Mutex<[String]>([])
      var configuration = Configuration()
      configuration.prepareDatabase { db in
        db.trace { event in
          if case .statement(let statement) = event, statement.sql.contains(" IN (?") {
            statements.withLock { $0.append(statement.sql) }
          }
        }
      }
      let temporary = try TemporaryStore(configuration: configuration) { db in
        try db.execute(sql: schema)
        try db.execute(sql: #"INSERT INTO pair (id, "unique") VALUES ('a', 1), ('b', 2), ('c', 3)"#)
      }
      let controller = FetchController(Self.request, in: temporary.store)
      try await controller.performFetch()
      func read(_ sql: String) async throws -> [String] {
        statements.withLock { $0 = [] }
        try await temporary.store.write { db in try db.execute(sql: sql) }
        return statements.withLock { $0 }
      }
      func isBy(_ name: String, _ statements: [String]) -> Bool {
        statements.count == 1 && statements[0].contains("WHERE \"\(name)\" IN")
      }
      let updates = try await read(#"UPDATE pair SET "unique" = 5 - "unique" WHERE id <> 'b'"#)
      #expect(isBy(name, updates), "\(updates)")
      #expect(controller.snapshot == ["": ["b", "c", "a"]])
      let mixed = try await read(
        #"UPDATE pair SET "unique" = 9 WHERE id <> 'c'; DELETE FROM pair WHERE id = 'a'"#)
      #expect(isBy("id", mixed), "\(mixed)")
      #expect(controller.snapshot == ["": ["c", "b"]])
      // Put where it was before, or elsewhere: what counts is where it is now.
      let again = try await read(
        #"DELETE FROM pair WHERE id = 'c'; INSERT INTO pair (id, "unique") VALUES ('c', 10)"#)
      #expect(isBy(name, again), "\(again)")
      #expect(controller.snapshot == ["": ["b", "c"]])
    }

    @Test("A column that takes the name of the rows' numbers while a list is live is not taken for them")
    func numbersRenamed() async throws {
      let (temporary, controller) = try await controller(Self.schemas[0])
      try await temporary.store.write { db in try db.execute(sql: "ALTER TABLE pair ADD COLUMN rowid INTEGER")
      }
      await controller.waitUntilCurrent()
      let before = controller.statistics.statements
      try await temporary.store.write { db in
        try db.execute(sql: #"UPDATE pair SET rowid = 7, "unique" = 8 WHERE id = 'a'"#)
      }
      #expect(controller.snapshot == ["": ["b", "c", "a"]])
      #expect(controller.statistics.statements == before + 1)
    }
  }
#endif
