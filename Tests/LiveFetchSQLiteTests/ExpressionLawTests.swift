#if SQLite
  import Foundation
  import GRDB
  import LiveFetch
  import LiveFetchSQLite
  import _TestTools
  import Testing

  @Suite("Filters and orders in SQL and in memory")
  struct ExpressionLawTests {
    static let integers: [FetchValue] = [
      .null, .integer(0), .integer(1), .integer(-3), .integer(.max), .integer(.min),
    ]
    static let reals: [FetchValue] = [
      .null, .real(0), .real(-0.0), .real(1), .real(9.2e18), .real(-.infinity), .real(0.5),
    ]
    static let texts: [FetchValue] = [
      .null, .text(""), .text("a"), .text("A"), .text("ab"), .text("ba"), .text("é"), .text("e\u{301}"),
      .text("E"),
      .text("x\0y"), .text("\0"), .text("ß"), .text("İ"), .text("🏔️a"), .text("%_"),
    ]

    static func value(_ random: inout SplitMix, _ kind: Int) -> FetchValue {
      [integers, reals, texts][kind].randomElement(using: &random) ?? .null
    }

    /// A random expression over the columns n (0), r (1) and t (2).
    static func expression(_ random: inout SplitMix, depth: Int) -> FetchExpression {
      func operand(_ random: inout SplitMix, _ kind: Int) -> FetchExpression {
        let column = FetchExpression.column(kind, name: ["n", "r", "t"][kind])
        switch Int.random(in: 0..<6, using: &random) {
        case 0: return .constant(value(&random, kind))
        case 1: return .coalesce(column, .constant(value(&random, kind)))
        case 2 where kind == 2: return .folded(column)
        default: return column
        }
      }
      let kind = Int.random(in: 0..<3, using: &random)
      switch Int.random(in: 0..<(depth > 0 ? 9 : 4), using: &random) {
      case 0, 1:
        let comparison = [
          FetchExpression.Comparison.equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual,
        ].randomElement(using: &random)
        // Whole and floating-point numbers compare with one another, too.
        let other = kind < 2 ? Int.random(in: 0..<2, using: &random) : kind
        return .compare(comparison ?? .equal, operand(&random, kind), operand(&random, other))
      case 2:
        let values = (0..<Int.random(in: 0..<4, using: &random)).map { _ in value(&random, kind).normalized }
        return .among(operand(&random, kind), Set(values))
      case 3:
        let match = [FetchExpression.TextMatch.contains, .prefix, .suffix].randomElement(using: &random)
        return .match(
          match ?? .contains, folded: .random(using: &random), operand(&random, 2), operand(&random, 2))
      case 4: return .not(expression(&random, depth: depth - 1))
      case 5: return .isEmpty(operand(&random, 2))
      case 6:
        return .choose(
          expression(&random, depth: depth - 1), expression(&random, depth: depth - 1),
          expression(&random, depth: depth - 1))
      default:
        let operands = (0..<Int.random(in: 0..<4, using: &random)).map { _ in
          expression(&random, depth: depth - 1)
        }
        return Bool.random(using: &random) ? .all(operands) : .any(operands)
      }
    }

    /// A store with a table of these rows. GRDB binds text up to its first zero byte: it is written as bytes.
    static func store(_ rows: [[FetchValue]]) throws -> TemporaryStore {
      try TemporaryStore { db in
        try db.execute(sql: "CREATE TABLE x (id INTEGER PRIMARY KEY, n INTEGER, r REAL, t TEXT)")
        for (id, row) in rows.enumerated() {
          try db.execute(
            sql: "INSERT INTO x VALUES (?, ?, ?, CAST(? AS TEXT))",
            arguments: StatementArguments([id] + row.map(\.argument)))
        }
      }
    }

    static func ids(
      _ store: SQLiteStore, filter: FetchExpression = .yes, order: [OrderComponent] = []
    ) async throws -> [Int] {
      let plan = FetchPlan(
        table: "x", columns: [.init(name: "id", type: .integer)], filter: filter, order: order)
      return try await store.read(plan) { cursor in
        var ids: [Int] = []
        while let row = try cursor.next() { ids.append(Int(row[0].integer)) }
        return ids
      }.0
    }

    @Test(
      "A filter holds for the same rows in both, NULL, zero bytes and edges included",
      arguments: [1, 2, 3, 4] as [UInt64])
    func filters(_ seed: UInt64) async throws {
      var random = SplitMix(seed: seed)
      let rows = (0..<150).map { _ in (0..<3).map { Self.value(&random, $0) } }
      let expressions = (0..<250).map { _ in Self.expression(&random, depth: 3) }
      let temporary = try Self.store(rows)
      for expression in expressions {
        let found = Set(try await Self.ids(temporary.store, filter: expression))
        let expected = Set(rows.indices.filter { row in expression.holds { rows[row][$0] } })
        #expect(found == expected, "seed \(seed): \(expression.sql)")
      }
    }

    @Test("The database's order of a plan is that of the keys' bytes", arguments: [1, 2, 3] as [UInt64])
    func orders(_ seed: UInt64) async throws {
      var random = SplitMix(seed: seed)
      let rows = (0..<200).map { _ in (0..<3).map { Self.value(&random, $0) } }
      let temporary = try Self.store(rows)
      for _ in 0..<40 {
        let components = (0..<3).map { column in
          let sources: [OrderComponent.Source] =
            column == 2 ? [.value, .folded, .section(.initial)] : [.value]
          return OrderComponent(
            column: column, name: ["n", "r", "t"][column], type: [.integer, .real, .text][column],
            source: sources.randomElement(using: &random) ?? .value, isDescending: .random(using: &random),
            nullsFirst: .random(using: &random))
        }.shuffled(using: &random)
        let found = try await Self.ids(temporary.store, order: components)
        let keys = rows.indices.map { row -> [UInt8] in
          var writer = OrderKeyWriter()
          for component in components { _ = writer.append(rows[row][component.column], component) }
          _ = writer.appendIdentifier(.integer(Int64(row)), .integer)
          return writer.bytes
        }
        let expected = rows.indices.sorted { keys[$0].lexicographicallyPrecedes(keys[$1]) }
        #expect(found == expected, "seed \(seed): \(components.map(\.sql))")
      }
    }
  }

  extension FetchValue {
    var argument: (any DatabaseValueConvertible)? {
      switch self {
      case .null: nil
      case .integer(let value): value
      case .real(let value): value
      case .text(let value): Data(value.utf8)
      case .blob(let value): Data(value)
      }
    }
  }
#endif
