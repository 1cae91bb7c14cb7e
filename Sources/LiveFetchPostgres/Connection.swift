#if PostgreSQL
  import CLibPQ
  import Foundation
  import LiveStore

  /// A connection to PostgreSQL.
  ///
  /// `@unchecked`: a connection is used by one thread at a time, that of whoever took it from the pool, and is handed
  /// on by a lock. `cancel` alone may be called beside it, which libpq permits.
  final class Connection: @unchecked Sendable {
    let handle: OpaquePointer

    /// Connects.
    /// - Parameters:
    ///   - connection: libpq's connection string or address.
    ///   - name: What the server's list of connections calls it.
    /// - Throws: `PostgresError`.
    init(_ connection: String, name: String) throws {
      // The app's own words come after ours and override them, except for the encoding.
      let settings = [
        ("connect_timeout", "10"), ("keepalives_idle", "5"), ("keepalives_interval", "3"),
        ("keepalives_count", "3"),
        ("tcp_user_timeout", "15000"), ("target_session_attrs", "read-write"), ("application_name", name),
        ("dbname", connection), ("client_encoding", "UTF8"),
      ]
      let made = Self.withStrings(settings.map(\.0)) { names in
        Self.withStrings(settings.map(\.1)) { values in PQconnectdbParams(names, values, 1) }
      }
      guard let made else {
        throw PostgresError("There is no memory for a connection.", isConnectionLost: true)
      }
      handle = made
      // libpq would print them.
      PQsetNoticeProcessor(made, { _, _ in }, nil)
      if PQstatus(made) != CONNECTION_OK { throw PostgresError(connection: made) }
      if PQserverVersion(made) < 140_000 {
        throw PostgresError(
          "PostgreSQL 14 or newer is needed; the server is \(PQserverVersion(made) / 10_000).")
      }
    }

    deinit { PQfinish(handle) }

    /// The longest that a statement may take; nil for as long as it takes.
    private var patience: Duration?
    /// How many bytes have come of the copy that is being read.
    var copied = 0
    /// Whether somebody's statement may have changed a setting of the session. Nobody else is to use it then.
    var isSessionChanged = false
    /// Whether an answer did not come in time: what comes now belongs to a statement that nobody waits for.
    private var isGivenUp = false

    /// The server's process for the connection.
    var process: Int32 { PQbackendPID(handle) }
    var socket: Int32 { PQsocket(handle) }
    var isUsable: Bool { PQstatus(handle) == CONNECTION_OK && !isGivenUp }

    /// Whether the server has not ended the connection while it was idle, as far as that has come through.
    var isAlive: Bool {
      var descriptor = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
      // Nothing comes by itself but the reason of the end, and the end.
      return poll(&descriptor, 1, 0) == 0 && isUsable
    }
    /// Whether a statement of the transaction has failed, so that all that follow are refused.
    var isTransactionFailed: Bool { PQtransactionStatus(handle) == PQTRANS_INERROR }
    var isInTransaction: Bool { PQtransactionStatus(handle) != PQTRANS_IDLE }

    private static func withStrings<Result>(
      _ strings: [String], _ body: (UnsafePointer<UnsafePointer<CChar>?>) -> Result
    ) -> Result {
      var bytes: [CChar] = []
      var offsets: [Int] = []
      for string in strings {
        offsets.append(bytes.count)
        bytes += string.utf8CString
      }
      return bytes.withUnsafeBufferPointer { buffer in
        let pointers = offsets.map { offset in buffer.baseAddress.map { $0 + offset } } + [nil]
        return body(pointers)
      }
    }

    // MARK: Statements

    /// Performs statements, and gives the connection up when one of them takes longer than there is patience. So one is found that lets
    /// nothing through and does not break. Of `begin`, `nextRow` and `runCommit` it limits nothing.
    func answering<Result>(within patience: Duration, _ body: () throws -> Result) rethrows -> Result {
      let before = self.patience
      self.patience = patience
      defer { self.patience = before }
      return try body()
    }

    /// Performs one or several statements without parameters, in one round trip.
    func run(_ sql: String) throws {
      let result = try finish {
        PQexec(handle, sql)
      } or: {
        PQsendQuery(handle, sql)
      }
      defer { PQclear(result) }
      let status = PQresultStatus(result)
      guard status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK || status == PGRES_EMPTY_QUERY else {
        throw PostgresError(result, on: handle)
      }
    }

    /// Commits, and returns what the server says it did: an aborted transaction is rolled back without an error.
    func runCommit() throws -> String {
      let result = PQexec(handle, "COMMIT")
      defer { PQclear(result) }
      guard PQresultStatus(result) == PGRES_COMMAND_OK else { throw PostgresError(result, on: handle) }
      return String(cString: PQcmdStatus(result))
    }

    /// Performs a statement, and waits for all of its rows.
    /// - Throws: `PostgresError`, also for a statement that is empty or copies.
    func query(_ sql: String, _ parameters: [Parameter] = []) throws -> QueryResult {
      let result = try withParameters(parameters) { count, types, values, lengths, formats in
        try finish {
          PQexecParams(handle, sql, count, types, values, lengths, formats, 1)
        } or: {
          PQsendQueryParams(handle, sql, count, types, values, lengths, formats, 1)
        }
      }
      let status = PQresultStatus(result)
      guard let result, status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK else {
        defer { PQclear(result) }
        throw error(of: result)
      }
      return QueryResult(result)
    }

    /// The error of a result that is none of a statement with rows or without.
    private func error(of result: OpaquePointer?) -> PostgresError {
      switch PQresultStatus(result) {
      case PGRES_EMPTY_QUERY: return PostgresError("The statement is empty.")
      case PGRES_COPY_IN, PGRES_COPY_OUT, PGRES_COPY_BOTH:
        // It goes on until somebody has taken all of it.
        isGivenUp = true
        return PostgresError("COPY cannot be used as a statement.")
      default: return PostgresError(result, on: handle)
      }
    }

    /// Performs a statement, and waits no longer for its end than there is patience.
    /// - Parameters:
    ///   - execute: Waits for as long as it takes.
    ///   - send: Only sends.
    private func finish(
      _ execute: () -> OpaquePointer?, or send: () -> Int32
    ) throws -> OpaquePointer? {
      if isGivenUp { throw Self.silence }
      guard let patience else { return execute() }
      let end = ContinuousClock.now + patience
      guard send() == 1 else { throw PostgresError(connection: handle) }
      var last: OpaquePointer?
      while true {
        do { try waitForAnswer(until: end) } catch {
          PQclear(last)
          throw error
        }
        guard let result = PQgetResult(handle) else { return last }
        PQclear(last)
        last = result
      }
    }

    private func waitForAnswer(until end: ContinuousClock.Instant) throws {
      while PQisBusy(handle) == 1 {
        let left = ContinuousClock.now.duration(to: end)
        guard left > .zero else {
          isGivenUp = true
          throw Self.silence
        }
        var descriptor = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
        let milliseconds =
          left.components.seconds * 1_000 + left.components.attoseconds / 1_000_000_000_000_000
        poll(&descriptor, 1, Int32(clamping: milliseconds + 1))
        guard PQconsumeInput(handle) == 1 else { throw PostgresError(connection: handle) }
      }
    }

    /// Performs statements one after the other in one round trip. After one that fails, none of the following is performed.
    /// - Returns: The result of each.
    /// - Throws: The error of the first that fails.
    @discardableResult
    func pipeline(_ statements: [SQLStatement]) throws -> [QueryResult] {
      if isGivenUp { throw Self.silence }
      guard PQenterPipelineMode(handle) == 1 else { throw PostgresError(connection: handle) }
      var failure: PostgresError?
      do {
        for statement in statements { try send(statement) }
      } catch let error as PostgresError {
        // What was sent before is performed all the same.
        failure = error
      }
      guard PQpipelineSync(handle) == 1 else { throw failure ?? PostgresError(connection: handle) }
      let end = patience.map { ContinuousClock.now + $0 }
      var results: [QueryResult] = []
      while true {
        if let end { try waitForAnswer(until: end) }
        guard let result = PQgetResult(handle) else {
          // The end of one statement's results.
          if PQstatus(handle) == CONNECTION_OK { continue }
          throw failure ?? PostgresError(connection: handle)
        }
        switch PQresultStatus(result) {
        case PGRES_COMMAND_OK, PGRES_TUPLES_OK: results.append(QueryResult(result))
        case PGRES_PIPELINE_SYNC:
          PQclear(result)
          _ = PQexitPipelineMode(handle)
          if let failure { throw failure }
          return results
        case PGRES_PIPELINE_ABORTED: PQclear(result)
        default:
          failure = failure ?? error(of: result)
          PQclear(result)
          if isGivenUp, let failure { throw failure }
        }
      }
    }

    private func send(_ statement: SQLStatement) throws {
      let isSent = try withParameters(statement.parameters) { count, types, values, lengths, formats in
        PQsendQueryParams(handle, statement.sql, count, types, values, lengths, formats, 1)
      }
      if isSent != 1 { throw PostgresError(connection: handle) }
    }

    private static let silence = PostgresError("The server does not answer.", isConnectionLost: true)

    /// Begins a query whose rows are taken one by one with ``nextRow()``.
    func begin(_ sql: String, _ parameters: [Parameter]) throws {
      let isSent = try withParameters(parameters) { count, types, values, lengths, formats in
        PQsendQueryParams(handle, sql, count, types, values, lengths, formats, 1)
      }
      guard isSent == 1, PQsetSingleRowMode(handle) == 1 else { throw PostgresError(connection: handle) }
    }

    /// The next row of the query that was begun; nil after the last one.
    func nextRow() throws -> OpaquePointer? {
      guard let result = PQgetResult(handle) else { return nil }
      if PQresultStatus(result) == PGRES_SINGLE_TUPLE { return result }
      defer { PQclear(result) }
      let status = PQresultStatus(result)
      let failure =
        status == PGRES_TUPLES_OK || status == PGRES_COMMAND_OK ? nil : error(of: result)
      if isGivenUp, let failure { throw failure }
      // The end of the results has to be taken, or the connection takes no further query.
      while let more = PQgetResult(handle) { PQclear(more) }
      if let failure { throw failure }
      return nil
    }

    /// Gives up the query that was begun.
    func abandon() {
      if isGivenUp { return }
      cancel()
      while let result = PQgetResult(handle) { PQclear(result) }
    }

    /// Asks the server to end what the connection is doing.
    func cancel() {
      guard let cancel = PQgetCancel(handle) else { return }
      var message = [CChar](repeating: 0, count: 256)
      _ = PQcancel(cancel, &message, Int32(message.count))
      PQfreeCancel(cancel)
    }

    private func withParameters<Result>(
      _ parameters: [Parameter],
      _ body: (
        Int32, UnsafePointer<Oid>?, UnsafePointer<UnsafePointer<CChar>?>?, UnsafePointer<Int32>?,
        UnsafePointer<Int32>?
      ) throws -> Result
    ) throws -> Result {
      if let text = parameters.first(where: \.hasZeroByte) {
        throw PostgresError("PostgreSQL cannot store text with a zero byte, as in \(text).")
      }
      guard parameters.count <= 65_535 else {
        throw PostgresError(
          "PostgreSQL takes 65535 values in a statement, and \(parameters.count) were given.")
      }
      if parameters.isEmpty { return try body(0, nil, nil, nil, nil) }
      var bytes: [UInt8] = []
      var ranges: [Range<Int>] = []
      for parameter in parameters {
        let start = bytes.count
        parameter.write(to: &bytes)
        ranges.append(start..<bytes.count)
        bytes.append(0)
      }
      return try bytes.withUnsafeBytes { buffer in
        let base = buffer.baseAddress?.assumingMemoryBound(to: CChar.self)
        let values = zip(parameters, ranges).map { parameter, range in
          parameter == .null ? nil : base.map { UnsafePointer($0 + range.lowerBound) }
        }
        return try body(
          Int32(parameters.count), parameters.map(\.oid), values, ranges.map { Int32($0.count) },
          parameters.map { $0.isBinary ? 1 : 0 })
      }
    }

    // MARK: Notifications

    /// Takes what has come without being asked for, and returns how many notifications of others were among it.
    func takeNotifications() throws -> Int {
      guard PQconsumeInput(handle) == 1 else { throw PostgresError(connection: handle) }
      var count = 0
      while let notification = PQnotifies(handle) {
        if notification.pointee.be_pid != process { count += 1 }
        PQfreemem(notification)
      }
      return count
    }
  }
#endif
