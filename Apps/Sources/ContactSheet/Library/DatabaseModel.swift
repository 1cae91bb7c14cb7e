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
  /// The columns of the tables.
  private(set) var columns: [String: Set<String>] = [:]

  /// Reads the schema of a database.
  init(_ db: Database) throws {
    for row in try Row.fetchAll(
      db, sql: "SELECT type, name, sql FROM sqlite_master WHERE name NOT LIKE 'sqlite\\_%' ESCAPE '\\'")
    {
      let item = Item(type: try row.value("type"), name: try row.value("name"))
      statements[item] = row["sql"] as String? ?? ""
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
  private static let migrations = "grdb_migrations"

  /// Returns what a database lacks of the schema that its migrations made, in sentences: a table, index, trigger or column that is gone is
  /// no damage to SQLite. What there is beside it does no harm.
  ///
  /// - Throws: what SQLite says where the schema cannot be read.
  static func schemaProblems(_ db: Database) throws -> [String] {
    let found = try DatabaseModel(db)
    guard !found.statements.isEmpty else { return [] }
    guard found.columns[migrations]?.contains("identifier") == true else {
      return ["The table \(migrations) is missing."]
    }
    let known = Schema.migrator().migrations
    let seen = try Set(String.fetchAll(db, sql: "SELECT identifier FROM \(migrations)"))
    // A newer release knows better.
    guard seen.isSubset(of: known) else { return [] }
    guard let last = known.lastIndex(where: { seen.contains($0) }) else {
      return found.columns.count == 1 ? [] : ["The table \(migrations) is empty."]
    }
    var problems = known[...last].filter { !seen.contains($0) }.map {
      "The table \(migrations) lacks “\($0)”."
    }
    let wanted = try DatabaseModel(upTo: known[last])
    for item in wanted.statements.keys.sorted(by: { ($0.type, $0.name) < ($1.type, $1.name) })
    where found.statements[item] == nil {
      problems.append("The \(item.type) \(item.name) is missing.")
    }
    for (table, columns) in wanted.columns.sorted(by: { $0.key < $1.key }) {
      guard let there = found.columns[table] else { continue }
      problems += columns.subtracting(there).sorted().map {
        "The column \($0) of the table \(table) is missing."
      }
    }
    return problems
  }
}

extension DatabaseRemains {
  private static let tables = ["album", "photo", "discarded"]

  /// Reads the tables of a copy of a damaged database, which is changed so that SQLite reads what it can.
  static func read(_ copy: String) -> [String: DatabaseRemains] {
    try? DatabaseHeader.rebuild(copy)
    var configuration = DatabaseCheck.configuration
    // Faults that SQLite finds in the rest of the schema do not keep it from reading these tables.
    configuration.prepareDatabase { try $0.execute(sql: "PRAGMA writable_schema = ON") }
    func withCopy<Result>(_ body: (Database) throws -> Result) -> Result? {
      guard let queue = try? DatabaseQueue(path: copy, configuration: configuration) else { return nil }
      defer { try? queue.close() }
      return try? queue.inDatabase(body)
    }
    // A connection reads the schema once.
    _ = withCopy { try rebuildSchema($0) }
    return withCopy { db in
      Dictionary(uniqueKeysWithValues: tables.map { ($0, DatabaseRemains(of: $0, db)) })
    } ?? [:]
  }

  /// Writes the statements that the migrations make in the place of those that cannot be read, or make other columns; the
  /// tables' pages are where they were.
  private static func rebuildSchema(_ db: Database) throws {
    let known = Schema.migrator().migrations
    let seen = (try? String.fetchAll(db, sql: "SELECT identifier FROM grdb_migrations")) ?? []
    guard let last = known.last(where: { seen.isEmpty || seen.contains($0) }) else { return }
    let model = try DatabaseModel(upTo: last)
    let isWhole = tables.allSatisfy { table in
      ((try? DatabaseModel.columns(of: table, db)) ?? []).isSuperset(of: model.columns[table] ?? [])
    }
    guard !isWhole else { return }
    for (item, statement) in model.statements {
      try db.execute(
        sql: "UPDATE sqlite_master SET sql = ? WHERE type = ? AND name = ? AND sql IS NOT ?",
        arguments: [statement, item.type, item.name, statement])
    }
  }
}
