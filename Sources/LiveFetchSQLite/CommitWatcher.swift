#if SQLite
  import CSQLiteHooks
  import Foundation
  import GRDB
  import LiveFetch
  import Synchronization

  /// Sees every row that the writing connection touches, and tells observers at each commit.
  ///
  /// SQLite calls the hook before a row is changed, with its old and new values: also for rows that `REPLACE`
  /// removes, for tables without rowids and for a `DELETE` of all rows. What is noted of a row is its primary
  /// key, the columns that change, and which observers it may concern. At the commit, still in the queue of
  /// writes, the noted rows are read: exactly as the commit left them. See ``RowJournal`` for how little the hook does.
  ///
  /// A change that a savepoint takes back has been noted all the same; its row is then read for nothing.
  final class CommitWatcher: TransactionObserver, Sendable {
    struct State {
      var tables: [WatchedTable] = []
      /// The tables that an observer is told of.
      var homes: [Int: [Int]] = [:]
      var nextObserver = 0
      var position: UInt64 = 1
      var origin: String?
      var isSchemaDirty = false
      var isClosed = false
      /// The last entry of the change log that is known, when the log is used.
      var logged: Int64?
      /// The last entry at the time when the log was last looked at for being too long.
      var trimmed: Int64 = 0
      var dataVersion: Int64?
      var schemaVersion: Int64?
    }

    let options: SQLiteStoreOptions
    let state = Mutex(State())
    let rangePlans = RangePlans()
    /// Counts what makes journals write down something else: observers that come and go, columns that are learnt.
    let watched = Atomic<Int>(0)
    let journals = Mutex<[RowJournal]>([])

    init(options: SQLiteStoreOptions) { self.options = options }

    var position: FetchPosition { state.withLock { FetchPosition($0.position) } }

    var isClosed: Bool { state.withLock { $0.isClosed } }

    func begin(origin: String?) { state.withLock { $0.origin = origin } }

    // MARK: Observers

    func add(_ plan: FetchPlan, _ receive: @escaping @Sendable (FetchStoreEvent) -> Void) -> Int {
      state.withLock { state in
        state.nextObserver += 1
        let observer = WatchedTable.Observer(plan: plan, receive: receive)
        for name in plan.tables {
          let table = state.tables.firstIndex { $0.isFor(plan, name) } ?? state.tables.count
          if table == state.tables.count { state.tables.append(WatchedTable(plan, name)) }
          state.tables[table].add(observer, state.nextObserver)
          state.homes[state.nextObserver, default: []].append(table)
        }
        watched.wrappingAdd(1, ordering: .releasing)
        return state.nextObserver
      }
    }

    func remove(_ number: Int) {
      state.withLock { state in
        // Tables stay in their places: what is known of their columns may be of use again.
        for table in state.homes.removeValue(forKey: number) ?? [] { state.tables[table].remove(number) }
        watched.wrappingAdd(1, ordering: .releasing)
      }
    }

    func close() {
      let receivers = state.withLock { state in
        if state.isClosed { return [] as [@Sendable (FetchStoreEvent) -> Void] }
        state.isClosed = true
        return state.tables.flatMap { $0.observers.values.map(\.receive) }
      }
      for receive in receivers { receive(.closed) }
    }

    /// Learns the columns of a plan's table. Called in the queue of writes, before the plan is read.
    func resolve(_ plan: FetchPlan, in db: Database) throws {
      for name in plan.tables {
        let isKnown = state.withLock { state in
          state.tables.contains { $0.isFor(plan, name) && $0.columns != nil }
        }
        if isKnown { continue }
        if options.observesOtherProcesses { try prepareLog(plan, name, in: db) }
        let columns = try db.columns(in: name).map(\.name)
        let rowid = TouchedRowsQuery.rowidName(in: name, columns, db)
        state.withLock { state in
          for table in state.tables.indices where state.tables[table].isFor(plan, name) {
            state.tables[table].learn(columns, rowid: rowid)
          }
          watched.wrappingAdd(1, ordering: .releasing)
        }
      }
    }

    // MARK: TransactionObserver

    func observes(eventsOfKind eventKind: DatabaseEventKind) -> Bool {
      // GRDB asks before each statement; the answer is always no, but a change of the schema shows itself so.
      switch eventKind {
      case .insert(let table), .update(let table, _), .delete(let table):
        // Both names have as many letters; few others have.
        guard table.utf8.count == 13 else { return false }
        if table == "sqlite_master" || table == "sqlite_schema" { state.withLock { $0.isSchemaDirty = true } }
      }
      return false
    }

    func databaseDidChange(with event: DatabaseEvent) {}

    func databaseDidRollback(_ db: Database) {
      journal(of: db)?.clear()
      state.withLock { state in
        state.origin = nil
        state.isSchemaDirty = false
        for table in state.tables.indices { state.tables[table].forget() }
      }
    }

    func databaseDidCommit(_ db: Database) {
      let others = takeLog(db)
      let journal = journal(of: db)
      let (position, origins, isDirty, commits) = state.withLock { state in
        if let journal { state.take(journal, options) }
        state.note(others)
        state.position += 1
        let origins = state.origin.map { [$0] } ?? []
        state.origin = nil
        let isDirty = state.isSchemaDirty
        state.isSchemaDirty = false
        let commits = state.commits(isSchemaDirty: isDirty, options)
        return (FetchPosition(state.position), origins, isDirty, commits)
      }
      if isDirty { relearn(db) }
      for commit in commits { deliver(commit, position, origins, in: db) }
      endTakingLog(others, db)
    }

    /// Learns the columns of all tables anew, after a change of the schema.
    func relearn(_ db: Database) {
      rangePlans.noteSchemaChange()
      let names = state.withLock { $0.tables.map(\.name) }
      for (place, name) in names.enumerated() {
        // A table that is not there is learnt as soon as it is.
        let columns = try? db.columns(in: name).map(\.name)
        let rowid = columns.flatMap { TouchedRowsQuery.rowidName(in: name, $0, db) }
        state.withLock { state in
          state.tables[place].learn(columns, rowid: rowid)
          watched.wrappingAdd(1, ordering: .releasing)
        }
      }
    }
  }
#endif
