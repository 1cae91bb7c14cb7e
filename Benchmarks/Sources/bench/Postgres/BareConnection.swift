#if PostgreSQL
  import CBareLibPQ
  import Foundation

  /// A connection as one has it without the library: the peer of the suite.
  ///
  /// `@unchecked`: used by one thread at a time.
  final class BareConnection: @unchecked Sendable {
    struct Failure: Error, CustomStringConvertible { var description: String }

    private let handle: OpaquePointer
    let process: Int32

    init(_ address: String) throws {
      guard let made = PQconnectdb(address), PQstatus(made) == CONNECTION_OK else {
        throw Failure(description: "No connection to \(address).")
      }
      handle = made
      process = PQbackendPID(made)
      PQsetNoticeProcessor(made, { _, _ in }, nil)
    }

    deinit { PQfinish(handle) }

    private func check(_ result: OpaquePointer?) throws {
      let status = PQresultStatus(result)
      if status != PGRES_COMMAND_OK && status != PGRES_TUPLES_OK {
        throw Failure(description: String(cString: PQresultErrorMessage(result)))
      }
    }

    /// Performs statements without parameters.
    func run(_ sql: String) throws {
      let result = PQexec(handle, sql)
      defer { PQclear(result) }
      try check(result)
    }

    /// The texts of a query's first column.
    func texts(_ sql: String) throws -> [String] {
      let result = PQexec(handle, sql)
      defer { PQclear(result) }
      try check(result)
      return (0..<PQntuples(result)).map { String(cString: PQgetvalue(result, $0, 0)) }
    }

    /// Prepares a statement under the name of one letter.
    func prepare(_ sql: String) throws {
      let result = PQprepare(handle, "s", sql, 0, nil)
      defer { PQclear(result) }
      try check(result)
    }

    /// Performs the prepared statement with one number.
    func execute(_ number: Int) throws {
      let result = String(number).withCString { text in
        var value: UnsafePointer<CChar>? = text
        return PQexecPrepared(handle, "s", 1, &value, nil, nil, 0)
      }
      defer { PQclear(result) }
      try check(result)
    }

    /// Goes through a query row by row, in binary, and looks at each value.
    /// - Returns: How many rows there were.
    func rows(_ sql: String) throws -> Int {
      guard PQsendQueryParams(handle, sql, 0, nil, nil, nil, nil, 1) == 1, PQsetSingleRowMode(handle) == 1
      else {
        throw Failure(description: String(cString: PQerrorMessage(handle)))
      }
      var count = 0
      var bytes = 0
      while let result = PQgetResult(handle) {
        if PQresultStatus(result) == PGRES_SINGLE_TUPLE {
          count += 1
          for column in 0..<PQnfields(result) {
            bytes += Int(PQgetlength(result, 0, column)) + Int(PQgetvalue(result, 0, column).pointee)
          }
        }
        PQclear(result)
      }
      Measure.use(bytes)
      return count
    }

    /// Begins to receive what is committed to the tables of a publication. The connection's address says `replication=database`.
    func startReplication(of publication: String) throws {
      try run("CREATE_REPLICATION_SLOT \(publication) TEMPORARY LOGICAL pgoutput NOEXPORT_SNAPSHOT")
      let result = PQexec(
        handle,
        "START_REPLICATION SLOT \(publication) LOGICAL 0/0 (proto_version '1', publication_names '\(publication)')"
      )
      defer { PQclear(result) }
      guard PQresultStatus(result) == PGRES_COPY_BOTH else {
        throw Failure(description: String(cString: PQresultErrorMessage(result)))
      }
    }

    /// Waits for the end of a transaction that is received.
    func waitForCommit() throws {
      // Before the message stand its kind, three numbers of eight bytes, and its own kind.
      let (data, commit) = (CChar(bitPattern: UInt8(ascii: "w")), CChar(bitPattern: UInt8(ascii: "C")))
      while true {
        var bytes: UnsafeMutablePointer<CChar>?
        let count = PQgetCopyData(handle, &bytes, 0)
        guard count > 0, let bytes else { throw Failure(description: "The replication has ended.") }
        defer { PQfreemem(bytes) }
        if count > 25, bytes[0] == data, bytes[25] == commit { return }
      }
    }

    /// Waits for a notification.
    func waitForNotification() throws {
      while true {
        if let found = PQnotifies(handle) { return PQfreemem(found) }
        var descriptor = pollfd(fd: PQsocket(handle), events: Int16(POLLIN), revents: 0)
        poll(&descriptor, 1, 10_000)
        guard PQconsumeInput(handle) == 1 else { throw Failure(description: "The connection was lost.") }
      }
    }
  }
#endif
