#if PostgreSQL
  import LiveFetch
  @testable import LiveFetchPostgres
  import LiveListsTestSupport
  import Snapshots
  import Testing
  import _TestTools

  /// Several nodes on one database, and transactions that lists know nothing of.
  @Suite("Many nodes, one database", .server)
  struct NodeTests {
    @Test("What is written on one node is in the lists of another that has caught up", arguments: 1...3)
    func twoNodes(seed: Int) async throws {
      let database = try await TestDatabase(TestDatabase.items)
      let other = try await database.makeNode()
      defer { other.close() }
      let stores = [database.store, other]
      let lists = [try await FollowedLists(in: stores[0]), try await FollowedLists(in: stores[1])]
      var random = SplitMix(seed: UInt64(seed))
      for step in 0..<40 {
        let writer = Int.random(in: 0...1, using: &random)
        let writes = Self.writes(using: &random)
        try await stores[writer].write(origin: "step \(step)") { try TestDatabase.write(writes, in: $0) }
        let token = try #require(stores[writer].token)
        try await stores[1 - writer].catchUp(to: PostgresToken("\(token)") ?? token)
        let rows = try database.rows()
        for (node, lists) in lists.enumerated() {
          await lists.check(rows, "seed \(seed), step \(step), node \(node), written on \(writer)")
        }
      }
    }

    @Test("Three nodes that write at once have the table's rows in the end", arguments: 1...2)
    func allAtOnce(seed: Int) async throws {
      let database = try await TestDatabase(TestDatabase.items)
      let others = [try await database.makeNode(), try await database.makeNode()]
      defer { for other in others { other.close() } }
      let stores = [database.store] + others
      var lists: [FollowedLists] = []
      for store in stores { lists.append(try await FollowedLists(in: store)) }
      try await withThrowingTaskGroup(of: Void.self) { group in
        for (number, store) in stores.enumerated() {
          group.addTask {
            var random = SplitMix(seed: UInt64(seed * 10 + number))
            for _ in 0..<60 {
              // In the order of keys, so that no two transactions wait for one another.
              let writes = Self.writes(using: &random).sorted { $0.id < $1.id }
              try await store.write { try TestDatabase.write(writes, in: $0) }
            }
          }
        }
        try await group.waitForAll()
      }
      let rows = try database.rows()
      for (store, lists) in zip(stores, lists) {
        await store.waitUntilCurrent()
        await lists.check(rows, "seed \(seed)")
        #expect(store.statistics.resets == 0)
      }
    }

    @Test("A transaction that stays open is found when it ends, whatever was committed and pruned meanwhile")
    func longTransactions() async throws {
      // A ring is a transaction, too, and may come after the look that the pruning is compared with.
      var options = PostgresStoreOptions()
      options.ringsBell = false
      let database = try await TestDatabase(TestDatabase.items, options: options)
      let lists = try await FollowedLists(in: database.store)
      let long = try Connection(database.address, name: "long")
      try long.run("BEGIN; INSERT INTO item VALUES (1, 'a', 1, 'long'); SAVEPOINT s")
      try long.run(
        "INSERT INTO item VALUES (2, 'b', 2, 'rolled back'); ROLLBACK TO s; INSERT INTO item VALUES (3, 'c', 3, NULL)"
      )
      for id in 10..<30 {
        try await database.store.write {
          try $0.execute("INSERT INTO item VALUES (?, 'd', ?, NULL)", [id, id])
        }
        if id % 5 == 0 {
          // Twice, so that what was written between is deleted. Between, as in the minutes that there are, the node looks.
          try database.other.run("SELECT livelists.prune('0 s')")
          await database.store.waitUntilCurrent()
          try database.other.run("SELECT livelists.prune('0 s')")
        }
      }
      await lists.check(try database.rows(), "while it is open")
      #expect(lists.controllers[0].snapshot?.itemIdentifiers.contains(1) == false)
      try long.run("COMMIT")
      await database.store.waitUntilCurrent()
      await lists.check(try database.rows(), "after its end")
      #expect(lists.controllers[0].snapshot?.itemIdentifiers.prefix(2) == [1, 3])
      try long.run("BEGIN; DELETE FROM item; ROLLBACK")
      try long.run("BEGIN; UPDATE item SET key = key + 1 WHERE id = 1; PREPARE TRANSACTION 'two'")
      await database.store.waitUntilCurrent()
      await lists.check(try database.rows(), "while it is prepared")
      try long.run("COMMIT PREPARED 'two'")
      await database.store.waitUntilCurrent()
      await lists.check(try database.rows(), "after the prepared one")
      #expect(database.store.statistics.resets == 0)
    }

    @Test("A node that could not look until the log was pruned reads its lists anew")
    func pruned() async throws {
      var options = PostgresStoreOptions()
      options.ringsBell = false
      options.pollingInterval = .seconds(3_600)
      let database = try await TestDatabase(TestDatabase.items, options: options)
      let lists = try await FollowedLists(in: database.store)
      try database.other.run("INSERT INTO item VALUES (1, 'a', 1, NULL)")
      try database.other.run("SELECT livelists.prune('0 s')")
      try database.other.run("INSERT INTO item VALUES (2, 'a', 2, NULL)")
      try database.other.run("SELECT livelists.prune('0 s')")
      try database.other.run("SELECT livelists.prune('0 s')")
      #expect(try database.other.query("SELECT count(*) FROM livelists.log").integer(0, 0) == 0)
      await database.store.waitUntilCurrent()
      #expect(database.store.statistics.resets == 1)
      await lists.check(try database.rows(), "after the log was pruned")
    }

    @Test("A list whose own read is the first to notice a new epoch is told of what comes after it")
    func epochFoundByRead() async throws {
      var options = PostgresStoreOptions()
      options.ringsBell = false
      options.pollingInterval = .seconds(3_600)
      let database = try await TestDatabase(
        TestDatabase.items + "; INSERT INTO item VALUES (1, 'a', 1, NULL)", options: options)
      let list = FetchController(
        FetchDescriptor<ConformanceItem>().ordered(by: .ascending(\.key)), in: database.store)
      try await list.performFetch()
      for id in 2...4 {
        try database.other.run("DELETE FROM livelists.boot; INSERT INTO item VALUES (\(id), 'a', 1)")
        #expect(try await list.performFetch().itemIdentifiers.count == 2 * id - 2)
        try database.other.run("INSERT INTO item VALUES (\(-id), 'a', 2)")
        await list.waitUntilCurrent()
        #expect(list.snapshot?.itemIdentifiers.count == 2 * id - 1)
      }
    }

    static func writes(using random: inout SplitMix) -> [ConformanceWrite] {
      (0..<[1, 1, 2, 6][Int.random(in: 0..<4, using: &random)]).map { _ in
        let id = Int.random(in: 0..<25, using: &random)
        if Int.random(in: 0..<4, using: &random) == 0 { return .remove(id) }
        return .put(
          ConformanceItem(
            id: id, section: ["a", "b", "c"][Int.random(in: 0..<3, using: &random)],
            key: .random(in: -2..<8, using: &random), note: [nil, "x"][Int.random(in: 0..<2, using: &random)])
        )
      }
    }
  }

  extension ConformanceWrite {
    fileprivate var id: Int {
      switch self {
      case .put(let item): item.id
      case .remove(let id): id
      }
    }
  }
#endif
