/// A filter, in terms that a database has as well.
///
/// The type is closed: every case renders to SQL and evaluates in memory, and the two agree on every row,
/// `NULL` included. An expression is over the columns of one table, named by their position in it.
public indirect enum FetchExpression: Hashable, Sendable {
  /// The value of a column.
  case column(Int, name: String)
  /// A value that does not depend on the row.
  case constant(FetchValue)
  /// A comparison of two values.
  case compare(Comparison, FetchExpression, FetchExpression)
  /// Whether all hold; true when there are none.
  case all([FetchExpression])
  /// Whether one holds; false when there are none.
  case any([FetchExpression])
  /// Whether the operand does not hold.
  case not(FetchExpression)
  /// Whether a value is among some.
  case among(FetchExpression, Set<FetchValue>)
  /// Whether a text contains another, begins with it, or ends with it.
  case match(TextMatch, folded: Bool, FetchExpression, FetchExpression)
  /// The first value, or the second where the first is `NULL`.
  case coalesce(FetchExpression, FetchExpression)
  /// The second value where the first holds, else the third.
  case choose(FetchExpression, FetchExpression, FetchExpression)
  /// Text without case and diacritics.
  case folded(FetchExpression)
  /// Whether a text is empty.
  case isEmpty(FetchExpression)

  /// How two values are compared. `equal` and `notEqual` take `NULL` for a value like any other; with the
  /// others a `NULL` gives `NULL`.
  public enum Comparison: String, Hashable, Sendable {
    /// The same, and NULL like NULL.
    case equal = "IS"
    /// Not the same.
    case notEqual = "IS NOT"
    /// Before the other.
    case less = "<"
    /// Before the other, or like it.
    case lessOrEqual = "<="
    /// After the other.
    case greater = ">"
    /// After the other, or like it.
    case greaterOrEqual = ">="
  }

  /// Where one text stands in another.
  public enum TextMatch: Hashable, Sendable {
    /// Anywhere.
    case contains
    /// At the beginning.
    case prefix
    /// At the end.
    case suffix
  }

  /// Always true.
  public static let yes = FetchExpression.constant(.integer(1))

  /// The columns that the expression reads, by position.
  public func visitColumns(_ visit: (Int) -> Void) {
    switch self {
    case .column(let position, _): visit(position)
    case .constant: break
    case .compare(_, let a, let b), .match(_, _, let a, let b), .coalesce(let a, let b):
      a.visitColumns(visit)
      b.visitColumns(visit)
    case .all(let operands), .any(let operands): for operand in operands { operand.visitColumns(visit) }
    case .not(let operand), .among(let operand, _), .folded(let operand), .isEmpty(let operand):
      operand.visitColumns(visit)
    case .choose(let test, let a, let b):
      test.visitColumns(visit)
      a.visitColumns(visit)
      b.visitColumns(visit)
    }
  }

  /// The equalities with a constant that every row must meet: what a store can route changes by.
  public var requiredEqualities: [(column: String, value: FetchValue)] {
    switch self {
    case .compare(.equal, .column(_, let name), .constant(let value)),
      .compare(.equal, .constant(let value), .column(_, let name)):
      [(name, value)]
    case .all(let operands): operands.flatMap(\.requiredEqualities)
    default: []
    }
  }
}
