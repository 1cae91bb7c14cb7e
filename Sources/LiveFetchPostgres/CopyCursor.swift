#if PostgreSQL
  import CLibPQ
  import Foundation
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
    /// Bytes that have come: those between `offset` and `filled` are not read yet.
    private var buffer: UnsafeMutableRawBufferPointer
    private var offset = 0
    private var filled = 0
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
      buffer = .allocate(byteCount: 1 << 16, alignment: 8)
    }

    deinit {
      buffer.deallocate()
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
      while !isAtEnd {
        switch try read() {
        case .row: return FetchRawRow(UnsafeBufferPointer(values))
        case .end:
          // The end is followed by that of the statement, which may be an error.
          repeat { offset = filled } while try fill()
        case .nothing:
          if try !fill(), offset < filled { throw Self.damaged }
        }
      }
      return nil
    }

    private enum Step { case row, end, nothing }

    /// Reads the next row, if all of it has come.
    private func read() throws -> Step {
      let bytes = UnsafeRawBufferPointer(rebasing: buffer[offset..<filled])
      var at = 0
      func number<Number: FixedWidthInteger>(_: Number.Type) -> Number? {
        let size = MemoryLayout<Number>.size
        guard bytes.count - at >= size else { return nil }
        defer { at += size }
        return Number(bigEndian: bytes.loadUnaligned(fromByteOffset: at, as: Number.self))
      }
      if !isHeaderRead {
        at = 15
        guard bytes.count > at, let rest = number(Int32.self) else { return .nothing }
        guard rest >= 0 else { throw Self.damaged }
        at += Int(rest)
      }
      guard bytes.count > at, let count = number(Int16.self) else { return .nothing }
      if count < 0 { return .end }
      for field in 0..<Int(count) {
        guard let length = number(Int32.self) else { return .nothing }
        let size = max(0, Int(length))
        guard bytes.count - at >= size else { return .nothing }
        if field < values.count {
          values[field] =
            length < 0
            ? .null : codecs[field].value(UnsafeRawBufferPointer(rebasing: bytes[at..<at + size]))
        }
        at += size
      }
      isHeaderRead = true
      offset += at
      return .row
    }

    /// Takes what has come, and waits where nothing has.
    /// - Returns: Whether there was something.
    private func fill() throws -> Bool {
      let rest = filled - offset
      if offset > 0, rest > 0, let start = buffer.baseAddress {
        start.copyMemory(from: start + offset, byteCount: rest)
      }
      (offset, filled) = (0, rest)
      if rest == buffer.count {
        // A row that is larger than the buffer.
        let larger = UnsafeMutableRawBufferPointer.allocate(byteCount: 2 * rest, alignment: 8)
        larger.copyMemory(from: UnsafeRawBufferPointer(buffer))
        buffer.deallocate()
        buffer = larger
      }
      do {
        filled += try connection.takeCopied(into: UnsafeMutableRawBufferPointer(rebasing: buffer[rest...]))
      } catch {
        isAtEnd = true
        throw error
      }
      if filled == rest { isAtEnd = true }
      return filled > rest
    }

    private static let damaged = PostgresError(
      "The server's copy is not in the format that it says.", isConnectionLost: true)
  }

  extension Connection {
    /// Begins to copy a query's rows, which ``takeCopied(into:)`` takes.
    ///
    /// A copy does not say the types of its columns. So the query is made without rows before it, in the same round trip: what that reads is
    /// locked against changes of its types until the transaction's end.
    /// - Returns: The columns of the query.
    func beginCopy(_ sql: String) throws -> [(name: String, type: Oid)] {
      copied = 0
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

    /// Copies what has come of the copy's bytes, and waits until there are some.
    ///
    /// By libpq's older call, which hands on the bytes without memory of their own for each row. That it says nothing while
    /// nothing is there makes it possible to wait in another way: each piece that a server sends to somebody who waits for the
    /// socket costs it a wake-up, which is a fifth of its work. Whoever is not in a hurry, as the copy is a long one, sleeps
    /// a moment first, and the pieces of that time come together.
    /// - Returns: How many bytes were copied; 0 behind the last.
    func takeCopied(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
      guard let start = buffer.baseAddress?.assumingMemoryBound(to: CChar.self) else { return 0 }
      var count = 0
      var hasSlept = false
      while count < buffer.count {
        let length = PQgetlineAsync(handle, start + count, Int32(clamping: buffer.count - count))
        if length > 0 {
          count += Int(length)
          continue
        }
        if count > 0 { break }
        if length < 0 {
          let result = PQgetResult(handle)
          defer { PQclear(result) }
          guard PQresultStatus(result) == PGRES_COMMAND_OK else { throw failure(of: result) }
          while let more = PQgetResult(handle) { PQclear(more) }
          return 0
        }
        var descriptor = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
        if poll(&descriptor, 1, 0) == 0 {
          if copied > 1 << 20, !hasSlept {
            hasSlept = true
            usleep(250)
          } else {
            poll(&descriptor, 1, -1)
          }
        }
        guard PQconsumeInput(handle) == 1 else { throw PostgresError(connection: handle) }
      }
      copied += count
      return count
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
