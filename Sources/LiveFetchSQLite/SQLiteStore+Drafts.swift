#if SQLite
  public import GRDB
  public import LiveDraftStore
  public import LiveStore

  extension SQLiteStore: DraftSaving {
    /// Saves what a draft has changed, in one transaction.
    ///
    /// Columns that SQLite computes are left out of new rows. Foreign keys are checked at the end of the transaction. Rows that
    /// exchange unique values get others in between.
    /// - Throws: `DraftConflict`, or the database's error; nothing was then written.
    public func save(_ changes: [DraftChange], policy: DraftPolicy, origins: [String]) async throws {
      try await save(changes, policy: policy, origins: origins, tables: { [:] }, report: { _ in })
    }

    /// Saves in the same way, and reports what foreign keys have done to other rows as rows were deleted.
    ///
    /// It reports nothing where that were more than 20,000 rows.
    /// - Throws: As ``save(_:policy:origins:)``.
    public func save(
      _ changes: [DraftChange], policy: DraftPolicy, origins: [String],
      tables: @escaping @Sendable () -> [String: FetchPlan.Column],
      report: @escaping @Sendable ([DraftEffect]) -> Void
    ) async throws {
      do {
        try await write(origins: origins) { [self] db in
          let decisions = try decide(changes, policy, in: db)
          let before = db.totalChangesCount
          try db.execute(sql: "PRAGMA defer_foreign_keys = ON")
          var writer = DraftWriter(db: db)
          if decisions.contains(.delete) {
            writer.effects = try ForeignKeyEffects(between: tables(), in: db) { [self] ids, plan in
              try rows(ids, of: plan, in: db) { ($0, $1.storedValues) }
            }
          }
          try writer.perform(Array(zip(decisions, changes)))
          try writer.checkReferences(of: changes)
          if try mayBeLeftOtherwise(since: before, in: db) { try noteLeft(changes, in: db) }
          report(writer.effects?.found ?? [])
        }
      } catch let error as DatabaseError where [.SQLITE_BUSY, .SQLITE_LOCKED].contains(error.resultCode) {
        throw error.sayingHowToWait
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
      try eachRow(of: changes, in: db) { position, row in
        refusal = refusal ?? row.refusal
        decisions[position] = changes[position].decision(for: row, policy: policy)
        if decisions[position] == .conflict { theirs[position] = row.storedValues }
      }
      if let refusal { throw refusal }
      let conflicts = decisions.indices.filter { decisions[$0] == .conflict }
      if !conflicts.isEmpty {
        throw DraftConflict(rows: conflicts.map { changes[$0].conflict(with: theirs[$0]) })
      }
      return decisions
    }

    /// Whether rows may be left otherwise than they were sent, and the events of the commit not say so: triggers may change them, the events may
    /// be resets, or name rows that others have written as well. Reading them once more takes a third of what a save takes.
    /// - Parameter before: The number of rows that the connection had changed when the save began.
    private func mayBeLeftOtherwise(since before: Int, in db: Database) throws -> Bool {
      if watcher.options.observesOtherProcesses { return true }
      if db.totalChangesCount - before > watcher.options.maximumTouchedRows { return true }
      let triggers = try db.cachedStatement(
        sql: """
          SELECT 1 FROM main.sqlite_master WHERE type = 'trigger'
          UNION ALL SELECT 1 FROM temp.sqlite_master WHERE type = 'trigger' LIMIT 1
          """)
      return try Row.fetchOne(triggers) != nil
    }

    /// Notes how the transaction leaves the rows that it was to write.
    private func noteLeft(_ changes: [DraftChange], in db: Database) throws {
      for change in changes { change.noteLeft(nil) }
      try eachRow(of: changes, in: db) { changes[$0].noteLeft($1) }
    }

    /// Reads the rows of changes, those that are there.
    /// - Parameter body: Is given the position of the change.
    private func eachRow(
      of changes: [DraftChange], in db: Database, _ body: (_ position: Int, FetchRow) -> Void
    ) throws {
      for (table, positions) in Dictionary(grouping: changes.indices, by: { changes[$0].table }) {
        let plan = FetchPlan(
          table: table, columns: [changes[positions[0]].key], filter: .yes, order: [])
        let ids = positions.map { changes[$0].id }
        let known = Dictionary(zip(ids.lazy.map(\.normalized), positions)) { first, _ in first }
        _ = try rows(ids, of: plan, in: db) { id, row in
          if let position = known[id.normalized] { body(position, row) }
        }
      }
    }
  }

  extension DatabaseError {
    /// The same error, with how a save waits for whoever writes just now.
    fileprivate var sayingHowToWait: DatabaseError {
      DatabaseError(
        resultCode: extendedResultCode,
        message:
          "\(message ?? resultCode.description): another connection or process writes just now. Nothing of the save was written, and all is "
          + "pending as before. Save again, or have the store wait: set `busyMode = .timeout(5)` in the configuration that it is opened with",
        sql: sql)
    }
  }

  extension DraftModel where Self: EncodableRecord {
    /// Returns the columns that the record encodes. A floating-point number that is none is NULL, as SQLite stores it.
    /// - Throws: The record's error.
    public func fetchValues() throws -> [String: FetchValue] {
      try databaseDictionary.mapValues { value in
        if case .double(let number) = value.storage, number.isNaN { return .null }
        return FetchValue(value)
      }
    }
  }
#endif
