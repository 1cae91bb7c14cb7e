/// A run of a list, said by what its rows have in their columns.
///
/// All rows of the run agree in some columns, and have something between two bounds in another. Rows beside the run
/// may have so, too: those that tie with its first or last row.
public struct FetchOrderRange: Sendable, Hashable {
  /// A column and its value.
  public struct Equality: Sendable, Hashable {
    /// The column's name.
    public var column: String
    /// The value, which may be ``FetchValue/null``.
    public var value: FetchValue

    /// Creates an equality.
    public init(column: String, value: FetchValue) {
      self.column = column
      self.value = value
    }
  }

  /// The columns in which all rows agree, with their values.
  public let equalities: [Equality]
  /// The column in which they differ.
  public let column: String
  /// The least value that a row has in it; never ``FetchValue/null``.
  public let least: FetchValue
  /// The greatest value that a row has in it; never ``FetchValue/null``.
  public let greatest: FetchValue
  /// How many rows of the list are in the range. A store that finds more need not go on.
  public let count: Int

  /// Creates a range.
  public init(equalities: [Equality], column: String, least: FetchValue, greatest: FetchValue, count: Int) {
    self.equalities = equalities
    self.column = column
    self.least = least
    self.greatest = greatest
    self.count = count
  }

  /// Whether a row is in the range.
  /// - Parameter value: The row's value in a column.
  public func contains(_ value: (_ column: String) -> FetchValue) -> Bool {
    let found = value(column)
    return equalities.allSatisfy { value($0.column) == $0.value } && !found.isNull
      && found.compare(least) >= 0 && found.compare(greatest) <= 0
  }
}
