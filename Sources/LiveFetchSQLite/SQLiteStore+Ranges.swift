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
      let isServed = try Self.ask(query, range, plan, in: db)
      core.withLock { if $0.schema == version { $0.isServed[query.sql] = isServed } }
      return isServed
    }

    /// Whether SQLite finds the range, and nothing but the range, in an index.
    ///
    /// What it says is not made for programs. What is not understood counts as no: the rows are then read by their keys.
    private static func ask(
      _ query: SQLText, _ range: FetchOrderRange, _ plan: FetchPlan, in db: Database
    ) throws -> Bool {
      let steps = try Row.fetchAll(
        db, sql: "EXPLAIN QUERY PLAN " + query.sql,
        arguments: StatementArguments(query.values.map(\.databaseValue)))
      guard steps.count == 1, let step: String = steps[0]["detail"], step.hasPrefix("SEARCH "),
        let start = step.lastIndex(of: "("), step.hasSuffix(")")
      else { return false }
      let terms = Set(
        step[start...].dropFirst().dropLast().lowercased().split(separator: " AND ".lowercased()))
      let isByRow = step.contains(" USING INTEGER PRIMARY KEY ")
      func name(_ column: String) -> String {
        isByRow && column == plan.columns[0].name ? "rowid" : column.lowercased()
      }
      let column = name(range.column)
      guard terms.contains("\(column)>?"), terms.contains("\(column)<?") else { return false }
      let implied = try conditions(ofIndexIn: step, in: db)
      let equalities = plan.requiredEqualities + range.equalities.map { ($0.column, $0.value) }
      return equalities.allSatisfy { column, value in
        terms.contains("\(name(column))=?")
          || value.isNull && implied.contains("\(column.lowercased()) is null")
      }
    }

    /// What all rows of a partial index fulfil, for the index that a step uses.
    private static func conditions(ofIndexIn step: String, in db: Database) throws -> Set<String> {
      guard let name = step.split(separator: " USING INDEX ").last?.split(separator: " ").first,
        let sql = try String.fetchOne(
          db, sql: "SELECT sql FROM sqlite_master WHERE type = 'index' AND name = ?",
          arguments: [String(name)]),
        let condition = sql.lowercased().split(separator: " where ", maxSplits: 1).dropFirst().first
      else { return [] }
      let terms = condition.filter { !"\"`[]".contains($0) }.split(separator: " and ")
      return Set(terms.map { $0.split(whereSeparator: \.isWhitespace).joined(separator: " ") })
    }
  }
#endif
