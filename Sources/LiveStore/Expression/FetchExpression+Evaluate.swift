extension FetchExpression {
  /// Whether the expression holds for a row.
  /// - Parameter column: The row's stored value of a column, by the column's position.
  public func holds(_ column: (Int) -> FetchValue) -> Bool {
    evaluate(column).isTrue
  }

  /// The expression's value for a row, by the rules of SQL: a truth value is 0, 1 or `NULL`.
  public func evaluate(_ column: (Int) -> FetchValue) -> FetchValue {
    switch self {
    case .column(let position, _): return column(position)
    case .constant(let value): return value
    case .compare(let comparison, let a, let b):
      return comparison.evaluate(a.evaluate(column), b.evaluate(column))
    case .all(let operands):
      var result = FetchValue.integer(1)
      for operand in operands {
        let value = operand.evaluate(column)
        if value.isNull { result = .null } else if !value.isTrue { return .integer(0) }
      }
      return result
    case .any(let operands):
      var result = FetchValue.integer(0)
      for operand in operands {
        let value = operand.evaluate(column)
        if value.isNull { result = .null } else if value.isTrue { return .integer(1) }
      }
      return result
    case .not(let operand):
      let value = operand.evaluate(column)
      return value.isNull ? .null : .truth(!value.isTrue)
    case .among(let operand, let values):
      return .truth(values.contains(operand.evaluate(column).normalized))
    case .match(let match, let folded, let subject, let pattern):
      guard case .text(let text) = subject.evaluate(column), case .text(let part) = pattern.evaluate(column)
      else { return .null }
      if !folded { return .truth(match.evaluate(text, part)) }
      return .truth(match.evaluate(TextFolding.fold(text), TextFolding.fold(part)))
    case .coalesce(let first, let second):
      let value = first.evaluate(column)
      return value.isNull ? second.evaluate(column) : value
    case .choose(let test, let first, let second):
      return test.evaluate(column).isTrue ? first.evaluate(column) : second.evaluate(column)
    case .folded(let operand):
      guard case .text(let text) = operand.evaluate(column) else { return .null }
      return .text(TextFolding.fold(text))
    case .isEmpty(let operand):
      guard case .text(let text) = operand.evaluate(column) else { return .null }
      return .truth(text.isEmpty)
    }
  }
}

extension FetchValue {
  static func truth(_ value: Bool) -> FetchValue { .integer(value ? 1 : 0) }

  /// Whether SQL takes the value for true: of text and bytes the number that they begin with.
  var isTrue: Bool {
    switch self {
    case .integer(let value): value != 0
    case .real(let value): value != 0
    case .text(let text): Self.leadingNumber(text.utf8) != 0
    case .blob(let bytes): Self.leadingNumber(bytes) != 0
    case .null: false
    }
  }

  /// The number that text begins with, as SQLite reads it; 0 where there is none.
  private static func leadingNumber(_ bytes: some Sequence<UInt8>) -> Double {
    var rest = ArraySlice(Array(bytes.prefix(400))).drop { $0 == 32 || (9...13).contains($0) }
    func takeDigits() -> ArraySlice<UInt8> {
      let digits = rest.prefix { (48...57).contains($0) }
      rest = rest.dropFirst(digits.count)
      return digits
    }
    func takeSign() -> [UInt8] {
      guard let sign = rest.first, sign == 43 || sign == 45 else { return [] }
      rest = rest.dropFirst()
      return [sign]
    }
    var number = takeSign()
    let whole = takeDigits()
    var fraction: ArraySlice<UInt8> = []
    if rest.first == 46 {
      rest = rest.dropFirst()
      fraction = takeDigits()
    }
    if whole.isEmpty, fraction.isEmpty { return 0 }
    number += [48] + whole + [46] + fraction + [48]
    if let mark = rest.first, mark == 69 || mark == 101 {
      rest = rest.dropFirst()
      let sign = takeSign()
      let digits = takeDigits()
      if !digits.isEmpty { number += [101] + sign + digits }
    }
    return Double(String(decoding: number, as: UTF8.self)) ?? 0
  }

  /// Negative, zero or positive as this value is before, like or after another in the database's order:
  /// `NULL`, numbers by value, text by bytes, bytes.
  public func compare(_ other: FetchValue) -> Int {
    switch (self, other) {
    case (.integer(let a), .integer(let b)): return a < b ? -1 : (a == b ? 0 : 1)
    case (.real(let a), .real(let b)): return a < b ? -1 : (a == b ? 0 : 1)
    case (.integer(let a), .real(let b)): return Self.compare(a, b)
    case (.real(let a), .integer(let b)): return -Self.compare(b, a)
    case (.text(let a), .text(let b)): return Self.compare(a.utf8, b.utf8)
    case (.blob(let a), .blob(let b)): return Self.compare(a, b)
    default: return storageClass - other.storageClass
    }
  }

  /// The value in the one form that all equal numbers share.
  public var normalized: FetchValue {
    guard case .real(let value) = self, let whole = Int64(exactly: value) else { return self }
    return .integer(whole)
  }

  private var storageClass: Int {
    switch self {
    case .null: 0
    case .integer, .real: 1
    case .text: 2
    case .blob: 3
    }
  }

  /// Compares without rounding the whole number, as SQLite does.
  private static func compare(_ a: Int64, _ b: Double) -> Int {
    if b < -9_223_372_036_854_775_808 { return 1 }
    if b >= 9_223_372_036_854_775_808 { return -1 }
    let whole = Int64(b)
    if a != whole { return a < whole ? -1 : 1 }
    let fraction = b - Double(whole)
    return fraction > 0 ? -1 : (fraction < 0 ? 1 : 0)
  }

  private static func compare(_ a: some Sequence<UInt8>, _ b: some Sequence<UInt8>) -> Int {
    if a.elementsEqual(b) { return 0 }
    return a.lexicographicallyPrecedes(b) ? -1 : 1
  }
}

extension FetchExpression.Comparison {
  func evaluate(_ a: FetchValue, _ b: FetchValue) -> FetchValue {
    switch self {
    case .equal: return .truth(a.compare(b) == 0)
    case .notEqual: return .truth(a.compare(b) != 0)
    default: break
    }
    if a.isNull || b.isNull { return .null }
    let order = a.compare(b)
    return switch self {
    case .less: .truth(order < 0)
    case .lessOrEqual: .truth(order <= 0)
    case .greater: .truth(order > 0)
    default: .truth(order >= 0)
    }
  }
}

extension FetchExpression.TextMatch {
  /// Bytes are compared, so that the answer is the database's.
  func evaluate(_ text: String, _ part: String) -> Bool {
    var text = text
    var part = part
    return text.withUTF8 { text in
      part.withUTF8 { part in
        guard part.count <= text.count else { return false }
        switch self {
        case .prefix: return text.prefix(part.count).elementsEqual(part)
        case .suffix: return text.suffix(part.count).elementsEqual(part)
        case .contains:
          guard let first = part.first else { return true }
          var start = 0
          while start + part.count <= text.count {
            if text[start] == first, text[start..<(start + part.count)].elementsEqual(part) { return true }
            start += 1
          }
          return false
        }
      }
    }
  }
}
