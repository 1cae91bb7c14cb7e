#if SQLite
  import LiveFetch

  /// A value as the database stores it: one of SQLite's five storage classes, text as its bytes.
  enum Cell: Hashable, Sendable {
    case null
    case integer(Int64)
    case real(Double)
    case text([UInt8])
    case blob([UInt8])

    /// The same value in the library's terms, for comparing what its objects were made of.
    var fetchValue: FetchValue {
      switch self {
      case .null: .null
      case .integer(let value): .integer(value)
      case .real(let value): .real(value)
      case .text(let bytes): .text(String(decoding: bytes, as: UTF8.self))
      case .blob(let bytes): .blob(bytes)
      }
    }

    var isNull: Bool { self == .null }

    /// Section 4.1 of SQLite's “Datatypes”: NULL, then numbers, then text, then bytes.
    private var storageClass: Int {
      switch self {
      case .null: 0
      case .integer, .real: 1
      case .text: 2
      case .blob: 3
      }
    }

    /// Returns whether the value comes before another, with NULL first and text compared by BINARY, that is by its
    /// bytes.
    static func < (lhs: Cell, rhs: Cell) -> Bool { compare(lhs, rhs) < 0 }

    /// -1, 0 or 1, as the two values stand in an ascending order.
    static func compare(_ lhs: Cell, _ rhs: Cell) -> Int {
      switch (lhs, rhs) {
      case (.integer(let a), .integer(let b)): return order(a, b)
      case (.real(let a), .real(let b)): return order(a, b)
      case (.integer(let a), .real(let b)): return compare(a, b)
      case (.real(let a), .integer(let b)): return -compare(b, a)
      case (.text(let a), .text(let b)), (.blob(let a), .blob(let b)): return compare(a, b)
      default: return order(lhs.storageClass, rhs.storageClass)
      }
    }

    private static func order<Value: Comparable>(_ a: Value, _ b: Value) -> Int {
      a < b ? -1 : a == b ? 0 : 1
    }

    /// A whole number and a floating-point number by their mathematical values.
    private static func compare(_ a: Int64, _ b: Double) -> Int {
      if b >= 0x1p63 { return -1 }
      if b < -0x1p63 { return 1 }
      let whole = b.rounded(.down)
      let order = order(a, Int64(whole))
      return order == 0 && b > whole ? -1 : order
    }

    /// As memcmp, the shorter first where one begins with the other.
    private static func compare(_ a: [UInt8], _ b: [UInt8]) -> Int {
      if a.lexicographicallyPrecedes(b) { return -1 }
      return a == b ? 0 : 1
    }
  }

  extension Cell: CustomStringConvertible {
    /// As SQL writes it.
    var description: String {
      switch self {
      case .null: "NULL"
      case .integer(let value): "\(value)"
      case .real(let value): "\(value)"
      case .text(let bytes):
        String(validating: bytes, as: UTF8.self).map { "'\($0)'" } ?? Cell.blob(bytes).description
      case .blob(let bytes): "x'\(bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined())'"
      }
    }
  }
#endif
