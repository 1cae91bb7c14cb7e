/// The properties of a `Decodable` type, found by decoding values of it from probes.
///
/// A value is made with a known probe in each property, and for each property another value that has another probe in that one
/// alone. The column of a key path is then the property with which what the key path reads changes, to just the probe: no name
/// is guessed, and a property that is computed of others is none of them.
struct ColumnProbe<Model: Decodable & Sendable>: Sendable {
  /// The properties, in the order in which they are decoded.
  let properties: [ProbedProperty]
  private let base: Model
  /// For each property the value that has another probe there.
  private let changed: [Model]

  /// - Throws: What keeps the type from being decoded from probes.
  init() throws {
    // Of a class no property is known to be stored.
    if Model.self is AnyObject.Type { throw ProbeError.isClass }
    let record = ProbeRecord()
    base = try Model(from: ProbeDecoder(record))
    properties = record.properties
    changed = try properties.map { try Model(from: ProbeDecoder(ProbeRecord(changing: $0.name))) }
  }

  /// The position of the property that a key path reads; nil where it is none that is stored, or not the only one.
  func position(of keyPath: PartialKeyPath<Model>) -> Int? {
    // A computed property may be equal for all probes, and differ for other values.
    MemoryLayout<Model>.offset(of: keyPath) == nil ? nil : position(readBy: keyPath)
  }

  /// The position of the property that is read, also by a computed one. The key path of a protocol's requirement is none of a
  /// stored property, whatever fulfils it.
  func position(readBy keyPath: PartialKeyPath<Model>) -> Int? {
    let before = base[keyPath: keyPath]
    let candidates = changed.indices.filter { !Self.isEqual(changed[$0][keyPath: keyPath], before) }
    guard candidates.count == 1, let type = properties[candidates[0]].type,
      let probe = Probes.value(of: type, isChanged: false),
      let changedProbe = Probes.value(of: type, isChanged: true)
    else { return nil }
    let isProbe =
      Self.isEqual(before, probe) && Self.isEqual(changed[candidates[0]][keyPath: keyPath], changedProbe)
    return isProbe ? candidates[0] : nil
  }

  /// Whether two values are stored alike. What is no column value counts as equal to all.
  private static func isEqual(_ a: Any, _ b: Any) -> Bool {
    guard let a = a as? any FetchColumnValue, let b = b as? any FetchColumnValue else { return true }
    let type = Swift.type(of: b).fetchColumnType
    return a.fetchValue(as: type) == b.fetchValue(as: type)
  }
}

/// A property as its type decodes it.
struct ProbedProperty: Sendable {
  var name: String
  var isOptional: Bool
  /// The type of its values; nil where these are no column values.
  var type: (any FetchColumnValue.Type)?
}

/// Two different values for each type of column values.
enum Probes {
  /// A value of a type; nil where no two values of it are known.
  static func value(of type: any FetchColumnValue.Type, isChanged: Bool) -> (any FetchColumnValue)? {
    func values<Value: FetchColumnValue>(_ type: Value.Type) -> (Value, Value)? {
      var first: Value?
      for value in candidates(type) {
        guard let first else {
          first = value
          continue
        }
        let stored = Value.fetchColumnType
        if value.fetchValue(as: stored) != first.fetchValue(as: stored) { return (first, value) }
      }
      return nil
    }
    func choose<Value: FetchColumnValue>(_ type: Value.Type) -> (any FetchColumnValue)? {
      values(type).map { isChanged ? $0.1 : $0.0 }
    }
    return choose(type)
  }

  private static func candidates<Value: FetchColumnValue>(_ type: Value.Type) -> [Value] {
    if let type = type as? any CaseIterable.Type { return allCases(of: type).compactMap { $0 as? Value } }
    let stored: [FetchValue] =
      switch type.fetchColumnType {
      // The small ones are for enumerations.
      case .integer: [.integer(-31_337), .integer(120), .integer(77)] + (0..<64).map { .integer($0) }
      case .date: [.integer(86_400_123_000), .integer(-1_000_000)]
      case .real, .dateSeconds: [.real(1.25), .real(-2.5)]
      // Whoever changes the case, blanks or accents of what is decoded has another value than the probe.
      case .text: [.text(" Probe É-1 \n"), .text("\tpRobe é-2 ")]
      case .uuidText:
        [.text("9B1D0C5E-1F0A-4B6B-8A55-0C7E2F3D4A01"), .text("00000000-0000-4000-8000-000000000002")]
      case .dateText: [.text("1970-01-02 00:00:00.123"), .text("1969-12-31 23:59:59.000")]
      case .uuid: [.blob(Array(1...16)), .blob(Array(17...32))]
      case .blob: ((try? Rank.between(nil, nil, count: 2)) ?? []).map { .blob($0.bytes) }
      }
    return stored.compactMap { Value(fetchValue: $0, as: type.fetchColumnType) }
  }

  private static func allCases<Cases: CaseIterable>(of type: Cases.Type) -> [Any] { Array(type.allCases) }

  /// A value of a type that is an enumeration; nil where it is none whose cases are known.
  static func anyCase<Value>(of type: Value.Type) -> Value? {
    (type as? any CaseIterable.Type).flatMap { allCases(of: $0).first as? Value }
  }
}

/// The properties that are found while a value is decoded.
final class ProbeRecord {
  /// The property that is given the other probe.
  private let changed: String?
  private(set) var properties: [ProbedProperty] = []

  init(changing changed: String? = nil) { self.changed = changed }

  func noteOptional(_ name: String) {
    if !properties.contains(where: { $0.name == name }) {
      properties.append(ProbedProperty(name: name, isOptional: true))
    }
  }

  private func note(_ name: String, _ type: (any FetchColumnValue.Type)?) {
    if let position = properties.firstIndex(where: { $0.name == name }) {
      properties[position].type = type
    } else {
      properties.append(ProbedProperty(name: name, isOptional: false, type: type))
    }
  }

  /// The probe for a property.
  /// - Throws: `ProbeError` where no value of the type is known.
  func value<Value: Decodable>(of type: Value.Type, for name: String) throws -> Value {
    if let column = type as? any FetchColumnValue.Type,
      let probe = Probes.value(of: column, isChanged: name == changed) as? Value
    {
      note(name, column)
      return probe
    }
    note(name, nil)
    if let value = Probes.anyCase(of: type) { return value }
    do { return try Value(from: ProbeDecoder(nil)) } catch { throw ProbeError.noValue(name, "\(type)") }
  }
}

/// The reason why a type cannot be decoded from probes.
enum ProbeError: Error, CustomStringConvertible {
  case noValue(String, String)
  case noProperties
  case isClass

  var description: String {
    switch self {
    case .noValue(let name, let type):
      "no value of \(type) is known for “\(name)”: an enumeration has to be `CaseIterable`, and a type that is stored as one value a "
        + "`FetchColumnValue`"
    case .isClass: "it is a class"
    case .noProperties: "it is not decoded by the names of its properties"
    }
  }
}
