import Foundation
import LiveDrafts
import LiveFetch
import LiveListsTestSupport
import Snapshots
import Testing

@Suite("Drafts")
struct FetchDraftTests {
  static func world(_ count: Int = 3) async throws -> (
    store: InMemoryStore, draft: FetchDraft, list: FetchController<Item>
  ) {
    let store = InMemoryStore()
    store.write { transaction in
      for id in 1...count { transaction.put(Item(id: id, section: "a", key: id).values, in: "item") }
    }
    let draft = FetchDraft(of: store)
    let list = FetchController(.byKey, in: draft)
    try await list.performFetch()
    return (store, draft, list)
  }

  @Test("A save of a task that was cancelled throws, and all stays pending")
  func cancelled() async throws {
    let (store, draft, _) = try await Self.world()
    try await Self.savesNothingWhenCancelled(draft) { try $0.delete(Item.self, id: 2) }
    #expect(try store.items.count == 3)
  }

  /// Saves and writes in a task that is cancelled.
  static func savesNothingWhenCancelled(
    _ draft: FetchDraft, _ body: @escaping @Sendable (DraftEdit) throws -> Void
  ) async throws {
    func cancelled(_ save: @escaping @Sendable () async throws -> Void) async {
      let task = Task {
        withUnsafeCurrentTask { $0?.cancel() }
        try await save()
      }
      await #expect(throws: CancellationError.self) { try await task.value }
    }
    await cancelled { try await draft.write { try body($0) } }
    #expect(!draft.hasChanges && draft.undoNames.isEmpty)
    try draft.edit { try body($0) }
    let changes = draft.changes
    await cancelled { try await draft.save() }
    #expect(draft.changes == changes && draft.undoNames.count == 1)
  }

