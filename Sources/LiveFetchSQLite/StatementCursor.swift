#if SQLite
  import CSQLiteHooks
  import GRDB
  import LiveFetch

  /// The rows of a statement, column by column, without a copy.
  ///
  /// The statement is reset when the cursor goes away, which must be before its connection is used otherwise.
  final class StatementCursor: FetchRowCursor {
    private let statement: Statement
    private let raw: UnsafeMutableRawPointer
    private let connection: UnsafeMutableRawPointer?

    init(_ query: SQLText, in db: Database) throws {
      statement = try db.cachedStatement(sql: query.sql)
      raw = UnsafeMutableRawPointer(statement.sqliteStatement)
      connection = db.sqliteConnection.map { UnsafeMutableRawPointer($0) }
      lists_reset(raw)
      for (place, value) in query.values.enumerated() {
        Self.bind(value, at: CInt(place + 1), to: raw)
      }
    }

    deinit { lists_reset(raw) }

    private static func bind(_ value: FetchValue, at place: CInt, to statement: UnsafeMutableRawPointer) {
      var bound = lists_value()
      switch value {
      case .null: bound.type = 5
      case .integer(let number):
        bound.type = 1
        bound.integer = number
      case .real(let number):
        bound.type = 2
        bound.real = number
      case .text(var text):
        text.withUTF8 { bytes in
          bound.type = 3
          bound.bytes = UnsafeRawPointer(bytes.baseAddress)
          bound.count = CInt(bytes.count)
          _ = lists_bind(statement, place, &bound)
        }
        return
      case .blob(let blob):
        blob.withUnsafeBytes { bytes in
          bound.type = 4
          bound.bytes = bytes.baseAddress
          bound.count = CInt(bytes.count)
          _ = lists_bind(statement, place, &bound)
        }
        return
      }
      _ = lists_bind(statement, place, &bound)
    }

    func next() throws -> Bool {
      switch lists_step(raw) {
      case 100: return true
      case 101: return false
      case let code:
        let message = lists_error_message(connection).map { String(cString: $0) }
        throw DatabaseError(resultCode: ResultCode(rawValue: code), message: message, sql: statement.sql)
      }
    }

    func kind(_ column: Int) -> FetchValueKind {
      FetchValueKind(rawValue: UInt8(truncatingIfNeeded: lists_column_type(raw, CInt(column)))) ?? .null
    }

    func integer(_ column: Int) -> Int64 { lists_column_integer(raw, CInt(column)) }

    func real(_ column: Int) -> Double { lists_column_real(raw, CInt(column)) }

    func bytes(_ column: Int) -> UnsafeRawBufferPointer {
      var count: CInt = 0
      let bytes = lists_column_bytes(raw, CInt(column), &count)
      return UnsafeRawBufferPointer(start: bytes, count: bytes == nil ? 0 : Int(count))
    }
  }
#endif
