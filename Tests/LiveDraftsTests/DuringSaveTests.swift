import Foundation
import LiveFetch
import LiveDraftStore
import LiveStore
import LiveListsTestSupport
import Snapshots
import Testing

@testable import LiveDrafts

@Suite("What is done while a save is under way")
struct DuringSaveTests {
  struct Offline: Error {}

  /// Saves a row that is changed, one that is new and one that is deleted, and does something meanwhile.
  static func save(
    fails: Bool, _ body: @escaping @Sendable (FetchDraft, FetchController<Item>) throws -> Void
  ) async throws -> (store: InMemoryStore, draft: FetchDraft, list: FetchController<Item>) {
    let (store, _, _) = try await FetchDraftTests.world()
    let interrupted = InterruptedStore(store)
    let draft = FetchDraft(of: interrupted)
    let list = FetchController(.byKey, in: draft)
    try await list.performFetch()
    try draft.edit("First") { edit in
      try edit.update(Item.self, id: 1) { $0.key = 5 }
      try edit.insert(Item(id: 8, section: "a", key: 8))
      try edit.delete(Item.self, id: 2)
    }
    interrupted.interrupt {
      try body(draft, list)
      if fails { throw Offline() }
    }
    do {
      try await draft.save()
      #expect(!fails)
    } catch is Offline {}
    return (store, draft, list)
  }

  @Test("A value that is set back to what the store has is an edit of what is saved")
  func setBack() async throws {
    let (store, draft, list) = try await Self.save(fails: false) { draft, _ in
      try draft.edit { edit in try edit.update(Item.self, id: 1) { $0.key = 1 } }
    }
    #expect(list.snapshot?.itemIdentifiers == [1, 3, 8])
    #expect(draft.state(of: Item.self, 1) == .updated(["key"]) && draft.changes.count == 1)
    try await draft.save()
    #expect(try store.items[1]?.key == 1)
  }

  @Test(
    "Whoever goes on editing a row that is being saved sees the whole row as it is to be, now and afterwards",
    arguments: [false, true], [false, true])
  func objects(_ isWrite: Bool, _ isOverDraft: Bool) async throws {
    let (store, _, _) = try await FetchDraftTests.world(1)
    let interrupted = InterruptedStore(isOverDraft ? FetchDraft(of: store) : store)
    let draft = FetchDraft(of: interrupted)
    let list = FetchController(.byKey, in: draft)
    try await list.performFetch()
    #expect(list.object(for: 1) == Item(id: 1, section: "a", key: 1))
    interrupted.interrupt {
      try draft.edit { edit in try edit.update(Item.self, id: 1) { $0.note = "m" } }
      #expect(list.object(for: 1) == Item(id: 1, section: "x", key: 1, note: "m"))
      try draft.undo()
      #expect(list.object(for: 1) == Item(id: 1, section: "x", key: 1))
      try draft.edit { edit in try edit.update(Item.self, id: 1) { ($0.section, $0.key) = ("a", 3) } }
      #expect(list.object(for: 1) == Item(id: 1, section: "a", key: 3))
      try draft.edit { edit in try edit.update(Item.self, id: 1) { ($0.section, $0.note) = ("x", "m") } }
      #expect(try list.objects(in: 0..<1) == [Item(id: 1, section: "x", key: 3, note: "m")])
    }
    if isWrite {
      try await draft.write { edit in try edit.update(Item.self, id: 1) { $0.section = "x" } }
    } else {
      try draft.edit { edit in try edit.update(Item.self, id: 1) { $0.section = "x" } }
      try await draft.save()
    }
    let expected = Item(id: 1, section: "x", key: 3, note: "m")
    await list.waitUntilCurrent()
    #expect(list.object(for: 1) == expected)
    try await draft.save()
    await list.waitUntilCurrent()
    #expect(list.object(for: 1) == expected && !draft.hasChanges)
  }

