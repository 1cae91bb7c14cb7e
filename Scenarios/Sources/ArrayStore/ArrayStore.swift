public import LiveStore
import Synchronization

/// A store of somebody's own: one table in a Swift array, which knows nothing of the library but its contract.
///
/// It shows how little a store has to do. Rows are told apart by the first column; whoever observes is notified of every
/// write; a list is read by filtering and sorting all rows.
public final class ArrayStore: FetchStore {
  /// A row's values, in the order of ``columns``.
  public typealias Row = [FetchValue]

  /// The table's name.
  public let table: String
  /// The names of the columns, the primary key first.
  public let columns: [String]

  private struct State {
    var rows: [Row] = []
    var version: UInt64 = 1
    var isClosed = false
    var observers: [UInt64: (plan: FetchPlan, receive: @Sendable (FetchStoreEvent) -> Void)] = [:]
    var nextObserver: UInt64 = 0
  }
  private let state = Mutex(State())
  /// Held until all observers have been notified of a write, so that they learn of writes in their order.
  private let writing = Mutex(())

  /// Creates an empty store.
  public init(table: String, columns: [String]) {
    self.table = table
    self.columns = columns
  }

  /// Changes the rows, all or nothing.
  /// - Parameters:
  ///   - origin: A tag that the changes of lists carry.
  ///   - body: Edits the rows. When it throws, nothing is changed.
  public func write(origin: String? = nil, _ body: (inout [Row]) throws -> Void) throws {
    try writing.withLock { _ in
      let (before, after) = try state.withLock { state in
        if state.isClosed { throw FetchError.closed }
        let before = state.rows
        var after = before
        try body(&after)
        if after != before { (state.rows, state.version) = (after, state.version + 1) }
        return (before, after)
      }
      let touched = Self.touched(before, after)
      guard !touched.isEmpty else { return }
      // Observers are called without the lock of the rows: they may end their observation.
      let (observers, version) = state.withLock { (Array($0.observers.values), $0.version) }
      for observer in observers where observer.plan.tables.contains(table) {
        let wanted = observer.plan.columns.map(\.name)
        let rows = touched.map { id, row in
          ChangeSet.Row(id: id, values: row.map { row in wanted.map { value($0, in: row) } })
        }
        observer.receive(
          .changes(
            ChangeSet(
              position: FetchPosition(version), origins: origin.map { [$0] } ?? [], columns: wanted,
              tableColumns: wanted, rows: rows)))
      }
    }
  }

  /// Ends all lists.
  public func close() {
    writing.withLock { _ in
      let observers = state.withLock { state in
        defer { (state.isClosed, state.observers) = (true, [:]) }
        return Array(state.observers.values)
      }
      for observer in observers { observer.receive(.closed) }
    }
  }

  /// The rows that differ, by primary key, with what they are now.
  private static func touched(_ before: [Row], _ after: [Row]) -> [(FetchValue, Row?)] {
    let old = Dictionary(before.map { ($0[0], $0) }) { $1 }
    let new = Dictionary(after.map { ($0[0], $0) }) { $1 }
    return Set(old.keys).union(new.keys).filter { old[$0] != new[$0] }.map { ($0, new[$0]) }
  }

  private func value(_ column: String, in row: Row) -> FetchValue {
    columns.firstIndex(of: column).map { row[$0] } ?? .null
  }

  private func whole(_ row: Row) -> FetchRow {
    FetchRow(DictionaryRow(Dictionary(uniqueKeysWithValues: zip(columns, row))))
  }

  // MARK: The contract

  /// Begins to notify an observer of writes.
  public func observe(
    _ plan: FetchPlan, receive: @escaping @Sendable (FetchStoreEvent) -> Void
  ) -> FetchObservation {
    let number = state.withLock { state in
      state.nextObserver += 1
      state.observers[state.nextObserver] = (plan, receive)
      return state.nextObserver
    }
    return FetchObservation { [weak self] in
      self?.state.withLock { _ = $0.observers.removeValue(forKey: number) }
    }
  }

  /// Reads a list: the rows that its filter admits, by the bytes of their order.
  public func read<Result: Sendable>(
    _ plan: FetchPlan, _ body: @escaping @Sendable (any FetchRowCursor) throws -> Result
  ) async throws -> (Result, FetchPosition) {
    let (all, version) = try state.withLock { state in
      if state.isClosed { throw FetchError.closed }
      return (state.rows, state.version)
    }
    var writer = OrderKeyWriter()
    let rows = all.compactMap { row -> (key: [UInt8], values: Row)? in
      let values = plan.columns.map { value($0.name, in: row) }
      guard plan.filter.holds({ values[$0] }) else { return nil }
      writer.reset()
      // A value that its column cannot hold has no key. The list says what is wrong with the row.
      let hasKey =
        plan.order.allSatisfy { writer.append(values[$0.column], $0) }
        && writer.appendIdentifier(values[0], plan.columns[0].type)
      return (hasKey ? writer.bytes : [], values)
    }
    let ordered = rows.sorted { $0.key.lexicographicallyPrecedes($1.key) }.map(\.values)
    let window = Array(ordered.dropFirst(plan.offset).prefix(plan.limit ?? .max))
    return (try body(ArrayCursor(window)), FetchPosition(version))
  }

  /// Reads rows by their primary keys.
  public func rows<Made>(
    _ ids: [FetchValue], of plan: FetchPlan, _ make: (FetchValue, FetchRow) -> Made
  ) throws -> [Made] {
    let rows = try state.withLock { state in
      if state.isClosed { throw FetchError.closed }
      return state.rows
    }
    let wanted = Set(ids)
    return rows.filter { wanted.contains($0[0]) }.map { make($0[0], whole($0)) }
  }

  /// Reads rows by their primary keys.
  public func loadRows<Made: Sendable>(
    _ ids: [FetchValue], of plan: FetchPlan, _ make: @escaping @Sendable (FetchValue, FetchRow) -> Made
  ) async throws -> [Made] {
    try rows(ids, of: plan, make)
  }
}
