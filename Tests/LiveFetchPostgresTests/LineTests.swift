#if PostgreSQL
  import Foundation
  import LiveDrafts
  import LiveFetch
  @testable import LiveFetchPostgres
  import LiveListsTestSupport
  import LiveStore
  import Snapshots
  import Synchronization
  import Testing

  /// The line between a node and the database, and what stands between them.
  @Suite("Lines to PostgreSQL that break", .server, .serialized)
  struct LineTests {
    private static func port() throws -> UInt16 {
      try #require(ProcessInfo.processInfo.environment["PGPORT"].flatMap(UInt16.init))
    }

    private static func store(
      of database: TestDatabase, over relay: Relay, _ options: PostgresStoreOptions = PostgresStoreOptions()
    ) async throws -> PostgresStore {
      try await PostgresStore(
        connection: database.address + " host=127.0.0.1 port=\(relay.port) connect_timeout=2",
        options: options)
    }

    @Test(
      "A line that is cut, or lets nothing through, is told, and lists go on from where they were",
      arguments: [Relay.Mode.cut, .holding])
    func broken(_ mode: Relay.Mode) async throws {
      let database = try await TestDatabase(TestDatabase.items + "; INSERT INTO item VALUES (1, 'a', 1)")
      let relay = try Relay(to: Self.port())
      defer { relay.end() }
      var options = PostgresStoreOptions()
      options.answerTimeout = .milliseconds(500)
      let store = try await Self.store(of: database, over: relay, options)
      defer { store.close() }
      let list = FetchController(
        FetchDescriptor<ConformanceItem>().ordered(by: .ascending(\.key)), in: store)
      try await list.performFetch()
      for round in 0..<3 {
        relay.set(mode)
        try await eventually { !list.isCurrent }
        #expect(list.failures.contains { $0.kind == .interrupted })
        try database.other.run("INSERT INTO item VALUES (\(round + 2), 'a', \(round + 2))")
        relay.set(.open)
        try await eventually { list.snapshot?.itemIdentifiers == Array(1...round + 2) }
        #expect(list.isCurrent)
        // A write over the new line.
        try await store.write { try $0.execute("UPDATE item SET note = ? WHERE id = 1", ["\(round)"]) }
        #expect(list.object(for: 1)?.note == "\(round)")
      }
      #expect(store.statistics.resets == 0)
    }

    @Test("A line that lets nothing through is reported, whichever statement is under way", arguments: 0..<12)
    func heldMeanwhile(_ request: Int) async throws {
      let database = try await TestDatabase(TestDatabase.items + "; INSERT INTO item VALUES (1, 'a', 1)")
      let relay = try Relay(to: Self.port())
      defer { relay.end() }
      var options = PostgresStoreOptions()
      options.answerTimeout = .milliseconds(500)
      options.pollingInterval = .milliseconds(1)
      // All that is done beside the looks is done with each of them.
      options.schemaInterval = .zero
      options.retention = .zero
      let store = try await Self.store(of: database, over: relay, options)
      defer { store.close() }
      let list = FetchController(
        FetchDescriptor<ConformanceItem>().ordered(by: .ascending(\.key)), in: store)
      try await list.performFetch()
      relay.set(.holdingAfter(request))
      // There is something to be found, so that a look has all of its statements.
      try database.other.run("INSERT INTO item VALUES (2, 'a', 2)")
      try await eventually {
        !list.isCurrent && list.failures.contains { $0.kind == .interrupted }
      }
      relay.set(.open)
      try await eventually { list.isCurrent && list.snapshot?.itemIdentifiers == [1, 2] }
    }

    @Test(
      "A save whose commit was made and its answer lost is known for what it is, and can be undone",
      arguments: [true, false])
    func lostAnswer(_ isWrite: Bool) async throws {
      let database = try await TestDatabase(TestDatabase.items + "; INSERT INTO item VALUES (1, 'a', 1)")
      let relay = try Relay(to: Self.port())
      defer { relay.end() }
      var options = PostgresStoreOptions()
      // Nobody else looks for the commit.
      (options.pollingInterval, options.ringsBell) = (.seconds(3_600), false)
      let store = try await Self.store(of: database, over: relay, options)
      defer { store.close() }
      let draft = FetchDraft(of: store)
      let list = FetchController(
        FetchDescriptor<ConformanceItem>().ordered(by: .ascending(\.key)), in: draft)
      try await list.performFetch()
      let edit = { @Sendable (edit: DraftEdit) in
        try edit.update(ConformanceItem.self, id: 1) { $0.note = "mine" }
      }
      if !isWrite { try draft.edit("Edit", edit) }
      relay.set(.losingCommit)
      let error = await #expect(throws: PostgresError.self) {
        if isWrite { try await draft.write("Edit", edit) } else { try await draft.save() }
      }
      #expect(error?.isOutcomeUnknown == true)
      #expect(try database.rows()[1]?.note == "mine")
      #expect(list.object(for: 1)?.note == "mine" && !draft.hasChanges && draft.undoNames == ["Edit"])
      try draft.undo()
      #expect(list.object(for: 1)?.note == nil && draft.conflicts.isEmpty)
      try await draft.save()
      #expect(try database.rows()[1]?.note == nil)
    }

    @Test("Of a row that several commits have touched it is told whose the last one was")
    func severalCommits() async throws {
      let database = try await TestDatabase(
        TestDatabase.items + "; INSERT INTO item SELECT i, 'a', i FROM generate_series(1, 3) i")
      let relay = try Relay(to: Self.port())
      defer { relay.end() }
      let store = try await Self.store(of: database, over: relay)
      defer { store.close() }
      let list = FetchController(
        FetchDescriptor<ConformanceItem>().ordered(by: .ascending(\.key)), in: store)
      try await list.performFetch()
      let found = Mutex<[ChangeSet.Row]>([])
      let plan = FetchPlan(
        table: "item", columns: [.init(name: "id", type: .integer)], filter: .yes, order: [])
      let observation = store.observe(plan) { event in
        if case .changes(let changes) = event { found.withLock { $0 += changes.rows } }
      }
      defer { observation.cancel() }
      relay.set(.cut)
      try await eventually { !list.isCurrent }
      for (origin, rows) in [("a", "1, 2"), ("b", "1, 3")] {
        try await database.store.write(origin: origin) {
          try $0.execute("UPDATE item SET note = '\(origin)' WHERE id IN (\(rows))")
        }
      }
      relay.set(.open)
      try await eventually { list.isCurrent && list.object(for: 3)?.note == "b" }
      let origins = Dictionary(found.withLock { $0 }.map { ($0.id, $0.lastOrigins) }) { first, _ in first }
      #expect(origins == [.integer(1): ["b"], .integer(2): ["a"], .integer(3): ["b"]])
    }

    @Test("While the line is cut, rows that were shown stay, and those that are missing are told once")
    func shownRows() async throws {
      let database = try await TestDatabase(
        TestDatabase.items + "; INSERT INTO item SELECT i, 'a', i FROM generate_series(1, 2000) i")
      let relay = try Relay(to: Self.port())
      defer { relay.end() }
      let store = try await Self.store(of: database, over: relay)
      defer { store.close() }
      let list = FetchController(
        FetchDescriptor<ConformanceItem>().ordered(by: .ascending(\.key)), in: store)
      try await list.performFetch()
      #expect(list.object(for: 1)?.key == 1)
      relay.set(.cut)
      try await eventually { !list.isCurrent }
      #expect(list.object(for: 1)?.key == 1)
      let before = list.statistics.failures
      for _ in 0..<10 { #expect(list.object(for: 1_900) == nil) }
      // Each connection may find the line cut at another moment, and say so in other words.
      #expect(list.statistics.failures <= before + 2)
      try database.other.run("UPDATE item SET note = 'new' WHERE id IN (1, 1900)")
      relay.set(.open)
      try await eventually { list.isCurrent && list.object(for: 1)?.note == "new" }
      #expect(list.object(for: 1_900)?.note == "new" && list.object(for: 2)?.key == 2)
    }

    @Test("A list or rows that are asked for while the line is cut are interrupted, and come with it")
    func requests() async throws {
      let database = try await TestDatabase(
        TestDatabase.items + "; INSERT INTO item SELECT i, 'a', i FROM generate_series(1, 2000) i")
      let relay = try Relay(to: Self.port())
      defer { relay.end() }
      let store = try await Self.store(of: database, over: relay)
      defer { store.close() }
      let request = FetchDescriptor<ConformanceItem>().ordered(by: .ascending(\.key))
      let list = FetchController(request, in: store)
      try await list.performFetch()
      let shown = try #require(list.object(for: 1))
      relay.set(.cut)
      try await eventually { !list.isCurrent }

      let other = FetchController(request.limit(5), in: store)
      func kind(_ read: () async throws(FetchError) -> Void) async -> FetchError.Kind? {
        do throws(FetchError) { try await read() } catch { return error.kind }
        return nil
      }
      #expect(await kind { () async throws(FetchError) in try await other.performFetch() } == .interrupted)
      #expect(
        await kind { () async throws(FetchError) in _ = try await list.objects(for: [1_000]) }
          == .interrupted)
      #expect(
        await kind { () async throws(FetchError) in _ = try list.objects(in: 500..<510) } == .interrupted)
      #expect(list.object(for: 1_900) == nil)
      // A read that fails leaves nothing known of objects, unlike an interruption that the store tells of.
      #expect(await kind { () async throws(FetchError) in try await list.performFetch() } == .interrupted)
      #expect(list.snapshot?.numberOfItems == 2_000 && shown.key == 1)
      try database.other.run("UPDATE item SET note = 'new' WHERE id IN (1, 1900)")

      relay.set(.open)
      try await eventually { list.isCurrent && list.object(for: 1)?.note == "new" }
      #expect(list.object(for: 1_900)?.note == "new")
      #expect(try await other.performFetch().itemIdentifiers == Array(1...5))
      #expect(list.failures.isEmpty && other.failures.isEmpty)
    }

    @Test(
      "A node that hears nothing for longer than the log is kept reads its lists anew, and the others go on")
    func pausedForLong() async throws {
      let database = try await TestDatabase(TestDatabase.items + "; INSERT INTO item VALUES (1, 'a', 1)")
      let relay = try Relay(to: Self.port())
      defer { relay.end() }
      var options = PostgresStoreOptions()
      options.answerTimeout = .milliseconds(500)
      let store = try await Self.store(of: database, over: relay, options)
      defer { store.close() }
      let lists = [try await FollowedLists(in: store), try await FollowedLists(in: database.store)]
      relay.set(.holding)
      for id in 2...6 {
        try await database.store.write { try $0.execute("INSERT INTO item VALUES (?, 'b', ?)", [id, id]) }
        // As after minutes: what is visible in one horizon is deleted with the next.
        try database.other.run("SELECT livelists.prune('0 s')")
        await database.store.waitUntilCurrent()
      }
      try await eventually { !lists[0].controllers[0].isCurrent }
      #expect(lists[0].controllers[0].snapshot?.itemIdentifiers == [1])
      relay.set(.open)
      try await eventually { lists[0].controllers[0].snapshot?.itemIdentifiers == Array(1...6) }
      await lists[0].check(try database.rows(), "after the pause")
      await lists[1].check(try database.rows(), "the other node")
      #expect(store.statistics.resets == 1 && database.store.statistics.resets == 0)
    }

    @Test("A node that sleeps for an hour between looks is woken by the bell of another")
    func bell() async throws {
      var options = PostgresStoreOptions()
      options.pollingInterval = .seconds(3_600)
      let database = try await TestDatabase(TestDatabase.items, options: options)
      let other = try await database.makeNode(options: options)
      defer { other.close() }
      let list = FetchController(
        FetchDescriptor<ConformanceItem>().ordered(by: .ascending(\.key)), in: other)
      try await list.performFetch()
      // The bell's own connection is made beside the first look: what it does not hear, the next one tells.
      for id in 1...100 where list.snapshot?.itemIdentifiers.isEmpty != false {
        try await database.store.write { try $0.execute("INSERT INTO item VALUES (?, 'a', 1, NULL)", [id]) }
        for _ in 0..<20 where list.snapshot?.itemIdentifiers.isEmpty != false {
          try await Task.sleep(for: .milliseconds(5))
        }
      }
      try await eventually { list.snapshot?.itemIdentifiers.isEmpty == false }
    }

    @Test("Without the bell it is not woken")
    func noBell() async throws {
      var options = PostgresStoreOptions()
      options.pollingInterval = .seconds(3_600)
      options.ringsBell = false
      let database = try await TestDatabase(TestDatabase.items, options: options)
      let clock = SleepCountingClock()
      let other = try await PostgresStore(connection: database.address, options: options, clock: clock)
      defer { other.close() }
      let list = FetchController(
        FetchDescriptor<ConformanceItem>().ordered(by: .ascending(\.key)), in: other)
      try await list.performFetch()
      // The first look is made beside what has been done so far.
      try await eventually { clock.sleeps > 0 }
      let polls = other.statistics.polls
      for id in 1...20 {
        try await database.store.write { try $0.execute("INSERT INTO item VALUES (?, 'a', 1, NULL)", [id]) }
      }
      #expect(other.statistics.polls == polls && list.snapshot?.itemIdentifiers == [])
    }

    @Test(
      "Through pgbouncer in transaction mode lists are exact, on two nodes",
      .enabled(if: Bouncer.program != nil, "pgbouncer is not installed."))
    func transactionPooling() async throws {
      let database = try await TestDatabase(TestDatabase.items)
      let bouncer = try await Bouncer()
      defer { bouncer.end() }
      let name = try database.other.query("SELECT current_database()::text").text(0, 0) ?? ""
      // With the bell, which does not sound here, and without.
      var quiet = PostgresStoreOptions()
      quiet.ringsBell = false
      let stores = [
        try await PostgresStore(connection: bouncer.address + " dbname=\(name)"),
        try await PostgresStore(connection: bouncer.address + " dbname=\(name)", options: quiet),
      ]
      defer { for store in stores { store.close() } }
      let lists = [try await FollowedLists(in: stores[0]), try await FollowedLists(in: stores[1])]
      try await withThrowingTaskGroup(of: Void.self) { group in
        for (node, store) in stores.enumerated() {
          group.addTask {
            for step in 0..<40 {
              try await store.write(origin: "\(node) \(step)") {
                try $0.execute(
                  "INSERT INTO item VALUES (?, ?, ?, ?)",
                  [100 * node + step, ["a", "b"][step % 2], step % 9, "x"])
                if step % 3 == 0 { try $0.execute("DELETE FROM item WHERE id = ?", [100 * node + step - 2]) }
              }
            }
          }
        }
        try await group.waitForAll()
      }
      // Others' writes are found by looking, though no bell sounds.
      try database.other.run("UPDATE item SET key = key + 1 WHERE id % 2 = 0")
      let rows = try database.rows()
      for (store, lists) in zip(stores, lists) {
        await store.waitUntilCurrent()
        await lists.check(rows, "through pgbouncer")
        #expect(store.statistics.resets == 0)
      }
      // Nothing of a session's is left to those who are given its connection.
      let settings = try Connection(bouncer.address + " dbname=\(name)", name: "tests")
      for _ in 0..<8 {
        let found = try settings.query(
          "SELECT current_setting('synchronous_commit'), coalesce(current_setting('livelists.origin', true), '')"
        )
        #expect(found.text(0, 0) == "on" && found.text(0, 1) == "")
      }
    }

    /// A list of the rows 1, 2 and 3, of which a standby that is stopped has the first two.
    private func list(
      in store: PostgresStore, aheadOf standby: OwnServer
    ) async throws -> FetchController<ConformanceItem> {
      let list = FetchController(
        FetchDescriptor<ConformanceItem>().ordered(by: .ascending(\.key)), in: store)
      try await list.performFetch()
      try await store.write { try $0.execute("INSERT INTO item VALUES (2, 'a', 2)") }
      // The triggers and the second row are there.
      try await standby.wait(for: "SELECT 1 FROM item WHERE id = 2")
      try standby.stop("fast")
      try await store.write { try $0.execute("INSERT INTO item VALUES (3, 'lost', 3)") }
      #expect(list.snapshot?.itemIdentifiers == [1, 2, 3])
      return list
    }

    /// Expects the list of the standby's rows once that is the server, and that it goes on from there.
    private func expectReadAnew(
      _ list: FetchController<ConformanceItem>, in store: PostgresStore
    ) async throws {
      try await eventually { list.snapshot?.itemIdentifiers == [1, 2] && list.isCurrent }
      try await store.write { try $0.execute("INSERT INTO item VALUES (4, 'a', 4)") }
      #expect(list.snapshot?.itemIdentifiers == [1, 2, 4])
      #expect(store.statistics.resets >= 1)
    }

    /// How pgbouncer comes to lead elsewhere.
    enum Move: CaseIterable {
      /// It goes on, and so does the server that it led to: no connection breaks.
      case reloaded
      /// It is stopped with the server, and comes up before another one.
      case restarted
    }

    @Test(
      "A pgbouncer that leads to another server, which lacks commits, has lists read anew",
      .enabled(if: Bouncer.program != nil, "pgbouncer is not installed."), arguments: Move.allCases)
    func movedPool(_ move: Move) async throws {
      let server = try await OwnServer()
      defer { server.remove() }
      try await server.run(TestDatabase.items + "; INSERT INTO item VALUES (1, 'a', 1)")
      let standby = try await server.makeStandby()
      defer { standby.remove() }
      let bouncer = try await Bouncer(host: server.folder.path)
      defer { bouncer.end() }
      var options = PostgresStoreOptions()
      options.ringsBell = false
      let store = try await PostgresStore(connection: bouncer.address + " dbname=postgres", options: options)
      defer { store.close() }
      let list = try await list(in: store, aheadOf: standby)
      if move == .restarted {
        try await bouncer.stop()
        try server.stop("immediate")
        try await eventually { !list.isCurrent }
        #expect(list.failures.contains { $0.kind == .interrupted })
        #expect(list.snapshot?.itemIdentifiers == [1, 2, 3])
      }
      // It gets nothing of the server that may be running still.
      try standby.set("primary_conninfo = ''")
      try standby.start()
      try standby.promote()
      try bouncer.lead(to: standby.folder.path)
      if move == .restarted { try await bouncer.start() } else { try bouncer.reload() }
      try await expectReadAnew(list, in: store)
    }

    @Test(
      "A network that is away for five seconds is caught up with, without reading anew",
      arguments: [Relay.Mode.cut, .holding])
    func away(_ mode: Relay.Mode) async throws { try await Self.away(mode, for: 5) }

    /// A node whose network is away for a time, during which another one writes.
    static func away(_ mode: Relay.Mode, for seconds: Int) async throws {
      let database = try await TestDatabase(TestDatabase.items + "; INSERT INTO item VALUES (0, 'a', 1)")
      let relay = try Relay(to: port())
      defer { relay.end() }
      let store = try await Self.store(of: database, over: relay)
      defer { store.close() }
      let lists = [try await FollowedLists(in: store), try await FollowedLists(in: database.store)]
      relay.set(mode)
      // The outage itself has a length.
      for second in 1...seconds {
        try await database.store.write { try $0.execute("INSERT INTO item VALUES (?, 'b', 2)", [second]) }
        try await Task.sleep(for: .seconds(1))
      }
      let list = lists[0].controllers[0]
      #expect(list.snapshot?.itemIdentifiers == [0])
      // What lets nothing through is noticed after `answerTimeout`.
      if mode == .cut || seconds > 30 { #expect(list.failures.contains { $0.kind == .interrupted }) }
      relay.set(.open)
      for _ in 0..<1_200 where list.snapshot?.itemIdentifiers.count != seconds + 1 || !list.isCurrent {
        try await Task.sleep(for: .milliseconds(25))
      }
      await lists[0].check(try database.rows(), "away for \(seconds) s")
      await lists[1].check(try database.rows(), "the other node")
      // Within `retention` no log is deleted that a node may still want.
      if seconds < 250 { #expect(store.statistics.resets == 0) }
      #expect(database.store.statistics.resets == 0)
    }

    @Test("A standby is no database for a store; promoted, it is read anew, and what it never had is gone")
    func lossyPromotion() async throws {
      let server = try await OwnServer()
      defer { server.remove() }
      try await server.run(TestDatabase.items + "; INSERT INTO item VALUES (1, 'a', 1)")
      let standby = try await server.makeStandby()
      defer { standby.remove() }
      await #expect(throws: PostgresError.self) { _ = try await PostgresStore(connection: standby.address) }

      let both =
        "host=\(server.folder.path),\(standby.folder.path) port=5432 user=tester dbname=postgres connect_timeout=2"
      let store = try await PostgresStore(connection: both)
      defer { store.close() }
      let list = try await list(in: store, aheadOf: standby)
      try server.stop("immediate")
      try standby.start()
      try standby.promote()
      try await expectReadAnew(list, in: store)
    }
  }

  /// A clock that counts how often somebody sleeps by it.
  private final class SleepCountingClock: Clock {
    private let clock = ContinuousClock()
    private let count = Mutex(0)

    var sleeps: Int { count.withLock { $0 } }
    var now: ContinuousClock.Instant { clock.now }
    var minimumResolution: Duration { clock.minimumResolution }

    func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) async throws {
      count.withLock { $0 += 1 }
      try await clock.sleep(until: deadline, tolerance: tolerance)
    }
  }
#endif
