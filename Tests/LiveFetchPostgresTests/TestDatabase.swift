#if PostgreSQL
  import Foundation
  import LiveFetch
  @testable import LiveFetchPostgres
  import LiveListsTestSupport
  import Snapshots
  import Synchronization
  import Testing

  /// The server that `scripts/with-postgres` started.
  enum TestServer {
    static let address = ProcessInfo.processInfo.environment["LIVELISTS_POSTGRES"]
    static let isThere = address != nil
    private static let number = Atomic<Int>(0)

    /// Makes an empty database, and gives its connection string.
    static func makeDatabase() throws -> String {
      let address = try #require(address)
      let name =
        "lists_\(ProcessInfo.processInfo.processIdentifier)_\(number.add(1, ordering: .relaxed).newValue)"
      try Connection(address, name: "tests").run("CREATE DATABASE \(name)")
      return address + " dbname=\(name)"
    }
  }

  extension Trait where Self == ConditionTrait {
    /// Runs where there is a server to try it with.
    static var server: Self {
      .enabled(if: TestServer.isThere, "There is no server: scripts/with-postgres starts one.")
    }
  }

  /// Waits until something holds that comes by itself.
  /// - Parameter tries: How often it is asked, every 25 ms.
  func eventually(tries: Int = 1_200, _ holds: () -> Bool) async throws {
    for _ in 0..<tries where !holds() { try await Task.sleep(for: .milliseconds(25)) }
    #expect(holds())
  }

  extension PostgresStore {
    /// Has the store look at the schema, and waits until it has.
    func lookAtSchema() async throws {
      // A wish is taken as a look begins: once the second one is taken, the first look is over.
      for _ in 0..<2 {
        checkSchemaSoon()
        try await eventually { !wantsSchemaCheck.load(ordering: .acquiring) }
      }
    }
  }

  /// A database with a store, and a connection beside it that knows nothing of the store.
  final class TestDatabase: Sendable {
    let address: String
    let store: PostgresStore
    let other: Connection

    init(_ schema: String, options: PostgresStoreOptions = .init()) async throws {
      address = try TestServer.makeDatabase()
      other = try Connection(address, name: "tests")
      try other.run(schema)
      store = try await PostgresStore(connection: address, options: options)
    }

    deinit { store.close() }

    /// Another node on the same database.
    func makeNode(options: PostgresStoreOptions = .init()) async throws -> PostgresStore {
      try await PostgresStore(connection: address, options: options)
    }

    static let items =
      "CREATE TABLE item (id bigint PRIMARY KEY, section text NOT NULL, key bigint NOT NULL, note text)"

    /// Rows with values of every kind.
    static let samples = """
      CREATE TABLE sample (id bigint PRIMARY KEY, number bigint, flag smallint, mood int, time bigint,
        real double precision, text text, bytes bytea, tag uuid)
      """

    static func write(_ samples: [ConformanceSample], in transaction: PostgresTransaction) throws {
      let columns = ["number", "flag", "mood", "time", "real", "text", "bytes", "tag"]
      for sample in samples {
        try transaction.execute(
          """
          INSERT INTO sample VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id)
          DO UPDATE SET \(columns.map { "\($0) = excluded.\($0)" }.joined(separator: ", "))
          """,
          [
            sample.id, sample.number, sample.flag, sample.mood, sample.microseconds, sample.real, sample.text,
            sample.bytes, sample.tag,
          ])
      }
    }

    static func write(_ writes: [ConformanceWrite], in transaction: PostgresTransaction) throws {
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

    /// Writes in a connection's transaction, or each by itself where there is none.
    static func write(_ writes: [ConformanceWrite], on connection: Connection) throws {
      let transaction = PostgresTransaction(connection)
      defer { transaction.end() }
      try write(writes, in: transaction)
    }

    /// All rows of the table, by a query that has nothing to do with lists.
    func rows(on connection: Connection? = nil) throws -> [Int: ConformanceItem] {
      let found = try (connection ?? other).query("SELECT id, section, key, note FROM item")
      var rows: [Int: ConformanceItem] = [:]
      for row in 0..<found.count {
        let id = Int(found.integer(row, 0) ?? 0)
        rows[id] = ConformanceItem(
          id: id, section: found.text(row, 1) ?? "", key: Int(found.integer(row, 2) ?? 0),
          note: found.text(row, 3))
      }
      return rows
    }
  }

  /// A store of a number of lists that are followed, to be compared with the table.
  struct FollowedLists {
    let controllers: [FetchController<ConformanceItem>]

    init(in store: PostgresStore) async throws {
      controllers = [
        FetchController(FetchDescriptor().ordered(by: .ascending(\.key)), in: store),
        FetchController(
          FetchDescriptor().ordered(by: .descending(\.key)).sectioned(by: \.section), in: store),
        FetchController(
          FetchDescriptor().filter(#Predicate { $0.key < 6 }).ordered(by: .ascending(\.key)).limit(5),
          in: store),
      ]
      for controller in controllers { try await controller.performFetch() }
    }

    /// Each list, waited for until no read is under way, beside what the rows say.
    func check(_ rows: [Int: ConformanceItem], _ context: String) async {
      for controller in controllers { await controller.waitUntilCurrent() }
      let ascending = rows.values.sorted { ($0.key, $0.id) < ($1.key, $1.id) }
      #expect(controllers[0].snapshot?.itemIdentifiers == ascending.map(\.id), "\(context)")
      let sectioned = rows.values.sorted {
        $0.section != $1.section
          ? $0.section < $1.section : $0.key != $1.key ? $0.key > $1.key : $0.id < $1.id
      }
      #expect(controllers[1].snapshot?.itemIdentifiers == sectioned.map(\.id), "\(context)")
      #expect(
        controllers[2].snapshot?.itemIdentifiers == ascending.filter { $0.key < 6 }.prefix(5).map(\.id),
        "\(context)")
    }
  }
#endif
