#if SQLite
  import GRDB
  import Synchronization

  /// A connection of its own that reads single rows, as edits of drafts do. It is opened when the first row is read.
  ///
  /// The pool takes as long to hand out a reader as SQLite takes for the row. What the connection reads is as new as what the pool's readers do.
  final class RowReader: Sendable {
    private struct State {
      var queue: DatabaseQueue?
      /// How many keep all readers of the database out.
      var holders = 0
      var isClosed = false
      /// The statement that was made last, and what for.
      var statement: (table: String, key: String, sql: String)?
    }
    private let state = Mutex(State())

    /// Reads by the connection.
    /// - Parameter body: Reads. It asks for no other row.
    /// - Returns: nil where there is to be no connection now: the pool is then to be asked.
    func read<Result: Sendable>(of pool: DatabasePool, _ body: (Database) throws -> Result) throws -> Result?
    {
      // Held while it is read, so that nobody closes the connection meanwhile.
      try state.withLock { state in
        if state.isClosed || state.holders > 0 { return nil }
        let queue = try state.queue ?? Self.open(pool)
        state.queue = queue
        return try queue.unsafeRead(body)
      }
    }

    /// Returns the SQL by which a row of a table is read, which is mostly that of the row before.
    func sql(table: String, key: String) -> String {
      state.withLock { state in
        if let last = state.statement, last.table == table, last.key == key { return last.sql }
        let sql = KeyedQuery(table: table, columns: nil, id: key).sql(count: 1)
        state.statement = (table, key, sql)
        return sql
      }
    }

    private static func open(_ pool: DatabasePool) throws -> DatabaseQueue {
      var configuration = pool.configuration
      configuration.readonly = true
      return try DatabaseQueue(path: pool.path, configuration: configuration)
    }

    /// Closes the connection, and opens none until the hold is released.
    func hold() {
      state.withLock { state in
        state.holders += 1
        try? state.queue?.close()
        state.queue = nil
      }
    }

    func release() { state.withLock { $0.holders -= 1 } }

    /// Opens no connection any more.
    func close() { state.withLock { $0.isClosed = true } }
  }
#endif
