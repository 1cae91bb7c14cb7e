#if SQLite
  import CSQLiteHooks
  import Foundation
  import GRDB
  import LiveStore
  import Synchronization

  /// Sees every row that the writing connection touches, and notifies observers at each commit.
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
      /// The tables of each observer.
      var homes: [Int: [Int]] = [:]
      var nextObserver = 0
      var position: UInt64 = 1
      /// The origins of the transaction that is under way.
      var origins: [String] = []
      var isClosed = false
      /// The last entry of the change log that is known, when the log is used.
      var logged: Int64?
      /// The entries of the transaction that is under way, when the log is used.
      var ownEntries = OwnEntries.unknown
      /// The last entry at the time when the log was last looked at for being too long.
      var trimmed: Int64 = 0
      var dataVersion: Int64?
      /// The version of the schema that the tables' layouts are of.
      var schemaVersion: Int64?
      /// Whether the log's own table and triggers are being made, which is no change of the schema to lists.
      var isPreparingLog = false
      /// Whether the log could not be made because another process was writing.
      var isLogMissing = false
    }

    let options: SQLiteStoreOptions
    let state = Mutex(State())
    let rangePlans = RangePlans()
    /// Counts what makes journals write down something else: observers that come and go, columns that are learnt.
    let watched = Atomic<Int>(0)
    let journals = Mutex<[RowJournal]>([])
    /// Whether a commit has begun that observers were not notified of yet.
    let isDelivering = Atomic<Bool>(false)
    /// Calls ``deliverPendingCommit(_:)`` in the queue of writes, after what is done there now.
    let scheduleDelivery = Mutex<(@Sendable () -> Void)?>(nil)

    init(options: SQLiteStoreOptions) { self.options = options }

    var position: FetchPosition { state.withLock { FetchPosition($0.position) } }

    var isClosed: Bool { state.withLock { $0.isClosed } }

    /// Notes that a transaction has begun.
    func begin(origins: [String], _ db: Database) {
      if journal(of: db)?.holdsRows == true { forget(db) }
      let last = lastEntry(db)
      state.withLock { state in
        state.origins = origins
        state.ownEntries = last.map { .after($0) } ?? .unknown
      }
    }

    /// Notes that a transaction has done all that it does.
    func end(_ db: Database) {
      let last = lastEntry(db)
      state.withLock { state in
        guard case .after(let first) = state.ownEntries, let last else { return }
        state.ownEntries = .between(first, last)
      }
    }

    private func lastEntry(_ db: Database) -> Int64? {
      options.observesOtherProcesses ? try? ChangeLog.last(in: db) : nil
    }

    /// Forgets what a transaction did that was rolled back.
    ///
    /// GRDB does not notify observers of a rollback that SQLite did by itself, because a statement failed.
    func forget(_ db: Database) {
      if let journal = journal(of: db) {
        // The journal also has rows that were committed before this: all of them are reported a little later.
        guard !journal.hasCommittedRows else {
          state.withLock { ($0.origins, $0.ownEntries) = ([], .unknown) }
          return scheduleDelivery.withLock { $0 }?() ?? ()
        }
        journal.clear()
      }
      isDelivering.store(false, ordering: .releasing)
      state.withLock { $0.forget() }
    }

    /// Forgets what a statement did that failed outside of transactions, before the next one.
    private func forgetFailedStatement() {
      let forgotten = journals.withLock { journals in
        guard let journal = journals.first, journal.holdsRows, !journal.isCommitting,
          lists_is_writing(journal.connection) == 0
        else { return false }
        journal.clear()
        return true
      }
      if forgotten { state.withLock { $0.forget() } }
    }

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
      let removed = state.withLock { state in
        // Tables keep their indices: what is known of their columns may be of use again.
        let removed = (state.homes.removeValue(forKey: number) ?? []).map { state.tables[$0].remove(number) }
        watched.wrappingAdd(1, ordering: .releasing)
        return removed
      }
      // It may hold the last reference to the store, which closes itself when it is released: not within the lock.
      withExtendedLifetime(removed) {}
    }

    func close() {
      let receivers = state.withLock { state in
        if state.isClosed { return [] as [@Sendable (FetchStoreEvent) -> Void] }
        state.isClosed = true
        return state.tables.flatMap { $0.observers.values.map(\.receive) }
      }
      for receive in receivers { receive(.closed) }
    }

    // MARK: TransactionObserver

    func observes(eventsOfKind eventKind: DatabaseEventKind) -> Bool {
      // GRDB calls this before each statement. The answer is always no, as rows are reported by the hook.
      forgetFailedStatement()
      return false
    }

    func databaseWillCommit() {
      isDelivering.store(true, ordering: .releasing)
      let hasCommittedRows = journals.withLock { journals in
        journals.first?.beginCommit()
        return journals.first?.mayBeUnreportedByGRDB ?? false
      }
      if hasCommittedRows { scheduleDelivery.withLock { $0 }?() }
      // After a commit in the midst of a transaction, entries may be others'.
      state.withLock { state in if case .after = state.ownEntries { state.ownEntries = .unknown } }
    }

    /// Reports a commit that GRDB has not reported: it passes over a statement that commits and then fails, and notices a
    /// commit made without it only at its next statement.
    func deliverPendingCommit(_ db: Database) {
      guard !db.isInsideTransaction else { return }
      if journal(of: db)?.isCommitting == true { databaseDidCommit(db) }
      isDelivering.store(false, ordering: .releasing)
    }

    func databaseDidChange(with event: DatabaseEvent) {}

    func databaseDidRollback(_ db: Database) { forget(db) }

    func databaseDidCommit(_ db: Database) {
      let others = takeLog(db)
      let journal = journal(of: db)
      let schema = state.withLock { $0.schemaVersion } == nil ? nil : try? SchemaVersion.read(in: db)
      let (position, origins, writers, isDirty, commits) = state.withLock { state in
        if let journal {
          state.take(journal, options)
          journal.clear()
        }
        let writers = state.note(others, besides: state.ownEntries)
        state.position += 1
        let origins = state.origins
        (state.origins, state.ownEntries) = ([], .unknown)
        // Where another process has changed the schema, rows were noted by columns that are no more.
        // The version counts, and not statements: the first use of a virtual table, `json_each` among them, is compiled
        // like a statement that changes the schema. A change that a savepoint took back leaves the version as it was.
        let isDirty = !state.isPreparingLog && state.schemaVersion != schema
        state.schemaVersion = schema ?? state.schemaVersion
        let commits = state.commits(isSchemaDirty: isDirty, options)
        return (FetchPosition(state.position), origins, writers, isDirty, commits)
      }
      if isDirty { relearn(db) }
      for commit in commits { deliver(commit, position, origins, writers, in: db) }
      endTakingLog(others, db)
      isDelivering.store(false, ordering: .releasing)
    }
  }

  extension CommitWatcher.State {
    fileprivate mutating func forget() {
      (origins, ownEntries) = ([], .unknown)
      for table in tables.indices { tables[table].forget() }
    }
  }
#endif
