#if SQLite
  import Foundation
  import LiveFetch
  import Testing

  extension SecondLawTests {
    @Test("Several tasks write at once while others read: in the end lists and objects are the database's")
    func manyTasks() async throws {
      let environment = ProcessInfo.processInfo.environment
      let first = environment["LAW_FIRST"].flatMap { Int($0) } ?? 0
      let count = environment["LAW_SEEDS"].flatMap { Int($0) } ?? 30
      var report = Report()
      for seed in first..<first + max(10, count / 3) {
        let outcome: Outcome
        if let law = TaskRun<Int64>.makeCase(seed, .integer) {
          outcome = try await TaskRun<Int64>.run(law)
        } else if let law = TaskRun<String>.makeCase(seed, .text) {
          outcome = try await TaskRun<String>.run(law)
        } else {
          continue
        }
        report.add(outcome, of: seed)
        if let difference = outcome.difference { Issue.record("seed \(seed): \(difference)") }
      }
      print(
        "With tasks: \(report.schemas) schemas, \(report.commits) writes, \(report.comparisons) lists compared, \(report.refusals.count) refusals"
      )
      #expect(report.schemas > 0)
    }
  }
#endif
