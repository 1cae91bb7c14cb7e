#if PostgreSQL
  import CLibPQ
  import LiveStore

  /// A table as the database describes it.
  struct PostgresTable: Hashable, Sendable {
    struct Column: Hashable, Sendable {
      enum Collation: Hashable, Sendable {
        /// By bytes, as lists order.
        case bytes
        case other
        /// Texts of different bytes can be equal.
        case nondeterministic
      }

      var name: String
      /// The number in the table, which stays the column's own when others come and go.
      var number: Int
      /// The type, that below a domain.
      var type: Oid
      var typeName: String
      var isNotNull: Bool
      var collation: Collation
      /// Whether no two rows have the same value, and each has one.
      var isKey: Bool
      /// Whether the database works out the values, so that none can be written.
      var isComputed: Bool

      var kind: ColumnKind? { ColumnKind(self) }
      /// The column in a list of what to read: what has no form of ours as text.
      var selected: String {
        let name = SQLStatement.quoted(name)
        return Codec(type) == nil ? "\(name)::text AS \(name)" : name
      }
    }

    var oid: Oid
    /// The table's name with its schema's, in quotes.
    var name: String
    /// `r` for a table, `p` for one of partitions, `v` for a view, and so on.
    var form: String
    var isTemporary: Bool
    var hasChildren: Bool
    var columns: [Column]
    /// The numbers and types of the columns as one text.
    var shape: String
    /// Whether the role may read it, and by which policies for rows: a list that could not be read may be readable when it is another.
    var access: String
    /// The table, its columns and its triggers as one text: to see whether anything was changed.
    var fingerprint: String

    func column(_ name: String) -> Column? { columns.first { $0.name == name } }
  }

  /// The kinds of values that filters and orders can be said for, each with one meaning in SQL and in memory.
  enum ColumnKind: Hashable, Sendable {
    /// `isWide`: of eight bytes, which a floating-point number does not hold exactly.
    case integer(isWide: Bool)
    case truth
    case real
    case text(PostgresTable.Column.Collation)
    case bytes
    case uuid
    /// A time with a zone or without.
    case time(withZone: Bool)
    case day

    init?(_ column: PostgresTable.Column) {
      switch column.type {
      case TypeID.int2, TypeID.int4, TypeID.oid: self = .integer(isWide: false)
      case TypeID.int8: self = .integer(isWide: true)
      case TypeID.bool: self = .truth
      case TypeID.float4, TypeID.float8: self = .real
      // `character(n)` compares without blanks at the end, so it is none.
      case TypeID.text, TypeID.varchar, TypeID.name: self = .text(column.collation)
      case TypeID.bytea: self = .bytes
      case TypeID.uuid: self = .uuid
      case TypeID.timestamptz: self = .time(withZone: true)
      case TypeID.timestamp: self = .time(withZone: false)
      case TypeID.date: self = .day
      default: return nil
      }
    }

    /// Whether a request's column of a type can have such values.
    func admits(_ type: FetchColumnType) -> Bool {
      switch (self, type) {
      case (.integer, .integer), (.integer, .real), (.integer, .date), (.integer, .dateSeconds),
        (.truth, .integer):
        true
      case (.real, .real), (.real, .dateSeconds): true
      case (.text, .text), (.text, .uuidText), (.text, .dateText): true
      case (.bytes, .blob), (.bytes, .uuid), (.uuid, .uuid), (.uuid, .blob): true
      case (.time, .date), (.day, .date): true
      default: false
      }
    }
  }

  extension PostgresTable {
    /// The same table, whatever triggers it has.
    var besidesTriggers: PostgresTable {
      var table = self
      table.fingerprint = ""
      return table
    }

    /// Looks a table up by the name that a model gives it: in the schemas of the search path, or in that before a dot.
    /// - Returns: nil where there is none.
    init?(named name: String, on connection: Connection) throws {
      let found = try connection.query(Self.tableQuery, [.text(name)])
      guard found.count == 1, let oid = found.integer(0, 0).map({ Oid($0) }), let whole = found.text(0, 1),
        let form = found.text(0, 2), let fingerprint = found.text(0, 5)
      else { return nil }
      let rows = try connection.query(Self.columnQuery, [.integer(Int64(oid))])
      let columns = (0..<rows.count).map { row in
        Column(
          name: rows.text(row, 0) ?? "", number: Int(rows.integer(row, 7) ?? 0),
          type: Oid(rows.integer(row, 1) ?? 0),
          typeName: rows.text(row, 2) ?? "",
          isNotNull: rows.truth(row, 3),
          collation: rows.text(row, 4) == "C"
            ? .bytes : rows.text(row, 4) == "n" ? .nondeterministic : .other,
          isKey: rows.truth(row, 5), isComputed: rows.truth(row, 6))
      }
      self.init(
        oid: oid, name: whole, form: form, isTemporary: found.truth(0, 3), hasChildren: found.truth(0, 4),
        columns: columns, shape: found.text(0, 6) ?? "", access: found.text(0, 7) ?? "",
        fingerprint: fingerprint)
    }

    /// A name is that of a table as it stands, and only else one of a schema and a table.
    static let resolved =
      "coalesce(to_regclass(quote_ident($1)), to_regclass(CASE WHEN strpos($1, '.') > 0 THEN quote_ident(split_part($1, '.', 1)) || '.' || quote_ident(substr($1, strpos($1, '.') + 1)) END))"

    /// The ``PostgresTable/shape`` of the table `c`.
    static let shape = """
      (SELECT string_agg(a.attnum || ' ' || a.atttypid, ', ' ORDER BY a.attnum) FROM pg_catalog.pg_attribute a
        WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped)
      """

    /// Whether the table `c` was written anew since the snapshot: to whoever has that, it then looks empty.
    static let isRewritten =
      "c.relfilenode IS DISTINCT FROM coalesce(pg_catalog.pg_relation_filenode(c.oid), c.relfilenode)"

    private static let tableQuery = """
      SELECT c.oid, format('%I.%I', n.nspname, c.relname), c.relkind::text, c.relpersistence = 't',
        EXISTS (SELECT 1 FROM pg_catalog.pg_inherits i WHERE i.inhparent = c.oid), livelists.fingerprint(c.oid), \(shape),
        concat_ws(' ', has_table_privilege(c.oid, 'SELECT'), row_security_active(c.oid),
          (SELECT md5(string_agg(p::text, ' ' ORDER BY p.oid)) FROM pg_catalog.pg_policy p WHERE p.polrelid = c.oid))
      FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
      WHERE c.oid = \(resolved)
      """

    private static let columnQuery = """
      SELECT a.attname::text, coalesce(nullif(t.typbasetype, 0), t.oid), format_type(t.oid, a.atttypmod), a.attnotnull,
        CASE WHEN o.collname IN ('C', 'POSIX') OR o.collname = 'default' AND d.datcollate IN ('C', 'POSIX')
            AND coalesce(to_jsonb(d) ->> 'datlocprovider', 'c') = 'c' THEN 'C'
          WHEN NOT o.collisdeterministic THEN 'n' ELSE 'o' END,
        a.attnotnull AND EXISTS (SELECT 1 FROM pg_catalog.pg_index i WHERE i.indrelid = a.attrelid AND i.indisunique
          AND i.indisvalid AND i.indnkeyatts = 1 AND i.indkey[0] = a.attnum AND i.indpred IS NULL),
        a.attgenerated <> '', a.attnum
      FROM pg_catalog.pg_attribute a JOIN pg_catalog.pg_type t ON t.oid = a.atttypid
        LEFT JOIN pg_catalog.pg_collation o ON o.oid = a.attcollation,
        pg_catalog.pg_database d
      WHERE a.attrelid = $1::oid AND a.attnum > 0 AND NOT a.attisdropped AND d.datname = current_database()
      ORDER BY a.attnum
      """
  }
#endif
