#if PostgreSQL
  public import LiveStore
  import Foundation
  import Synchronization

  /// A store on a PostgreSQL database, for any number of nodes.
  ///
  /// ```swift
  /// let store = try await PostgresStore(connection: "postgresql://app@db.example/photos")
  /// try await store.write(origin: "drag-1") { try $0.execute("UPDATE photo SET title = ? WHERE id = ?", [title, id]) }
  /// ```
  ///
  /// Commits of all nodes and programs are seen, however they are made: triggers on the tables of which there are lists write a log
  /// into the schema `livelists`, and each node looks there. A list is as new as the last look, and right after a read, a write or
  /// ``waitUntilCurrent()`` of this store.
  ///
  /// When the database cannot be reached, lists stay as they are (`FetchStoreEvent.interrupted`), and go on as soon as it
  /// can be: from where they were, or by reading anew where commits may have been lost.
  public final class PostgresStore: FetchStore {
    let pool: ConnectionPool
    let options: PostgresStoreOptions
    /// The name by which this store's writes are known in the log.
    let node = UUID().uuidString
    let feed = Mutex(Feed())
    let observers = Mutex(Observers())
    let counts = Mutex(PostgresStatistics())
    /// The feed's position, for those who are not to wait for a look that is being made.
    let newest = Atomic<UInt64>(1)
    let wake = WakeSignal()
    let rangeIndexes = RangeIndexes()
    let lostReads = Mutex(LostReads())
    /// Whether it is to be looked at once whether tables were changed.
    let wantsSchemaCheck = Atomic<Bool>(false)
    /// Whether another node has rung: there is something to be found.
    let isRung = RingFlag()
    let bell: Bell?
    private let polling = Mutex<Task<Void, Never>?>(nil)

    /// Connects to a database, and sets the schema `livelists` up in it, unless it is there.
    /// - Parameters:
    ///   - connection: libpq's connection string or address. What it leaves out is taken from the environment (`PGHOST`, …). With
    ///     several hosts, the one that takes writes is used.
    ///   - options: How the store goes about its work.
    ///   - clock: What measures the time between looks at the log.
    /// - Throws: ``PostgresError`` when the database cannot be reached, or the role may not set the schema up.
    public init(
      connection: String, options: PostgresStoreOptions = .init(),
      clock: any Clock<Duration> = ContinuousClock()
    ) async throws {
      self.options = options
      let pool = ConnectionPool(connection, name: "LiveLists", capacity: options.connections)
      self.pool = pool
      bell = options.ringsBell ? Bell() : nil
      bell?.onRing { [isRung, wake] in
        isRung.set()
        wake.signal()
      }
      try await pool.use { connection in try Setup.run(on: connection) }
      try await pool.use { [self] connection in _ = try advance(on: connection) }
      startPolling(clock)
    }

    private func startPolling(_ clock: any Clock<Duration>) {
      let poller = Poller(pool, bell, options)
      let task = Task { [weak self, wake] in
        while !Task.isCancelled {
          guard let pause = await self?.poll(poller) else { return }
          await wake.wait(upTo: pause, clock)
        }
      }
      polling.withLock { $0 = task }
    }

    /// The position in the history of commits: after the last that was found.
    public var position: FetchPosition { FetchPosition(newest.load(ordering: .acquiring)) }

    /// Counts of the store's work.
    public var statistics: PostgresStatistics { counts.withLock { $0 } }

    /// Ends the streams of all lists, and closes the connections as soon as nobody uses them.
    public func close() {
      polling.withLock { $0?.cancel() }
      wake.signal()
      bell?.close()
      pool.close()
      // Within the lock of deliveries: nothing is told afterwards.
      feed.withLock { feed in
        feed.close()
        for observer in observers.withLock({ $0.close() }) { observer.receive(.closed) }
      }
    }

    deinit { close() }

    func checkOpen() throws {
      if observers.withLock({ $0.isClosed }) { throw FetchError.closed }
    }

    // MARK: FetchStore

    /// Begins to tell an observer of commits.
    public func observe(
      _ plan: FetchPlan, receive: @escaping @Sendable (FetchStoreEvent) -> Void
    ) -> FetchObservation {
      let number = observers.withLock { $0.add(.init(plan: plan, receive: receive)) }
      return FetchObservation { [weak self] in
        let removed = self?.observers.withLock { $0.remove(number) }
        withExtendedLifetime(removed) {}
      }
    }

    /// Looks for commits that were made before the call, and waits until observers have been told of them.
    public func waitUntilCurrent() async {
      _ = try? await pool.use(for: .commits) { [self] connection in try advance(on: connection) }
    }
  }
#endif
