#if SQLite
  import GRDB
  import LiveDrafts
  import LiveFetch
  import LiveFetchSQLite
  import LiveListsTestSupport
  import Snapshots
  import Synchronization
  import Testing
  import _TestTools

  /// Undo of saves that the store has performed otherwise than they were sent.
  @Suite("Undo of what a save has left otherwise than the draft had it")
  struct SaveOutcomeTests {
    /// - Parameter isTold: Whether commits say which rows they have touched; otherwise they come round as a reset.
    static func world(_ sql: String = "", isTold: Bool = true) async throws -> (
      SQLiteSubject, FetchDraft, FetchController<Item>
    ) {
      let options = SQLiteStoreOptions(isTold: isTold)
      let subject = try SQLiteSubject(options, sql: sql)
      try await subject.write([.put(Item(id: 1, section: "a", key: 1, note: "n"))], origin: nil)
      let draft = FetchDraft(of: subject.sqlite)
      let list = FetchController(.byKey, in: draft)
      try await list.performFetch()
      return (subject, draft, list)
    }

    @Test(
      "An insertion that a trigger changed is undone, also after an edit that is undone first",
      arguments: [false, true], [true, false])
    func insertionWithTrigger(_ isEdited: Bool, _ isTold: Bool) async throws {
      let (subject, draft, _) = try await Self.world(SQLiteSubject.triggers, isTold: isTold)
      try draft.edit { try $0.insert(Item(id: 5, section: "a", key: 3)) }
      try await draft.save()
      if isEdited {
        try draft.edit { try $0.update(Item.self, id: 5) { $0.section = "b" } }
        try await draft.save()
        try draft.undo()
        try await draft.save()
      }
      try draft.undo()
      #expect(draft.conflicts.isEmpty)
      try await draft.save()
      #expect(try await subject.items()[5] == nil)
      try draft.redo()
      try await draft.save()
      #expect(try await subject.items()[5] == Item(id: 5, section: "a", key: 2, note: "t"))
    }

    @Test("An update of which a trigger changed the value is undone", arguments: [true, false])
    func updateWithTrigger(_ isTold: Bool) async throws {
      let (subject, draft, _) = try await Self.world(SQLiteSubject.triggers, isTold: isTold)
      try draft.edit { try $0.update(Item.self, id: 1) { $0.key = 3 } }
      try draft.edit { try $0.update(Item.self, id: 1) { $0.note = "m" } }
      try await draft.save()
      try draft.undo()
      try draft.undo()
      #expect(draft.conflicts.isEmpty && draft.changes.first?.columns == ["key", "note"])
      try await draft.save()
      #expect(try await subject.items()[1] == Item(id: 1, section: "a", key: 1, note: "n"))
    }

    @Test(
      "What was edited while the save was under way is an edit of what a trigger has left",
      arguments: [true, false])
    func editedMeanwhile(_ isTold: Bool) async throws {
      let (subject, _, _) = try await Self.world(SQLiteSubject.triggers, isTold: isTold)
      let interrupted = InterruptedStore(subject.sqlite)
      let draft = FetchDraft(of: interrupted)
      let list = FetchController(.byKey, in: draft)
      try await list.performFetch()
      try draft.edit { try $0.insert(Item(id: 5, section: "a", key: 3)) }
      interrupted.interrupt {
        try draft.edit { try $0.update(Item.self, id: 5) { ($0.key, $0.note) = (1, "m") } }
      }
      try await draft.save()
      await draft.waitUntilCurrent()
      #expect(draft.conflicts.isEmpty && draft.changes.first?.columns == ["key", "note"])
      try draft.undo()
      try draft.redo()
      #expect(draft.conflicts.isEmpty)
      try await draft.save()
      #expect(try await subject.items()[5] == Item(id: 5, section: "a", key: 1, note: "m"))
      try draft.undo()
      try await draft.save()
      #expect(try await subject.items()[5] == Item(id: 5, section: "a", key: 2, note: "t"))
    }

    @Test("Where the save is told as a reset, a row that others have changed right after it is in conflict")
    func othersAfterReset() async throws {
      let (subject, _, _) = try await Self.world(SQLiteSubject.triggers, isTold: false)
      let late = LateStore(subject.sqlite)
      let draft = FetchDraft(of: late)
      try await FetchController(.byKey, in: draft).performFetch()
      try draft.edit { try $0.update(Item.self, id: 1) { $0.note = "mine" } }
      late.afterSave {
        try await subject.sqlite.write { db in try db.execute(sql: "UPDATE item SET note = 'theirs'") }
      }
      try await draft.save()
      try draft.undo()
      await draft.waitUntilCurrent()
      #expect(draft.conflicts.count == 1)
      await #expect(throws: DraftConflict.self) { try await draft.save() }
    }

    @Test("What somebody else changed after the trigger is a conflict", arguments: [true, false])
    func othersAfterTrigger(_ isTold: Bool) async throws {
      let (subject, draft, _) = try await Self.world(SQLiteSubject.triggers, isTold: isTold)
      try draft.edit { try $0.insert(Item(id: 5, section: "a", key: 3)) }
      try await draft.save()
      try await subject.sqlite.write { db in
        try db.execute(sql: "UPDATE item SET note = 'theirs' WHERE id = 5")
      }
      try draft.edit { try $0.update(Item.self, id: 5) { $0.section = "b" } }
      try await draft.save()
      try draft.undo()
      try draft.undo()
      await draft.waitUntilCurrent()
      #expect(draft.conflicts.count == 1)
    }

    @Test("A column that the save has dropped is not undone", arguments: [false, true])
    func droppedColumn(_ isKnown: Bool) async throws {
      let (subject, draft, list) = try await Self.world()
      try draft.edit { try $0.update(Item.self, id: 1) { ($0.note, $0.key) = ("mine", 9) } }
      try draft.edit { try $0.update(Item.self, id: 1) { $0.note = "mine again" } }
      let sql = "UPDATE item SET note = 'theirs' WHERE id = 1"
      if isKnown {
        try await subject.sqlite.write { db in try db.execute(sql: sql) }
      } else {
        let other = try DatabaseQueue(path: subject.folder.path + "/drafts.sqlite")
        try await other.write { db in try db.execute(sql: sql) }
      }
      try await draft.save(policy: .theirs)
      try draft.undo()
      #expect(!draft.hasChanges && list.object(for: 1)?.note == "theirs")
      try draft.undo()
      #expect(draft.changes.first?.columns == ["key"] && draft.conflicts.isEmpty)
      try await draft.save()
      #expect(try await subject.items()[1] == Item(id: 1, section: "a", key: 1, note: "theirs"))
      try draft.redo()
      #expect(draft.changes.first?.columns == ["key"] && list.object(for: 1)?.note == "theirs")
    }

    @Test(
      "A row that the save has dropped as a whole is not undone", arguments: ["insert", "delete", "gone"])
    func droppedRow(_ what: String) async throws {
      let (subject, draft, _) = try await Self.world()
      try draft.edit { edit in
        switch what {
        case "insert": try edit.insert(Item(id: 2, section: "m", key: 2))
        case "delete": try edit.delete(Item.self, id: 1)
        default: try edit.update(Item.self, id: 1) { $0.key = 9 }
        }
      }
      switch what {
      case "insert": try await subject.write([.put(Item(id: 2, section: "t", key: 3))], origin: nil)
      case "delete": try await subject.write([.put(Item(id: 1, section: "t", key: 3))], origin: nil)
      default: try await subject.write([.remove(1)], origin: nil)
      }
      try await draft.save(policy: .theirs)
      let rows = try await subject.items()
      #expect(!draft.hasChanges)
      try draft.undo()
      #expect(!draft.hasChanges)
      try draft.redo()
      #expect(!draft.hasChanges)
      #expect(try await subject.items() == rows)
    }

    @Test(
      "A row that went with another one in the same save comes back with it", arguments: [false, true],
      [true, false])
    func cascade(_ isOneStep: Bool, _ isTold: Bool) async throws {
      let options = SQLiteStoreOptions(isTold: isTold)
      let (subject, draft, list) = try await SQLiteDraftTests.world(
        [SQLiteDraftTests.card("a", "A"), SQLiteDraftTests.card("b", "B", parent: "a")], options)
      let before = try await subject.sqlite.read { db in try Card.order(Column("id")).fetchAll(db) }
      if isOneStep {
        try draft.edit { edit in
          try edit.delete(Card.self, id: "a")
          try edit.update(Card.self, id: "b") { $0.text = "edited" }
        }
      } else {
        try draft.edit { try $0.update(Card.self, id: "b") { $0.text = "edited" } }
        try draft.edit { try $0.update(Card.self, id: "b") { $0.title = "C" } }
        try draft.edit { try $0.delete(Card.self, id: "a") }
      }
      try await draft.save()
      await list.waitUntilCurrent()
      #expect(list.snapshot?.numberOfItems == 0 && !draft.hasChanges)
      for _ in 0..<(isOneStep ? 1 : 3) { try draft.undo() }
      #expect(draft.conflicts.isEmpty)
      try await draft.save()
      let after = try await subject.sqlite.read { db in try Card.order(Column("id")).fetchAll(db) }
      #expect(after == before)
    }
  }

  /// A store in which something happens between the end of a save and its caller's next step.
  private final class LateStore: ForwardingStore {
    let base: any DraftSaving
    private let body = Mutex<(@Sendable () async throws -> Void)?>(nil)

    init(_ base: any DraftSaving) { self.base = base }

    func afterSave(_ body: @escaping @Sendable () async throws -> Void) { self.body.withLock { $0 = body } }

    func save(_ changes: [DraftChange], policy: DraftPolicy, origins: [String]) async throws {
      try await base.save(changes, policy: policy, origins: origins)
      try await body.withLock { $0 }?()
    }
  }
#endif
