import GRDB

extension Row {
  /// A column's value as a type. A database that was tampered with gives an error, not a crash.
  func value<Value: DatabaseValueConvertible>(_ column: String) throws -> Value {
    guard let value: Value = try optionalValue(column) else { throw damaged(column) }
    return value
  }

  /// A column's value as a type, or `nil` where the column is empty.
  func optionalValue<Value: DatabaseValueConvertible>(_ column: String) throws -> Value? {
    guard let stored = self[column] as DatabaseValue?, !stored.isNull else { return nil }
    guard let value = Value.fromDatabaseValue(stored) else { throw damaged(column) }
    return value
  }

  private func damaged(_ column: String) -> ContactSheetError {
    ContactSheetError(
      .storage,
      "A row of the database is damaged (\(column)). “contact-sheet check --repair” mends what can be mended."
    )
  }
}
