import Foundation
import GRDB

/// The part of a damaged table that SQLite can still read: its rows, and of lost ones the columns that its indexes
/// hold.
///
/// Each index has a tree of its own. So the rows are sought in the table and in all of its indexes, from both ends, and each
/// is read by itself: a damaged page costs the rows that lie on it, and of these not what an index has as well.
struct DatabaseRemains {
  /// The columns of a row by their names.
  typealias Columns = [String: DatabaseValue]

  /// The rows that could be read whole, by their numbers.
  private(set) var rows: [Int64: Columns] = [:]
  /// The columns of the other rows that indexes hold.
  private(set) var fragments: [Int64: Columns] = [:]
  /// The names of the table's columns, as far as the schema can be read.
  private(set) var columns: [String]

  /// Reads a table. What cannot be read is passed over.
  ///
  /// - Complexity: O(rows · indexes).
  init(of table: String, _ db: Database) {
    columns =
      (try? String.fetchAll(db, sql: "SELECT name FROM pragma_table_info(?)", arguments: [table])) ?? []
    guard !columns.isEmpty else { return }
    let name = table.quotedDatabaseIdentifier
    var numbers: Set<Int64> = []
    var isTableWhole = true
    for direction in ["ASC", "DESC"] {
      let isWhole = Self.each(
        db, "SELECT rowid AS number FROM \(name) NOT INDEXED ORDER BY rowid \(direction)"
      ) {
        numbers.insert($0)
        _ = $1
      }
      isTableWhole = isTableWhole && isWhole
    }
    let listed = numbers
    // What an index of all rows lists that can be read to its end.
    var witnesses: [Set<Int64>] = []
    let indexes =
      (try? String.fetchAll(db, sql: "SELECT name FROM pragma_index_list(?)", arguments: [table])) ?? []
    for index in indexes {
      let keys =
        (try? String.fetchAll(
          db, sql: "SELECT name FROM pragma_index_info(?) WHERE name IS NOT NULL ORDER BY seqno",
          arguments: [index]))
        ?? []
      guard !keys.isEmpty else { continue }
      let list = keys.map { $0.quotedDatabaseIdentifier }
      // An index of some rows only is read where it says which, by one column: so it tells something of all the others, too.
      let condition = Self.condition(of: index, db)
      var seen: Set<Int64> = []
      var isWhole = condition == nil
      for direction in ["ASC", "DESC"] {
        let isRead = Self.each(
          db,
          """
          SELECT rowid AS number, \(list.joined(separator: ", ")) FROM \(name)
          INDEXED BY \(index.quotedDatabaseIdentifier) \(condition.map { "WHERE " + $0.sql } ?? "")
          ORDER BY \(list.map { "\($0) \(direction)" }.joined(separator: ", "))
          """
        ) { number, row in
          numbers.insert(number)
          seen.insert(number)
          for key in keys { fragments[number, default: [:]][key] = row[key] as DatabaseValue? ?? .null }
          if let empty = condition?.empty { fragments[number, default: [:]][empty] = .null }
        }
        isWhole = isWhole && isRead
      }
      if isWhole { witnesses.append(seen) }
    }
    // An index that is damaged by itself makes rows up: of those neither the table knows, which can be read to its end, nor another index.
    if isTableWhole {
      for number in numbers.subtracting(listed) where witnesses.contains(where: { !$0.contains(number) }) {
        numbers.remove(number)
        fragments[number] = nil
      }
    }
    guard let read = try? db.makeStatement(sql: "SELECT * FROM \(name) WHERE rowid = ?") else { return }
    for number in numbers {
      guard let row = try? Row.fetchOne(read, arguments: [number]) else { continue }
      rows[number] = Dictionary(
        columns.map { ($0, row[$0] as DatabaseValue? ?? .null) }, uniquingKeysWith: { first, _ in first })
      fragments[number] = nil
    }
  }

  /// The condition of an index of some rows only.
  ///
  /// - Returns: The condition, and the column that has no value in the rows of which it is true; `nil` for an index of all rows, and
  ///   for conditions of other kinds, with which SQLite passes the index over.
  private static func condition(of index: String, _ db: Database) -> (sql: String, empty: String?)? {
    let statement = try? String.fetchOne(
      db, sql: "SELECT sql FROM sqlite_master WHERE type = 'index' AND name = ?", arguments: [index])
    guard let statement else { return nil }
    let words = statement.parts(between: " ")
    guard let start = words.lastIndex(where: { $0.isExactly("WHERE") }) else { return nil }
    let said = words[(start + 1)...].map(String.init)
    guard let column = said.first else { return nil }
    switch said.dropFirst().joined(separator: " ") {
    case "IS NULL": return ("\(column) IS NULL", column)
    case "IS NOT NULL": return ("\(column) IS NOT NULL", nil)
    default: return nil
    }
  }

  /// Gives the rows values of columns that the table has lost. Rows for which there is none count as lost.
  mutating func fill(_ values: [String: (Columns) -> DatabaseValue?]) {
    for (name, value) in values where !columns.isEmpty && !columns.contains(name) {
      columns.append(name)
      for (number, row) in rows {
        rows[number]?[name] = value(row)
        guard rows[number]?[name] == nil else { continue }
        fragments[number] = row
        rows[number] = nil
      }
    }
  }

  /// Counts the rows as lost ones, of which some columns are known, where the table has lost a column that they need.
  mutating func setAside(lacking needed: [String]) {
    guard !columns.isEmpty, !Set(needed).isSubset(of: columns) else { return }
    fragments.merge(rows) { $1 }
    rows = [:]
  }

  /// Reads rows until there are no more, or no more can be read.
  ///
  /// - Returns: Whether there were no more.
  private static func each(_ db: Database, _ sql: String, _ body: (Int64, Row) -> Void) -> Bool {
    do {
      let rows = try Row.fetchCursor(db, sql: sql)
      while let row = try rows.next() {
        if let number = Int64.fromDatabaseValue(row["number"]) { body(number, row) }
      }
      return true
    } catch {
      return false
    }
  }
}
