public import LiveFetch
import Synchronization

/// A store in memory, for tests of code that shows live lists.
///
/// ```swift
/// let store = InMemoryStore()
/// store.write { $0.put(["id": .integer(1), "title": .text("Fjord")], in: "photo") }
/// ```
///
/// A table comes into being with its first row. Its rows are identified by the column `id`.
public final class InMemoryStore: FetchStore {
  /// A row's stored values by column name.
  public typealias Row = [String: FetchValue]

  /// The operations of a write. None of them is seen before the write returns.
  public struct Transaction {
    fileprivate var tables: [String: [FetchValue: Row]]
    fileprivate var touched: [String: Set<FetchValue>] = [:]

    /// Inserts a row into a table, or replaces the one with the same `id`.
    public mutating func put(_ row: Row, in table: String) {
      let id = row["id"] ?? .null
      tables[table, default: [:]][id] = row
      touched[table, default: []].insert(id)
    }

    /// Removes a row, if it is there.
    public mutating func remove(_ id: FetchValue, from table: String) {
      if tables[table]?.removeValue(forKey: id) != nil { touched[table, default: []].insert(id) }
    }

    /// The rows of a table by their `id`.
    public func rows(of table: String) -> [FetchValue: Row] { tables[table] ?? [:] }
  }

  private struct Observer {
    var plan: FetchPlan
    var receive: @Sendable (FetchStoreEvent) -> Void
  }

  private struct Core {
    var tables: [String: [FetchValue: Row]] = [:]
    var position: UInt64 = 1
    var observers: [Int: Observer] = [:]
    var nextObserver = 0
    var isClosed = false
    var failure: FetchError?
    var rowFailure: FetchError?
  }

  private let core = Mutex(Core())
  /// Held by a writer until all observers have been notified, so that they are notified in order. They are notified without
  /// the other lock: what they release may end an observation.
  private let delivery = Mutex(())

  /// Creates an empty store.
  public init() {}

  /// The position in the history of writes.
  public var position: FetchPosition { core.withLock { FetchPosition($0.position) } }

  /// Lets every read of a list fail, or no more.
  public func failReads(with failure: FetchError?) { core.withLock { $0.failure = failure } }

  /// Lets every read of whole rows fail, or no more.
  public func failRows(with failure: FetchError?) { core.withLock { $0.rowFailure = failure } }

  /// Writes, all or nothing.
  /// - Parameters:
  ///   - origin: An identifier that travels with the change.
  ///   - updates: What is written. When it throws, nothing is.
  /// - Returns: The result of `updates`, and the position of the commit.
  @discardableResult
  public func write<Result, Failure: Error>(
    origin: String? = nil, _ updates: (inout Transaction) throws(Failure) -> Result
  ) throws(Failure) -> (result: Result, position: FetchPosition) {
    try write(origins: origin.map { [$0] } ?? [], updates)
  }

  @discardableResult
  func write<Result, Failure: Error>(
    origins: [String], _ updates: (inout Transaction) throws(Failure) -> Result
  ) throws(Failure) -> (result: Result, position: FetchPosition) {
    try delivery.withLock { (_) throws(Failure) in
      let (result, position, notifications) = try core.withLock { (core) throws(Failure) in
        var transaction = Transaction(tables: core.tables)
        let result = try updates(&transaction)
        let before = core.tables
        core.tables = transaction.tables
        core.position += 1
        let notifications = transaction.touched.flatMap {
          Self.events(core, $0, $1, before[$0] ?? [:], origins)
        }
        return (result, FetchPosition(core.position), notifications)
      }
      for (observer, event) in notifications { observer.receive(event) }
      return (result, position)
    }
  }

  private static func events(
    _ core: borrowing Core, _ table: String, _ ids: Set<FetchValue>,
    _ before: [FetchValue: [String: FetchValue]], _ origins: [String]
  ) -> [(Observer, FetchStoreEvent)] {
    let stored = (core.tables[table]?.first ?? before.first)?.value.keys.sorted() ?? []
    return core.observers.values.filter { $0.plan.tables.contains(table) }.map { observer in
      let columns = observer.plan.columns.map(\.name)
      let rows = ids.sorted { $0.compare($1) < 0 }.map { id in
        let row = core.tables[table]?[id]
        // Of columns nothing is said: an observer's plan does not name all.
        let change: RowChange =
          switch (before[id] != nil, row != nil) {
          case (false, true): .inserted
          case (true, false): .deleted
          case (false, false): .insertedAndDeleted
          case (true, true): .unknown
          }
        return ChangeSet.Row(
          id: id, values: row.map { row in columns.map { row[$0] ?? .null } }, change: change)
      }
      let changes = ChangeSet(
        position: FetchPosition(core.position), origins: origins, columns: columns,
        tableColumns: columns + stored.filter { !columns.contains($0) }, rows: rows, statements: 1)
      return (observer, .changes(changes))
    }
  }

  /// Sends all observers a reset, so that they read again.
  public func reset() {
    delivery.withLock { _ in
      let (observers, position) = core.withLock { core in
        core.position += 1
        return (Array(core.observers.values), FetchPosition(core.position))
      }
      for observer in observers {
        observer.receive(.reset(FetchReset(position: position, reason: .unresumable)))
      }
    }
  }