  @Test(
    "A discard that is undone leaves a conflict as it is, where the save fails by it",
    arguments: [false, true])
  func discardedConflict(_ isNew: Bool) async throws {
    let (store, _, _) = try await FetchDraftTests.world(1)
    let interrupted = InterruptedStore(store)
    let draft = FetchDraft(of: interrupted)
    let id = isNew ? 8 : 1
    let theirs = Item(id: id, section: "a", key: 9)
    try draft.edit { edit in
      if isNew {
        try edit.insert(Item(id: 8, section: "a", key: 8))
      } else {
        try edit.update(Item.self, id: 1) { $0.key = 5 }
      }
    }
    store.put(theirs)
    await draft.waitUntilCurrent()
    let conflicts = draft.conflicts
    #expect(conflicts.first?.theirs?["key"] == .integer(9))
    interrupted.interrupt {
      draft.discard()
      try draft.undo()
    }
    await #expect(throws: DraftConflict.self) { try await draft.save(policy: .fail) }
    #expect(draft.conflicts == conflicts)
    while try draft.undo() {}
    #expect(!draft.hasChanges)
    try await draft.save()
    #expect(try store.items[id] == theirs)
  }

  @Test("Rows can be deleted, and rows that are being deleted inserted again")
  func deleting() async throws {
    let edits: @Sendable (FetchDraft, FetchController<Item>) throws -> Void = { draft, list in
      try draft.edit("Later") { edit in
        try edit.delete(Item.self, id: 1)
        try edit.delete(Item.self, id: 8)
        try edit.insert(Item(id: 2, section: "b", key: 9))
      }
      #expect(list.snapshot?.itemIdentifiers == [3, 2] && draft.conflicts.isEmpty)
    }
    let (store, draft, list) = try await Self.save(fails: false, edits)
    #expect(try store.items.keys.sorted() == [1, 3, 8] && draft.conflicts.isEmpty)
    #expect(list.snapshot?.itemIdentifiers == [3, 2])
    #expect(draft.state(of: Item.self, 1) == .deleted && draft.state(of: Item.self, 8) == .deleted)
    #expect(draft.state(of: Item.self, 2) == .inserted)
    try draft.undo()
    #expect(!draft.hasChanges && list.snapshot?.itemIdentifiers == [3, 1, 8])
    try draft.redo()
    try await draft.save()
    #expect(try store.items.keys.sorted() == [2, 3] && list.snapshot?.itemIdentifiers == [3, 2])

    let (former, failed, other) = try await Self.save(fails: true, edits)
    #expect(try former.items.keys.sorted() == [1, 2, 3] && failed.conflicts.isEmpty)
    #expect(other.snapshot?.itemIdentifiers == [3, 2])
    #expect(failed.state(of: Item.self, 8) == .saved && failed.state(of: Item.self, 1) == .deleted)
    #expect(failed.state(of: Item.self, 2) == .updated(["section", "key"]))
    try await failed.save()
    #expect(try former.items.keys.sorted() == [2, 3])
  }

  @Test("What is undone is an edit of what is saved, or as undone as ever where the save fails")
  func undoing() async throws {
    let (store, draft, list) = try await Self.save(fails: false) { draft, list in
      try draft.undo()
      #expect(list.snapshot?.itemIdentifiers == [1, 2, 3] && draft.conflicts.isEmpty)
    }
    #expect(try store.items.keys.sorted() == [1, 3, 8])
    #expect(list.snapshot?.itemIdentifiers == [1, 2, 3])
    #expect(draft.changes.count == 3 && draft.conflicts.isEmpty && draft.redoNames == ["First"])
    try await draft.save()
    #expect(try store.items == (1...3).reduce(into: [:]) { $0[$1] = Item(id: $1, section: "a", key: $1) })

    let (former, failed, other) = try await Self.save(fails: true) { draft, _ in try draft.undo() }
    #expect(!failed.hasChanges && other.snapshot?.itemIdentifiers == [1, 2, 3])
    try failed.redo()
    #expect(other.snapshot?.itemIdentifiers == [3, 1, 8])
    try await failed.save()
    #expect(try former.items.keys.sorted() == [1, 3, 8])
  }

  @Test("A discard takes back what was edited meanwhile, and all of it where the save fails")
  func discarding() async throws {
    let (store, draft, list) = try await Self.save(fails: false) { draft, list in
      try draft.edit("Later") { edit in
        try edit.update(Item.self, id: 1) { $0.note = "later" }
        try edit.update(Item.self, id: 3) { $0.note = "later" }
      }
      draft.discard()
      #expect(list.snapshot?.itemIdentifiers == [3, 1, 8])
    }
    #expect(!draft.hasChanges && list.object(for: 1) == Item(id: 1, section: "a", key: 5))
    #expect(try store.items.keys.sorted() == [1, 3, 8])
    let (_, failed, other) = try await Self.save(fails: true) { draft, _ in draft.discard() }
    #expect(!failed.hasChanges && other.snapshot?.itemIdentifiers == [1, 2, 3])
    try failed.undo()
    #expect(other.snapshot?.itemIdentifiers == [3, 1, 8])
  }

