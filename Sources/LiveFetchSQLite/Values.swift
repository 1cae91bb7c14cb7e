#if SQLite
  import CSQLiteHooks
  public import Foundation
  public import GRDB
  public import LiveStore

  extension FetchValue {
    /// The value as GRDB has it.
    var databaseValue: DatabaseValue {
      switch self {
      case .null: .null
      case .integer(let value): value.databaseValue
      case .real(let value): value.databaseValue
      case .text(let value): value.databaseValue
      case .blob(let value): Data(value).databaseValue
      }
    }

    init(_ value: DatabaseValue) {
      self =
        switch value.storage {
        case .null: .null
        case .int64(let value): .integer(value)
        case .double(let value): .real(value)
        case .string(let value): .text(value)
        case .blob(let value): .blob(Array(value))
        }
    }

    init(_ value: lists_value) { self.init(FetchRawValue(value)) }

    /// Whether this is text with a zero byte, at which GRDB would end it.
    var hasZeroByte: Bool {
      if case .text(let text) = self { text.utf8.contains(0) } else { false }
    }
  }

  extension StatementArguments {
    /// Creates arguments in their order. GRDB's initialiser for values of one type makes a key path each time.
    init(bound values: [DatabaseValue]) {
      self.init(values.lazy.map { $0 as (any DatabaseValueConvertible)? })
    }
  }

  extension Rank: DatabaseValueConvertible {
    /// The rank's bytes.
    public var databaseValue: DatabaseValue { Data(bytes).databaseValue }

    /// Creates a rank from its bytes.
    public static func fromDatabaseValue(_ value: DatabaseValue) -> Rank? {
      guard case .blob(let data) = value.storage else { return nil }
      return Rank(bytes: Array(data))
    }
  }

  /// A row of GRDB's.
  ///
  /// `@unchecked`: the row is used within the call that it is handed to, on the queue of its connection. It is the row
  /// of the running statement, as it is for GRDB's own records: a copy would cost as much again as reading it.
  struct RecordRow: FetchRowStorage, @unchecked Sendable {
    let row: Row
    /// The statement that is at the row; nil for a copy.
    var statement: UnsafeMutableRawPointer?
    /// The columns of numbers of the statement's rows.
    var numbers: NumberColumns?

    /// The name of the first column with a text that GRDB would end at a zero byte in it.
    var cutColumn: String? {
      guard let statement else { return nil }
      let column = lists_find_zero_byte(statement)
      return column < 0 ? nil : row.columnNames.dropFirst(Int(column)).first
    }

    var columnNames: [String] { Array(row.columnNames) }

    var values: [String: FetchValue] {
      var values: [String: FetchValue] = Dictionary(minimumCapacity: row.count)
      guard let statement else {
        for (name, value) in row { values[name] = FetchValue(value) }
        return values
      }
      var (ordinal, value) = (CInt(0), lists_value())
      for name in row.columnNames {
        lists_column(statement, ordinal, &value)
        // Of several columns with one name the first counts.
        if values[name] == nil { values[name] = FetchValue(value) }
        ordinal += 1
      }
      return values
    }

    /// Returns the first value of a column of numbers that GRDB would take for another number: SQLite makes 0 of a blob and of a
    /// word, and a whole number of a fraction.
    func wrongNumber<Model: FetchModel>(for model: Model.Type) -> (column: String, value: FetchValue)? {
      guard let statement, let numbers else { return nil }
      var value = lists_value()
      for column in numbers.columns(of: model, in: row) {
        lists_column(statement, column.ordinal, &value)
        let stored = FetchValue(value)
        let isNumber =
          switch stored {
          case .null, .integer: true
          case .real(let number): !column.isWhole || Int64(exactly: number) != nil
          case .text(let text): Double(text) != nil
          case .blob: false
          }
        if !isNumber { return (column.name, stored) }
      }
      return nil
    }

    func value(ofColumn column: String) -> FetchValue? {
      guard let statement else {
        return row.hasColumn(column) ? FetchValue(row[column] as DatabaseValue) : nil
      }
      // Not through GRDB, which ends text at its first zero byte.
      var ordinal: CInt = 0
      for name in row.columnNames {
        if isSameName(name, column) {
          var value = lists_value()
          lists_column(statement, ordinal, &value)
          return FetchValue(value)
        }
        ordinal += 1
      }
      return nil
    }
  }

  /// The columns of a statement in which a model has numbers, found with its first row.
  final class NumberColumns {
    typealias Column = (name: String, ordinal: CInt, isWhole: Bool)

    private var model: ObjectIdentifier?
    private var columns: [Column] = []

    func columns<Model: FetchModel>(of type: Model.Type, in row: Row) -> [Column] {
      if model == ObjectIdentifier(type) { return columns }
      let names = Array(row.columnNames)
      columns = []
      for column in Model.fetchTable.columns where column.type == .integer || column.type == .real {
        guard let ordinal = names.firstIndex(where: { isSameName($0, column.name) }) else { continue }
        columns.append((column.name, CInt(ordinal), column.type == .integer))
      }
      model = ObjectIdentifier(type)
      return columns
    }
  }

  extension FetchRowStorage {
    /// GRDB's row, if this is one. A cast would look for the conformance to the protocol, for each row.
    fileprivate var record: RecordRow? {
      Self.self == RecordRow.self ? unsafeBitCast(self, to: RecordRow.self) : nil
    }
  }

  extension FetchColumn where Model: FetchableRecord {
    /// Names the column of a date of a GRDB record, stored as GRDB stores it.
    /// - Parameters:
    ///   - name: The column's name in the database.
    ///   - keyPath: The property that it fills.
    ///   - stored: How it stores its values; by default as the record's `databaseDateEncodingStrategy` says.
    /// - Returns: The column.
    public static func column(
      _ name: String, _ keyPath: any KeyPath<Model, Date> & Sendable, stored: FetchColumnType? = nil
    ) -> Self {
      named(name, keyPath, stored)
    }

    /// Names the column of a date of a GRDB record, stored as GRDB stores it.
    /// - Parameters:
    ///   - name: The column's name in the database.
    ///   - keyPath: The property that it fills.
    ///   - stored: How it stores its values; by default as the record's `databaseDateEncodingStrategy` says.
    /// - Returns: The column.
    public static func column(
      _ name: String, _ keyPath: any KeyPath<Model, Date?> & Sendable, stored: FetchColumnType? = nil
    ) -> Self {
      named(name, keyPath, stored)
    }

    private static func named<Value: FetchColumnValue>(
      _ name: String, _ keyPath: any KeyPath<Model, Value> & Sendable, _ stored: FetchColumnType?
    ) -> Self {
      switch stored.map({ .known($0) }) ?? Model.dateForm(of: name) {
      case .known(let form): return column(name, keyPath, stored: form)
      case .unknown(let strategy):
        var column = column(name, keyPath, stored: .dateText)
        column.validationError = .recordDate(name, strategy)
        return column
      }
    }
  }

  extension FetchModel where Self: FetchableRecord {
    /// Returns the form of a date's column that was found by decoding.
    static func dateColumnForm(of column: String) -> DecodedColumnForm {
      switch dateForm(of: column) {
      case .known(let form): .stored(form)
      case .unknown(let strategy): .refused(.recordDate(column, strategy))
      }
    }
  }

  /// The form in which a record stores dates.
  private enum DateForm {
    case known(FetchColumnType)
    /// One that columns of lists do not have, by its name.
    case unknown(String)
  }

  extension FetchableRecord {
    /// Returns the form in which a record of this type stores the date of a column.
    fileprivate static func dateForm(of column: String) -> DateForm {
      guard let record = Self.self as? any EncodableRecord.Type else { return .known(.dateText) }
      return switch record.databaseDateEncodingStrategy(for: column) {
      case .deferredToDate: .known(.dateText)
      case .timeIntervalSince1970, .secondsSince1970: .known(.dateSeconds)
      case .timeIntervalSinceReferenceDate: .unknown("timeIntervalSinceReferenceDate")
      case .millisecondsSince1970: .unknown("millisecondsSince1970")
      case .iso8601: .unknown("iso8601")
      case .formatted: .unknown("formatted")
      case .custom: .unknown("custom")
      @unknown default: .unknown("unknown")
      }
    }
  }

  extension FetchModel where Self: FetchableRecord {
    /// Creates a value from a row as GRDB's records do.
    /// - Parameter row: The row.
    /// - Throws: ``FetchError`` for a text with a zero byte, at which GRDB would end it, and for what is no number in a column of
    ///   numbers, of which SQLite would make one; or the record's own error.
    public init(fetchRow row: FetchRow) throws {
      if let record = row.storage.record {
        if let column = record.cutColumn {
          throw FetchError.row(
            RowDecodingFailure(
              id: nil, column: column,
              message:
                "GRDB ends text at its first zero byte, and the column “\(column)” has one: a record would have another text. "
                + "Take the byte out, or read the model by `FetchModel` alone, which reads all of it."))
        }
        if let (column, value) = record.wrongNumber(for: Self.self) {
          throw FetchError.row(
            RowDecodingFailure(
              id: nil, column: column,
              message:
                "The column “\(column)” has \(value), of which GRDB would make another number. Mend the row, or give the property "
                + "the type that the column stores."))
        }
        try self.init(row: record.row)
        return
      }
      // A row of another store, or of a draft. Where it does not name its columns, those that the table names are all that is known.
      var values: [String: (any DatabaseValueConvertible)?] = row.storedValues.mapValues { $0.databaseValue }
      if values.isEmpty {
        for column in Self.fetchTable.columns {
          values[column.name] = row.storedValue(column.name)?.databaseValue
        }
      }
      try self.init(row: Row(values))
    }
  }
#endif
