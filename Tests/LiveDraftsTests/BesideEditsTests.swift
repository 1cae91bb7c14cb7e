import LiveDrafts
import LiveFetch
import LiveListsTestSupport
import Testing

/// The closure of an edit sees a row, and what it makes of that is pending a little later: nothing that happens in between is lost.
@Suite("What happens while an edit is being made")
struct BesideEditsTests {
  private static func world() async throws -> (InMemoryStore, FetchDraft) {
    let (store, draft, _) = try await FetchDraftTests.world()
    return (store, draft)
  }

  enum Moment: CaseIterable, Sendable { case beforeReading, whileChanging, afterwards }

  @Test(
    "A commit of the same column in the meantime is a conflict, and nothing is overwritten",
    arguments: Moment.allCases, [false, true])
  func sameColumn(_ moment: Moment, _ isPending: Bool) async throws {
    let (store, draft) = try await Self.world()
    if isPending { try draft.edit { try $0.update(Item.self, id: 1) { $0.section = "pending" } } }
    try draft.edit { edit in
      func commit() { store.put(Item(id: 1, section: "a", key: 1, note: "theirs")) }
      #expect(try edit.find(Item.self, id: 1) != nil)
      if moment == .beforeReading { commit() }
      try edit.update(Item.self, id: 1) { item in
        if moment == .whileChanging { commit() }
        item.note = (item.note ?? "") + " and mine"
      }
      if moment == .afterwards { commit() }
    }
    #expect(draft.conflicts.count == 1)
    await #expect(throws: DraftConflict.self) { try await draft.save() }
    #expect(try store.items[1]?.note == "theirs")
    // Editing the column again takes note of theirs.
    draft.discard()
    try draft.edit { try $0.update(Item.self, id: 1) { $0.note = ($0.note ?? "") + " and mine" } }
    try await draft.save()
    #expect(try store.items[1]?.note == "theirs and mine")
  }

  @Test("A commit of another column, or of the same value, is none")
  func otherColumn() async throws {
    let (store, draft) = try await Self.world()
    try draft.edit { edit in
      try edit.update(Item.self, id: 1) { $0.note = "mine" }
      store.put(Item(id: 1, section: "b", key: 1))
      try edit.update(Item.self, id: 2) { $0.note = "same" }
      store.put(Item(id: 2, section: "a", key: 2, note: "same"))
    }
    #expect(draft.conflicts.isEmpty && draft.changes.map(\.id) == [.integer(1)])
    try await draft.save()
    #expect(try store.items[1] == Item(id: 1, section: "b", key: 1, note: "mine"))
  }

  @Test("A deletion of a row that somebody changes in the meantime is a conflict")
  func deletion() async throws {
    let (store, draft) = try await Self.world()
    try draft.edit { edit in
      try edit.delete(Item.self, id: 1)
      store.put(Item(id: 1, section: "a", key: 1, note: "theirs"))
    }
    await #expect(throws: DraftConflict.self) { try await draft.save() }
    #expect(try store.items[1]?.note == "theirs")
  }

  @Test("A draft over a draft that is edited in the meantime is in conflict with it")
  func parent() async throws {
    let (_, draft) = try await Self.world()
    let child = FetchDraft(of: draft)
    try child.edit { edit in
      try edit.update(Item.self, id: 1) { $0.key += 1 }
      try draft.edit { try $0.update(Item.self, id: 1) { $0.key = 9 } }
    }
    await #expect(throws: DraftConflict.self) { try await child.save() }
    #expect(draft.changes.first?.values?["key"] == .integer(9))
  }

  @Test("One's own save that begins or ends in the meantime is no conflict")
  func ownSave() async throws {
    let (store, _) = try await Self.world()
    let interrupted = InterruptedStore(store)
    let draft = FetchDraft(of: interrupted)
    try draft.edit { try $0.update(Item.self, id: 1) { $0.key = 5 } }
    let (begun, ended) = (AsyncStream<Void>.makeStream(), AsyncStream<Void>.makeStream())
    interrupted.interrupt {
      // The closure has seen the row before, and what it makes of it comes within the save.
      try draft.edit { try $0.update(Item.self, id: 1) { $0.key += 1 } }
      begun.continuation.finish()
      for await _ in ended.stream {}
    }
    async let saved: Void = draft.save()
    for await _ in begun.stream {}
    try draft.edit { edit in
      try edit.update(Item.self, id: 1) { $0.key += 1 }
      ended.continuation.finish()
    }
    try await saved
    #expect(draft.conflicts.isEmpty && draft.changes.first?.values?["key"] == .integer(7))
    try await draft.save()
    #expect(try store.items[1]?.key == 7)
  }

  @Test("Edits of one draft by many tasks stand on one another")
  func manyTasks() async throws {
    let (store, draft) = try await Self.world()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<6 {
        group.addTask {
          for _ in 0..<50 {
            try draft.edit { try $0.update(Item.self, id: 1) { $0.key += 1 } }
            await Task.yield()
          }
        }
      }
      group.addTask { for _ in 0..<20 { try await draft.save() } }
      try await group.waitForAll()
    }
    try await draft.save()
    #expect(try store.items[1]?.key == 301)
  }

  @Test("Drafts that save and try again after a conflict lose nothing that was saved")
  func manyDrafts() async throws {
    let (store, _) = try await Self.world()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for task in 0..<6 {
        group.addTask {
          let draft = FetchDraft(of: store)
          var saved = 0
          while saved < 25 {
            // A word of its own: the same value set twice is no conflict.
            try draft.edit { edit in
              try edit.update(Item.self, id: 1) { $0.note = ($0.note ?? "") + "\(task).\(saved) " }
            }
            do {
              try await draft.save()
              saved += 1
            } catch is DraftConflict {
              draft.discard()
            }
          }
        }
      }
      try await group.waitForAll()
    }
    let words = try store.items[1]?.note?.split(separator: " ") ?? []
    #expect(words.count == 150 && Set(words).count == 150)
  }

  @Test("An edit may be made within another, and is undone apart")
  func nested() async throws {
    let (_, draft) = try await Self.world()
    try draft.edit("Outer") { edit in
      try edit.update(Item.self, id: 1) { $0.note = "outer" }
      try draft.edit("Inner") { try $0.update(Item.self, id: 2) { $0.note = "inner" } }
    }
    #expect(draft.undoNames == ["Outer", "Inner"] && draft.changes.count == 2)
    try draft.undo()
    #expect(draft.changes.map(\.id) == [.integer(2)])
  }
}
