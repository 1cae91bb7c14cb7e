#if SQLite
  import GRDBSQLite

  /// A connection by SQLite's own functions, without GRDB and without the library: what the oracle reads by, and a
  /// writer of which the store knows nothing.
  final class RawDatabase {
    struct Failure: Error, CustomStringConvertible {
      var description: String
    }

    /// The rows of a query, and the names of its columns.
    struct Table: Sendable {
      var columns: [String] = []
      var rows: [[Cell]] = []

      /// The ordinal of a column, whose name is compared as SQLite compares names.
      func ordinal(_ name: String) -> Int? {
        columns.firstIndex { $0 == name } ?? columns.firstIndex { $0.lowercased() == name.lowercased() }
      }
    }

    private let connection: OpaquePointer

    init(_ path: String) throws {
      var connection: OpaquePointer?
      let code = sqlite3_open_v2(path, &connection, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, nil)
      guard code == SQLITE_OK, let connection else { throw Failure(description: "cannot open: \(code)") }
      self.connection = connection
      sqlite3_busy_timeout(connection, 10_000)
    }

    deinit { sqlite3_close_v2(connection) }

    /// Runs statements, up to the first that fails.
    func run(_ sql: String) throws {
      guard sqlite3_exec(connection, sql, nil, nil, nil) == SQLITE_OK else { throw failure }
    }

    func rows(_ sql: String) throws -> Table {
      var statement: OpaquePointer?
      guard sqlite3_prepare_v2(connection, sql, -1, &statement, nil) == SQLITE_OK, let statement else {
        throw failure
      }
      defer { sqlite3_finalize(statement) }
      var table = Table()
      var isFirst = true
      while true {
        let code = sqlite3_step(statement)
        // With the first step SQLite compiles the statement again where somebody else has changed the schema: the columns
        // are those of then.
        let count = sqlite3_column_count(statement)
        if isFirst { table.columns = (0..<count).map { String(cString: sqlite3_column_name(statement, $0)) } }
        isFirst = false
        if code == SQLITE_DONE { return table }
        guard code == SQLITE_ROW else { throw failure }
        table.rows.append((0..<count).map { Self.cell(statement, $0) })
      }
    }

    /// Another number after each commit of another connection.
    var dataVersion: Cell? { try? rows("PRAGMA data_version").rows.first?.first }

    private var failure: Failure { Failure(description: String(cString: sqlite3_errmsg(connection))) }

    private static func cell(_ statement: OpaquePointer, _ column: CInt) -> Cell {
      switch sqlite3_column_type(statement, column) {
      case SQLITE_INTEGER: return .integer(sqlite3_column_int64(statement, column))
      case SQLITE_FLOAT: return .real(sqlite3_column_double(statement, column))
      case SQLITE_TEXT:
        let text = UnsafeRawPointer(sqlite3_column_text(statement, column))
        return .text(bytes(text, sqlite3_column_bytes(statement, column)))
      case SQLITE_BLOB:
        let blob = sqlite3_column_blob(statement, column)
        return .blob(bytes(blob, sqlite3_column_bytes(statement, column)))
      default: return .null
      }
    }

    private static func bytes(_ start: UnsafeRawPointer?, _ count: CInt) -> [UInt8] {
      [UInt8](UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : Int(count)))
    }
  }

  extension String {
    /// A name as SQL writes it, whatever stands in it.
    var quotedName: String { "\"" + replacing("\"", with: "\"\"") + "\"" }
  }
#endif
