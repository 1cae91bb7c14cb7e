#if PostgreSQL
  import Foundation
  import LiveFetch
  @testable import LiveFetchPostgres
  import LiveListsTestSupport
  import Snapshots
  import Synchronization
  import Testing
  import _TestTools

  enum Soak {
    static let environment = ProcessInfo.processInfo.environment
    static let seconds = environment["SOAK_SECONDS"].flatMap(Double.init) ?? 0
    static let seed = environment["SOAK_SEED"].flatMap(UInt64.init) ?? 1
    static let lists = environment["SOAK_LISTS"].flatMap(Int.init) ?? 10_000
    /// For how many seconds networks are away.
    static let outages = (environment["SOAK_OUTAGES"] ?? "60,300").split(separator: ",").compactMap {
      Int($0)
    }
  }

  /// Three nodes, programs beside them, and faults, for as long as `SOAK_SECONDS` says; without it nothing is run. `make soak SUITE=postgres`.
  ///
  /// After each round every list on every node is what a query says, and no list has ever shown a row that was rolled back.
  @Suite("Soak on PostgreSQL", .server, .serialized, .enabled(if: Soak.seconds > 0))
  struct SoakTests {
    @Test("Every list on every node is right, whatever happens, and shows nothing that was never committed")
    func soak() async throws {
      let soak = try await NodeSoak(seed: Soak.seed)
      defer { soak.end() }
      let end = ContinuousClock.now + .seconds(Soak.seconds)
      var faults: [String: Int] = [:]
      var rounds = 0
      while ContinuousClock.now < end {
        rounds += 1
        let fault = try await soak.round(rounds)
        faults[fault, default: 0] += 1
        try await soak.check("seed \(Soak.seed), round \(rounds), with \(fault)")
      }
      #expect(rounds > 0 && soak.shown.rows.withLock { $0 } == [])
      let statistics = soak.nodes.map(\.statistics)
      let told = faults.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", ")
      print(
        "➜ Soak: \(rounds) rounds, \(soak.writes.withLock { $0 }) transactions, \(statistics.map(\.polls).reduce(0, +)) looks, "
          + "\(statistics.map(\.batches).reduce(0, +)) batches, \(statistics.map(\.logRows).reduce(0, +)) rows of the log, "
          + "\(statistics.map(\.resets).reduce(0, +)) resets, \(statistics.map(\.interruptions).reduce(0, +)) interruptions; "
          + "\(soak.comparisons.withLock { $0 }) lists compared, seed \(Soak.seed). Faults: \(told).")
    }

    @Test(
      "A million rows in one statement, with rows of the log and in bulk, have lists read anew",
      arguments: [false, true])
    func millionRows(_ inBulk: Bool) async throws {
      let database = try await TestDatabase(TestDatabase.items)
      let other = try await database.makeNode()
      defer { other.close() }
      let lists = [try await FollowedLists(in: database.store), try await FollowedLists(in: other)]
      let begun = ContinuousClock.now
      try database.other.run(
        "BEGIN; \(inBulk ? "SET LOCAL livelists.bulk = 'on'; " : "")INSERT INTO item SELECT i, 'a', i % 1000, NULL FROM generate_series(1, 1000000) i; COMMIT"
      )
      let written = ContinuousClock.now
      let count = try database.other.query("SELECT count(*) FROM livelists.log").integer(0, 0)
      #expect(count == (inBulk ? 1 : 1_000_000))
      for (node, store) in [database.store, other].enumerated() {
        await store.waitUntilCurrent()
        #expect(store.statistics.logRows < 20_002 && store.statistics.resets <= 1)
        for list in lists[node].controllers { await list.waitUntilCurrent() }
        #expect(lists[node].controllers[0].snapshot?.itemIdentifiers.count == 1_000_000)
        #expect(lists[node].controllers[2].snapshot?.itemIdentifiers == [1_000, 2_000, 3_000, 4_000, 5_000])
      }
      print(
        "➜ A million rows\(inBulk ? " in bulk" : ""): written in \(written - begun), six lists in \(ContinuousClock.now - written)."
      )
      try database.other.run("DELETE FROM item WHERE id > 10")
      for (store, lists) in zip([database.store, other], lists) {
        await store.waitUntilCurrent()
        await lists.check(try database.rows(), "after nearly all was deleted")
      }
    }

    @Test("Thousands of lists are read anew after a reset while others write")
    func herd() async throws { try await Herd.run(lists: Soak.lists) }
  }

  @Suite("Outages of the network, as long as they last", .server, .enabled(if: Soak.seconds > 0))
  struct OutageTests {
    @Test("Lists catch up after a network was away", arguments: Soak.outages, [Relay.Mode.cut, .holding])
    func away(_ seconds: Int, _ mode: Relay.Mode) async throws {
      try await LineTests.away(mode, for: seconds)
      print("➜ A network that was away for \(seconds) s (\(mode)): caught up.")
    }
  }

  /// Thousands of lists on one node that lose their position at once.
  enum Herd {
    static func run(lists count: Int) async throws {
      var options = PostgresStoreOptions()
      options.ringsBell = false
      let database = try await TestDatabase(
        TestDatabase.items
          + "; INSERT INTO item SELECT i, 's' || i % \(count), i, NULL FROM generate_series(1, \(count * 3)) i; CREATE INDEX ON item (section, key)",
        options: options)
      let store = database.store
      var lists: [FetchController<ConformanceItem>] = []
      for number in 0..<count {
        let section = "s\(number)"
        let list = FetchController(
          FetchDescriptor<ConformanceItem>().filter(#Predicate { $0.section == section }).ordered(
            by: .ascending(\.key)), in: store)
        try await list.performFetch()
        lists.append(list)
      }
      // Commits may have been lost: another epoch. And rows that no log tells of.
      try database.other.run(
        "BEGIN; DELETE FROM livelists.boot; DELETE FROM item WHERE id % 5 = 0; DELETE FROM livelists.log; COMMIT"
      )
      let begun = ContinuousClock.now
      await store.waitUntilCurrent()
      let connections =
        "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'LiveLists'"
      var most: Int64 = 0
      var longest: Duration = .zero
      for id in 0..<20 {
        let start = ContinuousClock.now
        try await store.write { try $0.execute("INSERT INTO item VALUES (?, 'new', 0)", [-1 - id]) }
        longest = max(longest, .now - start)
        most = max(most, try database.other.query(connections).integer(0, 0) ?? 0)
      }
      for list in lists { await list.waitUntilCurrent() }
      let whole = ContinuousClock.now - begun
      #expect(store.statistics.resets == 1)
      #expect(most <= Int64(options.connections) + 1)
      let found = try database.other.query(
        "SELECT section, array_agg(id::text ORDER BY key, id) FROM item GROUP BY section")
      var expected: [String: [Int]] = [:]
      for row in 0..<found.count {
        expected[found.text(row, 0) ?? ""] = found.texts(row, 1).compactMap { $0.flatMap { Int($0) } }
      }
      let wrong = lists.enumerated().filter {
        $0.element.snapshot?.itemIdentifiers != expected["s\($0.offset)"] ?? []
      }
      #expect(wrong.isEmpty)
      print(
        "➜ A herd of \(count) lists was read anew in \(whole), a write beside it took at most \(longest), over \(most) connections."
      )
    }
  }

  /// Rows that were shown and must not be.
  private final class ShownRows: Sendable {
    let rows = Mutex<[String]>([])
  }

  /// A server, three nodes with lists, and who writes.
  private final class NodeSoak: Sendable {
    let server: OwnServer
    let nodes: [PostgresStore]
    let lists: [FollowedLists]
    /// Lists of rows that are rolled back without exception, and what they showed.
    let never: [FetchController<ConformanceItem>]
    let shown = ShownRows()
    let writes = Mutex(0)
    let comparisons = Mutex(0)
    private let random: Mutex<SplitMix>
    private let listeners: [Task<Void, any Error>]

    init(seed: UInt64) async throws {
      // Writes do not wait for the disk, so that a crash loses some that lists have shown.
      server = try await OwnServer(settings: [
        "wal_writer_delay = '10s'", "synchronous_commit = off", "max_connections = 100",
        "max_prepared_transactions = 10",
      ])
      random = Mutex(SplitMix(seed: seed))
      try await server.run("\(TestDatabase.items); CREATE INDEX ON item (section, key)")
      var nodes: [PostgresStore] = []
      for node in 0..<3 {
        var options = PostgresStoreOptions()
        options.ringsBell = node != 2
        options.maximumTouchedRows = node == 1 ? 40 : 20_000
        options.schemaInterval = .milliseconds(100)
        options.answerTimeout = .seconds(3)
        nodes.append(try await PostgresStore(connection: server.address, options: options))
      }
      var lists: [FollowedLists] = []
      var never: [FetchController<ConformanceItem>] = []
      for node in nodes {
        lists.append(try await FollowedLists(in: node))
        let list = FetchController(
          FetchDescriptor<ConformanceItem>().filter(#Predicate { $0.note == "never" }).ordered(
            by: .ascending(\.key)), in: node)
        try await list.performFetch()
        never.append(list)
      }
      (self.nodes, self.lists, self.never) = (nodes, lists, never)
      let shown = self.shown
      listeners = never.map { list in
        let changes = list.changes
        return Task {
          for try await change in changes where !change.snapshot.itemIdentifiers.isEmpty {
            shown.rows.withLock { $0.append("\(change.snapshot.itemIdentifiers)") }
          }
        }
      }
    }

    func end() {
      for listener in listeners { listener.cancel() }
      for node in nodes { node.close() }
      server.remove()
    }

    private func any(_ range: Range<Int>) -> Int { random.withLock { .random(in: range, using: &$0) } }

    /// Some seconds of writes, with a fault among them.
    func round(_ number: Int) async throws -> String {
      let seed = UInt64(any(0..<1_000_000))
      var fault = "none"
      try await withThrowingTaskGroup(of: Void.self) { group in
        for (index, node) in nodes.enumerated() {
          group.addTask { await self.write(on: node, SplitMix(seed: seed &+ UInt64(index))) }
        }
        for index in 0..<2 {
          group.addTask { await self.program(SplitMix(seed: seed &+ UInt64(index) &+ 100)) }
        }
        try await Task.sleep(for: .milliseconds(any(0..<300)))
        fault = try await play(any(0..<14))
        try await group.waitForAll()
      }
      return fault
    }

    private func write(on node: PostgresStore, _ seed: SplitMix) async {
      var random = seed
      for step in 0..<40 {
        let writes = NodeTests.writes(using: &random).sorted { "\($0)" < "\($1)" }
        let (isBulk, fails) = (
          Int.random(in: 0..<30, using: &random) == 0, Int.random(in: 0..<10, using: &random) == 0
        )
        let done: Void? = try? await node.write(origin: "\(step)") { transaction in
          if isBulk { try transaction.noteTablesOnly() }
          try TestDatabase.write(writes, in: transaction)
          if fails {
            try transaction.execute("INSERT INTO item VALUES (?, 'z', 0, 'never')", [1_000_000 + step])
            throw CancellationError()
          }
        }.result
        // Errors are expected where a server is away.
        if done != nil {
          self.writes.withLock { $0 += 1 }
        } else {
          try? await Task.sleep(for: .milliseconds(5))
        }
      }
    }

    /// Somebody who knows nothing of nodes.
    private func program(_ seed: SplitMix) async {
      var random = seed
      var connection: Connection?
      for step in 0..<40 {
        guard let open = try? connection ?? Connection(server.address, name: "program") else {
          try? await Task.sleep(for: .milliseconds(20))
          continue
        }
        let id = Int.random(in: 0..<60, using: &random)
        let never = 2_000_000 + step + 1_000 * Int(seed.next(0..<1_000))
        let statements = [
          "INSERT INTO item VALUES (\(id), 'b', \(id % 8), 'x') ON CONFLICT (id) DO UPDATE SET key = item.key + 1",
          "UPDATE item SET key = (key + 1) % 9 WHERE id < \(id)", "DELETE FROM item WHERE id = \(id)",
          "UPDATE item SET id = id + 100 WHERE id = \(id) AND NOT EXISTS (SELECT FROM item i WHERE i.id = \(id) + 100)",
          "INSERT INTO item SELECT i, 'c', i % 9 FROM generate_series(200, \(200 + id)) i ON CONFLICT DO NOTHING",
          "DELETE FROM item WHERE id >= 200",
          "SAVEPOINT s; INSERT INTO item VALUES (\(never), 'z', 0, 'never'); ROLLBACK TO s",
          "SELECT pg_sleep(0.05)",
        ]
        var sql = "BEGIN; SET LOCAL lock_timeout = '500ms'; "
        for _ in 0..<Int.random(in: 1...4, using: &random) {
          sql += statements[Int.random(in: 0..<statements.count, using: &random)] + "; "
        }
        sql +=
          Int.random(in: 0..<4, using: &random) == 0
          ? "INSERT INTO item VALUES (\(never), 'z', 0, 'never') ON CONFLICT DO NOTHING; ROLLBACK" : "COMMIT"
        do {
          try open.run(sql)
          connection = open
          writes.withLock { $0 += 1 }
        } catch {
          try? open.run("ROLLBACK")
          connection = open.isUsable ? open : nil
        }
        await Task.yield()
      }
    }

    private func play(_ number: Int) async throws -> String {
      func quietly(_ sql: String) { _ = try? Connection(server.address, name: "fault").run(sql) }
      switch number {
      case 0:
        try? server.stop("immediate")
        try server.start()
        return "crash"
      case 1:
        if let connection = try? Connection(server.address, name: "lost") {
          try? connection.run("BEGIN; INSERT INTO item VALUES (3000000, 'z', 0, 'never')")
          try? server.killBackend(connection.process)
        }
        return "kill -9"
      case 2:
        try? server.stop("fast")
        try server.start()
        return "restart"
      case 3:
        quietly("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'LiveLists'")
        return "terminated"
      case 4, 5:
        for _ in 0..<3 { quietly("SELECT livelists.prune('0 s')") }
        return "prune"
      case 6:
        quietly("SET lock_timeout = '1s'; TRUNCATE item")
        return "truncate"
      case 7:
        quietly(
          "SET lock_timeout = '1s'; ALTER TABLE item ADD COLUMN IF NOT EXISTS extra text; UPDATE item SET extra = 'x'"
        )
        return "new column"
      case 8:
        quietly("SET lock_timeout = '1s'; ALTER TABLE item DROP COLUMN IF EXISTS extra")
        return "column gone"
      case 9:
        quietly("SET lock_timeout = '1s'; ALTER TABLE item ALTER key TYPE \(["int", "bigint"][any(0..<2)])")
        return "type"
      case 10:
        quietly("BEGIN; UPDATE item SET note = 'y' WHERE id < 10; PREPARE TRANSACTION 'two'")
        try await Task.sleep(for: .milliseconds(100))
        quietly("COMMIT PREPARED 'two'")
        return "two phases"
      case 11:
        quietly("DELETE FROM livelists.boot")
        return "epoch"
      default: return "none"
      }
    }

    /// Waits until each node has found its way back, and compares.
    func check(_ context: String) async throws {
      try? await server.run("ROLLBACK PREPARED 'two'", attempts: 1)
      // Nodes look at the schema now and then: what they have not noticed they do not show.
      try await Task.sleep(for: .milliseconds(250))
      var rows: [Int: ConformanceItem]?
      for _ in 0..<400 where rows == nil {
        rows = try? self.rows()
        if rows == nil { try await Task.sleep(for: .milliseconds(25)) }
      }
      let expected = try rows ?? self.rows()
      for (number, node) in nodes.enumerated() {
        for attempt in 1... {
          if (try? await node.pool.use { try node.advance(on: $0) }) != nil { break }
          try #require(attempt < 400, "\(context): node \(number) does not come back")
          try await Task.sleep(for: .milliseconds(25))
        }
        // A list that failed while the server was away is read again by itself.
        for list in lists[number].controllers {
          for _ in 0..<400 where !list.isCurrent || !list.failures.isEmpty {
            try await Task.sleep(for: .milliseconds(25))
          }
        }
        await lists[number].check(expected, "\(context), node \(number)")
        await never[number].waitUntilCurrent()
        #expect(never[number].snapshot?.itemIdentifiers == [], "\(context), node \(number)")
        comparisons.withLock { $0 += 4 }
      }
    }

    private func rows() throws -> [Int: ConformanceItem] {
      let found = try Connection(server.address, name: "tests").query(
        "SELECT id, section, key, note FROM item")
      return Dictionary(
        uniqueKeysWithValues: (0..<found.count).map { row in
          let id = Int(found.integer(row, 0) ?? 0)
          return (
            id,
            ConformanceItem(
              id: id, section: found.text(row, 1) ?? "", key: Int(found.integer(row, 2) ?? 0),
              note: found.text(row, 3))
          )
        })
    }
  }

  extension SplitMix {
    /// A number of a copy, so that the sequence goes on as before.
    fileprivate func next(_ range: Range<Int>) -> Int {
      var copy = self
      return .random(in: range, using: &copy)
    }
  }
#endif
