#if PostgreSQL
  public import LiveStore
  import Synchronization

  extension PostgresStore {
    /// Reads whole rows that are in a run of a list, by an index in the list's order where there is one. The call waits for the database.
    public func rows(
      in range: FetchOrderRange, of plan: FetchPlan, _ take: (FetchRawValue, FetchRow) -> Bool
    ) throws -> Bool {
      try checkOpen()
      guard plan.raw == nil, plan.isFilteredByEqualities else { return false }
      do {
        return try pool.useWaiting { connection in try rows(in: range, of: plan, on: connection, take) }
      } catch { throw error.ofList }
    }

    /// Reads whole rows that are neighbours in a list, by an index in the list's order where there is one, without keeping a thread waiting.
    public func loadRows<Made: Sendable>(
      _ ids: [FetchValue], in range: FetchOrderRange, of plan: FetchPlan,
      _ make: @escaping @Sendable (FetchValue, FetchRow) -> Made
    ) async throws -> [Made] {
      try checkOpen()
      do {
        return try await pool.use(for: .rows) { [self] connection in
          if plan.raw == nil, plan.isFilteredByEqualities {
            var wanted = Set(ids)
            var made: [Made] = []
            let isServed = try rows(in: range, of: plan, on: connection) { key, row in
              let key = FetchValue(key)
              if wanted.remove(key) != nil { made.append(make(key, row)) }
              return !wanted.isEmpty
            }
            // A row that has left the range is read by its key.
            if isServed, wanted.isEmpty { return made }
          }
          return try rows(ids, of: plan, on: connection, make)
        }
      } catch { throw error.ofList }
    }

    /// One statement, which sees one state by itself.
    private func rows(
      in range: FetchOrderRange, of plan: FetchPlan, on connection: Connection,
      _ take: (FetchRawValue, FetchRow) -> Bool
    ) throws -> Bool {
      try withTable(of: plan, on: connection) { try rows(in: range, of: plan, in: $0, on: connection, take) }
    }

    private func rows(
      in range: FetchOrderRange, of plan: FetchPlan, in table: PostgresTable, on connection: Connection,
      _ take: (FetchRawValue, FetchRow) -> Bool
    ) throws -> Bool {
      guard let keyIndex = table.columns.firstIndex(where: { $0.name == plan.columns[0].name }),
        let query = RangeQuery(range, plan, table),
        try rangeIndexes.indexes(of: table, on: connection).contains(where: { $0.serves(query, table) })
      else { return false }
      let found = try connection.query(query.statement.sql, query.statement.parameters)
      for row in 0..<found.count {
        if !take(found.rawValue(row, keyIndex), FetchRow(ResultRow(result: found, row: row))) { break }
      }
      return true
    }
  }

  /// Reads whole rows of a run, as many as the list has there.
  private struct RangeQuery {
    var statement: SQLStatement
    /// The columns that have one value, and the one whose values lie between two.
    let equal: Set<String>
    let column: String

    /// - Returns: nil for what SQL has no twin of.
    init?(_ range: FetchOrderRange, _ plan: FetchPlan, _ table: PostgresTable) {
      var dialect = Dialect(table: table)
      dialect.text.append(
        "SELECT \(table.columns.map(\.selected).joined(separator: ", ")) FROM \(table.name) WHERE ")
      let equalities = plan.requiredEqualities + range.equalities.map { ($0.column, $0.value) }
      var conditions: [FetchExpression] = equalities.map { equality in
        .compare(.equal, .column(0, name: equality.column), .constant(equality.value))
      }
      let column = FetchExpression.column(0, name: range.column)
      conditions.append(.compare(.greaterOrEqual, column, .constant(range.least)))
      conditions.append(.compare(.lessOrEqual, column, .constant(range.greatest)))
      do { try dialect.condition(.all(conditions), isLoose: true) } catch { return nil }
      dialect.text.append(" LIMIT \(range.count)")
      statement = dialect.text
      equal = Set(equalities.map(\.column))
      self.column = range.column
    }
  }

  /// An index whose rows are in an order.
  struct TableIndex: Sendable {
    /// The names of the columns, empty where it is no column, and the numbers of their collations.
    var columns: [String]
    var collations: [String]

    /// Whether the rows of a run are side by side: behind the columns of one value comes that of the range, in the order of bytes.
    fileprivate func serves(_ query: RangeQuery, _ table: PostgresTable) -> Bool {
      var missing = query.equal
      for (name, collation) in zip(columns, collations) {
        if missing.remove(name) != nil { continue }
        guard missing.isEmpty, name == query.column else { return false }
        // 950: "C".
        return table.column(name)?.kind?.needsCollation != true || collation == "950"
      }
      return false
    }
  }

  /// The indexes of tables, asked for now and then: one that comes or goes changes how fast rows are read, and not which.
  final class RangeIndexes: Sendable {
    private let known = Mutex<[UInt32: (indexes: [TableIndex], asked: ContinuousClock.Instant)]>([:])
    private static let interval: Duration = .seconds(30)

    func indexes(of table: PostgresTable, on connection: Connection) throws -> [TableIndex] {
      let now = ContinuousClock.now
      if let found = known.withLock({ $0[table.oid] }), now - found.asked < Self.interval {
        return found.indexes
      }
      let found = try connection.query(Self.query, [.integer(Int64(table.oid))])
      let indexes = (0..<found.count).map { row in
        TableIndex(
          columns: found.texts(row, 0).map { $0 ?? "" }, collations: found.texts(row, 1).map { $0 ?? "" })
      }
      known.withLock { $0[table.oid] = (indexes, now) }
      return indexes
    }

    private static let query = """
      SELECT array_agg(coalesce(a.attname::text, '') ORDER BY k.number), array_agg(k.ordering::text ORDER BY k.number)
      FROM pg_catalog.pg_index i JOIN pg_catalog.pg_class c ON c.oid = i.indexrelid JOIN pg_catalog.pg_am m ON m.oid = c.relam,
        LATERAL unnest(i.indkey::int2[], i.indcollation::oid[]) WITH ORDINALITY AS k(attribute, ordering, number)
        LEFT JOIN pg_catalog.pg_attribute a ON a.attrelid = $1::oid AND a.attnum = k.attribute
      WHERE i.indrelid = $1::oid AND i.indisvalid AND i.indpred IS NULL AND m.amname = 'btree' AND k.number <= i.indnkeyatts
      GROUP BY i.indexrelid
      """
  }
#endif
