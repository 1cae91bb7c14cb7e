#if SQLite
  import GRDB
  public import LiveFetch

  extension SQLiteStore {
    /// Reads the rows of a plan.
    ///
    /// The read starts within the queue of writes, so that it is known which commits it sees, and goes on beside
    /// it.
    public func read<Result: Sendable>(
      _ plan: FetchPlan, _ body: @escaping @Sendable (any FetchRowCursor) throws -> Result
    ) async throws -> (Result, FetchPosition) {
      try checkOpen()
      return try await withCheckedThrowingContinuation { continuation in
        pool.asyncWriteWithoutTransaction { [pool, watcher] db in
          do {
            try watcher.resolve(plan, in: db)
          } catch {
            return continuation.resume(throwing: error)
          }
          let position = watcher.position
          pool.spawnConcurrentRead { db in
            continuation.resume(
              with: Swift.Result {
                let db = try db.get()
                let cursor = try StatementCursor(plan.query, in: db)
                return (try body(cursor), position)
              })
          }
        }
      }
    }

    /// Reads whole rows by their primary keys.
    public func rows(_ ids: [FetchValue], of plan: FetchPlan) throws -> [(id: FetchValue, row: FetchRow)] {
      try checkOpen()
      return try pool.read { db in try Self.rows(ids, of: plan, in: db) }
    }

    /// Reads whole rows by their primary keys, without keeping a thread waiting.
    public func loadRows(
      _ ids: [FetchValue], of plan: FetchPlan
    ) async throws -> [(id: FetchValue, row: FetchRow)] {
      try checkOpen()
      return try await pool.read { db in try Self.rows(ids, of: plan, in: db) }
    }

    private static func rows(
      _ ids: [FetchValue], of plan: FetchPlan, in db: Database
    ) throws -> [(id: FetchValue, row: FetchRow)] {
      var found: [(id: FetchValue, row: FetchRow)] = []
      found.reserveCapacity(ids.count)
      for chunk in KeyedQuery.chunks(ids) {
        let query = KeyedQuery(table: plan.table, columns: nil, id: plan.columns[0].name, count: chunk.count)
        let statement = try db.cachedStatement(sql: query.sql)
        let rows = try Row.fetchCursor(statement, arguments: StatementArguments(chunk.map(\.databaseValue)))
        while let row = try rows.next() {
          let copy = row.copy()
          found.append(
            (FetchValue(copy[plan.columns[0].name] as DatabaseValue), FetchRow(RecordRow(row: copy))))
        }
      }
      return found
    }
  }

  /// A query for rows by their keys.
  ///
  /// The number of keys is rounded up to a power of two, the last being repeated, so that few statements serve
  /// all.
  struct KeyedQuery {
    static let mostKeys = 4_096

    let sql: String

    init(table: String, columns: [String]?, id: String, count: Int) {
      let list = columns.map { $0.map { $0.quotedDatabaseIdentifier }.joined(separator: ", ") } ?? "*"
      let marks = String(repeating: "?, ", count: count - 1) + "?"
      sql =
        "SELECT \(list) FROM \(table.quotedDatabaseIdentifier) "
        + "WHERE \(id.quotedDatabaseIdentifier) IN (\(marks))"
    }

    /// The keys in portions, each filled up to a power of two.
    static func chunks(_ ids: [FetchValue]) -> [[FetchValue]] {
      var chunks: [[FetchValue]] = []
      var start = 0
      while start < ids.count {
        var chunk = Array(ids[start..<min(ids.count, start + mostKeys)])
        start += chunk.count
        var size = 1
        while size < chunk.count { size *= 2 }
        if let last = chunk.last { chunk += repeatElement(last, count: size - chunk.count) }
        chunks.append(chunk)
      }
      return chunks
    }
  }
#endif
