#if SQLite
  import GRDB
  import LiveStore

  /// The rows that foreign keys delete or change as rows are deleted, of the tables that a draft knows.
  ///
  /// They are read before each deletion, by the foreign keys themselves: the hook of a change does not tell what a trigger has done from
  /// what a foreign key has, and what a trigger does another trigger mostly takes back when the deletion is undone.
  struct ForeignKeyEffects {
    /// Reads whole rows by their primary keys.
    typealias Read = ([FetchValue], FetchPlan) throws -> [(FetchValue, [String: FetchValue])]

    /// The most rows that are kept. A draft's history has no more.
    static let limit = 20_000

    /// A foreign key that does something when a row is deleted that it refers to.
    private struct Reference {
      var table: String
      var columns: [String]
      var parent: String
      var parentColumns: [String]
      /// Whether its row is deleted, and not changed.
      var cascades: Bool
    }

    /// A row that refers to one that is to be deleted.
    struct Referring {
      var key: Key
      var row: [String: FetchValue]
      /// The columns that are set; nil where the row is deleted.
      var columns: Set<String>?
    }

    struct Key: Hashable {
      var table: String
      var id: FetchValue
    }

    private let db: Database
    private let read: Read
    private let tables: [String: FetchPlan.Column]
    private let references: [Reference]
    /// The positions of the changes.
    private let positions: [Key: Int]
    private var effects: [DraftEffect] = []
    private var isTooMany = false

    /// The effects so far; none where they are too many.
    var found: [DraftEffect] { isTooMany ? [] : effects }

    /// - Returns: nil where no foreign key of the tables does anything.
    init?(
      _ changes: [DraftChange], _ tables: [String: FetchPlan.Column], in db: Database, _ read: @escaping Read
    ) throws {
      guard try Bool.fetchOne(db, sql: "PRAGMA foreign_keys") == true else { return nil }
      let references = try tables.keys.sorted().flatMap { try Self.references(of: $0, in: db) }
      if references.isEmpty { return nil }
      (self.db, self.read, self.tables, self.references) = (db, read, tables, references)
      positions = Dictionary(
        changes.enumerated().map { (Key(table: $1.table, id: $1.id.normalized), $0) }
      ) { first, _ in first }
    }

    private static func references(of table: String, in db: Database) throws -> [Reference] {
      let rows = try Row.fetchAll(db, sql: "PRAGMA main.foreign_key_list(\(SQLText.quoted(table)))")
      return try Dictionary(grouping: rows) { $0["id"] as Int }.sorted { $0.key < $1.key }.compactMap {
        _, rows in
        let rows = rows.sorted { ($0["seq"] as Int) < $1["seq"] }
        let action: String = rows[0]["on_delete"]
        guard ["CASCADE", "SET NULL", "SET DEFAULT"].contains(action) else { return nil }
        let parent: String = rows[0]["table"]
        var parentColumns = rows.compactMap { $0["to"] as String? }
        if parentColumns.count < rows.count { parentColumns = try primaryKey(of: parent, in: db) }
        let columns = rows.map { $0["from"] as String }
        // SQLite refuses the deletion itself then.
        guard parentColumns.count == columns.count else { return nil }
        return Reference(
          table: table, columns: columns, parent: parent, parentColumns: parentColumns,
          cascades: action == "CASCADE")
      }
    }

    private static func primaryKey(of table: String, in db: Database) throws -> [String] {
      try Row.fetchAll(db, sql: "PRAGMA main.table_info(\(SQLText.quoted(table)))")
        .filter { ($0["pk"] as Int) > 0 }.sorted { ($0["pk"] as Int) < $1["pk"] }.map { $0["name"] }
    }

    /// Reads the rows that refer to one which is to be deleted, and to those that go with it, each after the one that it refers to.
    mutating func rows(referringTo change: DraftChange) throws -> [Referring] {
      let first = Key(table: change.table, id: change.id.normalized)
      var found: [Referring] = []
      var seen: Set<Key> = [first]
      var changed: [Key: Int] = [:]
      var deleted = [(first, change.key.name)]
      while !isTooMany, let (key, column) = deleted.popLast() {
        for reference in references where isSameName(reference.parent, key.table) {
          guard let own = tables[reference.table] else { continue }
          for (id, row) in try rows(of: reference, own, key, column) {
            let child = Key(table: reference.table, id: id)
            if seen.contains(child) { continue }
            if reference.cascades {
              seen.insert(child)
              found.append(Referring(key: child, row: row, columns: nil))
              deleted.append((child, own.name))
            } else if let position = changed[child] {
              found[position].columns?.formUnion(reference.columns)
            } else {
              changed[child] = found.count
              found.append(Referring(key: child, row: row, columns: Set(reference.columns)))
            }
          }
        }
        if effects.count + found.count > Self.limit { isTooMany = true }
      }
      return found
    }

    private func rows(
      of reference: Reference, _ own: FetchPlan.Column, _ parent: Key, _ key: String
    ) throws -> [(FetchValue, [String: FetchValue])] {
      let (condition, values) = DraftWriter.condition(key, parent.id)
      // The referred column comes first: its collation is that of a foreign key.
      let pairs = zip(reference.parentColumns, reference.columns).map {
        "parent.\(SQLText.quoted($0)) = child.\(SQLText.quoted($1))"
      }
      let rows = try Row.fetchAll(
        db.cachedStatement(
          sql: """
            SELECT child.\(SQLText.quoted(own.name)) FROM
              (SELECT * FROM main.\(SQLText.quoted(parent.table)) WHERE \(condition)) AS parent
              JOIN main.\(SQLText.quoted(reference.table)) AS child ON \(pairs.joined(separator: " AND "))
              LIMIT \(Self.limit + 1)
            """), arguments: DraftWriter.arguments(values))
      let ids = rows.map { FetchValue($0[0] as DatabaseValue) }
      if ids.isEmpty { return [] }
      return try read(ids, FetchPlan(table: reference.table, columns: [own], filter: .yes, order: []))
    }

    /// Notes what has become of rows, now that the one is deleted which they referred to.
    mutating func note(_ rows: [Referring], of change: DraftChange) throws {
      if isTooMany { return }
      let key = Key(table: change.table, id: change.id.normalized)
      guard let cause = positions[key] else { return }
      for row in rows {
        var after: [String: FetchValue]?
        if row.columns != nil, let own = tables[row.key.table] {
          let plan = FetchPlan(table: row.key.table, columns: [own], filter: .yes, order: [])
          guard let left = try read([row.key.id], plan).first?.1 else { continue }
          // What triggers have made of other columns is theirs to take back.
          after = row.row.merging(left.filter { row.columns?.contains($0.key) ?? false }) { $1 }
          if after == row.row { continue }
        }
        effects.append(
          DraftEffect(table: row.key.table, id: row.key.id, cause: cause, before: row.row, after: after))
      }
    }
  }
#endif
