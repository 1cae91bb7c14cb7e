#if SQLite
  import CSQLiteHooks
  import Foundation
  import LiveStore

  /// A table that lists are made of: its observers, and the rows that a transaction has touched so far.
  ///
  /// An observer whose list demands that a column have a certain value stands in a dictionary by that value, and
  /// costs nothing when rows of other values are touched.
  struct WatchedTable {
    struct Observer {
      var plan: FetchPlan
      var receive: @Sendable (FetchStoreEvent) -> Void
    }

    struct Touch {
      /// The primary key; a whole number as such, though the row may have it as a floating-point one.
      var id: FetchValue
      /// Where the row was put last; nil where that is not known, or it was deleted.
      var rowid: Int64?
      /// The effect on the row, as far as the hook knows: what a savepoint takes back is in it.
      var change: RowChange
      /// The routed observers that the row concerned before or after.
      var observers: [Int]
    }

    /// How much is known of the rows that the transaction has touched; a later case outweighs those before it.
    enum Extent: Comparable {
      /// No row was touched.
      case none
      /// Rows were touched, and those that concern an observer by a key are noted.
      case noted
      /// So many rows were touched that no more are noted.
      case overfull
      /// Rows were touched of which nothing is known.
      case uncertain
    }

    struct Route {
      var column: String
      var ordinal: Int?
      var observers: [FetchValue: [Int]] = [:]
    }

    let name: String
    /// The primary key; empty for a table that is only read through SQL of a request's own.
    let idColumn: String
    private(set) var observers: [Int: Observer] = [:]
    private var routes: [Route] = []
    private var routeOf: [Int: (route: Int, value: FetchValue)] = [:]
    private var unrouted: Set<Int> = []
    /// The observers that read the table through SQL of their own, and read again when it is touched.
    private var rawObservers: Set<Int> = []
    /// The table's columns; nil when they are not known.
    private(set) var layout: TableLayout?
    /// Whether the triggers for other processes' writes are as they should be.
    var isLogged = false
    private var idOrdinal: Int?
    /// The columns whose values are written down of each row, as the journal received them last.
    private var noted: [CInt] = []
    /// The columns that observers need, the primary key first.
    private(set) var readColumns: [String]
    /// The query for touched rows, made anew when the columns are others.
    private var query: TouchedRowsQuery?

    private var touches: [Touch] = []
    private var indexByKey: [FetchValue: Int] = [:]
    private var extent = Extent.none

    init(_ plan: FetchPlan, _ name: String) {
      self.name = name
      idColumn = isSameName(name, plan.table) ? plan.columns[0].name : ""
      readColumns = [idColumn]
    }

    func isFor(_ plan: FetchPlan, _ name: String) -> Bool {
      isSameName(self.name, name)
        && idColumn == (isSameName(name, plan.table) ? plan.columns[0].name : "")
    }

    // MARK: Observers

    mutating func add(_ observer: Observer, _ number: Int) {
      observers[number] = observer
      if observer.plan.raw != nil {
        rawObservers.insert(number)
        return
      }
      for column in observer.plan.columns where !readColumns.contains(column.name) {
        readColumns.append(column.name)
        query = nil
      }
      // Whole numbers and floating-point ones may be stored in either form; text and bytes have one.
      let equality = observer.plan.requiredEqualities.first { equality in
        switch equality.value {
        case .text, .blob, .integer: true
        case .null, .real: false
        }
      }
      guard let (column, value) = equality else {
        unrouted.insert(number)
        return
      }
      let route = routes.firstIndex { $0.column == column } ?? routes.count
      if route == routes.count { routes.append(Route(column: column, ordinal: ordinal(of: column))) }
      routes[route].observers[value, default: []].append(number)
      routeOf[number] = (route, value)
    }

    /// - Returns: What is no longer an observer.
    mutating func remove(_ number: Int) -> Observer? {
      let removed = observers.removeValue(forKey: number)
      // Columns that no observer needs are not read: they may be dropped from the table.
      if removed?.plan.columns.contains(where: { $0.name != idColumn }) == true { readAgainWhatIsNeeded() }
      unrouted.remove(number)
      rawObservers.remove(number)
      guard let (route, value) = routeOf.removeValue(forKey: number) else { return removed }
      routes[route].observers[value]?.removeAll { $0 == number }
      if routes[route].observers[value]?.isEmpty == true { routes[route].observers[value] = nil }
      return removed
    }

    private mutating func readAgainWhatIsNeeded() {
      var needed: Set<String> = [idColumn]
      for observer in observers.values where observer.plan.raw == nil {
        for column in observer.plan.columns { needed.insert(column.name) }
      }
      if needed.count == readColumns.count { return }
      readColumns.removeAll { !needed.contains($0) }
      query = nil
    }

    private func ordinal(of column: String) -> Int? { layout?.position(of: column) }

    mutating func learn(_ layout: TableLayout?) {
      self.layout = layout
      query = nil
      isLogged = false
      idOrdinal = ordinal(of: idColumn)
      for route in routes.indices { routes[route].ordinal = ordinal(of: routes[route].column) }
    }

    // MARK: Rows

    /// Sets the columns that a journal writes down of the table's rows.
    mutating func send(_ number: CInt, to journal: OpaquePointer) {
      noted = []
      if observers.isEmpty { return }
      for ordinal in [idOrdinal] + routes.map(\.ordinal) {
        if let ordinal = ordinal.map(CInt.init), !noted.contains(ordinal) { noted.append(ordinal) }
      }
      let all = TableLayout.conventions.flatMap { layout?.hookColumns($0) } ?? []
      lists_journal_watch(journal, number, name, all, CInt(all.count), noted, CInt(noted.count))
    }

    /// Notes a row that was changed.
    mutating func note(_ row: lists_row, _ options: SQLiteStoreOptions) {
      guard !observers.isEmpty, extent < .overfull else { return }
      guard row.has_values != 0, let idOrdinal = idColumn.isEmpty ? 0 : idOrdinal else {
        return note(.uncertain)
      }
      note(.noted)
      var concerned: [Int] = []
      for route in routes where !route.observers.isEmpty {
        guard let column = route.ordinal else { return note(.uncertain) }
        // Observers by a column that nobody asked for when the row was changed came later, and read after this commit.
        guard let index = noted.firstIndex(of: CInt(column)) else { continue }
        if let before = row.before {
          concerned += route.concerned(before[index])
          // Where it is not known what was there, it may have concerned each of them.
          if before[index].isUnknown { continue }
        }
        if row.isUpdate, !row.columns.mayContain(column: column) { continue }
        if let after = row.after {
          for observer in route.concerned(after[index]) where !concerned.contains(observer) {
            concerned.append(observer)
          }
        }
      }
      if concerned.isEmpty, unrouted.isEmpty, rawObservers.isEmpty || idColumn.isEmpty { return }
      guard let id = noted.firstIndex(of: CInt(idOrdinal)) else { return }
      let isNewKey = row.isUpdate && row.columns.mayContain(column: idOrdinal)
      if let before = row.before {
        // A row that cannot be named may be any: it is not to stay in a list for that.
        if !before[id].isUsableKey { note(.uncertain) }
        let isThere = row.isUpdate && !isNewKey
        touch(
          FetchValue(before[id]), at: isThere ? row.rowid : nil,
          isThere ? .updated(row.columns) : .deleted, concerned)
      }
      if row.isInsert || isNewKey, let after = row.after {
        if !after[id].isUsableKey { note(.uncertain) }
        touch(FetchValue(after[id]), at: row.rowid, .inserted, concerned)
      }
      if touches.count > options.maximumTouchedRows * 4 { note(.overfull) }
    }

    private mutating func touch(
      _ id: FetchValue, at rowid: Int64?, _ change: RowChange, _ concerned: [Int]
    ) {
      let id = id.normalized
      if let index = indexByKey[id] {
        touches[index].rowid = rowid
        touches[index].change = touches[index].change.merged(with: change)
        for observer in concerned where !touches[index].observers.contains(observer) {
          touches[index].observers.append(observer)
        }
      } else {
        indexByKey[id] = touches.count
        touches.append(Touch(id: id, rowid: rowid, change: change, observers: concerned))
      }
    }

    /// Notes a row that somebody else has changed: it may concern every observer.
    /// - Returns: Whether the row was not noted before.
    mutating func noteChange(of id: FetchValue) -> Bool {
      guard !observers.isEmpty else { return false }
      note(.noted)
      let count = touches.count
      touch(id, at: nil, .unknown, Array(routeOf.keys))
      return touches.count > count
    }

    /// Notes that rows have changed of which nothing is known.
    mutating func noteUncertainty() { note(.uncertain) }

    private mutating func note(_ more: Extent) { extent = max(extent, more) }

    mutating func forget() {
      touches = []
      indexByKey = [:]
      extent = .none
    }
  }

  extension WatchedTable.Route {
    /// The observers of the value that a row has in the route's column; all where it is not known.
    fileprivate func concerned(_ value: lists_value) -> [Int] {
      value.isUnknown ? observers.values.flatMap(\.self) : observers[FetchValue(value).normalized] ?? []
    }
  }

  // MARK: Commits

  extension WatchedTable {
    /// The changes of a commit to the table, and the observers that they concern.
    struct Commit {
      var table: String
      var idColumn: String
      var readColumns: [String]
      var query: TouchedRowsQuery
      var tableColumns: [String]
      var touches: [Touch]
      /// Where each row stands among the touches.
      var indexByKey: [FetchValue: Int]
      var observers: [Observer]
      var reset: FetchReset.Reason?
      /// For each observer the indices of the touches that concern it; nil is all.
      fileprivate var shares: [[Int]?]
      /// The observers that read again whatever was touched.
      var rereading: [Observer] = []

      func rows(ofObserver index: Int) -> [Int]? { shares[index] }
    }

    /// Ends the transaction, and says what it did; nil when nobody is concerned.
    mutating func commit(isSchemaDirty: Bool, _ options: SQLiteStoreOptions) -> Commit? {
      defer { forget() }
      var reset: FetchReset.Reason? =
        isSchemaDirty || extent == .uncertain
        ? .schema : (touches.count > options.maximumTouchedRows || extent == .overfull ? .manyRows : nil)
      // Rows without a key are not found by it, and there may be several: a whole read says which they are.
      if reset == nil, !idColumn.isEmpty, indexByKey[.null] != nil { reset = .unresumable }
      guard !observers.isEmpty, reset != nil || extent != .none else { return nil }
      let query = query ?? TouchedRowsQuery(table: name, columns: readColumns, id: idColumn, layout)
      self.query = query
      var commit = Commit(
        table: name, idColumn: idColumn, readColumns: readColumns, query: query,
        tableColumns: layout?.names ?? [],
        touches: reset == .schema || extent == .overfull ? [] : touches, indexByKey: indexByKey,
        observers: [],
        reset: reset,
        shares: [])
      if isSchemaDirty || extent > .noted {
        commit.observers = Array(observers.values)
        commit.shares = observers.map { _ in nil }
        return commit
      }
      for number in unrouted {
        guard let observer = observers[number] else { continue }
        commit.observers.append(observer)
        commit.shares.append(nil)
      }
      var shares: [Int: [Int]] = [:]
      for (index, touch) in touches.enumerated() {
        for observer in touch.observers { shares[observer, default: []].append(index) }
      }
      for (number, share) in shares {
        guard let observer = observers[number] else { continue }
        commit.observers.append(observer)
        commit.shares.append(share.count == touches.count ? nil : share)
      }
      commit.rereading = rawObservers.compactMap { observers[$0] }
      return commit.observers.isEmpty && commit.rereading.isEmpty ? nil : commit
    }
  }
#endif
