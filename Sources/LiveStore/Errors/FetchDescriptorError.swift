import Foundation

/// A mistake in a ``FetchDescriptor``, found when it is built.
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
    /// The columns of a model's table could not be found by decoding.
    case unknownTable
    /// The filter has more parts or values than the database takes in one statement.
    case tooLarge
  }

  /// The kind of mistake.
  public let kind: Kind
  /// A description of the mistake and of the part that has it.
  public let description: String

  static func unknownColumn(_ path: AnyKeyPath) -> Self {
    // The runtime has no name for a computed property, but an address.
    let text = "\(path)"
    let root = type(of: path).rootType
    let name =
      text.contains("<computed")
      ? "a computed property of \(root)" : text.contains("<offset") ? "a property of \(root)" : text
    return Self(
      kind: .unknownColumn,
      description:
        "The table names no column for \(name). Name a stored property in the request, or name the column in `fetchTable`."
    )
  }
  static func unsupportedExpression(_ part: String) -> Self {
    Self(
      kind: .unsupportedExpression,
      description:
        "A filter cannot say this in SQL: \(part). Store the value that you filter by as a property of its own, or use "
        + "`FetchDescriptor.sql`.")
  }
  /// A property of a column's value, which only Swift can compute.
  static func propertyOfValue(_ path: AnyKeyPath) -> Self {
    unsupportedExpression(
      "a property of a value of type \(type(of: path).rootType), as the `count` of a text is")
  }
  /// A column of another type than the request needs there.
  /// - Parameters:
  ///   - use: The use of the column, at the beginning of a sentence.
  ///   - column: The column's name.
  ///   - needed: The contents that the use needs.
  static func wrongColumn(_ use: String, _ column: String, needed: String) -> Self {
    Self(
      kind: .unsupportedExpression,
      description:
        "\(use) needs a column of \(needed), which “\(column)” is not. Name another property, or use the column as it is."
    )
  }
  static func unsupportedValue(_ value: String) -> Self {
    Self(
      kind: .unsupportedValue,
      description: "This value has no stored form: \(value). Compare with another value.")
  }
  static func incomparable(_ a: String, _ b: String) -> Self {
    Self(
      kind: .incomparable,
      description:
        "A column that stores \(a) cannot be compared with one that stores \(b). Give both properties one type."
    )
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
        "The request's SQL takes \(parameters) values, and \(values) \(values == 1 ? "was" : "were") given: give one for each `?`, or for each number after a `$`."
    )
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
  /// A type whose columns could not be found by decoding.
  static func unknownTable(_ type: String, _ reason: String) -> Self {
    Self(
      kind: .unknownTable,
      description:
        "The columns of \(type) could not be found by decoding, as \(reason). Name them in its `fetchTable`.")
  }
  /// A request that a store cannot serve exactly: a filter or an order for which its database has no twin.
  /// - Parameter reason: Sentences that name the column or the part, and say what to do instead.
  public static func unsupported(_ reason: String) -> Self {
    Self(kind: .unsupportedExpression, description: reason)
  }
  static let noSortKeys = Self(
    kind: .noSortKeys,
    description: "A request needs an order: add .ordered(by:), with \\.id if nothing else orders the rows.")
  static func negativeLimit(_ what: String, _ value: Int) -> Self {
    Self(
      kind: .negativeLimit, description: "The \(what) is \(value), and cannot be negative. Give zero or more."
    )
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

  /// A record that stores a property in a form which lists do not have.
  package static func recordValue(_ column: String, _ form: String) -> Self {
    Self(
      kind: .storedForm,
      description:
        "The record stores “\(column)” in a form by which a list cannot filter, order or divide: \(form). Leave GRDB's "
        + "strategy for it as it is, or name the columns in the record's `fetchTable`.")
  }
}
