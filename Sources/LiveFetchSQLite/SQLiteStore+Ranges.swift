#if SQLite
  import GRDB
  public import LiveStore
  import Synchronization

  extension SQLiteStore {
    /// Reads whole rows that are neighbours in a list, by an index in the list's order where there is one, without keeping
    /// a thread waiting.
    public func loadRows<Made: Sendable>(
      _ ids: [FetchValue], in range: FetchOrderRange, of plan: FetchPlan,
      _ make: @escaping @Sendable (FetchValue, FetchRow) -> Made
    ) async throws -> [Made] {
      try checkOpen()
      return try await pool.read { [self] db in
        if plan.isFilteredByEqualities, watcher.isKeyUnique(plan),
          let found = try rows(ids, in: range, of: plan, in: db, make)
        {
          return found
        }
        return try rows(ids, of: plan, in: db, make)
      }
    }

    /// Reads whole rows that are in a run of a list: by an index in the list's order where there is one.
    public func rows(
      in range: FetchOrderRange, of plan: FetchPlan, _ take: (FetchRawValue, FetchRow) -> Bool
    ) throws -> Bool {
      try checkOpen()
      guard plan.isFilteredByEqualities, watcher.isKeyUnique(plan) else { return false }
      // As in `rows(_:of:_:)`: one statement sees one state by itself.
      return try readRows { db, isNewest in
        try rows(in: range, of: plan, in: db, isNewest: isNewest, take)
      }
    }

    private func rows(
      in range: FetchOrderRange, of plan: FetchPlan, in db: Database, isNewest: Bool = true,
      _ take: (FetchRawValue, FetchRow) -> Bool
    ) throws -> Bool {
      let query = plan.query(in: range, schema: "main")
      guard try watcher.rangePlans.isServed(query, range, plan, in: db) else { return false }
      try Self.eachRow(of: query, key: plan.columns[0].name, in: db, isNewest: isNewest, take)
      return true
    }

    /// The rows by their range; nil where no index serves it, or where a row has left it.
    private func rows<Made>(
      _ ids: [FetchValue], in range: FetchOrderRange, of plan: FetchPlan, in db: Database,
      _ make: (FetchValue, FetchRow) -> Made
    ) throws -> [Made]? {
      var wanted = WantedKeys(ids)
      var made: [Made] = []
      made.reserveCapacity(ids.count)
      let isServed = try rows(in: range, of: plan, in: db) { key, row in
        let key = FetchValue(key)
        if wanted.take(key) { made.append(make(key, row)) }
        return !wanted.isEmpty
      }
      return isServed && wanted.isEmpty ? made : nil
    }
  }

  /// Which queries for ranges SQLite has an index for. It is asked once for a query and a schema.
  ///
  /// Should another process drop the index or make one, this is noticed some queries later: until then rows are had in
  /// the way that takes longer, and they are the same.
  final class RangePlans: Sendable {
    private struct Core {
      var schema: Int64?
      /// How many queries may still be answered before the schema's version is looked at again.
      var answersLeft = 0
      /// By the query's text, in which no values are: lists that differ in those alone share an answer.
      var isServed: [String: Bool] = [:]
    }
    private let core = Mutex(Core())
    private static let answers = 16

    /// Looks at the schema's version before the next answer.
    func noteSchemaChange() { core.withLock { $0.answersLeft = 0 } }

    func isServed(
      _ query: SQLText, _ range: FetchOrderRange, _ plan: FetchPlan, in db: Database
    ) throws -> Bool {
      let remembered = core.withLock { core -> Bool? in
        guard core.answersLeft > 0, let known = core.isServed[query.sql] else { return nil }
        core.answersLeft -= 1
        return known
      }
      if let remembered { return remembered }
      let schema = try db.cachedStatement(sql: "PRAGMA main.schema_version")
      let version = try Int64.fetchOne(schema)
      let known = core.withLock { core in
        if core.schema != version { core = Core(schema: version) }
        core.answersLeft = Self.answers
        return core.isServed[query.sql]
      }
      if let known { return known }
      let isServed = try Self.hasIndex(range, plan, in: db)
      core.withLock { if $0.schema == version { $0.isServed[query.sql] = isServed } }
      return isServed
    }

    /// Whether an index has the columns of the equalities and, right behind them, the range's: SQLite then goes through the
    /// rows of the range and no others.
    private static func hasIndex(
      _ range: FetchOrderRange, _ plan: FetchPlan, in db: Database
    ) throws -> Bool {
      let equalities = plan.requiredEqualities + range.equalities.map { ($0.column, $0.value) }
      let equal = Set(equalities.map { lowercasedName($0.column) })
      let null = Set(equalities.filter(\.value.isNull).map { lowercasedName($0.column) })
      let wanted = lowercasedName(range.column)
      let layout = try TableLayout(plan.table, in: db)
      let rowid = layout.flatMap { layout in layout.rowidColumn.map { lowercasedName(layout.names[$0]) } }
      if equal.isEmpty, rowid == wanted { return true }
      for index in try Row.fetchAll(db, sql: "PRAGMA main.index_list(\(SQLText.quoted(plan.table)))") {
        let name: String = index["name"]
        var implied: Set<String> = []
        if index["partial"] == 1 {
          // SQLite takes such an index where the query says itself what is true of the index's rows.
          guard let columns = try nullColumns(ofPartialIndex: name, in: db), columns.isSubset(of: null)
          else { continue }
          implied = columns
        }
        var missing = equal.subtracting(implied)
        for part in try Row.fetchAll(db, sql: "PRAGMA main.index_xinfo(\(SQLText.quoted(name)))") {
          let (number, known, collation): (Int, String?, String?) = (part["cid"], part["name"], part["coll"])
          guard let column = number == -1 ? rowid : known.map(lowercasedName) else { break }
          // Values are compared by their bytes, and only an index in that order has them side by side.
          let isBinary = collation.map { isSameName($0, "BINARY") } ?? true
          if equal.contains(column) {
            guard isBinary || null.contains(column) else { break }
            missing.remove(column)
            continue
          }
          if missing.isEmpty, column == wanted, isBinary { return true }
          break
        }
      }
      return false
    }

    /// The columns that are `NULL` in all rows of a partial index; nil where it demands anything else.
    private static func nullColumns(ofPartialIndex name: String, in db: Database) throws -> Set<String>? {
      let sql = try String.fetchOne(
        db, sql: "SELECT sql FROM main.sqlite_master WHERE type = 'index' AND name = ?", arguments: [name])
      return sql.flatMap { SQLTokens($0).nullColumnsOfIndex }.map { Set($0.map(lowercasedName)) }
    }
  }
#endif
