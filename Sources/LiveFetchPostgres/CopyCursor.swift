#if PostgreSQL
  import CLibPQ
  import LiveStore

  /// The rows of a query as `COPY` sends them, in PostgreSQL's binary format.
  ///
  /// libpq makes a result of each row of a query; of `COPY` it hands on the bytes, which takes a third of the time.
  ///
  /// ```
  /// signature (11 bytes) · flags (4) · length of what follows of the header (4) · …
  /// number of fields (2) · of each its length, or -1 for NULL (4), and its bytes      one row, and again
  /// -1 (2)                                                                            the end
  /// ```
  final class CopyCursor: FetchRowCursor {
    private let connection: Connection
    private let codecs: [Codec]
    private let values: UnsafeMutableBufferPointer<FetchRawValue>
    /// The message that the last row is in, and where the next begins.
    private var message: UnsafeMutableRawBufferPointer?
    private var offset = 0
    private var isHeaderRead = false
    private var isAtEnd = false
    private let filter: FetchExpression?

    /// - Parameters:
    ///   - sql: The query, without parameters.
    ///   - columns: How many columns are wanted.
    ///   - filter: What a row has to meet besides.
    init(_ sql: String, columns: Int, filter: FetchExpression?, on connection: Connection) throws {
      self.connection = connection
      self.filter = filter
      let fields = try connection.beginCopy(sql)
      do { codecs = try Codec.all(fields, wanted: columns) } catch {
        connection.abandonCopy()
        throw error
      }
      values = .allocate(capacity: columns)
      values.initialize(repeating: .null)
    }

    deinit {
      PQfreemem(message?.baseAddress)
      values.deallocate()
    }

    /// Gives up what is left, so that the connection can be used again.
    func finish() {
      if !isAtEnd { connection.abandonCopy() }
      isAtEnd = true
    }

    func next() throws -> FetchRawRow? {
      while let row = try advance() {
        guard let filter else { return row }
        if filter.holds({ row.value($0) }) { return row }
      }
      return nil
    }

    private func advance() throws -> FetchRawRow? {
      if isAtEnd { return nil }
      while offset == message?.count ?? 0 {
        if try !takeMessage() { return nil }
      }
      guard let count: Int16 = read(), count >= 0 else {
        // The end is followed by that of the statement, which may be an error.
        while try takeMessage() {}
        return nil
      }
      for field in 0..<Int(count) {
        guard let length: Int32 = read() else { throw Self.damaged }
        let bytes = max(0, Int(length))
        guard let message, message.count - offset >= bytes else { throw Self.damaged }
        if field < values.count {
          values[field] =
            length < 0
            ? .null : codecs[field].value(UnsafeRawBufferPointer(rebasing: message[offset..<offset + bytes]))
        }
        offset += bytes
      }
      return FetchRawRow(UnsafeBufferPointer(values))
    }

    /// - Returns: Whether there was one more message.
    private func takeMessage() throws -> Bool {
      PQfreemem(message?.baseAddress)
      message = nil
      offset = 0
      do { message = try connection.nextCopied() } catch {
        isAtEnd = true
        throw error
      }
      guard message != nil else {
        isAtEnd = true
        return false
      }
      if !isHeaderRead {
        isHeaderRead = true
        offset = 15
        guard let rest: Int32 = read() else { throw Self.damaged }
        offset += Int(rest)
      }
      return true
    }

    /// A number in the order of the network; nil behind the message's end.
    private func read<Number: FixedWidthInteger>() -> Number? {
      let size = MemoryLayout<Number>.size
      guard let message, message.count - offset >= size else { return nil }
      defer { offset += size }
      return Number(bigEndian: message.loadUnaligned(fromByteOffset: offset, as: Number.self))
    }

    private static let damaged = PostgresError(
      "The server's copy is not in the format that it says.", isConnectionLost: true)
  }

  extension Connection {
    /// Begins to copy a query's rows, which ``nextCopied()`` takes.
    ///
    /// A copy does not say the types of its columns. So the query is made without rows before it, in the same round trip: what that reads is
    /// locked against changes of its types until the transaction's end.
    /// - Returns: The columns of the query.
    func beginCopy(_ sql: String) throws -> [(name: String, type: Oid)] {
      let both = "SELECT * FROM (\(sql)) AS described LIMIT 0; COPY (\(sql)) TO STDOUT (FORMAT binary)"
      guard PQsendQuery(handle, both) == 1 else { throw PostgresError(connection: handle) }
      let described = PQgetResult(handle)
      defer { PQclear(described) }
      guard PQresultStatus(described) == PGRES_TUPLES_OK else { throw failure(of: described) }
      let copy = PQgetResult(handle)
      defer { PQclear(copy) }
      guard PQresultStatus(copy) == PGRES_COPY_OUT else { throw failure(of: copy) }
      return (0..<PQnfields(described)).map {
        (String(cString: PQfname(described, $0)), PQftype(described, $0))
      }
    }

    /// The next message of the copy, which the caller frees; nil behind the last.
    func nextCopied() throws -> UnsafeMutableRawBufferPointer? {
      var bytes: UnsafeMutablePointer<CChar>?
      let length = PQgetCopyData(handle, &bytes, 0)
      if length > 0 { return UnsafeMutableRawBufferPointer(start: bytes, count: Int(length)) }
      guard length == -1 else { throw failure(of: nil) }
      let result = PQgetResult(handle)
      defer { PQclear(result) }
      guard PQresultStatus(result) == PGRES_COMMAND_OK else { throw failure(of: result) }
      while let more = PQgetResult(handle) { PQclear(more) }
      return nil
    }

    /// Gives up the copy that was begun.
    func abandonCopy() {
      cancel()
      var bytes: UnsafeMutablePointer<CChar>?
      while PQgetCopyData(handle, &bytes, 0) > 0 { PQfreemem(bytes) }
      while let result = PQgetResult(handle) { PQclear(result) }
    }

    /// The error of a result, after which the connection can be used again.
    private func failure(of result: OpaquePointer?) -> PostgresError {
      let error = PostgresError(result, on: handle)
      while let more = PQgetResult(handle) { PQclear(more) }
      return error
    }
  }
#endif
