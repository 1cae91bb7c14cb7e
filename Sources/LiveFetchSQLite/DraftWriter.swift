#if SQLite
  import GRDB
  import LiveDraftStore
  import LiveStore

  /// Writes rows by the names of their columns, with one statement for each set of columns.
  struct DraftWriter {
    let db: Database
    /// The effects of deletions on other rows, where there may be any and somebody wants to know.
    var effects: ForeignKeyEffects?
    /// The columns by which rows of each table refer to others.
    var references: [String: [Reference]] = [:]
    /// The unique columns of each table that rows have waited for.
    var uniqueColumns: [String: UniqueColumns] = [:]
    /// The columns of each table that can be written.
    private var columns: [String: Columns] = [:]
    /// The last update. Most saves set the same columns of many rows.
    var last: Update?

    struct Update {
      var table: String
      var key: String
      var hasTextKey: Bool
      var set: Set<String>
      /// The columns in the order of the statement's parameters.
      var names: [String]
      var statement: Statement
    }

    init(db: Database) { self.db = db }

    typealias Write = (decision: DraftDecision, change: DraftChange)

    /// Writes rows, in their order.
    ///
    /// A row waits whose unique value another one has, which may be still to give it up: then the order of the edits says nothing. With it
    /// wait those that are to refer to it: what they find instead may still be deleted, and take them along.
    mutating func perform(_ writes: [Write]) throws {
      let left = try attempt(writes, leavingReferring: true)
      if let error = left.error { try exchange(left.waiting, error) }
      if !left.referring.isEmpty { try perform(left.referring) }
    }

    /// The rows that were not written.
    struct Left {
      /// Those of which another row has a unique value.
      var waiting: [Write] = []
      /// Those that are to refer to one of these.
      var referring: [Write] = []
      /// The database's error for the first one that waits.
      var error: DatabaseError?
    }

    /// Writes those of rows whose unique values no row has.
    /// - Parameter leavingReferring: Whether rows are left that are to refer to one which waits.
    mutating func attempt(_ writes: some Sequence<Write>, leavingReferring: Bool = false) throws -> Left {
      var left = Left()
      var awaited: [String: AwaitedValues] = [:]
      for write in writes {
        if leavingReferring, write.decision == .delete {
          try exchangeBeforeDeletion(write, &left)
          if left.waiting.isEmpty { awaited = [:] }
        }
        let columns = leavingReferring ? try columnsReferring(write, to: awaited) : []
        if !columns.isEmpty {
          left.referring.append(write)
          // The others may wait for a value that it gives up.
          try updateOthers(write, than: columns)
          continue
        }
        do {
          try perform(write.decision, write.change)
        } catch let error as DatabaseError
          where error.extendedResultCode == .SQLITE_CONSTRAINT_UNIQUE && db.isInsideTransaction
        {
          // The next use of a statement that has failed would fail with the same error.
          last = nil
          left.waiting.append(write)
          left.error = left.error ?? error.naming(write.change)
          // It may leave another row that is deleted before its turn comes.
          if leavingReferring { try updateOthers(write, than: uniqueColumns(of: write.change.table).names) }
          awaited[lowercasedName(write.change.table), default: AwaitedValues(key: write.change.key.name)]
            .insert(write)
        } catch let error as DatabaseError
          where [.SQLITE_CONSTRAINT, .SQLITE_ERROR].contains(error.resultCode)
        {
          // Also a column or a table that is gone.
          throw error.naming(write.change)
        }
      }
      return left
    }

    mutating func perform(_ decision: DraftDecision, _ change: DraftChange) throws {
      let values = change.values ?? [:]
      if case .update(let set) = decision { return try update(set, change) }
      let table = "main." + SQLText.quoted(change.table)
      switch decision {
      case .nothing, .conflict, .update: return
      case .insert:
        let names = try columnsToInsert(values, change.table)
        let list = names.map(SQLText.quoted).joined(separator: ", ")
        let bound = names.map { values[$0] ?? .null }
        try execute(
          statement(
            "INSERT INTO \(table) (\(list)) VALUES (\(bound.map(Self.parameter).joined(separator: ", ")))"),
          bound, change)
      case .delete:
        let (condition, key) = Self.condition(change)
        let arguments = Self.arguments(key)
        let referring = try effects?.rows(referringTo: change) ?? []
        try statement("DELETE FROM \(table) WHERE \(condition)").execute(arguments: arguments)
        if db.changesCount > 0 {
          try effects?.note(referring, of: change)
          return
        }
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
      let names = try columnsToUpdate(set, change.table)
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

    func statement(_ sql: String) throws -> Statement { try db.cachedStatement(sql: sql) }

    private func execute(_ statement: Statement, _ values: [FetchValue], _ change: DraftChange) throws {
      try statement.execute(arguments: Self.arguments(values))
      guard db.changesCount > 0 else { throw Self.notWritten(change) }
    }

    static func arguments(_ values: [FetchValue]) -> StatementArguments {
      StatementArguments(bound: values.map { $0.hasZeroByte ? $0.bytes : $0.databaseValue })
    }

    private static func notWritten(_ change: DraftChange) -> FetchError {
      .row(RowDecodingFailure(id: change.id.keyDescription, column: nil, message: change.notWritten))
    }

    /// The condition for the row, and the values in it. Where the key's column takes other text for the same, the text counts.
    static func condition(_ change: DraftChange) -> (String, [FetchValue]) {
      condition(change.key.name, change.id)
    }

    static func condition(_ key: String, _ id: FetchValue) -> (String, [FetchValue]) {
      let key = SQLText.quoted(key)
      let parameter = parameter(id)
      guard case .text = id else { return ("\(key) = \(parameter)", [id]) }
      return ("\(key) = \(parameter) AND \(key) \(SQLText.binary) = \(parameter)", [id, id])
    }

    /// GRDB ends text at its first zero byte: such text is given as bytes.
    private static func parameter(_ value: FetchValue) -> String {
      value.hasZeroByte ? "CAST(? AS TEXT)" : "?"
    }

    /// The columns that are written of a new row. One that the table no longer has is among them, so that the database refuses it: its value
    /// would be lost in silence.
    private mutating func columnsToInsert(_ values: [String: FetchValue], _ table: String) throws -> [String]
    {
      let columns = try self.columns(of: table)
      let names = columns.written.filter { values[$0] != nil }
      if names.count == values.count { return names }
      let others = values.filter { name, value in
        value != .null && !columns.written.contains(name)
          && !columns.computed.contains { isSameName($0, name) }
      }
      return names + others.keys.sorted()
    }

    private mutating func columns(of table: String) throws -> Columns {
      if let known = columns[table] { return known }
      var found = Columns()
      for row in try Row.fetchAll(db, sql: "PRAGMA main.table_xinfo(\(SQLText.quoted(table)))") {
        let name: String = row["name"]
        let isWritten = row["hidden"] as Int == 0
        if isWritten { found.written.append(name) } else { found.computed.append(name) }
      }
      columns[table] = found
      return found
    }

    /// The columns of an update that can be written: the others follow from these, as where undo leads from one row to another of the same key.
    private mutating func columnsToUpdate(_ set: Set<String>, _ table: String) throws -> [String] {
      let computed = try columns(of: table).computed
      let names = computed.isEmpty ? set : set.filter { name in !computed.contains { isSameName($0, name) } }
      // An update of computed columns alone is the database's to refuse, in its words.
      return (names.isEmpty ? set : names).sorted()
    }

    /// The columns of a table.
    private struct Columns {
      var written: [String] = []
      /// Those that nobody writes.
      var computed: [String] = []
    }
  }

  extension DatabaseError {
    /// The same error, with the row that the database has refused.
    fileprivate func naming(_ change: DraftChange) -> DatabaseError {
      DatabaseError(
        resultCode: extendedResultCode,
        message:
          "\(message ?? resultCode.description): the row \(change.id.keyDescription) of “\(change.table)”. "
          + "Nothing of the save was written. Change the row or discard it, and save again",
        sql: sql)
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
#endif
