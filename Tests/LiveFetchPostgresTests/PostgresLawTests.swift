#if PostgreSQL
  import Foundation
  import LiveFetch
  @testable import LiveFetchPostgres
  import LiveListsTestSupport
  import Snapshots
  import Synchronization
  import Testing
  import _TestTools

  /// The law of lists on PostgreSQL: whatever nodes and programs do at once, with transactions that overlap, every list on every node is
  /// what a query says as soon as the node has looked. `make law STORE=postgres SEEDS=300`; `SEED=n` replays one history.
  @Suite("The law of lists on PostgreSQL", .server)
  struct PostgresLawTests {
    static let seeds: Range<UInt64> = {
      let environment = ProcessInfo.processInfo.environment
      if let seed = environment["LAW_SEED"].flatMap({ UInt64($0) }) { return seed..<(seed + 1) }
      let first = environment["LAW_FIRST"].flatMap { UInt64($0) } ?? 0
      return first..<(first + (environment["LAW_SEEDS"].flatMap { UInt64($0) } ?? 6))
    }()

    @Test("Every list on every node equals a query", arguments: seeds)
    func law(_ seed: UInt64) async throws {
      await CaseTurns.take()
      defer { CaseTurns.giveBack() }
      var history = try await History(seed)
      for step in 0..<50 { try await history.step(step) }
      try await history.finish()
    }
  }

  /// Lets some cases run at once: each has connections of its own, and a server does not take any number of them.
  enum CaseTurns {
    private struct State {
      var free = 12
      var waiting: [CheckedContinuation<Void, Never>] = []
    }
    private static let state = Mutex(State())

    static func take() async {
      await withCheckedContinuation { turn in
        let isFree = state.withLock { state in
          if state.free > 0 {
            state.free -= 1
            return true
          }
          state.waiting.append(turn)
          return false
        }
        if isFree { turn.resume() }
      }
    }

    static func giveBack() {
      let next = state.withLock { state -> CheckedContinuation<Void, Never>? in
        if !state.waiting.isEmpty { return state.waiting.removeFirst() }
        state.free += 1
        return nil
      }
      next?.resume()
    }
  }

  /// A random history of two nodes and of programs that know nothing of them.
  private struct History {
    private var random: SplitMix
    private let seed: UInt64
    private let database: TestDatabase
    private let nodes: [PostgresStore]
    private let lists: [FollowedLists]
    /// Connections of others; those in use have a transaction open, in which rows of one residue of the keys are written.
    private let programs: [Connection]
    private var isOpen: [Bool]
    private var story: [String] = []

    init(_ seed: UInt64) async throws {
      var random = SplitMix(seed: seed)
      self.seed = seed
      let text = ["text", "varchar(9)", "text COLLATE \"C\"", "text COLLATE \"und-x-icu\""]
      let schema = """
        CREATE TABLE item (id \(["int", "bigint"].randomElement(using: &random)!) PRIMARY KEY,
          section \(text.randomElement(using: &random)!) NOT NULL,
          key \(["smallint", "int", "bigint"].randomElement(using: &random)!) NOT NULL, note text)
        """
      var options = PostgresStoreOptions()
      options.ringsBell = .random(using: &random)
      options.maximumTouchedRows = [2, 20_000].randomElement(using: &random)!
      options.connections = .random(in: 1...4, using: &random)
      options.schemaInterval = .milliseconds(20)
      database = try await TestDatabase(schema, options: options)
      nodes = [database.store, try await database.makeNode(options: options)]
      lists = [try await FollowedLists(in: nodes[0]), try await FollowedLists(in: nodes[1])]
      let address = database.address
      programs = try (0..<3).map { _ in try Connection(address, name: "program") }
      isOpen = [false, false, false]
      self.random = random
    }

    mutating func step(_ step: Int) async throws {
      switch Int.random(in: 0..<20, using: &random) {
      case 0..<6:
        // A row of its own, which no open transaction has locked.
        let writes = NodeTests.writes(using: &random).map { $0.moved(to: programs.count) }.sorted {
          $0.id < $1.id
        }
        let node = Int.random(in: 0...1, using: &random)
        story.append("node \(node): \(writes)")
        try await nodes[node].write(origin: "\(step)") { try TestDatabase.write(writes, in: $0) }
      case 6..<14: try program()
      case 14:
        story.append("prune")
        try database.other.run("SELECT livelists.prune('0 s')")
      case 15 where !isOpen.contains(true):
        story.append("truncate")
        try database.other.run("TRUNCATE item")
      case 16 where !isOpen.contains(true):
        story.append("schema")
        try database.other.run(
          [
            "ALTER TABLE item ADD COLUMN IF NOT EXISTS extra text",
            "ALTER TABLE item DROP COLUMN IF EXISTS extra",
          ]
          .randomElement(using: &random)!)
      default: try await check("step \(step)")
      }
    }

    /// Goes on with a transaction of a program, or begins one.
    private mutating func program() throws {
      let number = Int.random(in: 0..<programs.count, using: &random)
      let connection = programs[number]
      var sql = isOpen[number] ? "" : "BEGIN; "
      isOpen[number] = true
      for write in NodeTests.writes(using: &random).map({ $0.moved(to: number) }) {
        let statement =
          switch write {
          case .put(let item):
            """
            INSERT INTO item (id, section, key, note) VALUES (\(item.id), '\(item.section)', \(item.key), \(item.note.map { "'\($0)'" } ?? "NULL"))
            ON CONFLICT (id) DO UPDATE SET section = excluded.section, key = excluded.key, note = excluded.note; 
            """
          case .remove(let id): "DELETE FROM item WHERE id = \(id); "
          }
        switch Int.random(in: 0..<6, using: &random) {
        case 0: sql += "SAVEPOINT s; \(statement)ROLLBACK TO s; "
        case 1: sql += "SAVEPOINT s; \(statement)RELEASE s; "
        default: sql += statement
        }
      }
      switch Int.random(in: 0..<5, using: &random) {
      case 0:
        sql += "ROLLBACK"
        isOpen[number] = false
      case 1, 2:
        sql += "COMMIT"
        isOpen[number] = false
      default: break
      }
      story.append("program \(number): \(sql)")
      try connection.run(sql)
    }

    private func check(_ context: String) async throws {
      let rows = try database.rows()
      for (number, node) in nodes.enumerated() {
        await node.waitUntilCurrent()
        await lists[number].check(
          rows, "LAW_SEED=\(seed), \(context), node \(number) after \(story.suffix(6))")
      }
    }

    mutating func finish() async throws {
      for (number, connection) in programs.enumerated() where isOpen[number] { try connection.run("COMMIT") }
      try await check("the end")
      nodes[1].close()
    }
  }

  extension ConformanceWrite {
    fileprivate var id: Int {
      switch self {
      case .put(let item): item.id
      case .remove(let id): id
      }
    }

    /// The same with a key of one of four residues.
    fileprivate func moved(to residue: Int) -> Self {
      switch self {
      case .put(var item):
        item.id = item.id / 4 * 4 + residue
        return .put(item)
      case .remove(let id): return .remove(id / 4 * 4 + residue)
      }
    }
  }
#endif
