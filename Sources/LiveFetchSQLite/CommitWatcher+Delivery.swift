#if SQLite
  import GRDB
  import LiveStore

  extension CommitWatcher {
    /// Sends a commit to the observers of one table.
    func deliver(
      _ commit: WatchedTable.Commit, _ position: FetchPosition, _ origins: [String], _ writers: FetchWriters,
      in db: Database
    ) {
      let now = ContinuousClock.now
      for observer in commit.rereading {
        // The rows of the model's own table are known; through another one any row may show otherwise.
        let touched = commit.idColumn.isEmpty ? .all : TouchedRows(commit.touches.lazy.map(\.id))
        let reset = FetchReset(
          position: position, reason: .touched, touched: touched, origins: origins, writers: writers,
          committed: now)
        observer.receive(.reset(reset))
      }
      if commit.observers.isEmpty { return }
      if let reset = commit.reset {
        // After a change of the schema every row may have other columns than its object was made of.
        let isEachTold = reset != .schema && !commit.touches.isEmpty
        let event = FetchStoreEvent.reset(
          FetchReset(
            position: position, reason: reset,
            touched: isEachTold ? TouchedRows(commit.touches.lazy.map(\.id)) : .all,
            origins: origins, writers: writers, committed: now))
        for observer in commit.observers { observer.receive(event) }
        return
      }
      do {
        let (rows, statements) = try commit.query.rows(of: commit.touches, commit.indexByKey, in: db)
        for (index, observer) in commit.observers.enumerated() {
          let mine = commit.rows(ofObserver: index)
          let changes = ChangeSet(
            position: position, origins: origins, writers: writers, columns: commit.readColumns,
            tableColumns: commit.tableColumns,
            rows: mine.map { $0.map { rows[$0] } } ?? rows, statements: statements, committed: now)
          observer.receive(.changes(changes))
        }
      } catch is InvalidText {
        let reset = FetchReset(
          position: position, reason: .unresumable, touched: TouchedRows(commit.touches.lazy.map(\.id)),
          origins: origins, writers: writers, committed: now)
        for observer in commit.observers { observer.receive(.reset(reset)) }
      } catch {
        // The rows cannot be read as they were: reading everything shows what there is, or what is wrong.
        let reset = FetchReset(
          position: position, reason: .schema, origins: origins, writers: writers, committed: now)
        for observer in commit.observers { observer.receive(.reset(reset)) }
      }
    }
  }
#endif
