#if PostgreSQL
  import LiveStore

  /// Those who are told of commits, and the tables that are watched for them.
  struct Observers: Sendable {
    struct Observer: Sendable {
      var plan: FetchPlan
      var receive: @Sendable (FetchStoreEvent) -> Void
    }

    private(set) var all: [UInt64: Observer] = [:]
    private var nextNumber: UInt64 = 0
    /// The tables that have triggers, by the names that plans give them.
    private(set) var tables: [String: WatchedTable] = [:]
    var isClosed = false
    /// Numbers in the log that are of no table here, each of which was looked into once.
    private var foreign: Set<Int> = []

    /// Notes numbers that were found in the log.
    /// - Returns: Whether one is new that no table here has: a table's triggers may have been made anew.
    mutating func note(numbers: Set<Int>) -> Bool {
      let unknown = numbers.subtracting(tables.values.map(\.number)).subtracting(foreign)
      foreign.formUnion(unknown)
      return !unknown.isEmpty
    }

    mutating func add(_ observer: Observer) -> UInt64 {
      nextNumber += 1
      all[nextNumber] = observer
      return nextNumber
    }

    mutating func remove(_ number: UInt64) { all[number] = nil }

    mutating func note(_ table: WatchedTable, named name: String) { tables[name] = table }

    mutating func forgetTable(named name: String) { tables[name] = nil }

    mutating func forgetTables() { tables = [:] }

    /// The names of all tables that observers read.
    var tableNames: Set<String> { all.values.reduce(into: []) { $0.formUnion($1.plan.tables) } }

    mutating func close() -> [Observer] {
      defer { (isClosed, all) = (true, [:]) }
      return Array(all.values)
    }
  }

  /// A table with triggers.
  struct WatchedTable: Hashable, Sendable {
    var table: PostgresTable
    /// The number under which its rows are in the log.
    var number: Int
    /// The column by which rows are named; nil where only it is noted that some were touched.
    var key: String?
  }
#endif
