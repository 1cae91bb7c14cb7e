import LiveListsTestSupport
#if SQLite
  import Foundation
  import Testing

  @testable import LiveFetchSQLite

  @Suite("The law, over random schemas, requests and histories")
  struct RandomSchemaTests {
    /// `LAW_SEEDS` tries more than the usual number, for a long run, and `LAW_FIRST` others: those behind so many.
    static let seeds = setting("LAW_SEEDS") ?? 60
    static let first = setting("LAW_FIRST") ?? 0
    static let all = first + 1...first + seeds
    static let third = first + 1...first + max(1, seeds / 3)

    private static func setting(_ name: String) -> UInt64? {
      ProcessInfo.processInfo.environment[name].flatMap(UInt64.init)
    }

    /// A run of thousands of cases begins them all, and each that has a database open needs files.
    private static let turns = ReadTurns(limit: 8)

    private func hold(_ wide: WideCase, _ writers: WideWriters = .one) async throws {
      await withCheckedContinuation { turn in Self.turns.take { turn.resume() } }
      defer { Self.turns.giveBack() }
      guard let failure = try await wide.run(writers) else { return }
      let (smallest, how) = try await wide.shrunk(failure) { try await $0.run(writers) }
      Issue.record("\(wide.name): \(how)\nTo be kept: \(smallest.json)")
    }

    @Test("A fresh query and the replayed differences agree after each commit", arguments: all)
    func oneWriter(_ seed: UInt64) async throws { try await hold(WideCase(seed: seed)) }

    @Test("The same operations in more commits, and in fewer", arguments: third)
    func batches(_ seed: UInt64) async throws {
      let wide = WideCase(seed: 1_000_000 + seed)
      try await hold(wide.split)
      try await hold(wide.merged)
    }

    @Test("Two connections write in turn", arguments: third)
    func twoWriters(_ seed: UInt64) async throws { try await hold(WideCase(seed: 2_000_000 + seed), .two) }

    @Test("Many writers at once", arguments: third)
    func manyWriters(_ seed: UInt64) async throws { try await hold(WideCase(seed: 3_000_000 + seed), .many) }

    /// Cases that were found, or thought of, once; each is here for good.
    static let kept: [(name: String, json: String)] = [
      (
        "a row alone in its section goes to a new one that begins where the old one stood",
        #"""
        {"columns":["n","m","r","t","b","u","d","s"],"isIndexed":false,"isUnique":false,"isWithoutRowID":false,
        "key":"number","name":"","offset":0,"section":{"column":"d","kind":3,"order":1},
        "sorts":[{"column":"b","isDescending":true,"isFolded":false,"nullsLast":true}],"variant":0,
        "steps":[{"isRolledBack":false,"operations":[{"put":{"id":0,"picks":[4,2,2,0,0,3,4,5]}}]},
        {"isRolledBack":false,"operations":[{"put":{"id":8,"picks":[0,1,2,3,1,4,1,0]}}]},
        {"isRolledBack":false,"operations":[{"updateAll":{"column":"d","is":1,"pick":2,"where":"m"}}]}]}
        """#
      ),
      (
        "the only row of its section changes its key and stays alone between other sections",
        #"""
        {"columns":["n","m","r","t","b","u","d","s"],"isIndexed":false,"isUnique":false,"isWithoutRowID":false,
        "key":"number","name":"","offset":0,"section":{"column":"m","kind":0,"order":1},
        "sorts":[{"column":"n","isDescending":false,"isFolded":false,"nullsLast":false}],"variant":0,
        "steps":[{"isRolledBack":false,"operations":[
        {"put":{"id":1,"picks":[1,0,0,0,0,0,0,0]}},{"put":{"id":2,"picks":[1,1,0,0,0,0,0,0]}},
        {"put":{"id":3,"picks":[1,2,0,0,0,0,0,0]}}]},
        {"isRolledBack":false,"operations":[{"update":{"id":2,"column":"n","pick":4}}]},
        {"isRolledBack":false,"operations":[{"update":{"id":2,"column":"n","pick":0}},
        {"update":{"id":2,"column":"m","pick":4}}]}]}
        """#
      ),
      (
        "rows exchange positions, and sections with them, in one commit",
        #"""
        {"columns":["n","m","r","t","b","u","d","s"],"isIndexed":true,"isUnique":false,"isWithoutRowID":true,
        "key":"text","name":"","offset":0,"section":{"column":"t","kind":2,"order":2},
        "sorts":[{"column":"r","isDescending":true,"isFolded":false,"nullsLast":true}],"variant":1,
        "steps":[{"isRolledBack":false,"operations":[
        {"put":{"id":1,"picks":[1,0,1,1,0,0,0,0]}},{"put":{"id":2,"picks":[1,1,2,4,0,0,0,0]}},
        {"put":{"id":3,"picks":[1,2,3,5,0,0,0,0]}},{"put":{"id":4,"picks":[1,2,0,0,0,0,0,0]}}]},
        {"isRolledBack":false,"operations":[{"update":{"id":1,"column":"t","pick":4}},
        {"update":{"id":2,"column":"t","pick":1}},{"rekey":{"id":3,"to":5}},{"update":{"id":4,"column":"t","pick":2}}]}]}
        """#
      ),
    ]

    @Test("Cases kept by name", arguments: kept.map(\.name))
    func keptCases(_ name: String) async throws {
      let json = try #require(Self.kept.first { $0.name == name }?.json)
      let wide = try WideCase(json: json)
      for writers in [WideWriters.one, .two, .many] { try await hold(wide, writers) }
    }

    @Test("A failing case is shrunk to what makes it fail")
    func shrinking() async throws {
      // It fails wherever row 3 is deleted after it was put in.
      func run(_ wide: WideCase) -> String? {
        var isThere = false
        for operation in wide.steps.flatMap(\.operations) {
          if case .put(3, _) = operation { isThere = true }
          if case .delete(3) = operation, isThere { return "deleted" }
        }
        return nil
      }
      var failing = 0
      for seed in 1...200 as ClosedRange<UInt64> {
        let wide = WideCase(seed: seed)
        guard let failure = run(wide) else { continue }
        failing += 1
        let (smallest, _) = try await wide.shrunk(failure, attempts: 5_000) { run($0) }
        #expect(smallest.steps.flatMap(\.operations).count == 2)
        #expect(smallest.condition == nil && smallest.section == nil && smallest.sorts.count == 1)
        let again = try WideCase(json: smallest.json)
        #expect(run(again) != nil)
      }
      #expect(failing > 5)
    }
  }
#endif
