/// One part of a request's order.
public struct OrderComponent: Hashable, Sendable {
  /// The value that is ordered by.
  public enum Source: Hashable, Sendable {
    /// A column's value.
    case value
    /// The text without case and diacritics.
    case folded
    /// The name of the section that the value falls in.
    case section(FetchSectionKind, SectionZone? = nil)
  }

  /// The column's position in ``FetchPlan/columns``.
  public var column: Int
  /// The column's name.
  public var name: String
  /// How the column stores its values.
  public var type: FetchColumnType
  /// The part of the column's value that is ordered by.
  public var source: Source
  /// Whether the greatest comes first.
  public var isDescending: Bool
  /// Whether rows without a value come before all others.
  public var nullsFirst: Bool

  /// Creates a part of an order.
  public init(
    column: Int, name: String, type: FetchColumnType, source: Source, isDescending: Bool, nullsFirst: Bool
  ) {
    self.column = column
    self.name = name
    self.type = type
    self.source = source
    self.isDescending = isDescending
    self.nullsFirst = nullsFirst
  }

  /// The part that a writer of keys needs.
  package var part: OrderPart {
    OrderPart(column: column, type: type, source: source, isDescending: isDescending, nullsFirst: nullsFirst)
  }

  /// The term of an `ORDER BY` that orders as the key's bytes do.
  public var sql: String {
    let column = SQLText.quoted(name)
    let term =
      switch source {
      case .value: type.isText ? "\(column) \(SQLText.binary)" : column
      case .folded: "\(SQLFunction.fold)(\(column))"
      case .section(let kind, nil): "\(SQLFunction.section)(\(kind.rawValue), \(type.code), \(column))"
      case .section(let kind, let zone?):
        "\(SQLFunction.section)(\(kind.rawValue), \(type.code), \(column), \(SQLText.literal(zone.identifier)))"
      }
    // NULLs first when ascending and last when descending is what SQLite does by itself, and what its indexes
    // serve; saying so would be harmless, but older versions do not know the words.
    let nulls = nullsFirst == !isDescending ? "" : (nullsFirst ? " NULLS FIRST" : " NULLS LAST")
    return "\(term) \(isDescending ? "DESC" : "ASC")\(nulls)"
  }
}

/// One part of a key, as it is written for each row: an ``OrderComponent`` without its name, which would be
/// retained and released each time.
package struct OrderPart: Sendable {
  package var column: Int
  package var type: FetchColumnType
  package var source: OrderComponent.Source
  package var isDescending: Bool
  package var nullsFirst: Bool
}
