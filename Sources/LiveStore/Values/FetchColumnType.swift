/// How a column stores its values.
///
/// Only forms whose order in the database is the order of their bytes in memory are admitted.
public enum FetchColumnType: Sendable, Hashable {
  /// Whole numbers, and truth values as 0 and 1.
  case integer
  /// Floating-point numbers.
  case real
  /// Text, ordered by its UTF-8 bytes.
  case text
  /// Bytes.
  case blob
  /// A UUID as 16 bytes.
  case uuid
  /// A UUID as text in upper case, as `UUID.uuidString` writes it.
  case uuidText
  /// A date as whole microseconds since 1970, UTC.
  case date
  /// A date as `yyyy-MM-dd HH:mm:ss.SSS` in UTC: GRDB's own form.
  case dateText
  /// A date as seconds since 1970, with a fraction.
  case dateSeconds

  /// Whether `value` can stand in a column of this type.
  func admits(_ value: FetchValue) -> Bool {
    switch (self, value) {
    case (_, .null): true
    case (.integer, .integer), (.date, .integer): true
    case (.real, .real), (.dateSeconds, .real): true
    // A whole number that would be another one among floating-point numbers is none of them.
    case (.real, .integer(let number)), (.dateSeconds, .integer(let number)): Double(exactly: number) != nil
    case (.text, .text), (.uuidText, .text), (.dateText, .text): true
    case (.blob, .blob): true
    case (.uuid, .blob(let bytes)): bytes.count == 16
    default: false
    }
  }

  /// Whether the column holds text in some form.
  package var isText: Bool {
    switch self {
    case .text, .uuidText, .dateText: true
    default: false
    }
  }

  /// Whether the column holds dates in some form.
  var isDate: Bool {
    switch self {
    case .date, .dateText, .dateSeconds: true
    default: false
    }
  }
}

extension FetchColumnType {
  /// A number for the type, to hand it to a function in SQL or to keep it.
  public var code: Int {
    switch self {
    case .integer: 0
    case .real: 1
    case .text: 2
    case .blob: 3
    case .uuid: 4
    case .uuidText: 5
    case .date: 6
    case .dateText: 7
    case .dateSeconds: 8
    }
  }

  /// Returns the type of a number.
  public init?(code: Int) {
    let all: [Self] = [.integer, .real, .text, .blob, .uuid, .uuidText, .date, .dateText, .dateSeconds]
    guard all.indices.contains(code) else { return nil }
    self = all[code]
  }
}
