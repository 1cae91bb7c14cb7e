import LiveFetch
import LiveListsTestSupport
import _TestTools
import Snapshots
import Testing

@Suite("A limit gives what a fetch with it gives")
struct WindowTests {
  let store = InMemoryStore()
  let request = FetchDescriptor<Piece>().ordered(by: .ascending(\.key))

  /// Fetches with a controller that shares no list with others: its request differs in what it shows.
  private func fresh(_ request: FetchDescriptor<Piece>) async throws -> DiffableSnapshot<FetchSectionID, Int>
  {
    try await FetchController(request.ignoringChanges(to: \.weight), in: store).performFetch()
  }

  @Test("Sections by sort keys: what is out of order behind the limit is no concern of the list")
  func sectionsBySortKeys() async throws {
    let request = request.sectioned(by: \.section, order: .bySortKeys)
    let controller = FetchController(request.limit(1), in: store)
    try await controller.performFetch()
    store.put(Piece(1, "a", 1), Piece(2, "b", 2), Piece(3, "a", 3))
    await controller.waitUntilCurrent()
    #expect(controller.snapshot == ["a": [1]] && controller.failures.isEmpty)
    let two = FetchController(request.limit(2), in: store)
    #expect(try await two.performFetch() == ["a": [1], "b": [2]])
    store.put(Piece(4, "b", 0))
    await two.waitUntilCurrent()
    #expect(two.snapshot == ["b": [4], "a": [1]] && two.failures.isEmpty)
    // What is out of order within is.
    store.remove(1, 3)
    store.put(Piece(5, "a", 1), Piece(6, "b", 1))
    store.remove(2)
    await two.waitUntilCurrent()
    #expect(two.snapshot == ["b": [4], "a": [5]])
    let three = FetchController(request.limit(3), in: store)
    let error = await #expect(throws: FetchError.self) { try await three.performFetch() }
    #expect(error?.kind == .outOfOrderSection)
  }

  @Test("A list that could not take a commit shows the last good one, also to those who come")
  func joiningAFailedList() async throws {
    store.put(Piece(1, "a", 1), Piece(2, "b", 2))
    let controller = FetchController(request.sectioned(by: \.section, order: .bySortKeys), in: store)
    try await controller.performFetch()
    store.write { transaction in
      transaction.remove(.integer(1), from: "piece")
      for (id, section) in [(3, "c"), (4, "d"), (5, "c")] {
        transaction.put(Piece(id, section, id).row, in: "piece")
      }
    }
    #expect(controller.object(for: 2)?.id == 2)
    _ = try controller.objects(in: 0..<9)
    await controller.waitUntilCurrent()
    #expect(controller.snapshot == ["a": [1], "b": [2]])
    #expect(controller.failures.map(\.kind) == [.outOfOrderSection])
    store.put(Piece(5, "d", 5))
    await controller.waitUntilCurrent()
    #expect(controller.snapshot == ["b": [2], "c": [3], "d": [4, 5]])
  }

  @Test(
    "Rows that cannot be listed have their share of a limit, as in a fetch",
    arguments: 1...6 as ClosedRange<UInt64>)
  func failedRows(_ seed: UInt64) async throws {
    var random = SplitMix(seed: seed)
    let requests = [(3, 0), (4, 2), (2, 1), (0, 0)].map { request.limit($0.0).offset($0.1) }
    let controllers = requests.map { FetchController($0, in: store) }
    for controller in controllers { try await controller.performFetch() }
    for step in 0..<80 {
      let ids = (0..<Int.random(in: 1...3, using: &random)).map { _ in Int.random(in: 0..<10, using: &random)
      }
      let picks = ids.map { _ in Int.random(in: 0..<8, using: &random) }
      store.write { transaction in
        for (id, pick) in zip(ids, picks) {
          var row = Piece(id, "a", pick).row
          if pick == 7 { row["key"] = .text("none") }
          if pick < 2 {
            transaction.remove(.integer(Int64(id)), from: "piece")
          } else {
            transaction.put(row, in: "piece")
          }
        }
      }
      for (request, controller) in zip(requests, controllers) {
        await controller.waitUntilCurrent()
        let expected = try await fresh(request)
        #expect(controller.snapshot == expected, "seed \(seed), step \(step), \(ids), \(picks)")
      }
    }
  }
}
