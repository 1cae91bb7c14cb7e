import Foundation

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
    /// SQL of the request's own has more or fewer values than parameters.
    case parameterCount
    /// The filter has more parts or values than the database takes in one statement.
    case tooLarge
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
  /// SQL with more or fewer values than it has parameters.
  package static func parameterCount(_ parameters: Int, values: Int) -> Self {
    Self(
      kind: .parameterCount,
      description:
        "The request's SQL takes \(parameters) values, and \(values) were given: give one for each `?`.")
  }
  /// A filter that the database does not take, because of its size.
  package static func tooLarge(_ reason: String) -> Self {
    Self(
      kind: .tooLarge,
      description:
        "The filter has more parts or values than the database takes in one statement (\(reason)): ask for a set with "
        + "`contains` where there are many parts, and put many values into a table that an `.sql` request joins."
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
        description:
          "In all rows the column “\(column.name)” has \(column.type.isDate ? "dates" : "UUIDs") in another form than "
          + "\(column.type), such as \(value): \(cure).")
    }
  }
}

extension FetchDescriptorError {
  /// A record that stores a date in a form which lists do not have.
  package static func recordDate(_ column: String, _ strategy: String) -> Self {
    Self(
      kind: .storedForm,
      description:
        "The record stores the date “\(column)” in the form `\(strategy)`, by which a list cannot filter, order or divide: "
        + "let its `databaseDateEncodingStrategy` be `deferredToDate`, `secondsSince1970` or `timeIntervalSince1970`, "
        + "or give the record a property of the number or text that is stored.")
  }

  /// Keys that are all stored in another form than the identifiers made of them.
  static func keyForm(_ column: FetchPlan.Column, _ value: FetchValue, _ type: Any.Type) -> Self {
    Self(
      kind: .storedForm,
      description:
        "In all rows the column “\(column.name)” has keys in another form than \(type) writes them, such as \(value), so that "
        + "no row is found by its identifier: store them as it writes them (`UPDATE … SET \(column.name) = "
        + "upper(\(column.name))` where UUIDs are text), or let `id` be a `String`.")
  }
}

extension FetchPlan.Column {
  /// Returns how the column is to be declared, for a date or a UUID in another form than it is declared with; nil where
  /// the form is the declared one.
  func cure(_ value: FetchValue) -> String? {
    guard !type.admits(value) else { return nil }
    return type.isDate ? dateCure(value) : uuidCure(value)
  }

  private func uuidCure(_ value: FetchValue) -> String? {
    switch (type, value) {
    case (.uuid, .text(let text)):
      UUID(uuidString: text).map { uuid in
        uuid.uuidString == text
          ? Self.declaration(.uuidText)
          : "store them in upper case (`UPDATE … SET \(name) = upper(\(name))`) and \(Self.declaration(.uuidText)), or "
            + "let the property be a `String`"
      }
    case (.uuidText, .blob(let bytes)) where bytes.count == 16: Self.declaration(.uuid)
    default: nil
    }
  }

  private func dateCure(_ value: FetchValue) -> String? {
    switch value {
    case .text(let text):
      return CalendarDate.milliseconds(text).map { _ in Self.declaration(.dateText) }
    case .real(let number):
      return Self.cure(number.magnitude, isWhole: false)
    case .integer(let number):
      return Self.cure(Double(number.magnitude), isWhole: true)
    case .blob, .null: return nil
    }
  }

  private static func declaration(_ type: FetchColumnType) -> String { "declare it with `stored: .\(type)`" }

  /// The same day is a thousand times as far from 1970 in the next finer unit. From 1973 to 5138, the numbers of one are none of
  /// another's.
  private static func cure(_ magnitude: Double, isWhole: Bool) -> String {
    switch magnitude {
    case 1e8..<1e11: "\(declaration(.dateSeconds)) if these are seconds since 1970"
    case 1e11..<1e14:
      "these may be milliseconds, which is no form of a column of dates: let the property be a number"
    case 1e14..<1e17 where isWhole: "\(declaration(.date)) if these are microseconds since 1970"
    default: "say how its dates are stored, with `stored:`, or let the property be a number"
    }
  }
}

extension BadRow {
  /// A row with text that is no valid UTF-8 in a column that a list reads.
  init(_ id: FetchValue, invalidText value: FetchValue, in column: FetchPlan.Column?) {
    self.init(
      id: "\(id)", column: column?.name,
      message: "The row \(id) has text that is no valid UTF-8, \(value)"
        + (column.map { ", in the column “\($0.name)”." } ?? ", for the name of its section."))
  }

  /// A row that has a value in a column which the column's type does not admit.
  init(_ id: FetchValue, _ value: FetchValue, in column: FetchPlan.Column) {
    var message =
      "The row \(id) has \(value) in the column “\(column.name)”, which stores \(column.type)."
    if let cure = column.cure(value) { message += " If other rows do as well, \(cure)." }
    self.init(id: "\(id)", column: column.name, message: message)
  }
}
