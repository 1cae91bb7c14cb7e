import Foundation

/// The columns of a value and what they are to hold: for stores that write `Encodable` models.
///
/// A property that is a ``FetchColumnValue`` is a column of that; any other is written as JSON or, such as an enumeration, as its raw
/// value. A property that is nil is a column with no value.
public struct EncodedColumns {
  /// A column and its value.
  public struct Column {
    /// The name by which the property is encoded.
    public var name: String
    /// The value; nil for none.
    public var value: (any FetchColumnValue)?
  }

  /// The columns, in the order in which the properties are encoded.
  public let columns: [Column]

  /// Encodes a value.
  /// - Parameter value: The value, which encodes its properties by their names.
  /// - Throws: `EncodingError`.
  public init(_ value: some Encodable) throws {
    let record = Record()
    try value.encode(to: RecordEncoder(record: record))
    if record.isNested || record.columns.isEmpty { throw JSONOnly().refusal }
    columns = record.columns
  }

  fileprivate final class Record {
    var columns: [Column] = []
    /// Whether something was encoded in a way that columns have none of.
    var isNested = false
  }
}

private struct RecordEncoder: Encoder {
  let record: EncodedColumns.Record
  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    KeyedEncodingContainer(RecordContainer(record: record))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    record.isNested = true
    return JSONOnly()
  }
  func singleValueContainer() -> any SingleValueEncodingContainer {
    record.isNested = true
    return JSONOnly()
  }
}

private struct RecordContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let record: EncodedColumns.Record
  var codingPath: [any CodingKey] { [] }

  private func note(_ value: (any FetchColumnValue)?, _ key: Key) {
    record.columns.append(.init(name: key.stringValue, value: value))
  }

  func encodeNil(forKey key: Key) throws { note(nil, key) }

  func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
    if let column = value as? any FetchColumnValue { return note(column, key) }
    let json = try JSONEncoder().encode(value)
    switch try JSONSerialization.jsonObject(with: json, options: .fragmentsAllowed) {
    case let text as String: note(text, key)
    case is [Any], is [String: Any]: note(String(decoding: json, as: UTF8.self), key)
    default:
      let text = String(decoding: json, as: UTF8.self)
      if let number = Int64(text) {
        note(number, key)
      } else if let number = Double(text) {
        note(number, key)
      } else {
        note(text == "null" ? nil : text == "true", key)
      }
    }
  }

  func encode(_ value: Bool, forKey key: Key) throws { note(value, key) }
  func encode(_ value: String, forKey key: Key) throws { note(value, key) }
  func encode(_ value: Double, forKey key: Key) throws { note(value, key) }
  func encode(_ value: Float, forKey key: Key) throws { note(value, key) }
  func encode(_ value: Int, forKey key: Key) throws { note(value, key) }
  func encode(_ value: Int8, forKey key: Key) throws { note(value, key) }
  func encode(_ value: Int16, forKey key: Key) throws { note(value, key) }
  func encode(_ value: Int32, forKey key: Key) throws { note(value, key) }
  func encode(_ value: Int64, forKey key: Key) throws { note(value, key) }
  func encode(_ value: UInt, forKey key: Key) throws { note(value, key) }
  func encode(_ value: UInt8, forKey key: Key) throws { note(value, key) }
  func encode(_ value: UInt16, forKey key: Key) throws { note(value, key) }
  func encode(_ value: UInt32, forKey key: Key) throws { note(value, key) }
  func encode(_ value: UInt64, forKey key: Key) throws { note(value, key) }

  // By default what is nil would be passed over, and a column keep what it has.
  func encodeIfPresent<Value: Encodable>(_ value: Value?, forKey key: Key) throws {
    if let value { try encode(value, forKey: key) } else { note(nil, key) }
  }

  func encodeIfPresent(_ value: Bool?, forKey key: Key) throws { note(value, key) }
  func encodeIfPresent(_ value: String?, forKey key: Key) throws { note(value, key) }
  func encodeIfPresent(_ value: Double?, forKey key: Key) throws { note(value, key) }
  func encodeIfPresent(_ value: Float?, forKey key: Key) throws { note(value, key) }
  func encodeIfPresent(_ value: Int?, forKey key: Key) throws { note(value, key) }
  func encodeIfPresent(_ value: Int8?, forKey key: Key) throws { note(value, key) }
  func encodeIfPresent(_ value: Int16?, forKey key: Key) throws { note(value, key) }
  func encodeIfPresent(_ value: Int32?, forKey key: Key) throws { note(value, key) }
  func encodeIfPresent(_ value: Int64?, forKey key: Key) throws { note(value, key) }
  func encodeIfPresent(_ value: UInt?, forKey key: Key) throws { note(value, key) }
  func encodeIfPresent(_ value: UInt8?, forKey key: Key) throws { note(value, key) }
  func encodeIfPresent(_ value: UInt16?, forKey key: Key) throws { note(value, key) }
  func encodeIfPresent(_ value: UInt32?, forKey key: Key) throws { note(value, key) }
  func encodeIfPresent(_ value: UInt64?, forKey key: Key) throws { note(value, key) }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) -> KeyedEncodingContainer<Nested> {
    record.isNested = true
    return KeyedEncodingContainer(RecordContainer<Nested>(record: .init()))
  }
  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    record.isNested = true
    return JSONOnly()
  }
  func superEncoder() -> any Encoder { RecordEncoder(record: record) }
  func superEncoder(forKey key: Key) -> any Encoder { RecordEncoder(record: record) }
}

/// A container for a value that is no record: it refuses all.
private struct JSONOnly: UnkeyedEncodingContainer, SingleValueEncodingContainer {
  var codingPath: [any CodingKey] { [] }
  var count: Int { 0 }

  var refusal: EncodingError {
    .invalidValue(
      self, .init(codingPath: [], debugDescription: "A row is encoded by the names of its properties alone."))
  }

  func encodeNil() throws { throw refusal }
  func encode<Value: Encodable>(_ value: Value) throws { throw refusal }
  func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) -> KeyedEncodingContainer<Nested> {
    KeyedEncodingContainer(RecordContainer<Nested>(record: .init()))
  }
  func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { self }
  func superEncoder() -> any Encoder { RecordEncoder(record: .init()) }
}
