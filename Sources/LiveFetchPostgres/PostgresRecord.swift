#if PostgreSQL
  public import LiveDraftStore
  public import LiveStore

  /// A model that is read and written by its properties alone: each name is written once.
  ///
  /// ```swift
  /// struct Photo: PostgresRecord {
  ///   var id: UUID
  ///   var title: String
  ///   static let fetchTable = FetchTable<Photo>(decoding: "photo")
  /// }
  /// try await store.write { try $0.insert(Photo(id: UUID(), title: "Fjord")) }
  /// ```
  ///
  /// The table has a column for each property under the name by which it is decoded. A property whose type is no column value is kept as
  /// JSON (`json` or `jsonb`), an enumeration as its raw value; lists take enumerations that are `CaseIterable`.
  public protocol PostgresRecord: FetchModel, Codable {}

  extension PostgresRecord {
    /// Creates a value from a row, by decoding.
    public init(fetchRow row: FetchRow) throws { self = try row.decode() }
  }

  extension DraftModel where Self: PostgresRecord {
    /// Returns the columns that the record encodes.
    /// - Throws: `EncodingError`, or `FetchError` for a value that has no stored form.
    public func fetchValues() throws -> [String: FetchValue] {
      var values: [String: FetchValue] = [:]
      for column in try EncodedColumns(self).columns {
        guard let value = column.value else {
          values[column.name] = .null
          continue
        }
        values[column.name] = try Self.stored(value)
      }
      return values
    }

    private static func stored<Value: FetchColumnValue>(_ value: Value) throws -> FetchValue {
      guard let stored = value.fetchValue(as: Value.fetchColumnType) else {
        throw FetchError.request(.unsupported("This value has no stored form: \(value)."))
      }
      return stored
    }
  }

  extension PostgresTransaction {
    /// Inserts a record's row.
    /// - Throws: ``PostgresError``, also where there is a row with its key.
    public func insert<Record: PostgresRecord>(_ record: Record) throws {
      try write(record, onConflict: nil)
    }

    /// Inserts a record's row, or replaces what the one with its key has in the record's columns.
    /// - Throws: ``PostgresError``.
    public func upsert<Record: PostgresRecord>(_ record: Record) throws {
      let key = SQLStatement.quoted(Record.fetchTable.id.name)
      try write(record) { others in
        others.isEmpty
          ? " ON CONFLICT (\(key)) DO NOTHING"
          : " ON CONFLICT (\(key)) DO UPDATE SET "
            + others.map { "\(SQLStatement.quoted($0)) = excluded.\(SQLStatement.quoted($0))" }.joined(
              separator: ", ")
      }
    }

    private func write<Record: PostgresRecord>(
      _ record: Record, onConflict: (([String]) -> String)?
    ) throws {
      let table = Record.fetchTable
      let columns = try EncodedColumns(record).columns
      let names = columns.map { SQLStatement.quoted($0.name) }.joined(separator: ", ")
      let parameters = columns.indices.map { "$\($0 + 1)" }.joined(separator: ", ")
      let others = columns.map(\.name).filter { $0 != table.id.name }
      try execute(
        "INSERT INTO \(nameInSQL(table.name)) (\(names)) VALUES (\(parameters))"
          + (onConflict?(others) ?? ""),
        columns.map { $0.value ?? String?.none })
    }

    /// Replaces what a record's row has in the record's columns.
    /// - Returns: Whether there is a row with its key.
    /// - Throws: ``PostgresError``.
    @discardableResult
    public func update<Record: PostgresRecord>(_ record: Record) throws -> Bool {
      let table = Record.fetchTable
      let columns = try EncodedColumns(record).columns
      let others = columns.filter { $0.name != table.id.name }
      guard let key = columns.first(where: { $0.name == table.id.name })?.value else { return false }
      if others.isEmpty {
        return try !query(
          "SELECT 1 FROM \(nameInSQL(table.name)) WHERE \(SQLStatement.quoted(table.id.name)) = $1", [key]
        ).isEmpty
      }
      let assignments = others.indices.map { "\(SQLStatement.quoted(others[$0].name)) = $\($0 + 1)" }
      return try execute(
        "UPDATE \(nameInSQL(table.name)) SET \(assignments.joined(separator: ", ")) "
          + "WHERE \(SQLStatement.quoted(table.id.name)) = $\(others.count + 1)",
        others.map { $0.value ?? String?.none } + [key]) > 0
    }

    /// Deletes a record's row.
    /// - Returns: Whether there was one with its key.
    /// - Throws: ``PostgresError``.
    @discardableResult
    public func delete<Record: PostgresRecord>(_ record: Record) throws -> Bool {
      let table = Record.fetchTable
      return try execute(
        "DELETE FROM \(nameInSQL(table.name)) WHERE \(SQLStatement.quoted(table.id.name)) = $1", [record.id]
      ) > 0
    }
  }
#endif
