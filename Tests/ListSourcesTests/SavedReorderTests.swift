import ListSources
import LiveFetch
import ListSourcesTestSupport
import LiveListsTestSupport
import Snapshots
import Testing

/// A row with an order of its own.
private struct Card: FetchModel {
  var id: Int
  var rank: Rank

  static let fetchTable = FetchTable<Card>(
    "card", id: .column("id", \.id), columns: [.column("rank", \.rank)])

  init(id: Int, rank: Rank) {
    self.id = id
    self.rank = rank
  }

  init(fetchRow row: FetchRow) throws {
    id = try row["id"]
    rank = try row["rank"]
  }

  var values: InMemoryStore.Row { ["id": .integer(Int64(id)), "rank": .blob(rank.bytes)] }
}

@Suite("Reorders that are saved")
struct SavedReorderTests {
  @Test(
    "A drag of n items is n rows in one write, the store has the order, and the view does not jump",
    arguments: 0..<6)
  func roundTrip(seed: UInt64) async throws {
    var random = SeededGenerator(seed: seed &+ 880)
    let store = InMemoryStore()
    let ranks = try Rank.between(nil, nil, count: 12)
    store.write { transaction in
      for (id, rank) in ranks.enumerated() { transaction.put(Card(id: id, rank: rank).values, in: "card") }
    }
    let cards = FetchController(FetchDescriptor<Card>().ordered(by: .ascending(\.rank)), in: store)
    let view = StrictListView<FetchSectionID, Int, Card>()
    let source = DiffableDataSource(target: view) { cards.object(for: $0) }
    var dropped: [ReorderTransaction<FetchSectionID, Int>] = []
    source.reorderingHandlers.canReorderItem = { _ in true }
    source.reorderingHandlers.didReorder = { dropped.append($0) }

    try await cards.performFetch()
    let changes = cards.changes.makeAsyncIterator()
    await source.apply(try #require(try await changes.next()))

    for step in 0..<20 {
      let items = Array((0..<12).shuffled(using: &random).prefix(Int.random(in: 1...3, using: &random)))
      var session = try #require(source.beginReordering(items))
      session.move(
        to: ListIndexPath(item: Int.random(in: 0...9, using: &random), section: 0), in: source.snapshot())
      let count = dropped.count
      await source.endReordering(session)
      guard dropped.count > count, let transaction = dropped.last else { continue }
      let shown = view.contents

      let current = store.write { $0.rows(of: "card") }.result
      let writes = try transaction.rankWrites { item -> Rank? in
        guard case .blob(let bytes)? = current[.integer(Int64(item))]?["rank"] else { return nil }
        return Rank(bytes: bytes)
      } between: {
        try Rank.between($0, $1, count: $2)
      }
      #expect(writes.map(\.item) == transaction.items)
      view.forgetHistory()
      store.write(origin: "drag \(step)") { table in
        for write in writes { table.put(Card(id: write.item, rank: write.rank).values, in: "card") }
      }

      // The commit comes round: it has the order of the drag, so nothing of the structure is left to do.
      let change = try #require(try await changes.next())
      #expect(Set(change.moved + change.updated) == Set(transaction.items), "seed \(seed), step \(step)")
      #expect(change.snapshot == transaction.finalSnapshot, "seed \(seed), step \(step)")
      await source.apply(change)
      #expect(view.contents == shown)
      #expect(view.batches.allSatisfy { !$0.changesStructure }, "seed \(seed), step \(step)")
      #expect(view.origins == ["drag \(step)"])
    }
    #expect(dropped.count > 10)
    #expect(view.violations.isEmpty)
  }

  @Test("A write that failed is taken back by applying what was before")
  func takenBack() async throws {
    let desk = await ReorderingTests.Desk("A[1,2,3]")
    let transaction = try #require(await desk.drag([3], to: 0, 0))
    #expect(desk.view.contents == "A[3,1,2]")
    await desk.source.apply(transaction.initialSnapshot)
    #expect(desk.view.contents == "A[1,2,3]")
    #expect(desk.view.violations.isEmpty)
  }
}
