#if SQLite
  public import GRDB
  public import LiveStore

  extension SQLiteStore: DraftSaving {
    /// Saves what a draft has changed, in one transaction.
    ///
    /// Columns that SQLite computes are left out of new rows. Foreign keys are checked at the end of the transaction.
    /// - Throws: `DraftConflict`, or the database's error; nothing was then written.
    public func save(_ changes: [DraftChange], policy: DraftPolicy, origins: [String]) async throws {
      try await write(origins: origins) { [self] db in
        let decisions = try decide(changes, policy, in: db)
        try db.execute(sql: "PRAGMA defer_foreign_keys = ON")
        var writer = DraftWriter(db: db)
        for (change, decision) in zip(changes, decisions) { try writer.perform(decision, change) }
      }
    }

    /// Returns the names of a table's columns, also of those that SQLite computes.
    /// - Throws: The database's error.
    public func columnNames(of table: String) throws -> [String]? {
      try checkOpen()
      return try readRows { db, _ in
        let names = try Row.fetchAll(db, sql: "PRAGMA main.table_xinfo(\(SQLText.quoted(table)))").compactMap
        {
          // Those of virtual tables that `*` leaves out are none of the rows'.
          $0["hidden"] == 1 ? nil : $0["name"] as String
        }
        return names.isEmpty ? nil : names
      }
    }

    /// Reads the rows, and decides what becomes of each.
    private func decide(
      _ changes: [DraftChange], _ policy: DraftPolicy, in db: Database
    ) throws -> [DraftDecision] {
      // A row that is not found is missing.
      var decisions = changes.map { $0.decision(for: nil, policy: policy) }
      var theirs: [Int: [String: FetchValue]] = [:]
      var refusal: FetchError?
      for (table, positions) in Dictionary(grouping: changes.indices, by: { changes[$0].table }) {
        let plan = FetchPlan(
          table: table, columns: [changes[positions[0]].key], filter: .yes, order: [])
        let ids = positions.map { changes[$0].id }
        let known = Dictionary(zip(ids.lazy.map(\.normalized), positions)) { first, _ in first }
        _ = try rows(ids, of: plan, in: db) { id, row in
          guard let position = known[id.normalized] else { return }
          refusal = refusal ?? row.refusal
          decisions[position] = changes[position].decision(for: row, policy: policy)
          if decisions[position] == .conflict { theirs[position] = row.storedValues }
        }
      }
      if let refusal { throw refusal }
      let conflicts = decisions.indices.filter { decisions[$0] == .conflict }
      if !conflicts.isEmpty {
        throw DraftConflict(rows: conflicts.map { changes[$0].conflict(with: theirs[$0]) })
      }
      return decisions
    }
  }

  /// Writes rows by the names of their columns, with one statement for each set of columns.
  private struct DraftWriter {
    let db: Database
    /// The columns of each table that can be written.
    private var columns: [String: [String]] = [:]
    /// The last update. Most saves set the same columns of many rows.
    private var last: Update?

    private struct Update {
      var table: String
      var key: String
      var hasTextKey: Bool
      var set: Set<String>
      /// The columns in the order of the statement's parameters.
      var names: [String]
      var statement: Statement
    }

    init(db: Database) { self.db = db }

    mutating func perform(_ decision: DraftDecision, _ change: DraftChange) throws {
      let values = change.values ?? [:]
      if case .update(let set) = decision { return try update(set, change) }
      let table = "main." + SQLText.quoted(change.table)
      switch decision {
      case .nothing, .conflict, .update: return
      case .insert:
        let names = try writableColumns(of: change.table).filter { values[$0] != nil }
        let list = names.map(SQLText.quoted).joined(separator: ", ")
        let bound = names.map { values[$0] ?? .null }
        try execute(
          statement(
            "INSERT INTO \(table) (\(list)) VALUES (\(bound.map(Self.parameter).joined(separator: ", ")))"),
          bound, change)
      case .delete:
        let (condition, key) = Self.condition(change)
        let arguments = Self.arguments(key)
        try statement("DELETE FROM \(table) WHERE \(condition)").execute(arguments: arguments)
        if db.changesCount > 0 { return }
        // The deletion of another row may have taken it along.
        let isThere = try statement("SELECT 1 FROM \(table) WHERE \(condition)")
        if try Row.fetchOne(isThere, arguments: arguments) != nil { throw Self.notWritten(change) }
      }
    }

    private mutating func update(_ set: Set<String>, _ change: DraftChange) throws {
      let values = change.values ?? [:]
      if let last, last.set == set, last.table == change.table, last.key == change.key.name,
        last.hasTextKey == change.id.isText
      {
        var bound = last.names.map { values[$0] ?? .null }
        bound.append(change.id)
        if last.hasTextKey { bound.append(change.id) }
        // Where there is a zero byte, the statement is another.
        if !bound.contains(where: \.hasZeroByte) { return try execute(last.statement, bound, change) }
      }
      let names = set.sorted()
      let (condition, key) = Self.condition(change)
      let bound = names.map { values[$0] ?? .null } + key
      let list = zip(names, bound).map { "\(SQLText.quoted($0)) = \(Self.parameter($1))" }
      let statement = try statement(
        "UPDATE main.\(SQLText.quoted(change.table)) SET \(list.joined(separator: ", ")) WHERE \(condition)")
      try execute(statement, bound, change)
      if bound.contains(where: \.hasZeroByte) { return }
      last = Update(
        table: change.table, key: change.key.name, hasTextKey: change.id.isText, set: set, names: names,
        statement: statement)
    }

    private func statement(_ sql: String) throws -> Statement { try db.cachedStatement(sql: sql) }

    private func execute(_ statement: Statement, _ values: [FetchValue], _ change: DraftChange) throws {
      try statement.execute(arguments: Self.arguments(values))
      guard db.changesCount > 0 else { throw Self.notWritten(change) }
    }

    private static func arguments(_ values: [FetchValue]) -> StatementArguments {
      StatementArguments(values.map { $0.hasZeroByte ? $0.bytes : $0.databaseValue })
    }

    private static func notWritten(_ change: DraftChange) -> FetchError {
      .row(RowDecodingFailure(id: "\(change.id)", column: nil, message: change.notWritten))
    }

    /// The condition for the row, and the values in it. Where the key's column takes other text for the same, the text counts.
    private static func condition(_ change: DraftChange) -> (String, [FetchValue]) {
      let key = SQLText.quoted(change.key.name)
      let parameter = parameter(change.id)
      guard case .text = change.id else { return ("\(key) = \(parameter)", [change.id]) }
      return (
        "\(key) = \(parameter) AND \(key) \(SQLText.binary) = \(parameter)", [change.id, change.id]
      )
    }

    /// GRDB ends text at its first zero byte: such text is given as bytes.
    private static func parameter(_ value: FetchValue) -> String {
      value.hasZeroByte ? "CAST(? AS TEXT)" : "?"
    }

    private mutating func writableColumns(of table: String) throws -> [String] {
      if let known = columns[table] { return known }
      // Unlike `table_xinfo` this leaves out computed columns.
      let names = try Row.fetchAll(db, sql: "PRAGMA main.table_info(\(SQLText.quoted(table)))").map {
        $0["name"] as String
      }
      columns[table] = names
      return names
    }
  }

  extension FetchValue {
    fileprivate var isText: Bool { if case .text = self { true } else { false } }

    /// The bytes of a text, as GRDB has bytes.
    fileprivate var bytes: DatabaseValue {
      guard case .text(let text) = self else { return databaseValue }
      return FetchValue.blob(Array(text.utf8)).databaseValue
    }
  }

  extension DraftModel where Self: EncodableRecord {
    /// Returns the columns that the record encodes.
    /// - Throws: The record's error.
    public func fetchValues() throws -> [String: FetchValue] {
      try databaseDictionary.mapValues { FetchValue($0) }
    }
  }
#endif
