import LiveFetch
import LiveListsTestSupport
import Synchronization

/// A database in memory that several nodes look at: rows, and a log of the commits that touched them. It is as simple as can be, and can be
/// used wrongly in the ways in which stores of many nodes go wrong.
final class SharedDatabase: Sendable {
  typealias Row = InMemoryStore.Row

  /// A mistake in how nodes follow the log.
  enum Mistake: String, CaseIterable, Sendable {
    /// A node knows of its own commits alone.
    case hearsOnlyItself
    /// A node forgets the origins of the others' commits.
    case losesOrigins
    /// A node notes how far it is by the numbers that transactions got when they began.
    case countsByBeginning
    /// The writes of a transaction are in the table before its end.
    case readsUncommitted
    /// A node does not look whether the log is still the same one.
    case overlooksEpochs
    /// A node does not look whether the log was deleted further than it has read.
    case overlooksPruning
  }

  struct Commit: Sendable {
    /// The number that was given out when the transaction began.
    var number: Int
    var writer: Int?
    var table: String
    var ids: [FetchValue]
    var origin: String?
  }

  struct State: Sendable {
    var tables: [String: [FetchValue: Row]] = [:]
    /// The commits that are kept, in their order.
    var log: [Commit] = []
    /// How many commits before them were deleted.
    var pruned = 0
    var epoch = 0
    var lastNumber = 0
    var nodes = 0

    mutating func perform(_ writes: [ConformanceWrite]) {
      for write in writes {
        switch write {
        case .put(let item): tables["item", default: [:]][write.id] = item.values
        case .remove: tables["item", default: [:]][write.id] = nil
        }
      }
    }
  }

  let state = Mutex(State())
  let mistake: Mistake?

  init(_ mistake: Mistake? = nil) { self.mistake = mistake }

  func number() -> Int {
    state.withLock { state in
      state.lastNumber += 1
      return state.lastNumber
    }
  }

  func commit(_ writes: [ConformanceWrite], number: Int, by writer: Int?, origin: String?) {
    state.withLock { state in
      state.perform(writes)
      state.log.append(
        Commit(number: number, writer: writer, table: "item", ids: writes.map(\.id), origin: origin))
    }
  }
}

extension ConformanceWrite {
  fileprivate var id: FetchValue {
    switch self {
    case .put(let item): .integer(Int64(item.id))
    case .remove(let id): .integer(Int64(id))
    }
  }
}

/// A store on a ``SharedDatabase``, which looks at the log when it is asked to.
final class SharedStore: FetchStore {
  private struct Observer {
    var plan: FetchPlan
    var receive: @Sendable (FetchStoreEvent) -> Void
  }

  private struct Node {
    /// How many commits were read, and of them the highest number.
    var seen = 0
    var seenNumber = 0
    var epoch = 0
    var position: UInt64 = 1
    var observers: [Int: Observer] = [:]
    var nextObserver = 0
    var isClosed = false
  }

  let database: SharedDatabase
  let number: Int
  private let node: Mutex<Node>
  /// Held while observers are notified.
  private let delivery = Mutex(())

  init(_ database: SharedDatabase) {
    self.database = database
    let (number, node) = database.state.withLock { state in
      state.nodes += 1
      var node = Node()
      (node.seen, node.epoch) = (state.pruned + state.log.count, state.epoch)
      node.seenNumber = state.lastNumber
      return (state.nodes, node)
    }
    self.number = number
    self.node = Mutex(node)
  }

  /// Notifies observers of what the log has, and returns a table's rows as of then.
  @discardableResult
  private func look(_ table: String = "") throws -> (rows: [SharedDatabase.Row], position: FetchPosition) {
    try delivery.withLock { _ in
      let state = database.state.withLock { $0 }
      let (notices, position) = try node.withLock { node in
        if node.isClosed { throw FetchError.closed }
        return (take(state, &node), FetchPosition(node.position))
      }
      for (observer, event) in notices { observer.receive(event) }
      return (Array((state.tables[table] ?? [:]).values), position)
    }
  }

  private func take(_ state: SharedDatabase.State, _ node: inout Node) -> [(Observer, FetchStoreEvent)] {
    let mistake = database.mistake
    let isCut =
      node.epoch != state.epoch && mistake != .overlooksEpochs
      || node.seen < state.pruned && mistake != .overlooksPruning
    var commits = Array(state.log.dropFirst(max(0, node.seen - state.pruned)))
    if mistake == .countsByBeginning {
      commits = state.log.filter { $0.number > node.seenNumber }
    }
    if mistake == .hearsOnlyItself { commits = commits.filter { $0.writer == number } }
    node.epoch = state.epoch
    node.seen = state.pruned + state.log.count
    node.seenNumber = max(node.seenNumber, state.log.map(\.number).max() ?? 0)
    guard isCut || !commits.isEmpty else { return [] }
    node.position += 1
    let position = FetchPosition(node.position)
    return node.observers.values.compactMap { observer in
      if isCut { return (observer, .reset(FetchReset(position: position, reason: .unresumable))) }
      let concerned = commits.filter { observer.plan.tables.contains($0.table) }
      if concerned.isEmpty { return nil }
      let columns = observer.plan.columns.map(\.name)
      let rows = Set(concerned.flatMap(\.ids)).map { id in
        let row = state.tables[observer.plan.table]?[id]
        return ChangeSet.Row(id: id, values: row.map { row in columns.map { row[$0] ?? .null } })
      }
      let known = concerned.filter { mistake != .losesOrigins || $0.writer == number }
      return (
        observer,
        .changes(
          ChangeSet(
            position: position, origins: known.compactMap(\.origin), columns: columns, tableColumns: columns,
            rows: rows))
      )
    }
  }

