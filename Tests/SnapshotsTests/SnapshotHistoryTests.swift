import LiveListsTestSupport
import Testing

/// Random histories of edits, run on the snapshot and on the naive model of it.
@Suite("Histories of edits agree with the naive model")
struct SnapshotHistoryTests {
  /// Runs a history; copies are kept, looked at again at the end, and compared with what came later.
  static func run(seed: UInt64, steps: Int, items: Int, sections: Int, checkEvery: Int = 1) {
    var generator = SplitMix(seed: seed)
    var judge = SnapshotJudge()
    var kept = [judge]
    var trail: [SnapshotEdit] = []
    for step in 0..<steps {
      let edit = SnapshotEdit.random(items: items, sections: sections, using: &generator)
      trail.append(edit)
      var problem = judge.run(edit)
      if step % checkEvery == 0, problem == nil {
        problem = judge.disagreement(items: items, sections: sections)
        if problem == nil, let old = kept.randomElement(using: &generator) {
          problem = judge.differenceDisagreement(from: old)
        }
      }
      if let problem {
        Issue.record("seed \(seed), step \(step): \(problem). The last edits: \(trail.suffix(4))")
        return
      }
      if Int.random(in: 0..<4, using: &generator) == 0 {
        kept.append(judge)
        if kept.count > 6 { kept.remove(at: Int.random(in: 0..<6, using: &generator)) }
      }
      // Now and then the history goes on from an older version.
      if Int.random(in: 0..<30, using: &generator) == 0, let old = kept.randomElement(using: &generator) {
        judge = old
      }
    }
    for old in kept {
      if let problem = old.disagreement(items: items, sections: sections) {
        Issue.record("seed \(seed): a kept copy changed: \(problem)")
        return
      }
    }
  }

  @Test("short histories of few items", arguments: 0..<120 as Range<UInt64>)
  func short(seed: UInt64) { Self.run(seed: seed, steps: 120, items: 12, sections: 4) }

  @Test("histories of many items", arguments: 1000..<1012 as Range<UInt64>)
  func long(seed: UInt64) { Self.run(seed: seed, steps: 150, items: 600, sections: 5, checkEvery: 5) }
}
