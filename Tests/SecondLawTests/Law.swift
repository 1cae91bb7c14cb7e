#if SQLite
  import Foundation
  import LiveFetch

  /// Runs cases, each for itself, and sees to it that one which hangs ends.
  enum Law {
    /// Runs a case.
    /// - Parameter patience: How long a step may take before the case counts as hung.
    static func run(_ law: LawCase, patience: Duration = .seconds(300)) async -> Outcome {
      await CaseTurn.take { await runAlone(law, patience: patience) }
    }

    private static func runAlone(_ law: LawCase, patience: Duration) async -> Outcome {
      let steps = Counter()
      let work = Task {
        switch law.keyType {
        case .text: await CaseRun<String>.run(law, steps)
        case .uuid, .uuidText: await CaseRun<UUID>.run(law, steps)
        default: await CaseRun<Int64>.run(law, steps)
        }
      }
      let watch = Task {
        var last = -1
        while true {
          try await Task.sleep(for: patience)
          let now = steps.value
          if now == last {
            // Whoever waits for a change that does not come is given none.
            work.cancel()
            try await Task.sleep(for: .seconds(300))
            print("The law hangs in a call that cannot be cancelled. \(law.swift)")
            exit(3)
          }
          last = now
        }
      }
      defer { watch.cancel() }
      return await work.value
    }

    /// The case of a seed.
    static func makeCase(_ seed: Int) -> LawCase {
      var generator = SchemaGenerator(seed: seed, forbidden: Set(KnownOpen.features.keys))
      return generator.make()
    }

    /// Holds a case that was kept: throws the difference, if there is one.
    static func hold(_ law: LawCase) async throws {
      let outcome = await run(law)
      if let difference = outcome.difference { throw difference }
      if let invalid = outcome.invalid {
        throw Difference(kind: .refused, step: nil, list: 0, text: "the schema cannot be made: \(invalid)")
      }
    }
  }
#endif
