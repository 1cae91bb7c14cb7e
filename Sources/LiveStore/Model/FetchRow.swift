/// One row as a store read it: stored values by column name.
///
/// A row is valid within the call that it is handed to, such as ``FetchModel/init(fetchRow:)``: take its values, and
/// do not keep it.
public struct FetchRow: Sendable {
  /// The row as the store read it, for a module that knows the store and can decode from it directly.
  public let storage: any FetchRowStorage

  /// A Boolean value that indicates whether the row is as the last commit left it. One that was read within a
  /// transaction of the caller's may be older, or what will never be committed.
  public let isNewest: Bool

  /// The reason why no object can be made of the row, if so: it is not known to be the one that is meant.
  @usableFromInline package let refusal: FetchError?

  /// Creates a row.
  /// - Parameters:
  ///   - storage: The row's values.
  ///   - isNewest: Whether the row is as the last commit left it.
  public init(_ storage: any FetchRowStorage, isNewest: Bool = true) {
    self.storage = storage
    self.isNewest = isNewest
    refusal = nil
  }

  /// Creates a row of which nothing can be made.
  package init(_ storage: any FetchRowStorage, refusal: FetchError) {
    self.storage = storage
    isNewest = true
    self.refusal = refusal
  }

  /// The stored value of a column, or nil when the row has no such column.
  public func storedValue(_ column: String) -> FetchValue? { storage.value(ofColumn: column) }

  /// A copy of all stored values by column name, as far as the store names the columns.
  /// - Complexity: O(*c*) for *c* columns.
  public var storedValues: [String: FetchValue] { storage.values }

  /// The value of a column.
  /// - Throws: ``FetchError/row(_:)`` when there is no such column, or its value is not of the type.
  public subscript<Value: FetchColumnValue>(column: String) -> Value {
    get throws(FetchError) { try value(column, as: Value.fetchColumnType) }
  }

  /// The value of a column that does not store its values as its type would.
  /// - Parameters:
  ///   - column: The column's name.
  ///   - type: How the column stores its values.
  /// - Returns: The value.
  /// - Throws: ``FetchError/row(_:)`` when there is no such column, or its value is not of the type.
  public func value<Value: FetchColumnValue>(_ column: String, as type: FetchColumnType) throws(FetchError)
    -> Value
  {
    guard let stored = storedValue(column) else {
      throw .row(
        RowDecodingFailure(
          id: nil, column: column,
          message: "The row has no column “\(column)”. Add it to the table, or let the model do without it."))
    }
    guard let value = Value(fetchValue: stored, as: type) else {
      throw .row(
        RowDecodingFailure(
          id: nil, column: column,
          message:
            "Column “\(column)” holds \(stored), which is no \(Value.self). Mend the row, or give the property another type."
        ))
    }
    return value
  }
}

/// Where a ``FetchRow`` has its values from.
public protocol FetchRowStorage: Sendable {
  /// The stored value of a column, or nil when the row has no such column.
  func value(ofColumn column: String) -> FetchValue?

  /// The names of all columns of the row; empty where they are not known, as by default.
  var columnNames: [String] { get }

  /// A copy of all values by column name, as far as the columns are known. A storage need not implement this: by default each is asked
  /// for by its name.
  var values: [String: FetchValue] { get }
}

extension FetchRowStorage {
  /// None: the row's columns are not known.
  public var columnNames: [String] { [] }

  /// The values of the columns that are named.
  public var values: [String: FetchValue] {
    let names = columnNames
    var values: [String: FetchValue] = Dictionary(minimumCapacity: names.count)
    for name in names { values[name] = value(ofColumn: name) }
    return values
  }
}

/// A row's values in a dictionary.
public struct DictionaryRow: FetchRowStorage {
  /// The stored values by column name.
  public var values: [String: FetchValue]

  /// Creates a row's values.
  public init(_ values: [String: FetchValue]) { self.values = values }

  /// The stored value of a column, or nil when the row has no such column.
  public func value(ofColumn column: String) -> FetchValue? { values[column] }

  /// The names of the columns.
  public var columnNames: [String] { Array(values.keys) }
}
