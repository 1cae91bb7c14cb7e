import Foundation
import LiveFetch
import LiveListsTestSupport
import Snapshots
import Testing

@Suite("Mutations and the commits that they make")
struct MutationTests {
  let store = InMemoryStore()
  let request = FetchDescriptor<Piece>().filter(#Predicate { $0.section == "a" }).ordered(
    by: .ascending(\.key))

  func live() async throws -> FetchController<Piece> {
    let controller = FetchController(request, in: store)
    try await controller.performFetch()
    return controller
  }

  @Test("A write returns the position of its commit, and a list has it after waiting for it")
  func position() async throws {
    let controller = try await live()
    let (count, position) = store.write { table in
      for id in 1...3 { table.put(Piece(id).row, in: "piece") }
      return 3
    }
    await controller.waitUntil(position)
    #expect(controller.snapshot?.numberOfItems == count)
    #expect(try #require(controller.position) == position)
    store.reset()
    let last = store.write { $0.put(Piece(4).row, in: "piece") }.position
    await controller.waitUntil(last)
    #expect(controller.snapshot?.numberOfItems == 4)
  }

  @Test("Waiting for a commit that does not concern the list has an end")
  func positionOfNoConcern() async throws {
    store.put(Piece(1))
    let controller = try await live()
    let before = try #require(controller.position)
    let (_, position) = store.write { $0.put(Piece(2, "b").row, in: "piece") }
    await controller.waitUntil(position)
    #expect(controller.snapshot == ["": [1]] && controller.position == before)
  }

  @Test("A mutation that changed nothing is told once, behind what was committed before it")
  func acknowledged() async throws {
    let controller = try await live()
    let changes = controller.changes.makeAsyncIterator()
    _ = try await changes.next()
    store.put(Piece(1), origin: "one")
    await controller.acknowledge("nothing")
    let change = try #require(try await changes.next())
    #expect(change.inserted == [1] && change.origins == ["one", "nothing"] && change.cost.commits == 1)
    await controller.acknowledge("alone")
    let alone = try #require(try await changes.next())
    #expect(alone.origins == ["alone"] && alone.difference.isEmpty && alone.updated.isEmpty)
    // What a change had, or was told, is not told again.
    for tag in ["one", "nothing", "alone"] { await controller.acknowledge(tag) }
    store.put(Piece(2, "a", 2), origin: "two")
    #expect(try await changes.next()?.origins == ["two"])
  }

  @Test("Several mutations that changed nothing are told with one change, those that were told left out")
  func acknowledgedTogether() async throws {
    let controller = try await live()
    let changes = controller.changes.makeAsyncIterator()
    _ = try await changes.next()
    store.put(Piece(1), origin: "one")
    await controller.acknowledge(["two", "one", "three", "two"])
    let change = try #require(try await changes.next())
    #expect(change.inserted == [1] && change.origins == ["one", "two", "three"])
    let version = controller.statistics.deliveries
    await controller.acknowledge(["three", "one"])
    await controller.acknowledge([])
    await controller.acknowledge(["four", "five"])
    let alone = try #require(try await changes.next())
    #expect(alone.origins == ["four", "five"] && alone.difference.isEmpty)
    #expect(controller.statistics.deliveries == version + 1)
  }

  @Test("Paused, a mutation is told with what is held back; before there is a list, nobody is told")
  func acknowledgedWhilePaused() async throws {
    let controller = FetchController(request, in: store)
    await controller.acknowledge("early")
    let changes = controller.changes.makeAsyncIterator()
    #expect(try await changes.next()?.origins == [])
    controller.pause()
    store.put(Piece(1), origin: "one")
    await controller.acknowledge("two")
    controller.resume()
    let change = try #require(try await changes.next())
    #expect(change.inserted == [1] && change.origins == ["one", "two"])
  }

  @Test("A change names its writers, and the columns that differ where the store knows them")
  func writers() async throws {
    let controller = try await live()
    let changes = controller.changes.makeAsyncIterator()
    #expect(try await changes.next()?.writers.isEmpty == true)
    store.put(Piece(1))
    let change = try #require(try await changes.next())
    #expect(change.writers == .thisStore && change.changedColumns(of: 1) == nil)
    store.reset()
    #expect(try await changes.next()?.writers == .thisStore)
    await controller.acknowledge("nothing")
    #expect(try await changes.next()?.writers.isEmpty == true)
  }

  @Test("Statistics go on where the list is given another request, and begin anew where that is asked for")
  func statistics() async throws {
    let controller = try await live()
    for id in 1...3 { store.put(Piece(id, "a", id)) }
    let all = FetchDescriptor<Piece>().ordered(by: .descending(\.key))
    // Kept live by another, which has counted some commits by then.
    let other = FetchController(all, in: store)
    try await other.performFetch()
    for id in 4...5 { store.put(Piece(id, "a", id)) }
    try await controller.update(request: all)
    store.put(Piece(6, "a", 6))
    #expect(controller.statistics.commits == 6 && controller.statistics.effectiveCommits == 6)
    #expect(controller.statistics.fetches == 1 && other.statistics.commits == 3)
    try await controller.update(request: request)
    #expect(controller.statistics.commits == 6 && controller.statistics.fetches == 2)
    controller.stop()
    #expect(controller.statistics.commits == 6)
    try await controller.performFetch()
    #expect(controller.statistics.fetches == 3)
    store.put(Piece(7, "a", 7))
    controller.resetStatistics()
    var fresh = FetchController(request, in: store).statistics
    fresh.indexBytes = controller.statistics.indexBytes
    #expect(controller.statistics == fresh && fresh.indexBytes > 0)
    store.put(Piece(8, "a", 8))
    #expect(controller.statistics.commits == 1 && controller.statistics.fetches == 0)
    #expect(controller.statistics.rowsRead == 1)
  }

  @Test("The neighbours of a row are those that are read with it")
  func neighbours() async throws {
    for id in 0..<200 { store.put(Piece(id, "a", id)) }
    var options = FetchOptions()
    options.nearbyItemsSize = 8
    let controller = FetchController(request, in: store, options: options)
    #expect(controller.nearbyItemIdentifiers(for: 100) == [])
    try await controller.performFetch()
    let near = controller.nearbyItemIdentifiers(for: 100)
    #expect(near == Array(98..<106))
    _ = controller.object(for: 100)
    #expect(controller.statistics.objectsRead == 8)
    #expect(controller.nearbyItemIdentifiers(for: 0) == Array(0..<8))
    #expect(controller.nearbyItemIdentifiers(for: 199) == [197, 198, 199])
    #expect(controller.nearbyItemIdentifiers(for: 999) == [])
    // Asking changes nothing of what is read next.
    #expect(controller.statistics.objectsRead == 8)
  }
}
