import LiveListsTestSupport
#if SQLite
  import Foundation
  import GRDB
  import LiveFetch
  import LiveFetchSQLite
  import Snapshots
  import Testing

  /// A connection of its own stands for another process: SQLite tells the two apart by nothing.
  @Suite("Other processes")
  struct OtherProcessTests {
    static var options: SQLiteStoreOptions {
      var options = SQLiteStoreOptions()
      options.observesOtherProcesses = true
      // The tests look by themselves.
      options.pollingInterval = .seconds(3_600)
      return options
    }

    /// Makes the table anew, without its first row. No trigger is set off by this.
    static func makePairAnew(_ db: Database) throws {
      try db.execute(
        sql: """
          CREATE TABLE other AS SELECT * FROM pair WHERE id <> 'a';
          DROP TABLE pair;
          ALTER TABLE other RENAME TO pair;
          """)
    }

    @Test(
      "Random commits of two connections in turn: the list is right after each look",
      arguments: LawTests.questions, [4, 5] as [UInt64])
    func law(_ question: LawTests.Question, _ seed: UInt64) async throws {
      var history = History(seed: seed)
      let temporary = try TemporaryStore(options: Self.options)
      let store = temporary.store
      let other = try DatabaseQueue(path: temporary.directory.appendingPathComponent("test.sqlite").path)
      let controller = FetchController(question.request, in: store)
      try await controller.performFetch()
      for step in 0..<50 {
        let act = history.act()
        let isOther = Bool.random(using: &history.random)
        do {
          if isOther {
            try await other.write { try act.run($0) }
            // Half of the time our own next commit is what brings the other's along.
            if Bool.random(using: &history.random) { continue }
          } else {
            try await store.write { try act.run($0) }
          }
        } catch is RolledBack {}
        await store.checkForExternalChanges()
        await controller.waitUntilCurrent()
        let fresh = try await LawTests.fresh(question, store)
        #expect(controller.snapshot == fresh, "seed \(seed), step \(step): \(act), by the other: \(isOther)")
      }
    }

    @Test("A row that the other's REPLACE removes is seen, and so is a change of the schema")
    func replace() async throws {
      let temporary = try TemporaryStore(options: Self.options) { db in
        try db.execute(sql: #"CREATE TABLE pair (id TEXT PRIMARY KEY, "unique" INTEGER UNIQUE)"#)
        try db.execute(sql: "INSERT INTO pair VALUES ('a', 1), ('b', 2)")
      }
      let store = temporary.store
      let other = try DatabaseQueue(path: temporary.directory.appendingPathComponent("test.sqlite").path)
      let controller = FetchController(CommitTests.request, in: store)
      try await controller.performFetch()
      try await other.write { db in try db.execute(sql: "REPLACE INTO pair VALUES ('c', 2)") }
      await store.checkForExternalChanges()
      #expect(controller.snapshot == ["": ["a", "c"]])
      try await other.write { db in
        try db.execute(sql: "ALTER TABLE pair ADD COLUMN extra; DELETE FROM pair WHERE id = 'a'")
      }
      await store.checkForExternalChanges()
      await controller.waitUntilCurrent()
      #expect(controller.snapshot == ["": ["c"]])
    }

    @Test("A row that the other's update replaces is seen, and a key that it changes")
    func update() async throws {
      let temporary = try TemporaryStore(options: Self.options) { db in
        try db.execute(sql: #"CREATE TABLE pair (id TEXT PRIMARY KEY, "unique" INTEGER UNIQUE)"#)
        try db.execute(sql: "INSERT INTO pair VALUES ('a', 1), ('b', 2), ('c', 3)")
      }
      let store = temporary.store
      let other = try DatabaseQueue(path: temporary.directory.appendingPathComponent("test.sqlite").path)
      let controller = FetchController(CommitTests.request, in: store)
      try await controller.performFetch()
      try await other.write { db in
        try db.execute(sql: #"UPDATE OR REPLACE pair SET "unique" = 1 WHERE id = 'c'"#)
      }
      await store.checkForExternalChanges()
      #expect(controller.snapshot == ["": ["c", "b"]])
      try await other.write { db in try db.execute(sql: "UPDATE pair SET id = 'z' WHERE id = 'c'") }
      await store.checkForExternalChanges()
      #expect(controller.snapshot == ["": ["z", "b"]])
      #expect(controller.statistics.fetches == 1)
    }

    @Test(
      "Columns that the other changes have their new positions, and a table that it makes anew is read anew")
    func schema() async throws {
      let temporary = try TemporaryStore(options: Self.options) { db in
        try db.execute(sql: #"CREATE TABLE pair (extra TEXT, id TEXT PRIMARY KEY, "unique" INTEGER)"#)
        try db.execute(sql: "INSERT INTO pair VALUES ('', 'a', 1), ('', 'b', 2), ('', 'c', 1)")
      }
      let store = temporary.store
      let other = try DatabaseQueue(path: temporary.directory.appendingPathComponent("test.sqlite").path)
      let controller = FetchController(
        FetchDescriptor<CommitTests.Pair>().filter(#Predicate { $0.unique == 1 }).ordered(
          by: .ascending(\.id)),
        in: store)
      try await controller.performFetch()
      await store.checkForExternalChanges()
      // There are as many columns as before.
      try await other.write { db in
        try db.execute(sql: "ALTER TABLE pair DROP COLUMN extra; ALTER TABLE pair ADD COLUMN later TEXT")
      }
      await store.checkForExternalChanges()
      await controller.waitUntilCurrent()
      try await store.write { db in try db.execute(sql: #"UPDATE pair SET "unique" = 1 WHERE id = 'b'"#) }
      #expect(controller.snapshot == ["": ["a", "b", "c"]])
      #expect(controller.statistics.fetches == 2)
      try await other.write { try Self.makePairAnew($0) }
      await store.checkForExternalChanges()
      await controller.waitUntilCurrent()
      #expect(controller.snapshot == ["": ["b", "c"]])
    }

    @Test("A table that two requests name in upper and lower case is one")
    func names() async throws {
      let temporary = try TemporaryStore(options: Self.options) { db in
        try db.execute(sql: #"CREATE TABLE pair (id TEXT PRIMARY KEY, "unique" INTEGER)"#)
      }
      let store = temporary.store
      let other = try DatabaseQueue(path: temporary.directory.appendingPathComponent("test.sqlite").path)
      let requests = [
        CommitTests.request,
        FetchDescriptor<CommitTests.Pair>.sql("SELECT id FROM pair ORDER BY id", reading: ["PAIR"]),
      ]
      let controllers = requests.map { FetchController($0, in: store) }
      for controller in controllers { try await controller.performFetch() }
      try await other.write { db in try db.execute(sql: "INSERT INTO pair VALUES ('a', 1)") }
      await store.checkForExternalChanges()
      for controller in controllers {
        await controller.waitUntilCurrent()
        #expect(controller.snapshot == ["": ["a"]])
      }
    }

    @Test("The log stays bounded, and who was away for longer than it reaches reads anew, exactly")
    func boundedLog() async throws {
      var options = Self.options
      options.logCapacity = 40
      let temporary = try TemporaryStore(options: options)
      let slow = temporary.store
      let path = temporary.directory.appendingPathComponent("test.sqlite").path
      let other = try SQLiteStore(path: path, options: options)
      defer { try? other.close() }
      let controllers = [slow, other].map { FetchController(LawTests.questions[1].request, in: $0) }
      for controller in controllers { try await controller.performFetch() }
      var history = History(seed: 7)
      for round in 1...60 {
        let rows = history.rows(5)
        try await other.write { db in for row in rows { try row.insert(db) } }
        await other.checkForExternalChanges()
        let count = try await other.read { db in
          try Int.fetchOne(db, sql: "SELECT count(*) FROM grdb_livelists_log") ?? 0
        }
        #expect(count >= min(5 * round, 40), "\(count) entries are kept")
      }
      let count = try await other.read { db in
        try Int.fetchOne(db, sql: "SELECT count(*) FROM grdb_livelists_log") ?? 0
      }
      #expect(count <= 60, "\(count) entries of 300 are kept")
      let fetches = controllers[0].statistics.fetches
      await slow.checkForExternalChanges()
      await controllers[0].waitUntilCurrent()
      #expect(controllers[0].snapshot?.numberOfItems == 300)
      #expect(controllers[0].snapshot == controllers[1].snapshot)
      #expect(controllers[0].statistics.fetches == fetches + 1)
      // From then on both follow again.
      let row = history.row()
      try await slow.write { db in try row.insert(db) }
      await other.checkForExternalChanges()
      #expect(controllers[1].snapshot == controllers[0].snapshot)
      #expect(controllers[1].snapshot?.numberOfItems == 301)
    }

    @Test("A log that was emptied by hand is a gap like any other")
    func emptiedLog() async throws {
      let temporary = try TemporaryStore(options: Self.options)
      let other = try DatabaseQueue(path: temporary.directory.appendingPathComponent("test.sqlite").path)
      let controller = FetchController(LawTests.questions[1].request, in: temporary.store)
      try await controller.performFetch()
      var history = History(seed: 8)
      let rows = history.rows(3)
      try await other.write { db in
        for row in rows { try row.insert(db) }
        try db.execute(sql: "DELETE FROM grdb_livelists_log")
      }
      await temporary.store.checkForExternalChanges()
      await controller.waitUntilCurrent()
      #expect(controller.snapshot?.numberOfItems == 3)
      // From then on the log tells what there is to be read.
      let fetches = controller.statistics.fetches
      let row = history.row()
      try await other.write { db in try row.insert(db) }
      await temporary.store.checkForExternalChanges()
      await controller.waitUntilCurrent()
      #expect(controller.snapshot?.numberOfItems == 4 && controller.statistics.fetches == fetches)
    }

    @Test("A real other process writes while this one does: both see every commit", .timeLimit(.minutes(20)))
    func realProcess() async throws {
      // Each waits for the other's transactions.
      var waiting = Configuration()
      waiting.busyMode = .timeout(60)
      let temporary = try TemporaryStore(options: Self.options, configuration: waiting)
      let store = temporary.store
      let path = temporary.directory.appendingPathComponent("test.sqlite").path
      let controllers = LawTests.questions.map { FetchController($0.request, in: store) }
      for controller in controllers { try await controller.performFetch() }
      let writing = Task {
        var history = History(seed: 20)
        for _ in 0..<40 {
          let act = history.act()
          do { try await store.write { try act.run($0) } } catch is RolledBack {}
          await store.checkForExternalChanges()
        }
      }
      await #expect(processExitsWith: .success) { [path = path as String] in
        var configuration = Configuration()
        configuration.busyMode = .timeout(60)
        let queue = try DatabaseQueue(path: path, configuration: configuration)
        var history = History(seed: 21)
        for _ in 0..<40 {
          let act = history.act()
          do { try await queue.write { try act.run($0) } } catch is RolledBack {}
        }
      }
      try await writing.value
      await store.checkForExternalChanges()
      for (question, controller) in zip(LawTests.questions, controllers) {
        await controller.waitUntilCurrent()
        let fresh = try await LawTests.fresh(question, store)
        #expect(controller.snapshot == fresh, "\(question.name)")
      }
      let rows = try await store.read { db in
        try Int.fetchOne(db, sql: "SELECT count(*) FROM grdb_livelists_log")
      }
      #expect(try #require(rows) > 40)
    }

    @Test("Without having asked for it nothing of others is seen, and nothing is written into the database")
    func off() async throws {
      let temporary = try TemporaryStore()
      let controller = FetchController(LawTests.questions[1].request, in: temporary.store)
      try await controller.performFetch()
      await temporary.store.checkForExternalChanges()
      let hasLog = try await temporary.store.read { db in try db.tableExists("grdb_livelists_log") }
      #expect(!hasLog)
    }

    @Test("A table that the other makes anew before the first look is read anew")
    func firstLook() async throws {
      let temporary = try TemporaryStore(options: Self.options) { db in
        try db.execute(sql: #"CREATE TABLE pair (id TEXT PRIMARY KEY, "unique" INTEGER)"#)
        try db.execute(sql: "INSERT INTO pair VALUES ('a', 1), ('b', 2)")
      }
      let store = temporary.store
      let other = try DatabaseQueue(path: temporary.directory.appendingPathComponent("test.sqlite").path)
      let controller = FetchController(CommitTests.request, in: store)
      try await controller.performFetch()
      try await other.write { try Self.makePairAnew($0) }
      await store.checkForExternalChanges()
      await controller.waitUntilCurrent()
      #expect(controller.snapshot == ["": ["b"]])
    }
  }
#endif
