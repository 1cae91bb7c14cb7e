/// What is wrong with a ``FetchDescriptor``, found when it is built.
public struct FetchDescriptorError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kinds of mistake.
  public enum Kind: Hashable, Sendable {
    /// A property has no column in the model's table.
    case unknownColumn
    /// A part of the filter has no form in SQL.
    case unsupportedExpression
    /// A captured value cannot stand in a column.
    case unsupportedValue
    /// Two sides of a comparison are stored in different forms.
    case incomparable
    /// No sort key was given.
    case noSortKeys
    /// A limit or an offset is negative.
    case negativeLimit
    /// A column stores its values in another form than its declaration says, in all rows that were read.
    case storedForm
  }

  /// The kind of mistake.
  public let kind: Kind
  /// What is wrong, and with which part.
  public let description: String

  static func unknownColumn(_ path: String) -> Self {
    Self(kind: .unknownColumn, description: "The table names no column for \(path).")
  }
  static func unsupportedExpression(_ part: String) -> Self {
    Self(kind: .unsupportedExpression, description: "A filter cannot say this in SQL: \(part).")
  }
  static func unsupportedValue(_ value: String) -> Self {
    Self(kind: .unsupportedValue, description: "This value has no stored form: \(value).")
  }
  static func incomparable(_ a: String, _ b: String) -> Self {
    Self(
      kind: .incomparable,
      description: "A column that stores \(a) cannot be compared with one that stores \(b).")
  }
  /// A comparison for which the database turns a value into another, because of the type that a column was declared with.
  package static func converted(_ column: String, declared: String, _ value: FetchValue) -> Self {
    let (kind, cure) =
      value.isText ? ("a number", "TEXT") : ("text", "INTEGER or REAL")
    return Self(
      kind: .incomparable,
      description:
        "The column “\(column)” is declared “\(declared)”, so that the database takes \(value) for \(kind) where the "
        + "two are compared: declare the column \(cure), or give the property the type that the column stores."
    )
  }
  static let noSortKeys = Self(
    kind: .noSortKeys,
    description: "A request needs an order: add .ordered(by:), with \\.id if nothing else orders the rows.")
  static func negativeLimit(_ what: String, _ value: Int) -> Self {
    Self(kind: .negativeLimit, description: "The \(what) is \(value); it cannot be negative.")
  }

  /// A column whose dates are stored in another form than it is declared with; nil where the value is of no such form.
  static func storedForm(_ column: FetchPlan.Column, _ value: FetchValue) -> Self? {
    column.cure(value).map { cure in
      Self(
        kind: .storedForm,
        description: "In all rows the column “\(column.name)” has dates in another form than "
          + "\(column.type), such as \(value): \(cure).")
    }
  }
}

extension FetchPlan.Column {
  /// Returns how the column is to be declared, for a date in another form than it is declared with; nil where the form
  /// is the declared one.
  func cure(_ value: FetchValue) -> String? {
    guard type.isDate, !type.admits(value) else { return nil }
    let stored: FetchColumnType? =
      switch value {
      case .text(let text): CalendarDate.milliseconds(text).map { _ in .dateText }
      case .real: .dateSeconds
      case .integer: .date
      case .blob, .null: nil
      }
    return stored.map { "declare it with `stored: .\($0)`" }
  }
}

extension BadRow {
  /// A row that has a value in a column which the column's type does not admit.
  init(_ id: FetchValue, _ value: FetchValue, in column: FetchPlan.Column) {
    var message =
      "The row \(id) has \(value) in the column “\(column.name)”, which stores \(column.type)."
    if let cure = column.cure(value) { message += " If other rows do as well, \(cure)." }
    self.init(id: "\(id)", column: column.name, message: message)
  }
}
