#if SQLite
  import GRDB
  import LiveDrafts
  import LiveFetch
  import LiveFetchSQLite
  import LiveListsTestSupport
  import Snapshots
  import Testing

  /// A record whose columns are unique in one way or another.
  private struct Seat: Codable, Hashable, FetchableRecord, PersistableRecord, DraftModel {
    var id: Int
    var number: Int
    var name: String?
    var row: Double = 0

    static let databaseTableName = "seat"
    static let fetchTable = FetchTable<Seat>(
      "seat", id: .column("id", \.id), columns: [.column("number", \.number)])
  }

  /// A record that refers to another one by a unique column.
  private struct Ticket: Codable, Hashable, FetchableRecord, PersistableRecord, DraftModel {
    var id: Int
    var seat: String?

    static let databaseTableName = "ticket"
    static let fetchTable = FetchTable<Ticket>(
      "ticket", id: .column("id", \.id), columns: [.column("seat", \.seat)])
  }

  @Suite("Rows of a save that exchange unique values")
  struct ExchangeTests {
    private static let plain = "number INTEGER NOT NULL UNIQUE, name TEXT UNIQUE, row REAL NOT NULL"

    private static func world(
      _ seats: [Seat], columns: String = plain, sql: String = ""
    ) async throws -> (SQLiteSubject, FetchDraft, FetchController<Seat>) {
      let subject = try SQLiteSubject(sql: "CREATE TABLE seat (id INTEGER PRIMARY KEY, \(columns)); \(sql)")
      try await subject.sqlite.write { db in for seat in seats { try seat.insert(db) } }
      let draft = FetchDraft(of: subject.sqlite)
      let list = FetchController(FetchDescriptor<Seat>().ordered(by: .ascending(\.number)), in: draft)
      try await list.performFetch()
      return (subject, draft, list)
    }

    private static func seats(_ subject: SQLiteSubject) async throws -> [Seat] {
      try await subject.sqlite.read { db in try Seat.order(Column("id")).fetchAll(db) }
    }

    private static func set(_ seats: [Seat], in draft: FetchDraft) throws {
      try draft.edit { edit in for seat in seats { try edit.update(seat) { $0 = seat } } }
    }

    @Test(
      "They are saved, whatever the columns are, and undo exchanges them again",
      arguments: [
        plain, "number INTEGER NOT NULL, name TEXT NOT NULL, row REAL NOT NULL, UNIQUE (number, name, row)",
        "number, name TEXT NOT NULL UNIQUE, row REAL NOT NULL UNIQUE",
        "number INTEGER NOT NULL, name TEXT NOT NULL, row REAL NOT NULL, code AS (number || name) STORED UNIQUE",
      ])
    func exchange(_ columns: String) async throws {
      let before = [Seat(id: 1, number: 1, name: "A", row: 1), Seat(id: 2, number: 2, name: "B", row: 2)]
      let after = [Seat(id: 1, number: 2, name: "B", row: 2), Seat(id: 2, number: 1, name: "A", row: 1)]
      let (subject, draft, list) = try await Self.world(before, columns: columns)
      try Self.set(after, in: draft)
      try await draft.save()
      #expect(try await Self.seats(subject) == after)
      #expect(!draft.hasChanges && list.snapshot?.itemIdentifiers == [2, 1])
      try draft.undo()
      #expect(draft.conflicts.isEmpty)
      try await draft.save()
      #expect(try await Self.seats(subject) == before && !draft.hasChanges)
    }

    @Test("Values go round, and a new row takes one that is given up")
    func round() async throws {
      let (subject, draft, _) = try await Self.world((1...4).map { Seat(id: $0, number: $0) })
      try draft.edit { edit in
        try edit.insert(Seat(id: 9, number: 4, name: "new"))
        for id in 1...3 { try edit.update(Seat.self, id: id) { $0.number = id % 3 + 1 } }
        try edit.update(Seat.self, id: 4) { $0.number = 5 }
      }
      try await draft.save()
      #expect(try await Self.seats(subject).map(\.number) == [2, 3, 1, 5, 4])
    }

    @Test("Positions are moved up by one in any order, without a value in between", arguments: [false, true])
    func shift(_ isReversed: Bool) async throws {
      // A trigger would see a row that is written twice.
      let sql = """
        CREATE TABLE written (id INTEGER);
        CREATE TRIGGER noted AFTER UPDATE ON seat BEGIN INSERT INTO written VALUES (NEW.id); END;
        """
      let (subject, draft, _) = try await Self.world((1...50).map { Seat(id: $0, number: $0) }, sql: sql)
      let ids = isReversed ? Array((1...50).reversed()) : Array(1...50)
      try draft.edit { edit in for id in ids { try edit.update(Seat.self, id: id) { $0.number += 1 } } }
      try await draft.save()
      #expect(try await Self.seats(subject).map(\.number) == Array(2...51))
      #expect(
        try await subject.sqlite.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM written") } == 50)
    }

    @Test("Rows of other tables follow that refer to such a value", arguments: ["", "NOT NULL"])
    func followed(_ nullable: String) async throws {
      let sql = """
        CREATE TABLE guest (name TEXT, seat TEXT REFERENCES seat (name) ON UPDATE CASCADE);
        """
      let (subject, draft, _) = try await Self.world(
        [Seat(id: 1, number: 1, name: "A"), Seat(id: 2, number: 2, name: "B")],
        columns: "number INTEGER NOT NULL, name TEXT \(nullable) UNIQUE, row REAL NOT NULL", sql: sql)
      try await subject.sqlite.write { db in
        try db.execute(sql: "INSERT INTO guest VALUES ('first', 'A'), ('second', 'B')")
      }
      try Self.set([Seat(id: 1, number: 1, name: "B"), Seat(id: 2, number: 2, name: "A")], in: draft)
      try await draft.save()
      let guests = try await subject.sqlite.read { db in
        try String.fetchAll(db, sql: "SELECT name || ' ' || seat FROM guest ORDER BY name")
      }
      #expect(guests == ["first B", "second A"])
    }

    @Test(
      "Where the table takes no value in between, the error says how to go about it, and nothing is written")
    func refused() async throws {
      let before = [Seat(id: 1, number: 1), Seat(id: 2, number: 2)]
      let (subject, draft, _) = try await Self.world(
        before,
        columns: "number INTEGER NOT NULL UNIQUE CHECK (number > 0), name TEXT, row REAL NOT NULL")
      try Self.set([Seat(id: 1, number: 2), Seat(id: 2, number: 1)], in: draft)
      let error = await #expect(throws: DatabaseError.self) { try await draft.save() }
      #expect(error?.extendedResultCode == .SQLITE_CONSTRAINT_UNIQUE)
      #expect(error?.message?.contains("Save one of the rows with another value first, then both.") == true)
      #expect(try await Self.seats(subject) == before)
      #expect(draft.changes.count == 2)
    }

    @Test("A value that a row has which is not saved is still an error, and nothing is written")
    func taken() async throws {
      let before = (1...3).map { Seat(id: $0, number: $0) }
      let (subject, draft, _) = try await Self.world(before)
      try Self.set([Seat(id: 1, number: 2), Seat(id: 2, number: 3)], in: draft)
      let error = await #expect(throws: DatabaseError.self) { try await draft.save() }
      #expect(error?.extendedResultCode == .SQLITE_CONSTRAINT_UNIQUE)
      #expect(error?.message?.contains("the row 2 of “seat”") == true)
      #expect(try await Self.seats(subject) == before)
      #expect(draft.changes.count == 2)
    }

    @Test("An error names the row that the database has refused", arguments: [false, true])
    func refusedRow(_ isNew: Bool) async throws {
      let before = (1...9).map { Seat(id: $0, number: $0) }
      let (subject, draft, _) = try await Self.world(
        before, columns: "number INTEGER NOT NULL CHECK (number < 100), name TEXT, row REAL NOT NULL")
      try Self.set((1...9).map { Seat(id: $0, number: $0 == 6 && !isNew ? 100 : -$0) }, in: draft)
      if isNew { try draft.edit { try $0.insert(Seat(id: 10, number: 100)) } }
      let error = await #expect(throws: DatabaseError.self) { try await draft.save() }
      #expect(error?.extendedResultCode == .SQLITE_CONSTRAINT_CHECK)
      #expect(error?.message?.contains("CHECK constraint failed") == true)
      #expect(error?.message?.contains("the row \(isNew ? 10 : 6) of “seat”") == true)
      #expect(try await Self.seats(subject) == before && draft.changes.count == (isNew ? 10 : 9))
    }

    @Test(
      "Rows that refer to a value which passes to another row are saved after it, and undo keeps them",
      arguments: ["CASCADE", "SET NULL"], ["", "DEFERRABLE INITIALLY DEFERRED"])
    func referring(_ action: String, _ check: String) async throws {
      let before = [Ticket(id: 1, seat: "A"), Ticket(id: 2)]
      func world() async throws -> (SQLiteSubject, FetchDraft, FetchController<Ticket>) {
        let (subject, draft, _) = try await Self.world(
          [Seat(id: 1, number: 1, name: "A")],
          sql:
            "CREATE TABLE ticket (id INTEGER PRIMARY KEY, seat TEXT REFERENCES seat (name) ON DELETE \(action) \(check))"
        )
        try await subject.sqlite.write { db in for ticket in before { try ticket.insert(db) } }
        let list = FetchController(FetchDescriptor<Ticket>().ordered(by: .ascending(\.id)), in: draft)
        try await list.performFetch()
        return (subject, draft, list)
      }
      func tickets(_ subject: SQLiteSubject) async throws -> [Ticket] {
        try await subject.sqlite.read { db in try Ticket.order(Column("id")).fetchAll(db) }
      }
      let (subject, draft, list) = try await world()
      try draft.edit { try $0.insert(Seat(id: 2, number: 2, name: "A")) }
      try draft.edit { try $0.update(Ticket.self, id: 2) { $0.seat = "A" } }
      try draft.edit { try $0.delete(Seat.self, id: 1) }
      try await draft.save()
      #expect(try await Self.seats(subject) == [Seat(id: 2, number: 2, name: "A")])
      #expect(try await tickets(subject).last == Ticket(id: 2, seat: "A"))
      #expect(list.object(for: 2)?.seat == "A")

      let (other, undone, otherList) = try await world()
      try undone.edit { try $0.insert(Seat(id: 2, number: 2, name: "A")) }
      try undone.edit { try $0.delete(Seat.self, id: 1) }
      try await undone.save()
      while try undone.undo() {}
      try await undone.save()
      #expect(try await Self.seats(other) == [Seat(id: 1, number: 1, name: "A")])
      #expect(try await tickets(other) == before)
      #expect(otherList.snapshot?.itemIdentifiers == [1, 2])
    }

    /// A record that belongs to another one of its table.
    private struct Tree: Codable, Hashable, FetchableRecord, PersistableRecord, DraftModel {
      var id: Int
      var parent: Int?
      var rank: Int?

      static let databaseTableName = "tree"
      static let fetchTable = FetchTable<Tree>(
        "tree", id: .column("id", \.id), columns: [.column("parent", \.parent), .column("rank", \.rank)])
    }

    @Test(
      "Rows exchange values where one of them also sets its reference, in either order",
      arguments: [nil, 1, 2, 3], [false, true])
    func besideReference(_ parent: Int?, _ isReversed: Bool) async throws {
      let (subject, draft, _) = try await Self.world(
        [],
        sql:
          "CREATE TABLE tree (id INTEGER PRIMARY KEY, parent INTEGER REFERENCES tree ON DELETE SET NULL, rank INTEGER UNIQUE)"
      )
      let before = [Tree(id: 1, parent: 3, rank: 1), Tree(id: 2, rank: 2), Tree(id: 3, rank: 3)]
      try await subject.sqlite.write { db in for tree in before.reversed() { try tree.insert(db) } }
      func trees() async throws -> [Tree] {
        try await subject.sqlite.read { db in try Tree.order(Column("id")).fetchAll(db) }
      }
      let edits: [() throws -> Void] = [
        { try draft.edit { try $0.update(Tree.self, id: 2) { $0.rank = 1 } } },
        { try draft.edit { try $0.update(Tree.self, id: 1) { ($0.rank, $0.parent) = (2, parent) } } },
      ]
      for edit in isReversed ? edits.reversed() : edits { try edit() }
      try await draft.save()
      #expect(try await trees() == [Tree(id: 1, parent: parent, rank: 2), Tree(id: 2, rank: 1), before[2]])
      while try draft.undo() {}
      try await draft.save()
      #expect(try await trees() == before)
    }

    @Test("Rows exchange values of which one then goes along with another row, and comes back with its own")
    func beforeGoingAlong() async throws {
      let (subject, draft, _) = try await Self.world(
        [],
        sql:
          "CREATE TABLE tree (id INTEGER PRIMARY KEY, parent INTEGER REFERENCES tree ON DELETE CASCADE, rank INTEGER UNIQUE)"
      )
      let before = [Tree(id: 1, rank: 1), Tree(id: 2, rank: 2), Tree(id: 5, parent: 2, rank: 5)]
      try await subject.sqlite.write { db in for tree in before { try tree.insert(db) } }
      func trees() async throws -> [Tree] {
        try await subject.sqlite.read { db in try Tree.order(Column("id")).fetchAll(db) }
      }
      let list = FetchController(FetchDescriptor<Tree>().ordered(by: .ascending(\.rank)), in: draft)
      try await list.performFetch()
      try draft.edit { edit in
        try edit.update(Tree.self, id: 1) { $0.rank = 5 }
        try edit.update(Tree.self, id: 5) { $0.rank = 1 }
      }
      try draft.edit { try $0.delete(Tree.self, id: 2) }
      try await draft.save()
      #expect(try await trees() == [Tree(id: 1, rank: 5)])
      try draft.undo()
      try await draft.save()
      #expect(try await trees() == [Tree(id: 1, rank: 5), before[1], Tree(id: 5, parent: 2, rank: 1)])
      try draft.undo()
      try await draft.save()
      #expect(try await trees() == before)
    }

    @Test(
      "A row that leaves one which is deleted takes its unique value, or exchanges it with a third one",
      arguments: [false, true],
      [false, true])
    func movedOut(_ isExchanged: Bool, _ deletesFirst: Bool) async throws {
      let (subject, draft, _) = try await Self.world(
        [],
        sql:
          "CREATE TABLE tree (id INTEGER PRIMARY KEY, parent INTEGER REFERENCES tree ON DELETE CASCADE, rank INTEGER UNIQUE)"
      )
      let before = [
        Tree(id: 1, rank: 1), Tree(id: 2, parent: 1, rank: 2), Tree(id: 3, rank: 3),
        Tree(id: 4, parent: 1, rank: 4),
      ]
      try await subject.sqlite.write { db in for tree in before { try tree.insert(db) } }
      let list = FetchController(FetchDescriptor<Tree>().ordered(by: .ascending(\.rank)), in: draft)
      try await list.performFetch()
      func trees() async throws -> [Tree] {
        try await subject.sqlite.read { db in try Tree.order(Column("id")).fetchAll(db) }
      }
      try draft.edit { edit in
        if deletesFirst { try edit.delete(Tree.self, id: 1) }
        try edit.update(Tree.self, id: 2) { ($0.parent, $0.rank) = (nil, isExchanged ? 3 : 1) }
        if isExchanged { try edit.update(Tree.self, id: 3) { $0.rank = 2 } }
        if !deletesFirst { try edit.delete(Tree.self, id: 1) }
      }
      try await draft.save()
      let after =
        isExchanged
        ? [Tree(id: 2, rank: 3), Tree(id: 3, rank: 2)] : [Tree(id: 2, rank: 1), Tree(id: 3, rank: 3)]
      #expect(try await trees() == after)
      try draft.undo()
      try await draft.save()
      #expect(try await trees() == before && list.snapshot?.itemIdentifiers == [1, 2, 3, 4])
    }
  }
#endif
