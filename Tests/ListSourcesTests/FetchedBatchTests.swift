import LiveFetch
import ListSources
import ListSourcesTestSupport
import LiveListsTestSupport
import Snapshots
import Testing

@Suite("What commits do to a list, as batches of a view")
struct FetchedBatchTests {
  static let request = FetchDescriptor<ConformanceItem>().ordered(by: .ascending(\.key)).sectioned(
    by: \.section)

  @Test(
    "Random edits become batches that a strict view performs, and replaying them gives the new list",
    arguments: 1...12 as ClosedRange<UInt64>)
  func converted(_ seed: UInt64) async throws {
    var random = SeededGenerator(seed: seed)
    let store = InMemoryStore()
    let controller = FetchController(Self.request, in: store)
    try await controller.performFetch()
    let changes = controller.changes.makeAsyncIterator()
    var shown = try #require(try await changes.next()).snapshot
    let view = StrictListView<FetchSectionID, Int, String>()
    let source = DiffableDataSource(target: view) { "cell \($0)" }
    await source.apply(shown)
    var batches = 0
    for step in 0..<60 {
      var touched: Set<Int> = []
      store.write { transaction in
        for _ in 0..<Int.random(in: 1...12, using: &random) {
          let id = Int.random(in: 0..<30, using: &random)
          touched.insert(id)
          if Int.random(in: 0..<4, using: &random) == 0 {
            transaction.remove(.integer(Int64(id)), from: "item")
          } else {
            let item = ConformanceItem(
              id: id, section: ["a", "b", "c", "d"][Int.random(in: 0..<4, using: &random)],
              key: .random(in: 0..<12, using: &random))
            transaction.put(item.values, in: "item")
          }
        }
      }
      guard touched.contains(where: { shown.containsItem($0) || controller.indexPath(for: $0) != nil }) else {
        continue  // What comes and goes in one commit, or was never there, is nothing to the list.
      }
      let change = try #require(try await changes.next())
      #expect(touched.isSuperset(of: change.moved + change.updated), "seed \(seed), step \(step)")
      // The batch, by the rules alone, from the number of rows in each section.
      let counts = { (list: DiffableSnapshot<FetchSectionID, Int>) in list.sections.map(\.items.count) }
      let batch = BatchPlanner.structuralBatch(for: change.difference)
      try ListBatchValidator(before: counts(shown), after: counts(change.snapshot)).check(batch)
      // And performed, position by position.
      await source.apply(change.snapshot)
      shown = change.snapshot
      #expect(view.contents == text(shown), "seed \(seed), step \(step)")
      batches += 1
    }
    #expect(view.violations.isEmpty, "seed \(seed)")
    #expect(batches > 40)
  }
}
