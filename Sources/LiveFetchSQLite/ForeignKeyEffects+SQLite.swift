#if SQLite
  import GRDB
  import LiveDraftStore
  import LiveStore

  extension ForeignKeyEffects {
    /// Looks for the foreign keys between tables that do something when a row is deleted.
    /// - Parameters:
    ///   - tables: The tables with the columns of their primary keys.
    ///   - read: Reads whole rows by their primary keys.
    /// - Returns: nil where there are none.
    init?(
      between tables: [String: FetchPlan.Column], in db: Database,
      _ read: @escaping (_ ids: [FetchValue], _ plan: FetchPlan) throws -> Rows
    ) throws {
      guard !tables.isEmpty, try Bool.fetchOne(db, sql: "PRAGMA foreign_keys") == true else { return nil }
      let keys = try tables.keys.sorted().flatMap { try Self.keys(of: $0, tables, in: db) }
      if keys.isEmpty { return nil }
      func readRows(_ table: String, _ ids: [FetchValue]) throws -> Rows {
        guard let column = tables[table], !ids.isEmpty else { return [] }
        return try read(ids, FetchPlan(table: table, columns: [column], filter: .yes, order: []))
      }
      self.init(keys) { index, ids in
        let key = keys[index]
        guard let own = tables[key.table], let named = tables[key.parent] else { return [] }
        var children: [FetchValue] = []
        for id in ids where children.count <= Self.limit {
          children += try Self.children(
            of: id, named.name, by: key, own.name, upTo: Self.limit + 1 - children.count, in: db)
        }
        return try readRows(key.table, children)
      } readRows: {
        try readRows($0, $1)
      }
    }

    private static func keys(
      of table: String, _ tables: [String: FetchPlan.Column], in db: Database
    ) throws -> [Reference] {
      let rows = try Row.fetchAll(db, sql: "PRAGMA main.foreign_key_list(\(SQLText.quoted(table)))")
      return try Dictionary(grouping: rows) { $0["id"] as Int }.sorted { $0.key < $1.key }.compactMap {
        _, rows in
        let rows = rows.sorted { ($0["seq"] as Int) < $1["seq"] }
        let (action, name): (String, String) = (rows[0]["on_delete"], rows[0]["table"])
        guard ["CASCADE", "SET NULL", "SET DEFAULT"].contains(action),
          let parent = tables.keys.first(where: { isSameName($0, name) })
        else { return nil }
        let columnsOfParent = try Row.fetchAll(db, sql: "PRAGMA main.table_info(\(SQLText.quoted(parent)))")
        // As the foreign key writes them, which may be in another case.
        var named = rows.compactMap { $0["to"] as String? }.map { name in
          columnsOfParent.map { $0["name"] as String }.first { isSameName($0, name) } ?? name
        }
        if named.count < rows.count { named = primaryKey(columnsOfParent) }
        let columns = rows.map { $0["from"] as String }
        // SQLite refuses the deletion itself then.
        guard named.count == columns.count else { return nil }
        return Reference(
          table: table, columns: action == "CASCADE" ? nil : Set(columns), parent: parent,
          pairs: Array(zip(columns, named)))
      }
    }

    private static func primaryKey(_ columns: [Row]) -> [String] {
      columns.filter { ($0["pk"] as Int) > 0 }.sorted { ($0["pk"] as Int) < $1["pk"] }.map { $0["name"] }
    }

    /// Reads the primary keys of the rows that refer to one.
    private static func children(
      of id: FetchValue, _ parentKey: String, by key: Reference, _ childKey: String, upTo count: Int,
      in db: Database
    ) throws -> [FetchValue] {
      let (condition, values) = DraftWriter.condition(parentKey, id)
      // The referred column comes first: its collation is that of a foreign key.
      let pairs = key.pairs.map {
        "parent.\(SQLText.quoted($0.parent)) = child.\(SQLText.quoted($0.child))"
      }
      let statement = try db.cachedStatement(
        sql: """
          SELECT child.\(SQLText.quoted(childKey)) FROM
            (SELECT * FROM main.\(SQLText.quoted(key.parent)) WHERE \(condition)) AS parent
            JOIN main.\(SQLText.quoted(key.table)) AS child ON \(pairs.joined(separator: " AND "))
            LIMIT ?
          """)
      let rows = try Row.fetchAll(statement, arguments: DraftWriter.arguments(values) + [count])
      return rows.map { FetchValue($0[0] as DatabaseValue) }
    }
  }
#endif
