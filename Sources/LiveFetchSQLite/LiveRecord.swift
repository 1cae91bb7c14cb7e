#if SQLite
  import Foundation
  public import GRDB
  public import LiveStore

  /// A record of GRDB's that is a model by its properties alone: each name is written once.
  ///
  /// ```swift
  /// struct ToDo: Codable, Identifiable, Sendable, LiveRecord {
  ///   var id: Int64
  ///   var title: String
  ///   var isDone: Bool
  /// }
  /// ```
  ///
  /// Its table has GRDB's name for it (`databaseTableName`, here `toDo`), and a column for each property under the name by which
  /// it is decoded; these are found as `FetchTable.init(decoding:form:)` says. A record that needs more, such as a column
  /// under another name by `databaseColumnDecodingStrategy`, names its columns in a `fetchTable` of its own.
  public protocol LiveRecord: FetchModel, Codable, FetchableRecord, PersistableRecord {}

  extension LiveRecord {
    /// The table and its columns, found by decoding.
    public static var fetchTable: FetchTable<Self> {
      DescribedTables.table(of: Self.self) {
        FetchTable(decoding: databaseTableName) { column, type in form(of: column, type) }
      }
    }

    private static func form(
      of column: DecodedColumn, _ type: any FetchColumnValue.Type
    ) -> DecodedColumnForm {
      if let error = nameError(column.name) { return .refused(error) }
      switch type {
      case is Date.Type: return dateColumnForm(of: column.name)
      case is UUID.Type:
        return switch databaseUUIDEncodingStrategy(for: column.name) {
        case .deferredToUUID: .stored(.uuid)
        case .uppercaseString: .stored(.uuidText)
        default: .refused(.recordValue(column.name, "UUID in lower case"))
        }
      case is Data.Type:
        return switch databaseDataEncodingStrategy(for: column.name) {
        case .deferredToData: .stored(.blob)
        default: .refused(.recordValue(column.name, "data as text"))
        }
      default: return .stored(type.fetchColumnType)
      }
    }

    fileprivate static func nameError(_ name: String) -> FetchDescriptorError? {
      guard case .useDefaultKeys = databaseColumnDecodingStrategy,
        case .useDefaultKeys = databaseColumnEncodingStrategy
      else { return .recordValue(name, "column under another name") }
      return nil
    }
  }

  extension SQLiteStore {
    /// Opens a database file with tables for records, which are made if they are not there.
    ///
    /// ```swift
    /// let store = try SQLiteStore(path: "todo.sqlite", creating: ToDo.self)
    /// ```
    ///
    /// A table has a column for each property, its primary key for `id`. A table that is there stays as it is: when a record gets
    /// other properties, a migration brings its table along (``migrate(_:)``).
    /// - Parameters:
    ///   - path: The file.
    ///   - record: A record.
    ///   - others: Further records.
    ///   - options: How the store goes about its work.
    /// - Throws: GRDB's error when the file cannot be opened, or `FetchDescriptorError` for a record whose columns cannot be found.
    public convenience init(
      path: String, creating record: any LiveRecord.Type, _ others: any LiveRecord.Type...,
      options: SQLiteStoreOptions = .init()
    ) throws {
      try self.init(path: path, options: options) { pool in
        try pool.write { db in for record in [record] + others { try Self.createTable(of: record, in: db) } }
      }
    }

    private static func createTable<Record: LiveRecord>(of type: Record.Type, in db: Database) throws {
      let table = Record.fetchTable
      if let error = table.validationError ?? Record.nameError(table.id.name) { throw error }
      let forms = Dictionary(uniqueKeysWithValues: table.columns.map { ($0.name, $0) })
      try db.create(table: table.name, options: .ifNotExists) { definition in
        for column in try FetchTable<Record>.decodedColumns() {
          let declared = forms[column.name].flatMap { Database.ColumnType($0.type) }
          if column.name == table.id.name {
            definition.primaryKey(column.name, declared ?? .blob)
          } else {
            let made = definition.column(column.name, declared)
            if !column.isOptional { made.notNull() }
          }
        }
      }
    }
  }

  extension Database.ColumnType {
    fileprivate init?(_ type: FetchColumnType) {
      switch type {
      case .integer, .date: self = .integer
      case .real, .dateSeconds: self = .real
      case .text, .uuidText, .dateText: self = .text
      case .blob, .uuid: self = .blob
      }
    }
  }
#endif
