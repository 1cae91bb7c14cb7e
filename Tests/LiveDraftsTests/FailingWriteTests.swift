import Dispatch
import LiveFetch
import LiveListsTestSupport
import Synchronization
import Testing

@testable import LiveDrafts

@Suite("A write that fails")
struct FailingWriteTests {
  private struct Refusal: Error {}

  private final class Flag: Sendable {
    let value = Mutex(false)
  }

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

  /// Begins a write, and waits until it waits for its turn.
  private static func begin(
    in draft: FetchDraft, _ body: @escaping @Sendable (inout Item) -> Void
  ) async -> Task<Void, any Error> {
    let count = draft.saves.waiterCount
    let task = Task { try await draft.write { edit in try edit.update(Item.self, id: 1, body) } }
    while draft.saves.waiterCount == count { await Task.yield() }
    return task
  }

  @Test("What the save before has taken along is saved, whatever is edited of the row since")
  func takenAlong() async throws {
    let draft = FetchDraft(of: store)
    let (tasks, task) = AsyncStream.makeStream(of: Task<Void, any Error>.self)
    store.interrupt { [store] in
      for body in [{ $0.note = "two" }, { $0.key = 33 }] as [@Sendable (inout Item) -> Void] {
        task.yield(await Self.begin(in: draft, body))
      }
      // While the save of the second write takes the third one along, a fourth one is made, which is refused.
      store.interrupt {
        task.yield(await Self.begin(in: draft) { $0.section = "refused" })
        store.interrupt { throw Refusal() }
      }
    }
    try await draft.write { try $0.update(Item.self, id: 1) { $0.section = "one" } }
    var iterator = tasks.makeAsyncIterator()
    for _ in 0..<2 { try await iterator.next()?.value }
    let last = try #require(await iterator.next())
    await #expect(throws: Refusal.self) { try await last.value }
    #expect(
      try draft.edit { try $0.find(Item.self, id: 1) } == Item(id: 1, section: "one", key: 33, note: "two"))
    #expect(!draft.hasChanges && draft.undoNames.count == 3)
    while try draft.undo() {}
    try await draft.save()
    #expect(try draft.edit { try $0.find(Item.self, id: 1) } == Item(id: 1, section: "s1", key: 10))
  }

  @Test("A part of it that the save before has taken along stays")
  func partTakenAlong() async throws {
    let draft = FetchDraft(of: store)
    let (tasks, task) = AsyncStream.makeStream(of: Task<Void, any Error>.self)
    store.interrupt { [store] in
      task.yield(
        Task {
          try await draft.write { edit in
            for id in [1, 2] { try edit.update(Item.self, id: id) { $0.note = "two" } }
          }
        })
      while draft.saves.waiterCount == 0 { await Task.yield() }
      let save = Task { try await draft.save(Item.self, [1]) }
      while draft.saves.waiterCount == 1 { await Task.yield() }
      task.yield(save)
      store.interrupt { throw Refusal() }
    }
    try draft.edit { try $0.update(Item.self, id: 1) { $0.section = "one" } }
    try await draft.save()
    var iterator = tasks.makeAsyncIterator()
    let write = try #require(await iterator.next())
    await #expect(throws: Refusal.self) { try await write.value }
    try await iterator.next()?.value
    #expect(!draft.hasChanges)
  }

  @Test("An edit that saw its value, and is done after it was taken back, is in conflict with nobody")
  func seen() async throws {
    let draft = FetchDraft(of: store)
    let (tasks, task) = AsyncStream.makeStream(of: Task<Void, any Error>.self)
    let (hasSeen, areDone) = (Flag(), DispatchSemaphore(value: 0))
    store.interrupt {
      task.yield(await Self.begin(in: draft) { $0.section = "later" })
      task.yield(
        Task.detached {
          try draft.edit { edit in
            try edit.update(Item.self, id: 1) { item in
              #expect(item.key == -1 && item.section == "later")
              hasSeen.value.withLock { $0 = true }
              areDone.wait()
              (item.key, item.section) = (40, "edited")
            }
          }
        })
      while !hasSeen.value.withLock({ $0 }) { await Task.yield() }
      throw Refusal()
    }
    await #expect(throws: Refusal.self) {
      try await draft.write { try $0.update(Item.self, id: 1) { $0.key = -1 } }
    }
    var iterator = tasks.makeAsyncIterator()
    let (later, edit) = (try #require(await iterator.next()), try #require(await iterator.next()))
    try await later.value
    areDone.signal()
    try await edit.value
    #expect(draft.conflicts.isEmpty)
    try await draft.save()
    #expect(try draft.edit { try $0.find(Item.self, id: 1) } == Item(id: 1, section: "edited", key: 40))
  }

  @Test("Where it fails after its commit it was made, and can be undone")
  func afterCommit() async throws {
    let draft = FetchDraft(of: store)
    store.interrupt({}, after: { throw Refusal() })
    await #expect(throws: Refusal.self) {
      try await draft.write { try $0.update(Item.self, id: 1) { $0.section = "mine" } }
    }
    #expect(try section(of: 1, in: draft) == "mine" && !draft.hasChanges)
    #expect(draft.core.withLock { $0.touches.isEmpty && $0.attempt == nil })
    try draft.undo()
    try await draft.save()
    #expect(try section(of: 1, in: draft) == "s1" && draft.conflicts.isEmpty)
  }

  #if SQLite
    @Test("What a save of some of its rows has done to others stays, and can be undone")
    func partlySaved() async throws {
      let world = try await CascadeTests.World(isTold: true)
      let draft = world.draft
      let (tasks, task) = AsyncStream.makeStream(of: Task<Void, any Error>.self)
      world.store.interrupt {
        task.yield(Task { try await draft.save(Album.self, [0]) })
        while draft.saves.waiterCount < 1 { await Task.yield() }
        task.yield(
          Task {
            try await draft.write { edit in
              try edit.delete(Album.self, id: 0)
              // There is no such album.
              try edit.insert(Item(id: 9, section: "a", key: 99))
            }
          })
        while draft.saves.waiterCount < 2 { await Task.yield() }
        task.finish()
      }
      try draft.edit { try $0.update(Album.self, id: 1) { $0.section = "b" } }
      try await draft.save()
      var failures = 0
      for await task in tasks { if case .failure = await task.result { failures += 1 } }
      #expect(failures == 1 && !draft.hasChanges)
      #expect(try await world.stored() == [Item(id: 6, section: "a", key: 1)])
      while try draft.undo() {}
      try await world.expectSaved(CascadeTests.items)
    }

    @Test("So it does where the commit came round as a reset")
    func afterReset() async throws {
      let world = try await CascadeTests.World(isTold: false)
      let draft = world.draft
      world.store.interrupt({}, after: { throw Refusal() })
      await #expect(throws: Refusal.self) {
        try await draft.write { try $0.delete(Album.self, id: 0) }
      }
      #expect(draft.core.withLock { $0.touches.isEmpty && $0.attempt == nil } && !draft.hasChanges)
      #expect(try await world.stored() == [Item(id: 6, section: "a", key: 1)])
      try draft.undo()
      try await draft.save()
      #expect(try await world.stored() == CascadeTests.items && draft.conflicts.isEmpty)
    }
  #endif
}
