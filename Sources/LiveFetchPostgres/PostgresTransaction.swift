#if PostgreSQL
  public import LiveStore

  /// A transaction, for the time of the closure that it is handed to.
  public final class PostgresTransaction {
    private let connection: Connection
    private var isOver = false
    /// Statements that begin the transaction, until they were sent.
    private var beginning: [SQLStatement]
    /// Tables with a dot in their models' names, and what they are called in SQL.
    private var dottedNames: [String: String] = [:]

    /// - Parameter beginning: What is performed before the first statement, in one round trip with it.
    init(_ connection: Connection, beginning: [SQLStatement] = []) {
      self.connection = connection
      self.beginning = beginning
    }

    var hasBegun: Bool { beginning.isEmpty }

    /// Begins the transaction before there is a statement.
    func begin() throws {
      let first = beginning
      beginning = []
      if !first.isEmpty { try connection.pipeline(first) }
    }

    /// Ends the use of the transaction, so that nobody writes with its connection later.
    func end() { isOver = true }

    /// Performs a statement.
    /// - Parameters:
    ///   - sql: The statement, with `?` or `$1`, `$2`, … for values. The server finds out the types of most; of what it cannot,
    ///     say them (`?::bigint`). Where `?` is to be an operator, number the values.
    ///   - values: The values, in order. A date is a `timestamptz`.
    /// - Returns: How many rows were touched.
    /// - Throws: ``PostgresError``, also for a statement that would end the transaction. After an error of the server's, nothing more can be
    ///   written in it.
    @discardableResult
    public func execute(_ sql: String, _ values: [any FetchColumnValue] = []) throws -> Int {
      try result(sql, values).touched
    }

    /// Performs a query, and returns all of its rows.
    ///
    /// Columns of types that lists do not have (`numeric`, `json`, arrays) have to be cast to text.
    /// - Parameters: As for ``execute(_:_:)``.
    /// - Throws: ``PostgresError``.
    public func query(_ sql: String, _ values: [any FetchColumnValue] = []) throws -> [FetchRow] {
      let found = try result(sql, values)
      return (0..<found.count).map { FetchRow(ResultRow(result: found, row: $0)) }
    }

    /// Has what follows in the transaction noted as “this table was written to”, once for each table, and not row by row.
    ///
    /// For imports: the log then takes one row instead of a million, and lists of the tables are read anew, as they are for more rows than
    /// ``PostgresStoreOptions/maximumTouchedRows``. Other programs say `SET LOCAL livelists.bulk = 'on'`.
    /// - Throws: ``PostgresError``.
    public func noteTablesOnly() throws {
      try execute("SELECT set_config('livelists.bulk', 'on', true)")
    }

    /// Returns what a model's table is called in SQL. Whether a dot is a part of the name, or has a schema before it, the server knows.
    func nameInSQL(_ table: String) throws -> String {
      guard table.contains(".") else { return SQLStatement.quoted(table) }
      if let known = dottedNames[table] { return known }
      let found = try result(
        """
        SELECT quote_ident(n.nspname) || '.' || quote_ident(c.relname)
        FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace WHERE c.oid = \(PostgresTable.resolved)
        """, [table])
      guard found.count > 0, let name = found.text(0, 0) else { return SQLStatement.quoted(table) }
      dottedNames[table] = name
      return name
    }

    private func result(_ sql: String, _ values: [any FetchColumnValue]) throws -> QueryResult {
      if isOver { throw PostgresError("The transaction is over: its statements belong into its closure.") }
      let (numbered, count) = RawSQL.numbered(sql)
      if count != values.count {
        throw PostgresError("The statement takes \(count) values, and \(values.count) were given: \(sql)")
      }
      try check(sql)
      let statement = SQLStatement(numbered, try values.map { try Parameter($0) })
      if hasBegun { return try connection.query(statement.sql, statement.parameters) }
      let first = beginning
      beginning = []
      let results = try connection.pipeline(first + [statement])
      return results[first.count]
    }
  }

  extension PostgresTransaction {
    /// Refuses statements that end the transaction, or make it another, and notes those that may change the session.
    private func check(_ sql: String) throws {
      let words = RawSQL.firstWords(sql)
      switch (words.first, words.dropFirst().first) {
      case ("ROLLBACK", _) where words.contains("TO"), ("SET", "LOCAL"), ("SET", "CONSTRAINTS"): break
      case ("BEGIN", _), ("START", _), ("COMMIT", _), ("END", _), ("ROLLBACK", _), ("ABORT", _),
        ("PREPARE", "TRANSACTION"),
        ("SET", "TRANSACTION"),
        ("SET", "SESSION") where words.last == "CHARACTERISTICS":
        throw PostgresError(
          "“\(words.joined(separator: " "))” cannot be used here: the closure's transaction begins before it, and ends after it. Throw an error "
            + "to have it rolled back, or use SAVEPOINT and ROLLBACK TO for a part of it.")
      case ("SET", _), ("RESET", _), ("DISCARD", _), ("LISTEN", _), ("UNLISTEN", _), ("PREPARE", _),
        ("LOAD", _),
        ("CREATE", "TEMP"), ("CREATE", "TEMPORARY"), ("CREATE", "LOCAL"), ("CREATE", "GLOBAL"):
        connection.isSessionChanged = true
      default: break
      }
    }
  }

  extension Connection {
    /// Commits.
    /// - Throws: `PostgresError`, also where an error before, which the caller has caught, has had everything rolled back.
    func commit() throws {
      if try runCommit() == "ROLLBACK" {
        throw PostgresError(
          code: "25P02",
          "A statement of the transaction has failed, so that nothing was written: let its error leave the closure."
        )
      }
    }
  }
#endif
