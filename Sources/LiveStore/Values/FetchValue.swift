/// A value as a database column stores it.
///
/// The engine compares, filters and orders stored values, never the Swift values made from them: only so do
/// the memory and the database agree about every row.
public enum FetchValue: Sendable, Hashable {
  /// No value.
  case null
  /// A whole number.
  case integer(Int64)
  /// A floating-point number; never a NaN, which databases store as ``null``.
  case real(Double)
  /// Text, compared by its UTF-8 bytes.
  case text(String)
  /// Bytes.
  case blob([UInt8])

  /// Whether this is ``null``.
  @inlinable
  public var isNull: Bool {
    if case .null = self { true } else { false }
  }

  /// The kind of the value.
  package var kind: FetchValueKind {
    switch self {
    case .null: .null
    case .integer: .integer
    case .real: .real
    case .text: .text
    case .blob: .blob
    }
  }

  /// Two values are equal when they are stored alike: text by its bytes, not by what Unicode calls equivalent.
  public static func == (lhs: Self, rhs: Self) -> Bool {
    switch (lhs, rhs) {
    case (.null, .null): true
    case (.integer(let a), .integer(let b)): a == b
    case (.real(let a), .real(let b)): a == b
    case (.text(let a), .text(let b)): a.utf8.elementsEqual(b.utf8)
    case (.blob(let a), .blob(let b)): a == b
    default: false
    }
  }

  /// Feeds the stored form into `hasher`.
  public func hash(into hasher: inout Hasher) {
    switch self {
    case .null: hasher.combine(0)
    case .integer(let value): hasher.combine(value)
    case .real(let value): hasher.combine(value)
    case .text(var value):
      value.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    case .blob(let value):
      value.withUnsafeBytes { hasher.combine(bytes: $0) }
    }
  }
}

extension FetchValue: CustomStringConvertible {
  /// The value as SQL would write it.
  public var description: String {
    switch self {
    case .null: "NULL"
    case .integer(let value): "\(value)"
    case .real(let value): "\(value)"
    case .text(let value): "'\(value)'"
    case .blob(let value): "x'\(hexadecimal(value))'"
    }
  }
}

extension FetchValue {
  /// The value as messages name a row by it: as SQL would write it, but sixteen bytes as the UUID that they mostly are.
  @usableFromInline package var keyDescription: String {
    if case .blob(let bytes) = self, bytes.count == 16 { uuidText(bytes) } else { description }
  }
}

/// Sixteen bytes as a UUID is written; any other number of them as hexadecimal digits.
func uuidText(_ bytes: [UInt8]) -> String {
  let digits = Array(hexadecimal(bytes).uppercased())
  guard digits.count == 32 else { return String(digits) }
  return [0..<8, 8..<12, 12..<16, 16..<20, 20..<32].map { String(digits[$0]) }.joined(separator: "-")
}

/// The bytes as lower-case hexadecimal digits.
func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
  let digits = Array("0123456789abcdef".utf8)
  var text: [UInt8] = []
  for byte in bytes {
    text.append(digits[Int(byte >> 4)])
    text.append(digits[Int(byte & 15)])
  }
  return String(decoding: text, as: UTF8.self)
}

extension FetchValue {
  /// Whether this is text.
  var isText: Bool {
    if case .text = self { true } else { false }
  }
}
