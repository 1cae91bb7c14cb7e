#if SQLite
  import CSQLiteHooks
  import Foundation
  import GRDB
  import LiveStore
  import Synchronization

  /// A journal of the rows that a connection's hook has seen since the last commit.
  ///
  /// The hook is called between SQLite's own steps. Whatever waits there for memory, as each lock and each counted reference
  /// does, also waits for what SQLite has under way. So it copies a row's key, and the columns that distinguish observers
  /// to the end of a buffer; the watcher makes sense of them at the commit, or when there are many.
  ///
  /// `@unchecked`: it is used in the queue of its connection alone.
  final class RowJournal: @unchecked Sendable {
    /// How many rows are written down before the watcher looks at them. It bounds the memory.
    static let maximumRows = 4_096

    let connection: UnsafeMutableRawPointer
    /// It has to live longer, and does: it owns the journal.
    private let watcher: Unmanaged<CommitWatcher>
    fileprivate let raw: OpaquePointer
    /// The value of ``CommitWatcher/watched`` when the journal was last given the tables.
    fileprivate var watched = -1
    /// The writers of the rows that are written down.
    enum Writer {
      case transaction
      /// A statement outside of transactions. When it commits and then fails, as `OR FAIL` does, GRDB does not say so.
      case statement
    }

    /// How far the writing connection has come since the last transaction that is known to have ended.
    enum State {
      case idle
      /// Rows were written down.
      case writing(Writer)
      /// A commit has begun, of which the watcher may be notified only with the next statement; the writer is that of the rows, if
      /// there are any.
      case committing(Writer?)
    }

    private var state = State.idle

    /// Whether rows were written down.
    var holdsRows: Bool {
      switch state {
      case .idle, .committing(nil): false
      case .writing, .committing: true
      }
    }

    /// Whether a commit has begun that observers were not notified of yet.
    var isCommitting: Bool { if case .committing = state { true } else { false } }

    /// Whether there are rows that were committed and not delivered, as far as is known.
    var hasCommittedRows: Bool { if case .committing(.some) = state { true } else { false } }

    /// Whether GRDB may say nothing of the commit.
    var mayBeUnreportedByGRDB: Bool { if case .committing(.statement) = state { true } else { false } }

    /// Notes that a commit has begun.
    func beginCommit() {
      switch state {
      case .idle: state = .committing(nil)
      case .writing(let writer): state = .committing(writer)
      case .committing: break
      }
    }

    init?(_ watcher: CommitWatcher, _ connection: UnsafeMutableRawPointer) {
      guard let raw = lists_journal_make() else { return nil }
      self.watcher = .passUnretained(watcher)
      self.connection = connection
      self.raw = raw
    }

    deinit { lists_journal_free(raw) }

    /// Forgets the rows: their transaction has ended.
    func clear() {
      lists_journal_clear(raw)
      state = .idle
    }

    /// The hook: a row is about to be changed.
    fileprivate func rowWillChange(
      _ operation: CInt, _ schema: UnsafePointer<CChar>, _ table: UnsafePointer<CChar>,
      from before: Int64, to after: Int64
    ) {
      // A connection that attaches the store's own file under another name writes the rows of its lists.
      guard
        strcmp(schema, "main") == 0
          || (strcmp(schema, "temp") != 0 && lists_is_main_file(connection, schema) != 0)
      else { return }
      watcher._withUnsafeGuaranteedRef { watcher in
        if watcher.watched.load(ordering: .acquiring) != watched { watcher.sendTables(to: self) }
        let count = lists_journal_note(raw, connection, operation, table, before, after)
        if count > 0 { noteRows() }
        if count >= Self.maximumRows { watcher.take(self) }
      }
    }
  }

  extension RowJournal {
    /// Notes that rows were written down.
    private func noteRows() {
      var writer: Writer { lists_is_in_transaction(connection) == 0 ? .statement : .transaction }
      switch state {
      case .idle: state = .writing(writer)
      case .committing(nil): state = .committing(writer)
      case .writing, .committing: break
      }
    }
  }

  extension CommitWatcher {
    /// Installs the hook. `passUnretained`: the connection's configuration keeps the watcher, and it the journal.
    ///
    /// The first connection that writes is the pool's. Others with its configuration are to other files: GRDB's migrator
    /// makes one to compare schemas.
    func install(on db: Database) throws {
      guard let connection = db.sqliteConnection.map({ UnsafeMutableRawPointer($0) }) else { return }
      guard TableLayout.conventions != nil else {
        throw DatabaseError(message: "This SQLite's pre-update hook is of an unknown kind.")
      }
      guard let journal = RowJournal(self, connection) else { throw DatabaseError(resultCode: .SQLITE_NOMEM) }
      let isFirst = journals.withLock { journals in
        if journals.isEmpty { journals.append(journal) }
        return journals.last === journal
      }
      guard isFirst else { return }
      let installed = lists_install_hook(
        connection,
        { journal, operation, schema, table, before, after in
          guard let journal, let schema, let table else { return }
          Unmanaged<RowJournal>.fromOpaque(journal)._withUnsafeGuaranteedRef {
            $0.rowWillChange(operation, schema, table, from: before, to: after)
          }
        }, Unmanaged.passUnretained(journal).toOpaque())
      if installed == 0 {
        throw DatabaseError(message: "This SQLite was built without the pre-update hook.")
      }
    }

    /// The journal of the connection that is being used.
    func journal(of db: Database) -> RowJournal? {
      guard let connection = db.sqliteConnection.map({ UnsafeMutableRawPointer($0) }) else { return nil }
      return journals.withLock { $0.first { $0.connection == connection } }
    }

    /// Takes in what was written down so far.
    fileprivate func take(_ journal: RowJournal) {
      state.withLock { $0.take(journal, options) }
    }

    /// Sets the tables to be watched from now on.
    fileprivate func sendTables(to journal: RowJournal) {
      state.withLock { state in
        // What is there was written down by what was said before.
        state.take(journal, options)
        journal.watched = watched.load(ordering: .relaxed)
        lists_journal_forget_tables(journal.raw)
        for table in state.tables.indices { state.tables[table].send(CInt(table), to: journal.raw) }
      }
    }
  }

  extension CommitWatcher.State {
    mutating func take(_ journal: RowJournal, _ options: SQLiteStoreOptions) {
      var offset = 0
      var row = lists_row()
      while lists_journal_next(journal.raw, &offset, &row) != 0 { tables[Int(row.table)].note(row, options) }
      if lists_journal_is_incomplete(journal.raw) != 0 {
        for table in tables.indices { tables[table].noteUncertainty() }
        journal.watched = -1
      }
      lists_journal_clear(journal.raw)
    }
  }
#endif
