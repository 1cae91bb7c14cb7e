#if SQLite
  import Foundation
  import GRDB
  @testable import LiveFetch
  import LiveFetchSQLite
  import _TestTools
  import Snapshots
  import Testing

  /// Properties of one type over columns that were declared as another.
  @Suite("A property's type and its column's")
  struct ColumnTypeTests {
    struct Loose: FetchModel {
      var id: Int
      var n: Int?
      var r: Double?
      var t: String?
      var isOn: Bool
      static let fetchTable = FetchTable<Loose>(
        "loose", id: .column("id", \.id),
        columns: [.column("n", \.n), .column("r", \.r), .column("t", \.t), .column("isOn", \.isOn)])
      init(fetchRow row: FetchRow) throws {
        id = try row["id"]
        n = try row["n"]
        r = try row["r"]
        t = try row["t"]
        isOn = try row["isOn"]
      }
    }

    private func store(_ columns: String, _ rows: String = "(1, 5, 5, '5', 1)") throws -> TemporaryStore {
      try TemporaryStore { db in
        try db.execute(
          sql: "CREATE TABLE loose (id INTEGER PRIMARY KEY, \(columns)); INSERT INTO loose VALUES \(rows)")
      }
    }

    private func refusal(_ columns: String, _ predicate: Predicate<Loose>) async throws -> FetchError? {
      let temporary = try store(columns)
      let controller = FetchController(
        FetchDescriptor<Loose>().filter(predicate).ordered(by: .ascending(\.id)), in: temporary.store)
      do { try await controller.performFetch() } catch { return error }
      return nil
    }

    @Test(
      "A comparison for which SQL would turn a value into another is refused with the column and the cure")
    func refused() async throws {
      let (five, half, seven) = (5, 5.5, "07")
      for predicate in [
        #Predicate<Loose> { $0.n == five }, #Predicate<Loose> { ($0.n ?? 0) == 1 || $0.n == five },
        #Predicate<Loose> { [1, five].contains($0.n) },
      ] {
        let error = try await refusal("n TEXT, r REAL, t TEXT, isOn", predicate)
        let isOfColumn = error?.description.contains("“n” is declared “TEXT”") == true
        #expect(error?.kind == .request && isOfColumn, "\(predicate)")
        #expect((error?.underlying as? FetchDescriptorError)?.kind == .incomparable)
      }
      #expect(
        try await refusal("n INT, r VARCHAR(9), t TEXT, isOn", #Predicate { $0.r == half })?.kind == .request)
      for type in ["STRING", "DATETIME", "INTEGER", "REAL"] {
        let error = try await refusal("n INT, r REAL, t \(type), isOn", #Predicate { $0.t == seven })
        #expect(error?.kind == .request && error?.description.contains(type) == true)
      }
    }

    @Test("What SQL compares as it is stored is taken, whatever the column was declared as")
    func taken() async throws {
      let (five, date, text, seven) = (5, "2026-11-22 10:00:00.000", "Ann", "07")
      #expect(
        try await refusal("n REAL, r INT, t DATETIME, isOn BOOLEAN", #Predicate { $0.t == date }) == nil)
      #expect(try await refusal("n NUMERIC, r INT, t STRING, isOn", #Predicate { $0.t == text }) == nil)
      #expect(try await refusal("n, r, t, isOn", #Predicate { $0.t == seven && $0.n == five }) == nil)
      #expect(try await refusal("n TEXT, r, t INT, isOn", #Predicate { $0.n == nil && $0.t != nil }) == nil)
      #expect(try await refusal("n TEXT, r, t INT, isOn TEXT", #Predicate { $0.isOn }) == nil)
    }

    @Test(
      "A whole number that no floating-point number is makes a bad row where it is ordered by, and stays where SQL has it"
    )
    func largeNumbers() async throws {
      let temporary = try store(
        "n INT, r INT, t TEXT, isOn",
        "(1, 0, 9007199254740993, '', 1), (2, 0, 9007199254740992, '', 1), (3, 0, 9007199254740994, '', 1)")
      let request = FetchDescriptor<Loose>().ordered(by: .ascending(\.r))
      let controller = FetchController(request, in: temporary.store)
      #expect(try await controller.performFetch().itemIdentifiers == [2, 3])
      #expect(controller.failures.map(\.row?.id) == ["1"])
      try await temporary.store.write { db in
        try db.execute(
          sql: "UPDATE loose SET r = 9007199254740995 WHERE id = 2; UPDATE loose SET r = 4 WHERE id = 1")
      }
      await controller.waitUntilCurrent()
      #expect(controller.snapshot?.itemIdentifiers == [1, 3] && controller.failures.map(\.row?.id) == ["2"])
    }

    // MARK: A law

    private static let types = [
      "", "INTEGER", "REAL", "TEXT", "NUMERIC", "STRING", "BLOB", "VARCHAR(3)", "BOOLEAN",
    ]
    private static let values: [FetchValue] = [
      .null, .integer(0), .integer(1), .integer(7), .integer(.max), .integer(9_007_199_254_740_993), .real(1),
      .real(0.5),
      .real(7), .real(9.2e18), .text(""), .text("a"), .text("7"), .text("7.0"), .text(" 7 "), .text("1e0"),
      .text("x7"),
      .text("+a"), .text("0.0"), .text(".5x"), .text("K"), .text("0x1"), .blob([]), .blob([0x37]),
      .blob([0x61]),
    ]

    private static func expression(_ random: inout SplitMix, _ depth: Int) -> FetchExpression {
      func column() -> FetchExpression {
        let number = Int.random(in: 1...3, using: &random)
        return .column(number, name: ["a", "b", "c"][number - 1])
      }
      func constant() -> FetchValue { values.randomElement(using: &random) ?? .null }
      func operand() -> FetchExpression {
        switch Int.random(in: 0..<8, using: &random) {
        case 0...2: .constant(constant())
        case 3: .coalesce(column(), .constant(constant()))
        case 4: .folded(column())
        default: column()
        }
      }
      switch Int.random(in: 0..<(depth > 0 ? 10 : 6), using: &random) {
      case 0, 1:
        let comparison = [
          FetchExpression.Comparison.equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual,
        ]
        .randomElement(using: &random)
        return .compare(comparison ?? .equal, operand(), operand())
      case 2: return .among(operand(), Set((0..<3).map { _ in constant().normalized }))
      case 3:
        let match = [FetchExpression.TextMatch.contains, .prefix, .suffix].randomElement(using: &random)
        return .match(match ?? .contains, folded: .random(using: &random), operand(), operand())
      case 4: return .isEmpty(operand())
      case 5: return column()
      case 6: return .not(expression(&random, depth - 1))
      case 7:
        return .choose(
          expression(&random, depth - 1), expression(&random, depth - 1), expression(&random, depth - 1))
      default:
        let operands = (0..<2).map { _ in expression(&random, depth - 1) }
        return Bool.random(using: &random) ? .all(operands) : .any(operands)
      }
    }

    @Test(
      "Over columns of any type with values of any kind a filter holds for the same rows in SQL and in memory, or is refused",
      arguments: 1...12 as ClosedRange<UInt64>)
    func law(_ seed: UInt64) async throws {
      var random = SplitMix(seed: seed)
      let types = (0..<3).map { _ in Self.types.randomElement(using: &random) ?? "" }
      let rows = (0..<60).map { _ in (0..<3).map { _ in Self.values.randomElement(using: &random) ?? .null } }
      let temporary = try TemporaryStore { [types, rows] db in
        try db.execute(
          sql:
            "CREATE TABLE x (id INTEGER PRIMARY KEY, a \(types[0]), b \(types[1]), c \(types[2]) COLLATE NOCASE)"
        )
        for row in rows {
          try db.execute(
            sql: "INSERT INTO x (a, b, c) VALUES (?, ?, ?)", arguments: StatementArguments(row.map(\.plain)))
        }
      }
      let store = temporary.store
      let columns = ["id", "a", "b", "c"].map { FetchPlan.Column(name: $0, type: .blob) }
      func plan(_ filter: FetchExpression) -> FetchPlan {
        FetchPlan(table: "x", columns: columns, filter: filter, order: [])
      }
      let stored = try await store.read(plan(.yes)) { cursor in
        var rows: [[FetchValue]] = []
        while let row = try cursor.next() { rows.append((0..<4).map { row.value($0) }) }
        return rows
      }.0
      #expect(stored.count == rows.count)
      var refused = 0
      for _ in 0..<400 {
        let filter = Self.expression(&random, 2)
        do {
          let found = Set(
            try await store.read(plan(filter)) { cursor in
              var ids: [FetchValue] = []
              while let row = try cursor.next() { ids.append(row.value(0)) }
              return ids
            }.0)
          let expected = Set(stored.filter { row in filter.holds { row[$0] } }.map { $0[0] })
          #expect(found == expected, "seed \(seed), \(types): \(filter.sql)")
        } catch let error as FetchError {
          #expect(error.kind == .request, "\(error)")
          refused += 1
        }
      }
      #expect(refused < 300, "seed \(seed), \(types): \(refused) filters were refused")
    }
  }

  extension FetchValue {
    fileprivate var plain: (any DatabaseValueConvertible)? {
      switch self {
      case .null: nil
      case .integer(let value): value
      case .real(let value): value
      case .text(let value): value
      case .blob(let value): Data(value)
      }
    }
  }
#endif
