#if SQLite
  import GRDB
  import LiveFetch
  import LiveFetchSQLite
  import Testing

  /// Cases that the second law found.
  @Suite("Objects and keys of which the second law found something")
  struct SchemaObjectTests {
    struct Thing: FetchModel {
      var id: String
      var name: String
      var added: FetchValue?

      static let fetchTable = FetchTable<Thing>(
        "thing", id: .column("id", \.id), columns: [.column("name", \.name)])

      init(fetchRow row: FetchRow) throws {
        id = try row["id"]
        name = try row["name"]
        added = row.storedValue("added")
      }
    }

    private func live() async throws -> (TemporaryStore, FetchController<Thing>) {
      let temporary = try TemporaryStore { db in
        try db.execute(sql: "CREATE TABLE thing (id TEXT NOT NULL PRIMARY KEY, name TEXT NOT NULL)")
        try db.execute(sql: "INSERT INTO thing VALUES ('caf\u{e9}', 'x'), ('tea', 'y')")
      }
      let controller = FetchController(
        FetchDescriptor<Thing>().ordered(by: .ascending(\.id)), in: temporary.store)
      try await controller.performFetch()
      return (temporary, controller)
    }

    @Test("No object from before a column was added is kept, of rows that were written and of others")
    func addedColumn() async throws {
      let (temporary, controller) = try await live()
      #expect(try await controller.objects(for: ["tea", "caf\u{e9}"]).count == 2)
      try await temporary.store.write { db in
        try db.execute(sql: "ALTER TABLE thing ADD COLUMN added TEXT NOT NULL DEFAULT 'z'")
        try db.execute(sql: "UPDATE thing SET added = 'new' WHERE id = 'tea'")
      }
      await controller.waitUntilCurrent()
      let objects = try await controller.objects(for: ["tea", "caf\u{e9}"])
      #expect(objects["tea"]?.added == .text("new") && objects["caf\u{e9}"]?.added == .text("z"))
    }

    @Test("A row whose key is written in another normal form is told once")
    func otherForm() async throws {
      let (temporary, controller) = try await live()
      let changes = controller.changes.makeAsyncIterator()
      _ = try await changes.next()
      try await temporary.store.write { db in
        try db.execute(sql: "DELETE FROM thing WHERE name = 'x'")
        try db.execute(sql: "INSERT INTO thing VALUES ('cafe\u{301}', 'z')")
      }
      await controller.waitUntilCurrent()
      let change = try #require(try await changes.next())
      #expect(change.updated + change.moved == ["caf\u{e9}"])
      #expect(controller.object(for: "caf\u{e9}")?.name == "z")
    }
  }
#endif
