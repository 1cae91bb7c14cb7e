#if PostgreSQL
  import Foundation
  import LiveDrafts
  import LiveFetch
  import LiveFetchPostgres
  import LiveListsTestSupport
  import Synchronization
  import Testing

  extension Trait where Self == ConditionTrait {
    /// Leaves a test out where there is no server.
    static var needsPostgres: Self {
      .enabled(if: PostgresSubject.address != nil, "There is no server: scripts/with-postgres starts one.")
    }
  }

  /// A schema with the table of the conformance suite on the server that `scripts/with-postgres` started.
  final class PostgresSubject: DraftLawStore {
    static let address = ProcessInfo.processInfo.environment["LIVELISTS_POSTGRES"]
    private static let number = Atomic<Int>(0)

    let postgres: PostgresStore
    private let schema: String
    var store: any FetchStore { postgres }
    var saving: any DraftSaving { postgres }
    var mergesCommits: Bool { true }

    init(maximumTouchedRows: Int = 20_000, connections: Int = 2) async throws {
      let address = try #require(Self.address)
      let schema =
        "law_\(ProcessInfo.processInfo.processIdentifier)_\(Self.number.add(1, ordering: .relaxed).newValue)"
      var options = PostgresStoreOptions()
      options.ringsBell = false
      options.connections = connections
      options.maximumTouchedRows = maximumTouchedRows
      postgres = try await PostgresStore(
        connection: address + " options='-c search_path=\(schema)'", options: options)
      self.schema = schema
      try await postgres.write { transaction in
        try transaction.execute("CREATE SCHEMA \(schema)")
        try transaction.execute(
          "CREATE TABLE item (id bigint PRIMARY KEY, section text NOT NULL, key bigint NOT NULL, note text)")
      }
    }

    deinit { postgres.close() }

    func write(_ writes: [ConformanceWrite], origin: String?) async throws {
      try await postgres.write(origin: origin) { try Self.perform(writes, in: $0) }
    }

    func writeAndRollBack(_ writes: [ConformanceWrite]) async throws {
      do {
        try await postgres.write {
          try Self.perform(writes, in: $0)
          throw CancellationError()
        }
      } catch is CancellationError {}
    }

    private static func perform(_ writes: [ConformanceWrite], in transaction: PostgresTransaction) throws {
      for write in writes {
        switch write {
        case .put(let item):
          try transaction.execute(
            """
            INSERT INTO item VALUES (?, ?, ?, ?) ON CONFLICT (id)
            DO UPDATE SET section = excluded.section, key = excluded.key, note = excluded.note
            """, [item.id, item.section, item.key, item.note])
        case .remove(let id): try transaction.execute("DELETE FROM item WHERE id = ?", [id])
        }
      }
    }

    func write(_ samples: [ConformanceSample]) async throws {}

    func close() async throws { postgres.close() }

    /// A commit of which it is only known that the table was written to, after which all is read again.
    func reset() async throws {
      try await postgres.write { transaction in
        try transaction.execute(
          "INSERT INTO livelists.log (tab, op) SELECT tab, 'T' FROM livelists.watched WHERE rel = 'item'::regclass"
        )
      }
    }
  }

  extension DraftLawTests {
    @Test(
      "The same over PostgreSQL",
      .needsPostgres,
      arguments: seeds.prefix(max(4, seeds.count / 8)))
    func onPostgres(_ seed: UInt64) async throws {
      try await Self.holds(seed) { try await PostgresSubject() }
    }

    @Test(
      "The same over PostgreSQL where commits are told as a reset",
      .needsPostgres,
      arguments: seeds.prefix(max(2, seeds.count / 16)))
    func onPostgresWithResets(_ seed: UInt64) async throws {
      try await Self.holds(seed) { try await PostgresSubject(maximumTouchedRows: 1) }
    }
  }
#endif
