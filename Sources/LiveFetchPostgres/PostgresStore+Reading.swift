#if PostgreSQL
  public import LiveStore
  import Synchronization

  extension PostgresStore {
    /// Reads the rows of a plan, as they come from the server.
    public func read<Result: Sendable>(
      _ plan: FetchPlan, _ body: @escaping @Sendable (any FetchRowCursor) throws -> Result
    ) async throws -> (Result, FetchPosition) {
      try checkOpen()
      do {
        let found = try await pool.use(for: .list) { [self] connection in
          for _ in 0..<Self.attemptLimit {
            if let found = try readOnce(plan, on: connection, body) { return found }
          }
          throw PostgresError("A table of the list is being altered again and again: \(plan.table).")
        }
        lostReads.withLock { $0.remove(plan) }
        return found
      } catch {
        noteLostRead(plan, error)
        if !error.isPassing { observers.withLock { $0.note(unread: Set(plan.tables)) } }
        throw error.ofList
      }
    }

    /// How often a list is read at most where its tables are altered meanwhile.
    private static var attemptLimit: Int { 8 }

    /// - Returns: nil where a table was altered before it was read, so that the list has to be read again.
    private func readOnce<Result>(
      _ plan: FetchPlan, on connection: Connection, _ body: (any FetchRowCursor) throws -> Result
    ) throws -> (Result, FetchPosition)? {
      let (query, position) = try beginRead(of: plan, on: connection)
      let (result, altered): (Result, Set<String>?)
      do {
        (result, altered) = try connection.endingTransaction {
          (try rows(of: query, plan, on: connection, body), try alteredTables(of: plan, on: connection))
        }
      } catch {
        // The server does not understand the query: by what the columns are now, it may be another, or be refused with the reason.
        guard plan.raw == nil, error.postgresCode?.hasPrefix("42") == true,
          try PostgresTable(named: plan.table, on: connection)
            != observers.withLock({ $0.tables[plan.table]?.table })
        else { throw error }
        resetSchema(of: [plan.table])
        return nil
      }
      if let altered {
        // Observers of these tables are told, this list among them.
        if !altered.isEmpty { resetSchema(of: altered) }
        return nil
      }
      return (result, position)
    }

    private func rows<Result>(
      of query: PlanQuery, _ plan: FetchPlan, on connection: Connection,
      _ body: (any FetchRowCursor) throws -> Result
    ) throws -> Result {
      // A limit is kept to few rows, which come in one message or two anyway.
      if plan.raw == nil, plan.limit == nil, query.statement.parameters.isEmpty {
        let cursor = try CopyCursor(
          query.statement.sql, columns: plan.columns.count, filter: query.filter, on: connection)
        defer { cursor.finish() }
        return try body(cursor)
      }
      let cursor = try ResultCursor(
        query.statement, columns: plan.columns.count + (plan.raw?.isSectioned == true ? 1 : 0),
        filter: query.filter, on: connection)
      defer { cursor.finish() }
      return try body(cursor)
    }

    /// Looks whether the tables that were read are as they are known. They stay so until the transaction ends, as they are locked.
    ///
    /// PostgreSQL shows a table as empty that was written anew after the transaction's snapshot, as a change of a column's type does.
    /// - Returns: The names of those that have other columns; nil where all that was read is right.
    private func alteredTables(of plan: FetchPlan, on connection: Connection) throws -> Set<String>? {
      let known = observers.withLock { observers in
        plan.tables.compactMap { name in observers.tables[name].map { (name, $0.table) } }
      }
      // A reader that has stopped before the end has had the query cancelled.
      if connection.isTransactionFailed { try connection.run("ROLLBACK TO livelists_rows") }
      let found = try connection.query(
        """
        SELECT c.oid::bigint, \(PostgresTable.isRewritten), \(PostgresTable.shape) FROM pg_catalog.pg_class c
        WHERE c.oid = ANY ($1::oid[])
        """, [.literal("{\(known.map { String($0.1.oid) }.joined(separator: ","))}")])
      var altered: Set<String> = []
      var isRewritten = false
      for row in 0..<found.count {
        if found.truth(row, 1) { isRewritten = true }
        for (name, table) in known where Int64(table.oid) == found.integer(row, 0) {
          if found.text(row, 2) ?? "" != table.shape { altered.insert(name) }
        }
      }
      return altered.isEmpty && !isRewritten ? nil : altered
    }

    /// Begins to read the rows of a plan, whose tables are watched at the position.
    ///
    /// The look that the read begins with may find that nothing is known of tables any more. The list has the state after it, and does
    /// not read again for its sake: commits would go to nobody until another list is read.
    private func beginRead(
      of plan: FetchPlan, on connection: Connection
    ) throws -> (query: PlanQuery, position: FetchPosition) {
      while true {
        let table = try watch(plan, on: connection)
        let query = try PlanQuery(plan, of: table)
        let (position, areKnown) = try beginRead(on: connection) { observers in
          observers.tables[plan.table]?.table == table
            && plan.tables.allSatisfy { observers.tables[$0] != nil }
        }
        if areKnown { return (query, position) }
        try connection.run("ROLLBACK")
      }
    }

    /// Reads whole rows by their primary keys. The call waits for the database.
    public func rows<Made>(
      _ ids: [FetchValue], of plan: FetchPlan, _ make: (FetchValue, FetchRow) -> Made
    ) throws -> [Made] {
      try checkOpen()
      do {
        return try pool.useWaiting { connection in try rows(ids, of: plan, on: connection, make) }
      } catch { throw error.ofList }
    }

    /// Reads whole rows by their primary keys, without keeping a thread waiting.
    public func loadRows<Made: Sendable>(
      _ ids: [FetchValue], of plan: FetchPlan, _ make: @escaping @Sendable (FetchValue, FetchRow) -> Made
    ) async throws -> [Made] {
      try checkOpen()
      do {
        return try await pool.use(for: .rows) { [self] connection in
          try rows(ids, of: plan, on: connection, make)
        }
      } catch { throw error.ofList }
    }

    /// One statement, which sees one state by itself.
    func rows<Made>(
      _ ids: [FetchValue], of plan: FetchPlan, on connection: Connection,
      _ make: (FetchValue, FetchRow) -> Made
    ) throws -> [Made] {
      try withTable(of: plan, on: connection) { try rows(ids, of: plan, in: $0, on: connection, make) }
    }

    /// Reads by what is known of a plan's table, and once more by what it is like now where a column is gone that was not missed yet.
    func withTable<Result>(
      of plan: FetchPlan, on connection: Connection, _ read: (PostgresTable) throws -> Result
    ) throws -> Result {
      let table = try watch(plan, on: connection)
      do { return try read(table) } catch {
        // No such column, or no such table.
        guard ["42703", "42P01"].contains(error.postgresCode) else { throw error }
        // What is known stays as it is until lists are told.
        checkSchemaSoon()
        guard let found = try PostgresTable(named: plan.table, on: connection), found != table else {
          throw error
        }
        return try read(found)
      }
    }

    private func rows<Made>(
      _ ids: [FetchValue], of plan: FetchPlan, in table: PostgresTable, on connection: Connection,
      _ make: (FetchValue, FetchRow) -> Made
    ) throws -> [Made] {
      let keyName = plan.columns[0].name
      guard let key = table.column(keyName), let keyIndex = table.columns.firstIndex(of: key) else {
        return []
      }
      let texts = ids.compactMap { key.keyText($0) }
      if texts.isEmpty { return [] }
      let found = try connection.query(
        """
        SELECT \(table.columns.map(\.selected).joined(separator: ", ")) FROM \(table.name)
        WHERE \(SQLStatement.quoted(keyName)) = ANY($1::\(key.typeName)[])
        """, [.literal(TouchedRowsQuery.array(texts))])
      let ambiguous = Self.ambiguousKeys(of: found, keyIndex, texts.count)
      return (0..<found.count).map { row in
        let id = found.value(row, keyIndex)
        let storage = ResultRow(result: found, row: row)
        return make(
          id,
          ambiguous.contains(id)
            ? FetchRow(storage, refusal: .duplicateIdentifier("\(id)")) : FetchRow(storage))
      }
    }

    /// The keys that several rows have: a replica's role can write such rows past a deferrable key, or the key is gone.
    private static func ambiguousKeys(
      of found: QueryResult, _ keyIndex: Int, _ wanted: Int
    ) -> Set<FetchValue> {
      if found.count <= wanted { return [] }
      var known: Set<FetchValue> = []
      return Set(
        (0..<found.count).lazy.map { found.value($0, keyIndex) }.filter { !known.insert($0).inserted })
    }

    /// Reads in one transaction, which sees one state and can change nothing.
    /// - Parameter value: What is read.
    /// - Returns: What `value` returns.
    /// - Throws: ``PostgresError``, `FetchError` where the store is closed, or what `value` throws.
    public func read<Result: Sendable>(
      _ value: @escaping @Sendable (PostgresTransaction) throws -> Result
    ) async throws -> Result {
      try checkOpen()
      return try await pool.use { connection in
        // After a query, the transaction can no longer be made one that writes.
        try connection.run(
          "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; SELECT set_config('TimeZone', 'UTC', true)")
        return try connection.endingTransaction {
          let transaction = PostgresTransaction(connection)
          defer { transaction.end() }
          return try value(transaction)
        }
      }
    }
  }

  extension Connection {
    /// Does the rest of a transaction that reads, and ends it.
    func endingTransaction<Result>(_ body: () throws -> Result) throws -> Result {
      let result: Result
      do { result = try body() } catch {
        try? run("ROLLBACK")
        throw error
      }
      try run("COMMIT")
      return result
    }
  }

  extension PostgresTable.Column {
    /// A key as text; nil where no row can have it.
    func keyText(_ value: FetchValue) -> String? {
      switch (kind, value) {
      case (.integer, .integer(let number)):
        switch type {
        case TypeID.int2: Int16(exactly: number).map { "\($0)" }
        case TypeID.int4: Int32(exactly: number).map { "\($0)" }
        case TypeID.oid: UInt32(exactly: number).map { "\($0)" }
        default: "\(number)"
        }
      case (.text, .text(let text)): text.utf8.contains(0) ? nil : text
      case (.uuid, .blob(let bytes)): bytes.count == 16 ? Self.hexadecimal(bytes) : nil
      case (.bytes, .blob(let bytes)): "\\x" + Self.hexadecimal(bytes)
      default: nil
      }
    }

    private static func hexadecimal(_ bytes: [UInt8]) -> String {
      let digits = Array("0123456789abcdef".utf8)
      return String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }
  }
#endif
