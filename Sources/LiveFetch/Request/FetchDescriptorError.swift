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
  static let noSortKeys = Self(
    kind: .noSortKeys,
    description: "A request needs an order: add .ordered(by:), with \\.id if nothing else orders the rows.")
  static func negativeLimit(_ what: String, _ value: Int) -> Self {
    Self(kind: .negativeLimit, description: "The \(what) is \(value); it cannot be negative.")
  }
}
