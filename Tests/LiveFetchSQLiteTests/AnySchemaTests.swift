#if SQLite
  import Foundation
  import GRDB
  import LiveFetch
  import LiveFetchSQLite
  import Snapshots
  import Testing

  @Suite("Lists on tables of every form")
  struct AnySchemaTests {
    private static let rows = "(1, 0, 'bob'), (2, 0, 'Ann'), (3, 1, 'cy'), (4, NULL, NULL)"
    private static let writes = [
      "UPDATE x SET a = 1 WHERE id = 1", "DELETE FROM x WHERE id = 2", "UPDATE x SET a = 0 WHERE id = 3",
      "UPDATE x SET t = 'bob' WHERE id = 4", "UPDATE x SET id = 9 WHERE id = 3", "DELETE FROM x WHERE a = 1",
      "INSERT INTO x (id, a, t) VALUES (5, 0, 'BOB')", "REPLACE INTO x (id, a, t) VALUES (5, 1, 'bob')",
      "DELETE FROM x",
    ]

    private static func table(_ columns: String, _ suffix: String = "") -> String {
      "CREATE TABLE x (\(columns)) \(suffix); INSERT INTO x (id, a, t) VALUES \(rows)"
    }

    private static func unique(_ columns: String) -> String {
      "CREATE TABLE x (id INTEGER PRIMARY KEY, \(columns)); INSERT INTO x (id, a, t) VALUES (1, 1, 'p'), (2, 2, 'p'), (3, 0, 'bob')"
    }

    private static let replacements = [
      "UPDATE OR REPLACE x SET a = 1 WHERE id = 2", "UPDATE OR REPLACE x SET a = 0, t = 'bob' WHERE id = 2",
      "INSERT OR REPLACE INTO x (id, a, t) VALUES (8, 0, 'bob')",
    ]

    static let forms: [SchemaCase] = [
      SchemaCase(
        name: "a column added with a default, before its rows are written again",
        schema: """
          CREATE TABLE x (id INTEGER PRIMARY KEY, t TEXT);
          INSERT INTO x VALUES (1, 'bob'), (2, 'bob'), (3, 'cy'), (4, NULL);
          ALTER TABLE x ADD COLUMN a INTEGER NOT NULL DEFAULT 0
          """,
        steps: [
          "UPDATE x SET a = 1 WHERE id = 1", "DELETE FROM x WHERE id = 2",
          "UPDATE x SET t = 'z' WHERE id = 3",
        ]),
      SchemaCase(
        name: "a column added with a default that becomes NULL",
        schema: """
          CREATE TABLE x (id INTEGER PRIMARY KEY, t TEXT); INSERT INTO x VALUES (1, 'bob'), (2, 'bob');
          ALTER TABLE x ADD COLUMN a INTEGER DEFAULT 0
          """,
        steps: ["UPDATE x SET a = NULL WHERE id = 1", "UPDATE x SET a = 0 WHERE id = 1", "DELETE FROM x"]),
      SchemaCase(
        name: "a table whose writes use a virtual table for the first time",
        schema: table("id INTEGER PRIMARY KEY, a, t"),
        steps: ["UPDATE x SET a = 1 WHERE id IN (SELECT value FROM json_each('[1]'))"] + writes),
      SchemaCase(
        name: "a change of the schema that a savepoint takes back",
        schema: table("id INTEGER PRIMARY KEY, a, t"),
        steps: [
          """
          UPDATE x SET a = 1 WHERE id = 1; SAVEPOINT s; ALTER TABLE x RENAME TO y;
          CREATE TABLE x (t, id INTEGER PRIMARY KEY, a); INSERT INTO x VALUES ('bob', 3, 0), ('bob', 9, 1);
          DELETE FROM y; ROLLBACK TO s; RELEASE s; UPDATE x SET t = 'bob' WHERE id = 4
          """,
          """
          SAVEPOINT s; ALTER TABLE x ADD COLUMN n DEFAULT 7; UPDATE x SET n = 8, a = 0; ROLLBACK TO s; RELEASE s;
          UPDATE x SET a = 1 WHERE id = 2
          """,
        ] + writes,
        // Rows that were noted by other columns may have no key that can be read.
        rereads: 1),
      SchemaCase(
        name: "a stored computed column in a unique key",
        schema: unique("a, g AS (t || 'x') STORED, t, UNIQUE (g, a)"), steps: replacements),
      SchemaCase(
        name: "a computed column in a unique key",
        schema: unique("a, g AS (t || 'x') VIRTUAL, t, UNIQUE (g, a) ON CONFLICT REPLACE"),
        steps: replacements),
      SchemaCase(
        name: "a computed column of another one in an expression of a unique index",
        schema: unique("a, g AS (t || 'x'), h AS (g || 'y'), t")
          + "; CREATE UNIQUE INDEX u ON x (lower(h), a)",
        steps: replacements),
      SchemaCase(
        name: "a default in place of NULL in a unique key",
        schema: unique("a NOT NULL DEFAULT 7 UNIQUE, t"),
        steps: [
          "UPDATE x SET a = 7 WHERE id = 1", "INSERT OR REPLACE INTO x VALUES (5, NULL, 'bob')",
          "UPDATE OR REPLACE x SET a = NULL WHERE id = 2",
        ]),
      SchemaCase(
        name: "a default that is a bare word in place of NULL in a unique key",
        schema: unique("a, t NOT NULL ON CONFLICT REPLACE DEFAULT bob, UNIQUE (a, t)"),
        steps: [
          "INSERT OR REPLACE INTO x VALUES (5, 0, NULL)",
          "UPDATE OR REPLACE x SET a = 0, t = NULL WHERE id = 2",
        ]),
      SchemaCase(
        name: "a computed column of a default in place of NULL in a unique key",
        schema: unique("a NOT NULL DEFAULT (3 + 4), t, g AS (a + 1) UNIQUE"),
        steps: [
          "UPDATE x SET a = 7 WHERE id = 1", "INSERT OR REPLACE INTO x VALUES (5, NULL, 'bob')",
          "UPDATE OR REPLACE x SET a = NULL WHERE id = 2",
        ]),
      SchemaCase(
        name: "a computed column before all others, and the key in an index of its own",
        schema: table("g AS (length(t)) VIRTUAL, id INT PRIMARY KEY, a, t"), steps: writes),
      SchemaCase(
        name: "a computed column before the row's number",
        schema: table("g AS (length(t)) VIRTUAL, id INTEGER PRIMARY KEY, a, t"), steps: writes),
      SchemaCase(
        name: "a computed column, and another at the number of the primary key",
        schema: table(
          "g AS (length(t)) VIRTUAL, a INTEGER, id INTEGER UNIQUE, n INTEGER PRIMARY KEY, t TEXT"),
        steps: writes),
      SchemaCase(
        name: "computed columns between and behind the others",
        schema: table(
          "a, g AS (a) VIRTUAL, s AS (length(t)) STORED, id INTEGER PRIMARY KEY, h AS (g) VIRTUAL, t"),
        steps: writes),
      SchemaCase(
        name: "a list by a column that is computed when it is read",
        schema: """
          CREATE TABLE x (id INTEGER PRIMARY KEY, t TEXT, a AS (length(t) - 3) VIRTUAL);
          INSERT INTO x (id, t) VALUES (1, 'bob'), (2, 'Anna'), (3, 'x')
          """,
        steps: [
          "UPDATE x SET t = 'anna' WHERE id = 1", "DELETE FROM x WHERE id = 2", "UPDATE x SET t = 'bob'",
        ]),
      SchemaCase(
        name: "without numbers, a floating-point column where the key's index has the key",
        schema: table("r REAL DEFAULT 1.5, t, id INTEGER PRIMARY KEY, a", "WITHOUT ROWID"), steps: writes),
      SchemaCase(
        name: "without numbers, computed and floating-point columns before the key",
        schema: table("r REAL, g AS (a) VIRTUAL, q REAL, t, id INTEGER PRIMARY KEY, a", "WITHOUT ROWID"),
        steps: writes),
      SchemaCase(
        name: "without numbers, keys that floating-point numbers do not tell apart",
        schema: """
          CREATE TABLE x (r REAL, t, a, id INTEGER PRIMARY KEY) WITHOUT ROWID;
          INSERT INTO x (id, a) VALUES (9007199254740992, 0), (9007199254740993, 0)
          """,
        steps: ["DELETE FROM x WHERE id = 9007199254740993", "UPDATE x SET a = 1"], rereads: 2),
      SchemaCase(
        name: "columns that compare text in other ways",
        schema: table("id INTEGER PRIMARY KEY, a INTEGER, t TEXT COLLATE NOCASE"),
        steps: writes + [
          "INSERT INTO x VALUES (1, 1, 'BOB'), (2, 1, 'b'), (3, 1, 'B'), (4, 1, 'bob'), (5, 1, 'a')",
          "UPDATE x SET t = 'Z' WHERE id = 5", "UPDATE x SET t = 'BOB'", "UPDATE x SET t = 'bob'",
        ]),
      SchemaCase(
        name: "columns to which spaces at the end are nothing",
        schema: table("id INTEGER PRIMARY KEY, a INTEGER, t TEXT COLLATE RTRIM"),
        steps: [
          "UPDATE x SET t = 'bob ' WHERE id = 1", "UPDATE x SET t = 'bob' WHERE id <> 2", "DELETE FROM x",
        ]),
    ]

    @Test("Every kind of write is followed, row by row", arguments: forms)
    func follows(_ form: SchemaCase) async throws {
      for failure in try await form.run() { Issue.record("\(form.name): \(failure)") }
    }

    @Test(
      "A row that cannot be listed makes room within a limit where it leaves, and takes it where it comes back"
    )
    func undecodableRowThatMoves() async throws {
      let temporary = try TemporaryStore { db in
        try db.execute(
          sql:
            "CREATE TABLE x (id INTEGER PRIMARY KEY, a, t); INSERT INTO x VALUES (1, 1, 'a'), (2, x'00', 'a'), (3, 5, 'a')"
        )
      }
      let controller = FetchController(
        FetchDescriptor<Thing>().ordered(by: .ascending(\.t), .descending(\.a)).limit(2), in: temporary.store)
      #expect(try await controller.performFetch() == ["": [3]])
      for (text, expected) in [("b", [3, 1]), ("a", [3]), ("0", [3])] {
        try await temporary.store.write { db in
          try db.execute(sql: "UPDATE x SET t = ? WHERE id = 2", arguments: [text])
        }
        await controller.waitUntilCurrent()
        #expect(controller.snapshot == ["": expected], "after \(text)")
      }
    }

    @Test("A value that the section's property does not admit divides no list, whatever its order is made of")
    func badSections() async throws {
      let temporary = try TemporaryStore { db in
        try db.execute(
          sql: """
            CREATE TABLE x (id INTEGER PRIMARY KEY, a, t);
            INSERT INTO x VALUES (1, 1, 'x'), (2, 'y', x'6162'), (3, 1, '6162'), (4, 1.5, 7), (5, 1, '6162')
            """)
      }
      let request = FetchDescriptor<Thing>().ordered(by: .ascending(\.id))
      let byText = FetchController(request.sectioned(by: \.t, order: .bySortKeys), in: temporary.store)
      let byNumber = FetchController(request.sectioned(by: \.a, order: .bySortKeys), in: temporary.store)
      let byInitial = FetchController(
        request.sectioned(by: .initial(\.t), order: .bySortKeys), in: temporary.store)
      #expect(try await byText.performFetch() == ["x": [1], "6162": [3, 5]])
      #expect(try await byNumber.performFetch() == ["1": [1, 3, 5]])
      #expect(try await byInitial.performFetch().itemIdentifiers == [1, 3, 5])
      for controller in [byText, byNumber, byInitial] { #expect(controller.failures.count == 2) }
      try await temporary.store.write { db in
        try db.execute(
          sql: "UPDATE x SET t = 'x', a = 1 WHERE id = 2; UPDATE x SET t = x'78', a = x'31' WHERE id = 1")
      }
      for controller in [byText, byNumber, byInitial] { await controller.waitUntilCurrent() }
      #expect(byText.snapshot == ["x": [2], "6162": [3, 5]] && byText.failures.count == 2)
      #expect(byNumber.snapshot == ["1": [2, 3, 5]] && byNumber.failures.count == 2)
      #expect(byInitial.snapshot?.itemIdentifiers == [2, 3, 5])
    }

    @Test("Every kind of write of another process is followed", arguments: forms)
    func followsOthers(_ form: SchemaCase) async throws {
      var form = form
      form.rereads = 0
      for failure in try await form.run(options: OtherProcessTests.options, byOther: true) {
        Issue.record("\(form.name): \(failure)")
      }
    }

    @Test("Where a key is equal to others only for its column, each row has its own object")
    func foldedKeys() async throws {
      let temporary = try TemporaryStore { db in
        try db.execute(
          sql: """
            CREATE TABLE pair (id TEXT COLLATE NOCASE, "unique" INTEGER);
            CREATE UNIQUE INDEX by_bytes ON pair (id COLLATE BINARY);
            INSERT INTO pair VALUES ('bob', 1), ('BOB', 2)
            """)
      }
      let controller = FetchController(CommitTests.request, in: temporary.store)
      #expect(try await controller.performFetch() == ["": ["bob", "BOB"]])
      #expect(try await controller.objects(for: ["BOB"]).mapValues(\.unique) == ["BOB": 2])
      try await temporary.store.write { db in
        try db.execute(sql: #"UPDATE pair SET "unique" = 0 WHERE id = 'bob' COLLATE BINARY AND "unique" = 2"#)
        try db.execute(sql: #"UPDATE pair SET "unique" = 3 WHERE "unique" = 1"#)
      }
      #expect(controller.snapshot == ["": ["BOB", "bob"]])
      try await temporary.store.write { db in try db.execute(sql: #"DELETE FROM pair WHERE "unique" = 3"#) }
      #expect(controller.snapshot == ["": ["BOB"]] && controller.statistics.fetches == 1)
    }
  }
#endif
