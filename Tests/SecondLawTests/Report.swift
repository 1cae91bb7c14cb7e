#if SQLite
  import Foundation

  /// The outcome of a run of the law, in figures.
  struct Report {
    var schemas = 0
    var commits = 0
    var comparisons = 0
    var objects = 0
    var deliveries = 0
    var invalid: [Int: String] = [:]
    var refusals: [(seed: Int, reason: String)] = []
    var differences: [(seed: Int, shrunk: Shrinker)] = []
    var features: [Feature: Int] = [:]

    mutating func add(_ outcome: Outcome, of seed: Int) {
      if let reason = outcome.invalid {
        invalid[seed] = reason
        return
      }
      schemas += 1
      commits += outcome.commits
      comparisons += outcome.comparisons
      objects += outcome.objects
      deliveries += outcome.deliveries
      if let refusal = outcome.refusal { refusals.append((seed, refusal)) }
      for feature in outcome.features { features[feature, default: 0] += 1 }
    }

    /// The features that no schema had.
    var missing: [Feature] {
      Feature.allCases.filter { features[$0] == nil && KnownOpen.features[$0] == nil }
    }

    func text(seeds: Range<Int>, sqlite: String, time: Duration) -> String {
      var lines = [
        "The second law, seeds \(seeds.lowerBound) to \(seeds.upperBound - 1), SQLite \(sqlite), \(time.formatted(.units(allowed: [.minutes, .seconds])))"
      ]
      // As `scripts/law` adds them up.
      let figures = [
        ("seeds", seeds.count), ("schemas", schemas), ("commits", commits),
        ("comparisons_of_lists", comparisons),
        ("comparisons_of_objects", objects), ("changes_delivered", deliveries),
        ("differences", differences.count), ("refusals", refusals.count),
        ("seeds_whose_schema_SQLite_does_not_take", invalid.count),
      ]
      lines.append("figures: " + figures.map { "\($0.0) \($0.1)" }.joined(separator: " ") + " .")
      let held = Feature.allCases.filter { KnownOpen.features[$0] == nil }
      lines.append(
        "schemas by feature: " + held.map { "\($0.rawValue) \(features[$0] ?? 0)" }.joined(separator: ", "))
      let reasons = Dictionary(grouping: refusals) { $0.reason }
      for (reason, seeds) in reasons.sorted(by: { $0.key < $1.key }) {
        lines.append("refused \(seeds.count) times (seed \(seeds[0].seed)): \(reason)")
      }
      for (feature, reason) in KnownOpen.features.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
        lines.append("left out, as not mended yet: \(feature.rawValue) (\(reason))")
      }
      return lines.joined(separator: "\n")
    }

    /// A difference, as SQL and as a test to keep.
    static func text(_ seed: Int, _ shrunk: Shrinker) -> String {
      let law = shrunk.law
      let steps = law.steps.map { step in
        "  \(String(reflecting: step.means).replacing("SecondLawTests.", with: "")): "
          + step.statements.map(\.sql).joined(separator: "; ")
      }
      return """
        --- seed \(seed): \(shrunk.difference)
        \(law.schema.map(\.sql).joined(separator: ";\n"));
        observes others: \(law.observesOthers); lists: \(law.lists.map { String(reflecting: $0).replacing("SecondLawTests.", with: "") }.joined(separator: "\n"))
        steps:
        \(steps.joined(separator: "\n"))
        The test to keep:
        @Test("Seed \(seed) holds the law")
        func seed\(seed)() async throws {
          try await Law.hold(\(law.swift))
        }
        ---
        """
    }
  }
#endif