  @Test("An edit shows at once, is in the store after the save, and can be undone across it")
  func editAndSave() async throws {
    let (store, draft, list) = try await Self.world()
    try draft.edit("Order") { edit in
      try edit.update(Item.self, id: 1) { $0.key = 5 }
      try edit.delete(Item.self, id: 2)
      try edit.insert(Item(id: 4, section: "b", key: 4))
    }
    #expect(list.snapshot?.itemIdentifiers == [3, 4, 1])
    #expect(try store.items[1]?.key == 1)
    #expect(draft.hasChanges)
    #expect(draft.state(of: Item.self, 1) == .updated(["key"]))
    #expect(draft.state(of: Item.self, 2) == .deleted)
    #expect(draft.state(of: Item.self, 4) == .inserted)
    #expect(list.object(for: 1)?.key == 5)
    let again = FetchController(.byKey.limit(2), in: draft)
    #expect(try await again.performFetch().itemIdentifiers == [3, 4])
    try await draft.save()
    #expect(!draft.hasChanges)
    #expect(try store.items.keys.sorted() == [1, 3, 4])
    #expect(list.snapshot?.itemIdentifiers == [3, 4, 1])
    #expect(draft.undoNames == ["Order"])
    try draft.undo()
    #expect(list.snapshot?.itemIdentifiers == [1, 2, 3])
    #expect(draft.hasChanges && draft.redoNames == ["Order"])
    try await draft.save()
    #expect(
      try store.items.values.sorted { $0.id < $1.id } == (1...3).map { Item(id: $0, section: "a", key: $0) })
    try draft.redo()
    #expect(list.snapshot?.itemIdentifiers == [3, 4, 1])
  }

  @Test("Undo after a save is a conflict where somebody has changed the same since")
  func undoAgainstOthers() async throws {
    let (store, draft, _) = try await Self.world()
    try draft.edit("One") { edit in try edit.update(Item.self, id: 1) { $0.key = 5 } }
    try await draft.save()
    store.put(Item(id: 1, section: "a", key: 7))
    try draft.undo()
    #expect(draft.conflicts.map(\.id) == [.integer(1)])
    await #expect(throws: DraftConflict.self) { try await draft.save() }
    #expect(try store.items[1]?.key == 7)
  }

  @Test(
    "Redo of a discard that was undone changes nothing of which a save has let theirs count since",
    arguments: [true, false])
  func redoneDiscard(_ isDeletion: Bool) async throws {
    let (store, draft, list) = try await Self.world()
    try draft.edit("Edit") { edit in
      if isDeletion {
        try edit.delete(Item.self, id: 1)
      } else {
        try edit.update(Item.self, id: 1) { $0.key = 5 }
      }
    }
    draft.discard()
    try draft.undo()
    store.put(Item(id: 1, section: "a", key: 7))
    try await draft.save(policy: .theirs)
    try draft.redo()
    #expect(!draft.hasChanges && list.object(for: 1)?.key == 7)
  }

  @Test("Undo of an insertion that was deleted again leaves alone the row that others have made since")
  func undoneInsertion() async throws {
    let (store, draft, list) = try await Self.world()
    try draft.edit { edit in try edit.insert(Item(id: 9, section: "a", key: 9)) }
    try await draft.save()
    try draft.edit { edit in try edit.delete(Item.self, id: 9) }
    try await draft.save()
    try draft.undo()
    store.put(Item(id: 9, section: "a", key: 9, note: "theirs"))
    #expect(draft.conflicts.count == 1)
    try draft.undo()
    #expect(!draft.hasChanges && list.object(for: 9)?.note == "theirs")
  }

  @Test("Undo of several edits leads back to what a save wrote over, each edit to the one before it")
  func undoingOverTheirs() async throws {
    let (store, draft, list) = try await Self.world()
    for key in [5, 6] { try draft.edit { edit in try edit.update(Item.self, id: 1) { $0.key = key } } }
    try draft.edit { edit in try edit.delete(Item.self, id: 1) }
    store.put(Item(id: 1, section: "a", key: 7, note: "theirs"))
    try await draft.save(policy: .mine)
    for key in [6, 5, 7] {
      try draft.undo()
      #expect(list.object(for: 1) == Item(id: 1, section: "a", key: key, note: "theirs"))
      #expect(draft.conflicts.isEmpty)
    }
    try await draft.save()
    #expect(try store.items[1] == Item(id: 1, section: "a", key: 7, note: "theirs"))
    for _ in 0..<3 { try draft.redo() }
    try await draft.save()
    #expect(try store.items[1] == nil)
  }

  @Test("Several undos across one save are no conflict with oneself, and are saved")
  func undoingTwice() async throws {
    let (store, draft, list) = try await Self.world()
    try draft.edit { edit in try edit.insert(Item(id: 4, section: "a", key: 4)) }
    for key in [5, 6] {
      try draft.edit { edit in
        try edit.update(Item.self, id: 1) { $0.key = key }
        try edit.update(Item.self, id: 4) { $0.key = key }
      }
    }
    try await draft.save()
    for _ in 0..<3 { try draft.undo() }
    #expect(draft.conflicts.isEmpty && list.snapshot?.itemIdentifiers == [1, 2, 3])
    try await draft.save()
    #expect(try store.items == (1...3).reduce(into: [:]) { $0[$1] = Item(id: $1, section: "a", key: $1) })
  }

  @Test("From the edit to the saved row a list's difference touches the row once")
  func noFlicker() async throws {
    let (store, draft, list) = try await Self.world()
    let changes = list.changes.makeAsyncIterator()
    _ = try await changes.next()
    try draft.edit(origin: "mine") { edit in
      try edit.update(Item.self, id: 1) { $0.key = 5 }
      try edit.insert(Item(id: 9, section: "a", key: 9))
      try edit.delete(Item.self, id: 2)
    }
    let first = try #require(try await changes.next())
    #expect(first.origins == ["mine"])
    #expect((first.inserted, first.deleted, first.moved + first.updated) == ([9], [2], [1]))
    try await draft.save(origin: "save")
    // Nothing came of the save: the next change is that of the next commit.
    store.put(Item(id: 3, section: "a", key: 3, note: "later"), origin: "later")
    let second = try #require(try await changes.next())
    #expect(second.origins == ["later"])
    #expect((second.inserted, second.deleted, second.moved, second.updated) == ([], [], [], [3]))
    #expect(second.position > first.position)
  }

  @Test("Other columns that others change are seen beneath an edit at once")
  func othersColumns() async throws {
    let (store, draft, list) = try await Self.world()
    try draft.edit { edit in try edit.update(Item.self, id: 1) { $0.note = "mine" } }
    store.put(Item(id: 1, section: "a", key: 9))
    #expect(list.snapshot?.itemIdentifiers == [2, 3, 1])
    #expect(list.object(for: 1) == Item(id: 1, section: "a", key: 9, note: "mine"))
    #expect(draft.conflicts.isEmpty)
    store.put(Item(id: 1, section: "a", key: 9, note: "theirs"))
    #expect(draft.conflicts.map(\.theirs) == [Item(id: 1, section: "a", key: 9, note: "theirs").values])
    draft.discard(Item.self, [1])
    #expect(list.object(for: 1)?.note == "theirs")
    try draft.undo()
    #expect(list.object(for: 1)?.note == "mine")
    #expect(draft.conflicts.count == 1)
  }

  @Test("A conflict is told to lists when it happens, as an update of the row")
  func conflictIsTold() async throws {
    let (store, draft, list) = try await Self.world()
    let changes = list.changes.makeAsyncIterator()
    _ = try await changes.next()
    try draft.edit { edit in try edit.update(Item.self, id: 1) { $0.note = "mine" } }
    _ = try await changes.next()
    store.put(Item(id: 1, section: "a", key: 1, note: "theirs"))
    let change = try #require(try await changes.next())
    #expect(change.updated == [1])
    guard case .conflicting(let row) = draft.state(of: Item.self, 1) else {
      Issue.record("No conflict.")
      return
    }
    #expect(
      row.columns == ["note"] && row.mine?["note"] == .text("mine") && row.theirs?["note"] == .text("theirs"))
  }

  @Test("A conflict names the columns that others have changed, where both have changed none")
  func columnsOfOthers() async throws {
    let (store, draft, _) = try await Self.world(1)
    try draft.edit { edit in try edit.update(Item.self, id: 1) { $0.note = "mine" } }
    store.put(Item(id: 1, section: "b", key: 1))
    let conflict = await #expect(throws: DraftConflict.self) { try await draft.save(policy: .fail) }
    #expect(conflict?.rows.map(\.columns) == [["section"]])
  }

  @Test("Edits of columns that a list does not show are not told to it")
  func ignoredColumns() async throws {
    let (_, draft, _) = try await Self.world()
    let list = FetchController(FetchDescriptor<Item>.byKey.ignoringChanges(to: \.note), in: draft)
    try await list.performFetch()
    let changes = list.changes.makeAsyncIterator()
    _ = try await changes.next()
    try draft.edit(origin: "hidden") { edit in try edit.update(Item.self, id: 1) { $0.note = "n" } }
    try draft.edit(origin: "shown") { edit in try edit.update(Item.self, id: 2) { $0.section = "b" } }
    let change = try #require(try await changes.next())
    #expect(change.origins == ["shown"] && change.updated == [2])
    #expect(list.object(for: 1)?.note == "n")
  }

  @Test("Edits that set what is there are none, and nothing is left of a row that is inserted and deleted")
  func nothingLeft() async throws {
    let (_, draft, _) = try await Self.world()
    try draft.edit { edit in try edit.update(Item.self, id: 1) { $0.key = 1 } }
    #expect(!draft.hasChanges && draft.undoNames.isEmpty)
    try draft.edit { edit in try edit.insert(Item(id: 9, section: "a", key: 1)) }
    try draft.edit { edit in try edit.delete(Item.self, id: 9) }
    try draft.edit { edit in try edit.update(Item.self, id: 1) { $0.key = 4 } }
    try draft.edit { edit in try edit.update(Item.self, id: 1) { $0.key = 1 } }
    #expect(!draft.hasChanges)
  }

  @Test("Mistakes in an edit are errors, and nothing of the group is done")
  func mistakes() async throws {
    let (_, draft, list) = try await Self.world()
    let before = list.snapshot
    func kind(_ body: (DraftEdit) throws -> Void) -> DraftError.Kind? {
      do {
        try draft.edit { edit in
          try edit.delete(Item.self, id: 3)
          try body(edit)
        }
        return nil
      } catch { return (error as? DraftError)?.kind }
    }
    #expect(kind { try $0.update(Item.self, id: 9) { $0.key = 1 } } == .rowMissing)
    #expect(kind { try $0.update(Item.self, id: 3) { $0.key = 1 } } == .rowMissing)
    #expect(kind { try $0.insert(Item(id: 1, section: "a", key: 1)) } == .rowExists)
    #expect(kind { try $0.update(Item.self, id: 1) { $0.id = 7 } } == .identifier)
    #expect(!draft.hasChanges && list.snapshot == before)
  }

  @Test("What is written beside is taken back where the save fails, with the reason")
  func optimistic() async throws {
    let (store, _, _) = try await Self.world()
    let interrupted = InterruptedStore(store)
    let draft = FetchDraft(of: interrupted)
    let list = FetchController(.byKey, in: draft)
    try await list.performFetch()
    struct Offline: Error {}
    interrupted.interrupt {
      #expect(list.snapshot?.itemIdentifiers == [2, 3, 1])
      // Another row is edited while the save is under way, and stays.
      try draft.edit("Other") { edit in try edit.update(Item.self, id: 2) { $0.note = "n" } }
      throw Offline()
    }
    await #expect(throws: Offline.self) {
      try await draft.write("Move") { edit in try edit.update(Item.self, id: 1) { $0.key = 9 } }
    }
    #expect(list.snapshot?.itemIdentifiers == [1, 2, 3])
    #expect(draft.undoNames == ["Other"] && draft.changes.count == 1)
    try await draft.write("Move") { edit in try edit.update(Item.self, id: 1) { $0.key = 9 } }
    #expect(try store.items[1]?.key == 9)
    // Only the rows of the edit were saved.
    #expect(draft.changes.count == 1)
  }

  @Test("What is edited while a save is under way is pending after it, and is no conflict")
  func editDuringSave() async throws {
    let (store, _, _) = try await Self.world()
    let interrupted = InterruptedStore(store)
    let draft = FetchDraft(of: interrupted)
    let list = FetchController(.byKey, in: draft)
    try await list.performFetch()
    try draft.edit { edit in
      try edit.update(Item.self, id: 1) { $0.key = 5 }
      try edit.insert(Item(id: 8, section: "a", key: 8))
    }
    interrupted.interrupt {
      try draft.edit("Later") { edit in
        try edit.update(Item.self, id: 1) { $0.key = 6 }
        try edit.update(Item.self, id: 8) { $0.note = "later" }
      }
    }
    try await draft.save()
    #expect(try store.items[1]?.key == 5)
    #expect(draft.state(of: Item.self, 1) == .updated(["key"]))
    #expect(draft.state(of: Item.self, 8) == .updated(["note"]))
    #expect(draft.conflicts.isEmpty)
    #expect(list.snapshot?.itemIdentifiers == [2, 3, 1, 8])
    try draft.undo()
    #expect(!draft.hasChanges)
    try await draft.save()
    #expect(list.object(for: 1)?.key == 5)
  }

  @Test("Drafts over one store know nothing of one another, and see what is saved")
  func manyDrafts() async throws {
    let (store, one, list) = try await Self.world()
    let two = FetchDraft(of: store)
    let other = FetchController(.byKey, in: two)
    try await other.performFetch()
    try one.edit { edit in try edit.update(Item.self, id: 1) { $0.key = 9 } }
    try two.edit { edit in try edit.update(Item.self, id: 1) { $0.note = "two" } }
    #expect(list.snapshot?.itemIdentifiers == [2, 3, 1] && other.snapshot?.itemIdentifiers == [1, 2, 3])
    try await one.save()
    #expect(other.snapshot?.itemIdentifiers == [2, 3, 1])
    try await two.save()
    #expect(list.object(for: 1) == Item(id: 1, section: "a", key: 9, note: "two"))
  }

  @Test("A list over a draft waits for a commit of the store, whatever was edited before it")
  func waiting() async throws {
    let (store, draft, list) = try await Self.world()
    for key in 10..<20 { try draft.edit { edit in try edit.update(Item.self, id: 1) { $0.key = key } } }
    store.reset()
    let position = store.write { $0.put(Item(id: 4, section: "a", key: 4).values, in: "item") }.position
    await list.waitUntil(position)
    #expect(list.snapshot?.numberOfItems == 4)
  }

  @Test("After the store was closed, edits and saves fail, and lists end")
  func closing() async throws {
    let (store, draft, list) = try await Self.world()
    try draft.edit { edit in try edit.update(Item.self, id: 1) { $0.key = 9 } }
    let changes = list.changes.makeAsyncIterator()
    _ = try await changes.next()
    store.close()
    #expect(try await changes.next() == nil)
    #expect(throws: FetchError.self) { try draft.edit { edit in try edit.delete(Item.self, id: 1) } }
    await #expect(throws: FetchError.self) { try await draft.save() }
    #expect(draft.hasChanges)
  }
}
