import GRDB

/// Changes the schema of a copy of a damaged database so that SQLite finds the tables whose rows are wanted.
///
/// A statement that is damaged is written anew as the migrations make it. A table that the schema does not name any more is
/// sought by what its rows hold, among the pages that no other page leads to. Statements are checked against the rows, too: one
/// that reads fewer of them as what they are declared to be is not the right one.
struct SchemaRebuild {
  private static let tables = ["album", "photo", "discarded", "trash_rule"]
  /// The tables that are sought where the schema does not name them. Of discarded files an old page would cost photos.
  private static let soughtTables = ["album", "photo"]

  private let path: String
  private var freePages: Set<Int> = []

  /// Reads the tables of a copy of a damaged database, which is changed so that SQLite reads what it can. Blocks.
  static func readRemains(of copy: String) -> [String: DatabaseRemains] {
    var rebuild = SchemaRebuild(path: copy)
    // The pages of the journal belong to the file, where it can be opened as it is.
    _ = rebuild.withCopy { try $0.checkpoint(.truncate) }
    rebuild.freePages = DatabasePages.freePages(of: copy)
    try? DatabaseHeader.rebuild(copy)
    rebuild.openFirstPage()
    try? rebuild.makeStatementsReadable()
    return rebuild.withCopy { db in
      Dictionary(uniqueKeysWithValues: tables.map { ($0, DatabaseRemains(of: $0, db)) })
    } ?? [:]
  }

  /// Calls `body` with a new connection: a connection reads the schema once.
  private func withCopy<Result>(_ body: (Database) throws -> Result) -> Result? {
    var configuration = DatabaseCheck.configuration
    // Faults that SQLite finds in the rest of the schema do not keep it from reading these tables.
    configuration.prepareDatabase { try $0.execute(sql: "PRAGMA writable_schema = ON") }
    guard let queue = try? DatabaseQueue(path: path, configuration: configuration) else { return nil }
    defer { try? queue.close() }
    return try? queue.inDatabase(body)
  }

  /// Makes the schema an empty one where SQLite cannot read it to its end.
  private func openFirstPage() {
    let count = withCopy { db -> Int? in
      _ = try? db.checkpoint(.truncate)
      return try Int.fetchOne(
        db, sql: "SELECT count(length(type) + length(name) + length(sql)) FROM sqlite_master")
    }
    if count == nil { try? DatabasePages.emptySchema(of: path) }
  }

  private func makeStatementsReadable() throws {
    let known = Schema.migrator().migrations
    // Of a list that is damaged none may be known.
    let last = withCopy { try SchemaHistory($0)?.last } ?? nil
    guard let last = last ?? known.indices.last else { return }
    let models = try known[...last].reversed().map { try DatabaseModel(upTo: $0) }
    for table in Self.tables {
      let item = DatabaseModel.Item(type: "table", name: table)
      guard let statement = models[0].statements[item] else { continue }
      guard let root = rootPage(of: table) else {
        if Self.soughtTables.contains(table) { seek(table, models.compactMap { $0.statements[item] }) }
        continue
      }
      let columns = withCopy { try DatabaseModel.columns(of: table, $0) } ?? []
      guard !columns.isSuperset(of: models[0].columns[table] ?? []) else { continue }
      let found = withCopy {
        try String.fetchOne($0, sql: "SELECT sql FROM sqlite_master WHERE rootpage = ?", arguments: [root])
      }
      let score = self.score(table)
      write(statement, of: table)
      // The statement of a table that really has fewer columns fits its rows as well, or better.
      let isShorter = !columns.isEmpty && columns.isSubset(of: models[0].columns[table] ?? [])
      if let found = found ?? nil, self.score(table) < (isShorter ? score + 1 : score) {
        write(found, of: table)
      }
    }
  }

  private func rootPage(of table: String) -> Int? {
    withCopy {
      try Int.fetchOne(
        $0, sql: "SELECT rootpage FROM sqlite_master WHERE type = 'table' AND name = ? AND rootpage > 1",
        arguments: [table])
    } ?? nil
  }

  /// Seeks a table by its rows: of all pages that may be a table's first one that with the most of them.
  ///
  /// - Parameter statements: The statements that may have made it, the newest first.
  private func seek(_ table: String, _ statements: [String]) {
    let others = Self.tables.filter { $0 != table }.compactMap { rootPage(of: $0) }
    let roots = DatabasePages.tableRoots(of: path).subtracting(freePages).subtracting(others)
    for (number, statement) in statements.enumerated() where !statements[..<number].contains(statement) {
      var best: (root: Int, score: Int)?
      for root in roots.sorted() {
        insert(table, statement, root: root)
        let score = self.score(table)
        if score > best?.score ?? 0 { best = (root, score) }
      }
      insert(table, statement, root: best?.root)
      if best != nil { return }
    }
  }

  /// Has the schema say that a table was made by another statement.
  private func write(_ statement: String, of table: String) {
    _ = withCopy {
      try $0.execute(
        sql: "UPDATE sqlite_master SET sql = ? WHERE type = 'table' AND name = ?",
        arguments: [statement, table])
    }
  }

  /// Has the schema say that a table begins at a page, or at none. The rows that there are stay as they are: this one comes
  /// first, before the indexes that belong to it.
  private func insert(_ table: String, _ statement: String, root: Int?) {
    let number = -1 - (Self.tables.firstIndex(of: table) ?? Self.tables.count)
    _ = withCopy { db in
      try db.execute(sql: "DELETE FROM sqlite_master WHERE rowid = ?", arguments: [number])
      guard let root else { return }
      try db.execute(
        sql: """
          INSERT INTO sqlite_master (rowid, type, name, tbl_name, rootpage, sql) VALUES (?, 'table', ?, ?, ?, ?)
          """, arguments: [number, table, table, root, statement])
    }
  }

  /// Returns how many rows of a table hold what its columns are declared to hold, less those that do not; 0 where it cannot
  /// be read.
  private func score(_ table: String) -> Int {
    withCopy { db in
      let columns = try Row.fetchAll(
        db, sql: "SELECT name, type, \"notnull\" FROM pragma_table_info(?)", arguments: [table])
      let tests = columns.map { column -> String in
        let name = (column["name"] as String).quotedDatabaseIdentifier
        let type = (column["type"] as String).lowercased()
        let fits = ["blob", "text", "integer"].contains(type) ? "typeof(\(name)) = '\(type)'" : "TRUE"
        return column["notnull"] == 1 ? fits : "(\(name) IS NULL OR \(fits))"
      }
      let names = Set(columns.map { $0["name"] as String })
      let lengths = [("id", 16), ("albumID", 16), ("contentHash", 64)].filter { names.contains($0.0) }
        .map { "length(\($0.0)) = \($0.1)" }
      guard !tests.isEmpty else { return 0 }
      let test = (tests + lengths + (names.contains("rank") ? ["length(rank) > 0"] : [])).joined(
        separator: " AND ")
      var score = 0
      let rows = try Bool.fetchCursor(
        db, sql: "SELECT coalesce(\(test), FALSE) FROM \(table.quotedDatabaseIdentifier) NOT INDEXED")
      // Rows that were read before a damaged page count.
      while let fits = try? rows.next() { score += fits ? 1 : -1 }
      return score
    } ?? 0
  }
}
