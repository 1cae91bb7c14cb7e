import Foundation
import LiveFetch
import LiveListsTestSupport
import Snapshots
import Synchronization
import Testing

@testable import LiveDrafts

@Suite("What drafts cost, counted")
struct DraftCostTests {
  static func store(_ count: Int) -> InMemoryStore {
    let store = InMemoryStore()
    store.write { transaction in
      for id in 0..<count {
        transaction.put(Item(id: id, section: "s\(id % 7)", key: id * 10).values, in: "item")
      }
    }
    return store
  }

  @Test("An edit reads its row by its key, once, and no list reads anything")
  func edit() async throws {
    let store = CountingStore(Self.store(1_000))
    let draft = FetchDraft(of: store)
    let lists = [
      FetchController(.byKey, in: draft),
      FetchController(.byKey.sectioned(by: \.section), in: draft),
      FetchController(.byKey.filter(#Predicate { $0.key > 5 }), in: draft),
    ]
    for list in lists { try await list.performFetch() }
    let changes = lists[0].changes.makeAsyncIterator()
    _ = try await changes.next()
    let before = lists.map(\.statistics)
    _ = store.takeCounts()
    try draft.edit { edit in try edit.update(Item.self, id: 500) { $0.key = 3 } }
    #expect(store.takeCounts() == .init(keyedReads: 1, rowsByKey: 1))
    let change = try #require(try await changes.next())
    #expect((change.moved, change.inserted, change.deleted, change.updated) == ([500], [], [], []))
    #expect(change.cost.rowsRead == 1 && change.cost.statements == 0 && !change.cost.isReread)
    // A row that is pending is known, and so are one that is new and one that is undone.
    try draft.edit { edit in try edit.update(Item.self, id: 500) { $0.key = 7 } }
    try draft.undo()
    try draft.undo()
    try draft.redo()
    #expect(store.takeCounts().reads == 0)
    for (list, before) in zip(lists, before) {
      let after = list.statistics
      // Of the five changes each brought its row with it.
      #expect(after.fetches == before.fetches && after.rowsRead == before.rowsRead + 5)
      #expect(after.statements == before.statements && after.differences == before.differences)
    }
  }

  @Test("Undo of a save reads its rows at once, and once more only those that others touch meanwhile")
  func undoOfSave() async throws {
    let rows = Self.store(1_000)
    let store = CountingStore(rows)
    let draft = FetchDraft(of: store)
    try draft.edit { edit in
      for id in 0..<500 { try edit.update(Item.self, id: id) { $0.note = "mine" } }
    }
    try await draft.save()
    _ = store.takeCounts()
    store.afterNextRead {
      rows.write { transaction in
        for id in 0..<3 {
          transaction.put(Item(id: id, section: "theirs", key: id * 10, note: "mine").values, in: "item")
        }
      }
    }
    try draft.undo()
    #expect(store.takeCounts() == .init(keyedReads: 2, rowsByKey: 503))
    try await draft.save()
    let first = try draft.edit { try $0.find(Item.self, id: 0) }
    #expect(first == Item(id: 0, section: "theirs", key: 0) && draft.conflicts.isEmpty)
  }

  @Test(
    "The store notifies the draft only of what a list shows, is pending, is being done or can be undone"
  )
  func observations() async throws {
    let draft = FetchDraft(of: Self.store(10))
    func isObserving() -> Bool {
      draft.core.withLock { $0.channels.values.contains { $0.observation != nil } }
    }
    // Reads beside the edits need the observation until they have ended.
    func endsObserving() async -> Bool {
      for _ in 0..<12_000 where isObserving() { try? await Task.sleep(for: .milliseconds(10)) }
      return !isObserving()
    }
    _ = try draft.edit { try $0.find(Item.self, id: 1) }
    #expect(await endsObserving())
    for end in [
      { draft.discard() }, { draft.discard(Item.self, [1]) }, { try draft.undo() },
      { try await draft.save() },
    ]
      as [() async throws -> Void]
    {
      try draft.edit { try $0.update(Item.self, id: 1) { $0.key += 1 } }
      #expect(isObserving())
      try await end()
      #expect(isObserving())
      draft.forgetHistory()
      #expect(await endsObserving())
    }
    do {
      let list = FetchController(.byKey, in: draft)
      try await list.performFetch()
      try draft.edit { try $0.update(Item.self, id: 1) { $0.key += 1 } }
      try await draft.save()
      draft.forgetHistory()
      #expect(isObserving())
      withExtendedLifetime(list) {}
    }
    #expect(await endsObserving())
  }

  @Test("A limit beyond all numbers is none, also while rows are pending")
  func unlimited() async throws {
    let draft = FetchDraft(of: Self.store(10))
    try draft.edit { try $0.update(Item.self, id: 1) { $0.key = 1_000 } }
    let list = FetchController(.byKey.limit(.max), in: draft)
    try await list.performFetch()
    #expect(list.snapshot?.itemIdentifiers.last == 1 && list.snapshot?.numberOfItems == 10)
  }

  @Test("A group of edits reads each of its rows once")
  func group() async throws {
    let store = CountingStore(Self.store(1_000))
    let draft = FetchDraft(of: store)
    let list = FetchController(.byKey, in: draft)
    try await list.performFetch()
    _ = store.takeCounts()
    try draft.edit { edit in
      for id in 0..<50 {
        try edit.update(Item.self, id: id) { $0.key = -id }
        try edit.update(Item.self, id: id) { $0.note = "n" }
        _ = try edit.find(Item.self, id: id)
      }
    }
    #expect(store.takeCounts() == .init(keyedReads: 50, rowsByKey: 50))
    try draft.edit { edit in
      for id in 0..<50 { try edit.update(Item.self, id: id) { $0.section = "z" } }
    }
    #expect(store.takeCounts() == .init())
  }

  #if DEBUG
    @Test(
      "An edit costs a list as many comparisons and nodes as a commit of the same row, however long the list")
    func follows() async throws {
      var small: (comparisons: Int, visits: Int)?
      for count in [1_000, 64_000] {
        let (plain, below) = (Self.store(count), Self.store(count))
        let draft = FetchDraft(of: below)
        let lists = (FetchController(.byKey, in: plain), FetchController(.byKey, in: draft))
        try await lists.0.performFetch()
        try await lists.1.performFetch()
        var sums = (comparisons: 0, visits: 0)
        for number in 0..<20 {
          let (id, key) = (number * 37 + 11, (number * 53 + 5) * count / 130)
          let item = Item(id: id, section: "s\(id % 7)", key: key)
          var visits = (0, 0)
          let ofCommit = KeyCounters.comparisons { visits.0 = TreeCounters.visits { plain.put(item) } }
          let ofEdit = try KeyCounters.comparisons {
            visits.1 = try TreeCounters.visits {
              try draft.edit { edit in try edit.update(item) { $0 = item } }
            }
          }
          #expect(lists.0.snapshot == lists.1.snapshot)
          #expect(ofEdit == ofCommit && ofEdit > 0 && visits.1 == visits.0 && visits.1 > 0)
          sums = (sums.comparisons + ofEdit, sums.visits + visits.1)
        }
        // 64 times as many rows are six halvings more, in each of the two searches of a row that moves.
        if let small {
          #expect(sums.comparisons <= small.comparisons + 20 * 2 * 6 * 2)
          #expect(sums.visits <= small.visits * 2)
        }
        small = sums
      }
    }
  #endif

  /// Takes a list through its life, for what that costs the store: from its first read over commits and objects to a read of its own.
  private func life(of list: FetchController<Item>, _ write: (Item) async throws -> Void) async throws {
    try await list.performFetch()
    for id in 0..<40 { _ = list.object(for: id) }
    try await write(Item(id: 3, section: "a", key: 77))
    await list.waitUntilCurrent()
    _ = list.object(for: 3)
    _ = try list.objects(in: 100..<180)
    _ = try await list.objects(for: Array(200..<230))
    try await list.performFetch()
  }

  @Test("With nothing pending a store is asked no more by a list over a draft than by a list over itself")
  func nothingPending() async throws {
    let (plain, below) = (Self.store(500), Self.store(500))
    let (alone, counting) = (CountingStore(plain), CountingStore(below))
    let draft = FetchDraft(of: counting)
    try await life(of: FetchController(.byKey, in: alone)) { plain.put($0) }
    try await life(of: FetchController(.byKey, in: draft)) { below.put($0) }
    let counts = alone.takeCounts()
    #expect(counting.takeCounts() == counts && counts.rowsRead > 900 && counts.rowsByKey > 100)
    // Nor is it after an edit that was saved, and one that was taken back.
    let list = FetchController(.byKey, in: draft)
    try await list.performFetch()
    try draft.edit { edit in try edit.update(Item.self, id: 1) { $0.note = "n" } }
    try await draft.save()
    try draft.edit { edit in try edit.delete(Item.self, id: 2) }
    draft.discard()
    #expect(!draft.hasChanges)
    _ = counting.takeCounts()
    try await life(of: FetchController(.byKey, in: draft)) { below.put($0) }
    try await life(of: FetchController(.byKey, in: alone)) { plain.put($0) }
    // The list that lives on shares what the other reads.
    let (ours, theirs) = (counting.takeCounts(), alone.takeCounts())
    #expect(
      ours.reads <= theirs.reads && ours.rowsRead <= theirs.rowsRead && ours.rowsByKey == theirs.rowsByKey)
  }

  @Test("A read with rows pending takes the store's rows once, and with a limit as many more as are hidden")
  func readWithPendingRows() async throws {
    let store = CountingStore(Self.store(1_000))
    let draft = FetchDraft(of: store)
    try draft.edit { edit in
      for id in 0..<20 { try edit.update(Item.self, id: id) { $0.key = 5 + id * 100 } }
      for id in 2_000..<2_010 { try edit.insert(Item(id: id, section: "n", key: id)) }
    }
    await draft.waitUntilCurrent()
    _ = store.takeCounts()
    try await FetchController(.byKey, in: draft).performFetch()
    let all = store.takeCounts()
    #expect(all.reads == 1 && all.rowsRead == 1_000 && all.keyedReads == 0)
    let first = FetchController(FetchDescriptor<Item>.byKey.limit(10).offset(5), in: draft)
    try await first.performFetch()
    let counts = store.takeCounts()
    #expect(counts.reads == 1 && counts.rowsRead <= 10 + 5 + 20)
  }

  @Test("A save asks the store for one transaction, and lists read nothing after it")
  func save() async throws {
    let store = CountingStore(Self.store(1_000))
    let draft = FetchDraft(of: store)
    let list = FetchController(.byKey, in: draft)
    try await list.performFetch()
    try draft.edit { edit in for id in 0..<100 { try edit.update(Item.self, id: id) { $0.key = -id } } }
    let before = list.statistics
    _ = store.takeCounts()
    try await draft.save()
    #expect(store.takeCounts() == .init(saves: 1, settles: 1))
    let after = list.statistics
    #expect(after.effectiveCommits == before.effectiveCommits && after.rowsRead == before.rowsRead)
  }
}
