#if PostgreSQL
  import LiveStore

  /// Those who are told of commits, and the tables that are watched for them.
  struct Observers: Sendable {
    struct Observer: Sendable {
      var plan: FetchPlan
      var receive: @Sendable (FetchStoreEvent) -> Void
    }

    private(set) var all: [UInt64: Observer] = [:]
    /// The same by the tables that they read.
    private(set) var byTable: [String: TableObservers] = [:]
    private var nextNumber: UInt64 = 0
    /// The tables that have triggers, by the names that plans give them.
    private(set) var tables: [String: WatchedTable] = [:]
    var isClosed = false
    /// Tables that the store does not watch, and of which a list could not be read since they were last looked at.
    private(set) var unread: Set<String> = []
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
      for name in observer.plan.tables { byTable[name, default: .init()].add(nextNumber, observer.plan) }
      return nextNumber
    }

    /// - Returns: What is no longer an observer. It may hold the last reference to the store, so it is not to be released within a lock.
    mutating func remove(_ number: UInt64) -> Observer? {
      guard let observer = all.removeValue(forKey: number) else { return nil }
      for name in observer.plan.tables {
        byTable[name]?.remove(number)
        if byTable[name]?.isEmpty == true { byTable[name] = nil }
      }
      return observer
    }

    mutating func note(_ table: WatchedTable, named name: String) { tables[name] = table }

    mutating func forgetTable(named name: String) { tables[name] = nil }

    mutating func forgetTables() { tables = [:] }

    /// Notes tables of which a list could not be read, except those that are watched: there it failed for another reason.
    mutating func note(unread names: Set<String>) { unread.formUnion(names.filter { tables[$0] == nil }) }

    mutating func takeUnread() -> Set<String> {
      defer { unread = [] }
      return unread
    }

    /// The names of all tables that observers read.
    var tableNames: Set<String> { Set(byTable.keys) }

    /// Notes that a column is written into the log, or cannot be.
    mutating func note(column: String, ofTable name: String) { tables[name]?.noted.insert(column) }

    mutating func close() -> [Observer] {
      defer { (isClosed, all, byTable) = (true, [:], [:]) }
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
    /// Whether its triggers compare the columns as they are now, so that the log knows which of them an update changed.
    var isCompared = false
    /// Whether its rows can be named by a column. A list in SQL, which names none, may have noted the table when its key was gone.
    func isNamed(by column: String?) -> Bool {
      guard let column else { return true }
      return key == column && table.column(column)?.isKey == true
    }

    /// The columns of which it was asked that their values are written into the log.
    var noted: Set<String> = []
  }
#endif
