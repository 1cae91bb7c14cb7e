import Foundation
import LiveDrafts
import LiveFetch
import LiveListsTestSupport
import Snapshots
import Testing

/// The first act of a draft on a table is an insert, and its lists need few columns.
@Suite("A draft knows the rows with pending changes as a whole")
struct WholeRowTests {
  static let theirs = Item(id: 10, section: "b", key: 5, note: "theirs")

  /// A draft with one list, by key, that has inserted row 10.
  /// - Parameter namesColumns: Whether the store says which columns its tables have.
  static func world(_ namesColumns: Bool) async throws -> (
    store: InMemoryStore, draft: FetchDraft, list: FetchController<Item>
  ) {
    let store = InMemoryStore()
    for id in 1...3 { store.put(Item(id: id, section: "a", key: id, note: "note \(id)")) }
    let draft = FetchDraft(of: InterruptedStore(store, namesColumns: namesColumns))
    let list = FetchController(.byKey, in: draft)
    try await list.performFetch()
    try draft.edit("Add") { edit in try edit.insert(Item(id: 10, section: "a", key: 7, note: "mine")) }
    return (store, draft, list)
  }

  enum Taking: CaseIterable { case discarding, undoing, savingTheirs, deleting }

  @Test(
    "Lists that are opened after others have taken a new row's key are right when it is taken back",
    arguments: Taking.allCases, [true, false])
  func takenBack(_ taking: Taking, _ namesColumns: Bool) async throws {
    let (store, draft, list) = try await Self.world(namesColumns)
    store.put(Self.theirs)
    let byNote = FetchController(FetchDescriptor<Item>().ordered(by: .ascending(\.note)), in: draft)
    let inB = FetchController(
      FetchDescriptor<Item>().filter(#Predicate { $0.section == "b" }).ordered(by: .ascending(\.note)),
      in: draft)
    #expect(try await byNote.performFetch().itemIdentifiers == [10, 1, 2, 3])
    #expect(try await inB.performFetch().itemIdentifiers == [])
    switch taking {
    case .discarding: draft.discard()
    case .undoing: try draft.undo()
    case .savingTheirs: try await draft.save(policy: .theirs)
    case .deleting: try draft.edit { edit in try edit.delete(Item.self, id: 10) }
    }
    await draft.waitUntilCurrent()
    for list in [list, byNote, inB] { await list.waitUntilCurrent() }
    #expect(!draft.hasChanges)
    #expect(list.snapshot?.itemIdentifiers == [1, 2, 3, 10])
    #expect(byNote.snapshot?.itemIdentifiers == [1, 2, 3, 10])
    #expect(inB.snapshot?.itemIdentifiers == [10])
    #expect(byNote.object(for: 10) == Self.theirs)
  }

  @Test("A conflict about a taken key has the whole row of the others", arguments: [true, false])
  func wholeConflict(_ namesColumns: Bool) async throws {
    let (store, draft, _) = try await Self.world(namesColumns)
    store.put(Self.theirs)
    // A store that names its columns tells the row with the commit.
    if !namesColumns { await draft.waitUntilCurrent() }
    let conflict = try #require(draft.conflicts.first)
    #expect(conflict.theirs == Self.theirs.values)
    #expect(conflict.columns == ["section", "key", "note"])
    #expect(try Item(fetchRow: FetchRow(DictionaryRow(conflict.theirs ?? [:]))) == Self.theirs)
  }

  @Test("A new row that others insert just so is saved", arguments: [true, false])
  func sameRow(_ namesColumns: Bool) async throws {
    let (store, draft, _) = try await Self.world(namesColumns)
    store.put(Item(id: 10, section: "a", key: 7, note: "mine"))
    if !namesColumns { await draft.waitUntilCurrent() }
    #expect(!draft.hasChanges && draft.state(of: Item.self, 10) == .saved)
  }

  @Test(
    "Without a list, what others have committed is known when the draft has settled",
    arguments: [true, false])
  func settling(_ namesColumns: Bool) async throws {
    let store = InMemoryStore()
    let draft = FetchDraft(of: InterruptedStore(store, namesColumns: namesColumns))
    try draft.edit { edit in try edit.insert(Item(id: 10, section: "a", key: 7, note: "mine")) }
    store.put(Self.theirs)
    await draft.waitUntilCurrent()
    #expect(draft.conflicts.map(\.theirs) == [Self.theirs.values])
  }

  @Test("What others have inserted under a new row's key is theirs: deleting the new row leaves nothing")
  func insertedAndDeleted() async throws {
    let (store, draft, list) = try await Self.world(true)
    store.put(Self.theirs)
    try draft.edit("Remove") { edit in
      try edit.delete(Item.self, id: 10)
      // Within the group, too.
      #expect(try edit.find(Item.self, id: 10) == Self.theirs)
    }
    #expect(!draft.hasChanges && draft.state(of: Item.self, 10) == .saved)
    #expect(list.object(for: 10) == Self.theirs)
    try await draft.save(policy: .mine)
    #expect(try store.items[10] == Self.theirs)
    try draft.undo()
    #expect(list.object(for: 10)?.note == "mine" && draft.conflicts.count == 1)
    // Whoever deletes twice deletes theirs.
    try draft.edit { edit in
      try edit.delete(Item.self, id: 10)
      try edit.delete(Item.self, id: 10)
      #expect(try edit.find(Item.self, id: 10) == nil)
    }
    #expect(draft.state(of: Item.self, 10) == .deleted)
  }

  @Test("A row that others have changed and then deleted shows as it last stood, with what was set on top")
  func asItLastStood() async throws {
    let (store, draft, list) = try await FetchDraftTests.world()
    try draft.edit { edit in try edit.update(Item.self, id: 1) { $0.key = 9 } }
    store.put(Item(id: 1, section: "b", key: 1, note: "new"))
    store.remove(1)
    let expected = Item(id: 1, section: "b", key: 9, note: "new")
    #expect(list.object(for: 1) == expected)
    #expect(draft.conflicts.map(\.columns) == [["key"]] && draft.conflicts.map(\.mine) == [expected.values])
    // Also when it is taken back and restored, and when more of it is set.
    draft.discard()
    #expect(list.object(for: 1) == nil)
    try draft.undo()
    #expect(list.object(for: 1) == expected)
    try draft.edit { edit in try edit.update(Item.self, id: 1) { $0.note = "mine" } }
    #expect(draft.changes.first?.base?["note"] == .text("new"))
    try draft.undo()
    try await draft.save(policy: .mine)
    #expect(try store.items[1] == expected)
  }

  @Test(
    "What is undone after a save, of a row that others have deleted since, is the row as the save left it")
  func undoneAsItLastStood() async throws {
    let (store, draft, list) = try await FetchDraftTests.world()
    try draft.edit { edit in try edit.update(Item.self, id: 1) { $0.key = 9 } }
    store.put(Item(id: 1, section: "b", key: 1, note: "new"))
    try await draft.save()
    store.remove(1)
    try draft.undo()
    #expect(list.object(for: 1) == Item(id: 1, section: "b", key: 1, note: "new"))
  }

  @Test("A write that fails takes nothing from what can be redone")
  func redoAfterFailure() async throws {
    struct Offline: Error {}
    let store = InMemoryStore()
    store.put(Item(id: 1, section: "a", key: 1), Item(id: 2, section: "a", key: 2))
    let interrupted = InterruptedStore(store)
    let draft = FetchDraft(of: interrupted)
    try draft.edit("One") { edit in try edit.update(Item.self, id: 1) { $0.note = "one" } }
    try draft.undo()
    interrupted.interrupt { throw Offline() }
    await #expect(throws: Offline.self) {
      try await draft.write("Two") { edit in try edit.update(Item.self, id: 2) { $0.note = "two" } }
    }
    #expect(draft.redoNames == ["One"] && draft.undoNames.isEmpty)
    try draft.redo()
    #expect(draft.state(of: Item.self, 1) == .updated(["note"]))
    // An edit that was made meanwhile has made it impossible.
    try draft.undo()
    interrupted.interrupt {
      try draft.edit("Three") { edit in try edit.update(Item.self, id: 1) { $0.note = "three" } }
      throw Offline()
    }
    await #expect(throws: Offline.self) {
      try await draft.write("Two") { edit in try edit.update(Item.self, id: 2) { $0.note = "two" } }
    }
    #expect(draft.redoNames.isEmpty && draft.undoNames == ["Three"])
  }

  @Test("An edit that is kept beyond its call is refused")
  func keptEdit() async throws {
    let (_, draft, _) = try await FetchDraftTests.world()
    nonisolated(unsafe) var kept: DraftEdit?
    try draft.edit { edit in kept = edit }
    let edit = try #require(kept)
    func kind(_ body: () throws -> Void) -> DraftError.Kind? {
      do {
        try body()
        return nil
      } catch { return (error as? DraftError)?.kind }
    }
    #expect(kind { try edit.update(Item.self, id: 1) { $0.key = 9 } } == .editEnded)
    #expect(kind { try edit.insert(Item(id: 9, section: "a", key: 9)) } == .editEnded)
    #expect(kind { try edit.delete(Item.self, id: 1) } == .editEnded)
    #expect(kind { _ = try edit.find(Item.self, id: 1) } == .editEnded)
    #expect(!draft.hasChanges)
  }

  @Test("Changes and states are said in a line")
  func descriptions() async throws {
    let (store, draft, _) = try await FetchDraftTests.world()
    try draft.edit { edit in
      try edit.update(Item.self, id: 1) {
        $0.key = 9
        $0.note = "n"
      }
      try edit.insert(Item(id: 10, section: "a", key: 1))
      try edit.delete(Item.self, id: 2)
    }
    #expect(
      draft.changes.map(\.description) == [
        "update key, note of 1 in “item”", "insert 10 into “item”", "delete 2 from “item”",
      ])
    store.put(Item(id: 10, section: "b", key: 1))
    #expect(
      [1, 10, 2, 3].map { draft.state(of: Item.self, $0).description } == [
        "updated (key, note)", "conflicting (section)", "deleted", "saved",
      ])
  }
}
