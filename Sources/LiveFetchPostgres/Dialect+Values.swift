#if PostgreSQL
  import LiveStore

  extension Dialect {
    /// The kind of an expression's values; nil where it does not depend on columns.
    func kind(_ expression: FetchExpression) throws -> ColumnKind? {
      switch expression {
      case .column(_, let name): return try column(name).1
      case .constant: return nil
      case .compare, .all, .any, .not, .among, .match, .isEmpty: return .truth
      case .coalesce(let a, let b), .choose(_, let a, let b):
        guard let first = try kind(a) else { return try kind(b) }
        guard let second = try kind(b) else { return first }
        if first.isText, second.isText { return .text(.other) }
        guard first == second else {
          throw Unsayable(
            reason: "A filter takes either \(a) or \(b), which PostgreSQL stores in different types.")
        }
        return first
      case .folded: throw Self.folding
      }
    }

    func column(_ name: String) throws -> (PostgresTable.Column, ColumnKind) {
      guard let column = table.column(name) else {
        throw Unsayable(
          reason:
            "The table \(table.name) has no column “\(name)”: add it, or name another one in `fetchTable`.")
      }
      guard let kind = column.kind else {
        throw Unsayable(
          reason:
            "The column “\(name)” is of the type \(column.typeName), which PostgreSQL compares and orders otherwise than lists do: filter and order by a "
            + "column of another type, such as a generated one (`bigint`, `double precision`, `text`)."
        )
      }
      if kind == .text(.nondeterministic) {
        throw Unsayable(
          reason:
            "The column “\(name)” has a collation in which texts of different bytes are equal; lists compare bytes: filter and order by a "
            + "generated column with the collation “C”."
        )
      }
      return (column, kind)
    }

    /// Writes a value.
    /// - Parameter asNumber: Whether a truth value is wanted as 0 or 1.
    mutating func value(_ expression: FetchExpression, asNumber: Bool = false) throws {
      if asNumber {
        text.append("(")
        try value(expression)
        return text.append(")::int")
      }
      switch expression {
      case .column(_, let name):
        _ = try column(name)
        text.append(SQLStatement.quoted(name))
      case .coalesce(let a, let b):
        let kind = try kind(expression)
        text.append("coalesce(")
        try part(a, kind)
        text.append(", ")
        try part(b, kind)
        text.append(")")
      case .choose(let test, let a, let b):
        let kind = try kind(expression)
        text.append("(CASE WHEN ")
        try condition(test, isLoose: false)
        text.append(" THEN ")
        try part(a, kind)
        text.append(" ELSE ")
        try part(b, kind)
        text.append(" END)")
      case .constant(let constant):
        guard case .text(let string) = constant else { throw Self.noKind(expression) }
        text.bind(.text(string))
      default: try condition(expression, isLoose: false)
      }
    }

    /// Writes a value that is one of two of a kind.
    private mutating func part(_ expression: FetchExpression, _ kind: ColumnKind?) throws {
      if expression.readsColumns {
        try value(expression)
        if kind?.isText == true { text.append(" COLLATE \"C\"") }
        return
      }
      let constant = expression.evaluate { _ in .null }
      if constant.isNull { return text.append("NULL") }
      guard let parameter = kind?.parameter(constant), !parameter.hasZeroByte, !parameter.isNumberFor(kind)
      else {
        throw Unsayable(
          reason: "A filter takes either a column or \(constant), which that column cannot hold.")
      }
      text.bind(parameter)
    }
  }

  extension ColumnKind {
    var isText: Bool {
      if case .text = self { true } else { false }
    }

    /// Whether an order of such values has to say that it is by bytes.
    var needsCollation: Bool { isText && self != .text(.bytes) }

    func isComparable(to other: ColumnKind) -> Bool {
      switch (self, other) {
      case (.integer, .integer), (.integer, .truth), (.truth, .integer), (.text, .text): true
      case (.integer(isWide: false), .real), (.real, .integer(isWide: false)): true
      case (.time(let a), .time(let b)): a == b
      case (.time(withZone: false), .day), (.day, .time(withZone: false)): true
      default: self == other
      }
    }

    /// The parameter for a constant that such values are compared with; nil where the two have no order in common.
    func parameter(_ constant: FetchValue) -> Parameter? {
      switch (self, constant) {
      case (.integer, .integer(let number)): .integer(number)
      case (.integer, .real(let number)): Int64(exactly: number).map { .integer($0) }
      case (.truth, .integer(let number)): (0...1).contains(number) ? .truth(number == 1) : .integer(number)
      case (.real, .real(let number)): .real(number)
      case (.real, .integer(let number)): Double(exactly: number).map { .real($0) }
      case (.text, .text(let text)): .text(text)
      case (.bytes, .blob(let bytes)): .bytes(bytes)
      case (.uuid, .blob(let bytes)): bytes.count == 16 ? .uuid(bytes) : nil
      case (.time(let withZone), .integer(let microseconds)): .time(microseconds, withZone: withZone)
      // Without a zone: with one, it would depend on the session's.
      case (.day, .integer(let microseconds)): .time(microseconds, withZone: false)
      default: nil
      }
    }
  }

  extension Parameter {
    /// Whether a truth value is to be compared with this as a number.
    func isNumberFor(_ kind: ColumnKind?) -> Bool {
      if case .integer = self { kind == .truth } else { false }
    }
  }
#endif
