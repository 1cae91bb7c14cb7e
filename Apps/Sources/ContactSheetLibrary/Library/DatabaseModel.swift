import Foundation
import GRDB

/// The schema that the migrations make, to compare that of a database with.
struct DatabaseModel {
  /// A table, an index or a trigger.
  struct Item: Hashable {
    var type: String
    var name: String
  }

  /// The statements by which the items were made.
  private(set) var statements: [Item: String] = [:]
  /// The tables that the items belong to.
  private(set) var tables: [Item: String] = [:]
  /// The columns of the tables.
  private(set) var columns: [String: Set<String>] = [:]

  /// Reads the schema of a database.
  init(_ db: Database) throws {
    for row in try Row.fetchAll(
      db,
      sql: "SELECT type, name, tbl_name, sql FROM sqlite_master WHERE name NOT LIKE 'sqlite\\_%' ESCAPE '\\'")
    {
      let item = Item(type: try row.value("type"), name: try row.value("name"))
      statements[item] = row["sql"] as String? ?? ""
      tables[item] = row["tbl_name"] as String? ?? ""
      if item.type == "table" { columns[item.name] = try Self.columns(of: item.name, db) }
    }
  }

  /// Makes the schema that a database has after a migration.
  init(upTo migration: String) throws {
    let queue = try DatabaseQueue()
    try Schema.migrator().migrate(queue, upTo: migration)
    self = try queue.read { try DatabaseModel($0) }
  }

  static func columns(of table: String, _ db: Database) throws -> Set<String> {
    try Set(String.fetchAll(db, sql: "SELECT name FROM pragma_table_info(?)", arguments: [table]))
  }
}

extension DatabaseCheck {
  /// Returns what a database lacks of the schema that its migrations made, in sentences: a table, index, trigger or column that is gone, or
  /// is another, is no damage to SQLite. What there is beside it does no harm.
  ///
  /// - Throws: what SQLite says where the schema cannot be read.
  static func schemaProblems(_ db: Database) throws -> [String] {
    let found = try DatabaseModel(db)
    guard !found.statements.isEmpty else { return [] }
    guard let history = try SchemaHistory(db) else { return ["The table \(SchemaHistory.table) is missing."] }
    // A newer release knows better.
    guard !history.isNewer else { return [] }
    var problems = history.unknown.map {
      "The table \(SchemaHistory.table) names “\(TextCleaning.oneLine($0, limit: 80))”, which is nothing of ContactSheet's."
    }
    guard let last = history.expected.last else {
      let isBegun = history.isEmpty && found.columns.count == 1
      return problems.isEmpty && !isBegun ? ["The table \(SchemaHistory.table) is empty."] : problems
    }
    problems += history.missing.map { "The table \(SchemaHistory.table) lacks “\($0)”." }
    let wanted = try DatabaseModel(upTo: last)
    for item in wanted.statements.keys.sorted(by: { ($0.type, $0.name) < ($1.type, $1.name) }) {
      guard let statement = found.statements[item] else {
        problems.append("The \(item.type) \(item.name) is missing.")
        continue
      }
      let lost = (wanted.columns[item.name] ?? []).subtracting(found.columns[item.name] ?? [])
      if item.type == "table", !lost.isEmpty {
        problems += lost.sorted().map { "The column \($0) of the table \(item.name) is missing." }
      } else if found.tables[item] != wanted.tables[item]
        || !isSame(statement, wanted.statements[item], as: item)
      {
        problems.append("The \(item.type) \(item.name) is not the one that ContactSheet makes.")
      }
    }
    return problems
  }

  /// Returns whether a statement makes what another one does; of a table, also with more columns.
  private static func isSame(_ statement: String, _ wanted: String?, as item: DatabaseModel.Item) -> Bool {
    // This one is made by a library, whose releases may word it differently.
    guard let wanted, item.name != SchemaHistory.table else { return true }
    let (found, model) = (StatementTokens(statement), StatementTokens(wanted))
    return found == model || item.type == "table" && model.isBeginning(of: found)
  }
}
