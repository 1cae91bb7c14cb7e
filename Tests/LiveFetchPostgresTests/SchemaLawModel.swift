#if PostgreSQL
  import Foundation
  import LiveFetch
  import LiveStore
  import _TestTools

  /// A key of the law's model, made of a small number.
  protocol LawKey: FetchIdentifier {
    /// The types that the database can have it as.
    static var declarations: [String] { get }
    init(number: Int)
  }

  extension Int64: LawKey {
    static var declarations: [String] { ["bigint", "int", "smallint"] }
    init(number: Int) { self = Int64(number - 3) }
  }

  extension String: LawKey {
    static var declarations: [String] {
      ["text", "varchar(9)", "text COLLATE \"C\"", "text COLLATE \"und-x-icu\""]
    }
    init(number: Int) { self = ["k", "K", "é", "key 10", "{\"9\\"][number % 5] + "\(number / 5)" }
  }

  extension UUID: LawKey {
    static var declarations: [String] { ["uuid", "bytea"] }
    init(number: Int) {
      let byte = UInt8(truncatingIfNeeded: number &* 151)
      self.init(uuid: (byte, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, UInt8(truncatingIfNeeded: number)))
    }
  }

  /// A model with a property of every kind; what the table's columns are is another question.
  struct LawItem<Key: LawKey>: FetchModel {
    var id: Key
    var n: Int64?
    var m: Int64
    var f: Bool?
    var r: Double?
    var t: String?
    var b: Data?
    var u: UUID?
    var d: Date?
    var s: Date?
    /// The values as they are stored.
    var stored: [String: FetchValue] = [:]

    static var fetchTable: FetchTable<Self> {
      FetchTable(
        "law", id: .column("id", \.id),
        columns: [
          .column("n", \.n), .column("m", \.m), .column("f", \.f), .column("r", \.r), .column("t", \.t),
          .column("b", \.b), .column("u", \.u), .column("d", \.d), .column("s", \.s, stored: .dateText),
        ])
    }

    init(fetchRow row: FetchRow) throws {
      (id, n, m, f) = (try row["id"], try row["n"], try row["m"], try row["f"])
      (r, t, b, u, d) = (try row["r"], try row["t"], try row["b"], try row["u"], try row["d"])
      s = try row.value("s", as: .dateText)
      for column in LawColumn.allCases { stored[column.rawValue] = row.storedValue(column.rawValue) }
    }

    static func path(_ column: LawColumn) -> any PartialKeyPath<Self> & Sendable {
      switch column {
      case .n: \.n
      case .m: \.m
      case .f: \.f
      case .r: \.r
      case .t: \.t
      case .b: \.b
      case .u: \.u
      case .d: \.d
      case .s: \.s
      }
    }
  }

  enum LawColumn: String, CaseIterable, Sendable {
    case n, m, f, r, t, b, u, d, s

    /// The types that the database can have it as.
    var declarations: [String] {
      switch self {
      case .n, .m: ["bigint", "int", "smallint"]
      case .f: ["boolean", "smallint", "bigint"]
      case .r: ["double precision", "real"]
      case .t: ["text", "varchar(9)", "text COLLATE \"C\"", "varchar(9) COLLATE \"und-x-icu\""]
      case .b: ["bytea"]
      case .u: ["uuid", "bytea"]
      case .d: ["timestamptz", "timestamp", "date", "bigint"]
      case .s: ["text", "text COLLATE \"und-x-icu\""]
      }
    }

    /// The values that requests compare with, and that fit into each of the types.
    var pool: [FetchValue] {
      switch self {
      case .n: [.null, .integer(0), .integer(-1), .integer(7), .integer(32_767), .integer(-32_768)]
      case .m: [.integer(0), .integer(1), .integer(2), .integer(-5), .integer(300), .integer(1)]
      case .f: [.null, .integer(0), .integer(1), .integer(0), .integer(1), .integer(1)]
      case .r: [.null, .real(0), .real(-0.5), .real(1_048_576.5), .real(-.infinity), .real(3)]
      case .t: [.null, .text("a"), .text("A"), .text("ab"), .text("É"), .text("ß")]
      case .b: [.null, .blob([]), .blob([0]), .blob([0, 255]), .blob([1]), .blob([255, 255])]
      case .u: [.null] + (0..<5).map { UUID(number: $0 * 3).fetchValue(as: .uuid) ?? .null }
      // Whole days, as a `date` has them.
      case .d: [.null] + [0, -1, 1, 40, 19_675].map { .integer($0 * 86_400_000_000) }
      case .s:
        [
          .null, .text("1969-12-31 23:59:59.999"), .text("2024-02-29 00:00:00.000"),
          .text("2024-03-01 12:00:00.000"), .text("2024-12-31 00:00:00.000"),
          .text("0999-01-01 00:00:00.000"),
        ]
      }
    }

    /// A value of the pool, for a column that has one in each row where it has to.
    func value(_ pick: Int, isNotNull: Bool) -> FetchValue {
      isNotNull && pool[pick].isNull ? pool[1] : pool[pick]
    }
  }

  /// How SQL writes a value of a type, and how it is read back: as text, so that nothing of the store's takes part.
  struct LawSQL {
    var declaration: String
    private var type: String { String(declaration.prefix { $0 != " " && $0 != "(" }) }

    func literal(_ value: FetchValue) -> String {
      func hexadecimal(_ bytes: [UInt8]) -> String {
        bytes.map { String(format: "%02x", $0) }.joined()
      }
      switch (type, value) {
      case (_, .null): return "NULL"
      case ("boolean", .integer(let number)): return number == 0 ? "false" : "true"
      case ("timestamptz", .integer(let number)), ("timestamp", .integer(let number)):
        return "\(type) 'epoch' + \(number) * interval '1 microsecond'"
      case ("date", .integer(let number)): return "date 'epoch' + \(number / 86_400_000_000)"
      case (_, .integer(let number)): return "\(number)"
      case (_, .real(let number)):
        return number.isInfinite ? "'\(number < 0 ? "-" : "")Infinity'" : "\(number)"
      case (_, .text(let text)): return "'\(text.replacingOccurrences(of: "'", with: "''"))'"
      case ("uuid", .blob(let bytes)): return "'\(hexadecimal(bytes))'"
      case (_, .blob(let bytes)): return "'\\x\(hexadecimal(bytes))'"
      }
    }

    func selected(_ name: String) -> String {
      switch type {
      case "boolean": "\(name)::int::text"
      case "timestamptz", "timestamp", "date": "(extract(epoch FROM \(name)) * 1000000)::bigint::text"
      case "real", "double": "\(name)::float8::text"
      case "bytea": "encode(\(name), 'hex')"
      case "uuid": "replace(\(name)::text, '-', '')"
      default: "\(name)::text"
      }
    }

    func value(_ text: String?) -> FetchValue {
      guard let text else { return .null }
      switch type {
      case "text", "varchar": return .text(text)
      case "real", "double": return .real(Double(text) ?? .nan)
      case "bytea", "uuid":
        let digits = Array(text.utf8)
        return .blob(
          stride(from: 0, to: digits.count, by: 2).map { first in
            UInt8(String(decoding: digits[first...first + 1], as: UTF8.self), radix: 16) ?? 0
          })
      default: return .integer(Int64(text) ?? .min)
      }
    }
  }
#endif
