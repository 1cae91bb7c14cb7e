#if PostgreSQL
  import CLibPQ
  import LiveStore

  /// A value that goes to the server beside the SQL.
  enum Parameter: Hashable {
    case integer(Int64)
    case real(Double)
    case text(String)
    case bytes([UInt8])
    case uuid([UInt8])
    case truth(Bool)
    /// Microseconds since 1970, of a column with a time zone or without.
    case time(Int64, withZone: Bool)
    /// Text whose type the server finds out by itself.
    case literal(String)
    case null

    var oid: Oid {
      switch self {
      case .integer: TypeID.int8
      case .real: TypeID.float8
      case .text: TypeID.text
      case .bytes: TypeID.bytea
      case .uuid: TypeID.uuid
      case .truth: TypeID.bool
      case .time(_, let withZone): withZone ? TypeID.timestamptz : TypeID.timestamp
      case .literal, .null: 0
      }
    }

    var isBinary: Bool {
      switch self {
      case .text, .literal, .null: false
      default: true
      }
    }

    /// Appends the value as it is sent.
    func write(to bytes: inout [UInt8]) {
      switch self {
      case .integer(let number): withUnsafeBytes(of: number.bigEndian) { bytes += $0 }
      case .real(let number): withUnsafeBytes(of: number.bitPattern.bigEndian) { bytes += $0 }
      case .text(let text), .literal(let text): bytes += text.utf8
      case .bytes(let blob), .uuid(let blob): bytes += blob
      case .truth(let value): bytes.append(value ? 1 : 0)
      case .time(let microseconds, _):
        withUnsafeBytes(of: PostgresTime.stored(microseconds).bigEndian) { bytes += $0 }
      case .null: break
      }
    }

    /// Whether this is text that PostgreSQL cannot store: with a zero byte.
    var hasZeroByte: Bool {
      switch self {
      case .text(let text), .literal(let text): text.utf8.contains(0)
      default: false
      }
    }
  }

  /// Times as PostgreSQL has them: microseconds since 2000, with the least and the greatest number for the infinities.
  enum PostgresTime {
    /// Microseconds from 1970 to 2000.
    static let epoch: Int64 = 946_684_800_000_000

    /// The stored form of a time; of one that PostgreSQL cannot store the infinity beyond it, which compares as it does.
    static func stored(_ microseconds: Int64) -> Int64 {
      // 4714 BC to 294276.
      if microseconds < epoch - 211_813_488_000_000_000 { return .min }
      if microseconds >= 9_223_371_331_200_000_000 { return .max }
      return microseconds - epoch
    }
  }

  /// The numbers of PostgreSQL's own types.
  enum TypeID {
    static let bool: Oid = 16
    static let bytea: Oid = 17
    static let name: Oid = 19
    static let int8: Oid = 20
    static let int2: Oid = 21
    static let int4: Oid = 23
    static let text: Oid = 25
    static let oid: Oid = 26
    static let float4: Oid = 700
    static let float8: Oid = 701
    static let bpchar: Oid = 1_042
    static let varchar: Oid = 1_043
    static let date: Oid = 1_082
    static let timestamp: Oid = 1_114
    static let timestamptz: Oid = 1_184
    static let uuid: Oid = 2_950
  }
#endif
