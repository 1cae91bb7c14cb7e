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
    "Writers, editors, savers and readers at once end with lists that are right",
    arguments: DraftLawTests.seeds.prefix(max(4, DraftLawTests.seeds.count / 4)))
  func everybodyAtOnce(_ seed: UInt64) async throws {
    let store = InMemoryStore()
    try await Self.everybodyAtOnce(seed, on: store) { try store.items }
  }

  /// Lets writers, editors, savers and readers work on a few rows at once.
  ///
  /// In the middle of it nobody can say what a list is to show. At the end it is what a list shows that is read anew; its differences
  /// have led there; and what is saved then is what the draft has shown.
  static func everybodyAtOnce(
    _ seed: UInt64, on store: any DraftLawStore, items: () async throws -> [Int: Item]
  ) async throws {
    let count = seed % 2 == 0 ? 6 : 60
    try await store.write((0..<count).map { .put(Item(id: $0, section: "a", key: $0)) }, origin: nil)
    let draft = FetchDraft(of: store.saving)
    let lists = [
      FetchController(.byKey, in: draft),
      FetchController(FetchDescriptor<Item>.byKey.limit(7).offset(2), in: draft),
    ]
    var listeners: [(changes: FetchChanges<Int>.Iterator, shown: DiffableSnapshot<FetchSectionID, Int>)] = []
    for list in lists {
      let shown = try await list.performFetch()
      let changes = list.changes.makeAsyncIterator()
      _ = try await changes.next()
      listeners.append((changes, shown))
    }
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { try await write(SplitMix(seed: seed), count, store) }
      for editor in 0..<2 {
        group.addTask { try await edit(SplitMix(seed: seed &+ 100 &+ UInt64(editor)), count, draft) }
      }
      for saver in 0..<2 {
        group.addTask { try await save(SplitMix(seed: seed &+ 200 &+ UInt64(saver)), draft) }
      }
      group.addTask { [list = lists[0]] in
        for _ in 0..<30 {
          _ = try await FetchController(.byKey, in: draft).performFetch()
          _ = try await list.objects(for: Array(0..<count))
        }
      }
      try await group.waitForAll()
    }
    await draft.waitUntilCurrent()
    for position in lists.indices {
      let list = lists[position]
      await list.waitUntilCurrent()
      let fresh = FetchController(list.request.filter(#Predicate { $0.id > -1 }), in: draft)
      let read = try await fresh.performFetch()
      #expect(list.snapshot == read, "seed \(seed)")
      while list.snapshot == read, listeners[position].shown != read {
        let change = try #require(try await listeners[position].changes.next())
        listeners[position].shown = try listeners[position].shown.applying(change.difference)
      }
      for id in read.itemIdentifiers {
        #expect(list.object(for: id) == fresh.object(for: id), "seed \(seed)")
      }
    }
    let shown = lists[0].snapshot?.itemIdentifiers.map { lists[0].object(for: $0) }
    try await draft.save(policy: .mine)
    await lists[0].waitUntilCurrent()
    #expect(!draft.hasChanges && draft.conflicts.isEmpty)
    let rows = try await items().values.sorted { ($0.key, $0.id) < ($1.key, $1.id) }
    #expect(shown == rows, "seed \(seed)")
    #expect(lists[0].snapshot?.itemIdentifiers == rows.map(\.id))
  }

  private static func write(_ random: SplitMix, _ count: Int, _ store: any DraftLawStore) async throws {
    var random = random
    for _ in 0..<200 {
      let id = Int.random(in: 0..<count, using: &random)
      switch Int.random(in: 0..<12, using: &random) {
      case 0: try await store.reset()
      case 1, 2: try await store.write([.remove(id)], origin: nil)
      default:
        let item = Item(id: id, section: "b", key: .random(in: 0..<90, using: &random))
        try await store.write([.put(item)], origin: nil)
      }
      await Task.yield()
    }
  }

  private static func edit(_ random: SplitMix, _ count: Int, _ draft: FetchDraft) async throws {
    var random = random
    for _ in 0..<150 {
      let id = Int.random(in: 0..<count, using: &random)
      let key = Int.random(in: 0..<90, using: &random)
      do {
        switch Int.random(in: 0..<10, using: &random) {
        case 0, 1: try draft.undo()
        case 2: try draft.redo()
        case 3: draft.discard(Item.self, [id])
        case 4:
          try draft.edit { edit in
            if try edit.find(Item.self, id: id) == nil {
              try edit.insert(Item(id: id, section: "c", key: key))
            } else {
              try edit.delete(Item.self, id: id)
            }
          }
        case 5: try draft.edit { edit in try edit.update(Item.self, id: id) { $0.note = "\(key)" } }
        default: try draft.edit { edit in try edit.update(Item.self, id: id) { $0.key = key } }
        }
      } catch is DraftError {}
      await Task.yield()
    }
  }

  private static func save(_ random: SplitMix, _ draft: FetchDraft) async throws {
    var random = random
    for _ in 0..<20 {
      do {
        try await draft.save(policy: DraftPolicy.allCases[Int.random(in: 0..<4, using: &random)])
      } catch let conflict as DraftConflict {
        if Bool.random(using: &random) { draft.discard(Item.self, conflict.ids(of: Item.self)) }
      }
      await Task.yield()
    }
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
