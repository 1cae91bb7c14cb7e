#if PostgreSQL
  import LiveStore
  import Synchronization

  extension PostgresStore {
    /// Sees to it that the tables of a plan are watched, and returns the plan's own.
    func watch(_ plan: FetchPlan, on connection: Connection) throws -> PostgresTable {
      for name in plan.tables where name != plan.table { _ = try watch(name, key: nil, on: connection) }
      let watched = try watch(plan.table, key: plan.columns[0].name, on: connection)
      if plan.raw == nil, let column = plan.route?.column, !watched.noted.contains(column) {
        noteValues(of: column, plan.table, watched, on: connection)
      }
      return watched.table
    }

    /// Has the values of a column written into the log, so that rows concern those lists alone that demand theirs.
    ///
    /// Where that is not to be had, as the role may not change the triggers, or as many columns are noted as may be, every row is looked at by every
    /// list.
    private func noteValues(
      of column: String, _ name: String, _ watched: WatchedTable, on connection: Connection
    ) {
      if watched.table.column(column)?.canRoute == true {
        _ = try? connection.query(
          "SELECT livelists.note($1::oid::regclass, $2)", [.integer(Int64(watched.table.oid)), .text(column)])
      }
      observers.withLock { $0.note(column: column, ofTable: name) }
    }

    /// - Parameter key: The column by which rows are named; nil where any will do.
    private func watch(_ name: String, key: String?, on connection: Connection) throws -> WatchedTable {
      if let known = observers.withLock({ $0.tables[name] }), known.isNamed(by: key) { return known }
      guard let table = try PostgresTable(named: name, on: connection) else {
        throw PostgresError.noTable(named: name)
      }
      try table.checkWatchable(as: name)
      var key = key
      let current = try connection.currentKey(ofTable: table.oid) ?? nil
      if let current, table.column(current) == nil { try connection.unwatch(table) }
      if let key { try table.checkKey(key, of: name) }
      if let column = current, table.column(column) != nil {
        if let key, key != column {
          throw FetchError.unwatchable(
            name,
            "is watched by its column “\(column)”, and a request names its rows by “\(key)”: let all models of a table have "
              + "one key, or call livelists.unwatch for the table first")
        }
        key = column
      }
      let wanted = key ?? table.columns.first { $0.isKey && $0.canNameRows }?.name
      let number =
        try connection.number(ofTable: table.oid, key: wanted)
        ?? makeTriggers(name, table, wanted, connection)
      // A role that may not make the function anew has lists that take every column of an updated row for changed.
      let isRenewed = try? connection.query(
        "SELECT livelists.renew($1::oid::regclass)", [.integer(Int64(table.oid))])
      // The triggers are a part of what the table is like.
      let watched = WatchedTable(
        table: try PostgresTable(named: name, on: connection) ?? table, number: number, key: wanted,
        isCompared: isRenewed?.truth(0, 0) ?? false)
      observers.withLock { $0.note(watched, named: name) }
      return watched
    }

    private func makeTriggers(
      _ name: String, _ table: PostgresTable, _ key: String?, _ connection: Connection
    ) throws -> Int {
      do {
        // Writers wait for the triggers, and these for writers: not for ever.
        try connection.run("BEGIN ISOLATION LEVEL READ COMMITTED; SET LOCAL lock_timeout = '10s'")
        let made = try connection.query(
          "SELECT livelists.watch($1::oid::regclass, $2)",
          [.integer(Int64(table.oid)), key.map { .text($0) } ?? .null])
        try connection.run("COMMIT")
        return Int(made.integer(0, 0) ?? 0)
      } catch {
        try? connection.run("ROLLBACK")
        if error.postgresCode == "55P03" {
          throw PostgresError(
            code: "55P03",
            "The triggers of “\(name)” could not be made, as a transaction that has written to the table stays open: end it, and fetch "
              + "again.", detail: "\(error)")
        }
        guard error.postgresCode == "42501" else { throw error }
        throw FetchError.unwatchable(
          name,
          "has no triggers of LiveLists, or they are not enabled always (`ENABLE ALWAYS TRIGGER`), and this role may not change that: let its "
            + "owner run "
            + "“SELECT livelists.watch('\(table.name)', \(key.map { "'\($0)'" } ?? "NULL"))” (\(error))")
      }
    }
  }

  extension Connection {
    /// The number under which a table's rows are in the log; nil where its triggers are not all there.
    func number(ofTable oid: UInt32, key: String?) throws -> Int? {
      let found = try query(
        "SELECT livelists.watching($1::oid, $2)", [.integer(Int64(oid)), key.map { .text($0) } ?? .null])
      return found.integer(0, 0).map { Int($0) }
    }

    /// Takes the triggers of a table away of which the key column is gone: they would fail, and with them all writes.
    ///
    /// The triggers stay where the role may not take them away, or somebody uses the table. Another look or node takes them then.
    /// - Returns: Whether they are gone.
    @discardableResult
    func unwatch(_ table: PostgresTable) throws -> Bool {
      do {
        try run("BEGIN ISOLATION LEVEL READ COMMITTED; SET LOCAL lock_timeout = '100ms'")
        _ = try query("SELECT livelists.unwatch($1::oid::regclass)", [.integer(Int64(table.oid))])
        try run("COMMIT")
        return true
      } catch {
        try? run("ROLLBACK")
        // It may not, or somebody uses the table, or the table is gone: the next look sees.
        guard ["42501", "55P03", "42P01", "42601"].contains(error.postgresCode) else { throw error }
        return false
      }
    }

    /// The key by which a table is watched, which may be none; nil where it is not watched.
    func currentKey(ofTable oid: UInt32) throws -> String?? {
      let found = try query(
        """
        SELECT w.key FROM livelists.watched w WHERE w.rel = $1::oid AND livelists.watching(w.rel, w.key) = w.tab
        """, [.integer(Int64(oid))])
      return found.count == 0 ? nil : .some(found.text(0, 0))
    }
  }

  extension PostgresTable.Column {
    /// Whether rows can be named by such values, as text that leads back to them.
    var canNameRows: Bool {
      switch kind {
      case .integer, .text(.bytes), .text(.other), .uuid, .bytes: true
      default: false
      }
    }
  }

  extension PostgresTable {
    fileprivate func checkWatchable(as name: String) throws {
      if self.name.hasPrefix("livelists.") {
        throw FetchError.unwatchable(
          name, "is one of LiveLists itself, which is written at each commit: list your own tables")
      }
      let reason: String? =
        switch form {
        case "r":
          isTemporary
            ? "is temporary, so that other connections do not see it"
            : hasChildren ? "has tables that inherit from it, whose rows come without triggers" : nil
        case "p":
          "is partitioned, and a partition that is emptied, attached or detached calls no trigger of the table, so that lists would miss "
            + "its rows: make lists of the single partitions"
        case "v", "m": "is a view: write a request in SQL (`.sql`) that names the tables it reads"
        default: "is no table of this database"
        }
      if let reason { throw FetchError.unwatchable(name, reason) }
    }

    fileprivate func checkKey(_ key: String, of name: String) throws {
      guard let column = column(key) else {
        throw FetchError.unwatchable(
          name,
          "has no column “\(key)”, by which its rows are to be named: name its primary key in `fetchTable`")
      }
      guard column.isKey else {
        throw FetchError.unwatchable(
          name,
          "has no unique index on the column “\(key)” alone, or the column can be NULL: let it be the primary key"
        )
      }
      guard column.canNameRows else {
        throw FetchError.unwatchable(
          name, "has a key of the type \(column.typeName): whole numbers, text, UUIDs and bytes name rows")
      }
    }
  }
#endif
