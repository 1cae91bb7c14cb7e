#if PostgreSQL
  import CLibPQ
  import LiveStore
  import Synchronization

  extension PostgresStore {
    /// A row that was touched.
    private struct Effect {
      /// The key as text.
      var key: String
      var change: RowChange
      /// The origins of the last commit that has touched the row.
      var origins: [String]
      /// The observers that it concerns, apart from those that every row may concern.
      var observers: Set<UInt64> = []
    }

    /// The rows of one table that were touched, each once.
    private struct Touched {
      /// In the order in which the rows were first touched.
      var effects: [Effect] = []
      /// By bytes: texts that are equal to Swift can be two keys.
      var indexByKey: [FetchValue: Int] = [:]
      var isWhole = false
      var origins: [String] = []
      var writers: FetchWriters = []

      mutating func note(_ row: LogRow, node: String, _ observers: TableObservers, _ watched: WatchedTable) {
        for origin in row.origins where !origins.contains(origin) { origins.append(origin) }
        writers.formUnion(row.node == node ? .thisStore : .others)
        guard let key = row.key, let change = row.change(in: watched) else {
          isWhole = true
          return
        }
        let index = indexByKey[.text(key)] ?? effects.count
        if index == effects.count {
          indexByKey[.text(key)] = index
          effects.append(Effect(key: key, change: change, origins: row.origins))
        } else {
          // In the order of a clock, which may be set back. Changes in another order are never a false statement together: whether the row
          // was there before follows from how often it came and went, and that it is there now is looked at.
          effects[index].change = effects[index].change.merged(with: change)
          effects[index].origins = row.origins
        }
        observers.addRouted(by: row, of: watched.table, to: &effects[index].observers)
      }
    }

    /// The notifications of what was found in the log. The rows are read as of the same state.
    func changes(_ rows: [LogRow], at position: FetchPosition, on connection: Connection) throws -> [Notice] {
      let known = observers.withLock { $0 }
      let names = Dictionary(grouping: known.tables.keys, by: { known.tables[$0]?.number ?? 0 })
      var touched: [String: Touched] = [:]
      for row in rows {
        for name in names[row.table] ?? [] {
          guard let watched = known.tables[name], let concerned = known.byTable[name] else { continue }
          touched[name, default: Touched()].note(row, node: node, concerned, watched)
        }
      }
      if observers.withLock({ $0.note(numbers: Set(rows.map(\.table))) }) {
        checkSchemaSoon()
      }
      var notices: [Notice] = []
      for (name, found) in touched {
        guard let watched = known.tables[name], let concerned = known.byTable[name] else { continue }
        func resets(_ numbers: some Sequence<UInt64>, _ reason: FetchReset.Reason) -> [Notice] {
          self.resets(
            of: numbers.compactMap { known.all[$0] }, reason, at: position, found.origins, found.writers)
        }
        notices += resets(concerned.raw, .touched)
        if found.isWhole || watched.key == nil {
          notices += resets(concerned.lists, .manyRows)
          continue
        }
        let lists = found.effects.reduce(into: concerned.unrouted) { $0.formUnion($1.observers) }
        if lists.isEmpty { continue }
        notices +=
          try changes(
            found, of: watched, to: lists.compactMap { number in known.all[number].map { (number, $0) } },
            unrouted: concerned.unrouted, at: position, on: connection)
          // The table, or a column that a list reads, is another than it was.
          ?? resets(lists, .schema)
      }
      return notices
    }

    /// - Returns: nil where the rows cannot be read.
    private func changes(
      _ touched: Touched, of watched: WatchedTable,
      to lists: [(number: UInt64, observer: Observers.Observer)],
      unrouted: Set<UInt64>, at position: FetchPosition, on connection: Connection
    ) throws -> [Notice]? {
      var columns: [String] = []
      for column in lists.flatMap(\.observer.plan.columns) where !columns.contains(column.name) {
        columns.append(column.name)
      }
      guard let query = TouchedRowsQuery(watched, columns) else { return nil }
      let effects = touched.effects
      let found: QueryResult
      do {
        found = try query.rows(effects.map(\.key), on: connection)
      } catch let error as PostgresError where !error.isConnectionLost && error.code?.hasPrefix("42") == true
      {
        try connection.run("ROLLBACK TO livelists_rows")
        return nil
      }
      if query.isRewritten(found) { throw TableRewritten() }
      // Two rows have one key where the index is gone that told them apart.
      guard query.hasTypes(found), found.count == effects.count else {
        checkSchemaSoon()
        return nil
      }
      let tableColumns = watched.table.columns.map(\.name)
      var shares: [UInt64: [ChangeSet.Row]] = [:]
      let ordinals = lists.map { list in
        list.observer.plan.columns.map { column in columns.firstIndex(of: column.name) ?? 0 }
      }
      let routed = lists.indices.filter { !unrouted.contains(lists[$0].number) }
      let all = lists.indices.filter { unrouted.contains(lists[$0].number) }
      let indexByNumber = Dictionary(uniqueKeysWithValues: routed.map { (lists[$0].number, $0) })
      for row in 0..<found.count {
        // Numbered from 1 in the order of the keys.
        let effect = effects[Int(found.integer(row, 0) ?? 1) - 1]
        let id = found.value(row, 1)
        let isThere = !found.isNull(row, 2)
        let values = isThere ? columns.indices.map { found.value(row, $0 + 3) } : nil
        let change = effect.change.agrees(withPresence: isThere) ? effect.change : .unknown
        for index in all + effect.observers.compactMap({ indexByNumber[$0] }) {
          shares[lists[index].number, default: []].append(
            ChangeSet.Row(
              id: id, values: values.map { values in ordinals[index].map { values[$0] } }, change: change,
              lastOrigins: effect.origins == touched.origins ? nil : effect.origins))
        }
      }
      return lists.map { number, observer in
        Notice(
          receive: observer.receive,
          event: .changes(
            ChangeSet(
              position: position, origins: touched.origins, writers: touched.writers,
              columns: observer.plan.columns.map(\.name), tableColumns: tableColumns,
              rows: shares[number] ?? [],
              statements: 1)))
      }
    }

    func resets(
      of observers: [Observers.Observer], _ reason: FetchReset.Reason, at position: FetchPosition,
      _ origins: [String] = [], _ writers: FetchWriters = .all
    ) -> [Notice] {
      observers.map { observer in
        Notice(
          receive: observer.receive,
          event: .reset(FetchReset(position: position, reason: reason, origins: origins, writers: writers)))
      }
    }
  }

  /// A table was written anew between a look's snapshot and the look at its rows, which then all seem to be gone.
  struct TableRewritten: Error {}

  /// Reads rows by their keys, those that are not there included.
  struct TouchedRowsQuery {
    private let sql: String
    /// The types of the values as they are known: of the key, and of the columns.
    private let types: [Oid]
    /// The same for one row, if it is there: mostly it is one, and the server plans this in half the time.
    private let sqlOfOne: String

    /// - Returns: nil where a column is not there.
    init?(_ watched: WatchedTable, _ columns: [String]) {
      let table = watched.table
      guard let keyName = watched.key, let key = table.column(keyName) else { return nil }
      let found = columns.compactMap { table.column($0) }
      guard found.count == columns.count else { return nil }
      let quoted = "t.\(SQLStatement.quoted(keyName))"
      let read = found.map { column in
        let name = "t.\(SQLStatement.quoted(column.name))"
        return Codec(column.type) == nil ? "\(name)::text" : name
      }
      types = [key.type] + found.map { Codec($0.type) == nil ? TypeID.text : $0.type }
      let isRewritten =
        "(SELECT \(PostgresTable.isRewritten) FROM pg_catalog.pg_class c WHERE c.oid = \(table.oid))"
      let values = (read + [isRewritten]).joined(separator: ", ")
      sql = """
        SELECT k.number, k.key, \(quoted), \(values)
        FROM unnest($1::\(key.typeName)[]) WITH ORDINALITY AS k(key, number) LEFT JOIN \(table.name) t ON \(quoted) = k.key
        """
      sqlOfOne = """
        SELECT 1::bigint, \(quoted), \(quoted), \(values)
        FROM \(table.name) t WHERE \(quoted) = $1::\(key.typeName)
        """
    }

    /// Of each row its number from 1 in the order of the keys, its key, its key again if it is there, and the columns.
    func rows(_ keys: [String], on connection: Connection) throws -> QueryResult {
      if keys.count == 1 {
        let found = try connection.query(sqlOfOne, [.literal(keys[0])])
        if found.count == 1 { return found }
      }
      return try connection.query(sql, [.literal(Self.array(keys))])
    }

    /// Whether the table was written anew since the snapshot.
    func isRewritten(_ found: QueryResult) -> Bool { found.count > 0 && found.truth(0, types.count + 2) }

    /// Whether the key and the columns are of the types that are known.
    func hasTypes(_ found: QueryResult) -> Bool {
      types.indices.allSatisfy { found.type(ofColumn: $0 + 2) == types[$0] }
    }

    /// Texts as PostgreSQL writes an array of them.
    static func array(_ texts: [String]) -> String {
      var bytes: [UInt8] = [UInt8(ascii: "{")]
      for (number, text) in texts.enumerated() {
        if number > 0 { bytes.append(UInt8(ascii: ",")) }
        bytes.append(UInt8(ascii: "\""))
        for byte in text.utf8 {
          if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { bytes.append(UInt8(ascii: "\\")) }
          bytes.append(byte)
        }
        bytes.append(UInt8(ascii: "\""))
      }
      bytes.append(UInt8(ascii: "}"))
      return String(decoding: bytes, as: UTF8.self)
    }
  }

  extension LogRow {
    /// The effect on the row; nil where it may be any on all rows.
    func change(in watched: WatchedTable) -> RowChange? {
      switch operation {
      case .insert: .inserted
      case .update: .updated(changedColumns(of: watched))
      case .delete: .deleted
      case .whole: nil
      }
    }

    /// The columns that may differ, as ``ChangeSet/tableColumns`` numbers them.
    private func changedColumns(of watched: WatchedTable) -> ColumnSet {
      guard let same, watched.isCompared else { return .all }
      var changed = ColumnSet()
      for (index, column) in watched.table.columns.enumerated() {
        let isSame = (1...63).contains(column.number) && same & (1 << UInt64(column.number - 1)) != 0
        if !isSame { changed.insert(ColumnSet(column: index)) }
      }
      // A row that was noted differs: in a column that is not known here.
      return changed.isEmpty ? .all : changed
    }
  }

  extension RowChange {
    /// Whether the row can be there, or not, after the change.
    func agrees(withPresence isThere: Bool) -> Bool {
      switch self {
      case .inserted, .updated: isThere
      case .deleted, .insertedAndDeleted: !isThere
      case .unknown: true
      }
    }
  }
#endif
