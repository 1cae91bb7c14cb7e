#if PostgreSQL
  import Foundation
  import LiveFetch
  @testable import LiveFetchPostgres
  import LiveListsTestSupport
  import Snapshots
  import Synchronization
  import Testing
  import _TestTools

  /// Lists that demand a value of a column, and rows that go from one value to another.
  @Suite("Changes go to the lists that they concern", .server)
  struct RoutingTests {
    struct Photo: FetchModel, Hashable {
      var id: Int
      var album: Int
      var tag: String
      var owner: UUID
      var isHidden: Bool
      var rank: Int

      static let fetchTable = FetchTable<Photo>(
        "photo", id: .column("id", \.id),
        columns: [
          .column("album", \.album), .column("tag", \.tag), .column("owner", \.owner),
          .column("hidden", \.isHidden),
          .column("rank", \.rank),
        ])

      init(fetchRow row: FetchRow) throws {
        (id, album, tag) = (try row["id"], try row["album"], try row["tag"])
        (owner, isHidden, rank) = (try row["owner"], try row["hidden"], try row["rank"])
      }
    }

    static let schema = """
      CREATE TABLE photo (id bigint PRIMARY KEY, album int, tag text COLLATE "und-x-icu" NOT NULL, owner uuid NOT NULL,
        hidden boolean NOT NULL, rank bigint NOT NULL)
      """
    static let tags = ["a", "A", "é", "e\u{301}", "\"{,}\\", ""]
    static let owners = (0..<3).map { UUID(uuidString: "0000000\($0)-ABCD-4000-8000-00000000000F") ?? UUID() }

    private static func follow(
      _ filter: Predicate<Photo>, in store: PostgresStore
    ) async throws -> FetchController<Photo> {
      let list = FetchController(
        FetchDescriptor<Photo>().filter(filter).ordered(by: .ascending(\.rank)), in: store)
      try await list.performFetch()
      return list
    }

    @Test(
      "A row concerns the list that it leaves and the list that it comes to, and costs the others nothing")
    func concernsTwo() async throws {
      let database = try await TestDatabase(
        Self.schema
          + "; INSERT INTO photo SELECT i, i % 50, 'a', '\(Self.owners[0])', false, i FROM generate_series(1, 500) i"
      )
      let lists = try await withThrowingTaskGroup(of: (Int, FetchController<Photo>).self) { group in
        for album in 0..<50 {
          group.addTask {
            (album, try await Self.follow(#Predicate { $0.album == album }, in: database.store))
          }
        }
        return try await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
      }
      func commits() -> [Int] { (0..<50).map { lists[$0]?.statistics.commits ?? -1 } }
      let before = commits()
      try database.other.run("UPDATE photo SET album = 7 WHERE id = 3")
      await database.store.waitUntilCurrent()
      for list in lists.values { await list.waitUntilCurrent() }
      let told = zip(before, commits()).enumerated().filter { $0.element.0 != $0.element.1 }.map(\.offset)
      #expect(told == [3, 7])
      #expect(lists[7]?.snapshot?.itemIdentifiers.contains(3) == true)
      #expect(lists[3]?.snapshot?.itemIdentifiers.contains(3) == false)
    }

    @Test(
      "Lists by any kind of value are what a query gives, on two nodes, whatever is written", arguments: 1...3
    )
    func law(_ seed: Int) async throws {
      let database = try await TestDatabase(Self.schema)
      let other = try await database.makeNode()
      defer { other.close() }
      var lists: [(list: FetchController<Photo>, sql: String)] = []
      for store in [database.store, other] {
        for album in 0..<3 {
          lists.append(
            (try await Self.follow(#Predicate { $0.album == album }, in: store), "album = \(album)"))
        }
        for tag in Self.tags {
          let quoted = "'\(tag.replacingOccurrences(of: "'", with: "''"))'"
          lists.append((try await Self.follow(#Predicate { $0.tag == tag }, in: store), "tag = \(quoted)"))
        }
        for owner in Self.owners {
          lists.append(
            (try await Self.follow(#Predicate { $0.owner == owner }, in: store), "owner = '\(owner)'"))
        }
        lists.append((try await Self.follow(#Predicate { $0.isHidden == true }, in: store), "hidden"))
        lists.append(
          (
            try await Self.follow(#Predicate { $0.isHidden == false && $0.rank < 4 }, in: store),
            "NOT hidden AND rank < 4"
          ))
        lists.append((try await Self.follow(#Predicate { $0.rank < 4 }, in: store), "rank < 4"))
      }
      let noted = try database.other.query("SELECT array_to_string(noted, ' ') FROM livelists.watched").text(
        0, 0)
      #expect(Set((noted ?? "").split(separator: " ")) == ["album", "tag", "owner", "hidden"])

      var random = SplitMix(seed: UInt64(seed))
      func any<Element>(_ elements: [Element]) -> Element {
        elements[Int.random(in: 0..<elements.count, using: &random)]
      }
      for step in 0..<60 {
        let id = Int.random(in: 0..<12, using: &random)
        let album = any(["0", "1", "2", "NULL"])
        let (tag, owner) = (any(Self.tags), any(Self.owners))
        let statement =
          switch Int.random(in: 0..<6, using: &random) {
          case 0: "DELETE FROM photo WHERE id = \(id)"
          case 1: "UPDATE photo SET album = \(album) WHERE id <= \(id)"
          case 2: "UPDATE photo SET id = id + 100 WHERE id = \(id) AND id + 100 NOT IN (SELECT id FROM photo)"
          case 3 where step > 30:
            any(["TRUNCATE photo", "ALTER TABLE photo ADD COLUMN IF NOT EXISTS more int"])
          default:
            """
            INSERT INTO photo VALUES (\(id), \(album), '\(tag)', '\(owner)', \(any(["true", "false"])), \(any(Array(0..<8)))) ON CONFLICT (id)
            DO UPDATE SET album = excluded.album, tag = excluded.tag, owner = excluded.owner, hidden = excluded.hidden, rank = excluded.rank
            """
          }
        try database.other.run(statement)
        for store in [database.store, other] { await store.waitUntilCurrent() }
        for (list, sql) in lists {
          await list.waitUntilCurrent()
          let found = try database.other.query("SELECT id FROM photo WHERE \(sql) ORDER BY rank, id")
          let expected = (0..<found.count).map { Int(found.integer($0, 0) ?? -1) }
          #expect(
            list.snapshot?.itemIdentifiers == expected,
            "seed \(seed), step \(step), \(sql), after \(statement)")
        }
      }
    }

    @Test("Keys that are the same text to Swift, and not to the database, are two rows")
    func normalForms() async throws {
      struct Word: FetchModel, Hashable {
        var id: String
        var note: String
        static let fetchTable = FetchTable<Word>(
          "word", id: .column("id", \.id), columns: [.column("note", \.note)])
        init(fetchRow row: FetchRow) throws { (id, note) = (try row["id"], try row["note"]) }
      }
      let database = try await TestDatabase("CREATE TABLE word (id text PRIMARY KEY, note text NOT NULL)")
      let plans = Mutex<[FetchValue: FetchValue]>([:])
      let plan = try FetchDescriptor<Word>().ordered(by: .ascending(\.note)).plan()
      _ = try await database.store.read(plan) { _ in }
      let observation = database.store.observe(plan) { event in
        guard case .changes(let changes) = event else { return }
        plans.withLock { plans in for row in changes.rows { plans[row.id] = row.values?.last ?? .null } }
      }
      defer { observation.cancel() }
      try database.other.run("INSERT INTO word VALUES (U&'\\00E9', 'one'), (U&'e\\0301', 'two')")
      await database.store.waitUntilCurrent()
      #expect(plans.withLock { $0.count } == 2)
    }

    @Test("A noted column that is dropped keeps nobody from writing, and one that comes back is noted again")
    func droppedColumn() async throws {
      var options = PostgresStoreOptions()
      options.schemaInterval = .zero
      let database = try await TestDatabase(
        Self.schema + "; INSERT INTO photo VALUES (1, 1, 'a', '\(Self.owners[0])', false, 1)",
        options: options)
      let list = try await Self.follow(#Predicate { $0.album == 1 }, in: database.store)
      try database.other.run(
        "ALTER TABLE photo DROP COLUMN album; UPDATE photo SET rank = 2; DELETE FROM photo")
      for _ in 0..<600 where !list.failures.contains(where: { $0.kind == .request || $0.kind == .database }) {
        try await Task.sleep(for: .milliseconds(25))
      }
      try database.other.run(
        "ALTER TABLE photo ADD COLUMN album int; INSERT INTO photo (id, album, tag, owner, hidden, rank) VALUES (2, 1, 'a', '\(Self.owners[0])', false, 1)"
      )
      for _ in 0..<600 where list.snapshot?.itemIdentifiers != [2] {
        try await Task.sleep(for: .milliseconds(25))
      }
      #expect(list.snapshot?.itemIdentifiers == [2])
      try database.other.run("UPDATE photo SET album = 2")
      await database.store.waitUntilCurrent()
      await list.waitUntilCurrent()
      #expect(list.snapshot?.itemIdentifiers == [])
    }

    @Test("A role that may not change the triggers has lists that look at every row, and are right")
    func withoutRights() async throws {
      let database = try await TestDatabase(
        Self.schema + """
          ; DO $$ BEGIN CREATE ROLE reader LOGIN; EXCEPTION WHEN duplicate_object THEN END $$;
          GRANT SELECT ON photo TO reader
          """)
      try database.other.run("SELECT livelists.allow('reader', true), livelists.watch('public.photo', 'id')")
      let store = try await PostgresStore(connection: database.address + " user=reader")
      defer { store.close() }
      let list = try await Self.follow(#Predicate { $0.album == 1 }, in: store)
      try database.other.run(
        "INSERT INTO photo VALUES (1, 1, 'a', '\(Self.owners[0])', false, 1), (2, 2, 'a', '\(Self.owners[0])', false, 1)"
      )
      await store.waitUntilCurrent()
      await list.waitUntilCurrent()
      #expect(list.snapshot?.itemIdentifiers == [1])
      let found = try database.other.query("SELECT count(*) FROM livelists.log WHERE routes IS NOT NULL")
      #expect(found.integer(0, 0) == 0)
    }
  }
#endif
