#if SQLite
  import Foundation
  import GRDB
  import GRDBSQLite
  import LiveFetch
  import LiveFetchSQLite
  import Snapshots
  import Testing

  @Suite("Rows that a commit names")
  struct NamedRowsTests {
    private static let request = FetchDescriptor<Thing>().ordered(by: .ascending(\.id))

    /// Ways in which rows are written and not committed, without a word from the one who writes.
    enum Undoing: CaseIterable { case write, writeThenPool, statement, schema }

    @Test(
      "Rows that SQLite rolls back by itself are not named by the next commit", arguments: Undoing.allCases)
    func rolledBack(_ undoing: Undoing) async throws {
      let temporary = try TemporaryStore { db in
        try db.execute(
          sql: """
            CREATE TABLE x (id INTEGER PRIMARY KEY, a UNIQUE ON CONFLICT ROLLBACK, t);
            INSERT INTO x VALUES (2, 1, 'bob'), (7, 2, 'Ann'), (13, 3, 'cy')
            """)
      }
      let store = temporary.store
      let controller = FetchController(Self.request, in: store)
      try await controller.performFetch()
      let changes = controller.changes.makeAsyncIterator()
      _ = try await changes.next()
      await #expect(throws: DatabaseError.self) {
        if undoing == .statement {
          try await store.pool.writeWithoutTransaction { db in
            try db.execute(sql: "UPDATE x SET a = a + 5 WHERE id = 2")
            try db.execute(sql: "UPDATE x SET a = 9, t = 'lost' WHERE id IN (2, 13)")
          }
        } else {
          try await store.write(origin: "lost") { db in
            if undoing == .schema { try db.execute(sql: "CREATE INDEX by_t ON x (t)") }
            try db.execute(sql: "UPDATE x SET t = 'lost' WHERE id = 2")
            try db.execute(sql: "UPDATE x SET a = 9 WHERE id IN (7, 13)")
          }
        }
      }
      if undoing == .statement { #expect(try await changes.next()?.updated == [2]) }
      let update = "UPDATE x SET t = 'told' WHERE id = 7"
      if undoing == .write || undoing == .schema {
        try await store.write { db in try db.execute(sql: update) }
      } else {
        try await store.pool.writeWithoutTransaction { db in try db.execute(sql: update) }
      }
      let change = try #require(try await changes.next())
      #expect(change.updated == [7] && change.origins == [])
      #expect(controller.statistics.fetches == 1)
    }

    @Test("What is committed without GRDB is told with its next statement")
    func withoutGRDB() async throws {
      let temporary = try TemporaryStore { db in
        try db.execute(
          sql: "CREATE TABLE x (id INTEGER PRIMARY KEY, a, t); INSERT INTO x VALUES (1, 0, 'bob')")
      }
      let controller = FetchController(Self.request, in: temporary.store)
      try await controller.performFetch()
      try await temporary.store.pool.writeWithoutTransaction { db in
        #expect(
          sqlite3_exec(db.sqliteConnection, "INSERT INTO x (id) VALUES (2)", nil, nil, nil) == SQLITE_OK)
        try db.execute(sql: "UPDATE x SET a = 1 WHERE id = 1")
      }
      await controller.waitUntilCurrent()
      #expect(controller.snapshot?.itemIdentifiers == [1, 2])
    }

    @Test(
      "A row without a key is told whenever it comes, changes or is given one", arguments: [false, true])
    func withoutKey(byOther: Bool) async throws {
      let temporary = try TemporaryStore(options: OtherProcessTests.options) { db in
        try db.execute(sql: "CREATE TABLE x (t, id INT PRIMARY KEY, a); INSERT INTO x VALUES ('bob', 1, 0)")
      }
      let store = temporary.store
      let other = try DatabaseQueue(path: temporary.directory.appendingPathComponent("test.sqlite").path)
      let controller = FetchController(Self.request, in: store)
      try await controller.performFetch()
      let changes = controller.changes.makeAsyncIterator()
      _ = try await changes.next()
      func write(_ sql: String) async throws {
        if byOther {
          try await other.write { db in try db.execute(sql: sql) }
          await store.checkForExternalChanges()
        } else {
          try await store.write { db in try db.execute(sql: sql) }
        }
        await controller.waitUntilCurrent()
      }
      try await write("INSERT INTO x (t) VALUES ('Ann')")
      #expect(try await changes.next()?.failures.map(\.kind) == [.row])
      #expect(controller.failures.count == 1)
      try await write("INSERT INTO x (t) VALUES ('cy')")
      try await write("INSERT INTO x (t) VALUES ('dee')")
      try await write("DELETE FROM x WHERE t = 'dee'")
      #expect(controller.failures.count == 1)
      try await write("UPDATE x SET id = 2 WHERE t = 'Ann'")
      #expect(controller.snapshot?.itemIdentifiers == [1, 2])
      #expect(controller.failures.count == 1)
      try await write("UPDATE x SET id = NULL WHERE id = 1")
      #expect(controller.snapshot?.itemIdentifiers == [2])
      try await write("DELETE FROM x WHERE id IS NULL")
      #expect(controller.failures.isEmpty && controller.snapshot?.itemIdentifiers == [2])
    }

    @Test(
      "A number that changes its form alone is told, in a column that keeps it",
      arguments: [
        "CREATE TABLE x (id INTEGER PRIMARY KEY, a, r REAL)",
        "CREATE TABLE x (r REAL, a BLOB, id INTEGER PRIMARY KEY) WITHOUT ROWID",
        "CREATE TABLE x (a, g AS (r) VIRTUAL, r REAL, id INTEGER PRIMARY KEY)",
        "CREATE TABLE x (id INTEGER PRIMARY KEY, a ANY, r REAL) STRICT",
      ])
    func form(_ table: String) async throws {
      let temporary = try TemporaryStore { db in
        try db.execute(sql: "\(table); INSERT INTO x (id, a, r) VALUES (1, 2.0, 2), (2, 2, 2)")
      }
      let store = temporary.store
      let controller = FetchController(Self.request, in: store)
      try await controller.performFetch()
      let changes = controller.changes.makeAsyncIterator()
      _ = try await changes.next()
      for (value, id) in [("2", 1), ("2.0", 2), ("2.0", 1), ("2", 2)] {
        try await store.write { db in try db.execute(sql: "UPDATE x SET a = \(value) WHERE id = \(id)") }
        #expect(try await changes.next()?.updated == [id], "\(value) in \(id)")
      }
      // In one that does not, there is nothing to be told. An old SQLite gives the forms of some tables' numbers wrongly.
      if table.contains("g AS") || table.contains("WITHOUT") { return }
      try await store.write { db in try db.execute(sql: "UPDATE x SET r = 2.0") }
      try await store.write { db in try db.execute(sql: "UPDATE x SET a = 5 WHERE id = 2") }
      #expect(try await changes.next()?.updated == [2])
    }
  }
#endif
