#if SQLite
  import LiveFetch

  /// A column of the case's table.
  struct Column: Hashable, Sendable {
    var role: Role?
    var name: String
    var type: String
    var clauses: [String] = []

    var sql: String { ([name.quotedName, type] + clauses).filter { !$0.isEmpty }.joined(separator: " ") }
  }

  /// A column's name, and what a statement puts into it.
  struct Assignment: Hashable, Sendable {
    var column: String
    var value: String
  }

  /// A statement whose columns can be taken out one by one, so that a failure shrinks.
  struct Statement: Hashable, Sendable {
    /// `INSERT OR REPLACE INTO …` or `UPDATE …`; the whole statement when nothing is assigned.
    var head: String
    var isUpdate = false
    var assignments: [Assignment] = []
    var tail = ""
    var feature: Feature?

    var sql: String {
      guard !assignments.isEmpty else { return head + (tail.isEmpty ? "" : " " + tail) }
      let names = assignments.map(\.column.quotedName)
      let body =
        isUpdate
        ? "SET " + zip(names, assignments).map { "\($0) = \($1.value)" }.joined(separator: ", ")
        : "(\(names.joined(separator: ", "))) VALUES (\(assignments.map(\.value).joined(separator: ", ")))"
      return tail.isEmpty ? "\(head) \(body)" : "\(head) \(body) \(tail)"
    }
  }

  /// The deeds between two comparisons.
  struct Step: Hashable, Sendable {
    enum Means: Hashable, Sendable {
      /// One transaction of the store.
      case write
      /// One transaction of the store that ends in an error.
      case undone
      /// The store's writing connection, each statement by itself.
      case outside
      /// Another connection.
      case other
      /// Another connection, and nobody looks before the next step.
      case otherUnseen
      /// The `sqlite3` program.
      case program
      /// A copy of the database, changed by the statements and then restored.
      case backup
      /// No statement: another request for the list of that number.
      case reconfigure(Int, ListSpec)
    }
    var means: Means
    var statements: [Statement] = []
    var feature: Feature?
  }

  /// A schema, what lists are live on it and what is done to it. Printed by `String(reflecting:)` it is Swift.
  struct LawCase: Hashable, Sendable {
    var seed = 0
    var keyType = FetchColumnType.integer
    var dateType = FetchColumnType.date
    var table = "item"
    var before: [String] = []
    var columns: [Column] = []
    var constraints: [String] = []
    var options: [String] = []
    var rows: [Statement] = []
    var added: [Column] = []
    var after: [String] = []
    var laterRows: [Statement] = []
    var observesOthers = false
    var lists: [ListSpec] = []
    var steps: [Step] = []
    var features: [Feature] = []

    /// `CREATE TABLE` under a name.
    func create(_ name: String) -> String {
      let body = (columns.map(\.sql) + constraints).joined(separator: ", ")
      return "CREATE TABLE \(name.quotedName) (\(body)) \(options.joined(separator: ", "))"
    }

    /// The statements that make the schema; those that add rows, or demand something of them, may fail.
    var schema: [(sql: String, mayFail: Bool)] {
      before.map { ($0, false) } + [(create(table), false)] + rows.map { ($0.sql, true) }
        + added.map { ("ALTER TABLE \(table.quotedName) ADD COLUMN \($0.sql)", false) }
        + after.map { ($0, $0.hasPrefix("CREATE UNIQUE INDEX i")) } + laterRows.map { ($0.sql, true) }
    }

    /// Returns whether a filter compares a column with a constant that SQLite turns into another value for that,
    /// because of the column's type (“Datatypes In SQLite”, 3.1 and 4.2): such a request is to be refused.
    func mustRefuse(_ spec: ListSpec) -> Bool {
      spec.filter.constants.contains { role, value in
        guard let type = (columns + added).first(where: { $0.role == role })?.type.uppercased() else {
          return false
        }
        let isInteger = type.contains("INT")
        let isText = !isInteger && ["CHAR", "CLOB", "TEXT"].contains { type.contains($0) }
        let isNone =
          type.isEmpty || type.contains("BLOB") && !isInteger || type == "ANY" && options.contains("STRICT")
        return switch value {
        case .integer, .real: isText
        case .text(let bytes): !isText && !isNone && Double(String(decoding: bytes, as: UTF8.self)) != nil
        case .null, .blob: false
        }
      }
    }

    var naming: Naming {
      var naming = Naming(table: table, keyType: keyType, dateType: dateType)
      for column in columns + added {
        if let role = column.role { naming.columns[role] = column.name }
      }
      return naming
    }
  }
#endif
