#if SQLite
  import LiveFetch
  import Testing

  /// The law's own parts, held to SQLite and to cases that are known.
  @Suite("What the second law is made of")
  struct LawPartTests {
    @Test("Cells are ordered as SQLite orders them")
    func order() throws {
      let database = try RawDatabase(":memory:")
      let values =
        "(NULL), (1), (1.0), (-1), (1.5), (9007199254740993), (9007199254740992.0), (9e999), (-9e999), (''), ('a'), ('A'), ('b'), ('a' || char(0)), (char(233)), (x''), (x'00'), (x'ff'), (9223372036854775807), (-9223372036854775808), (9223372036854775808.0)"
      let cells = try database.rows("SELECT column1 FROM (VALUES \(values))").rows.map { $0[0] }
      try database.run("CREATE TABLE pair (x, y)")
      try database.run(
        "INSERT INTO pair SELECT a.column1, b.column1 FROM (VALUES \(values)) a, (VALUES \(values)) b")
      let rows = try database.rows("SELECT x, y, x IS y, x < y OR (x IS NULL AND y IS NOT NULL) FROM pair")
        .rows
      #expect(rows.count == cells.count * cells.count)
      for row in rows {
        let order = Cell.compare(row[0], row[1])
        #expect((order == 0) == (row[2] == .integer(1)), "\(row)")
        #expect((order < 0) == (row[3] == .integer(1)), "\(row)")
      }
    }

    @Test("A seed makes the same case each time, and any thirty in a row demand every feature")
    func seeds() {
      #expect(Law.makeCase(7) == Law.makeCase(7))
      #expect(Law.makeCase(7) != Law.makeCase(8))
      for first in [0, 1, 29, 300, 9_973] {
        let demanded = Set((first..<first + 30).flatMap { Feature.demanded(of: $0) })
        #expect(demanded == Set(Feature.allCases))
      }
    }

    @Test("A failing case is shrunk to what makes it fail")
    func shrinking() async {
      // A law that one statement and one column break.
      @Sendable func outcome(_ law: LawCase) -> Outcome {
        let deletes = law.steps.contains { $0.statements.contains { $0.sql.hasPrefix("DELETE") } }
        let isThere = law.columns.contains { $0.role == .number }
        guard deletes, isThere else { return Outcome() }
        return Outcome(difference: Difference(kind: .list, step: nil, list: 0, text: "broken"))
      }
      let law = (0..<50).lazy.map { Law.makeCase($0) }.first { outcome($0).difference != nil }!
      let shrunk = await Shrinker.shrink(law, outcome(law).difference!) { outcome($0) }
      #expect(shrunk.law.steps.flatMap(\.statements).count == 1)
      #expect(shrunk.law.rows.isEmpty && shrunk.law.lists.count == 1)
      #expect(Set(shrunk.law.columns.compactMap(\.role)) == [.id, .number])
      #expect(shrunk.law.swift.hasPrefix("LawCase(seed: \(law.seed)"))
    }

    @Test("Differences are replayed, and moves checked, by rules of their own")
    func moves() {
      func list(_ keys: [Int64]) -> [ListSection<Int64>] { [ListSection(name: "", keys: keys)] }
      func check(_ old: [Int64], _ new: [Int64], _ updated: [Int64], _ moved: [Int64]) -> String? {
        Moves.check(old: list(old), new: list(new), updated: updated, moved: moved, isExact: true)
      }
      #expect(check([1, 2, 3], [2, 3, 1], [], [1]) == nil)
      #expect(check([1, 2, 3], [2, 3, 1], [1], []) != nil)
      #expect(check([1, 2, 3], [1, 2, 3], [2], []) == nil)
      #expect(check([1, 2, 3], [1, 2, 3], [], [2]) != nil)
      // Of two that change their order one has to move, not both.
      #expect(check([1, 2], [2, 1], [2], [1]) == nil)
      #expect(check([1, 2], [2, 1], [], [1, 2]) != nil)
    }
  }
#endif
