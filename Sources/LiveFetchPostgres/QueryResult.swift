#if PostgreSQL
  import CLibPQ
  import LiveStore

  /// The rows of a statement.
  ///
  /// `@unchecked`: nothing changes a result after it was made.
  final class QueryResult: @unchecked Sendable {
    private let handle: OpaquePointer
    let count: Int
    let columnNames: [String]
    private let codecs: [Codec?]

    init(_ handle: OpaquePointer) {
      self.handle = handle
      count = Int(PQntuples(handle))
      let columns = 0..<PQnfields(handle)
      columnNames = columns.map { String(cString: PQfname(handle, $0)) }
      codecs = columns.map { Codec(PQftype(handle, $0)) }
    }

    deinit { PQclear(handle) }

    /// The type of a column's values, below a domain.
    func type(ofColumn column: Int) -> Oid { PQftype(handle, Int32(column)) }

    /// How many rows a statement without rows of its own has touched.
    var touched: Int { Int(String(cString: PQcmdTuples(handle))) ?? 0 }

    func isNull(_ row: Int, _ column: Int) -> Bool { PQgetisnull(handle, Int32(row), Int32(column)) == 1 }

    private func bytes(_ row: Int, _ column: Int) -> UnsafeRawBufferPointer {
      UnsafeRawBufferPointer(
        start: PQgetvalue(handle, Int32(row), Int32(column)),
        count: Int(PQgetlength(handle, Int32(row), Int32(column))))
    }

    /// A copy of a value; bytes of a type that has no form of ours.
    func value(_ row: Int, _ column: Int) -> FetchValue {
      if isNull(row, column) { return .null }
      return FetchValue((codecs[column] ?? .bytes).value(bytes(row, column)))
    }

    /// A value, which is valid as long as the result.
    func rawValue(_ row: Int, _ column: Int) -> FetchRawValue {
      isNull(row, column) ? .null : (codecs[column] ?? .bytes).value(bytes(row, column))
    }

    func text(_ row: Int, _ column: Int) -> String? {
      isNull(row, column) ? nil : String(decoding: bytes(row, column), as: UTF8.self)
    }

    /// The elements of an array of texts.
    func texts(_ row: Int, _ column: Int) -> [String?] {
      if isNull(row, column) { return [] }
      var rest = bytes(row, column)[...]
      func next() -> Int32 {
        let number = rest.prefix(4).reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        rest = rest.dropFirst(4)
        return Int32(bitPattern: number)
      }
      // Dimensions, whether there are NULLs, the elements' type; of each dimension its length and first index.
      guard next() == 1 else { return [] }
      rest = rest.dropFirst(8)
      let count = next()
      rest = rest.dropFirst(4)
      return (0..<count).map { _ in
        let length = next()
        guard length >= 0 else { return nil }
        defer { rest = rest.dropFirst(Int(length)) }
        return String(decoding: rest.prefix(Int(length)), as: UTF8.self)
      }
    }

    func integer(_ row: Int, _ column: Int) -> Int64? {
      if case .integer(let number) = value(row, column) { number } else { nil }
    }

    func truth(_ row: Int, _ column: Int) -> Bool { integer(row, column) == 1 }
  }

  /// A row of a result, as models are made of it.
  struct ResultRow: FetchRowStorage {
    let result: QueryResult
    let row: Int

    var columnNames: [String] { result.columnNames }

    func value(ofColumn column: String) -> FetchValue? {
      result.columnNames.firstIndex(of: column).map { result.value(row, $0) }
    }
  }

  /// The rows of a query, as they come from the server.
  final class ResultCursor: FetchRowCursor {
    private let connection: Connection
    private var row: OpaquePointer?
    private var codecs: [Codec]?
    private let values: UnsafeMutableBufferPointer<FetchRawValue>
    private var isAtEnd = false
    /// The filter, where the SQL does not say all of it.
    private let filter: FetchExpression?

    /// - Parameters:
    ///   - query: The query, whose rows have at least as many columns as are wanted.
    ///   - columns: How many columns are wanted.
    ///   - filter: What a row has to meet besides.
    init(_ query: SQLStatement, columns: Int, filter: FetchExpression?, on connection: Connection) throws {
      self.connection = connection
      self.filter = filter
      values = .allocate(capacity: columns)
      values.initialize(repeating: .null)
      try connection.begin(query.sql, query.parameters)
    }

    deinit {
      PQclear(row)
      values.deallocate()
    }

    /// Takes or gives up what is left, so that the connection can be used again.
    func finish() {
      PQclear(row)
      row = nil
      if !isAtEnd { connection.abandon() }
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
      PQclear(row)
      row = nil
      if isAtEnd { return nil }
      do { row = try connection.nextRow() } catch {
        isAtEnd = true
        throw error
      }
      guard let row else {
        isAtEnd = true
        return nil
      }
      let codecs = try self.codecs ?? findCodecs(row)
      self.codecs = codecs
      for column in values.indices {
        let number = Int32(column)
        if PQgetisnull(row, 0, number) == 1 {
          values[column] = .null
        } else {
          let length = Int(PQgetlength(row, 0, number))
          values[column] = codecs[column].value(
            UnsafeRawBufferPointer(start: PQgetvalue(row, 0, number), count: length))
        }
      }
      return FetchRawRow(UnsafeBufferPointer(values))
    }

    private func findCodecs(_ row: OpaquePointer) throws -> [Codec] {
      try Codec.all(
        (0..<PQnfields(row)).map { (String(cString: PQfname(row, $0)), PQftype(row, $0)) },
        wanted: values.count)
    }
  }

  extension Codec {
    /// Those of a query's first columns.
    static func all(_ columns: [(name: String, type: Oid)], wanted: Int) throws -> [Codec] {
      guard columns.count >= wanted else {
        throw FetchError.request(
          .unsupported("The query has \(columns.count) columns, and the list needs \(wanted)."))
      }
      return try columns.prefix(wanted).map { column in
        guard let codec = Codec(column.type) else {
          throw FetchError.request(
            .unsupported(
              "The query's column “\(column.name)” has a type that lists do not have: cast it to text, or to a number of eight bytes."
            ))
        }
        return codec
      }
    }
  }
#endif
