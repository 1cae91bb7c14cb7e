#if SQLite
  import GRDB
  import GRDBSQLite
  import LiveDraftStore
  import LiveStore

  extension DraftWriter {
    /// The columns of a foreign key, and the table that they refer to, in lower case.
    struct Reference {
      /// The columns, and those that they refer to; nil for the primary key.
      var pairs: [(column: String, referred: String?)]
      var parent: String
    }

    /// The values that rows of a table are to get, and wait for.
    struct AwaitedValues {
      /// The column of the primary key.
      let key: String
      /// The values by their columns, in lower case.
      private var values: [String: Set<FetchValue>] = [:]

      init(key: String) { self.key = key }

      mutating func insert(_ write: Write) {
        for (column, value) in write.change.values ?? [:] {
          // Other columns of an updated row have their values already.
          if case .update(let set) = write.decision, !set.contains(column) { continue }
          values[lowercasedName(column), default: []].insert(value)
        }
      }

      func contains(_ value: FetchValue, in column: String) -> Bool {
        value != .null && values[lowercasedName(column)]?.contains(value) ?? false
      }
    }

    /// Returns the columns by which a row is to refer to one that waits, as far as its values say; none where it is not.
    /// - Parameter awaited: The values of the rows that wait, by their tables in lower case.
    mutating func columnsReferring(_ write: Write, to awaited: [String: AwaitedValues]) throws -> [String] {
      if awaited.isEmpty { return [] }
      let set: Set<String>?
      switch write.decision {
      case .insert: set = nil
      case .update(let columns): set = columns
      case .delete, .nothing, .conflict: return []
      }
      // The foreign key may write the columns in other letters.
      func value(_ column: String) -> FetchValue? {
        write.change.values?.first { isSameName($0.key, column) }?.value
      }
      return try references(of: write.change.table).filter { reference in
        guard let awaited = awaited[reference.parent] else { return false }
        let isSet = set?.contains { name in reference.pairs.contains { isSameName($0.column, name) } } ?? true
        return isSet
          && reference.pairs.allSatisfy { column, referred in
            value(column).map { awaited.contains($0, in: referred ?? awaited.key) } ?? false
          }
      }.flatMap { $0.pairs.map(\.column) }
    }

    private mutating func references(of table: String) throws -> [Reference] {
      if let known = references[table] { return known }
      let rows = try Row.fetchAll(db, sql: "PRAGMA main.foreign_key_list(\(SQLText.quoted(table)))")
      let found = Dictionary(grouping: rows) { $0["id"] as Int }.values.map { rows in
        Reference(pairs: rows.map { ($0["from"], $0["to"]) }, parent: lowercasedName(rows[0]["table"]))
      }
      references[table] = found
      return found
    }

    /// Checks that no row refers to one that is not there. The commit would find that as well, and name no row.
    func checkReferences(of changes: [DraftChange]) throws {
      var (count, highest) = (Int32(0), Int32(0))
      sqlite3_db_status(db.sqliteConnection, SQLITE_DBSTATUS_DEFERRED_FKS, &count, &highest, 0)
      if count == 0 { return }
      var found = ""
      let rows = try Row.fetchCursor(db, sql: "PRAGMA main.foreign_key_check")
      let keys = Dictionary(changes.map { ($0.table.lowercased(), $0.key.name) }) { first, _ in first }
      while let row = try rows.next() {
        let (table, parent): (String, String) = (row["table"], row["parent"])
        // The database may have had others before.
        guard let key = keys[table.lowercased()] else { continue }
        // Of a table without row numbers none is known.
        let id = try (row["rowid"] as Int64?).flatMap { number in
          try DatabaseValue.fetchOne(
            db, sql: "SELECT \(SQLText.quoted(key)) FROM main.\(SQLText.quoted(table)) WHERE rowid = ?",
            arguments: [number])
        }
        let name = id.map { "the row \(FetchValue($0).keyDescription)" } ?? "a row"
        found = ": \(name) of “\(table)” refers to one of “\(parent)” that is not there"
        break
      }
      throw DatabaseError(
        resultCode: .SQLITE_CONSTRAINT_FOREIGNKEY,
        message:
          "FOREIGN KEY constraint failed\(found). Nothing of the save was written. Discard the row that refers, or see to it that the other "
          + "one is there, and save again")
    }
  }
#endif
