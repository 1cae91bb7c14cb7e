/// A decoder that gives each property a probe, and notes which there are.
struct ProbeDecoder: Decoder {
  /// Where properties are noted; nil within a property.
  let record: ProbeRecord?
  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  init(_ record: ProbeRecord?) { self.record = record }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
    KeyedDecodingContainer(KeyedProbes(record: record))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    // A type of properties in an order has no names for columns.
    if record != nil { throw ProbeError.noProperties }
    return NoProbes()
  }

  func singleValueContainer() throws -> any SingleValueDecodingContainer {
    if record != nil { throw ProbeError.noProperties }
    return SingleProbe()
  }
}

private struct KeyedProbes<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let record: ProbeRecord?
  var codingPath: [any CodingKey] { [] }
  var allKeys: [Key] { [] }

  func contains(_ key: Key) -> Bool { true }

  func decodeNil(forKey key: Key) -> Bool {
    record?.noteOptional(key.stringValue)
    // Within a property the less there is the better: types may be nested without end.
    return record == nil
  }

  func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
    try (record ?? ProbeRecord()).value(of: type, for: key.stringValue)
  }

  // Those of the standard library's own types are requirements of their own.
  func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool { try probe(key) }
  func decode(_ type: String.Type, forKey key: Key) throws -> String { try probe(key) }
  func decode(_ type: Double.Type, forKey key: Key) throws -> Double { try probe(key) }
  func decode(_ type: Float.Type, forKey key: Key) throws -> Float { try probe(key) }
  func decode(_ type: Int.Type, forKey key: Key) throws -> Int { try probe(key) }
  func decode(_ type: Int8.Type, forKey key: Key) throws -> Int8 { try probe(key) }
  func decode(_ type: Int16.Type, forKey key: Key) throws -> Int16 { try probe(key) }
  func decode(_ type: Int32.Type, forKey key: Key) throws -> Int32 { try probe(key) }
  func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 { try probe(key) }
  func decode(_ type: UInt.Type, forKey key: Key) throws -> UInt { try probe(key) }
  func decode(_ type: UInt8.Type, forKey key: Key) throws -> UInt8 { try probe(key) }
  func decode(_ type: UInt16.Type, forKey key: Key) throws -> UInt16 { try probe(key) }
  func decode(_ type: UInt32.Type, forKey key: Key) throws -> UInt32 { try probe(key) }
  func decode(_ type: UInt64.Type, forKey key: Key) throws -> UInt64 { try probe(key) }

  private func probe<Value: Decodable>(_ key: Key) throws -> Value {
    try (record ?? ProbeRecord()).value(of: Value.self, for: key.stringValue)
  }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<Nested> {
    throw ProbeError.noValue(key.stringValue, "a nested container")
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    throw ProbeError.noValue(key.stringValue, "a nested container")
  }

  func superDecoder() throws -> any Decoder { throw ProbeError.noProperties }
  func superDecoder(forKey key: Key) throws -> any Decoder { throw ProbeError.noProperties }
}

/// An array without elements.
private struct NoProbes: UnkeyedDecodingContainer {
  var codingPath: [any CodingKey] { [] }
  var count: Int? { 0 }
  var isAtEnd: Bool { true }
  var currentIndex: Int { 0 }

  func decodeNil() -> Bool { true }
  func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { throw ProbeError.noProperties }
  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type
  ) throws -> KeyedDecodingContainer<Nested> { throw ProbeError.noProperties }
  func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer { throw ProbeError.noProperties }
  func superDecoder() throws -> any Decoder { throw ProbeError.noProperties }
}

/// A value that a type within a property is stored as.
private struct SingleProbe: SingleValueDecodingContainer {
  var codingPath: [any CodingKey] { [] }

  func decodeNil() -> Bool { true }
  func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    try ProbeRecord().value(of: type, for: "value")
  }
}
