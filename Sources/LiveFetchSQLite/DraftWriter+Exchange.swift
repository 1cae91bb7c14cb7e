#if SQLite
  import Foundation
  import GRDB
  import LiveDraftStore
  import LiveStore

  // Rows of a save that exchange values of a `UNIQUE` column. SQLite checks each row when it is written, and defers no such check.
  //
  //   a: 1 ──▶ 2        a waits, as b has 2; b waits, as a has 1
  //   b: 2 ──▶ 1        a: 1 ──▶ –, then b: 2 ──▶ 1, then a: – ──▶ 2
  extension DraftWriter {
    /// Writes rows that wait for unique values of one another.
    /// - Parameter error: The database's error for the first of them.
    /// - Complexity: O(*k* log *n*) for *k* rows in a table of *n*: each is tried three times and written twice at most.
    mutating func exchange(_ writes: [Write], _ error: DatabaseError) throws {
      // Where each waits for the next one, as when positions are moved up, the last has to go first.
      let waiting = try attempt(writes.reversed()).waiting
      if waiting.isEmpty { return }
      for case (.update(let set), let change) in waiting { try giveUp(set, of: change, error) }
      // Now only a row that is none of these has such a value, or two of these are to have the same.
      if let error = try attempt(waiting.reversed()).error { throw error }
    }

    /// Writes rows that wait for one another alone, and those that are to refer to them, where the deletion that comes next takes one of them along:
    /// it goes as it is to be, and comes back so, or does not go, as it is to refer to another one.
    mutating func exchangeBeforeDeletion(_ deletion: Write, _ left: inout Left) throws {
      guard let error = left.error, let rows = try effects?.rows(referringTo: deletion.change) else { return }
      let going = Set(rows.map(\.key))
      guard
        (left.waiting + left.referring).contains(where: {
          going.contains(DraftKey($0.change.table, $0.change.id))
        })
      else { return }
      let (waiting, referring) = (left.waiting, left.referring)
      var isWritten = false
      try db.inSavepoint {
        do {
          try exchange(waiting, error)
          if !referring.isEmpty { try perform(referring) }
          isWritten = true
          return .commit
        } catch let error as DatabaseError
          where error.resultCode == .SQLITE_CONSTRAINT && db.isInsideTransaction
        {
          // One waits for what the deletion gives up.
          last = nil
          return .rollback
        }
      }
      if isWritten { left = Left() }
    }

    mutating func uniqueColumns(of table: String) throws -> UniqueColumns {
      let columns = try uniqueColumns[table] ?? UniqueColumns(of: table, in: db)
      uniqueColumns[table] = columns
      return columns
    }

    /// Writes some columns of a row that is not to be written yet, as far as the database takes them: without those that are unique, where another
    /// row has such a value.
    /// - Parameter names: The columns that are left out.
    mutating func updateOthers(_ write: Write, than names: [String]) throws {
      guard case .update(let set) = write.decision else { return }
      let others = set.filter { name in !names.contains { isSameName($0, name) } }
      if others.isEmpty { return }
      do {
        try perform(.update(others), write.change)
      } catch let error as DatabaseError
        where error.resultCode == .SQLITE_CONSTRAINT && db.isInsideTransaction
      {
        last = nil
        let unique = try uniqueColumns(of: write.change.table).names
        let isUnique = others.contains { name in unique.contains { isSameName($0, name) } }
        if isUnique { try updateOthers(write, than: names + unique) }
      }
    }

    /// Has a row give up its unique values.
    private mutating func giveUp(_ set: Set<String>, of change: DraftChange, _ error: DatabaseError) throws {
      let values = try uniqueColumns(of: change.table).substitutes(for: set)
      if values.isEmpty { return }
      let (condition, key) = Self.condition(change)
      let list = values.map { "\(SQLText.quoted($0.column)) = ?" }.joined(separator: ", ")
      do {
        try statement("UPDATE main.\(SQLText.quoted(change.table)) SET \(list) WHERE \(condition)")
          .execute(arguments: Self.arguments(values.map(\.value) + key))
      } catch let refusal as DatabaseError where refusal.resultCode == .SQLITE_CONSTRAINT {
        // Such as a `CHECK`. The transaction may have ended: the first error says what it is about.
        throw DatabaseError(
          resultCode: error.extendedResultCode,
          message: (error.message ?? "")
            + ": rows of the save exchange unique values, and the table takes no others in between (\(refusal.message ?? "")). "
            + "Save one of the rows with another value first, then both.",
          sql: error.sql)
      }
    }
  }

  /// The columns of a table that let no two rows have the same.
  struct UniqueColumns {
    private struct Column {
      var name: String
      var type: String
      /// Whether the column takes NULL, of which there may be any number, and no other table follows it.
      var takesNull: Bool
    }

    private var columns: [Column] = []
    /// Whether any column may be a part of what is unique: an expression, or a column that is computed.
    private var isOfAny = false

    init(of table: String, in db: Database) throws {
      let name = SQLText.quoted(table)
      let rows = try Row.fetchAll(db, sql: "PRAGMA main.table_xinfo(\(name))")
      let followed = try Self.followedColumns(of: table, in: db)
      var unique: Set<String> = []
      for index in try Row.fetchAll(db, sql: "PRAGMA main.index_list(\(name))") where index["unique"] == 1 {
        let index: String = index["name"]
        for part in try Row.fetchAll(db, sql: "PRAGMA main.index_info(\(SQLText.quoted(index)))") {
          if let column: String = part["name"] { unique.insert(column) } else { isOfAny = true }
        }
      }
      for row in rows {
        let column: String = row["name"]
        if row["hidden"] != 0 {
          if unique.contains(column) { isOfAny = true }
        } else {
          columns.append(
            Column(
              name: column, type: (row["type"] as String).uppercased(),
              takesNull: row["notnull"] == 0 && row["pk"] == 0 && !followed.contains(lowercasedName(column))))
        }
      }
      if !isOfAny { columns.removeAll { !unique.contains($0.name) } }
    }

    /// The columns, in lower case, that foreign keys refer to: rows that follow would be lost where the value is NULL in between.
    private static func followedColumns(of table: String, in db: Database) throws -> Set<String> {
      var followed: Set<String> = []
      let tables = try String.fetchAll(db, sql: "SELECT name FROM main.sqlite_master WHERE type = 'table'")
      for other in tables {
        for key in try Row.fetchAll(db, sql: "PRAGMA main.foreign_key_list(\(SQLText.quoted(other)))") {
          guard isSameName(key["table"] as String, table), let column: String = key["to"] else { continue }
          followed.insert(lowercasedName(column))
        }
      }
      return followed
    }

    /// The names of the columns that may be a part of what is unique.
    var names: [String] { columns.map(\.name) }

    /// Returns values that no other row has, for the unique ones among columns.
    func substitutes(for set: Set<String>) -> [(column: String, value: FetchValue)] {
      columns.filter { column in set.contains { isSameName($0, column.name) } }
        .map { ($0.name, $0.takesNull ? .null : Self.value(ofType: $0.type)) }
    }

    /// Returns a random value of a declared type. Of 63 and 128 random bits none comes twice.
    private static func value(ofType type: String) -> FetchValue {
      if type.contains("INT") { return .integer(.random(in: .min..<0)) }
      if ["CHAR", "CLOB", "TEXT"].contains(where: type.contains) { return .text(UUID().uuidString) }
      if ["REAL", "FLOA", "DOUB"].contains(where: type.contains) {
        return .real(-.random(in: 1e300..<1e308))
      }
      if type.isEmpty || type.contains("BLOB") || type == "ANY" {
        return .blob((0..<16).map { _ in .random(in: 0...255) })
      }
      return .integer(.random(in: .min..<0))
    }
  }
#endif
