#if PostgreSQL
  import Foundation
  import LiveFetch
  @testable import LiveFetchPostgres
  import Snapshots
  import Synchronization
  import Testing
  import _TestTools

  /// The law of lists on random schemas: the table's columns have any of the types that their properties can have, in any order, with
  /// and without NULLs and indexes, among columns that no list knows; lists have random filters, orders, sections and limits; nodes and
  /// a program write. After each commit every list on every node is what a query without lists gives, and differences lead there.
  @Suite("The law of lists on random schemas of PostgreSQL's", .server)
  struct SchemaLawTests {
    @Test("Every list on every node equals a query", arguments: PostgresLawTests.seeds)
    func law(_ seed: UInt64) async throws {
      await CaseTurns.take()
      defer { CaseTurns.giveBack() }
      var random = SplitMix(seed: seed &* 7_919 &+ 13)
      switch Int.random(in: 0..<3, using: &random) {
      case 0: try await SchemaRun<Int64>.run(seed, random)
      case 1: try await SchemaRun<String>.run(seed, random)
      default: try await SchemaRun<UUID>.run(seed, random)
      }
    }

    @Test("What lists cannot be right about is refused, whatever else the schema has")
    func refused() async throws {
      let database = try await TestDatabase(
        """
        CREATE TABLE law (id bigint PRIMARY KEY, n numeric, m bigint NOT NULL, f boolean, r double precision, t char(9),
          b bytea, u uuid, d time, s text)
        """)
      var refusals: [String] = []
      for column in [LawColumn.n, .t, .d] {
        var random = SplitMix(seed: 1)
        var list = LawList(&random)
        (list.sorts, list.section, list.condition, list.limit) = ([.init(column: column)], nil, nil, nil)
        let controller = FetchController(list.request(Int64.self), in: database.store)
        do { try await controller.performFetch() } catch { refusals.append(error.description) }
      }
      #expect(
        refusals.count == 3
          && zip(refusals, ["numeric", "character(9)", "time"]).allSatisfy { $0.contains($1) })
    }
  }

  /// A schema, lists on two nodes, and a history.
  private struct SchemaRun<Key: LawKey> {
    private struct Followed {
      var list: LawList
      var controller: FetchController<LawItem<Key>>
      var listener: FetchChanges<Key>.Iterator
      var replayed: DiffableSnapshot<FetchSectionID, Key>
    }

    private var random: SplitMix
    private let seed: UInt64
    private let key: LawSQL
    private let columns: [LawColumn: LawSQL]
    private let isNotNull: Set<LawColumn>
    private let database: TestDatabase
    private let nodes: [PostgresStore]
    private var lists: [[Followed]] = [[], []]
    private var story: [String]

    static func run(_ seed: UInt64, _ random: SplitMix) async throws {
      var run = try await SchemaRun(seed, random)
      for step in 0..<14 { try await run.step(step) }
      run.nodes[1].close()
    }

    private init(_ seed: UInt64, _ given: SplitMix) async throws {
      var random = given
      func chance(_ part: Int) -> Bool { Int.random(in: 0..<part, using: &random) == 0 }
      key = LawSQL(declaration: Key.declarations.randomElement(using: &random) ?? "text")
      var columns: [LawColumn: LawSQL] = [:]
      var isNotNull: Set<LawColumn> = [.m]
      var parts = ["id \(key.declaration) PRIMARY KEY"]
      for column in LawColumn.allCases {
        let declaration = column.declarations.randomElement(using: &random) ?? "text"
        columns[column] = LawSQL(declaration: declaration)
        if chance(4) { isNotNull.insert(column) }
        parts.append("\(column.rawValue) \(declaration)\(isNotNull.contains(column) ? " NOT NULL" : "")")
      }
      // Columns that lists know nothing of, some of types that have no equality or lie outside of the row.
      parts += [
        "gone int", "j json DEFAULT '{}'", "x numeric DEFAULT 1.0", "\"a b\" text[]", "p point",
        "c text GENERATED ALWAYS AS (md5(m::text)) STORED",
      ]
      .filter { _ in chance(2) }
      parts.shuffle(using: &random)
      var schema = "CREATE TABLE law (\(parts.joined(separator: ", ")))"
      if parts.contains("gone int") { schema += "; ALTER TABLE law DROP COLUMN gone" }
      if chance(4) { schema += "; CREATE UNIQUE INDEX once ON law (t, b)" }
      if chance(2) { schema += "; CREATE INDEX ON law (m, n); CREATE INDEX ON law (t COLLATE \"C\")" }
      if chance(3) { schema += "; ALTER TABLE law REPLICA IDENTITY FULL" }
      var options = PostgresStoreOptions()
      options.ringsBell = chance(2)
      options.connections = .random(in: 1...3, using: &random)
      if chance(4) { options.maximumTouchedRows = 3 }
      options.schemaInterval = .milliseconds(chance(2) ? 20 : 5_000)
      database = try await TestDatabase(schema, options: options)
      nodes = [database.store, try await database.makeNode(options: options)]
      (self.columns, self.isNotNull, self.seed) = (columns, isNotNull, seed)
      story = [schema]
      for _ in 0..<3 {
        let list = LawList(&random)
        for node in 0...1 {
          let controller = FetchController(list.request(Key.self), in: nodes[node])
          let first = try await controller.performFetch()
          let listener = controller.changes.makeAsyncIterator()
          _ = try await listener.next()
          lists[node].append(
            Followed(list: list, controller: controller, listener: listener, replayed: first))
        }
      }
      self.random = random
    }

    private mutating func step(_ step: Int) async throws {
      switch Int.random(in: 0..<16, using: &random) {
      case 0: try change("ALTER TABLE law ADD COLUMN IF NOT EXISTS later text DEFAULT 'x'")
      case 1: try change("ALTER TABLE law DROP COLUMN IF EXISTS later")
      case 2: try change("SELECT livelists.prune('0 s')")
      case 3: try change("TRUNCATE law")
      default: try await write()
      }
      try await check(step)
    }

    private mutating func change(_ sql: String) throws {
      story.append(sql)
      try database.other.run(sql)
    }

    /// One transaction of a node's or a program's. One that fails, as rows are to be unique, has written nothing.
    private mutating func write() async throws {
      let count = [1, 1, 2, 3, 8].randomElement(using: &random) ?? 1
      var statements: [String] = []
      for _ in 0..<count { statements += operation(isInside: false) }
      if Int.random(in: 0..<12, using: &random) == 0 {
        statements.insert("SET LOCAL livelists.bulk = 'on'", at: 0)
      }
      let isRolledBack = Int.random(in: 0..<12, using: &random) == 0
      let writer = Int.random(in: 0...2, using: &random)
      story.append("\(writer): \(statements.joined(separator: "; "))\(isRolledBack ? "; rolled back" : "")")
      if writer == 2 {
        do {
          try database.other.run(
            "BEGIN; \(statements.joined(separator: "; ")); \(isRolledBack ? "ROLLBACK" : "COMMIT")")
        } catch let error as PostgresError where error.code == "23505" { try database.other.run("ROLLBACK") }
      } else {
        let node = nodes[writer]
        do {
          try await node.write { [statements] transaction in
            for statement in statements { try transaction.execute(statement) }
            if isRolledBack { throw CancellationError() }
          }
        } catch is CancellationError {
        } catch let error as PostgresError where error.code == "23505" {}
      }
    }

    private mutating func operation(isInside: Bool) -> [String] {
      func id(_ random: inout SplitMix) -> String {
        let number = Int.random(in: 0..<12, using: &random)
        return key.literal(Key(number: number).fetchValue(as: Key.fetchColumnType) ?? .null)
      }
      func value(_ column: LawColumn, _ random: inout SplitMix) -> String {
        let pick = Int.random(in: 0..<6, using: &random)
        let value = column.value(pick, isNotNull: isNotNull.contains(column))
        return columns[column]?.literal(value) ?? "NULL"
      }
      let column = LawColumn.allCases.randomElement(using: &random) ?? .m
      switch Int.random(in: 0..<16, using: &random) {
      case 0...6:
        let names = LawColumn.allCases.map(\.rawValue)
        let values = LawColumn.allCases.map { value($0, &random) }
        return [
          "INSERT INTO law (id, \(names.joined(separator: ", "))) VALUES (\(id(&random)), \(values.joined(separator: ", "))) "
            + "ON CONFLICT (id) DO UPDATE SET \(names.map { "\($0) = excluded.\($0)" }.joined(separator: ", "))"
        ]
      case 7...9:
        return ["UPDATE law SET \(column.rawValue) = \(value(column, &random)) WHERE id = \(id(&random))"]
      case 10:
        return [
          "UPDATE law SET \(column.rawValue) = \(value(column, &random)) WHERE m = \(value(.m, &random))"
        ]
      case 11, 12: return ["DELETE FROM law WHERE id = \(id(&random))"]
      case 13: return [Bool.random(using: &random) ? "DELETE FROM law" : "UPDATE law SET m = m"]
      case 14:
        let new = id(&random)
        return [
          "UPDATE law SET id = \(new) WHERE id = \(id(&random)) AND NOT EXISTS (SELECT FROM law WHERE id = \(new))"
        ]
      default:
        return isInside ? [] : ["SAVEPOINT u"] + operation(isInside: true) + ["ROLLBACK TO u"]
      }
    }

    /// All rows, by a query that has nothing to do with lists.
    private func rows() throws -> [LawRow] {
      let names = LawColumn.allCases.map { columns[$0]?.selected($0.rawValue) ?? "NULL" }
      let found = try database.other.query(
        "SELECT \(key.selected("id")), \(names.joined(separator: ", ")) FROM law")
      return (0..<found.count).map { row in
        var values: [LawColumn: FetchValue] = [:]
        for (number, column) in LawColumn.allCases.enumerated() {
          values[column] = columns[column]?.value(found.text(row, number + 1))
        }
        return LawRow(id: key.value(found.text(row, 0)), values: values)
      }
    }

    private mutating func check(_ step: Int) async throws {
      let rows = try rows()
      for node in 0...1 {
        await nodes[node].waitUntilCurrent()
        for index in lists[node].indices {
          let (list, controller) = (lists[node][index].list, lists[node][index].controller)
          await controller.waitUntilCurrent()
          let expected = try list.expected(rows, Key.self)
          let context =
            "LAW_SEED=\(seed), step \(step), node \(node): \(list)\n\(story.joined(separator: "\n"))"
          try #require(controller.snapshot == expected, "\(context)")
          while lists[node][index].replayed != expected {
            let change = try #require(try await lists[node][index].listener.next())
            try #require(change.failures.isEmpty, "\(context)")
            lists[node][index].replayed = try lists[node][index].replayed.applying(change.difference)
            try #require(lists[node][index].replayed == change.snapshot, "\(context)")
          }
          let objects = try await controller.objects(for: expected.itemIdentifiers)
          for row in rows {
            guard let id = Key(fetchValue: row.id, as: Key.fetchColumnType), let object = objects[id] else {
              continue
            }
            for column in LawColumn.allCases {
              #expect(object.stored[column.rawValue] == row[column], "\(column) of \(id), \(context)")
            }
          }
          #expect(objects.count == expected.itemIdentifiers.count, "\(context)")
        }
      }
    }
  }
#endif
