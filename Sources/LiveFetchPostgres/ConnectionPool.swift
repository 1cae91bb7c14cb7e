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
      /// Those that reads of lists and of their rows have.
      var readerCount = 0
      /// Reads of lists come after all else: when thousands are read anew, writes do not wait for them.
      var waiters: [Purpose: [Waiter]] = [:]
      var isClosed = false

      mutating func takeWaiter(readers limit: Int) -> Waiter? {
        for purpose in Purpose.allCases where !(purpose.isReading && readerCount >= limit) {
          guard waiters[purpose]?.isEmpty == false else { continue }
          if purpose.isReading { readerCount += 1 }
          return waiters[purpose]?.removeFirst()
        }
        return nil
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

    /// The use of a connection, in the order in which they are served.
    enum Purpose: CaseIterable {
      case other
      /// Commits are looked for.
      case commits
      /// Rows of a list are read.
      case rows
      case list

      var isReading: Bool { self == .rows || self == .list }
      /// Whether it can be done again, with a new connection, where the one breaks.
      var isRepeatable: Bool { self == .commits || self == .rows }
    }

    private let state = Mutex(State())
    private let capacity: Int
    /// Reads that wait, as for a table that somebody has locked, leave a connection to all else.
    private var readerLimit: Int { max(1, capacity - 1) }
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
    /// - Throws: `FetchError.closed`, `PostgresError` where there is no connection to be had, or what `body` throws.
    func use<Result: Sendable>(
      for purpose: Purpose = .other, _ body: @escaping @Sendable (Connection) throws -> Result
    ) async throws -> Result {
      try await withCheckedThrowingContinuation { continuation in
        take(for: purpose) { [self] taken in
          queue.async { [self] in
            continuation.resume(
              with: Swift.Result {
                try perform(
                  taken.get(), isReader: purpose.isReading, isRepeatable: purpose.isRepeatable, body)
              })
          }
        }
      }
    }

    private func perform<Result>(
      _ taken: Connection?, isReader: Bool, isRepeatable: Bool, _ body: (Connection) throws -> Result
    ) throws -> Result {
      var connection: Connection
      do { connection = try taken ?? connect() } catch {
        passOn(nil, endsReader: isReader)
        throw error
      }
      defer { giveBack(connection, endsReader: isReader) }
      do { return try body(connection) } catch let error as PostgresError
        where isRepeatable && error.isConnectionLost
      {
        connection = try connect()
        return try body(connection)
      }
    }

    /// Reads rows of a list with a connection, once more with a new one where it breaks, and keeps the caller's thread waiting. It never waits
    /// for a connection: those who have them may be waiting for the caller.
    func useWaiting<Result>(_ body: (Connection) throws -> Result) throws -> Result {
      let idle = try state.withLock { state -> Connection? in
        if state.isClosed { throw FetchError.closed }
        let idle = state.takeIdle()
        if idle == nil { state.count += 1 }
        return idle
      }
      return try perform(idle, isReader: false, isRepeatable: true, body)
    }

    /// Takes a connection, or the permission to make one, as soon as there is one.
    private func take(for purpose: Purpose, _ body: @escaping Waiter) {
      let found = state.withLock { state -> Result<Connection?, any Error>? in
        if state.isClosed { return .failure(FetchError.closed) }
        if !purpose.isReading || state.readerCount < readerLimit {
          let idle = state.takeIdle()
          if idle != nil || state.count < capacity {
            if idle == nil { state.count += 1 }
            if purpose.isReading { state.readerCount += 1 }
            return .success(idle)
          }
        }
        state.waiters[purpose, default: []].append(body)
        return nil
      }
      if let found { body(found) }
    }

    private func giveBack(_ connection: Connection, endsReader: Bool) {
      // One that broke, is still in a transaction because its end failed, or has settings of somebody's is not used again.
      let isAsBefore = connection.isUsable && !connection.isInTransaction && !connection.isSessionChanged
      passOn(isAsBefore ? connection : nil, endsReader: endsReader)
    }

    /// Hands a connection on, or the permission to make one.
    private func passOn(_ connection: Connection?, endsReader: Bool) {
      let waiter = state.withLock { state -> Waiter? in
        if endsReader { state.readerCount -= 1 }
        if state.count <= capacity, let waiter = state.takeWaiter(readers: readerLimit) { return waiter }
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
        defer { (state.waiters, state.idle, state.isClosed) = ([:], [], true) }
        return state.waiters.values.flatMap(\.self)
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