  func write(_ writes: [ConformanceWrite], origin: String?) throws {
    database.commit(writes, number: database.number(), by: number, origin: origin)
    try look()
  }

  func put(_ samples: [ConformanceSample]) throws {
    database.state.withLock { state in
      for sample in samples {
        state.tables["sample", default: [:]][.integer(Int64(sample.id))] = sample.values
      }
      let ids = samples.map { FetchValue.integer(Int64($0.id)) }
      state.lastNumber += 1
      state.log.append(.init(number: state.lastNumber, writer: number, table: "sample", ids: ids))
    }
    try look()
  }

  func close() {
    delivery.withLock { _ in
      let observers = node.withLock { node in
        defer { node.isClosed = true }
        return node.isClosed ? [] : Array(node.observers.values)
      }
      for observer in observers { observer.receive(.closed) }
    }
  }

  // MARK: FetchStore

  func observe(_ plan: FetchPlan, receive: @escaping @Sendable (FetchStoreEvent) -> Void) -> FetchObservation
  {
    let number = node.withLock { node in
      node.nextObserver += 1
      node.observers[node.nextObserver] = Observer(plan: plan, receive: receive)
      return node.nextObserver
    }
    return FetchObservation { [weak self] in
      self?.node.withLock { _ = $0.observers.removeValue(forKey: number) }
    }
  }

  func waitUntilCurrent() async { _ = try? look() }

  func read<Result: Sendable>(
    _ plan: FetchPlan, _ body: @escaping @Sendable (any FetchRowCursor) throws -> Result
  ) async throws -> (Result, FetchPosition) {
    let (rows, position) = try look(plan.table)
    return (try body(ArrayCursor(plan.select(rows))), position)
  }

  func rows<Made>(
    _ ids: [FetchValue], of plan: FetchPlan, _ make: (FetchValue, FetchRow) -> Made
  ) throws -> [Made] {
    let rows = database.state.withLock { $0.tables[plan.table] ?? [:] }
    return ids.compactMap { id in rows[id].map { make(id, FetchRow(DictionaryRow($0))) } }
  }

  func loadRows<Made: Sendable>(
    _ ids: [FetchValue], of plan: FetchPlan, _ make: @escaping @Sendable (FetchValue, FetchRow) -> Made
  ) async throws -> [Made] { try rows(ids, of: plan, make) }
}

/// A node on a ``SharedDatabase`` for the conformance suite.
struct SharedNode: ConformanceNode {
  private let node: SharedStore
  var store: any FetchStore { node }
  var mergesCommits: Bool { true }

  init(_ mistake: SharedDatabase.Mistake? = nil) { node = SharedStore(SharedDatabase(mistake)) }

  private init(_ database: SharedDatabase) { node = SharedStore(database) }

  func write(_ writes: [ConformanceWrite], origin: String?) async throws {
    try node.write(writes, origin: origin)
  }
  func writeAndRollBack(_ writes: [ConformanceWrite]) async throws {}
  func write(_ samples: [ConformanceSample]) async throws { try node.put(samples) }
  func close() async throws { node.close() }

  func makeNode() async throws -> SharedNode { SharedNode(node.database) }
  func beginTransaction() async throws -> (any ConformanceTransaction)? {
    SharedTransaction(database: node.database, number: node.database.number())
  }

  func changeEpoch(_ writes: [ConformanceWrite]) async throws -> Bool {
    node.database.state.withLock { state in
      state.perform(writes)
      state.epoch += 1
    }
    return true
  }

  func prune() async throws -> Bool {
    node.database.state.withLock { state in
      state.pruned += state.log.count
      state.log = []
    }
    return true
  }
}

private final class SharedTransaction: ConformanceTransaction {
  private let database: SharedDatabase
  private let number: Int
  private let writes = Mutex<[ConformanceWrite]>([])

  init(database: SharedDatabase, number: Int) { (self.database, self.number) = (database, number) }

  func write(_ more: [ConformanceWrite]) async throws {
    writes.withLock { $0 += more }
    if database.mistake == .readsUncommitted { database.state.withLock { $0.perform(more) } }
  }
  func commit() async throws {
    database.commit(writes.withLock { $0 }, number: number, by: nil, origin: nil)
  }
  func rollBack() async throws {}
}
