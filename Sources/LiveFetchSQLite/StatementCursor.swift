#if SQLite
  import CSQLiteHooks
  import GRDB
  import LiveStore

  /// The rows of a statement, column by column, without a copy.
  ///
  /// The statement is reset when the cursor goes away, which must be before its connection is used otherwise.
  final class StatementCursor: FetchRowCursor {
    private let statement: Statement
    private let raw: UnsafeMutableRawPointer
    private let connection: UnsafeMutableRawPointer?
    /// The columns' values as SQLite gives them, and in the form that lists take.
    private let values: UnsafeMutableBufferPointer<lists_value>
    private let columns: UnsafeMutableBufferPointer<FetchRawValue>

    init(_ query: SQLText, in db: Database) throws {
      do {
        statement = try db.cachedStatement(sql: query.sql)
      } catch let error as DatabaseError where error.isOfSize {
        throw FetchError.request(.tooLarge("\(error.message ?? "")"))
      }
      raw = UnsafeMutableRawPointer(statement.sqliteStatement)
      connection = db.sqliteConnection.map { UnsafeMutableRawPointer($0) }
      lists_reset(raw)
      let parameters = Int(lists_parameter_number(raw))
      if parameters != query.values.count {
        throw FetchError.request(.parameterCount(parameters, values: query.values.count))
      }
      let count = Int(lists_column_number(raw))
      values = .allocate(capacity: count)
      values.initialize(repeating: lists_value())
      columns = .allocate(capacity: count)
      columns.initialize(repeating: .null)
      for (index, value) in query.values.enumerated() {
        Self.bind(value, at: CInt(index + 1), to: raw)
      }
    }

    deinit {
      lists_reset(raw)
      values.deallocate()
      columns.deallocate()
    }

    static func bind(_ value: FetchValue, at index: CInt, to statement: UnsafeMutableRawPointer) {
      var bound = lists_value()
      switch value {
      case .null: bound.type = ValueType.null
      case .integer(let number):
        bound.type = ValueType.integer
        bound.integer = number
      case .real(let number):
        bound.type = ValueType.real
        bound.real = number
      case .text(var text):
        text.withUTF8 { bytes in
          bound.type = ValueType.text
          bound.bytes = UnsafeRawPointer(bytes.baseAddress)
          bound.count = CInt(bytes.count)
          _ = lists_bind(statement, index, &bound)
        }
        return
      case .blob(let blob):
        blob.withUnsafeBytes { bytes in
          bound.type = ValueType.blob
          bound.bytes = bytes.baseAddress
          bound.count = CInt(bytes.count)
          _ = lists_bind(statement, index, &bound)
        }
        return
      }
      _ = lists_bind(statement, index, &bound)
    }

    func next() throws -> FetchRawRow? {
      switch lists_step_row(raw, values.baseAddress, CInt(values.count)) {
      case StepResult.row:
        for column in columns.indices { columns[column] = FetchRawValue(values[column]) }
        return FetchRawRow(UnsafeBufferPointer(columns))
      case StepResult.done: return nil
      case let code: throw Self.error(code, statement, connection)
      }
    }

    private static func error(
      _ code: CInt, _ statement: Statement, _ connection: UnsafeMutableRawPointer?
    ) -> DatabaseError {
      let message = lists_error_message(connection).map { String(cString: $0) }
      return DatabaseError(resultCode: ResultCode(rawValue: code), message: message, sql: statement.sql)
    }

    /// Returns the error of a statement that has failed.
    static func error(_ code: CInt, _ statement: Statement, in db: Database) -> DatabaseError {
      error(code, statement, db.sqliteConnection.map { UnsafeMutableRawPointer($0) })
    }
  }

  extension DatabaseError {
    /// Whether a statement has more of something than SQLite takes.
    fileprivate var isOfSize: Bool {
      if resultCode == .SQLITE_TOOBIG { return true }
      let message = message ?? ""
      return message.hasPrefix("Expression tree is too large") || message.hasPrefix("too many ")
        || message.contains("parser stack overflow")
    }
  }

  extension FetchRawValue {
    /// A value where SQLite has it.
    init(_ value: lists_value) {
      switch value.type {
      case ValueType.integer: self.init(kind: .integer, integer: value.integer)
      case ValueType.real: self.init(kind: .real, real: value.real)
      case ValueType.text: self.init(kind: .text, bytes: value.buffer)
      case ValueType.blob: self.init(kind: .blob, bytes: value.buffer)
      default: self = .null
      }
    }
  }

  extension lists_value {
    /// The bytes of a text or a blob. Those of an empty one may be nowhere.
    var buffer: UnsafeRawBufferPointer {
      UnsafeRawBufferPointer(start: bytes, count: bytes == nil ? 0 : Int(count))
    }
  }
#endif
