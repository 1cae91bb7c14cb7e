@testable import LiveFetch
import LiveListsTestSupport
import LiveStore
import Snapshots
import Testing

@Suite("Objects around failures")
struct ObjectCacheTests {
  static let item = ConformanceItem(id: 1, section: "a", key: 1)
  let interruption = FetchError.interrupted(CancellationError())

  private func cache() throws -> (ObjectCache<ConformanceItem>, DiffableSnapshot<FetchSectionID, Int>) {
    let snapshot = try DiffableSnapshot(sections: [(FetchSectionID(""), [1])])
    let cache = ObjectCache<ConformanceItem>(limit: 10)
    cache.begin(with: snapshot)
    _ = cache.store([.success(Self.item)], readIn: cache.epoch)
    return (cache, snapshot)
  }

  @Test("They stay at hand while the store is cut off, and go with what is read meanwhile")
  func interrupted() throws {
    let (cache, snapshot) = try cache()
    func lost(isInterruption: Bool) -> FetchUpdate<Int> {
      FetchUpdate(
        snapshot: DiffableSnapshot(), position: FetchPosition(1), touched: [], isInterruption: isInterruption,
        failures: [interruption], cost: FetchCost(hasFailed: true))
    }
    var told = lost(isInterruption: true)
    cache.follow(&told)
    #expect(cache.object(1) == Self.item)
    // A read that was under way ends: its rows are newer.
    var read = FetchUpdate<Int>(
      snapshot: snapshot, position: FetchPosition(2), touched: .all, failures: [interruption],
      cost: FetchCost())
    cache.follow(&read)
    #expect(cache.object(1) == nil)
    // A read that fails for the same reason leaves nothing known.
    _ = cache.store([.success(Self.item)], readIn: cache.epoch)
    var failed = lost(isInterruption: false)
    cache.follow(&failed)
    #expect(cache.object(1) == nil)
  }

  @Test("Rows that could not be read are named by the next change")
  func unread() throws {
    let (cache, snapshot) = try cache()
    #expect(cache.note(.database(CancellationError()), of: 1))
    #expect(cache.note(.row(RowDecodingFailure(id: "9", column: nil, message: "gone")), of: 9))
    func update() -> FetchUpdate<Int> {
      FetchUpdate(snapshot: snapshot, position: FetchPosition(2), touched: [], cost: FetchCost())
    }
    var next = update()
    cache.follow(&next)
    #expect(next.touched.storedRows.map(\.id) == [1])
    var later = update()
    cache.follow(&later)
    #expect(later.touched.isEmpty)
  }

  @Test("A row that could not be read is updated by the next change of the list")
  func shownAgain() async throws {
    let store = InMemoryStore()
    func put(_ id: Int) {
      store.write { $0.put(ConformanceItem(id: id, section: "a", key: id).values, in: "item") }
    }
    put(1)
    put(2)
    let list = FetchController(FetchDescriptor<ConformanceItem>().ordered(by: .ascending(\.key)), in: store)
    let changes = list.changes.makeAsyncIterator()
    _ = try await changes.next()
    store.failRows(with: .database(CancellationError()))
    #expect(list.object(for: 2) == nil)
    store.failRows(with: nil)
    #expect(try await changes.next()?.failures.first?.kind == .database)
    put(3)
    #expect(try await changes.next()?.updated == [2])
    #expect(list.object(for: 2)?.key == 2)
  }
}
