#if SQLite
  import Foundation
  import GRDB
  import LiveDrafts
  import LiveFetch
  import LiveFetchSQLite
  import LiveListsTestSupport
  import Snapshots
  import Testing
  import _TestTools

  /// A record that names only those columns that requests need.
  struct Card: Codable, Hashable, FetchableRecord, PersistableRecord, DraftModel {
    var id: String
    var title: String
    var text: String?
    var added: Date
    var parent: String?

    static let databaseTableName = "card"
    static let fetchTable = FetchTable<Card>(
      "card", id: .column("id", \.id), columns: [.column("title", \.title)])
  }

  @Suite("Drafts over SQLite")
  struct SQLiteDraftTests {
    static let schema = """
      CREATE TABLE card (id TEXT COLLATE NOCASE PRIMARY KEY, title TEXT NOT NULL, text TEXT, added DATETIME NOT NULL,
        parent TEXT REFERENCES card (id) ON DELETE CASCADE,
        slug TEXT GENERATED ALWAYS AS (lower(title)) STORED, length INTEGER AS (length(title)));
      """
    static let day = Date(timeIntervalSince1970: 1_700_000_000)

    static func world(
      _ cards: [Card], _ options: SQLiteStoreOptions = .init(), sql: String = ""
    ) async throws -> (SQLiteSubject, FetchDraft, FetchController<Card>) {
      let subject = try SQLiteSubject(options, sql: schema + sql)
      try await subject.sqlite.write { db in for card in cards { try card.insert(db) } }
      let draft = FetchDraft(of: subject.sqlite)
      let list = FetchController(FetchDescriptor<Card>().ordered(by: .ascending(\.title)), in: draft)
      try await list.performFetch()
      return (subject, draft, list)
    }

    static func card(_ id: String, _ title: String, text: String? = nil, parent: String? = nil) -> Card {
      Card(id: id, title: title, text: text, added: day, parent: parent)
    }

    /// A row with a number that may be none.
    private struct Sample: Codable, FetchableRecord, PersistableRecord, DraftModel {
      var id: Int64
      var real: Double?
      static let databaseTableName = "sample"
      static let fetchTable = FetchTable<Sample>(
        "sample", id: .column("id", \.id), columns: [.column("real", \.real)])
    }

    @Test("A number that is none is NULL, as SQLite stores it: it is saved, and undone, without a conflict")
    func notANumber() async throws {
      let subject = try SQLiteSubject()
      let draft = FetchDraft(of: subject.sqlite)
      try draft.edit { try $0.insert(Sample(id: 1, real: 1.5)) }
      try await draft.save()
      try draft.edit { try $0.update(Sample.self, id: 1) { $0.real = .nan } }
      try await draft.save()
      try draft.edit { try $0.update(Sample.self, id: 1) { $0.real = .nan } }
      #expect(!draft.hasChanges)
      try draft.undo()
      #expect(draft.conflicts.isEmpty)
      try await draft.save()
      #expect(
        try await subject.sqlite.read { try Double.fetchOne($0, sql: "SELECT real FROM sample") } == 1.5)
    }

    @Test("A new row with a value for a column that was renamed since is refused, and not saved without it")
    func renamedColumn() async throws {
      let subject = try SQLiteSubject()
      let draft = FetchDraft(of: subject.sqlite)
      try draft.edit { edit in
        try edit.insert(Sample(id: 1, real: 1.5))
        try edit.insert(Sample(id: 2))
      }
      try await subject.sqlite.write {
        try $0.execute(sql: "ALTER TABLE sample RENAME COLUMN real TO number2")
      }
      let error = await #expect(throws: DatabaseError.self) { try await draft.save() }
      #expect(
        error?.message?.contains("real: the row 1 of “sample”. Nothing of the save was written") == true)
      #expect(draft.changes.count == 2)
      // A row without a value there loses nothing.
      try await draft.save(Sample.self, [2])
      #expect(draft.changes.map(\.id) == [.integer(1)])
    }

    @Test("A save beside another writer says how to wait for it, and all stays pending")
    func lockedDatabase() async throws {
      let subject = try SQLiteSubject()
      let draft = FetchDraft(of: subject.sqlite)
      try draft.edit { try $0.insert(Sample(id: 1, real: 1.5)) }
      var configuration = Configuration()
      configuration.allowsUnsafeTransactions = true
      let other = try DatabaseQueue(
        path: subject.folder.path + "/drafts.sqlite", configuration: configuration)
      try await other.writeWithoutTransaction { try $0.execute(sql: "BEGIN IMMEDIATE") }
      let error = await #expect(throws: DatabaseError.self) { try await draft.save() }
      #expect(error?.resultCode == .SQLITE_BUSY)
      #expect(error?.message?.contains("busyMode = .timeout(5)") == true)
      #expect(draft.changes.map(\.id) == [.integer(1)])
      try await other.writeWithoutTransaction { try $0.execute(sql: "COMMIT") }
      try await draft.save()
      #expect(!draft.hasChanges)
    }

    @Test("A record is edited with all of its columns, though its table names one")
    func record() async throws {
      let (subject, draft, list) = try await Self.world([Self.card("a", "Å", text: "t"), Self.card("b", "B")])
      try draft.edit { edit in
        try edit.update(Card.self, id: "a") { $0.text = "zero \0 byte" }
        try edit.update(Card.self, id: "b") { $0.title = "C" }
        try edit.insert(Self.card("c", "D", text: "n\0w"))
      }
      #expect(list.object(for: "a")?.text == "zero \0 byte")
      #expect(list.object(for: "a")?.added == Self.day)
      #expect(draft.state(of: Card.self, "a") == .updated(["text"]))
      try await draft.save()
      let rows = try await subject.sqlite.read { db in
        try String.fetchAll(
          db,
          sql:
            "SELECT id || ' ' || ifnull(hex(text), 'NULL') || ' ' || slug || ' ' || length FROM card ORDER BY id"
        )
      }
      #expect(rows == ["a 7A65726F20002062797465 Å 1", "b  c 1", "c 6E0077 d 1"])
      #expect(draft.conflicts.isEmpty && !draft.hasChanges)
      // A row with computed columns is inserted again.
      try draft.edit("Delete") { edit in try edit.delete(Card.self, id: "b") }
      try await draft.save()
      try draft.undo()
      try await draft.save()
      let slug = try await subject.sqlite.read { db in
        try String.fetchOne(db, sql: "SELECT slug FROM card WHERE id = 'b'")
      }
      #expect(slug == "c")
    }

    @Test("A key whose column takes other text for the same is that very text")
    func textKeys() async throws {
      let (subject, draft, list) = try await Self.world([Self.card("a", "A"), Self.card("b", "B")])
      #expect(throws: DraftError.self) {
        try draft.edit { edit in try edit.update(Card.self, id: "A") { $0.title = "X" } }
      }
      try draft.edit { edit in try edit.update(Card.self, id: "b") { $0.title = "0" } }
      try await draft.save()
      #expect(list.snapshot?.itemIdentifiers == ["b", "a"])
      // The database says what is wrong with a key that it takes for another; nothing is written, and all stays pending.
      try draft.edit { edit in
        try edit.insert(Self.card("A", "Z"))
        try edit.update(Card.self, id: "a") { $0.title = "9" }
      }
      await #expect(throws: DatabaseError.self) { try await draft.save() }
      #expect(draft.changes.count == 2)
      let titles = try await subject.sqlite.read { db in
        try String.fetchAll(db, sql: "SELECT title FROM card ORDER BY id")
      }
      #expect(titles == ["A", "0"])
    }

    @Test(
      "A row that refers to one which is not there is named, and nothing is saved", arguments: [true, false])
    func refersToNothing(_ isDeleted: Bool) async throws {
      let subject = try SQLiteSubject(
        sql: """
          CREATE TABLE album (id TEXT PRIMARY KEY);
          CREATE TABLE photo (id TEXT PRIMARY KEY, album TEXT REFERENCES album);
          INSERT INTO album VALUES ('a'); INSERT INTO photo VALUES ('p', 'a');
          """)
      let draft = FetchDraft(of: subject.sqlite)
      try draft.edit { edit in
        if isDeleted { try edit.delete(Named.self, id: "a") }
        try edit.insert(Referring(id: "q", album: isDeleted ? nil : "b"))
      }
      let error = await #expect(throws: DatabaseError.self) { try await draft.save() }
      #expect(error?.resultCode == .SQLITE_CONSTRAINT)
      let found = error?.message ?? ""
      let row = "the row '\(isDeleted ? "p" : "q")' of “photo”"
      #expect(found.contains("\(row) refers to one of “album” that is not there"), "\(found)")
      #expect(draft.changes.count == (isDeleted ? 2 : 1))
    }

    private struct Named: Codable, Hashable, FetchableRecord, PersistableRecord, DraftModel {
      var id: String
      static let databaseTableName = "album"
      static let fetchTable = FetchTable<Named>("album", id: .column("id", \.id), columns: [])
    }

    private struct Referring: Codable, Hashable, FetchableRecord, PersistableRecord, DraftModel {
      var id: String
      var album: String?
      static let databaseTableName = "photo"
      static let fetchTable = FetchTable<Referring>(
        "photo", id: .column("id", \.id), columns: [.column("album", \.album)])
    }

    @Test("Rows are written in the order of their edits, and foreign keys are checked at the end")
    func order() async throws {
      let (subject, draft, _) = try await Self.world([
        Self.card("p", "Parent"), Self.card("c", "Child", parent: "p"), Self.card("d", "Other", parent: "p"),
      ])
      try draft.edit { edit in try edit.insert(Self.card("e", "Early", parent: "late")) }
      try draft.edit { edit in try edit.insert(Self.card("late", "Late")) }
      try draft.edit { edit in try edit.update(Card.self, id: "c") { $0.parent = nil } }
      try draft.edit { edit in try edit.delete(Card.self, id: "p") }
      try await draft.save()
      let ids = try await subject.sqlite.read { db in
        try String.fetchAll(db, sql: "SELECT id FROM card ORDER BY id")
      }
      #expect(ids == ["c", "e", "late"])
    }

    @Test(
      "Edits of one group are written in their order, too, and are saved after undo and redo of a discard")
    func orderInGroup() async throws {
      let (subject, draft, _) = try await Self.world([
        Self.card("a", "Parent"), Self.card("b", "Child", parent: "a"), Self.card("c", "Child", parent: "a"),
      ])
      try draft.edit("Dissolve") { edit in
        try edit.update(Card.self, id: "c") { $0.parent = nil }
        try edit.update(Card.self, id: "b") { $0.parent = nil }
        try edit.delete(Card.self, id: "a")
      }
      #expect(draft.changes.map(\.id) == [.text("c"), .text("b"), .text("a")])
      draft.discard()
      try draft.undo()
      #expect(draft.changes.map(\.id) == [.text("c"), .text("b"), .text("a")])
      try await draft.save()
      func ids() async throws -> [String] {
        try await subject.sqlite.read { db in
          try String.fetchAll(db, sql: "SELECT id || ifnull(parent, '') FROM card ORDER BY id")
        }
      }
      #expect(try await ids() == ["b", "c"])
      // Taken back, the parent comes first again.
      try draft.undo()
      try draft.undo()
      #expect(draft.changes.map(\.id) == [.text("a"), .text("b"), .text("c")])
      try await draft.save()
      #expect(try await ids() == ["a", "ba", "ca"])
      try draft.redo()
      try await draft.save()
      #expect(try await ids() == ["b", "c"])
    }

    @Test("A save that fails at any of its rows leaves store and draft as they were", arguments: 0..<6)
    func failingSave(_ position: Int) async throws {
      let cards = (0..<6).map { Self.card("\($0)", "t\($0)") }
      let (subject, draft, list) = try await Self.world(
        cards,
        sql: """
          CREATE TRIGGER refuse BEFORE UPDATE ON card WHEN new.title = 'refused' BEGIN SELECT RAISE(ABORT, 'refused'); END;
          """)
      for number in 0..<6 {
        try draft.edit { edit in
          try edit.update(Card.self, id: "\(number)") {
            $0.title = number == position ? "refused" : "n\(number)"
          }
        }
      }
      let (shown, changes) = (list.snapshot, draft.changes)
      await #expect(throws: DatabaseError.self) { try await draft.save() }
      #expect(draft.changes == changes && list.snapshot == shown)
      let rows = try await subject.sqlite.read { db in try Card.order(sql: "id").fetchAll(db) }
      #expect(rows == cards)
      try draft.edit { edit in try edit.update(Card.self, id: "\(position)") { $0.title = "fine" } }
      try await draft.save()
      #expect(!draft.hasChanges)
    }

    @Test(
      "A card whose parent is deleted in the same edit goes with it, also where it was edited last",
      arguments: DraftPolicy.allCases)
    func cascade(_ policy: DraftPolicy) async throws {
      for isEditedLast in [false, true] {
        let (subject, draft, list) = try await Self.world([
          Self.card("p", "P"), Self.card("c", "C", parent: "p"), Self.card("d", "D", parent: "p"),
        ])
        try draft.edit { edit in
          if isEditedLast { try edit.delete(Card.self, id: "p") }
          try edit.update(Card.self, id: "c") { $0.title = "mine" }
          if !isEditedLast { try edit.delete(Card.self, id: "p") }
          // Gone by the time its turn comes.
          try edit.delete(Card.self, id: "d")
        }
        try await draft.save(policy: policy)
        #expect(!draft.hasChanges)
        await list.waitUntilCurrent()
        #expect(list.snapshot?.itemIdentifiers == [])
        #expect(try await subject.sqlite.read { db in try Card.fetchCount(db) } == 0)
      }
    }

    @Test(
      "New parents and the cards moved to them are undone across a save",
      arguments: [[0, 1, 2], [2, 0, 1], [1, 2, 0]])
    func newParent(_ order: [Int]) async throws {
      let cards = [Self.card("o", "O"), Self.card("c", "C", parent: "o")]
      let (subject, draft, list) = try await Self.world(cards)
      func rows() async throws -> [Card] {
        try await subject.sqlite.read { db in try Card.order(sql: "id").fetchAll(db) }
      }
      let edits: [(DraftEdit) throws -> Void] = [
        { try $0.insert(Self.card("p", "P")) },
        { try $0.update(Card.self, id: "c") { $0.parent = "p" } },
        { try $0.insert(Self.card("n", "N", parent: "p")) },
      ]
      try draft.edit("Move") { edit in for number in order { try edits[number](edit) } }
      try await draft.save()
      #expect(try await rows().map(\.parent) == ["p", "p", nil, nil])
      try draft.undo()
      try await draft.save()
      #expect(try await rows() == cards.sorted { $0.id < $1.id } && !draft.hasChanges)
      try draft.redo()
      try await draft.save()
      #expect(try await rows().map(\.parent) == ["p", "p", nil, nil] && !draft.hasChanges)
      await list.waitUntilCurrent()
      #expect(list.snapshot?.itemIdentifiers == ["c", "n", "o", "p"])
    }

    @Test("A unique value that one row gives up can be taken by another in the same save")
    func uniqueValue() async throws {
      let (subject, draft, _) = try await Self.world(
        [Self.card("a", "A"), Self.card("b", "B"), Self.card("c", "C", parent: "a")],
        sql: "CREATE UNIQUE INDEX card_title ON card (title);")
      try draft.edit { edit in
        try edit.delete(Card.self, id: "a")
        try edit.update(Card.self, id: "b") { $0.title = "A" }
      }
      try await draft.save()
      #expect(try await subject.sqlite.read { db in try Card.fetchAll(db) } == [Self.card("b", "A")])
    }

    @Test("A row that the database passes over without an error is an error")
    func ignoredWrite() async throws {
      let (subject, draft, _) = try await Self.world(
        [Self.card("a", "A")],
        sql: "CREATE TRIGGER ignore BEFORE UPDATE ON card BEGIN SELECT RAISE(IGNORE); END;")
      defer { withExtendedLifetime(subject) {} }
      try draft.edit { edit in try edit.update(Card.self, id: "a") { $0.title = "B" } }
      await #expect(throws: FetchError.self) { try await draft.save() }
      #expect(draft.hasChanges)
    }

    @Test("So is a deletion that it passes over, while the row is still there")
    func ignoredDeletion() async throws {
      let (subject, draft, _) = try await Self.world(
        [Self.card("a", "A")],
        sql: "CREATE TRIGGER ignore BEFORE DELETE ON card BEGIN SELECT RAISE(IGNORE); END;")
      defer { withExtendedLifetime(subject) {} }
      try draft.edit { edit in try edit.delete(Card.self, id: "a") }
      await #expect(throws: FetchError.self) { try await draft.save() }
      #expect(draft.hasChanges)
    }

    @Test("What the database makes of a saved value is shown, and is no conflict")
    func changedByDatabase() async throws {
      let (subject, draft, list) = try await Self.world(
        [Self.card("a", "A")],
        sql: """
          CREATE TRIGGER trim AFTER UPDATE OF title ON card WHEN new.title <> trim(new.title)
          BEGIN UPDATE card SET title = trim(new.title) WHERE id = new.id; END;
          """)
      defer { withExtendedLifetime(subject) {} }
      try draft.edit { edit in try edit.update(Card.self, id: "a") { $0.title = "  B " } }
      #expect(list.object(for: "a")?.title == "  B ")
      try await draft.save()
      #expect(!draft.hasChanges && draft.conflicts.isEmpty)
      #expect(list.object(for: "a")?.title == "B")
    }

    @Test("A save of so many rows that lists read anew leaves nothing pending")
    func largeSave() async throws {
      var options = SQLiteStoreOptions()
      options.maximumTouchedRows = 10
      let subject = try SQLiteSubject(options)
      try await subject.write((0..<100).map { .put(Item(id: $0, section: "a", key: $0)) }, origin: nil)
      let draft = FetchDraft(of: subject.sqlite)
      let list = FetchController(.byKey, in: draft)
      try await list.performFetch()
      try draft.edit { edit in for id in 0..<100 { try edit.update(Item.self, id: id) { $0.key = -id } } }
      await list.waitUntilCurrent()
      let shown = list.snapshot
      try await draft.save()
      #expect(!draft.hasChanges)
      await list.waitUntilCurrent()
      #expect(list.snapshot == shown && shown?.itemIdentifiers.first == 99)
    }

    @Test("A request in SQL of its own sees the store alone")
    func rawRequest() async throws {
      let (subject, draft, _) = try await Self.world([Self.card("a", "A"), Self.card("b", "B")])
      defer { withExtendedLifetime(subject) {} }
      try draft.edit { edit in try edit.delete(Card.self, id: "a") }
      let list = FetchController(
        FetchDescriptor<Card>.sql("SELECT id FROM card ORDER BY title", reading: ["card"]), in: draft)
      #expect(try await list.performFetch().itemIdentifiers == ["a", "b"])
      try await draft.save()
      await list.waitUntilCurrent()
      #expect(list.snapshot?.itemIdentifiers == ["b"])
    }

    @Test("A draft without a list knows of conflicts, too")
    func withoutList() async throws {
      let subject = try SQLiteSubject(sql: Self.schema)
      try await subject.sqlite.write { db in try Self.card("a", "A").insert(db) }
      let draft = FetchDraft(of: subject.sqlite)
      try draft.edit { edit in try edit.update(Card.self, id: "a") { $0.title = "B" } }
      try await subject.sqlite.write { db in try db.execute(sql: "UPDATE card SET title = 'C'") }
      await draft.waitUntilCurrent()
      #expect(draft.conflicts.map { $0.theirs?["title"] } == [.text("C")])
    }

    @Test(
      "A conflict by a commit that is not told row by row is known though nobody reads, also beside observers",
      .timeLimit(.minutes(20)))
    func unreadConflict() async throws {
      var options = SQLiteStoreOptions()
      options.maximumTouchedRows = 1
      let subject = try SQLiteSubject(options)
      try await subject.write((1...3).map { .put(Item(id: $0, section: "a", key: $0)) }, origin: nil)
      let draft = FetchDraft(of: subject.sqlite)
      let observation = draft.observe(try FetchDescriptor<Item>.byKey.plan()) { _ in }
      defer { observation.cancel() }
      try draft.edit { edit in try edit.update(Item.self, id: 1) { $0.key = 10 } }
      await draft.waitUntilCurrent()
      try await subject.write((1...3).map { .put(Item(id: $0, section: "a", key: -$0)) }, origin: nil)
      while draft.conflicts.isEmpty { await Task.yield() }
      #expect(draft.conflicts.map { $0.theirs?["key"] } == [.integer(-1)])
    }

    @Test("A changed schema does not lose what is pending")
    func schema() async throws {
      let (subject, draft, list) = try await Self.world([Self.card("a", "A"), Self.card("b", "B")])
      try draft.edit { edit in try edit.update(Card.self, id: "a") { $0.title = "Z" } }
      try await subject.sqlite.write { db in
        try db.execute(
          sql: "ALTER TABLE card ADD COLUMN extra TEXT; UPDATE card SET text = 'new' WHERE id = 'a'")
      }
      await list.waitUntilCurrent()
      #expect(list.snapshot?.itemIdentifiers == ["b", "a"] && list.object(for: "a")?.text == "new")
      try await subject.sqlite.write { db in try db.execute(sql: "UPDATE card SET title = 'M' WHERE id = 'a'")
      }
      #expect(draft.conflicts.count == 1)
      try await draft.save(policy: .mine)
      #expect(
        try await subject.sqlite.read { db in
          try String.fetchAll(db, sql: "SELECT title FROM card ORDER BY id")
        } == ["Z", "B"])
    }

    @Test("Undo leads from a row to another one with its key, and computed columns follow")
    func computedColumns() async throws {
      let (subject, draft, _) = try await Self.world([Self.card("a", "One")])
      try draft.edit { try $0.delete(Card.self, id: "a") }
      try await draft.save()
      try draft.edit { try $0.insert(Self.card("a", "Three")) }
      try await draft.save()
      try draft.undo()
      try draft.undo()
      try await draft.save()
      let stored = try await subject.sqlite.read { db in
        try String.fetchAll(db, sql: "SELECT title || ' ' || slug || ' ' || length FROM card")
      }
      #expect(stored == ["One one 3"])
      #expect(!draft.hasChanges)
    }
  }
#endif
