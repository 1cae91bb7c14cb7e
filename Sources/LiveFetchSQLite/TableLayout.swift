#if SQLite
  import CSQLiteHooks
  import GRDB
  import LiveStore

  /// The columns of a table: what is needed to make sense of what SQLite's hook says of its rows.
  struct TableLayout: Sendable {
    struct Column: Sendable {
      var name: String
      /// The type that it was declared with.
      var type: String
      /// The affinity of the type.
      var affinity: Affinity
      /// Whether it has the affinity `REAL`.
      var isReal: Bool
      /// Whether it stores a number in the form in which it is given, whole or floating-point.
      var keepsForm: Bool
      /// Whether it is computed when it is read, and not stored.
      var isComputed: Bool
      /// Whether it has a default value other than `NULL`.
      var hasDefault: Bool
    }

    /// The effect of a column's declared type on values that are stored in it or compared with it, as far as it matters
    /// to lists.
    enum Affinity { case number, text, none }

    private(set) var columns: [Column] = []
    /// The columns' names, as ``ChangeSet/tableColumns``.
    let names: [String]
    /// The column that is the row's number (`INTEGER PRIMARY KEY`), if there is one.
    let rowidColumn: Int?
    /// A name of the row number that no column has: `rowid`, `_rowid_` or `oid`; nil where there is none.
    let rowidName: String?
    /// The columns that are unique by themselves.
    let uniqueColumns: Set<Int>
    /// The columns of the primary key.
    let keyColumns: [Int]
    private let isWithoutRowid: Bool

    /// The columns' positions by name.
    func position(of column: String) -> Int? { columns.firstIndex { isSameName($0.name, column) } }

    /// Reads the layout of a table of the database file.
    ///
    /// Not through GRDB, which takes what it has read once for true until it sees the schema change.
    /// - Returns: nil when there is no such table.
    /// - Throws: ``FetchError`` for what can be read but not be watched, or the database's error.
    init?(_ table: String, in db: Database) throws {
      // By statements and not by functions of these names: SQLite makes a table for such a function, which looks like a
      // change of the schema.
      let name = SQLText.quoted(table)
      guard let entry = try Row.fetchOne(db, sql: "PRAGMA main.table_list(\(name))") else { return nil }
      let type: String = entry["type"]
      if type == "view" {
        throw FetchError.unwatchable(
          table,
          "is a view: SQLite does not say which of its rows change. List the table behind it, or use `FetchDescriptor.sql` and "
            + "name the tables that it reads")
      }
      if type == "virtual" {
        throw FetchError.unwatchable(
          table,
          "is a virtual table: SQLite does not say which of its rows change. List a table beside it, or use "
            + "`FetchDescriptor.sql` and name the tables that are written with it")
      }
      isWithoutRowid = entry["wr"] == 1
      let isStrict = entry["strict"] == 1
      var key: [Int: Int] = [:]
      var types: [String] = []
      for row in try Row.fetchAll(db, sql: "PRAGMA main.table_xinfo(\(name))") {
        let (type, hidden): (String?, Int) = (row["type"], row["hidden"])
        let (value, position): (String?, Int) = (row["dflt_value"], row["pk"])
        if position > 0 { key[position] = columns.count }
        types.append(type ?? "")
        columns.append(
          Column(
            name: row["name"], type: type ?? "", affinity: Self.affinity(type ?? "", isStrict: isStrict),
            isReal: Self.isReal(type ?? ""), keepsForm: Self.keepsForm(type ?? ""),
            isComputed: hidden == 2, hasDefault: value.map { $0.uppercased() != "NULL" } ?? false))
      }
      names = columns.map(\.name)
      keyColumns = key.sorted { $0.key < $1.key }.map(\.value)
      var unique: Set<Int> = []
      var hasKeyIndex = false
      for index in try Row.fetchAll(db, sql: "PRAGMA main.index_list(\(name))") {
        if index["origin"] == "pk" { hasKeyIndex = true }
        guard index["unique"] == 1, index["partial"] == 0 else { continue }
        let columns = try Row.fetchAll(db, sql: "PRAGMA main.index_info(\(SQLText.quoted(index["name"])))")
        if columns.count == 1, let column: Int = columns[0]["cid"], column >= 0 { unique.insert(column) }
      }
      // A primary key of one column that has no index of its own is the row's number.
      let isNumbered = !isWithoutRowid && keyColumns.count == 1 && !hasKeyIndex
      rowidColumn = isNumbered ? keyColumns[0] : nil
      if let rowidColumn { unique.insert(rowidColumn) }
      if isWithoutRowid, keyColumns.count == 1 { unique.insert(keyColumns[0]) }
      uniqueColumns = unique
      let taken = names
      rowidName =
        isWithoutRowid
        ? nil : ["rowid", "_rowid_", "oid"].first { name in !taken.contains { isSameName($0, name) } }
    }

    /// The affinity of a declared type, by SQLite's rules (“Datatypes In SQLite”, 3.1).
    private static func affinity(_ type: String, isStrict: Bool) -> Affinity {
      let type = type.uppercased()
      if type.contains("INT") { return .number }
      if ["CHAR", "CLOB", "TEXT"].contains(where: { type.contains($0) }) { return .text }
      return type.isEmpty || type.contains("BLOB") || isStrict && type == "ANY" ? .none : .number
    }

    /// Returns whether a declared type gives a column the affinity `REAL`, by SQLite's rules.
    private static func isReal(_ type: String) -> Bool {
      let type = type.uppercased()
      if ["INT", "CHAR", "CLOB", "TEXT", "BLOB"].contains(where: { type.contains($0) }) { return false }
      return ["REAL", "FLOA", "DOUB"].contains { type.contains($0) }
    }

    /// Returns whether a declared type gives a column no affinity; `ANY` gives none in a strict table, and otherwise
    /// one that leaves no whole number in floating-point form.
    private static func keepsForm(_ type: String) -> Bool {
      let type = type.uppercased()
      if ["INT", "CHAR", "CLOB", "TEXT"].contains(where: { type.contains($0) }) { return false }
      return type.isEmpty || type == "ANY" || type.contains("BLOB")
    }
  }

  // MARK: The hook's numbers

  extension TableLayout {
    /// The conventions of this SQLite's hook; nil when they could not be found out.
    static let conventions: lists_conventions? = {
      var conventions = lists_conventions()
      return lists_find_conventions(&conventions) == 0 ? nil : conventions
    }()

    /// The columns as the hook has them. See `lists_hook_column`.
    ///
    /// An older SQLite looks up whether a column is the row's number, or has the affinity `REAL`, by the number that is asked
    /// for, though that counts columns as they are stored. Where the two differ, its values are not used.
    func hookColumns(_ conventions: lists_conventions) -> [lists_hook_column] {
      var stored = 0
      let hasReal = columns.contains(where: \.isReal)
      let isInOrder = !isWithoutRowid && !columns.contains(where: \.isComputed)
      return columns.indices.map { declared in
        let column = columns[declared]
        var hook = lists_hook_column()
        hook.is_rowid = declared == rowidColumn ? 1 : 0
        hook.may_be_default = column.hasDefault && conventions.gives_defaults == 0 ? 1 : 0
        hook.may_be_real =
          conventions.counts_stored_columns == 1 && !isInOrder && hasReal && !column.isReal ? 1 : 0
        hook.keeps_form = column.keepsForm ? 1 : 0
        guard !column.isComputed else {
          (hook.before, hook.inserted, hook.updated) = (-1, -1, -1)
          return hook
        }
        defer { stored += 1 }
        let numbers =
          conventions.counts_stored_columns == 0
          ? (declared, declared, declared)
          : isWithoutRowid ? (declared, declared, stored) : (stored, stored, stored)
        (hook.before, hook.inserted, hook.updated) = (CInt(numbers.0), CInt(numbers.1), CInt(numbers.2))
        if conventions.counts_stored_columns == 1, stored != declared, stored == rowidColumn {
          // Asked for this number the hook gives the row's: it may have changed, nothing more is known.
          (hook.before, hook.inserted, hook.updated) = (-1, -1, -1)
          hook.is_unknown = 1
        }
        return hook
      }
    }
  }

  /// Returns whether two names are the same to SQLite, which takes upper and lower case for the same in ASCII alone.
  func isSameName(_ a: String, _ b: String) -> Bool {
    a.utf8.count == b.utf8.count && zip(a.utf8, b.utf8).allSatisfy { lowercased($0) == lowercased($1) }
  }

  /// A name in the one form that all share which are the same to SQLite.
  func lowercasedName(_ name: String) -> String { String(decoding: name.utf8.map(lowercased), as: UTF8.self) }

  private func lowercased(_ byte: UInt8) -> UInt8 { (65...90).contains(byte) ? byte + 32 : byte }
#endif
