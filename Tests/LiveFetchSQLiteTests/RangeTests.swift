import LiveListsTestSupport
#if SQLite
  import Foundation
  import GRDB
  import LiveFetch
  import LiveFetchSQLite
  import Snapshots
  import Synchronization
  import Testing

  @Suite("Objects by the run of the list that they are")
  struct RangeTests {
    /// A list, and whether an index serves its order.
    struct Case: Sendable, CustomTestStringConvertible {
      var name: String
      var request: FetchDescriptor<Note>
      var index: String
      /// Whether runs of the list can be read by the index; nil where it depends on the rows.
      var isServed: Bool?
      var testDescription: String { name }
    }

    static let cases: [Case] = [
      Case(
        name: "an album by rank, with ties",
        request: FetchDescriptor().filter(#Predicate { $0.album == "a" }).ordered(by: .ascending(\.rank)),
        index: "(album, rank, id)", isServed: true),
      Case(
        name: "sections, the newest first",
        request: FetchDescriptor().ordered(by: .descending(\.created)).sectioned(by: \.album),
        index: "(album, created DESC, id)", isServed: true),
      Case(
        name: "by position alone, most of which tie",
        request: FetchDescriptor().ordered(by: .ascending(\.position)), index: "(position, id)",
        isServed: true),
      Case(
        name: "by weight, the largest first and those without at the start",
        request: FetchDescriptor().ordered(by: .descending(\.weight, nulls: .first)), index: "(weight, id)",
        isServed: nil),
      Case(
        name: "by title, in which zero bytes and NULLs are",
        request: FetchDescriptor().ordered(by: .ascending(\.title), .descending(\.position)),
        index: "(title, position)", isServed: nil),
      Case(
        name: "the untitled by position, by a partial index",
        request: FetchDescriptor().filter(#Predicate { $0.title == nil }).ordered(by: .ascending(\.position)),
        index: "(position, id) WHERE title IS NULL", isServed: true),
      Case(
        name: "the untitled by position, by a partial index that has the title as well",
        request: FetchDescriptor().filter(#Predicate { $0.title == nil }).ordered(by: .ascending(\.position)),
        index: #"("title", position) WHERE "TITLE" IS /* no title */ NULL AND title IS null"#, isServed: true),
      Case(
        name: "a partial index of other rows",
        request: FetchDescriptor().filter(#Predicate { $0.title == nil }).ordered(by: .ascending(\.position)),
        index: "(position, id) WHERE title IS NULL AND views > 0", isServed: false),
      Case(
        name: "an index in the order of another collation",
        request: FetchDescriptor().filter(#Predicate { $0.album == "a" }).ordered(by: .ascending(\.created)),
        index: "(album COLLATE NOCASE, created, id)", isServed: false),
      Case(
        name: "an index that has another column between",
        request: FetchDescriptor().filter(#Predicate { $0.album == "a" }).ordered(by: .ascending(\.created)),
        index: "(album, views, created)", isServed: false),
      Case(
        name: "an index of an expression",
        request: FetchDescriptor().ordered(by: .ascending(\.position)), index: "(+position)", isServed: false),
      Case(
        name: "two equalities in the other order",
        request: FetchDescriptor().filter(#Predicate { $0.album == "a" && $0.title == nil })
          .ordered(by: .ascending(\.rank)),
        index: "(title, album, rank)", isServed: true),
      Case(
        name: "a window with rows before and behind it",
        request: FetchDescriptor().ordered(by: .ascending(\.created)).limit(30).offset(5),
        index: "(created, id)", isServed: true),
      Case(
        name: "folded text, which keys do not tell",
        request: FetchDescriptor().ordered(by: .ascending(\.title, folded: true)), index: "(title)",
        isServed: false),
      Case(
        name: "a filter that the index does not serve",
        request: FetchDescriptor().filter(#Predicate { $0.position > 1 }).ordered(by: .ascending(\.rank)),
        index: "(rank)", isServed: false),
      Case(
        name: "an equality that the index does not have",
        request: FetchDescriptor().filter(#Predicate { $0.position == 1 }).ordered(by: .ascending(\.rank)),
        index: "(rank)", isServed: false),
    ]

    @Test("They are those that are had by their keys", arguments: cases, [1, 2] as [UInt64])
    func law(_ list: Case, _ seed: UInt64) async throws {
      var history = History(seed: seed)
      let counter = StatementCounter()
      let temporary = try TemporaryStore(configuration: counter.configuration)
      let store = temporary.store
      try await store.write { [rows = history.rows(120)] db in
        for row in rows { try row.insert(db) }
        try db.execute(sql: "CREATE INDEX tried ON note \(list.index)")
      }
      for step in 0..<18 {
        if step % 3 == 0 {
          let act = history.act()
          do { try await store.write { db in try act.run(db) } } catch is RolledBack {}
        }
        // Each time another controller: it has nothing at hand.
        var options = FetchOptions()
        options.nearbyItemsSize = [4, 10, 40][step % 3]
        let controller = FetchController(list.request, in: store, options: options)
        let snapshot = try await controller.performFetch()
        let items = snapshot.itemIdentifiers
        // What is shown may be older than what is there: rows have left, and others have other positions.
        if step % 5 == 4 {
          controller.pause()
          let act = history.act()
          do { try await store.write { db in try act.run(db) } } catch is RolledBack {}
          await controller.waitUntilCurrent()
        }
        let known = try await store.read { db in
          Dictionary(uniqueKeysWithValues: try Note.fetchAll(db, keys: items).map { ($0.id, $0) })
        }
        for (section, part) in snapshot.sections.enumerated() {
          let start = Int.random(in: 0...part.items.count, using: &history.random)
          let ids = Array(part.items.dropFirst(start).prefix(20))
          let objects = try controller.objects(in: start..<start + 20, ofSection: section)
          #expect(objects == ids.compactMap { known[$0] }, "seed \(seed), step \(step)")
        }
        let some = Array(items.shuffled(using: &history.random).prefix(9))
        #expect(try await controller.objects(for: some) == known.filter { some.contains($0.key) })
        if let id = items.randomElement(using: &history.random) {
          #expect(controller.object(for: id) == known[id], "seed \(seed), step \(step)")
        }
      }
      switch list.isServed {
      case true: #expect(counter.ranges > 0, "no run was read")
      case false: #expect(counter.ranges == 0)
      default: break
      }
    }

    static func traversed(
      _ index: String, _ counter: StatementCounter, by request: FetchDescriptor<Note>,
      nearby: Int = 40, position: @escaping @Sendable (Int) -> Int = { $0 }
    ) async throws -> (TemporaryStore, FetchController<Note>) {
      let temporary = try TemporaryStore(configuration: counter.configuration)
      try await temporary.store.write { db in
        for number in 0..<400 {
          try Note(
            id: UUID(), album: "a", title: nil, position: position(number), weight: nil,
            created: Date(timeIntervalSince1970: 0), rank: .middle
          ).insert(db)
        }
        if !index.isEmpty { try db.execute(sql: "CREATE INDEX tried ON note \(index)") }
      }
      var options = FetchOptions()
      options.nearbyItemsSize = nearby
      let controller = FetchController(request, in: temporary.store, options: options)
      try await traverse(controller)
      return (temporary, controller)
    }

    static func traverse(_ controller: FetchController<Note>) async throws {
      for id in try await controller.performFetch().items { #expect(controller.object(for: id)?.id == id) }
    }

    @Test(
      "A list with an index is traversed by ranges: of 40 rows, of 80, of 160, and from then on of 320, and no row twice"
    )
    func traversal() async throws {
      let counter = StatementCounter()
      let request = FetchDescriptor<Note>().ordered(by: .ascending(\.position))
      let (temporary, controller) = try await Self.traversed("(position)", counter, by: request)
      defer { withExtendedLifetime(temporary) {} }
      #expect(counter.all == [4, 0])
      #expect(controller.statistics.cacheMisses == 4 && controller.statistics.objectsRead == 400)
    }

    @Test("Without an index rows are had by their keys")
    func withoutIndex() async throws {
      let counter = StatementCounter()
      let request = FetchDescriptor<Note>().ordered(by: .ascending(\.position))
      let (temporary, controller) = try await Self.traversed("", counter, by: request)
      defer { withExtendedLifetime(temporary) {} }
      #expect(counter.all == [0, 4])
      #expect(controller.statistics.objectsRead == 400)
    }

    @Test("SQLite is asked once whether an index serves a request, and seldom whether its schema has changed")
    func questions() async throws {
      let counter = StatementCounter()
      let request = FetchDescriptor<Note>().ordered(by: .ascending(\.position))
      let (temporary, _) = try await Self.traversed("(position)", counter, by: request)
      counter.reset()
      var options = FetchOptions()
      options.nearbyItemsSize = 4
      try await Self.traverse(FetchController(request, in: temporary.store, options: options))
      // One of 4 rows, one of 8, one of 16, and then those of 32.
      #expect(counter.all == [15, 0])
      #expect(counter.explained == 0, "it was asked during the walk before")
      #expect((1...2).contains(counter.versions))
    }

    @Test("Where too many rows tie with the first or the last, rows are had by their keys")
    func ties() async throws {
      let counter = StatementCounter()
      let request = FetchDescriptor<Note>().ordered(by: .ascending(\.position), .ascending(\.rank))
      let (temporary, controller) = try await Self.traversed(
        "(position, rank, id)", counter, by: request, nearby: 10, position: { $0 / 170 })
      defer { withExtendedLifetime(temporary) {} }
      // Of eight runs, most of eighty rows, one has rows of two positions, each of which 170 rows have.
      #expect(counter.all == [7, 1])
      #expect(controller.statistics.objectsRead == 400)
    }

    @Test("An index that comes or goes is noticed")
    func otherSchema() async throws {
      let counter = StatementCounter()
      let request = FetchDescriptor<Note>().ordered(by: .ascending(\.position))
      let (temporary, _) = try await Self.traversed("", counter, by: request)
      for (sql, ranges, keyed) in [
        ("CREATE INDEX late ON note (position)", 4, 0), ("DROP INDEX late", 0, 4),
      ] {
        try await temporary.store.write { db in try db.execute(sql: sql) }
        counter.reset()
        try await Self.traverse(FetchController(request, in: temporary.store))
        #expect(counter.all == [ranges, keyed], "\(sql)")
      }
    }
  }

  /// Counts the statements by which objects are read, on all connections of a store.
  final class StatementCounter: Sendable {
    private struct Counts {
      var ranges = 0
      var keyed = 0
      var explained = 0
      var versions = 0
    }
    private let counts = Mutex(Counts())

    var ranges: Int { counts.withLock { $0.ranges } }
    var keyed: Int { counts.withLock { $0.keyed } }
    /// How often SQLite was asked for a table's indexes, and for the version of its schema.
    var explained: Int { counts.withLock { $0.explained } }
    var versions: Int { counts.withLock { $0.versions } }
    /// Statements by range and by keys.
    var all: [Int] { counts.withLock { [$0.ranges, $0.keyed] } }

    func reset() { counts.withLock { $0 = Counts() } }

    var configuration: Configuration {
      var configuration = Configuration()
      configuration.prepareDatabase { db in
        db.trace { event in
          guard case .statement(let statement) = event else { return }
          let sql = statement.sql
          self.counts.withLock { counts in
            if sql.hasPrefix("PRAGMA main.index_list") {
              counts.explained += 1
            } else if sql.hasPrefix("PRAGMA main.schema_version") {
              counts.versions += 1
            } else if sql.contains(" BETWEEN ") {
              counts.ranges += 1
            } else if sql.hasPrefix("SELECT * FROM"), sql.contains(" IN (?") {
              counts.keyed += 1
            }
          }
        }
      }
      return configuration
    }
  }
#endif
