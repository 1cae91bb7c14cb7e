import LiveFetch
import LiveListsTestSupport
import LiveDraftStore
import LiveStore
import Snapshots
import Synchronization
import Testing

@testable import LiveDrafts

/// A commit that is told as a reset says what has changed only once the pending rows were read again.
@Suite("Commits that are told as resets while pending rows are read")
struct LateRowsTests {
  /// A store that tells each commit as a reset, and runs closures while it is read.
  private final class LateStore: ForwardingStore {
    typealias Body = @Sendable () async -> Void
    let memory: InMemoryStore
    var base: any DraftSaving { memory }
    private let loads = Mutex<[Body]>([])
    private let reads = Mutex<[Body]>([])

    init(_ memory: InMemoryStore) { self.memory = memory }

    /// - Parameters:
    ///   - loads: What is done after each of the next reads of pending rows.
    ///   - read: What is done in the midst of the next read of a list.
    func interrupt(loads: [Body], read: @escaping Body) {
      self.loads.withLock { $0 = loads }
      reads.withLock { $0 = [read] }
    }

    func observe(_ plan: FetchPlan, receive: @escaping @Sendable (FetchStoreEvent) -> Void)
      -> FetchObservation
    {
      base.observe(plan) { event in
        guard case .changes(let changes) = event else { return receive(event) }
        receive(
          .reset(
            FetchReset(
              position: changes.position, reason: .unresumable, touched: TouchedRows(changes.rows.map(\.id)),
              origins: changes.origins, writers: changes.writers, committed: changes.committed)))
      }
    }

    func save(_ changes: [DraftChange], policy: DraftPolicy, origins: [String]) async throws {
      try await base.save(changes, policy: policy, origins: origins)
    }

    func read<Result: Sendable>(
      _ plan: FetchPlan, _ body: @escaping @Sendable (any FetchRowCursor) throws -> Result
    ) async throws -> (Result, FetchPosition) {
      await reads.withLock { $0.popLast() }?()
      return try await base.read(plan, body)
    }

    func loadRows<Made: Sendable>(
      _ ids: [FetchValue], of plan: FetchPlan, _ make: @escaping @Sendable (FetchValue, FetchRow) -> Made
    ) async throws -> [Made] {
      let rows = try await base.loadRows(ids, of: plan, make)
      await loads.withLock { $0.isEmpty ? nil : $0.removeFirst() }?()
      return rows
    }
  }

  @Test("A row that is discarded meanwhile is shown as others have left it")
  func discarded() async throws {
    let memory = InMemoryStore()
    try await memory.write(
      (1...3).map { .put(Item(id: $0, section: "a", key: $0)) }, origin: nil)
    let store = LateStore(memory)
    let draft = FetchDraft(of: store)
    let list = FetchController(.byKey, in: draft)
    try await list.performFetch()
    try draft.edit { try $0.update(Item.self, id: 1) { $0.key = 5 } }
    let (discarded, isDiscarded) = AsyncStream<Void>.makeStream()
    store.interrupt(
      loads: [
        {
          // After the pending row was read, and before the list is.
          try? await memory.write([.put(Item(id: 1, section: "a", key: 9))], origin: nil)
        },
        { for await _ in discarded {} },
      ],
      read: {
        draft.discard()
        isDiscarded.finish()
      })
    try await memory.write([.put(Item(id: 2, section: "a", key: 7))], origin: nil)
    for await _ in discarded {}
    await draft.waitUntilCurrent()
    await list.waitUntilCurrent()
    #expect(list.snapshot?.itemIdentifiers == [3, 2, 1])
  }
}
