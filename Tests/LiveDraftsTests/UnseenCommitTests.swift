#if SQLite
  import GRDB
  import LiveDrafts
  import LiveFetch
  import LiveFetchSQLite
  import LiveListsTestSupport
  import Snapshots
  import Testing

  /// Other processes write, and the store has not told of it yet, or never does, when a draft is saved.
  @Suite("Commits that a save finds before the draft was told of them")
  struct UnseenCommitTests {
    struct Case: Sendable, CustomTestStringConvertible {
      var testDescription: String
      var policy: DraftPolicy
      var start: Item? = Item(id: 1, section: "a", key: 0, note: "q")
      var edit: @Sendable (DraftEdit) throws -> Void
      var theirs: String
      /// The row after the save, and after its undo was saved.
      var saved: Item?
      var undone: Item?
    }

    static func item(_ key: Int, _ note: String) -> Item { Item(id: 1, section: "a", key: key, note: note) }
    private static let setKey: @Sendable (DraftEdit) throws -> Void = { edit in
      try edit.update(Item.self, id: 1) { $0.key = 3 }
    }
    private static let delete: @Sendable (DraftEdit) throws -> Void = { try $0.delete(Item.self, id: 1) }
    private static let insert: @Sendable (DraftEdit) throws -> Void = { try $0.insert(item(0, "q")) }

    static let cases = [
      Case(
        testDescription: "the same value", policy: .mergeColumns, edit: setKey,
        theirs: "UPDATE item SET key = 3", saved: item(3, "q"), undone: item(3, "q")),
      Case(
        testDescription: "another value, over which mine counts", policy: .mine, edit: setKey,
        theirs: "UPDATE item SET key = 9", saved: item(3, "q"), undone: item(9, "q")),
      Case(
        testDescription: "another column", policy: .mergeColumns, edit: setKey,
        theirs: "UPDATE item SET note = 'z'", saved: item(3, "z"), undone: item(0, "z")),
      Case(
        testDescription: "another value, which counts", policy: .theirs, edit: setKey,
        theirs: "UPDATE item SET key = 9", saved: item(9, "q"), undone: item(9, "q")),
      Case(
        testDescription: "a deletion, which counts", policy: .theirs, edit: setKey,
        theirs: "DELETE FROM item",
        saved: nil, undone: nil),
      Case(
        testDescription: "a deletion, over which mine counts", policy: .mine, edit: setKey,
        theirs: "DELETE FROM item", saved: item(3, "q"), undone: nil),
      Case(
        testDescription: "the same deletion", policy: .mergeColumns, edit: delete, theirs: "DELETE FROM item",
        saved: nil, undone: nil),
      Case(
        testDescription: "a change of a row that is deleted", policy: .mine, edit: delete,
        theirs: "UPDATE item SET key = 9", saved: nil, undone: item(9, "q")),
      Case(
        testDescription: "a change of a row that is deleted, which counts", policy: .theirs, edit: delete,
        theirs: "UPDATE item SET key = 9", saved: item(9, "q"), undone: item(9, "q")),
      Case(
        testDescription: "a key that was taken, which counts", policy: .theirs, start: nil, edit: insert,
        theirs: "INSERT INTO item VALUES (1, 'a', 9, 'z')", saved: item(9, "z"), undone: item(9, "z")),
      Case(
        testDescription: "a key that was taken, over which mine counts", policy: .mine, start: nil,
        edit: insert,
        theirs: "INSERT INTO item VALUES (1, 'a', 9, 'z')", saved: item(0, "q"), undone: item(9, "z")),
      Case(
        testDescription: "the same insertion", policy: .mergeColumns, start: nil, edit: insert,
        theirs: "INSERT INTO item VALUES (1, 'a', 0, 'q')", saved: item(0, "q"), undone: item(0, "q")),
    ]

    @Test(
      "Lists show what is there after it, and undo leads to theirs", arguments: cases, [true, false])
    func found(_ found: Case, _ observesOtherProcesses: Bool) async throws {
      var options = SQLiteStoreOptions()
      options.observesOtherProcesses = observesOtherProcesses
      let subject = try SQLiteSubject(options)
      if let start = found.start { try await subject.write([.put(start)], origin: nil) }
      let draft = FetchDraft(of: subject.sqlite)
      let list = FetchController(.byKey, in: draft)
      try await list.performFetch()
      try draft.edit { try found.edit($0) }
      let other = try DatabaseQueue(path: subject.sqlite.pool.path)
      try await other.write { try $0.execute(sql: found.theirs) }
      try other.close()
      try await draft.save(policy: found.policy)
      #expect(try await subject.items()[1] == found.saved)
      // A reset has the list read anew, which may still be under way.
      await draft.waitUntilCurrent()
      await list.waitUntilCurrent()
      #expect(
        list.object(for: 1) == found.saved
          && list.snapshot?.itemIdentifiers == (found.saved == nil ? [] : [1]))
      #expect(!draft.hasChanges)
      try draft.undo()
      #expect(list.object(for: 1) == found.undone && draft.conflicts.isEmpty)
      try await draft.save()
      #expect(try await subject.items()[1] == found.undone)
      try draft.redo()
      #expect(list.object(for: 1) == found.saved && draft.conflicts.isEmpty)
    }

    @Test("A save that is refused leaves theirs in the conflict")
    func refused() async throws {
      let subject = try SQLiteSubject()
      try await subject.write([.put(Self.item(0, "q"))], origin: nil)
      let draft = FetchDraft(of: subject.sqlite)
      try draft.edit { try Self.setKey($0) }
      let other = try DatabaseQueue(path: subject.sqlite.pool.path)
      try await other.write { try $0.execute(sql: "UPDATE item SET key = 9") }
      try other.close()
      let conflict = await #expect(throws: DraftConflict.self) { try await draft.save() }
      #expect(conflict?.rows.first?.theirs?["key"] == .integer(9))
      #expect(draft.changes.count == 1 && draft.undoNames.count == 1)
      try await draft.save(policy: .mine)
      try draft.undo()
      try await draft.save()
      #expect(try await subject.items()[1]?.key == 9)
    }
  }
#endif
