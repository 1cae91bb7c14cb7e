#if PostgreSQL
  import Foundation
  import LiveFetch
  @testable import LiveFetchPostgres
  import LiveListsTestSupport
  import Snapshots
  import LiveStore
  import Testing
  import _TestTools

  /// One order and one filter in two languages: what the server says of random rows is what memory says.
  @Suite("PostgreSQL and memory agree", .server)
  struct OrderTests {
    /// A column, as it is declared in the database and in requests, and values for it.
    struct Kind: Sendable, CustomTestStringConvertible {
      var declaration: String
      var type: FetchColumnType
      var values: @Sendable (inout SplitMix) -> FetchValue
      var isNullable = true
      var testDescription: String { "\(declaration) as \(type)" }
    }

    static let letters = [
      "", "a", "A", "ä", "a\u{308}", "b", "ab", "aB", "é", "z", "Z", "ß", "字", "\u{1F600}", " a", "a ", "%",
      "_", "\\", "'", "\"", "10", "9",
    ]

    static func text(_ random: inout SplitMix) -> FetchValue {
      .text(
        (0..<Int.random(in: 0...2, using: &random)).map { _ in letters.randomElement(using: &random) ?? "" }
          .joined())
    }

    static func integer(_ most: Int64) -> @Sendable (inout SplitMix) -> FetchValue {
      { random in
        .integer([-most - 1, -most, -2, -1, 0, 1, 2, 3, most - 1, most].randomElement(using: &random) ?? 0)
      }
    }

    static func bytes(_ count: ClosedRange<Int>) -> @Sendable (inout SplitMix) -> FetchValue {
      { random in
        .blob(
          (0..<Int.random(in: count, using: &random)).map { _ in
            [0, 1, 127, 128, 255].randomElement(using: &random) ?? 0
          })
      }
    }

    static func time(_ unit: Int64) -> @Sendable (inout SplitMix) -> FetchValue {
      { random in
        .integer(
          unit * .random(in: -3...3, using: &random) + [0, 946_684_800_000_000].randomElement(using: &random)!
        )
      }
    }

    static let real: @Sendable (inout SplitMix) -> FetchValue = { random in
      .real(
        [-.infinity, -1.5, -0.0, 0.0, 0.5, 1, 1.5, 3, 1_099_511_627_776, .infinity].randomElement(
          using: &random) ?? 0)
    }

    static let kinds: [Kind] = [
      Kind(declaration: "bigint", type: .integer, values: integer(.max)),
      Kind(declaration: "bigint NOT NULL", type: .integer, values: integer(.max), isNullable: false),
      Kind(declaration: "int", type: .integer, values: integer(Int64(Int32.max))),
      Kind(declaration: "smallint", type: .integer, values: integer(Int64(Int16.max))),
      Kind(declaration: "boolean", type: .integer, values: { .integer(.random(in: 0...1, using: &$0)) }),
      Kind(declaration: "double precision", type: .real, values: real),
      Kind(declaration: "real", type: .real, values: real),
      Kind(declaration: "text", type: .text, values: text),
      Kind(declaration: "text COLLATE \"C\"", type: .text, values: text),
      Kind(declaration: "text COLLATE \"und-x-icu\"", type: .text, values: text),
      Kind(
        declaration: "varchar(20) COLLATE \"und-x-icu\" NOT NULL", type: .text, values: text,
        isNullable: false),
      Kind(declaration: "bytea", type: .blob, values: bytes(0...3)),
      Kind(declaration: "uuid", type: .uuid, values: bytes(16...16)),
      Kind(declaration: "bytea", type: .uuid, values: bytes(16...16)),
      Kind(declaration: "timestamptz", type: .date, values: time(1)),
      Kind(declaration: "timestamp", type: .date, values: time(1)),
      Kind(declaration: "date", type: .date, values: time(86_400_000_000)),
      Kind(declaration: "bigint", type: .date, values: integer(9_000)),
    ]

    @Test(
      "The order of the database is that of the keys, and filters hold for the same rows", arguments: kinds)
    func law(_ kind: Kind) async throws {
      let database = try await TestDatabase(
        "CREATE TABLE thing (id bigint PRIMARY KEY, a \(kind.declaration), b \(kind.declaration))")
      var random = SplitMix(seed: 7)
      func value(_ random: inout SplitMix) -> FetchValue {
        kind.isNullable && Int.random(in: 0..<5, using: &random) == 0 ? .null : kind.values(&random)
      }
      var rows: [[FetchValue]] = []
      for id in 0..<120 {
        rows.append([.integer(Int64(id)), value(&random), value(&random)])
        let stored = rows[id].dropFirst().map { Self.parameter($0, kind) }
        _ = try database.other.query("INSERT INTO thing VALUES ($1, $2, $3)", [.integer(Int64(id))] + stored)
      }
      let columns = [
        FetchPlan.Column(name: "id", type: .integer), .init(name: "a", type: kind.type),
        .init(name: "b", type: kind.type),
      ]
      for number in 0..<60 {
        let filter = number < 12 ? FetchExpression.yes : Self.filter(using: &random, depth: 2, value)
        let order = Self.order(kind.type, using: &random)
        let limit = number % 4 == 0 ? Int.random(in: 0...40, using: &random) : nil
        let plan = FetchPlan(
          table: "thing", columns: columns, filter: filter, order: order, limit: limit,
          offset: limit == nil ? 0 : Int.random(in: 0...3, using: &random))
        let (read, _) = try await database.store.read(plan) { cursor in
          var read: [[FetchValue]] = []
          while let row = try cursor.next() { read.append([row.value(0), row.value(1), row.value(2)]) }
          return read
        }
        #expect(read == Self.select(rows, plan), "\(kind.testDescription), request \(number): \(filter)")
      }
    }

    private static func parameter(_ value: FetchValue, _ kind: Kind) -> Parameter {
      switch (kind.declaration.split(separator: " ")[0], value) {
      case (_, .null): .null
      case ("boolean", .integer(let number)): .truth(number == 1)
      case ("timestamptz", .integer(let number)): .time(number, withZone: true)
      case ("timestamp", .integer(let number)), ("date", .integer(let number)): .time(number, withZone: false)
      case ("uuid", .blob(let bytes)): .uuid(bytes)
      case (_, .integer(let number)): .literal("\(number)")
      case (_, .real(let number)): .real(number)
      case (_, .text(let text)): .text(text)
      case (_, .blob(let bytes)): .bytes(bytes)
      }
    }

    private static func order(_ type: FetchColumnType, using random: inout SplitMix) -> [OrderComponent] {
      let names = Bool.random(using: &random) ? ["a", "b"] : ["b"]
      return names.map { name in
        OrderComponent(
          column: name == "a" ? 1 : 2, name: name, type: type, source: .value,
          isDescending: .random(using: &random),
          nullsFirst: .random(using: &random))
      }
    }

    private static func filter(
      using random: inout SplitMix, depth: Int, _ value: (inout SplitMix) -> FetchValue
    ) -> FetchExpression {
      let a = FetchExpression.column(1, name: "a")
      let b = FetchExpression.column(2, name: "b")
      func part(_ random: inout SplitMix) -> FetchExpression {
        filter(using: &random, depth: depth - 1, value)
      }
      let comparison: [FetchExpression.Comparison] = [
        .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual,
      ]
      switch Int.random(in: 0..<(depth > 0 ? 13 : 7), using: &random) {
      case 0: return .compare(comparison.randomElement(using: &random) ?? .equal, a, b)
      case 1:
        return .compare(comparison.randomElement(using: &random) ?? .equal, .constant(value(&random)), b)
      case 2, 3:
        return .compare(comparison.randomElement(using: &random) ?? .equal, a, .constant(value(&random)))
      case 4: return .among(b, Set((0..<3).map { _ in value(&random).normalized }))
      case 5:
        guard case .text(let text) = value(&random) else { return .compare(.equal, a, .constant(.null)) }
        let match: [FetchExpression.TextMatch] = [.contains, .prefix, .suffix]
        let part = FetchExpression.constant(.text(String(text.unicodeScalars.suffix(1))))
        return .match(
          match.randomElement(using: &random) ?? .contains, folded: false, a,
          Bool.random(using: &random) ? part : b)
      case 6: return .compare(.notEqual, .coalesce(a, b), .constant(value(&random)))
      case 7, 8: return .not(part(&random))
      case 9, 10: return .all([part(&random), part(&random)])
      case 11: return .any([part(&random), part(&random)])
      default: return .choose(part(&random), part(&random), part(&random))
      }
    }

    /// The rows of a plan, the plain way.
    static func select(_ rows: [[FetchValue]], _ plan: FetchPlan) -> [[FetchValue]] {
      var writer = OrderKeyWriter()
      let keyed = rows.filter { row in plan.filter.holds { row[$0] } }.map { row -> ([UInt8], [FetchValue]) in
        writer.reset()
        for component in plan.order { _ = writer.append(row[component.column], component) }
        _ = writer.appendIdentifier(row[0], .integer)
        return (writer.bytes, row)
      }
      let sorted = keyed.sorted { $0.0.lexicographicallyPrecedes($1.0) }.map(\.1)
      return Array(sorted.dropFirst(plan.offset).prefix(plan.limit ?? .max))
    }

    // MARK: What is left to memory, and what is refused

    struct Word: FetchModel, Hashable {
      var id: Int
      var text: String
      static let fetchTable = FetchTable<Word>(
        "word", id: .column("id", \.id), columns: [.column("text", \.text)])
      init(fetchRow row: FetchRow) throws {
        id = try row["id"]
        text = try row["text"]
      }
    }

    @Test("Folded searches, orders and sections are what they are in memory")
    func folded() async throws {
      let database = try await TestDatabase(
        """
        CREATE TABLE word (id bigint PRIMARY KEY, text text NOT NULL);
        INSERT INTO word VALUES (1, 'Émile'), (2, 'zebra'), (3, 'Zoë'), (4, 'ECHO'), (5, 'anna'), (6, 'écho')
        """)
      let search = FetchController(
        FetchDescriptor<Word>().filter(#Predicate { $0.id != 5 && $0.text.localizedStandardContains("É") })
          .ordered(by: .ascending(\.text, folded: true)), in: database.store)
      #expect(try await search.performFetch().itemIdentifiers == [4, 6, 1, 2, 3])
      let sections = FetchController(
        FetchDescriptor<Word>().ordered(by: .ascending(\.text, folded: true)).sectioned(by: .initial(\.text)),
        in: database.store)
      #expect(try await sections.performFetch().sectionIdentifiers == ["A", "E", "Z"])
      try await database.store.write { try $0.execute("UPDATE word SET text = 'Échelle' WHERE id = 5") }
      #expect(sections.snapshot?.itemIdentifiers == [5, 4, 6, 1, 2, 3])
      let limited = FetchController(
        FetchDescriptor<Word>().ordered(by: .ascending(\.text, folded: true)).limit(2), in: database.store)
      let error = await #expect(throws: FetchError.self) { try await limited.performFetch() }
      #expect(error?.kind == .request && error?.description.contains("limit") == true)
    }

    @Test(
      "A column that PostgreSQL compares otherwise is refused by its name and type",
      arguments: ["numeric", "jsonb", "char(4)", "text[]", "int4range", "inet", "interval"])
    func refused(type: String) async throws {
      let database = try await TestDatabase("CREATE TABLE word (id bigint PRIMARY KEY, text \(type))")
      let list = FetchController(FetchDescriptor<Word>().ordered(by: .ascending(\.text)), in: database.store)
      let error = await #expect(throws: FetchError.self) { try await list.performFetch() }
      #expect(
        error?.kind == .request && error?.description.contains("“text”") == true,
        "\(String(describing: error))")
    }

    @Test(
      "Text that a collation calls equal, and columns of another type than the request expects, are refused")
    func refusedForms() async throws {
      let database = try await TestDatabase(
        """
        CREATE COLLATION loose (provider = icu, locale = 'und-u-ks-level2', deterministic = false);
        CREATE TABLE word (id bigint PRIMARY KEY, text text COLLATE loose);
        CREATE TABLE item (id text PRIMARY KEY, section bigint, key bigint, note text)
        """)
      let list = FetchController(FetchDescriptor<Word>().ordered(by: .ascending(\.text)), in: database.store)
      await #expect(throws: FetchError.self) { try await list.performFetch() }
      let items = FetchController(
        FetchDescriptor<ConformanceItem>().ordered(by: .ascending(\.section)), in: database.store)
      let error = await #expect(throws: FetchError.self) { try await items.performFetch() }
      #expect(error?.kind == .request)
    }

    @Test("NaN and infinite times are rows that cannot be listed, and the others are")
    func undecodableRows() async throws {
      struct Measure: FetchModel {
        var id: Int
        var value: Double
        var date: Date
        static let fetchTable = FetchTable<Measure>(
          "measure", id: .column("id", \.id), columns: [.column("value", \.value), .column("date", \.date)])
        init(fetchRow row: FetchRow) throws {
          id = try row["id"]
          value = try row["value"]
          date = try row["date"]
        }
      }
      let database = try await TestDatabase(
        """
        CREATE TABLE measure (id bigint PRIMARY KEY, value float8, date timestamptz);
        INSERT INTO measure VALUES (1, 'NaN', 'now'), (2, 1, 'infinity'), (3, 2, '-infinity'), (4, 'Infinity', 'epoch'), (5, 3, 'epoch')
        """)
      let list = FetchController(
        FetchDescriptor<Measure>().ordered(by: .ascending(\.value), .ascending(\.date)), in: database.store)
      #expect(try await list.performFetch().itemIdentifiers == [5, 4])
      #expect(list.failures.count == 3)
      try await database.store.write { try $0.execute("UPDATE measure SET value = 0, date = 'epoch'") }
      #expect(list.snapshot?.itemIdentifiers == [1, 2, 3, 4, 5])

      // Infinite times in all rows that are read are bad rows, and no other form of dates.
      try await database.store.write { try $0.execute("UPDATE measure SET date = 'infinity' WHERE id > 2") }
      let last = FetchController(
        FetchDescriptor<Measure>().ordered(by: .descending(\.date)).limit(2), in: database.store)
      #expect(try await last.performFetch().numberOfItems == 0)
      #expect(last.failures.count == 2 && last.failures.allSatisfy { $0.kind == .row })
      try await database.store.write { try $0.execute("UPDATE measure SET date = 'epoch' WHERE id > 2") }
      await last.waitUntilCurrent()
      #expect(last.snapshot?.numberOfItems == 2 && last.failures.isEmpty)
    }

    @Test("Text with a zero byte is in no row: filters say so, and writes are refused")
    func zeroBytes() async throws {
      let database = try await TestDatabase(
        "CREATE TABLE word (id bigint PRIMARY KEY, text text NOT NULL); INSERT INTO word VALUES (1, 'a'), (2, 'a!'), (3, 'b')"
      )
      let zero = "a\0b"
      for (filter, expected) in [
        (#Predicate<Word> { $0.text == zero }, []), (#Predicate { $0.text != zero }, [1, 2, 3]),
        (#Predicate { $0.text < zero }, [1]), (#Predicate { $0.text >= zero }, [2, 3]),
        (#Predicate { $0.text.contains(zero) }, []), (#Predicate { [zero, "b"].contains($0.text) }, [3]),
      ] {
        let list = FetchController(
          FetchDescriptor<Word>().filter(filter).ordered(by: .ascending(\.id)), in: database.store)
        #expect(try await list.performFetch().itemIdentifiers == expected)
      }
      await #expect(throws: PostgresError.self) {
        try await database.store.write { try $0.execute("INSERT INTO word VALUES (4, ?)", [zero]) }
      }
    }

    @Test("Parameters of SQL are found outside of quotes and comments")
    func rawSQL() {
      for (sql, expected) in [
        ("a = ? AND b = ?", "a = $1 AND b = $2"), ("'?' || ?", "'?' || $1"), ("'it''s ?' ?", "'it''s ?' $1"),
        (#"E'\'?' ?"#, #"E'\'?' $1"#), (#""a?" = ?"#, #""a?" = $1"#), ("? -- ?\n?", "$1 -- ?\n$2"),
        ("/* ? /* ? */ ? */ ?", "/* ? /* ? */ ? */ $1"), ("$$?$$ ?", "$$?$$ $1"),
        ("$x$ ? $y$ $x$ ?", "$x$ ? $y$ $x$ $1"),
        ("a ? 'b' AND c = $1", "a ? 'b' AND c = $1"), ("name$1 = ?", "name$1 = $1"), (#"'\' ?"#, #"'\' $1"#),
      ] {
        #expect(RawSQL.numbered(sql).sql == expected)
      }
    }
  }
#endif
