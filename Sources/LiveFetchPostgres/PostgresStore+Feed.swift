#if PostgreSQL
  import LiveStore
  import Synchronization

  extension PostgresStore {
    /// Begins a read that sees one state of the database, tells observers of the commits up to it, and gives its position.
    ///
    /// Deliveries have one lock, which is held from the look at the log until observers have been told. The caller goes on
    /// reading beside it, and ends the transaction.
    func beginRead(on connection: Connection) throws -> FetchPosition {
      try beginRead(on: connection) { _ in true }.position
    }

    /// - Parameter areKnown: Whether what is known of tables at the position is what the caller goes by.
    /// - Returns: The position, and what `areKnown` returned.
    func beginRead(
      on connection: Connection, _ areKnown: (borrowing Observers) -> Bool
    ) throws -> (position: FetchPosition, areKnown: Bool) {
      while true {
        var isRewritten = false
        let found = try feed.withLock { feed -> (FetchPosition, Bool)? in
          if feed.state == .closed { throw FetchError.closed }
          return try connection.answering(within: options.answerTimeout) {
            do {
              let poll = try connection.beginLooking(
                since: feed.snapshot, maximumRows: options.maximumTouchedRows)
              let position = try follow(poll, &feed, on: connection)
              return position.map { ($0, observers.withLock { areKnown($0) }) }
            } catch is TableRewritten {
              isRewritten = true
              return nil
            } catch {
              try? connection.run("ROLLBACK")
              throw error
            }
          }
        }
        if let found { return found }
        try connection.run("COMMIT")
        if !isRewritten { _ = try connection.query("SELECT livelists.start()") }
      }
    }

    /// Tells observers of all commits up to now.
    func advance(on connection: Connection) throws -> FetchPosition {
      try connection.answering(within: options.answerTimeout) {
        let position = try beginRead(on: connection)
        try connection.run("COMMIT")
        return position
      }
    }

    /// - Returns: The position; nil where the look has to be made again, after an epoch was made.
    private func follow(
      _ poll: Poll, _ feed: inout Feed, on connection: Connection
    ) throws -> FetchPosition? {
      let outcome = feed.outcome(of: poll)
      var notices: [Notice] = []
      let position = FetchPosition(feed.position + 1)
      switch outcome {
      case .needsEpoch: return nil
      case .nothing: break
      case .reset(let reason):
        // What is known of tables may be of another database.
        if reason == .unresumable { observers.withLock { $0.forgetTables() } }
        let origins = try reason == .manyRows ? connection.origins(since: feed.snapshot) : []
        notices = resets(of: observers.withLock { Array($0.all.values) }, reason, at: position, origins)
      case .rows(let rows): notices = try changes(rows, at: position, on: connection)
      }
      take(poll, outcome, notices, &feed)
      return FetchPosition(feed.position)
    }

    /// Looks without a transaction, as long as there is nothing new.
    /// - Returns: Whether there was nothing.
    func isUpToDate(on connection: Connection) throws -> Bool {
      try feed.withLock { feed in
        if feed.state == .closed { throw FetchError.closed }
        let poll = try connection.look(since: feed.snapshot, maximumRows: 0)
        guard feed.outcome(of: poll) == .nothing else { return false }
        take(poll, .nothing, [], &feed)
        return true
      }
    }

    private func take(_ poll: Poll, _ outcome: Feed.Outcome, _ notices: [Notice], _ feed: inout Feed) {
      let isBack = feed.take(poll, isChange: outcome != .nothing)
      newest.store(feed.position, ordering: .releasing)
      note(poll, outcome)
      for notice in notices { notice.receive(notice.event) }
      if isBack { for observer in observers.withLock({ $0.all.values }) { observer.receive(.resumed) } }
    }

    private func note(_ poll: Poll, _ outcome: Feed.Outcome) {
      counts.withLock { counts in
        counts.polls += 1
        switch outcome {
        case .nothing, .needsEpoch: break
        case .reset: counts.resets += 1
        case .rows(let rows):
          counts.batches += 1
          counts.logRows += rows.count
          counts.lag = poll.lag
        }
      }
    }

    /// Tells observers that the database cannot be followed, and for which reason, unless they know.
    func lose(_ error: any Error) {
      feed.withLock { feed in
        let isFirst = feed.state == .live
        guard feed.lose(error.isConnectionLoss ? nil : error.postgresCode) else { return }
        if isFirst { counts.withLock { $0.interruptions += 1 } }
        for observer in observers.withLock({ $0.all.values }) {
          observer.receive(.interrupted(.interrupted(error)))
        }
      }
    }

    /// Has the next look find out whether tables were changed, and has it made at once.
    func checkSchemaSoon() {
      wantsSchemaCheck.store(true, ordering: .releasing)
      wake.signal()
    }

    /// Tells the observers of some tables that the schema was changed.
    func resetSchema(of names: Set<String>) {
      feed.withLock { feed in
        guard feed.state != .closed else { return }
        let concerned = observers.withLock { observers in
          for name in names { observers.forgetTable(named: name) }
          return observers.all.values.filter { !names.isDisjoint(with: $0.plan.tables) }
        }
        let position = feed.advance()
        newest.store(position.value, ordering: .releasing)
        counts.withLock { $0.resets += 1 }
        for notice in resets(of: concerned, .schema, at: position) { notice.receive(notice.event) }
      }
    }
  }

  /// A notification that is to be made.
  struct Notice {
    var receive: @Sendable (FetchStoreEvent) -> Void
    var event: FetchStoreEvent
  }

  extension Connection {
    /// Looks what was committed since a snapshot. One statement, which sees one state.
    func look(since snapshot: TransactionSnapshot?, maximumRows: Int) throws -> Poll {
      let statement = Self.pollStatement(snapshot, maximumRows)
      return try poll(query(statement.sql, statement.parameters), maximumRows)
    }

    /// Begins a transaction that sees one state, and looks what was committed up to it since a snapshot, in one round trip.
    func beginLooking(since snapshot: TransactionSnapshot?, maximumRows: Int) throws -> Poll {
      let beginning = [
        "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY",
        "SELECT set_config('TimeZone', 'UTC', true), set_config('bytea_output', 'hex', true)",
        "SAVEPOINT livelists_rows",
      ]
      let results = try pipeline(
        beginning.map { SQLStatement($0) } + [Self.pollStatement(snapshot, maximumRows)])
      return try poll(results[beginning.count], maximumRows)
    }

    private static func pollStatement(_ snapshot: TransactionSnapshot?, _ maximumRows: Int) -> SQLStatement {
      SQLStatement(
        "SELECT * FROM livelists.look($1, $2)",
        [snapshot.map { .text($0.description) } ?? .null, .integer(Int64(maximumRows) + 1)])
    }

    private func poll(_ found: QueryResult, _ maximumRows: Int) throws -> Poll {
      guard found.count > 0, let seen = found.text(0, 0).flatMap({ TransactionSnapshot($0) }),
        let pruned = found.text(0, 2).flatMap({ TransactionSnapshot($0) })
      else { throw PostgresError("The schema “livelists” is not complete: its horizon is missing.") }
      var poll = Poll(snapshot: seen, epoch: found.text(0, 1), pruned: pruned)
      for row in 0..<found.count {
        guard let table = found.integer(row, 3), let code = found.text(row, 4)?.utf8.first,
          let operation = LogRow.Operation(rawValue: code)
        else { continue }
        poll.rows.append(
          LogRow(
            table: Int(table), operation: operation, key: found.text(row, 5),
            same: found.integer(row, 10).map { UInt64(bitPattern: $0) },
            routes: LogRow.Route.all(found.texts(row, 9)),
            origins: found.text(row, 6).map(OriginList.origins) ?? [],
            node: found.text(row, 7)))
      }
      if case .real(let seconds) = found.value(found.count - 1, 8) { poll.lag = .seconds(seconds) }
      poll.isOverfull = poll.rows.count > maximumRows
      return poll
    }

    /// The tags of all that was committed since a snapshot.
    func origins(since snapshot: TransactionSnapshot?) throws -> [String] {
      guard let snapshot else { return [] }
      let found = try query(
        """
        SELECT origin FROM livelists.log WHERE origin IS NOT NULL AND (\(Self.isNew))
        GROUP BY origin ORDER BY min(at) LIMIT 4096
        """, [.text(snapshot.description)])
      return (0..<found.count).flatMap { found.text($0, 0).map(OriginList.origins) ?? [] }
    }

    /// A transaction that the snapshot before did not see has a number from its end on, or was running then.
    private static let isNew = """
      xid >= pg_snapshot_xmax($1::text::pg_snapshot) OR xid = ANY (ARRAY(SELECT pg_snapshot_xip($1::text::pg_snapshot)))
      """
  }
#endif
