#if SQLite
  import CSQLiteHooks
  import GRDB
  import LiveStore
  import Synchronization

  extension CommitWatcher {
    /// The writes of other processes since the last check.
    enum OthersWrites {
      /// The log is not used, or nothing is in it.
      case none
      case entries([ChangeLog.Entry])
      /// The log does not reach back far enough, or cannot be read.
      case unknown
    }

    /// The entries of the store's own transaction. While it is under way nobody else writes any.
    enum OwnEntries {
      case unknown
      /// All after this one, as the transaction is under way.
      case after(Int64)
      /// All after the first of these, up to the second.
      case between(Int64, Int64)

      var isKnown: Bool { if case .between = self { true } else { false } }

      func contains(_ position: Int64) -> Bool {
        if case .between(let before, let last) = self { position > before && position <= last } else { false }
      }
    }

    /// Makes the log and a table's triggers, as far as they are not there as they should be.
    func prepareLog(_ name: String, id: String?, _ layout: TableLayout, in db: Database) throws {
      state.withLock { $0.isPreparingLog = true }
      defer { state.withLock { $0.isPreparingLog = false } }
      do {
        try ChangeLog.prepare(name, id: id, layout, schema: state.withLock { $0.schemaVersion }, in: db)
      } catch let error as DatabaseError where [.SQLITE_BUSY, .SQLITE_LOCKED].contains(error.resultCode) {
        state.withLock { $0.isLogMissing = true }
        throw error
      } catch let error as DatabaseError where error.resultCode == .SQLITE_READONLY {
        throw FetchError.unwatchable(
          name,
          "is in a database that cannot be written: what other processes write is seen by triggers, which cannot be made. "
            + "Open it for writing, or without `observesOtherProcesses` and fetch again from time to time")
      }
      let last = try ChangeLog.last(in: db)
      // A log that was made anew counts from the start.
      state.withLock { $0.logged = min($0.logged ?? last, last) }
    }

    /// Reads the log, within a read transaction that goes on until ``endTakingLog(_:_:)``: the entries, and the
    /// rows that they name, are then of one state, though another process may commit meanwhile.
    ///
    /// Our own commits are in the log as well. Where it is not known which entries are theirs, others may have written each of their rows, too.
    func takeLog(_ db: Database) -> OthersWrites {
      guard options.observesOtherProcesses, let logged = state.withLock({ $0.logged }),
        let connection = db.sqliteConnection
      else { return .none }
      // Not through GRDB, which would take the end of this transaction for a commit, and call us again.
      // A transaction of the caller's, who has begun it before GRDB said of the last commit, is not ours to end.
      guard lists_execute(UnsafeMutableRawPointer(connection), "BEGIN") == 0 else { return .unknown }
      guard let entries = try? ChangeLog.entries(after: logged, in: db) else {
        let last = (try? ChangeLog.last(in: db)) ?? logged
        state.withLock { $0.logged = last }
        _ = lists_execute(UnsafeMutableRawPointer(connection), "COMMIT")
        return .unknown
      }
      if let last = entries.last { state.withLock { $0.logged = last.position } }
      return .entries(entries)
    }

    func endTakingLog(_ others: OthersWrites, _ db: Database) {
      guard case .entries = others else { return }
      guard let connection = db.sqliteConnection else { return }
      _ = lists_execute(UnsafeMutableRawPointer(connection), "COMMIT")
    }

    /// Reports the writes of other processes, if there are any. Called in the queue of writes.
    func checkForExternalChanges(_ db: Database) {
      deliverPendingCommit(db)
      guard options.observesOtherProcesses else {
        try? checkSchema(db)
        return
      }
      // The writing connection's data version changes when another connection commits.
      let data = (try? Int64.fetchOne(db, sql: "PRAGMA data_version")) ?? nil
      // Where the schema is another, lists are read anew; until the triggers are made again the log says little.
      try? checkSchema(db)
      let (hasChanged, isLogMissing) = state.withLock { state in
        defer { (state.dataVersion, state.isLogMissing) = (data, false) }
        return (state.dataVersion != data, state.isLogMissing)
      }
      defer { trimLog(db) }
      guard hasChanged || isLogMissing else { return }
      let others = isLogMissing ? .unknown : takeLog(db)
      defer { if !isLogMissing { endTakingLog(others, db) } }
      let (position, commits) = state.withLock { state in
        state.note(others)
        state.position += 1
        return (FetchPosition(state.position), state.commits(isSchemaDirty: false, options))
      }
      for commit in commits { deliver(commit, position, [], .others, in: db) }
    }
  }

  extension CommitWatcher {
    /// Keeps the log bounded. Where another writes just now, it is done the next time.
    private func trimLog(_ db: Database) {
      let isDue = state.withLock { state in
        let isDue = (state.logged ?? 0) - state.trimmed >= Int64(options.logCapacity / 4)
        if isDue { state.trimmed = state.logged ?? 0 }
        return isDue
      }
      if isDue { try? ChangeLog.trim(to: options.logCapacity, in: db) }
    }
  }

  extension CommitWatcher.State {
    /// Notes what others have written.
    /// - Parameter own: The entries that are the store's own.
    /// - Returns: The writers of all that is noted, where this store has made a commit.
    @discardableResult
    mutating func note(
      _ others: CommitWatcher.OthersWrites, besides own: CommitWatcher.OwnEntries = .unknown
    ) -> FetchWriters {
      switch others {
      case .none: return .thisStore
      case .unknown:
        for table in tables.indices { tables[table].noteUncertainty() }
        return .all
      case .entries(let entries):
        var writers = FetchWriters.thisStore
        // The hook has seen the store's own writes, and knows their columns.
        for entry in entries where !own.contains(entry.position) {
          for table in tables.indices
          where isSameName(tables[table].name, entry.table)
            && isSameName(tables[table].idColumn, entry.idColumn)
          {
            let isNew = tables[table].noteChange(of: entry.key)
            if isNew || own.isKnown { writers = .all }
          }
        }
        return writers
      }
    }

    mutating func commits(isSchemaDirty: Bool, _ options: SQLiteStoreOptions) -> [WatchedTable.Commit] {
      var commits: [WatchedTable.Commit] = []
      for table in tables.indices {
        if let commit = tables[table].commit(isSchemaDirty: isSchemaDirty, options) { commits.append(commit) }
      }
      return commits
    }
  }
#endif
