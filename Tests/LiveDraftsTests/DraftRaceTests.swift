import Foundation
import LiveDrafts
import LiveFetch
import LiveListsTestSupport
import Snapshots
import Testing
import _TestTools

@Suite("Drafts that are used from many tasks")
struct DraftRaceTests {
  @Test(
    "A writer, two editors, a saver and readers at once end with lists that are right",
    arguments: [1, 2, 3] as [UInt64])
  func everybodyAtOnce(_ seed: UInt64) async throws {
    let store = InMemoryStore()
    store.write { transaction in
      for id in 0..<60 { transaction.put(Item(id: id, section: "a", key: id).values, in: "item") }
    }
    let draft = FetchDraft(of: store)
    let lists = [
      FetchController(.byKey, in: draft),
      FetchController(FetchDescriptor<Item>.byKey.limit(7).offset(2), in: draft),
    ]
    for list in lists { try await list.performFetch() }
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask {
        var random = SplitMix(seed: seed)
        for _ in 0..<300 {
          let id = Int.random(in: 0..<60, using: &random)
          store.put(Item(id: id, section: "b", key: .random(in: 0..<90, using: &random)))
          if Int.random(in: 0..<10, using: &random) == 0 { store.reset() }
          await Task.yield()
        }
      }
      for editor in 0..<2 {
        group.addTask {
          var random = SplitMix(seed: seed &+ 100 &+ UInt64(editor))
          for _ in 0..<200 {
            let id = Int.random(in: 0..<60, using: &random)
            let key = Int.random(in: 0..<90, using: &random)
            switch Int.random(in: 0..<8, using: &random) {
            case 0: try draft.undo()
            case 1: draft.discard(Item.self, [id])
            case 2:
              do {
                try draft.edit { edit in
                  if try edit.find(Item.self, id: id) == nil {
                    try edit.insert(Item(id: id, section: "c", key: key))
                  } else {
                    try edit.delete(Item.self, id: id)
                  }
                }
              } catch is DraftError {}
            default:
              do {
                try draft.edit { edit in try edit.update(Item.self, id: id) { $0.key = key } }
              } catch is DraftError {}
            }
            await Task.yield()
          }
        }
      }
      group.addTask {
        for _ in 0..<30 {
          try await draft.save(policy: .mine)
          await Task.yield()
        }
      }
      group.addTask {
        for _ in 0..<50 {
          _ = try await FetchController(.byKey, in: draft).performFetch()
          _ = try await lists[0].objects(for: Array(0..<60))
        }
      }
      try await group.waitForAll()
    }
    for list in lists { await list.waitUntilCurrent() }
    // A list that is read now has not followed anything.
    for list in lists {
      let fresh = FetchController(list.request.filter(#Predicate { $0.id > -1 }), in: draft)
      #expect(try await fresh.performFetch() == list.snapshot)
    }
    try await draft.save(policy: .mine)
    #expect(!draft.hasChanges)
    let rows = try store.items.values.sorted { ($0.key, $0.id) < ($1.key, $1.id) }
    #expect(lists[0].snapshot?.itemIdentifiers == rows.map(\.id))
    #expect(lists[1].snapshot?.itemIdentifiers == rows.map(\.id).dropFirst(2).prefix(7).map(\.self))
  }

  @Test(
    "Closed beside a writer, an editor, a saver and readers, all of them end",
    arguments: [1, 2, 3] as [UInt64])
  func closedAmongEverybody(_ seed: UInt64) async throws {
    let store = InMemoryStore()
    store.write { transaction in
      for id in 0..<60 { transaction.put(Item(id: id, section: "a", key: id).values, in: "item") }
    }
    let draft = FetchDraft(of: store)
    let list = FetchController(.byKey, in: draft)
    try await list.performFetch()
    let changes = list.changes
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { for try await _ in changes {} }
      group.addTask {
        for id in 0..<200 {
          store.put(Item(id: id % 60, section: "b", key: id))
          await Task.yield()
        }
      }
      group.addTask {
        var random = SplitMix(seed: seed)
        for key in 0..<200 {
          let id = Int.random(in: 0..<60, using: &random)
          do {
            try draft.edit { edit in try edit.update(Item.self, id: id) { $0.key = key } }
          } catch is FetchError {}
          await Task.yield()
        }
      }
      group.addTask { for _ in 0..<40 { do { try await draft.save(policy: .mine) } catch is FetchError {} } }
      group.addTask {
        for _ in 0..<40 {
          do { _ = try await FetchController(.byKey, in: draft).performFetch() } catch is FetchError {}
        }
      }
      group.addTask {
        for _ in 0..<20 * seed { await Task.yield() }
        store.close()
      }
      try await group.waitForAll()
    }
    #expect(throws: FetchError.self) { try draft.edit { edit in try edit.delete(Item.self, id: 1) } }
    await #expect(throws: FetchError.self) { try await FetchController(.byKey, in: draft).performFetch() }
  }

  @Test("Edits during the first read of 100,000 rows are in the list afterwards")
  func editsDuringRead() async throws {
    let store = InMemoryStore()
    store.write { transaction in
      for id in 0..<100_000 { transaction.put(Item(id: id, section: "a", key: id).values, in: "item") }
    }
    let draft = FetchDraft(of: store)
    let list = FetchController(.byKey, in: draft)
    async let fetched = list.performFetch()
    for id in 0..<200 {
      try draft.edit { edit in try edit.update(Item.self, id: id) { $0.key = 200_000 - id } }
      await Task.yield()
    }
    _ = try await fetched
    await list.waitUntilCurrent()
    #expect(list.snapshot?.itemIdentifiers.first == 200)
    #expect(list.snapshot?.itemIdentifiers.suffix(200) == Array((0..<200).reversed())[...])
  }
}
