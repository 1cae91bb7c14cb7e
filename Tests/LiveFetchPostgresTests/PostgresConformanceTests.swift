#if PostgreSQL
  import _TestTools
  import LiveFetch
  @testable import LiveFetchPostgres
  import LiveListsTestSupport
  import Snapshots
  import Testing

  @Suite("The store on PostgreSQL", .server)
  struct PostgresConformanceTests {
    final class Subject: ConformanceNode {
      /// A way in which the database does not do its part, so that lists cannot be right.
      enum Mistake: CaseIterable {
        case nothingIsLogged, transactionsAreOld, epochStays, logIsCut
      }

      let database: TestDatabase
      private let node: PostgresStore
      private let mistake: Mistake?
      var store: any FetchStore { node }
      var mergesCommits: Bool { true }

      init(
        _ options: PostgresStoreOptions = .init(), schema: String = TestDatabase.items,
        mistake: Mistake? = nil
      ) async throws {
        database = try await TestDatabase("\(schema); \(TestDatabase.samples)", options: options)
        node = database.store
        self.mistake = mistake
      }

      private init(beside other: Subject) async throws {
        // It looks when it is asked to, so that it may be late.
        var options = PostgresStoreOptions()
        options.ringsBell = false
        options.pollingInterval = .seconds(3_600)
        (database, mistake) = (other.database, other.mistake)
        node = try await database.makeNode(options: options)
      }

      func write(_ writes: [ConformanceWrite], origin: String?) async throws {
        try await node.write(origin: origin) { [mistake] in
          try TestDatabase.write(writes, in: $0)
          if mistake == .nothingIsLogged {
            try $0.execute("DELETE FROM livelists.log WHERE xid = pg_current_xact_id()")
          }
        }
      }

      func writeAndRollBack(_ writes: [ConformanceWrite]) async throws {
        do {
          try await node.write {
            try TestDatabase.write(writes, in: $0)
            throw CancellationError()
          }
        } catch is CancellationError {}
      }

      func write(_ samples: [ConformanceSample]) async throws {
        try await node.write { try TestDatabase.write(samples, in: $0) }
      }

      func close() async throws { node.close() }

      func makeNode() async throws -> Subject { try await Subject(beside: self) }

      func catchUp(to other: Subject) async throws {
        try await node.catchUp(to: #require(other.node.token))
      }

      func beginTransaction() async throws -> (any ConformanceTransaction)? {
        try Transaction(database.address, isOld: mistake == .transactionsAreOld)
      }

      func changeEpoch(_ writes: [ConformanceWrite]) async throws -> Bool {
        try database.other.run("BEGIN")
        try TestDatabase.write(writes, on: database.other)
        if mistake != .epochStays { try database.other.run("DELETE FROM livelists.boot") }
        try database.other.run("DELETE FROM livelists.log; COMMIT")
        return true
      }

      func prune() async throws -> Bool {
        if mistake == .logIsCut {
          try database.other.run("DELETE FROM livelists.log")
          return true
        }
        // What one has seen, the next deletes.
        try database.other.run("SELECT livelists.prune('0 s')")
        try database.other.run("SELECT livelists.prune('0 s')")
        return true
      }
    }

    /// A program's transaction.
    private final class Transaction: ConformanceTransaction {
      private let connection: Connection
      /// Whether it passes itself off as one that every node has seen, as it is with nodes that count.
      private let isOld: Bool

      init(_ address: String, isOld: Bool) throws {
        connection = try Connection(address, name: "long")
        self.isOld = isOld
        try connection.run("BEGIN")
      }

      func write(_ writes: [ConformanceWrite]) async throws {
        // Savepoints have numbers of their own.
        try connection.run("SAVEPOINT s")
        try TestDatabase.write(writes, on: connection)
        try connection.run("RELEASE s; SAVEPOINT s; INSERT INTO item VALUES (-7, 'z', 0); ROLLBACK TO s")
      }

      func commit() async throws {
        if isOld { try connection.run("UPDATE livelists.log SET xid = '3' WHERE xid = pg_current_xact_id()") }
        try connection.run("COMMIT")
      }

      func rollBack() async throws { try connection.run("ROLLBACK") }
    }

    @Test("Where the database does not do its part, the suite says so", arguments: Subject.Mistake.allCases)
    func mistakes(_ mistake: Subject.Mistake) async throws {
      let suite = FetchStoreConformance(seed: 11)
      // The bell is a transaction, too, and would have a node look.
      var options = PostgresStoreOptions()
      options.ringsBell = false
      options.pollingInterval = .seconds(3_600)
      let subject = try await Subject(options, mistake: mistake)
      await #expect(throws: ConformanceFailure.self) {
        switch mistake {
        case .nothingIsLogged: try await suite.twoNodes(subject)
        case .transactionsAreOld: try await suite.longTransactions(subject)
        case .epochStays: try await suite.epochChanges(subject)
        case .logIsCut: try await suite.pruned(subject)
        }
      }
    }

    @Test("It keeps the promises of a store", arguments: inTurns(Array(1...4) as [UInt64], of: 2))
    func conforms(_ seed: UInt64) async throws {
      try await FetchStoreConformance(seed: seed).run { try await Subject() }
    }

    @Test("Reading anew gives what following gives", arguments: [6, 7] as [UInt64])
    func reading(_ seed: UInt64) async throws {
      var options = PostgresStoreOptions()
      options.maximumTouchedRows = 1
      // Not that each commit is told row by row: that is what is left out here.
      let suite = FetchStoreConformance(seed: seed)
      try await suite.listsFollow(Subject(options))
      try await suite.sectionsAreOfValues(Subject(options))
      try await suite.objectsFollow(Subject(options))
      try await suite.twoNodes(Subject(options))
      try await suite.longTransactions(Subject(options))
    }

    @Test("One connection, no bell and long pauses make no difference", arguments: [8] as [UInt64])
    func poor(_ seed: UInt64) async throws {
      var options = PostgresStoreOptions()
      options.connections = 1
      options.ringsBell = false
      options.pollingInterval = .seconds(3_600)
      try await FetchStoreConformance(seed: seed).run { [options] in try await Subject(options) }
    }

    @Test(
      "Keys of four bytes and text of a language's collation make no difference", arguments: [9] as [UInt64])
    func types(_ seed: UInt64) async throws {
      try await FetchStoreConformance(seed: seed).run {
        try await Subject(
          schema:
            "CREATE TABLE item (id int PRIMARY KEY, section varchar(9) COLLATE \"und-x-icu\" NOT NULL, key smallint, note text)"
        )
      }
    }
  }
#endif
