public import LiveStore

/// A model whose rows can be edited in a draft: its values can be had as a row's columns.
///
/// ```swift
/// extension Photo: DraftModel {}
/// ```
///
/// By default the columns are those that ``FetchModel/fetchTable`` names, so that a model without GRDB has to name all of its columns
/// there, or to implement ``fetchValues()``: a property in no column is not saved, and columns that are found by decoding cannot be
/// read from a value. GRDB records have all columns that they encode (`LiveFetchSQLite`).
public protocol DraftModel: FetchModel {
  /// Returns the row of this value: its stored values by column name, the primary key among them.
  /// - Throws: ``FetchError/row(_:)`` for a value that its column cannot store, or the record's own error.
  func fetchValues() throws -> [String: FetchValue]
}

extension DraftModel {
  /// Returns the values of the columns that ``FetchModel/fetchTable`` names.
  /// - Throws: ``FetchError/row(_:)`` for a value that its column cannot store, and for a column that was found by decoding.
  public func fetchValues() throws -> [String: FetchValue] {
    let columns = Self.fetchTable.columns
    var values: [String: FetchValue] = Dictionary(minimumCapacity: columns.count)
    for column in columns {
      guard let stored = column.storedValue else {
        throw FetchError.row(
          RowDecodingFailure(
            id: nil, column: column.name,
            message:
              "The column “\(column.name)” was found by decoding, which does not say how a value is stored: "
              + "implement fetchValues(), or name the columns with their properties."))
      }
      guard let value = stored(self) else {
        throw FetchError.row(
          RowDecodingFailure(
            id: nil, column: column.name,
            message: "A value has no stored form in the column “\(column.name)”, which stores \(column.type)."
          ))
      }
      values[column.name] = value
    }
    return values
  }
}
