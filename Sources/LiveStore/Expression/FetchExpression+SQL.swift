extension FetchExpression {
  /// The expression as SQL.
  public var sql: SQLText {
    var text = SQLText()
    render(into: &text)
    return text
  }

  func render(into text: inout SQLText) {
    switch self {
    case .column(_, let name): text.append(SQLText.quoted(name))
    case .constant(let value): text.bind(value)
    // The word and not a bound value: by it SQLite knows that a partial index will do.
    case .compare(.equal, let a, .constant(.null)): text.postfix(a, "IS NULL")
    case .compare(.notEqual, let a, .constant(.null)): text.postfix(a, "IS NOT NULL")
    case .compare(let comparison, let a, let b):
      // Said and not left to the column, which may have been declared to compare text otherwise.
      let isText = a.mayBeText && b.mayBeText
      let isWithConstant = a.isConstant || b.isConstant
      text.infix(
        a, isText ? "\(SQLText.binary) \(comparison.rawValue)" : comparison.rawValue, b,
        asStored: !isWithConstant)
    case .all(let operands): text.joined(operands, by: " AND ", whenEmpty: "1")
    case .any(let operands): text.joined(operands, by: " OR ", whenEmpty: "0")
    case .not(let operand): text.call("NOT ", operand)
    case .among(let operand, let values): text.among(operand, values)
    case .match(let match, let folded, let subject, let pattern):
      text.match(match, folded ? .folded(subject) : subject, folded ? .folded(pattern) : pattern)
    case .coalesce(let a, let b): text.call("coalesce", a, b)
    case .choose(let test, let a, let b):
      text.append("CASE WHEN ")
      test.render(into: &text)
      text.append(" THEN ")
      a.render(into: &text)
      text.append(" ELSE ")
      b.render(into: &text)
      text.append(" END")
    case .folded(.constant(.text(let value))): text.bind(.text(TextFolding.fold(value)))
    case .folded(let operand): text.call(SQLFunction.fold, operand)
    case .isEmpty(let operand): text.isEmpty(operand)
    }
  }
}

extension FetchExpression {
  fileprivate var isConstant: Bool {
    if case .constant = self { true } else { false }
  }

  /// Whether this is a text that does not depend on the row.
  fileprivate var isText: Bool {
    if case .constant(let value) = self { value.isText } else { false }
  }

  fileprivate var isColumn: Bool {
    if case .column = self { true } else { false }
  }

  /// Whether the value may be text, as far as is known without the table.
  fileprivate var mayBeText: Bool {
    switch self {
    case .column, .folded: true
    case .constant(let value): value.isText
    case .coalesce(let a, let b), .choose(_, let a, let b): a.mayBeText || b.mayBeText
    case .compare, .all, .any, .not, .among, .match, .isEmpty: false
    }
  }
}

extension SQLText {
  /// - Parameter asStored: Whether columns are compared by what they hold. SQL would first turn text of the one into numbers
  ///   because of the type that the other was declared with; behind a `+` a column has no type.
  fileprivate mutating func infix(
    _ a: FetchExpression, _ operation: String, _ b: FetchExpression, asStored: Bool
  ) {
    append(asStored && a.isColumn ? "(+" : "(")
    a.render(into: &self)
    append(asStored && b.isColumn ? " \(operation) +" : " \(operation) ")
    b.render(into: &self)
    append(")")
  }

  fileprivate mutating func postfix(_ a: FetchExpression, _ operation: String) {
    append("(")
    a.render(into: &self)
    append(" \(operation))")
  }

  fileprivate mutating func joined(_ operands: [FetchExpression], by separator: String, whenEmpty: String) {
    guard !operands.isEmpty else { return append(whenEmpty) }
    append("(")
    for (position, operand) in operands.enumerated() {
      if position > 0 { append(separator) }
      operand.render(into: &self)
    }
    append(")")
  }

  fileprivate mutating func call(_ function: String, _ operands: FetchExpression...) {
    append("\(function)(")
    for (position, operand) in operands.enumerated() {
      if position > 0 { append(", ") }
      operand.render(into: &self)
    }
    append(")")
  }

  /// Renders a test for empty text, which is `NULL` for a value that is no text.
  fileprivate mutating func isEmpty(_ operand: FetchExpression) {
    append("CASE WHEN typeof(")
    operand.render(into: &self)
    append(") = 'text' THEN ")
    FetchExpression.compare(.equal, operand, .constant(.text(""))).render(into: &self)
    append(" END")
  }

  /// `IN` gives `NULL` for a `NULL` on its left or in its list; ours takes `NULL` for a value like any other.
  fileprivate mutating func among(_ operand: FetchExpression, _ values: Set<FetchValue>) {
    let some = values.filter { !$0.isNull }.sorted { $0.compare($1) < 0 }
    if some.isEmpty {
      guard values.contains(.null) else { return append("0") }
      return postfix(operand, "IS NULL")
    }
    append("coalesce(")
    operand.render(into: &self)
    append(some.contains(where: \.isText) ? " \(SQLText.binary) IN (" : " IN (")
    for (position, value) in some.enumerated() {
      if position > 0 { append(", ") }
      bind(value)
    }
    append("), \(values.contains(.null) ? 1 : 0))")
  }

  /// Bytes are compared: SQLite's text functions stop at a zero byte, and `substr` makes a `NULL` of no bytes. What is no text
  /// has none within, though SQL would write a number down and look at its digits.
  fileprivate mutating func match(
    _ match: FetchExpression.TextMatch, _ subject: FetchExpression, _ pattern: FetchExpression
  ) {
    append("CASE WHEN typeof(")
    subject.render(into: &self)
    append(") <> 'text'")
    if !pattern.isText {
      append(" OR typeof(")
      pattern.render(into: &self)
      append(") <> 'text'")
    }
    if match == .contains {
      append(" THEN NULL ELSE instr(")
      bytes(subject)
      append(", ")
      bytes(pattern)
      append(") > 0 END")
      return
    }
    append(" THEN NULL WHEN length(")
    bytes(pattern)
    append(") = 0 THEN 1 WHEN length(")
    bytes(pattern)
    append(") > length(")
    bytes(subject)
    append(") THEN 0 ELSE substr(")
    bytes(subject)
    append(match == .prefix ? ", 1, length(" : ", -length(")
    bytes(pattern)
    append(")) = ")
    bytes(pattern)
    append(" END")
  }

  private mutating func bytes(_ operand: FetchExpression) {
    append("CAST(")
    operand.render(into: &self)
    append(" AS BLOB)")
  }
}
