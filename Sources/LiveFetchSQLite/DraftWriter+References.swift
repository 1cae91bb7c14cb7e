#if SQLite
  import GRDB
  import GRDBSQLite
  import LiveStore

  extension DraftWriter {
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
