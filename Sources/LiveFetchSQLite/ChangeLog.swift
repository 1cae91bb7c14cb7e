#if SQLite
  import CSQLiteHooks
  import GRDB
  import LiveStore

  /// The log by which commits of other connections and processes are seen.
  ///
  /// Triggers on each listed table write the keys of touched rows into a table of the database itself, whoever
  /// changes them. Entries are numbered and never renumbered; who has read up to a number asks for what is above.
  /// The log is off unless asked for: every write then writes an entry more.
  ///
  /// SQLite fires no trigger for a row that `REPLACE` removes. For each unique index there is therefore a trigger
  /// that logs the rows with equal values before a row is inserted or changed; see ``UniqueIndex``.
  ///
  /// All names begin with `grdb_`: what does so GRDB's migrator leaves out when it compares schemas, and does not erase the
  /// database for it (`eraseDatabaseOnSchemaChange`).
  struct ChangeLog {
    static let table = "grdb_livelists_log"
    private static let prefix = "grdb_livelists_"
    /// The log of earlier versions. It knew one primary key for each table, and fewer of the rows that are replaced.
    private static let formerTable = "livelists_log"

    struct Entry {
      var position: Int64
      var table: String
      /// The column that the key is of; empty for a table that is read through SQL of a request's own.
      var idColumn: String
      var key: FetchValue
    }

    struct Trigger {
      var name: String
      /// All after the name.
      var definition: String
      var sql: String { "CREATE TRIGGER \(SQLText.quoted(name)) \(definition)" }
    }

    /// Another process has changed the schema meanwhile: what the triggers were made of may be no more.
    struct SchemaChanged: Error {}

    /// Makes the log and the triggers of a table, as far as they are not there or are others.
    /// - Parameter schema: The version of the schema that the triggers are made for.
    static func prepare(
      _ table: String, id: String?, _ layout: TableLayout, schema: Int64?, in db: Database
    ) throws {
      let triggers = try triggers(table, id: id, layout, in: db)
      let group = name(table) + lowercasedName(id ?? "") + "."
      guard try !isPrepared(table, triggers, in: db) else { return }
      try db.inTransaction(.immediate) {
        if let schema, try SchemaVersion.read(in: db) != schema { throw SchemaChanged() }
        try dropFormer(in: db)
        // The key has no type, so that it keeps the kind of value that it has in its own table.
        try db.execute(
          sql: """
            CREATE TABLE IF NOT EXISTS \(Self.table) (
              position INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL, id TEXT NOT NULL, key)
            """)
        let known = try known(on: table, in: db)
        let wanted = Dictionary(uniqueKeysWithValues: triggers.map { ($0.name, $0.sql) })
        for (name, sql) in known where name.hasPrefix(group) || !name.hasPrefix(Self.name(table)) {
          // Others are those of another key of the same table, for other lists.
          if wanted[name] != sql { try db.execute(sql: "DROP TRIGGER main.\(SQLText.quoted(name))") }
        }
        for trigger in triggers where known[trigger.name] != trigger.sql {
          // The trigger of that name may be on another table: one that was renamed took its triggers along.
          try db.execute(sql: "DROP TRIGGER IF EXISTS main.\(SQLText.quoted(trigger.name))")
          try db.execute(sql: trigger.sql)
        }
        return .commit
      }
    }

    /// Returns the prefix of the names of a table's triggers. Names that differ in upper and lower case alone are the
    /// same to SQLite.
    private static func name(_ table: String) -> String { prefix + lowercasedName(table) + "." }

    private static func isPrepared(_ table: String, _ triggers: [Trigger], in db: Database) throws -> Bool {
      let known = try known(on: table, in: db)
      return try exists(Self.table, in: db) && !exists(formerTable, in: db)
        && triggers.allSatisfy { known[$0.name] == $0.sql }
    }

    private static func exists(_ table: String, in db: Database) throws -> Bool {
      try Bool.fetchOne(
        db, sql: "SELECT 1 FROM main.sqlite_master WHERE type = 'table' AND name = ?", arguments: [table])
        ?? false
    }

    /// The log's triggers on a table, by name.
    private static func known(on table: String, in db: Database) throws -> [String: String] {
      let rows = try Row.fetchAll(
        db,
        sql: """
          SELECT name, sql FROM main.sqlite_master
          WHERE type = 'trigger' AND tbl_name = ? COLLATE NOCASE AND substr(name, 1, ?) = ?
          """, arguments: [table, prefix.count, prefix])
      return Dictionary(uniqueKeysWithValues: rows.map { ($0["name"], $0["sql"]) })
    }

    private static func dropFormer(in db: Database) throws {
      guard try exists(formerTable, in: db) else { return }
      let names = try String.fetchAll(
        db,
        sql: """
          SELECT name FROM main.sqlite_master
          WHERE type = 'trigger' AND name LIKE 'livelists\\_%' ESCAPE '\\' AND instr(sql, 'INSERT INTO livelists_log (') > 0
          """)
      for name in names { try db.execute(sql: "DROP TRIGGER main.\(SQLText.quoted(name))") }
      try db.execute(sql: "DROP TABLE main.\(formerTable)")
    }

    // MARK: Triggers

    /// The triggers of a table.
    /// - Parameter id: The primary key; nil for a table that is read through SQL of a request's own, of which it is enough to
    ///   know that it was touched.
    static func triggers(
      _ tableName: String, id column: String?, _ layout: TableLayout, in db: Database
    ) throws -> [Trigger] {
      let table = SQLText.quoted(tableName)
      let id = column.map(SQLText.quoted)
      let labels = "\(literal(tableName)), \(literal(column ?? ""))"
      func log(_ key: String, _ rest: String = "") -> String {
        "INSERT INTO \(Self.table) (name, id, key) SELECT \(labels), \(key)\(rest);"
      }
      func trigger(_ kind: String, _ when: String, _ body: String) -> Trigger {
        Trigger(
          name: name(tableName) + lowercasedName(column ?? "") + "." + kind,
          definition: "\(when) ON \(table) BEGIN \(body) END")
      }
      guard let id else {
        return ["INSERT", "UPDATE", "DELETE"].map { trigger($0.lowercased(), "AFTER \($0)", log("NULL")) }
      }
      var triggers = [
        trigger("insert", "AFTER INSERT", log("NEW.\(id)")),
        trigger(
          "update", "AFTER UPDATE",
          log("OLD.\(id)") + log("NEW.\(id)", " WHERE NEW.\(id) IS NOT OLD.\(id) COLLATE BINARY")),
        trigger("delete", "AFTER DELETE", log("OLD.\(id)")),
      ]
      for (number, index) in try UniqueIndex.all(on: tableName, in: db).enumerated() where !index.isOn(column)
      {
        let body = log(id, " FROM \(table) WHERE \(index.condition)")
        triggers.append(trigger("unique \(number) insert", "BEFORE INSERT", body))
        triggers.append(trigger("unique \(number) update", "BEFORE UPDATE", body))
      }
      // The number of a row is unique as well, and has no index. Where an insert does not give it, it is -1 or NULL here.
      if let rowid = layout.rowidName,
        layout.rowidColumn == nil || layout.rowidColumn != column.flatMap(layout.position)
      {
        let body = log(id, " FROM \(table) WHERE \(rowid) = NEW.\(rowid)")
        triggers.append(trigger("number insert", "BEFORE INSERT", body))
        triggers.append(trigger("number update", "BEFORE UPDATE", body))
      }
      return triggers
    }

    static func literal(_ text: String) -> String {
      let quote = UInt8(ascii: "'")
      return "'" + String(decoding: text.utf8.flatMap { $0 == quote ? [$0, $0] : [$0] }, as: UTF8.self) + "'"
    }

    // MARK: Entries

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
          "SELECT position, name, id, key FROM \(table) WHERE position > ? ORDER BY position",
          [.integer(position)]),
        in: db)
      var entries: [Entry] = []
      while let row = try cursor.next() {
        let entry = Entry(
          position: row[0].integer, table: String(decoding: row[1].bytes, as: UTF8.self),
          idColumn: String(decoding: row[2].bytes, as: UTF8.self), key: row.value(3))
        // A key that no text of Swift's has is not found again.
        guard row[3].isValid else { return nil }
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
    /// A store that has been away for longer than the log reaches finds a gap, and reads its lists anew.
    static func trim(to capacity: Int, in db: Database) throws {
      guard try db.tableExists(table),
        let first = try Int64.fetchOne(db, sql: "SELECT min(position) FROM \(table)")
      else { return }
      let last = try last(in: db)
      guard last - first >= Int64(capacity + capacity / 4) else { return }
      try db.execute(sql: "DELETE FROM \(table) WHERE position <= ?", arguments: [last - Int64(capacity)])
    }
  }
#endif
