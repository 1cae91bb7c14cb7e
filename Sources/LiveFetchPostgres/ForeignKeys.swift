#if PostgreSQL
  import CLibPQ
  import LiveDraftStore
  import LiveStore

  /// The foreign keys between tables that do something when a row is deleted that they refer to.
  struct ForeignKeys {
    private struct Key {
      var reference: ForeignKeyEffects.Reference
      var setsDefaults: Bool

      /// The columns that refer, as a list in SQL.
      var children: String { ForeignKeys.list(reference.pairs.map(\.child)) }
      /// The columns that they refer to.
      var parents: String { ForeignKeys.list(reference.pairs.map(\.parent)) }
    }

    private let connection: Connection
    private let tables: [String: PostgresTable]
    private let keyColumns: [String: String]
    private let keys: [Key]

    /// Looks for foreign keys. Those of tables are left out that the role may not write: it could take nothing back.
    /// - Parameters:
    ///   - tables: The tables by the names that models give them.
    ///   - keyColumns: The columns of their primary keys.
    init(
      between tables: [String: PostgresTable], _ keyColumns: [String: String], on connection: Connection
    ) throws {
      (self.connection, self.tables, self.keyColumns) = (connection, tables, keyColumns)
      keys = try Self.keys(
        between: tables,
        "c.confdeltype IN ('c', 'n', 'd') AND has_table_privilege(c.conrelid, 'UPDATE')", on: connection)
    }

    /// Returns all foreign keys between tables, also those that keep rows from being deleted.
    static func references(
      between tables: [String: PostgresTable], on connection: Connection
    ) throws -> [ForeignKeyEffects.Reference] {
      try keys(between: tables, "true", on: connection).map(\.reference)
    }

    private static func keys(
      between tables: [String: PostgresTable], _ condition: String, on connection: Connection
    ) throws -> [Key] {
      let names = Dictionary(tables.map { ($1.oid, $0) }) { min($0, $1) }
      let found = try connection.query(
        query(condition), [.literal("{\(names.keys.map { "\($0)" }.joined(separator: ","))}")])
      return (0..<found.count).compactMap { row in
        let action = found.text(row, 2)
        let columns = (found.texts(row, 3).compactMap(\.self), found.texts(row, 4).compactMap(\.self))
        guard let child = found.integer(row, 0).flatMap({ names[Oid($0)] }),
          let parent = found.integer(row, 1).flatMap({ names[Oid($0)] })
        else { return nil }
        let set = found.texts(row, 5).compactMap(\.self)
        return Key(
          reference: ForeignKeyEffects.Reference(
            table: child, columns: action == "c" ? nil : Set(set.isEmpty ? columns.0 : set), parent: parent,
            pairs: Array(zip(columns.0, columns.1))), setsDefaults: action == "d")
      }
    }

    private static func query(_ condition: String) -> String {
      """
      SELECT c.conrelid, c.confrelid, c.confdeltype::text,
        (SELECT array_agg(a.attname::text ORDER BY k.n) FROM unnest(c.conkey) WITH ORDINALITY k (number, n)
          JOIN pg_catalog.pg_attribute a ON a.attrelid = c.conrelid AND a.attnum = k.number),
        (SELECT array_agg(a.attname::text ORDER BY k.n) FROM unnest(c.confkey) WITH ORDINALITY k (number, n)
          JOIN pg_catalog.pg_attribute a ON a.attrelid = c.confrelid AND a.attnum = k.number),
        (SELECT array_agg(a.attname::text) FROM pg_catalog.pg_attribute a
          WHERE a.attrelid = c.conrelid AND to_jsonb(c) -> 'confdelsetcols' @> to_jsonb(a.attnum))
      FROM pg_catalog.pg_constraint c
      WHERE c.contype = 'f' AND c.conrelid = ANY($1::oid[]) AND c.confrelid = ANY($1::oid[]) AND \(condition)
      ORDER BY c.oid
      """
    }

    /// The effects of deletions; nil where there are no foreign keys.
    var effects: ForeignKeyEffects? {
      if keys.isEmpty { return nil }
      return ForeignKeyEffects(keys.map(\.reference)) { index, ids in
        let key = keys[index]
        guard let parent = named(ids, in: key.reference.parent) else { return [] }
        return try rows(
          of: key.reference.table,
          "(\(key.children)) IN (SELECT \(key.parents) FROM \(parent.table.name) WHERE \(parent.condition))",
          parent.parameter)
      } readRows: { table, ids in
        guard let these = named(ids, in: table) else { return [] }
        return try rows(of: table, these.condition, these.parameter)
      }
    }

    /// Returns those of some rows that others may refer to when they are deleted one after another.
    func referredTo(_ ids: [FetchValue], in table: String) throws -> Set<FetchValue> {
      var found: Set<FetchValue> = []
      for key in keys where key.reference.parent == table {
        // Such rows may come to refer to another one by then.
        if key.setsDefaults { return Set(ids.map(\.normalized)) }
        guard let child = tables[key.reference.table], let parent = named(ids, in: table) else { continue }
        let result = try connection.query(
          """
          SELECT \(parent.column.selected) FROM \(parent.table.name) WHERE \(parent.condition)
            AND (\(key.parents)) IN (SELECT \(key.children) FROM \(child.name))
          """, [parent.parameter])
        for row in 0..<result.count { found.insert(result.value(row, 0).normalized) }
      }
      return found
    }

    /// Reads and locks rows, so that nobody changes them before they are deleted or changed here.
    private func rows(
      of name: String, _ condition: String, _ parameter: Parameter
    ) throws -> ForeignKeyEffects.Rows {
      guard let table = tables[name], let keyName = keyColumns[name],
        let index = table.columns.firstIndex(where: { $0.name == keyName })
      else { return [] }
      let found = try connection.query(
        """
        SELECT \(table.columns.map(\.selected).joined(separator: ", ")) FROM \(table.name)
        WHERE \(condition) ORDER BY \(SQLStatement.quoted(keyName)) LIMIT \(ForeignKeyEffects.limit + 1) FOR UPDATE
        """, [parameter])
      return (0..<found.count).map { row in
        (found.value(row, index), FetchRow(ResultRow(result: found, row: row)).storedValues)
      }
    }

    /// The condition for rows with certain primary keys.
    private func named(
      _ ids: [FetchValue], in name: String
    ) -> (table: PostgresTable, column: PostgresTable.Column, condition: String, parameter: Parameter)? {
      guard let table = tables[name], let column = keyColumns[name].flatMap(table.column) else { return nil }
      return (
        table, column, "\(SQLStatement.quoted(column.name)) = ANY($1::\(column.typeName)[])",
        .literal(TouchedRowsQuery.array(ids.compactMap { column.keyText($0) }))
      )
    }

    private static func list(_ columns: [String]) -> String {
      columns.map(SQLStatement.quoted).joined(separator: ", ")
    }
  }
#endif