  @Test(
    "An edit that is restored to a row being inserted again is one of all of that row, and no conflict with it"
  )
  func undoingOnInsertedAgain() async throws {
    let (store, _, _) = try await FetchDraftTests.world(1)
    let interrupted = InterruptedStore(store)
    let draft = FetchDraft(of: interrupted)
    let list = FetchController(.byKey, in: draft)
    try await list.performFetch()
    try draft.edit { edit in try edit.update(Item.self, id: 1) { $0.key = 5 } }
    draft.discard()
    store.remove(1)
    try draft.edit { edit in try edit.insert(Item(id: 1, section: "b", key: 3, note: "new")) }
    // The edit was of the row that others have deleted since.
    let restored = Item(id: 1, section: "a", key: 5)
    interrupted.interrupt {
      try draft.undo()
      #expect(list.snapshot?.itemIdentifiers == [])
      try draft.undo()
      #expect(list.snapshot?.itemIdentifiers == [1] && list.object(for: 1) == restored)
      #expect(draft.changes.map { $0.values } == [restored.values] && draft.conflicts.isEmpty)
    }
    try await draft.save()
    #expect(try store.items[1] == Item(id: 1, section: "b", key: 3, note: "new"))
    #expect(list.object(for: 1) == restored)
    #expect(draft.state(of: Item.self, 1) == .updated(["section", "key", "note"]) && draft.conflicts.isEmpty)
    try await draft.save()
    #expect(try store.items[1] == restored)
  }

  @Test(
    "An edit that would change something only if the save fails is none, so that those beside it keep their numbers"
  )
  func numbers() throws {
    var core = DraftCore()
    let (one, two) = (DraftKey("item", .integer(1)), DraftKey("item", .integer(2)))
    let row: StoredRow = ["id": .integer(1), "key": .integer(1)]
    _ = try core.apply([(one, .set(["key": .integer(5)]))], named: "One", bases: [one: row])
    _ = core.beginSaving(as: "tag", besides: [], .mergeColumns) { $0 == one }
    _ = core.discard([one], named: "Discard")
    // What is being saved has this value already.
    _ = try core.apply([(one, .set(["key": .integer(5)]))], named: "Again", bases: [:])
    let other: StoredRow = ["id": .integer(2), "key": .integer(2)]
    _ = try core.apply([(two, .set(["key": .integer(7)]))], named: "Two", bases: [two: other])
    let number = core.layer.serial
    _ = core.saveFailed(reverting: nil, bases: [:], origins: [])
    #expect(core.layer[one] == nil && core.layer[two] != nil)
    _ = core.beginSaving(as: "tag", besides: [], .mergeColumns) { $0 == two }
    _ = core.saveFailed(reverting: number, bases: [:], origins: [])
    #expect(core.layer[one] == nil && core.layer[two] == nil)
    // The other steps can still be undone: each had a number of its own.
    #expect(core.layer.history.undo.map(\.name) == ["One", "Discard"])
  }

  @Test("A failing write is taken back before a save that waits for it begins")
  func writeBesideSave() async throws {
    let (store, _, _) = try await FetchDraftTests.world()
    let interrupted = InterruptedStore(store)
    let draft = FetchDraft(of: interrupted)
    try draft.edit { edit in try edit.update(Item.self, id: 3) { $0.note = "kept" } }
    let (begun, isBegun) = AsyncStream<Void>.makeStream()
    interrupted.interrupt {
      isBegun.finish()
      // Until the other save waits in the queue.
      while draft.saves.waiterCount == 0 { await Task.yield() }
      throw Offline()
    }
    let write = Task {
      try await draft.write { edit in try edit.update(Item.self, id: 1) { $0.key = 9 } }
    }
    for await _ in begun {}
    try await draft.save()
    await #expect(throws: Offline.self) { try await write.value }
    #expect(try store.items[1]?.key == 1 && store.items[3]?.note == "kept")
    #expect(!draft.hasChanges)
  }
}
