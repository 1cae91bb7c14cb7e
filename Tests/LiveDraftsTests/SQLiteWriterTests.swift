#if SQLite
  import Foundation
  import GRDB
  import LiveDrafts
  import LiveFetch
  import LiveFetchSQLite
  import LiveDraftStore
  import LiveStore
  import Synchronization
  import Testing
  import _TestTools

  /// A record with the columns of a card that tests edit, in a table of its own.
  private struct Label: Codable, Hashable, FetchableRecord, PersistableRecord, DraftModel {
    var id: String
    var title: String
    var text: String?

    static let databaseTableName = "label"
    static let fetchTable = FetchTable<Label>("label", id: .column("id", \.id), columns: [])
  }

  /// A record of which a column holds values of any kind.
  private struct Setting: Hashable, Sendable, FetchableRecord, PersistableRecord, DraftModel {
    var id: String
    var value: DatabaseValue

    static let databaseTableName = "setting"
    static let fetchTable = FetchTable<Setting>("setting", id: .column("id", \.id), columns: [])

    init(row: Row) {
      id = row["id"]
      value = row["value"]
    }

    func encode(to container: inout PersistenceContainer) {
      container["id"] = id
      container["value"] = value
    }
  }

  extension SQLiteDraftTests {
    @Test("A row is read with the columns that it has now, though another connection has changed the table")
    func changedTable() async throws {
      let (subject, _, _) = try await Self.world([Self.card("a", "A"), Self.card("b", "B")])
      let key = FetchPlan.Column(name: "ID", type: .text)
      let plan = FetchPlan(table: "card", columns: [key], filter: .yes, order: [])
      let names: Set = ["id", "title", "text", "added", "parent", "slug", "length"]
      #expect(try subject.sqlite.row(.text("a"), of: plan)?.keys.sorted() == names.sorted())
      let other = try DatabaseQueue(path: subject.folder.path + "/drafts.sqlite")
      try await other.write { db in
        try db.execute(
          sql: "ALTER TABLE card ADD COLUMN extra DEFAULT 7; ALTER TABLE card RENAME title TO name;")
      }
      let row = try #require(try subject.sqlite.row(.text("a"), of: plan))
      #expect(Set(row.keys) == names.subtracting(["title"]).union(["name", "extra"]))
      #expect(row["extra"] == .integer(7) && row["name"] == .text("A"))
      // The column takes other text for the same.
      #expect(try subject.sqlite.row(.text("B"), of: plan) == nil)
      #expect(try subject.sqlite.row(.text("c"), of: plan) == nil)
      try await other.write { db in try db.execute(sql: "DROP TABLE card") }
      #expect(throws: DatabaseError.self) { try subject.sqlite.row(.text("a"), of: plan) }
    }

    @Test("A value after a text with a zero byte, in the same column of another row, keeps its own kind")
    func kindsAfterZeroByte() async throws {
      let (subject, draft, _) = try await Self.world(
        [], sql: "CREATE TABLE setting (id TEXT PRIMARY KEY, value);")
      try await subject.sqlite.write { db in
        for id in ["a", "b", "c", "d"] {
          try db.execute(sql: "INSERT INTO setting VALUES (?, 0)", arguments: [id])
        }
      }
      let values: [(String, DatabaseValue)] = [
        ("a", "A\0a".databaseValue), ("b", 5.databaseValue), ("c", Data([0, 1]).databaseValue),
        ("d", "D\0d".databaseValue),
      ]
      try draft.edit { edit in
        for (id, value) in values { try edit.update(Setting.self, id: id) { $0.value = value } }
      }
      try await draft.save()
      let rows = try await subject.sqlite.read { db in
        try String.fetchAll(db, sql: "SELECT id || typeof(value) || hex(value) FROM setting ORDER BY id")
      }
      #expect(rows == ["atext410061", "binteger35", "cblob0001", "dtext440064"])
      #expect(!draft.hasChanges)
    }

    @Test("Rows that go along are told with what they refer to, however the foreign key writes its columns")
    func namesOfReferences() async throws {
      let (subject, _, _) = try await Self.world(
        [],
        sql: """
          CREATE TABLE album (id INTEGER PRIMARY KEY);
          CREATE TABLE photo (id INTEGER PRIMARY KEY, album REFERENCES Album (ID) ON DELETE CASCADE);
          CREATE TABLE remark (id INTEGER PRIMARY KEY, photo REFERENCES PHOTO (Id) ON DELETE CASCADE);
          INSERT INTO album VALUES (1);
          INSERT INTO photo VALUES (1, 1), (2, 1);
          INSERT INTO remark VALUES (3, 1), (4, 2);
          """)
      let key = FetchPlan.Column(name: "id", type: .integer)
      let effects = Mutex<[DraftEffect]>([])
      try await subject.sqlite.save(
        [
          DraftChange(
            table: "album", key: key, id: .integer(1), kind: .delete, base: ["id": .integer(1)], values: nil,
            columns: [])
        ],
        policy: .mergeColumns, origins: [],
        tables: { ["album": key, "photo": key, "remark": key] },
        report: { found in effects.withLock { $0 = found } })
      let parents = effects.withLock { $0.filter { $0.key.table == "remark" } }.map {
        [$0.key.id] + $0.parents.map(\.id)
      }
      #expect(
        parents.sorted { "\($0)" < "\($1)" } == [[.integer(3), .integer(1)], [.integer(4), .integer(2)]])
    }

    @Test("One save writes the same columns of several tables, and other columns and texts in between")
    func severalTables() async throws {
      let (subject, draft, _) = try await Self.world(
        ["a", "b", "c", "d"].map { Self.card($0, $0) },
        sql: "CREATE TABLE label (id TEXT PRIMARY KEY, title TEXT, text TEXT);")
      try await subject.sqlite.write { db in
        for id in ["a", "b", "c"] { try Label(id: id, title: id, text: nil).insert(db) }
      }
      try draft.edit { edit in
        try edit.update(Card.self, id: "a") { $0.title = "A" }
        try edit.update(Label.self, id: "a") { $0.title = "LA" }
        try edit.update(Card.self, id: "b") { $0.title = "B" }
        try edit.update(Card.self, id: "c") { $0.title = "C\0c" }
        try edit.update(Card.self, id: "d") { $0.title = "D" }
        try edit.update(Label.self, id: "b") { $0.title = "L\0B" }
        try edit.update(Label.self, id: "c") { $0.text = "LC" }
      }
      try await draft.save()
      let rows = try await subject.sqlite.read { db in
        try String.fetchAll(
          db,
          sql: """
            SELECT id || hex(title) || ifnull(text, '-') FROM card WHERE typeof(title) = 'text'
            UNION ALL SELECT id || hex(title) || ifnull(text, '-') FROM label WHERE typeof(title) = 'text'
            """)
      }
      #expect(rows == ["a41-", "b42-", "c430063-", "d44-", "a4C41-", "b4C0042-", "c63LC"])
      #expect(!draft.hasChanges && draft.conflicts.isEmpty)
    }
  }
#endif
