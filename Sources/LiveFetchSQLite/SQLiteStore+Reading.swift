#if SQLite
  import CSQLiteHooks
  import GRDB
  public import LiveStore

  extension SQLiteStore {
    /// Reads the rows of a plan.
    ///
    /// The read starts within the queue of writes, so that it is known which commits it sees, and goes on beside
    /// it.
    public func read<Result: Sendable>(
      _ plan: FetchPlan, _ body: @escaping @Sendable (any FetchRowCursor) throws -> Result
    ) async throws -> (Result, FetchPosition) {
      try checkOpen()
      return try await withCheckedThrowingContinuation { begin(plan, body, $0) }
    }

    private func begin<Result: Sendable>(
      _ plan: FetchPlan, _ body: @escaping @Sendable (any FetchRowCursor) throws -> Result,
      _ continuation: CheckedContinuation<(Result, FetchPosition), any Error>
    ) {
      ReadTurns.shared.take { [self] in
        pool.asyncWriteWithoutTransaction { [self] db in
          if readGate.isHeld(until: { [self] in begin(plan, body, continuation) }) {
            return ReadTurns.shared.giveBack()
          }
          do {
            if watcher.isClosed { throw FetchError.closed }
            try watcher.resolve(plan, in: db)
          } catch {
            ReadTurns.shared.giveBack()
            return continuation.resume(throwing: error)
          }
          let position = watcher.position
          pool.spawnConcurrentRead { db in
            // The writer goes on from here.
            ReadTurns.shared.giveBack()
            continuation.resume(
              with: Swift.Result {
                let db = try db.get()
                let cursor = try StatementCursor(plan.query(schema: "main"), in: db)
                return (try body(cursor), position)
              })
          }
        }
      }
    }

    /// Reads whole rows by their primary keys.
    public func rows<Made>(
      _ ids: [FetchValue], of plan: FetchPlan, _ make: (FetchValue, FetchRow) -> Made
    ) throws -> [Made] {
      try checkOpen()
      return try readRows { db, isNewest in
        // One statement sees one state by itself; several need a transaction around them.
        let isUnique = watcher.isKeyUnique(plan)
        if ids.count <= KeyedQuery.maximumKeys && isUnique || !isNewest {
          return try rows(ids, of: plan, in: db, isNewest: isNewest, isUnique: isUnique, make)
        }
        var made: [Made] = []
        try db.inTransaction(.deferred) {
          made = try rows(ids, of: plan, in: db, make)
          return .commit
        }
        return made
      }
    }

    /// Reads a row by its primary key: the stored values of all of its columns, by their names.
    public func row(_ id: FetchValue, of plan: FetchPlan) throws -> [String: FetchValue]? {
      try checkOpen()
      let key = plan.columns[0]
      let sql = rowReader.sql(table: plan.table, key: key.name)
      func read(_ db: Database) throws -> [String: FetchValue]? {
        try Self.row(id, key.name, isText: key.type.isText, sql, in: db)
      }
      if let row = try rowReader.read(of: pool, read) { return row }
      return try readRows { db, _ in try read(db) }
    }

    /// Reads a row without one of GRDB's, which costs more than the row.
    private static func row(
      _ id: FetchValue, _ key: String, isText: Bool, _ sql: String, in db: Database
    ) throws -> [String: FetchValue]? {
      let statement = try db.cachedStatement(sql: sql)
      let raw = UnsafeMutableRawPointer(statement.sqliteStatement)
      lists_reset(raw)
      defer { lists_reset(raw) }
      StatementCursor.bind(id, at: 1, to: raw)
      var value = lists_value()
      while true {
        // The first step compiles the statement again where the table is another: its columns are those of after that.
        let code = lists_step_row(raw, nil, 0)
        if code == StepResult.done { return nil }
        guard code == StepResult.row else { throw StatementCursor.error(code, statement, in: db) }
        let count = lists_column_number(raw)
        var values: [String: FetchValue] = Dictionary(minimumCapacity: Int(count))
        var isMeant = false
        for column in 0..<count {
          guard let name = lists_column_name(raw, column).map({ String(cString: $0) }) else { continue }
          lists_column(raw, column, &value)
          let found = FetchRawValue(value)
          let stored = FetchValue(found)
          if values[name] == nil { values[name] = stored }
          // Where the column takes other text for the same, more rows are found than were asked for.
          if isSameName(name, key) { isMeant = found.isValid && (!isText || stored == id) }
        }
        if isMeant { return values }
      }
    }

    /// Reads by the connection that the caller is using already, if there is one: another could be waited for in vain, as
    /// all of them may be in use by such callers.
    /// - Parameter read: Reads, with whether it sees the last commit: within a transaction of the caller's it
    ///   may see what was before, or what will never be committed.
    func readRows<Result>(_ read: (Database, _ isNewest: Bool) throws -> Result) throws -> Result {
      try pool.unsafeReentrantRead { db in try read(db, !db.isInsideTransaction) }
    }

    /// Reads whole rows by their primary keys, without keeping a thread waiting.
    public func loadRows<Made: Sendable>(
      _ ids: [FetchValue], of plan: FetchPlan, _ make: @escaping @Sendable (FetchValue, FetchRow) -> Made
    ) async throws -> [Made] {
      try checkOpen()
      return try await pool.read { [self] db in try rows(ids, of: plan, in: db, make) }
    }

    func rows<Made>(
      _ ids: [FetchValue], of plan: FetchPlan, in db: Database, isNewest: Bool = true, isUnique: Bool? = nil,
      _ make: (FetchValue, FetchRow) -> Made
    ) throws -> [Made] {
      var made: [Made] = []
      made.reserveCapacity(ids.count)
      let query = KeyedQuery(table: plan.table, columns: nil, id: plan.columns[0].name)
      // Where a column takes other text for the same, more rows are found than were asked for.
      let wanted = plan.columns[0].type.isText ? Set(ids) : nil
      let isUnique = isUnique ?? watcher.isKeyUnique(plan)
      for chunk in KeyedQuery.chunks(ids) {
        let ambiguous = isUnique ? [] : try Self.ambiguous(chunk, of: plan, in: db)
        try Self.eachRow(
          of: SQLText(query.sql(count: chunk.count), chunk), key: plan.columns[0].name, in: db,
          isNewest: isNewest
        ) {
          key, row in
          let key = FetchValue(key)
          guard wanted?.contains(key) ?? true else { return true }
          // It is not known which of the rows is meant.
          let isAmbiguous = !ambiguous.isEmpty && ambiguous.contains(key.normalized)
          made.append(
            make(key, isAmbiguous ? FetchRow(row.storage, refusal: .duplicateIdentifier("\(key)")) : row))
          return true
        }
      }
      return made
    }

    /// The keys that several rows have.
    private static func ambiguous(
      _ ids: [FetchValue], of plan: FetchPlan, in db: Database
    ) throws -> Set<FetchValue> {
      let id = SQLText.quoted(plan.columns[0].name)
      let query = KeyedQuery(table: plan.table, columns: [plan.columns[0].name], id: plan.columns[0].name)
      let cursor = try StatementCursor(
        SQLText(
          query.sql(count: ids.count) + " GROUP BY \(id) \(SQLText.binary) HAVING count(*) > 1", ids), in: db)
      var keys: Set<FetchValue> = []
      while let row = try cursor.next() { keys.insert(row.value(0).normalized) }
      return keys
    }

    /// Hands over the rows of a query and their keys, until no more are wanted.
    ///
    /// The rows are GRDB's own, so that records are made of them as usual. Values are bound and keys taken without it: it takes
    /// a text for ended at its first zero byte.
    static func eachRow(
      of query: SQLText, key: String, in db: Database, isNewest: Bool,
      _ take: (FetchRawValue, FetchRow) -> Bool
    ) throws {
      var statement = try db.cachedStatement(sql: query.sql)
      var rows = try begin(statement, query)
      // A connection compiles by the schema that it knows, and learns only with the first row that the table has been made
      // anew by somebody. SQLite then compiles the statement again: its columns stand elsewhere, or are more or fewer than GRDB
      // knows, which would make another row of them, or end the process. GRDB's row has the names from when it was begun.
      while true {
        let wasKnown = isKnown(statement)
        guard let row = try rows.next() else { return }
        if wasKnown, isKnown(statement) {
          return try eachRow(row, rows, statement, key: key, isNewest: isNewest, take)
        }
        statement = try db.makeStatement(sql: query.sql)
        rows = try begin(statement, query)
      }
    }

    private static func eachRow(
      _ first: Row, _ rows: RowCursor, _ statement: Statement, key: String, isNewest: Bool,
      _ take: (FetchRawValue, FetchRow) -> Bool
    ) throws {
      let raw = UnsafeMutableRawPointer(statement.sqliteStatement)
      var row = first
      let ordinal = CInt(Self.ordinal(of: key, in: statement))
      let numbers = NumberColumns()
      var value = lists_value()
      while true {
        lists_column(raw, ordinal, &value)
        let key = FetchRawValue(value)
        // A key that is no valid UTF-8 would be taken for that of another row, which has U+FFFD instead of such bytes.
        if key.isValid {
          let record = RecordRow(row: row, statement: raw, numbers: numbers)
          guard take(key, FetchRow(record, isNewest: isNewest)) else { return }
        }
        guard let next = try rows.next() else { return }
        row = next
      }
    }

    private static func begin(_ statement: Statement, _ query: SQLText) throws -> RowCursor {
      let rows = try Row.fetchCursor(
        statement, arguments: StatementArguments(bound: query.values.map(\.databaseValue)))
      for (index, value) in query.values.enumerated() where value.hasZeroByte {
        StatementCursor.bind(
          value, at: CInt(index + 1), to: UnsafeMutableRawPointer(statement.sqliteStatement))
      }
      return rows
    }

    /// Returns whether GRDB knows a statement's columns as they are.
    private static func isKnown(_ statement: Statement) -> Bool {
      let raw = UnsafeMutableRawPointer(statement.sqliteStatement)
      let names = statement.columnNames
      guard names.count == Int(lists_column_number(raw)) else { return false }
      return names.enumerated().allSatisfy { lists_column_has_name(raw, CInt($0), $1) != 0 }
    }

    static func ordinal(of column: String, in statement: Statement) -> Int {
      statement.columnNames.firstIndex { isSameName($0, column) } ?? 0
    }
  }

  /// A query for rows by their keys.
  ///
  /// The number of keys is rounded up, the last being repeated, so that few statements serve all.
  struct KeyedQuery {
    static let maximumKeys = 4_096

    private let start: String

    init(table: String, columns: [String]?, id: String) {
      let list = columns.map { $0.map(SQLText.quoted).joined(separator: ", ") } ?? "*"
      // Text is compared as the key's column says, so that its index serves: what is found beside the rows with these very
      // bytes is left out by those who take the rows.
      start = "SELECT \(list) FROM main.\(SQLText.quoted(table)) WHERE \(SQLText.quoted(id)) IN (?"
    }

    func sql(count: Int) -> String { start + String(repeating: ", ?", count: count - 1) + ")" }

    /// The number of keys that a statement for so many is made for: few numbers, and not much above.
    private static func size(for count: Int) -> Int {
      if count > 8, count <= 64 { return (count + 7) / 8 * 8 }
      var size = 1
      while size < count { size *= 2 }
      return size
    }

    /// The keys in portions, each filled up to the size of a statement.
    static func chunks(_ ids: [FetchValue]) -> [[FetchValue]] {
      if ids.count == 1 { return [ids] }
      var chunks: [[FetchValue]] = []
      var start = 0
      while start < ids.count {
        var chunk = Array(ids[start..<min(ids.count, start + maximumKeys)])
        start += chunk.count
        if let last = chunk.last {
          chunk += repeatElement(last, count: size(for: chunk.count) - chunk.count)
        }
        chunks.append(chunk)
      }
      return chunks
    }
  }
#endif
