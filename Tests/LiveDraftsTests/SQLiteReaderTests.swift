#if SQLite
  import Foundation
  import GRDB
  import LiveDrafts
  import LiveFetch
  import LiveFetchSQLite
  import LiveListsTestSupport
  import Testing
  import _TestTools

  @Suite("The connection that reads rows for drafts")
  struct SQLiteReaderTests {
    /// The title of a row as an edit finds it; nothing is edited.
    private static func title(_ id: String, _ draft: FetchDraft) throws -> String? {
      try draft.edit { edit in try edit.find(Card.self, id: id)?.title }
    }

    @Test("It reads what is in the database while others keep readers out, and after that was replaced")
    func replaced() async throws {
      let (subject, draft, _) = try await SQLiteDraftTests.world([SQLiteDraftTests.card("a", "A")])
      #expect(try Self.title("a", draft) == "A")
      let other = try SQLiteSubject(sql: SQLiteDraftTests.schema)
      try await other.sqlite.write { db in try SQLiteDraftTests.card("a", "replaced").insert(db) }
      try subject.sqlite.withExclusiveAccess { pool in
        #expect(try Self.title("a", draft) == "A")
        try other.sqlite.pool.backup(to: pool)
        #expect(try Self.title("a", draft) == "replaced")
      }
      #expect(try Self.title("a", draft) == "replaced")
      try subject.sqlite.withExclusiveAccess { try $0.erase() }
      #expect(throws: (any Error).self) { try Self.title("a", draft) }
    }

    @Test("It knows columns that were added, so that a deleted row comes back with them")
    func addedColumn() async throws {
      let (subject, draft, _) = try await SQLiteDraftTests.world(
        ["a", "b"].map { SQLiteDraftTests.card($0, $0) })
      #expect(try Self.title("a", draft) == "a")
      try await subject.sqlite.write { db in
        try db.execute(sql: "ALTER TABLE card ADD COLUMN extra TEXT; UPDATE card SET extra = 'kept'")
      }
      try draft.edit { edit in try edit.delete(Card.self, id: "b") }
      try await draft.save()
      try draft.undo()
      try await draft.save()
      let extra = try await subject.sqlite.read {
        try String.fetchOne($0, sql: "SELECT extra FROM card WHERE id = 'b'")
      }
      #expect(extra == "kept")
    }

    @Test("It sees each commit at once, from whichever task")
    func commits() async throws {
      let (subject, draft, _) = try await SQLiteDraftTests.world([SQLiteDraftTests.card("a", "0")])
      for number in 1...200 {
        try await subject.sqlite.write {
          try $0.execute(sql: "UPDATE card SET title = ?", arguments: ["\(number)"])
        }
        #expect(try Self.title("a", draft) == "\(number)")
      }
    }

    #if os(Linux)
      @Test("Nothing of the database stays open once the store was closed, also beside edits")
      func closed() async throws {
        let (subject, draft, _) = try await SQLiteDraftTests.world([SQLiteDraftTests.card("a", "A")])
        let name = try #require(subject.folder.path.split(separator: "/").last)
        func isOpen() throws -> Bool {
          try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").contains { descriptor in
            var target = [UInt8](repeating: 0, count: 4_096)
            let count = readlink("/proc/self/fd/\(descriptor)", &target, target.count)
            return String(decoding: target.prefix(max(0, count)), as: UTF8.self).contains(name)
          }
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
          for _ in 0..<4 {
            group.addTask { while (try? Self.title("a", draft)) != nil { await Task.yield() } }
          }
          #expect(try isOpen())
          // GRDB gives its readers up only once they are idle.
          while (try? subject.sqlite.close()) == nil { await Task.yield() }
          try await group.waitForAll()
        }
        let error = #expect(throws: FetchError.self) { try Self.title("a", draft) }
        #expect(error?.kind == .closed)
        #expect(try !isOpen())
      }
    #endif
  }
#endif
