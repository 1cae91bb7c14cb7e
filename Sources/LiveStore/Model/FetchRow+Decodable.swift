import Foundation

extension FetchRow {
  /// Makes a value of a row by the names of its columns: for stores whose models are `Decodable`.
  ///
  /// A property that is a ``FetchColumnValue`` is made of its column's value, in the form that its type is stored in by itself. Any other is
  /// decoded from JSON in its column, or, such as an enumeration, from its raw value there.
  /// - Parameter type: The type of the value.
  /// - Throws: ``FetchError/row(_:)`` where a column is missing or its value is of another type; `DecodingError`.
  /// - Complexity: O(*c*²) for *c* columns.
  public func decode<Value: Decodable>(_ type: Value.Type = Value.self) throws -> Value {
    try Value(from: RowDecoder(row: self))
  }
}

private struct RowDecoder: Decoder {
  let row: FetchRow
  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
    KeyedDecodingContainer(RowContainer(row: row))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer { throw unnamed }
  func singleValueContainer() throws -> any SingleValueDecodingContainer { throw unnamed }

  private var unnamed: DecodingError {
    .dataCorrupted(
      .init(codingPath: [], debugDescription: "A row is decoded by the names of its columns alone."))
  }
}

private struct RowContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let row: FetchRow
  var codingPath: [any CodingKey] { [] }
  var allKeys: [Key] { row.storage.columnNames.compactMap { Key(stringValue: $0) } }

  func contains(_ key: Key) -> Bool { row.storedValue(key.stringValue) != nil }
  func decodeNil(forKey key: Key) -> Bool { row.storedValue(key.stringValue)?.isNull ?? true }

  func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
    if let column = type as? any FetchColumnValue.Type {
      guard let value = try value(of: column, key.stringValue) as? Value else { throw mismatch(type, key) }
      return value
    }
    guard let json = row.storedValue(key.stringValue)?.json else { throw mismatch(type, key) }
    return try JSONDecoder().decode(type, from: json)
  }

  private func value<Column: FetchColumnValue>(of type: Column.Type, _ name: String) throws -> Column {
    try row[name]
  }

  private func mismatch(_ type: Any.Type, _ key: Key) -> FetchError {
    .row(
      RowDecodingFailure(
        id: nil, column: key.stringValue,
        message: "Column “\(key.stringValue)” is missing, or holds no \(type)."))
  }

  func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool { try row[key.stringValue] }
  func decode(_ type: String.Type, forKey key: Key) throws -> String { try row[key.stringValue] }
  func decode(_ type: Double.Type, forKey key: Key) throws -> Double { try row[key.stringValue] }
  func decode(_ type: Float.Type, forKey key: Key) throws -> Float { try row[key.stringValue] }
  func decode(_ type: Int.Type, forKey key: Key) throws -> Int { try row[key.stringValue] }
  func decode(_ type: Int8.Type, forKey key: Key) throws -> Int8 { try row[key.stringValue] }
  func decode(_ type: Int16.Type, forKey key: Key) throws -> Int16 { try row[key.stringValue] }
  func decode(_ type: Int32.Type, forKey key: Key) throws -> Int32 { try row[key.stringValue] }
  func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 { try row[key.stringValue] }
  func decode(_ type: UInt.Type, forKey key: Key) throws -> UInt { try row[key.stringValue] }
  func decode(_ type: UInt8.Type, forKey key: Key) throws -> UInt8 { try row[key.stringValue] }
  func decode(_ type: UInt16.Type, forKey key: Key) throws -> UInt16 { try row[key.stringValue] }
  func decode(_ type: UInt32.Type, forKey key: Key) throws -> UInt32 { try row[key.stringValue] }
  func decode(_ type: UInt64.Type, forKey key: Key) throws -> UInt64 { try row[key.stringValue] }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<Nested> { throw mismatch(Nested.self, key) }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    throw mismatch([Never].self, key)
  }

  func superDecoder() throws -> any Decoder { RowDecoder(row: row) }
  func superDecoder(forKey key: Key) throws -> any Decoder { RowDecoder(row: row) }
}

extension FetchValue {
  /// The value as JSON: text that is an object or an array as it is, any other value as one.
  fileprivate var json: Data? {
    switch self {
    case .null: Data("null".utf8)
    case .integer(let number): Data("\(number)".utf8)
    case .real(let number): number.isFinite ? Data("\(number)".utf8) : nil
    case .text(let text):
      text.utf8.first == UInt8(ascii: "{") || text.utf8.first == UInt8(ascii: "[")
        ? Data(text.utf8) : try? JSONEncoder().encode(text)
    case .blob: nil
    }
  }
}
