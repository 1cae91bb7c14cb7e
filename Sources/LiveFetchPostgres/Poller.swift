#if PostgreSQL
  import LiveStore
  import Synchronization

  /// Looks at the log again and again, with a connection of its own.
  final class Poller: Sendable {
    private struct State {
      var connection: Connection?
      var lastChange = ContinuousClock.now
      var lastSchemaCheck = ContinuousClock.now
      var lastPruning = ContinuousClock.now
      var failures = 0
      /// Tables of lists that have no triggers, or none that the store knows of yet, as the last look found them.
      var unwatched: [String: PostgresTable?] = [:]
      /// Tables of which a list could not be read since their lists were last read anew.
      var unread: Set<String> = []
    }
    private let state = Mutex(State())
    private let pool: ConnectionPool
    private let bell: Bell?
    private let options: PostgresStoreOptions

    init(_ pool: ConnectionPool, _ bell: Bell?, _ options: PostgresStoreOptions) {
      self.pool = pool
      self.bell = bell
      self.options = options
    }

    /// Looks once. The call waits for the database.
    func look(_ store: PostgresStore) throws {
      try state.withLock { state in
        let connection = try state.connection ?? connect()
        state.connection = connection
        do {
          try connection.answering(within: options.answerTimeout) {
            // After a ring the first look already is the one that reads.
            let isRung = store.isRung.take()
            if try isRung || !store.isUpToDate(on: connection) {
              let before = store.position
              let isChanged = try store.advance(on: connection) != before
              if isChanged || !isRung { state.lastChange = .now }
            }
            state.failures = 0
            try care(for: store, on: connection, &state)
          }
        } catch {
          // A connection that broke, or in which something was left undone, is not used again.
          state.connection = nil
          throw error
        }
      }
    }

    private func connect() throws -> Connection {
      let connection = try pool.connect()
      _ = try connection.answering(within: options.answerTimeout) {
        try connection.query("SELECT livelists.start()")
      }
      return connection
    }

    /// How long to wait until the next look.
    var pause: Duration {
      let quiet = state.withLock { ContinuousClock.now - $0.lastChange }
      return quiet < .seconds(1)
        ? options.pollingInterval : options.pollingInterval * (quiet < .seconds(10) ? 5 : 12)
    }

    /// How long to wait after a failure: the longer the more there were, up to a second.
    var pauseAfterFailure: Duration {
      state.withLock { state in
        state.failures += 1
        return .milliseconds(min(1_000, 20 << min(state.failures, 6)))
      }
    }

    // MARK: Beside the looks

    private func care(for store: PostgresStore, on connection: Connection, _ state: inout State) throws {
      bell?.start(pool)
      store.retryLostReads()
      let isWanted = store.wantsSchemaCheck.exchange(false, ordering: .acquiringAndReleasing)
      if isWanted || state.lastSchemaCheck.duration(to: .now) > options.schemaInterval {
        state.lastSchemaCheck = .now
        do { try checkSchema(for: store, on: connection, &state) } catch {
          // Somebody may be waiting for what it would have found.
          store.wantsSchemaCheck.store(true, ordering: .releasing)
          throw error
        }
      }
      if state.lastPruning.duration(to: .now) > min(.seconds(30), options.retention) {
        state.lastPruning = .now
        do {
          let seconds = Double(options.retention.components.seconds)
          _ = try connection.query("SELECT livelists.prune(make_interval(secs => $1))", [.real(seconds)])
        } catch  where error.postgresCode == "42501" {
          // Left to nodes whose role may.
        } catch  where error.isConnectionLoss {
          // A server that has much to delete goes on. Whether it is away, the next look finds out.
          state.connection = nil
        }
      }
    }

    /// Has lists read anew of tables that were changed, or whose triggers are no longer what they were.
    private func checkSchema(for store: PostgresStore, on connection: Connection, _ state: inout State) throws
    {
      let (names, tables, unread) = store.observers.withLock { ($0.tableNames, $0.tables, $0.takeUnread()) }
      state.unread.formUnion(unread)
      var changed: Set<String> = []
      // Also if a later table cannot be looked at: the next look would find no change in the earlier ones, as it knows them as they are now.
      defer {
        state.unread.subtract(changed)
        if !changed.isEmpty { store.resetSchema(of: changed) }
      }
      for name in names {
        let found = try PostgresTable(named: name, on: connection)
        // Also of a table that the store has forgotten: an earlier look could not take the triggers, and writes still fail.
        if let found, let key = try tables[name]?.key ?? connection.currentKey(ofTable: found.oid) ?? nil,
          found.column(key) == nil
        {
          let isUnwatched = try connection.unwatch(found)
          if isUnwatched || tables[name] != nil { changed.insert(name) }
        }
        guard let known = tables[name] else {
          if isChanged(unwatched: name, found, &state) { changed.insert(name) }
          continue
        }
        // The first read of another list has made the triggers since the last look. A list that had failed does not know that it can be read
        // now. Where none had, new triggers alone change nothing.
        if let last = state.unwatched.removeValue(forKey: name),
          last?.besidesTriggers != found?.besidesTriggers || state.unread.contains(name)
        {
          changed.insert(name)
        }
        guard found == known.table else {
          changed.insert(name)
          state.unwatched[name] = .some(found)
          continue
        }
        if try connection.number(ofTable: found?.oid ?? 0, key: known.key) != known.number {
          changed.insert(name)
        }
      }
    }

    /// Notes how a table is that the store does not watch.
    /// - Returns: Whether its lists are to be read anew.
    private func isChanged(unwatched name: String, _ found: PostgresTable?, _ state: inout State) -> Bool {
      let hasFailed = state.unread.contains(name)
      // A table that was never looked at may have changed after the list had failed.
      guard let last = state.unwatched.updateValue(found, forKey: name) else { return hasFailed }
      // A first read makes the triggers before it notes the table: alone they count only after a failure.
      return hasFailed ? last != found : last?.besidesTriggers != found?.besidesTriggers
    }
  }

  extension PostgresStore {
    /// Looks at the log.
    /// - Returns: How long to wait until the next look; nil when there is to be none.
    func poll(_ poller: Poller) async -> Duration? {
      let begun = ContinuousClock.now
      do {
        try await pool.onThread { [self] in try poller.look(self) }
        // From one look's beginning to that of the next, but never one right after the other.
        let pause = poller.pause
        return max(pause / 4, pause - (ContinuousClock.now - begun))
      } catch {
        if (try? checkOpen()) == nil { return nil }
        lose(error)
        return poller.pauseAfterFailure
      }
    }
  }
#endif