  /// Notifies all observers that the store is cut off from its database, as one on another machine may be. Their lists may be old
  /// until ``resume()``, or the next write.
  /// - Parameter error: Why.
  public func interrupt(_ error: any Error) { notify(.interrupted(.interrupted(error))) }

  /// Notifies all observers that the store knows of all commits again.
  public func resume() { notify(.resumed) }

  private func notify(_ event: FetchStoreEvent) {
    delivery.withLock { _ in
      for observer in core.withLock({ Array($0.observers.values) }) { observer.receive(event) }
    }
  }

  /// Ends the streams of all lists.
  public func close() {
    delivery.withLock { _ in
      let observers = core.withLock { core in
        defer { core.isClosed = true }
        return core.isClosed ? [] : Array(core.observers.values)
      }
      for observer in observers { observer.receive(.closed) }
    }
  }

  func anyRow(of table: String) -> Row? { core.withLock { $0.tables[table]?.first?.value } }

  func checkOpen() throws {
    if core.withLock({ $0.isClosed }) { throw FetchError.closed }
  }

  // MARK: FetchStore

  /// Begins to notify an observer of writes.
  public func observe(
    _ plan: FetchPlan, receive: @escaping @Sendable (FetchStoreEvent) -> Void
  ) -> FetchObservation {
    let number = core.withLock { core in
      core.nextObserver += 1
      core.observers[core.nextObserver] = Observer(plan: plan, receive: receive)
      return core.nextObserver
    }
    return FetchObservation { [weak self] in
      // An observer may hold the last reference to the store: it is not released within the lock.
      let removed = self?.core.withLock { $0.observers.removeValue(forKey: number) }
      withExtendedLifetime(removed) {}
    }
  }

  /// Reads the rows of a plan.
  public func read<Result: Sendable>(
    _ plan: FetchPlan, _ body: @escaping @Sendable (any FetchRowCursor) throws -> Result
  ) async throws -> (Result, FetchPosition) {
    let (rows, position) = try core.withLock { core in
      if core.isClosed { throw FetchError.closed }
      if plan.raw != nil { throw FetchError.database(InMemoryStoreError.noSQL) }
      if let failure = core.failure { throw failure }
      return (Array((core.tables[plan.table] ?? [:]).values), FetchPosition(core.position))
    }
    return (try body(ArrayCursor(plan.select(rows))), position)
  }

  /// Reads whole rows by their keys.
  public func rows<Made>(
    _ ids: [FetchValue], of plan: FetchPlan, _ make: (FetchValue, FetchRow) -> Made
  ) throws -> [Made] {
    let rows = try core.withLock { core in
      if let failure = core.rowFailure { throw failure }
      return ids.compactMap { id in core.tables[plan.table]?[id].map { (id, $0) } }
    }
    return rows.map { make($0, FetchRow(DictionaryRow($1))) }
  }

  /// Reads whole rows of a run of a list.
  public func rows(
    in range: FetchOrderRange, of plan: FetchPlan, _ take: (FetchRawValue, FetchRow) -> Bool
  ) throws -> Bool {
    let found = try core.withLock { core in
      if core.isClosed { throw FetchError.closed }
      if let failure = core.rowFailure { throw failure }
      return (core.tables[plan.table] ?? [:]).filter { _, row in range.contains { row[$0] ?? .null } }
    }
    let keys = ArrayCursor(found.keys.map { [$0] })
    for row in found.values {
      guard let key = try keys.next(), take(key[0], FetchRow(DictionaryRow(row))) else { break }
    }
    return true
  }

  /// Reads whole rows by their keys.
  public func loadRows<Made: Sendable>(
    _ ids: [FetchValue], of plan: FetchPlan, _ make: @escaping @Sendable (FetchValue, FetchRow) -> Made
  ) async throws -> [Made] {
    try rows(ids, of: plan, make)
  }
}

extension FetchPlan {
  /// The rows of the list, in order and within its limit: the plain way, without an index.
  package func select(_ rows: [InMemoryStore.Row]) -> [[FetchValue]] {
    var writer = OrderKeyWriter()
    let selected = rows.compactMap { row -> (key: [UInt8]?, values: [FetchValue])? in
      let values = columns.map { row[$0.name] ?? .null }
      guard filter.holds({ values[$0] }) else { return nil }
      writer.reset()
      for component in order where !writer.append(values[component.column], component) {
        return (nil, values)
      }
      return writer.appendIdentifier(values[0], columns[0].type) ? (writer.bytes, values) : (nil, values)
    }
    let ordered = selected.sorted { ($0.key ?? []).lexicographicallyPrecedes($1.key ?? []) }.map(\.values)
    return Array(ordered.dropFirst(offset).prefix(limit ?? .max))
  }
}

/// An operation that the store in memory does not have.
public enum InMemoryStoreError: Error, CustomStringConvertible {
  /// It does not know SQL.
  case noSQL

  /// A description of the error, and of how to mend it.
  public var description: String {
    "The store in memory knows no SQL. Test this request with a `SQLiteStore` in a temporary folder."
  }
}
