#if SQLite
  import CSQLiteHooks
  import GRDB
  import LiveFetch

  /// The log by which commits of other connections and processes are seen.
  ///
  /// Triggers on each listed table write the keys of touched rows into a table of the database itself, whoever
  /// changes them. Entries are numbered and never renumbered; who has read up to a number asks for what is above.
  /// The log is off unless asked for: every write then writes an entry more.
  ///
  /// SQLite fires no trigger for a row that `REPLACE` removes. For each unique index there is therefore a trigger
  /// that logs the rows with equal values before a row is inserted or changed.
  struct ChangeLog {
    static let table = "livelists_log"
    struct Entry {
      var position: Int64
      var table: String
      var key: FetchValue
    }

    /// Makes the log, and the triggers of a table.
    static func prepare(_ name: String, id: String, in db: Database) throws {
      let prefix = "livelists_\(name)_"
      let known = try Set(
        String.fetchAll(
          db, sql: "SELECT name FROM sqlite_master WHERE type = 'trigger' AND tbl_name = ?", arguments: [name]
        )
      )
      let triggers = try self.triggers(name, id: id, in: db)
      guard triggers.contains(where: { !known.contains(prefix + $0.name) }) else { return }
      try db.inTransaction {
        // The key has no type, so that it keeps the kind of value that it has in its own table.
        try db.execute(
          sql: """
            CREATE TABLE IF NOT EXISTS \(table) (
              position INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL, key)
            """)
        for trigger in triggers {
          try db.execute(
            sql: """
              CREATE TRIGGER IF NOT EXISTS \((prefix + trigger.name).quotedDatabaseIdentifier) \(trigger.when)
              ON \(name.quotedDatabaseIdentifier) BEGIN \(trigger.body) END
              """)
        }
        return .commit
      }
    }

    private static func triggers(
      _ tableName: String, id: String, in db: Database
    ) throws -> [(name: String, when: String, body: String)] {
      let id = id.quotedDatabaseIdentifier
      let name = "'" + tableName.replacing("'", with: "''") + "'"
      func log(_ key: String, _ rest: String = "") -> String {
        "INSERT INTO \(table) (name, key) SELECT \(name), \(key)\(rest);"
      }
      var triggers = [
        (name: "insert", when: "AFTER INSERT", body: log("NEW.\(id)")),
        (
          name: "update", when: "AFTER UPDATE",
          body: log("OLD.\(id)") + log("NEW.\(id)", " WHERE NEW.\(id) IS NOT OLD.\(id)")
        ),
        (name: "delete", when: "AFTER DELETE", body: log("OLD.\(id)")),
      ]
      for (number, index) in try db.indexes(on: tableName).enumerated() where index.isUnique {
        let same = index.columns.map { column in
          "\(column.quotedDatabaseIdentifier) = NEW.\(column.quotedDatabaseIdentifier)"
        }.joined(separator: " AND ")
        let body = log(id, " FROM \(tableName.quotedDatabaseIdentifier) WHERE \(same)")
        triggers.append((name: "unique_\(number)_insert", when: "BEFORE INSERT", body: body))
        triggers.append((name: "unique_\(number)_update", when: "BEFORE UPDATE", body: body))
      }
      return triggers
    }

    /// The number of the last entry that there ever was, or 0.
    static func last(in db: Database) throws -> Int64 {
      guard try db.tableExists(table) else { return 0 }
      return try Int64.fetchOne(db, sql: "SELECT seq FROM sqlite_sequence WHERE name = '\(table)'") ?? 0
    }

    /// The entries after a number; nil when some of them are no longer there.
    static func entries(after position: Int64, in db: Database) throws -> [Entry]? {
      guard try db.tableExists(table) else { return [] }
      let cursor = try StatementCursor(
        SQLText(
          "SELECT position, name, key FROM \(table) WHERE position > ? ORDER BY position",
          [.integer(position)]),
        in: db)
      var entries: [Entry] = []
      while let row = try cursor.next() {
        let entry = Entry(
          position: row[0].integer, table: String(decoding: row[1].bytes, as: UTF8.self), key: row.value(2))
        // Numbers are given without gaps within the log; a first one that is too high says that some were removed.
        if entries.isEmpty, entry.position > position + 1 { return nil }
        entries.append(entry)
      }
      // Nothing after the number: there was nothing, unless all of it has been removed.
      if entries.isEmpty, try last(in: db) > position { return nil }
      return entries
    }

    /// Removes the oldest entries, when there are a quarter more than are to be kept.
    ///
    /// Who has been away for longer than the log reaches finds a gap, and reads its lists anew.
    static func trim(to kept: Int, in db: Database) throws {
      guard try db.tableExists(table),
        let first = try Int64.fetchOne(db, sql: "SELECT min(position) FROM \(table)")
      else { return }
      let last = try last(in: db)
      guard last - first >= Int64(kept + kept / 4) else { return }
      try db.execute(sql: "DELETE FROM \(table) WHERE position <= ?", arguments: [last - Int64(kept)])
    }
  }
#endif
