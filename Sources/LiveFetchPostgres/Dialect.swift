#if PostgreSQL
  import LiveStore

  /// A part of a request that SQL cannot say so that it means what it means in memory.
  struct Unsayable: Error {
    /// Sentences that say why, and what to do instead.
    var reason: String
    /// Whether memory can say it for each row: then more rows are read, and the others left out.
    var isLeftToMemory = false
  }

  /// Writes filters as SQL of PostgreSQL's that holds for the rows for which they hold in memory.
  struct Dialect {
    let table: PostgresTable
    var text = SQLStatement()

    /// Writes a condition.
    /// - Parameter isLoose: Whether NULL may stand for false, as it does where nothing is around it but AND and OR. An index
    ///   serves only what is written so.
    mutating func condition(_ expression: FetchExpression, isLoose: Bool) throws {
      if !expression.readsColumns { return text.append(Self.literal(expression.evaluate { _ in .null })) }
      switch expression {
      case .compare(let comparison, let a, let b): try compare(comparison, a, b, isLoose: isLoose)
      case .all(let operands): try joined(operands, by: " AND ", isLoose: isLoose)
      case .any(let operands): try joined(operands, by: " OR ", isLoose: isLoose)
      case .not(let operand):
        text.append("(NOT ")
        try condition(operand, isLoose: false)
        text.append(")")
      case .among(let operand, let values): try among(operand, values, isLoose: isLoose)
      case .match(let match, folded: false, let subject, let pattern): try self.match(match, subject, pattern)
      case .match, .folded: throw Self.folding
      case .isEmpty(let operand):
        guard case .text = try kind(operand) else { throw Self.noText(operand) }
        text.append("(")
        try value(operand)
        text.append(" = '')")
      case .choose(let test, let a, let b):
        text.append("(CASE WHEN ")
        try condition(test, isLoose: false)
        text.append(" THEN ")
        try condition(a, isLoose: false)
        text.append(" ELSE ")
        try condition(b, isLoose: false)
        text.append(" END)")
      case .coalesce, .column, .constant:
        switch try kind(expression) {
        case .truth?: try value(expression)
        case .integer?, .real?:
          text.append("(")
          try value(expression)
          text.append(" <> 0)")
        default: throw Unsayable(reason: "A filter takes \(expression) for a truth value, which is none.")
        }
      }
    }

    private static func literal(_ value: FetchValue) -> String {
      if value.isNull { return "NULL::boolean" }
      return FetchExpression.constant(value).holds { _ in .null } ? "TRUE" : "FALSE"
    }

    private mutating func joined(
      _ operands: [FetchExpression], by separator: String, isLoose: Bool
    ) throws {
      text.append("(")
      for (number, operand) in operands.enumerated() {
        if number > 0 { text.append(separator) }
        try condition(operand, isLoose: isLoose)
      }
      text.append(")")
    }

    static let folding = Unsayable(
      reason: "PostgreSQL has no function that folds text as Swift does.", isLeftToMemory: true)

    static func noText(_ expression: FetchExpression) -> Unsayable {
      Unsayable(reason: "A filter searches in what is no text: \(expression).")
    }

    // MARK: Comparisons

    private mutating func compare(
      _ comparison: FetchExpression.Comparison, _ a: FetchExpression, _ b: FetchExpression, isLoose: Bool
    ) throws {
      if !b.readsColumns {
        return try compare(comparison, a, with: b.evaluate { _ in .null }, isLoose: isLoose)
      }
      if !a.readsColumns {
        return try compare(comparison.mirrored, b, with: a.evaluate { _ in .null }, isLoose: isLoose)
      }
      guard let first = try kind(a), let second = try kind(b), first.isComparable(to: second) else {
        throw Unsayable(
          reason:
            "PostgreSQL compares \(a) with \(b) otherwise than a list does: let both columns have one type.")
      }
      // Both sides say the order: of two columns that differ in it, PostgreSQL would not know which to take.
      let order = first.isText ? " COLLATE \"C\"" : ""
      text.append("(")
      try value(a, asNumber: first == .truth && second != .truth)
      text.append("\(order) \(comparison.sql) ")
      try value(b, asNumber: second == .truth && first != .truth)
      text.append("\(order))")
    }

    private mutating func compare(
      _ comparison: FetchExpression.Comparison, _ operand: FetchExpression, with constant: FetchValue,
      isLoose: Bool
    ) throws {
      guard let kind = try kind(operand) else { throw Self.noKind(operand) }
      if constant.isNull {
        switch comparison {
        case .equal, .notEqual:
          text.append("(")
          try value(operand)
          text.append(comparison == .equal ? " IS NULL)" : " IS NOT NULL)")
        default: text.append("NULL::boolean")
        }
        return
      }
      if case .text(let string) = constant, kind.isText, let zero = string.utf8.firstIndex(of: 0) {
        return try compare(
          comparison, operand, withTextBefore: String(decoding: string.utf8[..<zero], as: UTF8.self))
      }
      guard let parameter = kind.parameter(constant) else {
        throw Unsayable(reason: "\(operand) cannot be compared with \(constant) in PostgreSQL.")
      }
      let isTotal = comparison == .equal || comparison == .notEqual
      text.append(isTotal && !isLoose && comparison == .equal ? "coalesce(" : "(")
      try value(operand, asNumber: parameter.isNumberFor(kind))
      if !isTotal, kind.needsCollation { text.append(" COLLATE \"C\"") }
      switch comparison {
      case .equal: text.append(" = ")
      case .notEqual: text.append(" IS DISTINCT FROM ")
      default: text.append(" \(comparison.sql) ")
      }
      text.bind(parameter)
      text.append(isTotal && !isLoose && comparison == .equal ? ", FALSE)" : ")")
    }

    /// Compares with text that has a zero byte, which no text of PostgreSQL's has: it is behind all that is up to the zero,
    /// and before all that is behind that.
    private mutating func compare(
      _ comparison: FetchExpression.Comparison, _ operand: FetchExpression, withTextBefore prefix: String
    ) throws {
      switch comparison {
      case .equal: text.append("FALSE")
      case .notEqual: text.append("TRUE")
      case .less, .lessOrEqual, .greater, .greaterOrEqual:
        let isLess = comparison == .less || comparison == .lessOrEqual
        text.append("(")
        try value(operand)
        text.append(" COLLATE \"C\" \(isLess ? "<=" : ">") ")
        text.bind(.text(prefix))
        text.append(")")
      }
    }

    /// `IN` gives NULL for a NULL on its left; ours takes NULL for a value like any other.
    private mutating func among(_ operand: FetchExpression, _ values: Set<FetchValue>, isLoose: Bool) throws {
      guard let kind = try kind(operand) else { throw Self.noKind(operand) }
      let hasNull = values.contains(.null)
      var parameters: [Parameter] = []
      for constant in values.sorted(by: { $0.compare($1) < 0 }) where !constant.isNull {
        if let parameter = kind.parameter(constant) {
          if !parameter.hasZeroByte { parameters.append(parameter) }
        } else {
          throw Unsayable(reason: "\(operand) cannot be compared with \(constant) in PostgreSQL.")
        }
      }
      guard parameters.count + text.parameters.count <= 65_000 else {
        throw Unsayable(
          reason:
            "The filter has \(parameters.count) values, and PostgreSQL takes 65,535 in a statement: put them into a table that an "
            + "`.sql` request joins.")
      }
      if parameters.isEmpty {
        if !hasNull { return text.append("FALSE") }
        text.append("(")
        try value(operand)
        return text.append(" IS NULL)")
      }
      let needsTotal = hasNull || !isLoose
      if needsTotal { text.append("coalesce(") }
      try value(operand, asNumber: parameters.contains { $0.isNumberFor(kind) })
      text.append(" IN (")
      for (number, parameter) in parameters.enumerated() {
        if number > 0 { text.append(", ") }
        if case .truth(let truth) = parameter, parameters.contains(where: { $0.isNumberFor(kind) }) {
          text.bind(.integer(truth ? 1 : 0))
        } else {
          text.bind(parameter)
        }
      }
      text.append(")")
      if needsTotal { text.append(hasNull ? ", TRUE)" : ", FALSE)") }
    }

    /// These three compare bytes under a deterministic collation, and text in UTF-8 is found at characters alone.
    private mutating func match(
      _ match: FetchExpression.TextMatch, _ subject: FetchExpression, _ pattern: FetchExpression
    ) throws {
      guard try kind(subject)?.isText ?? true else { throw Self.noText(subject) }
      guard try kind(pattern)?.isText ?? true else { throw Self.noText(pattern) }
      for side in [subject, pattern] where !side.readsColumns {
        let constant = side.evaluate { _ in .null }
        guard case .text(let string) = constant else { return text.append("NULL::boolean") }
        if string.utf8.contains(0) {
          throw Unsayable(
            reason: "PostgreSQL stores no text with a zero byte, so none is searched for one.",
            isLeftToMemory: true)
        }
      }
      switch match {
      case .contains: text.append("(strpos(")
      case .prefix: text.append("starts_with(")
      case .suffix: text.append("(right(")
      }
      try value(subject)
      text.append(" COLLATE \"C\", ")
      if match == .suffix { text.append("length(") }
      try value(pattern)
      switch match {
      case .contains: text.append(" COLLATE \"C\") > 0)")
      case .prefix: text.append(" COLLATE \"C\")")
      case .suffix:
        text.append(")) COLLATE \"C\" = ")
        try value(pattern)
        text.append(")")
      }
    }

    static func noKind(_ expression: FetchExpression) -> Unsayable {
      Unsayable(reason: "PostgreSQL has no order of its own for \(expression) that lists share.")
    }
  }

  extension FetchExpression {
    var readsColumns: Bool {
      var reads = false
      visitColumns { _ in reads = true }
      return reads
    }
  }

  extension FetchExpression.Comparison {
    /// NULL is like NULL, and no other is.
    fileprivate var sql: String {
      switch self {
      case .equal: "IS NOT DISTINCT FROM"
      case .notEqual: "IS DISTINCT FROM"
      default: rawValue
      }
    }

    fileprivate var mirrored: Self {
      switch self {
      case .equal, .notEqual: self
      case .less: .greater
      case .lessOrEqual: .greaterOrEqual
      case .greater: .less
      case .greaterOrEqual: .lessOrEqual
      }
    }
  }
#endif
