#if PostgreSQL
  import LiveFetch
  import LiveFetchPostgres
  import LiveListsTestSupport
  import Snapshots
  import Testing

  @Suite("The store on PostgreSQL", .server)
  struct PostgresConformanceTests {
    final class Subject: ConformanceSubject {
      let database: TestDatabase
      var store: any FetchStore { database.store }
      var mergesCommits: Bool { true }

      init(_ options: PostgresStoreOptions = .init(), schema: String = TestDatabase.items) async throws {
        database = try await TestDatabase("\(schema); \(TestDatabase.samples)", options: options)
      }

      func write(_ writes: [ConformanceWrite], origin: String?) async throws {
        try await database.store.write(origin: origin) { try TestDatabase.write(writes, in: $0) }
      }

      func writeAndRollBack(_ writes: [ConformanceWrite]) async throws {
        do {
          try await database.store.write {
            try TestDatabase.write(writes, in: $0)
            throw CancellationError()
          }
        } catch is CancellationError {}
      }

      func write(_ samples: [ConformanceSample]) async throws {
        try await database.store.write { try TestDatabase.write(samples, in: $0) }
      }

      func close() async throws { database.store.close() }
    }

    @Test("It keeps the promises of a store", arguments: 1...4 as ClosedRange<UInt64>)
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
