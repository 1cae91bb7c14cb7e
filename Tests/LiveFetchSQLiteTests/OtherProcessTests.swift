#if SQLite
  import Foundation
  import GRDB
  import LiveFetch
  import LiveFetchSQLite
  import LiveListsTestSupport
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
        await store.lookForOtherWriters()
        await controller.settle()
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
      await store.lookForOtherWriters()
      #expect(controller.snapshot == ["": ["a", "c"]])
      try await other.write { db in
        try db.execute(sql: "ALTER TABLE pair ADD COLUMN extra; DELETE FROM pair WHERE id = 'a'")
      }
      await store.lookForOtherWriters()
      await controller.settle()
      #expect(controller.snapshot == ["": ["c"]])
    }

    @Test("Without having asked for it nothing of others is seen, and nothing is written into the database")
    func off() async throws {
      let temporary = try TemporaryStore()
      let controller = FetchController(LawTests.questions[1].request, in: temporary.store)
      try await controller.performFetch()
      await temporary.store.lookForOtherWriters()
      let hasLog = try await temporary.store.read { db in try db.tableExists("livelists_log") }
      #expect(!hasLog)
    }
  }
#endif
