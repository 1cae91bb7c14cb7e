#if SQLite
  import Foundation
  import GRDB
  @testable import LiveFetch
  import LiveFetchSQLite
  import Snapshots
  import Synchronization
  import Testing

  @Suite("Keys that are text, and names of every kind")
  struct TextKeyTests {
    /// Not a record of GRDB's, which end text at its first zero byte.
    struct Named: FetchModel, Hashable {
      var id: String
      var a: Int?
      static let fetchTable = FetchTable<Named>(
        "named", id: .column("id", \.id), columns: [.column("a", \.a)])
      init(fetchRow row: FetchRow) throws {
        id = try row["id"]
        a = try row["a"]
      }
    }

    private static let request = FetchDescriptor<Named>().ordered(by: .ascending(\.a))
    /// Two texts for “é”, of which Swift says that they are equal.
    private static let (composed, decomposed) = ("\u{E9}", "e\u{301}")

    private func bytes(_ snapshot: DiffableSnapshot<FetchSectionID, String>?) -> [[UInt8]] {
      snapshot?.itemIdentifiers.map { Array($0.utf8) } ?? []
    }

    @Test("Of two keys that are equal in Swift and not in the database, the second is told as a bad row")
    func normalForms() async throws {
      let temporary = try TemporaryStore { db in
        try db.execute(sql: "CREATE TABLE named (id TEXT PRIMARY KEY, a)")
        try db.execute(sql: "INSERT INTO named VALUES (?, 1), ('z', 2)", arguments: [Self.composed])
      }
      let store = temporary.store
      let (composed, decomposed) = (Self.composed, Self.decomposed)
      let controller = FetchController(Self.request, in: store)
      try await controller.performFetch()
      let changes = controller.changes.makeAsyncIterator()
      _ = try await changes.next()
      func write(_ sql: String, _ keys: [String], _ expected: [String]) async throws {
        try await store.write { db in try db.execute(sql: sql, arguments: StatementArguments(keys)) }
        await controller.waitUntilCurrent()
        #expect(bytes(controller.snapshot) == expected.map { Array($0.utf8) }, "\(sql)")
        let fresh = try await FetchController(Self.request.offset(0).limit(100), in: store).performFetch()
        #expect(bytes(fresh) == bytes(controller.snapshot), "\(sql)")
        for key in expected {
          let numbers = try await store.read { db in
            try Int.fetchOne(db, sql: "SELECT a FROM named WHERE id = ?", arguments: [key])
          }
          #expect(try await controller.objects(for: [key])[key]?.a == numbers, "\(sql)")
        }
      }
      try await write("INSERT INTO named VALUES (?, 3)", [decomposed], [composed, "z"])
      let failures = try #require(try await changes.next()).failures
      #expect(failures.map(\.kind) == [.row] && failures.first?.row?.column == "id")
      // Whichever comes first in the list is in it.
      try await write("UPDATE named SET a = 0 WHERE id = ?", [decomposed], [decomposed, "z"])
      try await write("UPDATE named SET a = 9 WHERE id = 'z'", [], [decomposed, "z"])
      try await write("DELETE FROM named WHERE id = ?", [decomposed], [composed, "z"])
      try await write("DELETE FROM named", [], [])
      try await write("INSERT INTO named VALUES (?, 1), (?, 2)", [composed, decomposed], [composed])
      try await write("UPDATE named SET id = ? WHERE id = ?", ["e", composed], ["e", decomposed])
    }

    @Test("Keys that are read in another form than they are stored in are told as bad rows")
    func otherForms() async throws {
      let id = UUID()
      let temporary = try TemporaryStore { db in
        try db.execute(
          sql: "CREATE TABLE numbered (id TEXT PRIMARY KEY, a); INSERT INTO numbered VALUES (?, 1), (?, 2)",
          arguments: [id.uuidString, id.uuidString.lowercased()])
      }
      let controller = FetchController(
        FetchDescriptor<Numbered>().ordered(by: .ascending(\.a)), in: temporary.store)
      #expect(try await controller.performFetch().itemIdentifiers == [id])
      let changes = controller.changes.makeAsyncIterator()
      _ = try await changes.next()
      try await temporary.store.write { db in try db.execute(sql: "UPDATE numbered SET a = 0 WHERE a = 2") }
      await controller.waitUntilCurrent()
      #expect(controller.snapshot?.itemIdentifiers == [id] && controller.object(for: id)?.a == 1)
      try await temporary.store.write { db in try db.execute(sql: "DELETE FROM numbered WHERE a = 0") }
      await controller.waitUntilCurrent()
      #expect(controller.snapshot?.itemIdentifiers == [id])
    }

    struct Numbered: FetchModel {
      var id: UUID
      var a: Int?
      static let fetchTable = FetchTable<Numbered>(
        "numbered", id: .column("id", \.id, stored: .uuidText), columns: [.column("a", \.a)])
      init(fetchRow row: FetchRow) throws {
        id = try row.value("id", as: .uuidText)
        a = try row["a"]
      }
    }

    /// `CAST` of bytes, as GRDB binds text up to its first zero byte.
    private static let zeros =
      "INSERT INTO named VALUES (CAST(x'610062' AS TEXT), 1), (CAST(x'610063' AS TEXT), 2), ('a', 3)"

    @Test("Keys with a zero byte are told apart, and so are their objects")
    func zeroBytes() async throws {
      let temporary = try TemporaryStore { db in
        try db.execute(sql: "CREATE TABLE named (id TEXT PRIMARY KEY, a);" + Self.zeros)
      }
      let store = temporary.store
      let controller = FetchController(Self.request, in: store)
      #expect(try await controller.performFetch() == ["": ["a\0b", "a\0c", "a"]])
      #expect(
        try await controller.objects(for: ["a\0b", "a\0c", "a"]).mapValues(\.a) == [
          "a\0b": 1, "a\0c": 2, "a": 3,
        ])
      #expect(controller.object(for: "a\0c")?.id == "a\0c")
      try await store.write { db in
        try db.execute(sql: "UPDATE named SET a = 4 WHERE a = 1; DELETE FROM named WHERE a = 2")
      }
      #expect(controller.snapshot == ["": ["a", "a\0b"]] && controller.object(for: "a\0b")?.a == 4)
      let one = FetchController(
        FetchDescriptor<Named>().filter(#Predicate { $0.id == "a\0b" }).ordered(by: .ascending(\.a)),
        in: store)
      #expect(try await one.performFetch() == ["": ["a\0b"]])
    }

    @Test("A record of GRDB's whose key it would cut is told, and is no other row's object")
    func cutKeys() async throws {
      let temporary = try TemporaryStore { db in
        try db.execute(
          sql: """
            CREATE TABLE pair (id TEXT PRIMARY KEY, "unique" INTEGER);
            INSERT INTO pair VALUES (CAST(x'610062' AS TEXT), 1), ('a', 2)
            """)
      }
      let controller = FetchController(CommitTests.request, in: temporary.store)
      #expect(try await controller.performFetch() == ["": ["a\0b", "a"]])
      let changes = controller.changes.makeAsyncIterator()
      _ = try await changes.next()
      #expect(try await controller.objects(for: ["a\0b", "a"]).mapValues(\.unique) == ["a": 2])
      #expect(try #require(try await changes.next()).failures.map(\.kind) == [.row])
    }

    struct Titled: FetchModel, FetchableRecord, Decodable {
      var id: Int
      var title: String?
      static let fetchTable = FetchTable<Titled>(
        "titled", id: .column("id", \.id), columns: [.column("title", \.title)])
    }

    @Test(
      "A record of GRDB's of which it would cut a text is told with the column; a model of its own has all of it"
    )
    func cutTexts() async throws {
      let temporary = try TemporaryStore { db in
        try db.execute(
          sql: """
            CREATE TABLE titled (title TEXT, id INTEGER PRIMARY KEY);
            INSERT INTO titled VALUES (CAST(x'610062' AS TEXT), 1), ('a', 2), (x'610062', 3);
            CREATE TABLE x (id INTEGER PRIMARY KEY, a, t); INSERT INTO x VALUES (1, 0, CAST(x'610062' AS TEXT))
            """)
      }
      let text = "a\0b"
      let controller = FetchController(
        FetchDescriptor<Titled>().filter(#Predicate { $0.title == text }).ordered(by: .ascending(\.id)),
        in: temporary.store)
      #expect(try await controller.performFetch() == ["": [1]])
      let changes = controller.changes.makeAsyncIterator()
      _ = try await changes.next()
      #expect(controller.object(for: 1) == nil)
      let failures = try #require(try await changes.next()).failures
      #expect(failures.map(\.kind) == [.row] && failures[0].description.contains("“title”"))
      #expect(try await controller.objects(for: [1, 2]).mapValues(\.title) == [2: "a"])
      let own = FetchController(SchemaCase.lists[0].request, in: temporary.store)
      try await own.performFetch()
      #expect(own.object(for: 1)?.t == "a\0b")
    }

    @Test(
      "Tables and columns of any name",
      arguments: ["we\"ird", "it's", "a\"\u{301}b", "'\u{301}", "select", "a.b", "[x]", "%_\\", "É"])
    func names(_ name: String) async throws {
      func quoted(_ name: String) -> String {
        "\"" + String(decoding: name.utf8.flatMap { $0 == 34 ? [34, 34] : [$0] }, as: UTF8.self) + "\""
      }
      let (table, column) = (quoted(name), quoted("c" + name))
      let temporary = try TemporaryStore(options: OtherProcessTests.options) { db in
        try db.execute(
          sql: """
            CREATE TABLE \(table) (id TEXT PRIMARY KEY, \(column) TEXT UNIQUE); INSERT INTO \(table) VALUES ('a', '1');
            CREATE TABLE "é" (id TEXT PRIMARY KEY, n)
            """)
      }
      let store = temporary.store
      let other = try DatabaseQueue(path: temporary.directory.appendingPathComponent("test.sqlite").path)
      let plan = FetchPlan(
        table: name, columns: [.init(name: "id", type: .text), .init(name: "c" + name, type: .text)],
        filter: .compare(.notEqual, .column(1, name: "c" + name), .constant(.text("9"))), order: [])
      let log = EventLog()
      let observation = store.observe(plan) { log.add($0) }
      defer { observation.cancel() }
      let (ids, _) = try await store.read(plan) { cursor in
        var ids: [FetchValue] = []
        while let row = try cursor.next() { ids.append(row.value(0)) }
        return ids
      }
      #expect(ids == [.text("a")])
      #expect(try store.rows(ids, of: plan) { id, row in row.storedValue("c" + name) } == [.text("1")])
      try await store.write { db in try db.execute(sql: "UPDATE \(table) SET \(column) = '2'") }
      try await other.write { db in
        try db.execute(sql: "REPLACE INTO \(table) VALUES ('b', '2'); INSERT INTO \"é\" VALUES ('x', 1)")
      }
      await store.checkForExternalChanges()
      #expect(log.rows == [["a": "2"], ["a": nil, "b": "2"]])
    }
  }

  private final class EventLog: Sendable {
    private let events = Mutex<[[String: String?]]>([])
    var rows: [[String: String?]] { events.withLock { $0 } }

    func add(_ event: FetchStoreEvent) {
      guard case .changes(let changes) = event else { return events.withLock { $0.append(["reset": nil]) } }
      var rows: [String: String?] = [:]
      for row in changes.rows {
        guard case .text(let id) = row.id else { continue }
        if case .text(let value) = row.values?[1] { rows[id] = .some(value) } else { rows[id] = .some(nil) }
      }
      events.withLock { [rows] in $0.append(rows) }
    }
  }
#endif
