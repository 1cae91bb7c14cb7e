import Foundation
import LiveFetch
import LiveListsTestSupport
import Snapshots
import Testing

@Suite("Objects are never older than the list")
struct ObjectTests {
  let store = InMemoryStore()
  let request = FetchDescriptor<Piece>().ordered(by: .ascending(\.key))

  @Test("A commit that a whole read has seen names the rows that it touched")
  func seenByARead() async throws {
    let store = InterruptedStore()
    store.base.put(Piece(1, "a", 1, name: "old"), Piece(2, "a", 2, name: "old"))
    let controller = FetchController(request, in: store)
    try await controller.performFetch()
    let changes = controller.changes.makeAsyncIterator()
    _ = try await changes.next()
    #expect(controller.object(for: 2)?.name == "old")
    // The first commit has the list read anew; the second comes before it is.
    store.precede { $0.put(Piece(2, "a", 2, name: "new"), origin: "seen") }
    let reset = FetchReset(
      position: FetchPosition(store.base.position.value + 1), reason: .manyRows, touched: [.integer(1)])
    store.tell(.reset(reset))
    await controller.waitUntilCurrent()
    #expect(controller.object(for: 2)?.name == "new")
    let change = try #require(try await changes.next())
    #expect(change.updated == [1, 2] && change.origins == ["seen"])
  }

  @Test("A commit that is told only after the read which saw it names its rows, too")
  func toldLate() async throws {
    let store = InterruptedStore()
    store.base.put(Piece(1, "a", 1, name: "old"))
    let controller = FetchController(request, in: store)
    try await controller.performFetch()
    let changes = controller.changes.makeAsyncIterator()
    _ = try await changes.next()
    #expect(controller.object(for: 1)?.name == "old")
    store.silence { $0.put(Piece(1, "a", 1, name: "new")) }
    store.tell(
      .changes(
        ChangeSet(
          position: controller.position ?? FetchPosition(0), columns: ["id"], tableColumns: ["id"],
          rows: [ChangeSet.Row(id: .integer(1), values: nil)])))
    #expect(controller.object(for: 1)?.name == "new")
    #expect(try await changes.next()?.updated == [1])
    #expect(controller.snapshot == ["": [1]] && controller.statistics.fetches == 1)
  }

  @Test("All, then a filter, then a write outside of it, then all: the object is the new one, and is shown")
  func searchAndClear() async throws {
    store.put(Piece(1, "a", 1, name: "old"), Piece(2, "b", 2, name: "old"))
    let controller = FetchController(request, in: store)
    try await controller.performFetch()
    let changes = controller.changes.makeAsyncIterator()
    _ = try await changes.next()
    for id in 1...2 { #expect(controller.object(for: id)?.name == "old") }
    try await controller.update(request: request.filter(#Predicate { $0.section == "a" }))
    store.put(Piece(2, "b", 2, name: "new"))
    try await controller.update(request: request)
    #expect(controller.object(for: 2)?.name == "new")
    // The listener took neither of the lists between.
    #expect(try #require(try await changes.next()).updated.contains(2))
  }

  @Test(
    "Rows of a list but one that a listener has not taken are told as changed when they come back",
    arguments: [true, false])
  func slowSearch(isPaused: Bool) async throws {
    store.put(Piece(1, "a", 1), Piece(2, "b", 2, name: "old"))
    let controller = FetchController(request, in: store)
    try await controller.performFetch()
    let changes = controller.changes.makeAsyncIterator()
    _ = try await changes.next()
    if isPaused { controller.pause() }
    try await controller.update(request: request.filter(#Predicate { $0.section == "a" }))
    store.put(Piece(2, "b", 2, name: "new"))
    store.put(Piece(1, "a", 1, name: "later"))
    try await controller.update(request: request)
    controller.resume()
    #expect(try #require(try await changes.next()).updated == [1, 2])
  }

  @Test("Objects of rows outside of the list are read each time that they are asked for")
  func outside() async throws {
    store.put(Piece(1, "a", 1), Piece(2, "b", 2, name: "old"))
    let controller = FetchController(request.filter(#Predicate { $0.section == "a" }), in: store)
    try await controller.performFetch()
    #expect(try await controller.objects(for: [1, 2])[2]?.name == "old")
    store.put(Piece(2, "b", 2, name: "new"))
    #expect(try await controller.objects(for: [1, 2])[2]?.name == "new")
    #expect(controller.object(for: 2) == nil)
  }

  @Test(
    "A row that is pushed behind the limit, changes there and comes back is told as changed, and is read anew"
  )
  func behindTheLimit() async throws {
    store.put(Piece(1, "a", 1), Piece(2, "a", 2, name: "old"))
    let controller = FetchController(request.limit(2), in: store)
    try await controller.performFetch()
    let changes = controller.changes.makeAsyncIterator()
    _ = try await changes.next()
    #expect(controller.object(for: 2)?.name == "old")
    store.put(Piece(3, "a", 0))
    #expect(controller.snapshot == ["": [3, 1]])
    store.put(Piece(2, "a", 2, name: "new"))
    store.remove(3)
    await controller.waitUntilCurrent()
    #expect(controller.snapshot == ["": [1, 2]])
    #expect(controller.object(for: 2)?.name == "new")
    #expect(try await changes.next()?.updated == [2])
  }

  @Test("A row that a read pushed behind the limit is told as changed as well")
  func pushedOutByARead() async throws {
    store.put(Piece(1, "a", 1), Piece(2, "a", 2), Piece(3, "a", 3, name: "old"))
    let controller = FetchController(request.limit(3), in: store)
    try await controller.performFetch()
    let changes = controller.changes.makeAsyncIterator()
    _ = try await changes.next()
    #expect(controller.object(for: 3)?.name == "old")
    store.write { transaction in
      transaction.remove(.integer(2), from: "piece")
      for id in 4...6 { transaction.put(Piece(id, "a", 0).row, in: "piece") }
    }
    await controller.waitUntilCurrent()
    #expect(controller.snapshot == ["": [4, 5, 6]])
    store.put(Piece(3, "a", 3, name: "new"))
    store.remove(4, 5)
    await controller.waitUntilCurrent()
    #expect(controller.snapshot == ["": [6, 1, 3]] && controller.object(for: 3)?.name == "new")
    #expect(try #require(try await changes.next()).updated.contains(3))
  }

  @Test("Of a list that could not be read no object is kept from before")
  func afterAFailure() async throws {
    let store = InterruptedStore()
    store.base.put(Piece(1, "a", 1, name: "old"))
    let controller = FetchController(request, in: store)
    try await controller.performFetch()
    #expect(controller.object(for: 1)?.name == "old")
    store.precede { base in
      base.put(Piece(1, "a", 1, name: "new"))
      base.failReads(with: .outOfOrderSection(name: "x"))
    }
    store.tell(
      .reset(
        FetchReset(
          position: FetchPosition(store.base.position.value + 1), reason: .manyRows, touched: [.integer(9)])))
    await controller.waitUntilCurrent()
    #expect(controller.failures.map(\.kind) == [.outOfOrderSection])
    #expect(controller.object(for: 1)?.name == "new")
  }

  @Test("A list that is followed no longer has its rows read, and keeps none")
  func afterStopping() async throws {
    store.put(Piece(1, name: "old"))
    let controller = FetchController(request, in: store)
    try await controller.performFetch()
    #expect(controller.object(for: 1)?.name == "old")
    controller.stop()
    store.put(Piece(1, name: "new"))
    #expect(controller.object(for: 1)?.name == "new")
    store.put(Piece(1, name: "newer"))
    #expect(controller.object(for: 1)?.name == "newer")
  }
}
