#if SQLite
  public import GRDB
  public import LiveStore
  import Synchronization

  /// A store on a SQLite database file, through GRDB's `DatabasePool`.
  ///
  /// ```swift
  /// let store = try SQLiteStore(path: "photos.sqlite") { pool in try migrator.migrate(pool) }
  /// try await store.write(origin: "drag-1") { db in try photo.update(db) }
  /// ```
  ///
  /// Every commit made through ``pool`` is seen, however it is made. Commits of other connections and processes
  /// are seen with ``SQLiteStoreOptions/observesOtherProcesses``.
  ///
  /// > Important: The pre-update hook of the pool's writing connection belongs to the store.
  public final class SQLiteStore: FetchStore {
    /// The database. Reads and writes are free to use it; what keeps readers out goes through ``withExclusiveAccess(_:)``.
    public let pool: DatabasePool
    let watcher: CommitWatcher
    let readGate = ReadGate()
    let rowReader = RowReader()
    private let isClosed = Mutex(false)
    private let polling = Mutex<Task<Void, Never>?>(nil)

    /// Opens a database file, which is made if there is none.
    /// - Parameters:
    ///   - path: The file.
    ///   - configuration: How GRDB opens its connections.
    ///   - options: How the store goes about its work.
    ///   - clock: What measures the time between looks at what other processes wrote.
    ///   - prepare: What is done to the database before the store is used, such as migrating it.
    /// - Throws: GRDB's error when the file cannot be opened, or what `prepare` throws.
    public init(
      path: String, configuration: Configuration = Configuration(), options: SQLiteStoreOptions = .init(),
      clock: any Clock<Duration> = ContinuousClock(), prepare: (DatabasePool) throws -> Void = { _ in }
    ) throws {
      let watcher = CommitWatcher(options: options)
      var configuration = configuration
      // The closure keeps the watcher for as long as there are connections whose hook calls it.
      configuration.prepareDatabase { db in
        try SQLiteFunctions.add(to: db)
        guard !db.configuration.readonly else { return }
        try watcher.install(on: db)
        try Self.enlargeCache(of: db, to: options.writingCacheBytes)
      }
      self.watcher = watcher
      pool = try DatabasePool(path: path, configuration: configuration)
      pool.add(transactionObserver: watcher, extent: .databaseLifetime)
      let scheduleDelivery: @Sendable () -> Void = { [weak pool, weak watcher] in
        guard let pool, let watcher else { return }
        pool.asyncWriteWithoutTransaction { db in watcher.deliverPendingCommit(db) }
      }
      watcher.scheduleDelivery.withLock { $0 = scheduleDelivery }
      try prepare(pool)
      if options.observesOtherProcesses { startPolling(every: options.pollingInterval, clock) }
    }

    /// Enlarges the page cache of the writing connection, unless the app has set its size.
    ///
    /// The rows that a commit has touched are read again at its end. With the two megabytes that SQLite keeps by default, a
    /// transaction of some hundred rows all over a large table no longer has their pages by then.
    private static func enlargeCache(of db: Database, to bytes: Int) throws {
      let usual: Int64 = -2_000
      guard try Int64.fetchOne(db, sql: "PRAGMA cache_size") == usual, bytes / 1_024 > -usual else { return }
      try db.execute(sql: "PRAGMA cache_size = \(-(bytes / 1_024))")
    }

    private func startPolling(every interval: Duration, _ clock: any Clock<Duration>) {
      let task = Task { [weak self] in
        while !Task.isCancelled {
          try? await clock.sleep(for: interval)
          guard let self, !Task.isCancelled else { return }
          await self.checkForExternalChanges()
        }
      }
      polling.withLock { $0 = task }
    }

    /// Looks at once for commits of other connections and processes, and delivers them to the lists.
    ///
    /// Without ``SQLiteStoreOptions/observesOtherProcesses`` only a changed schema is seen. A backup into ``pool`` is a change
    /// of the schema as well; ``restore(from:)`` looks by itself. The call waits for writes that are under way.
    /// - Complexity: O(*k* log *n*) for *k* rows that others have touched; a whole read of each list after a changed schema.
    public func checkForExternalChanges() async {
      guard !isClosed.withLock({ $0 }) else { return }
      await withCheckedContinuation { continuation in
        pool.asyncWriteWithoutTransaction { [watcher] db in
          watcher.checkForExternalChanges(db)
          continuation.resume()
        }
      }
    }

    /// Applies those migrations that the database has not had yet. Live lists follow.
    /// - Throws: What a migration throws.
    public func migrate(_ migrator: DatabaseMigrator) throws {
      try withExclusiveAccess { try migrator.migrate($0) }
    }

    /// Does something that keeps all readers of the database out, such as `erase()` or a barrier write.
    ///
    /// Lists that are to be read meanwhile are read afterwards. Done to ``pool`` itself, it could wait for a list that
    /// begins to be read, and that for it. Live lists follow.
    /// - Parameter body: What is done.
    /// - Returns: What `body` returns.
    /// - Throws: What `body` throws.
    public func withExclusiveAccess<Result>(_ body: (DatabasePool) throws -> Result) rethrows -> Result {
      readGate.hold()
      defer { readGate.release() }
      rowReader.hold()
      defer { rowReader.release() }
      // Those that have begun have their readers after this.
      pool.writeWithoutTransaction { _ in }
      // SQLite calls no hook for what replaces or erases the whole database. Told even if something fails behind it.
      defer { pool.writeWithoutTransaction { [watcher] db in try? watcher.checkSchema(db) } }
      return try body(pool)
    }

    /// Replaces all that is in the database by what is in another one. Live lists follow.
    ///
    /// GRDB's `backup(to:)` does the same to ``pool``, but SQLite calls no hook for it: lists then follow with the next
    /// commit, fetch or look (``checkForExternalChanges()``), which with ``SQLiteStoreOptions/observesOtherProcesses`` comes by itself.
    /// - Parameter source: What is copied.
    /// - Throws: GRDB's error; the database is then as it was.
    /// - Complexity: O(*n*) for *n* pages of the source. Readers and writers wait meanwhile.
    public func restore(from source: some DatabaseReader) throws {
      try withExclusiveAccess { try source.backup(to: $0) }
    }

    /// The position in the history of commits.
    public var position: FetchPosition { watcher.position }

    /// Writes in one transaction, which is rolled back when an error is thrown.
    ///
    /// ```swift
    /// let (photo, position) = try await store.write { db in try Photo(title: title).inserted(db) }
    /// ```
    ///
    /// When the call returns, the lists that the commit concerns have it already, except for those that are being
    /// read anew at that time: `FetchController.waitUntil(_:)` waits for these.
    /// - Parameters:
    ///   - origin: An identifier that travels with the change to every listener, such as the identifier of the user's mutation.
    ///   - updates: The writes.
    /// - Returns: The result of `updates`, and the position of the commit; where nothing was written, that of the last one.
    /// - Throws: The database's error, or what `updates` throws.
    @discardableResult
    public func write<Result: Sendable>(
      origin: String? = nil, _ updates: @escaping @Sendable (Database) throws -> Result
    ) async throws -> (result: Result, position: FetchPosition) {
      try await write(origins: origin.map { [$0] } ?? [], updates)
    }

    @discardableResult
    func write<Result: Sendable>(
      origins: [String], _ updates: @escaping @Sendable (Database) throws -> Result
    ) async throws -> (result: Result, position: FetchPosition) {
      try checkOpen()
      return try await pool.writeWithoutTransaction { [watcher] db in
        var result: Result?
        try db.inTransaction {
          watcher.begin(origins: origins, db)
          do {
            result = try updates(db)
            watcher.end(db)
            return .commit
          } catch {
            if !db.isInsideTransaction { watcher.forget(db) }
            throw error
          }
        }
        guard let result else { preconditionFailure("A transaction was committed that was not begun.") }
        // Still in the queue of writes: no other commit has come between.
        return (result, watcher.position)
      }
    }

    /// Reads in one transaction.
    /// - Parameter value: What is read.
    /// - Returns: What `value` returns.
    /// - Throws: The database's error, or what `value` throws.
    public func read<Result: Sendable>(
      _ value: @escaping @Sendable (Database) throws -> Result
    ) async throws -> Result {
      try checkOpen()
      return try await pool.read(value)
    }

    /// Closes the database. The streams of all lists end.
    /// - Throws: GRDB's error when a connection is still in use; the store is of no more use even so.
    public func close() throws {
      let wasClosed = isClosed.withLock { isClosed in
        defer { isClosed = true }
        return isClosed
      }
      guard !wasClosed else { return }
      polling.withLock { $0?.cancel() }
      watcher.close()
      rowReader.close()
      try withExclusiveAccess { try $0.close() }
    }

    deinit {
      polling.withLock { $0?.cancel() }
      watcher.close()
    }

    func checkOpen() throws {
      if isClosed.withLock({ $0 }) { throw FetchError.closed }
    }

    // MARK: FetchStore

    /// Waits until lists have been notified of all commits made before the call.
    ///
    /// Most are delivered before their call returns. What a statement outside of transactions has committed by `RETURNING`,
    /// `insertAndFetch` and their like, by `sqlite3_exec`, or before it failed, is delivered right behind what is done in the writing
    /// connection.
    public func waitUntilCurrent() async {
      guard watcher.isDelivering.load(ordering: .acquiring), !isClosed.withLock({ $0 }) else { return }
      await withCheckedContinuation { continuation in
        pool.asyncWriteWithoutTransaction { [watcher] db in
          watcher.deliverPendingCommit(db)
          continuation.resume()
        }
      }
    }

    /// Begins to notify an observer of commits.
    public func observe(
      _ plan: FetchPlan, receive: @escaping @Sendable (FetchStoreEvent) -> Void
    ) -> FetchObservation {
      let number = watcher.add(plan, receive)
      return FetchObservation { [weak watcher] in watcher?.remove(number) }
    }
  }

  /// How a store goes about its work.
  public struct SQLiteStoreOptions: Sendable, Hashable {
    /// When a transaction touches more rows than this, lists are read anew without looking at single rows.
    public var maximumTouchedRows = 20_000
    /// How much memory the writing connection may keep pages of the database in, when the app's configuration leaves
    /// SQLite's `cache_size` as it is.
    public var writingCacheBytes = 32 << 20
    /// Whether commits of other connections and processes are seen, too.
    ///
    /// Triggers on the listed tables then write a log into the database, whoever changes them, and stay there.
    public var observesOtherProcesses = false
    /// How many touched rows the log of changes names at least, the newest. It is shortened when it has a quarter more.
    ///
    /// A process that has not looked for longer than that reads its lists anew.
    public var logCapacity = 100_000
    /// How often the database is asked whether somebody else has written to it.
    public var pollingInterval: Duration = .milliseconds(100)

    /// The usual way.
    public init() {}
  }
#endif
