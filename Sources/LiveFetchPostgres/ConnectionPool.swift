#if PostgreSQL
  import Dispatch
  import LiveStore
  import Synchronization

  /// The connections of a store, each used by one caller at a time.
  ///
  /// libpq's calls wait for the server. They do so on threads of the pool's own, one for each connection, and never on those of
  /// Swift's concurrency.
  final class ConnectionPool: Sendable {
    private typealias Waiter = @Sendable (Result<Connection?, any Error>) -> Void

    private struct State {
      var idle: [Connection] = []
      /// Those that are there or are being made.
      var count = 0
      /// Reads of lists come after all else: when thousands are read anew, writes do not wait for them.
      var waiters: [Waiter] = []
      var lists: [Waiter] = []
      var isClosed = false

      mutating func takeWaiter() -> Waiter? {
        if !waiters.isEmpty { return waiters.removeFirst() }
        return lists.isEmpty ? nil : lists.removeFirst()
      }

      /// An idle connection that the server has not ended.
      mutating func takeIdle() -> Connection? {
        while let connection = idle.popLast() {
          if connection.isAlive { return connection }
          count -= 1
        }
        return nil
      }
    }

    private let state = Mutex(State())
    private let capacity: Int
    private let address: String
    private let name: String
    private let queue = DispatchQueue(label: "LiveFetchPostgres", attributes: .concurrent)

    init(_ address: String, name: String, capacity: Int) {
      self.address = address
      self.name = name
      self.capacity = max(1, capacity)
    }

    /// Makes a connection that is not one of the pool's.
    func connect() throws -> Connection { try Connection(address, name: name) }

    /// Does something with a connection, on a thread of the pool's.
    /// - Parameters:
    ///   - isList: Whether a list is read.
    ///   - isRepeatable: Whether it can be done again, with a new connection, where the one breaks.
    /// - Throws: `FetchError.closed`, `PostgresError` where there is no connection to be had, or what `body` throws.
    func use<Result: Sendable>(
      isList: Bool = false, isRepeatable: Bool = false,
      _ body: @escaping @Sendable (Connection) throws -> Result
    ) async throws -> Result {
      try await withCheckedThrowingContinuation { continuation in
        take(isList) { [self] taken in
          queue.async { [self] in
            continuation.resume(
              with: Swift.Result { try perform(taken.get(), isRepeatable: isRepeatable, body) })
          }
        }
      }
    }

    private func perform<Result>(
      _ taken: Connection?, isRepeatable: Bool, _ body: (Connection) throws -> Result
    ) throws -> Result {
      var connection = try taken ?? makeConnection()
      defer { giveBack(connection) }
      do { return try body(connection) } catch let error as PostgresError
        where isRepeatable && error.isConnectionLost
      {
        connection = try connect()
        return try body(connection)
      }
    }

    /// Reads something with a connection, once more with a new one where it breaks, and keeps the caller's thread waiting. It never waits for a
    /// connection: those who have them may be waiting for the caller.
    func useWaiting<Result>(_ body: (Connection) throws -> Result) throws -> Result {
      let idle = try state.withLock { state -> Connection? in
        if state.isClosed { throw FetchError.closed }
        let idle = state.takeIdle()
        if idle == nil { state.count += 1 }
        return idle
      }
      return try perform(idle, isRepeatable: true, body)
    }

    /// Takes a connection, or the permission to make one, as soon as there is one.
    private func take(_ isList: Bool, _ body: @escaping Waiter) {
      let found = state.withLock { state -> Result<Connection?, any Error>? in
        if state.isClosed { return .failure(FetchError.closed) }
        if let connection = state.takeIdle() { return .success(connection) }
        if state.count < capacity {
          state.count += 1
          return .success(nil)
        }
        if isList { state.lists.append(body) } else { state.waiters.append(body) }
        return nil
      }
      if let found { body(found) }
    }

    private func makeConnection() throws -> Connection {
      do { return try connect() } catch {
        passOn(nil)
        throw error
      }
    }

    private func giveBack(_ connection: Connection) {
      // One that broke, is still in a transaction because its end failed, or has settings of somebody's is not used again.
      let isAsBefore = connection.isUsable && !connection.isInTransaction && !connection.isSessionChanged
      passOn(isAsBefore ? connection : nil)
    }

    /// Hands a connection on, or the permission to make one.
    private func passOn(_ connection: Connection?) {
      let waiter = state.withLock { state -> Waiter? in
        if state.count <= capacity, let waiter = state.takeWaiter() { return waiter }
        if let connection, !state.isClosed, state.count <= capacity {
          state.idle.append(connection)
        } else {
          state.count -= 1
        }
        return nil
      }
      waiter?(.success(connection))
    }

    /// Ends the connections that are idle, those in use when they are given back, and whoever waits.
    func close() {
      let waiters = state.withLock { state in
        defer { (state.waiters, state.lists, state.idle, state.isClosed) = ([], [], [], true) }
        return state.waiters + state.lists
      }
      for waiter in waiters { waiter(.failure(FetchError.closed)) }
    }

    /// Does something on a thread of the pool's.
    func onThread<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async throws -> Result {
      try await withCheckedThrowingContinuation { continuation in
        queue.async { continuation.resume(with: Swift.Result { try body() }) }
      }
    }
  }
#endif
