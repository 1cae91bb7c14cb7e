#if PostgreSQL
  import LiveStore
  import Synchronization

  extension PostgresStore {
    /// The rows of one table that were touched, each once.
    private struct Touched {
      var changes = TouchedRows<FetchValue>()
      /// The keys as text, in the order in which rows were first touched, with the effect on each.
      var effects: [(key: String, change: RowChange)] = []
      var indexByKey: [String: Int] = [:]
      var isWhole = false
      var origins: [String] = []
      var writers: FetchWriters = []

      mutating func note(_ row: LogRow, node: String) {
        for origin in row.origins where !origins.contains(origin) { origins.append(origin) }
        writers.formUnion(row.node == node ? .thisStore : .others)
        guard let key = row.key, let change = row.operation.change else {
          isWhole = true
          return
        }
        if let index = indexByKey[key] {
          effects[index].change = effects[index].change.merged(with: change)
        } else {
          indexByKey[key] = effects.count
          effects.append((key, change))
        }
      }
    }

    /// The notifications of what was found in the log. The rows are read as of the same state.
    func changes(_ rows: [LogRow], at position: FetchPosition, on connection: Connection) throws -> [Notice] {
      let (all, tables) = observers.withLock { (Array($0.all.values), $0.tables) }
      var touched: [Int: Touched] = [:]
      for row in rows { touched[row.table, default: Touched()].note(row, node: node) }
      if observers.withLock({ $0.note(numbers: Set(touched.keys)) }) {
        wantsSchemaCheck.store(true, ordering: .releasing)
        wake.signal()
      }
      var notices: [Notice] = []
      for (name, watched) in tables {
        guard let found = touched[watched.number] else { continue }
        let concerned = all.filter { $0.plan.tables.contains(name) }
        let raw = concerned.filter { $0.plan.raw != nil }
        let lists = concerned.filter { $0.plan.raw == nil }
        notices += resets(of: raw, .touched, at: position, found.origins, found.writers)
        if found.isWhole || watched.key == nil {
          notices += resets(of: lists, .manyRows, at: position, found.origins, found.writers)
        } else if !lists.isEmpty {
          notices += try changes(found, of: watched, to: lists, at: position, on: connection)
        }
      }
      return notices
    }

    private func changes(
      _ touched: Touched, of watched: WatchedTable, to lists: [Observers.Observer],
      at position: FetchPosition,
      on connection: Connection
    ) throws -> [Notice] {
      var columns: [String] = []
      for column in lists.flatMap(\.plan.columns) where !columns.contains(column.name) {
        columns.append(column.name)
      }
      guard let query = TouchedRowsQuery(watched, columns) else {
        // A column is gone that a list reads.
        return resets(of: lists, .schema, at: position, touched.origins, touched.writers)
      }
      try connection.run("SAVEPOINT livelists_rows")
      let found: QueryResult
      do {
        found = try connection.query(
          query.sql, [.literal(TouchedRowsQuery.array(touched.effects.map(\.key)))])
        try connection.run("RELEASE livelists_rows")
      } catch let error as PostgresError where !error.isConnectionLost && error.code?.hasPrefix("42") == true
      {
        // The table is another than it was.
        try connection.run("ROLLBACK TO livelists_rows")
        return resets(of: lists, .schema, at: position, touched.origins, touched.writers)
      }
      // Numbered from 1 in the order of the keys.
      var rows: [(id: FetchValue, values: [FetchValue]?, change: RowChange)] = []
      for row in 0..<found.count {
        let number = Int(found.integer(row, 0) ?? 1) - 1
        let isThere = !found.isNull(row, 2)
        let change = touched.effects[number].change
        let values = isThere ? columns.indices.map { found.value(row, $0 + 3) } : nil
        rows.append((found.value(row, 1), values, change.agrees(withPresence: isThere) ? change : .unknown))
      }
      let tableColumns = watched.table.columns.map(\.name)
      return lists.map { observer in
        let wanted = observer.plan.columns.map { column in columns.firstIndex(of: column.name) ?? 0 }
        let shares = rows.map { row in
          ChangeSet.Row(
            id: row.id, values: row.values.map { values in wanted.map { values[$0] } }, change: row.change)
        }
        return Notice(
          receive: observer.receive,
          event: .changes(
            ChangeSet(
              position: position, origins: touched.origins, writers: touched.writers,
              columns: observer.plan.columns.map(\.name), tableColumns: tableColumns, rows: shares,
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

  /// Reads rows by their keys, those that are not there included.
  struct TouchedRowsQuery {
    let sql: String

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
      sql = """
        SELECT k.number, k.key, \(quoted), \(read.joined(separator: ", "))
        FROM unnest($1::\(key.typeName)[]) WITH ORDINALITY AS k(key, number) LEFT JOIN \(table.name) t ON \(quoted) = k.key
        """
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

  extension LogRow.Operation {
    /// The effect on the row. It is not noted which columns differ.
    var change: RowChange? {
      switch self {
      case .insert: .inserted
      case .update: .updated(.all)
      case .delete: .deleted
      case .whole: nil
      }
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
