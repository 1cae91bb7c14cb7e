import LiveFetch
import LiveListsTestSupport
import Snapshots
import Synchronization
import Testing

/// Commits to a list while it is being read, and after it was.
@Suite("Commits beside a read")
struct ReadingTests {
  let store = InterruptedStore()
  let request = FetchDescriptor<Piece>().ordered(by: .ascending(\.key))

  @Test("What is committed while the list is read is applied after it", arguments: [3, 1_100])
  func commits(count: Int) async throws {
    store.base.put(Piece(1, "a", 1))
    let controller = FetchController(request, in: store)
    try await controller.performFetch()
    let changes = controller.changes.makeAsyncIterator()
    _ = try await changes.next()
    store.interrupt { base in
      for number in 2...count { base.put(Piece(number, "a", number), origin: "\(number)") }
    }
    try await controller.performFetch()
    await controller.waitUntilCurrent()
    // Each commit is told of, in however many deliveries.
    var origins: Set<String> = []
    while origins.count < count - 1 { origins.formUnion(try #require(try await changes.next()).origins) }
    #expect(origins == Set((2...count).map(String.init)))
    // So many that they are not kept are had by reading again.
    #expect(controller.snapshot?.itemIdentifiers == Array(1...count))
    #expect(controller.statistics.fetches == (count > 1_000 ? 3 : 2))
  }

  @Test("A commit while a read fails mends the list, and what mends it is told with its origin")
  func mending() async throws {
    store.base.put(Piece(1, "a", 1))
    let controller = FetchController(request, in: store)
    try await controller.performFetch()
    let changes = controller.changes.makeAsyncIterator()
    _ = try await changes.next()
    store.interrupt(thenFail: .outOfOrderSection(name: "x")) { $0.put(Piece(2, "a", 2), origin: "mends") }
    store.base.reset()
    await controller.waitUntilCurrent()
    #expect(controller.snapshot == ["": [1, 2]])
    let change = try #require(try await changes.next())
    #expect(change.failures.map(\.kind) == [.outOfOrderSection] && change.origins == ["mends"])
    #expect(controller.statistics.failures == 1)
  }

  @Test("After a failed read the list is as of where it was")
  func positionOfAFailure() async throws {
    store.base.put(Piece(1, "a", 1))
    let controller = FetchController(request, in: store)
    try await controller.performFetch()
    let position = try #require(controller.position)
    let changes = controller.changes.makeAsyncIterator()
    _ = try await changes.next()
    store.interrupt(thenFail: .outOfOrderSection(name: "x")) { _ in }
    store.base.reset()
    let change = try #require(try await changes.next())
    #expect(change.failures.count == 1 && change.position == position && controller.position == position)
  }

  @Test("An object that was read before a commit touched its row is not kept after it")
  func objects() async throws {
    store.base.put(Piece(1, "a", 1, name: "old"))
    let controller = FetchController(request, in: store)
    try await controller.performFetch()
    store.interrupt { $0.put(Piece(1, "a", 1, name: "new")) }
    #expect(controller.object(for: 1)?.name == "old")
    #expect(controller.object(for: 1)?.name == "new")
  }

  @Test("A commit that the list has already is not applied again")
  func late() async throws {
    store.base.put(Piece(1, "a", 1), Piece(2, "a", 2))
    let controller = FetchController(request, in: store)
    try await controller.performFetch()
    let rows = [ChangeSet.Row(id: .integer(1), values: nil)]
    let position = store.base.position
    for position in [FetchPosition(position.value - 1), position] {
      store.tell(.changes(ChangeSet(position: position, columns: ["id"], tableColumns: ["id"], rows: rows)))
      store.tell(.reset(FetchReset(position: position, reason: .schema)))
    }
    await controller.waitUntilCurrent()
    #expect(controller.snapshot == ["": [1, 2]])
    #expect(controller.statistics.commits == 0 && controller.statistics.fetches == 1)
  }

  @Test(
    "Above two hundred rows, and above a sixteenth of the list, touched rows are read with all others",
    arguments: [(600, 200), (8_000, 500)])
  func manyRows(size: Int, most: Int) async throws {
    store.base.write { transaction in
      for number in 0..<size { transaction.put(Piece(number, "a", number).row, in: "piece") }
    }
    let controller = FetchController(request, in: store)
    try await controller.performFetch()
    let changes = controller.changes.makeAsyncIterator()
    _ = try await changes.next()
    for count in [most, most + 1] {
      store.base.write(origin: "\(count)") { transaction in
        for number in 0..<count {
          transaction.put(Piece(number, "a", number, hidden: count).row, in: "piece")
        }
      }
      await controller.waitUntilCurrent()
      let change = try #require(try await changes.next())
      #expect(change.cost.isReread == (count > most) && change.origins == ["\(count)"])
      #expect(Set(change.updated) == Set(0..<count) && !change.difference.changesStructure)
    }
  }
}

/// A store in memory whose next read can be interrupted, and that can be made to tell something.
final class InterruptedStore: FetchStore {
  private struct Core {
    var interruption: (@Sendable (InMemoryStore) -> Void)?
    var preparation: (@Sendable (InMemoryStore) -> Void)?
    var failure: FetchError?
    var receivers: [@Sendable (FetchStoreEvent) -> Void] = []
    var isSilent = false
  }

  let base = InMemoryStore()
  private let core = Mutex(Core())

  /// Has something done in the midst of the next read, when what it reads is settled.
  func interrupt(thenFail failure: FetchError? = nil, _ body: @escaping @Sendable (InMemoryStore) -> Void) {
    core.withLock { ($0.interruption, $0.failure) = (body, failure) }
  }

  /// Has something done just before the next read, which sees it.
  func precede(_ body: @escaping @Sendable (InMemoryStore) -> Void) {
    core.withLock { $0.preparation = body }
  }

  /// Writes of which nobody is told.
  func silence(_ body: (InMemoryStore) -> Void) {
    core.withLock { $0.isSilent = true }
    body(base)
    core.withLock { $0.isSilent = false }
  }

  /// Tells all observers.
  func tell(_ event: FetchStoreEvent) { for receive in core.withLock({ $0.receivers }) { receive(event) } }

  func observe(
    _ plan: FetchPlan, receive: @escaping @Sendable (FetchStoreEvent) -> Void
  ) -> FetchObservation {
    core.withLock { $0.receivers.append(receive) }
    return base.observe(plan) { event in if !self.core.withLock({ $0.isSilent }) { receive(event) } }
  }

  func read<Result: Sendable>(
    _ plan: FetchPlan, _ body: @escaping @Sendable (any FetchRowCursor) throws -> Result
  ) async throws -> (Result, FetchPosition) {
    let preparation = core.withLock { core in
      defer { core.preparation = nil }
      return core.preparation
    }
    preparation?(base)
    let result = try await base.read(plan, body)
    if let failure = interrupted() { throw failure }
    return result
  }

  private func interrupted() -> FetchError? {
    let (interruption, failure) = core.withLock { core in
      defer { (core.interruption, core.failure) = (nil, nil) }
      return (core.interruption, core.failure)
    }
    interruption?(base)
    return failure
  }

  func rows<Made>(
    _ ids: [FetchValue], of plan: FetchPlan, _ make: (FetchValue, FetchRow) -> Made
  ) throws -> [Made] {
    let rows = try base.rows(ids, of: plan, make)
    if let failure = interrupted() { throw failure }
    return rows
  }

  func loadRows<Made: Sendable>(
    _ ids: [FetchValue], of plan: FetchPlan, _ make: @escaping @Sendable (FetchValue, FetchRow) -> Made
  ) async throws -> [Made] { try await base.loadRows(ids, of: plan, make) }
}
