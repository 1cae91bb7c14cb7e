import _TestTools
import Snapshots
import Testing

/// Random histories of edits, run on the snapshot and on the naive model of it.
@Suite("Histories of edits agree with the naive model")
struct SnapshotHistoryTests {
  /// Runs a history; earlier copies are looked at again at the end, and compared with what came later.
  static func run(seed: UInt64, steps: Int, items: Int, sections: Int, checkEvery: Int = 1) {
    var generator = SplitMix(seed: seed)
    var checker = SnapshotChecker()
    var earlier = [checker]
    var trail: [SnapshotEdit] = []
    for step in 0..<steps {
      let edit = SnapshotEdit.random(items: items, sections: sections, using: &generator)
      trail.append(edit)
      var problem = checker.run(edit)
      if step % checkEvery == 0, problem == nil {
        problem = checker.disagreement(items: items, sections: sections)
        if problem == nil, let old = earlier.randomElement(using: &generator) {
          problem = checker.differenceDisagreement(from: old)
        }
      }
      if let problem {
        Issue.record("seed \(seed), step \(step): \(problem). The last edits: \(trail.suffix(4))")
        return
      }
      if Int.random(in: 0..<4, using: &generator) == 0 {
        earlier.append(checker)
        if earlier.count > 6 { earlier.remove(at: Int.random(in: 0..<6, using: &generator)) }
      }
      // Now and then the history goes on from an older version.
      if Int.random(in: 0..<30, using: &generator) == 0, let old = earlier.randomElement(using: &generator) {
        checker = old
      }
    }
    for old in earlier {
      if let problem = old.disagreement(items: items, sections: sections) {
        Issue.record("seed \(seed): an earlier copy changed: \(problem)")
        return
      }
    }
  }

  @Test("Short histories of few items", arguments: inTurns(Array(0..<120) as [UInt64], of: 2))
  func short(seed: UInt64) { Self.run(seed: seed, steps: 120, items: 12, sections: 4) }

  @Test("Histories of many items", arguments: 1000..<1012 as Range<UInt64>)
  func long(seed: UInt64) { Self.run(seed: seed, steps: 150, items: 600, sections: 5, checkEvery: 5) }

  @Test("Histories of a snapshot that is written to in place", arguments: 0..<80 as Range<UInt64>)
  func unshared(seed: UInt64) {
    Self.runUnshared(seed: seed, steps: 120, items: seed % 4 == 0 ? 60 : 12, sections: 4, holds: false)
  }

  @Test("Histories of a snapshot whose copies come and go", arguments: 100..<180 as Range<UInt64>)
  func held(seed: UInt64) {
    Self.runUnshared(seed: seed, steps: 120, items: seed % 4 == 0 ? 60 : 12, sections: 4, holds: true)
  }

  /// Runs a history on a snapshot of which nobody has a copy while it is edited.
  ///
  /// - Parameter holds: Whether a copy is held now and then: what changes meanwhile lies above what the two share,
  ///   and still lies there when the copy is gone.
  static func runUnshared(seed: UInt64, steps: Int, items: Int, sections: Int, holds: Bool) {
    var generator = SplitMix(seed: seed)
    var real = DiffableSnapshot<Int, Int>()
    var naive = NaiveSnapshot<Int, Int>()
    var held: (real: DiffableSnapshot<Int, Int>, naive: NaiveSnapshot<Int, Int>)?
    var trail: [SnapshotEdit] = []
    for step in 0..<steps {
      if holds {
        switch Int.random(in: 0..<8, using: &generator) {
        case 0: held = (real, naive)
        case 1: held = nil
        default: break
        }
      }
      let edit = SnapshotEdit.random(items: items, sections: sections, using: &generator)
      trail.append(edit)
      let refusals = (refusal(of: edit, by: &real), refusal(of: edit, by: &naive))
      let problem =
        refusals.0 == refusals.1
        ? disagreement(real, naive, items: items) : "threw \(refusals.0 as Any), not \(refusals.1 as Any)"
      if let problem = problem ?? held.flatMap({ disagreement($0.real, $0.naive, items: items) }) {
        Issue.record("seed \(seed), step \(step): \(problem). The last edits: \(trail.suffix(4))")
        return
      }
    }
  }

  private static func refusal(
    of edit: SnapshotEdit, by snapshot: inout some EditableSnapshot
  ) -> SnapshotError<Int, Int>? {
    do throws(SnapshotError<Int, Int>) { try edit.run(on: &snapshot) } catch { return error }
    return nil
  }

  private static func disagreement(
    _ real: DiffableSnapshot<Int, Int>, _ naive: NaiveSnapshot<Int, Int>, items: Int
  ) -> String? {
    #if DEBUG
      if let broken = real.brokenInvariants.first { return broken }
    #endif
    if real.sectionIdentifiers != naive.sectionIdentifiers { return "sectionIdentifiers" }
    if real.sections.map({ Array($0.items) }) != naive.contents.map({ $0.1 }) { return "items of sections" }
    if real.reloadedItemIdentifiers != naive.reloadedItemIdentifiers { return "reloaded items" }
    if real.reloadedSectionIdentifiers != naive.reloadedSectionIdentifiers { return "reloaded sections" }
    if real.reconfiguredItemIdentifiers != naive.reconfiguredItemIdentifiers { return "reconfigured items" }
    for item in 0..<items {
      let path = naive.indexPath(ofItem: item)
      if real.indexPath(ofItem: item) != path { return "indexPath(ofItem: \(item))" }
      if real.containsItem(item) != (path != nil) { return "containsItem(\(item))" }
    }
    return nil
  }
}
