import LiveListsTestSupport
#if SQLite
  import Foundation
  import GRDB
  @testable import LiveFetch
  import LiveFetchSQLite

  /// A primary key of some type, made of a small number.
  protocol WideKey: FetchIdentifier {
    static var declaration: String { get }
    init(number: Int)
  }

  extension Int64: WideKey {
    static var declaration: String { "INTEGER PRIMARY KEY" }
    init(number: Int) { self = Int64(number - 3) }
  }

  extension String: WideKey {
    static var declaration: String { "TEXT PRIMARY KEY NOT NULL" }
    init(number: Int) { self = ["k", "K", "é", "key 10", "key 9"][number % 5] + "\(number / 5)" }
  }

  extension UUID: WideKey {
    static var declaration: String { "BLOB PRIMARY KEY NOT NULL" }
    init(number: Int) {
      let byte = UInt8(truncatingIfNeeded: number &* 151)
      self.init(uuid: (byte, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, UInt8(truncatingIfNeeded: number)))
    }
  }

  /// A model with a column of every kind.
  struct Wide<Key: WideKey>: FetchModel {
    var id: Key
    var n: Int64?
    var m: Int64
    var r: Double?
    var t: String?
    var b: Data?
    var u: UUID?
    var d: Date?
    var s: Date?

    static var fetchTable: FetchTable<Self> {
      FetchTable(
        "wide", id: .column("id", \.id),
        columns: [
          .column("n", \.n), .column("m", \.m), .column("r", \.r), .column("t", \.t), .column("b", \.b),
          .column("u", \.u), .column("d", \.d), .column("s", \.s, stored: .dateText),
        ])
    }

    init(fetchRow row: FetchRow) throws {
      id = try row["id"]
      n = try row["n"]
      m = try row["m"]
      r = try row["r"]
      t = try row["t"]
      b = try row["b"]
      u = try row["u"]
      d = try row["d"]
      s = try row.value("s", as: .dateText)
    }
  }

  enum WideColumn: String, Codable, CaseIterable, Sendable {
    case n, m, r, t, b, u, d, s

    /// The values that the column may hold.
    var pool: [FetchValue] {
      switch self {
      case .n: [.null, .integer(0), .integer(-1), .integer(7), .integer(.max), .integer(.min)]
      case .m: [.integer(0), .integer(1), .integer(2), .integer(-5), .integer(300), .integer(1)]
      case .r: [.null, .real(0), .real(-0.5), .real(1e300), .real(-.infinity), .real(3)]
      case .t: [.null, .text("a"), .text("A"), .text("ab"), .text("É"), .text("ß")]
      case .b: [.null, .blob([]), .blob([0]), .blob([0, 255]), .blob([1]), .blob([255, 255])]
      case .u: [.null] + (0..<5).map { UUID(number: $0 * 3).fetchValue(as: .uuid) ?? .null }
      case .d: [.null] + [0, -1, 86_400, 40 * 86_400, 1_700_000_000].map { .integer($0 * 1_000_000) }
      case .s:
        [
          .null, .text("1969-12-31 23:59:59.999"), .text("2024-02-29 00:00:00.000"),
          .text("2024-03-01 12:00:00.000"), .text("2024-12-31 00:00:00.000"),
          .text("0999-01-01 00:00:00.000"),
        ]
      }
    }

    /// How it is declared; SQLite leaves the type to the value where none is given.
    func declaration(_ variant: Int) -> String {
      switch self {
      case .n: variant % 2 == 0 ? "n INTEGER" : "n"
      case .m: "m INTEGER NOT NULL"
      case .r: variant % 3 == 0 ? "r" : "r REAL"
      case .t: variant % 3 == 1 ? "t" : "t TEXT"
      case .b: "b BLOB"
      case .u: variant % 2 == 1 ? "u" : "u BLOB"
      case .d: "d INTEGER"
      case .s: "s TEXT"
      }
    }
  }

  /// A condition, with its own way of being evaluated.
  indirect enum WideCondition: Codable, Sendable {
    case less(WideColumn, Int)
    case isNull(WideColumn)
    case contains(String, folded: Bool)
    case among([Int])
    case equals(WideColumn, Int)
    case not(WideCondition)
    case any([WideCondition])
    case all([WideCondition])

    private static func column(_ column: WideColumn) -> FetchExpression {
      .column((WideColumn.allCases.firstIndex(of: column) ?? 0) + 1, name: column.rawValue)
    }

    var expression: FetchExpression {
      switch self {
      case .less(let column, let pick): .compare(.less, Self.column(column), .constant(column.pool[pick]))
      case .isNull(let column): .compare(.equal, Self.column(column), .constant(.null))
      case .contains(let text, let folded):
        .match(.contains, folded: folded, Self.column(.t), .constant(.text(text)))
      case .among(let picks): .among(Self.column(.m), Set(picks.map { WideColumn.m.pool[$0] }))
      case .equals(let column, let pick): .compare(.equal, Self.column(column), .constant(column.pool[pick]))
      case .not(let operand): .not(operand.expression)
      case .any(let operands): .any(operands.map(\.expression))
      case .all(let operands): .all(operands.map(\.expression))
      }
    }

    /// By the three values of SQL; nil is NULL.
    func holds(_ row: [String: FetchValue]) -> Bool? {
      func value(_ column: WideColumn) -> FetchValue { row[column.rawValue] ?? .null }
      switch self {
      case .less(let column, let pick):
        let (value, other) = (value(column), column.pool[pick])
        return value.isNull || other.isNull ? nil : naiveOrder(value, other) < 0
      case .isNull(let column): return value(column).isNull
      case .contains(let text, let folded):
        guard case .text(let own) = value(.t) else { return nil }
        let (own8, text8) =
          folded
          ? (Array(TextFolding.fold(own).utf8), Array(TextFolding.fold(text).utf8))
          : (Array(own.utf8), Array(text.utf8))
        if text8.isEmpty { return true }
        return own8.indices.contains { own8[$0...].starts(with: text8) }
      case .among(let picks): return picks.contains { WideColumn.m.pool[$0] == value(.m) }
      case .equals(let column, let pick): return naiveOrder(value(column), column.pool[pick]) == 0
      case .not(let operand): return operand.holds(row).map { !$0 }
      case .any(let operands):
        let results = operands.map { $0.holds(row) }
        return results.contains(true) ? true : (results.contains(nil) ? nil : false)
      case .all(let operands):
        let results = operands.map { $0.holds(row) }
        return results.contains(false) ? false : (results.contains(nil) ? nil : true)
      }
    }
  }

  /// The order of two stored values of one column, NULL first.
  func naiveOrder(_ a: FetchValue, _ b: FetchValue) -> Int {
    func sign<Value: Comparable>(_ a: Value, _ b: Value) -> Int { a < b ? -1 : (a > b ? 1 : 0) }
    switch (a, b) {
    case (.null, .null): return 0
    case (.null, _): return -1
    case (_, .null): return 1
    case (.integer(let a), .integer(let b)): return sign(a, b)
    case (.real(let a), .real(let b)): return sign(a, b)
    case (.integer(let a), .real(let b)): return sign(Double(a), b)
    case (.real(let a), .integer(let b)): return sign(a, Double(b))
    case (.text(let a), .text(let b)):
      return a.utf8.lexicographicallyPrecedes(b.utf8)
        ? -1 : (b.utf8.lexicographicallyPrecedes(a.utf8) ? 1 : 0)
    case (.blob(let a), .blob(let b)):
      return a.lexicographicallyPrecedes(b) ? -1 : (b.lexicographicallyPrecedes(a) ? 1 : 0)
    default: return 0
    }
  }
#endif
