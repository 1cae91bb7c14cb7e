import LiveFetch
import LiveListsTestSupport
import Synchronization
import Testing

@testable import LiveDrafts

@Suite("A write that fails")
struct FailingWriteTests {
  private struct Refusal: Error {}

  private let store = InterruptedStore(DraftCostTests.store(3))

  private func section(of id: Int, in draft: FetchDraft) throws -> String? {
    try draft.edit { try $0.find(Item.self, id: id)?.section }
  }

  @Test("It is taken back also where so much was edited since that it can no longer be undone")
  func edited() async throws {
    let draft = FetchDraft(of: store)
    store.interrupt {
      for number in 1...150 {
        try draft.edit { try $0.update(Item.self, id: 2) { $0.key = -number } }
      }
      throw Refusal()
    }
    await #expect(throws: Refusal.self) {
      try await draft.write { try $0.update(Item.self, id: 1) { $0.section = "mine" } }
    }
    #expect(try section(of: 1, in: draft) == "s1")
    #expect(draft.changes.map(\.id) == [.integer(2)] && draft.undoNames.count == 100)
    #expect(draft.core.withLock { $0.layer.history.held.isEmpty && $0.layer.history.withheld.isEmpty })
  }

  @Test("It is taken back also where what can be undone was forgotten", arguments: [true, false])
  func forgotten(_ isWaiting: Bool) async throws {
    let draft = FetchDraft(of: store)
    let write = { @Sendable in
      try await draft.write { try $0.update(Item.self, id: 1) { $0.section = "mine" } }
    }
    if isWaiting {
      let (tasks, task) = AsyncStream.makeStream(of: Task<Void, any Error>.self)
      store.interrupt { [store] in
        task.yield(Task { try await write() })
        while draft.saves.waiterCount == 0 { await Task.yield() }
        draft.forgetHistory()
        store.interrupt { throw Refusal() }
      }
      try draft.edit { try $0.update(Item.self, id: 0) { $0.section = "saved" } }
      try await draft.save()
      let waiting = try #require(await tasks.first { _ in true })
      await #expect(throws: Refusal.self) { try await waiting.value }
      #expect(try section(of: 0, in: draft) == "saved")
    } else {
      store.interrupt {
        draft.forgetHistory()
        throw Refusal()
      }
      await #expect(throws: Refusal.self) { try await write() }
    }
    #expect(try section(of: 1, in: draft) == "s1")
    #expect(!draft.hasChanges && draft.undoNames.isEmpty)
    #expect(draft.core.withLock { $0.layer.history.held.isEmpty && $0.layer.history.withheld.isEmpty })
  }

  @Test("One that sets what is there saves nothing of its rows, and ends no other one's hold")
  func empty() async throws {
    let draft = FetchDraft(of: store)
    try draft.edit { try $0.update(Item.self, id: 1) { $0.section = "pending" } }
    store.interrupt {
      try await draft.write { edit in
        try edit.update(Item.self, id: 1) { $0.section = "other" }
        try edit.update(Item.self, id: 1) { $0.section = "pending" }
      }
      #expect(draft.core.withLock { $0.layer.history.held.count } == 1)
    }
    try await draft.write { edit in
      try edit.update(Item.self, id: 2) { $0.section = "mine" }
      try edit.update(Item.self, id: 1) { $0.key = 10 }
    }
    #expect(draft.changes.map(\.id) == [.integer(1)])
    #expect(draft.core.withLock { $0.layer.history.held.isEmpty })
  }

  @Test("Its hold has ended when the next save begins")
  func hold() async throws {
    let draft = FetchDraft(of: store)
    let (saves, save) = AsyncStream.makeStream(of: Task<Void, any Error>.self)
    store.interrupt { [store] in
      try draft.edit { try $0.update(Item.self, id: 2) { $0.section = "later" } }
      save.yield(Task { try await draft.save(Item.self, [2]) })
      while draft.saves.waiterCount == 0 { await Task.yield() }
      store.interrupt { #expect(draft.core.withLock { $0.layer.history.held.isEmpty }) }
    }
    try await draft.write { try $0.update(Item.self, id: 1) { $0.section = "mine" } }
    try await saves.first { _ in true }?.value
    #expect(!draft.hasChanges)
  }

  @Test("Where it fails after its commit it was made, and can be undone")
  func afterCommit() async throws {
    let draft = FetchDraft(of: store)
    store.interrupt({}, after: { throw Refusal() })
    await #expect(throws: Refusal.self) {
      try await draft.write { try $0.update(Item.self, id: 1) { $0.section = "mine" } }
    }
    #expect(try section(of: 1, in: draft) == "mine" && !draft.hasChanges)
    #expect(draft.core.withLock { $0.touches.isEmpty && $0.unseen.isEmpty })
    try draft.undo()
    try await draft.save()
    #expect(try section(of: 1, in: draft) == "s1" && draft.conflicts.isEmpty)
  }

  #if SQLite
    @Test("So it does where the commit came round as a reset")
    func afterReset() async throws {
      let world = try await CascadeTests.World(isTold: false)
      let draft = world.draft
      world.store.interrupt({}, after: { throw Refusal() })
      await #expect(throws: Refusal.self) {
        try await draft.write { try $0.delete(Album.self, id: 0) }
      }
      #expect(draft.core.withLock { $0.touches.isEmpty && $0.unseen.isEmpty } && !draft.hasChanges)
      #expect(try await world.stored() == [Item(id: 6, section: "a", key: 1)])
      try draft.undo()
      try await draft.save()
      #expect(try await world.stored() == CascadeTests.items && draft.conflicts.isEmpty)
    }
  #endif
}
