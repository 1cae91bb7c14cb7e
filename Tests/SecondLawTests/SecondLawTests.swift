#if SQLite
  import Foundation
  import Testing

  /// A list equals a fresh query after every commit, on whatever schema: held by a generator and an oracle that know of
  /// the library its documentation, and of SQLite its own.
  ///
  /// `LAW_SEEDS` says how many seeds, `LAW_FIRST` the first; `LAW_SEED` one alone. `LAW_SHRINK` says for how many seconds a
  /// failing case is shrunk.
  @Suite("The second law", .serialized)
  struct SecondLawTests {
    private static func setting(_ name: String) -> Int? {
      ProcessInfo.processInfo.environment[name].flatMap { Int($0) }
    }

    @Test("On random schemas lists, changes and objects are what SQLite's documentation says")
    func randomSchemas() async throws {
      let one = Self.setting("LAW_SEED")
      let first = one ?? Self.setting("LAW_FIRST") ?? 0
      let seeds = first..<first + (one == nil ? Self.setting("LAW_SEEDS") ?? 30 : 1)
      var report = Report()
      let begin = ContinuousClock.now
      for seed in seeds {
        let law = Law.makeCase(seed)
        let outcome = await Law.run(law)
        report.add(outcome, of: seed)
        guard let difference = outcome.difference else { continue }
        let budget = Duration.seconds(report.differences.count < 20 ? Self.setting("LAW_SHRINK") ?? 60 : 0)
        let shrunk = await Shrinker.shrink(law, difference, budget: budget)
        report.differences.append((seed, shrunk))
        print(Report.text(seed, shrunk))
      }
      let version = try RawDatabase(":memory:").rows("SELECT sqlite_version()").rows[0][0]
      print(report.text(seeds: seeds, sqlite: "\(version)", time: .now - begin))
      for (seed, reason) in report.invalid.sorted(by: { $0.key < $1.key }) {
        print("seed \(seed) makes no schema: \(reason)")
      }
      #expect(report.differences.isEmpty, "seeds \(report.differences.map(\.seed))")
      #expect(
        report.invalid.count * 20 <= seeds.count, "the generator makes schemas that SQLite does not take")
      if seeds.count >= 30 { #expect(report.missing.isEmpty, "no schema had \(report.missing)") }
    }
  }
#endif
