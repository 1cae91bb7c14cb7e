import LiveDrafts
import Synchronization

/// A store that counts what is asked of another one.
final class CountingStore: DraftSaving {
  struct Counts: Equatable {
    /// Whole lists that were read, and the rows that were taken of them.
    var reads = 0
    var rowsRead = 0
    /// Reads by primary keys or by a range of a list, and the rows that they gave.
    var keyedReads = 0
    var rowsByKey = 0
    var saves = 0
    var settles = 0
  }

  let base: any DraftSaving
  private let state = Mutex(Counts())
  private let nextRead = Mutex<(@Sendable () -> Void)?>(nil)

  init(_ base: any DraftSaving) { self.base = base }

  var counts: Counts { state.withLock { $0 } }

  /// Returns what was asked since the last call.
  func takeCounts() -> Counts {
    state.withLock { counts in
      defer { counts = Counts() }
      return counts
    }
  }

  /// Has something happen right after the next read by primary keys.
  func afterNextRead(_ action: @escaping @Sendable () -> Void) { nextRead.withLock { $0 = action } }

  private func count(_ column: WritableKeyPath<Counts, Int>, _ number: Int = 1) {
    state.withLock { $0[keyPath: column] += number }
  }

  private final class Cursor: FetchRowCursor {
    private let base: any FetchRowCursor
    private(set) var rows = 0
    init(_ base: any FetchRowCursor) { self.base = base }

    func next() throws -> FetchRawRow? {
      let row = try base.next()
      if row != nil { rows += 1 }
      return row
    }
  }

  func observe(_ plan: FetchPlan, receive: @escaping @Sendable (FetchStoreEvent) -> Void) -> FetchObservation
  {
    base.observe(plan, receive: receive)
  }

  func waitUntilCurrent() async {
    count(\.settles)
    await base.waitUntilCurrent()
  }

  func read<Result: Sendable>(
    _ plan: FetchPlan, _ body: @escaping @Sendable (any FetchRowCursor) throws -> Result
  ) async throws -> (Result, FetchPosition) {
    count(\.reads)
    return try await base.read(plan) { [self] rows in
      let cursor = Cursor(rows)
      defer { count(\.rowsRead, cursor.rows) }
      return try body(cursor)
    }
  }

  func rows<Made>(
    _ ids: [FetchValue], of plan: FetchPlan, _ make: (FetchValue, FetchRow) -> Made
  ) throws -> [Made] {
    count(\.keyedReads)
    let rows = try base.rows(ids, of: plan, make)
    count(\.rowsByKey, rows.count)
    nextRead.withLock { action in
      defer { action = nil }
      return action
    }?()
    return rows
  }

  func loadRows<Made: Sendable>(
    _ ids: [FetchValue], of plan: FetchPlan, _ make: @escaping @Sendable (FetchValue, FetchRow) -> Made
  ) async throws -> [Made] {
    count(\.keyedReads)
    let rows = try await base.loadRows(ids, of: plan, make)
    count(\.rowsByKey, rows.count)
    return rows
  }

  func rows(
    in range: FetchOrderRange, of plan: FetchPlan, _ take: (FetchRawValue, FetchRow) -> Bool
  ) throws -> Bool {
    count(\.keyedReads)
    return try base.rows(in: range, of: plan) { key, row in
      count(\.rowsByKey)
      return take(key, row)
    }
  }

  func loadRows<Made: Sendable>(
    _ ids: [FetchValue], in range: FetchOrderRange, of plan: FetchPlan,
    _ make: @escaping @Sendable (FetchValue, FetchRow) -> Made
  ) async throws -> [Made] {
    count(\.keyedReads)
    let rows = try await base.loadRows(ids, in: range, of: plan, make)
    count(\.rowsByKey, rows.count)
    return rows
  }

  func columnNames(of table: String) throws -> [String]? { try base.columnNames(of: table) }

  func save(_ changes: [DraftChange], policy: DraftPolicy, origins: [String]) async throws {
    count(\.saves)
    try await base.save(changes, policy: policy, origins: origins)
  }
}
