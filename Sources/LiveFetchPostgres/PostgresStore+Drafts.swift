#if PostgreSQL
  public import LiveDraftStore
  public import LiveStore
  import Synchronization

  extension PostgresStore: DraftSaving {
    /// Saves what a draft has changed, in one transaction.
    ///
    /// The rows are locked before it is decided what becomes of them, so that nobody changes them in between. Where two saves have
    /// waited for each other, or a row came in between that is to be inserted, the transaction is made again; and where a foreign key that
    /// cannot be deferred is in the way, with each row after those that it refers to. Constraints that can be deferred are checked at its end.
    /// - Throws: `DraftConflict`, or ``PostgresError``; nothing was then written, unless ``PostgresError/isOutcomeUnknown`` is set.
    public func save(_ changes: [DraftChange], policy: DraftPolicy, origins: [String]) async throws {
      try await save(changes, policy: policy, origins: origins, tables: { [:] }, report: { _ in })
    }

    /// Saves in the same way, and reports what foreign keys have done to other rows as rows were deleted.
    ///
    /// It reports nothing where that were more than 20,000 rows, and leaves tables out that the role may not write.
    /// - Throws: As ``save(_:policy:origins:)``.
    public func save(
      _ changes: [DraftChange], policy: DraftPolicy, origins: [String],
      tables known: @escaping @Sendable () -> [String: FetchPlan.Column],
      report: @escaping @Sendable ([DraftEffect]) -> Void
    ) async throws {
      try checkOpen()
      try await pool.use { [self] connection in
        var tables: [String: PostgresTable] = [:]
        func watch(_ name: String, _ key: FetchPlan.Column) throws {
          if tables[name] != nil { return }
          tables[name] = try self.watch(
            FetchPlan(table: name, columns: [key], filter: .yes, order: []), on: connection)
        }
        for change in changes { try watch(change.table, change.key) }
        var keys: ForeignKeys?
        let known = changes.contains { $0.kind == .delete } ? known() : [:]
        if !known.isEmpty {
          // Of a table that cannot be watched no draft has rows.
          for (name, key) in known { try? watch(name, key) }
          keys = try ForeignKeys(between: tables, known.mapValues(\.name), on: connection)
        }
        let writer = DraftWriter(connection: connection, tables: tables, keys: keys)
        var changes = changes
        var (attempt, isOrdered) = (1, false)
        while true {
          do {
            try transact(on: connection, origins) { transaction in
              try transaction.begin()
              let effects = try writer.write(changes, policy)
              try writer.noteLeft(changes)
              report(effects)
            }
            break
          } catch  where attempt < 4 && DraftWriter.canBeTriedAgain(error) {
            attempt += 1
          } catch  where error.postgresCode == "23503" && !isOrdered {
            // A foreign key that cannot be deferred. The order of the edits is kept otherwise: unique values may depend on it.
            let ordered = try changes.ordered(by: ForeignKeys.references(between: tables, on: connection))
            if ordered == changes { throw error }
            (changes, isOrdered) = (ordered, true)
          }
        }
        bell?.ring()
        // Committed is committed: where the database is lost now, lists learn of it later.
        _ = try? advance(on: connection)
      }
    }

    /// Returns the names of a table's columns, as they were when a row of it was last asked for; nil before that.
    public func columnNames(of table: String) -> [String]? {
      observers.withLock { $0.tables[table]?.table.columns.map(\.name) }
    }
  }

  /// Writes the changes of a draft within a transaction.
  private struct DraftWriter {
    let connection: Connection
    let tables: [String: PostgresTable]
    /// The foreign keys of which somebody wants to know what they do.
    let keys: ForeignKeys?

    /// Whether others were in the way: a deadlock, or a row that came while it was being inserted here.
    static func canBeTriedAgain(_ error: any Error) -> Bool {
      ["40P01", "40001", "23505"].contains(error.postgresCode)
    }

    private typealias Write = (change: DraftChange, decision: DraftDecision, statement: SQLStatement)

    /// - Returns: What foreign keys have done to other rows.
    func write(_ changes: [DraftChange], _ policy: DraftPolicy) throws -> [DraftEffect] {
      try connection.run("SET CONSTRAINTS ALL DEFERRED")
      let writes: [Write] = try zip(changes, decide(changes, policy)).compactMap { change, decision in
        try statement(for: decision, change).map { (change, decision, $0) }
      }
      guard var effects = keys?.effects else {
        try perform(writes[...])
        return []
      }
      var rest = writes[...]
      while let first = rest.first {
        let isDeletion = first.decision == .delete
        let run = rest.prefix {
          ($0.decision == .delete) == isDeletion && (!isDeletion || $0.change.table == first.change.table)
        }
        rest = rest.dropFirst(run.count)
        if isDeletion { try delete(run, &effects) } else { try perform(run) }
      }
      return effects.found
    }

    /// Deletes rows of one table. Those that others refer to one by one, and the others in few round trips.
    private func delete(_ writes: ArraySlice<Write>, _ effects: inout ForeignKeyEffects) throws {
      guard let table = writes.first?.change.table else { return }
      let referredTo = try keys?.referredTo(writes.map(\.change.id), in: table) ?? []
      var rest = writes
      while !rest.isEmpty {
        let alone = rest.prefix { !referredTo.contains($0.change.id.normalized) }
        try perform(alone)
        rest = rest.dropFirst(alone.count)
        guard let next = rest.first else { return }
        let rows = try effects.rows(referringTo: next.change)
        try perform(rest.prefix(1))
        try effects.note(rows, of: next.change)
        rest = rest.dropFirst()
      }
    }

    private func perform(_ writes: ArraySlice<Write>) throws {
      // One round trip for so many.
      var unfound: [DraftChange] = []
      for start in stride(from: writes.startIndex, to: writes.endIndex, by: Self.batch) {
        let batch = writes[start..<min(start + Self.batch, writes.endIndex)]
        let results = try connection.pipeline(batch.map(\.statement))
        for ((change, decision, _), result) in zip(batch, results) where result.touched == 0 {
          if decision != .delete { throw Self.notWritten(change) }
          unfound.append(change)
        }
      }
      try checkDeleted(unfound)
    }

    private static let batch = 500

    /// Checks that rows which a deletion did not find are gone: that of another row may have taken them along.
    private func checkDeleted(_ changes: [DraftChange]) throws {
      for change in changes {
        let table = try table(change.table)
        let rest = try connection.query(
          "SELECT 1 FROM \(table.name) WHERE \(SQLStatement.quoted(change.key.name)) = $1",
          [parameter(change.key.name, change.id, table)])
        if rest.count > 0 { throw Self.notWritten(change) }
      }
    }

    /// Reads and locks the rows, and decides what becomes of each.
    private func decide(_ changes: [DraftChange], _ policy: DraftPolicy) throws -> [DraftDecision] {
      // A row that is not found is missing.
      var decisions = changes.map { $0.decision(for: nil, policy: policy) }
      var theirs: [Int: [String: FetchValue]] = [:]
      try eachRow(of: changes, isLocked: true) { position, row in
        decisions[position] = changes[position].decision(for: row, policy: policy)
        if decisions[position] == .conflict { theirs[position] = row.storedValues }
      }
      let conflicts = decisions.indices.filter { decisions[$0] == .conflict }
      if !conflicts.isEmpty {
        throw DraftConflict(rows: conflicts.map { changes[$0].conflict(with: theirs[$0]) })
      }
      return decisions
    }

    /// Notes how the transaction leaves the rows that it was to write.
    func noteLeft(_ changes: [DraftChange]) throws {
      for change in changes { change.noteLeft(nil) }
      try eachRow(of: changes) { changes[$0].noteLeft($1) }
    }

    /// Reads the rows of changes, those that are there.
    /// - Parameters:
    ///   - isLocked: Whether nobody else can change them until the transaction ends.
    ///   - body: Is given the position of the change.
    private func eachRow(
      of changes: [DraftChange], isLocked: Bool = false, _ body: (_ position: Int, FetchRow) -> Void
    ) throws {
      for (name, positions) in Dictionary(grouping: changes.indices, by: { changes[$0].table }) {
        let table = try table(name)
        let keyName = changes[positions[0]].key.name
        guard let key = table.column(keyName), let keyIndex = table.columns.firstIndex(of: key) else {
          continue
        }
        let quoted = SQLStatement.quoted(keyName)
        let found = try connection.query(
          """
          SELECT \(table.columns.map(\.selected).joined(separator: ", ")) FROM \(table.name)
          WHERE \(quoted) = ANY($1::\(key.typeName)[]) ORDER BY \(quoted) \(isLocked ? "FOR UPDATE" : "")
          """, [.literal(TouchedRowsQuery.array(positions.compactMap { key.keyText(changes[$0].id) }))])
        let known = Dictionary(positions.lazy.map { (changes[$0].id, $0) }) { first, _ in first }
        for row in 0..<found.count {
          guard let position = known[found.value(row, keyIndex)] else { continue }
          body(position, FetchRow(ResultRow(result: found, row: row)))
        }
      }
    }

    private func table(_ name: String) throws -> PostgresTable {
      guard let table = tables[name] else {
        throw PostgresError.noTable(named: name)
      }
      return table
    }

    private func parameter(_ column: String, _ value: FetchValue?, _ table: PostgresTable) -> Parameter {
      table.column(column).map { Parameter(value ?? .null, in: $0) } ?? Parameter(raw: value ?? .null)
    }

    /// - Returns: nil where there is nothing to do.
    private func statement(for decision: DraftDecision, _ change: DraftChange) throws -> SQLStatement? {
      let table = try table(change.table)
      let key = SQLStatement.quoted(change.key.name)
      let values = change.values ?? [:]
      let id = parameter(change.key.name, change.id, table)
      switch decision {
      case .nothing, .conflict: return nil
      case .insert:
        // A value of a column that is gone would be lost in silence.
        if let gone = values.filter({ $1 != .null && table.column($0) == nil }).keys.min() {
          throw PostgresError(
            code: "42703",
            "The table “\(change.table)” has no column “\(gone)” any more, in which a new row has a value.")
        }
        let columns = table.columns.filter { !$0.isComputed && values[$0.name] != nil }
        let names = columns.map { SQLStatement.quoted($0.name) }.joined(separator: ", ")
        let numbers = columns.indices.map { "$\($0 + 1)" }.joined(separator: ", ")
        return SQLStatement(
          "INSERT INTO \(table.name) (\(names)) OVERRIDING SYSTEM VALUE VALUES (\(numbers))",
          columns.map { parameter($0.name, values[$0.name], table) })
      case .update(let set):
        // Columns that the database computes follow from the others. An update of these alone is the database's to refuse, in its words.
        let written = set.filter { table.column($0)?.isComputed != true }
        let names = (written.isEmpty ? set : written).sorted()
        let list = names.indices.map { "\(SQLStatement.quoted(names[$0])) = $\($0 + 2)" }
        return SQLStatement(
          "UPDATE \(table.name) SET \(list.joined(separator: ", ")) WHERE \(key) = $1",
          [id] + names.map { parameter($0, values[$0], table) })
      case .delete: return SQLStatement("DELETE FROM \(table.name) WHERE \(key) = $1", [id])
      }
    }

    private static func notWritten(_ change: DraftChange) -> FetchError {
      .row(RowDecodingFailure(id: change.id.keyDescription, column: nil, message: change.notWritten))
    }
  }

  extension Parameter {
    /// A stored value for a column, in the column's own type.
    fileprivate init(_ value: FetchValue, in column: PostgresTable.Column) {
      switch (column.kind, value) {
      case (.time(let withZone), .integer(let microseconds)): self = .time(microseconds, withZone: withZone)
      case (.day, .integer(let microseconds)): self = .time(microseconds, withZone: false)
      case (.uuid, .blob(let bytes)) where bytes.count == 16: self = .uuid(bytes)
      default: self.init(raw: value)
      }
    }
  }
#endif
