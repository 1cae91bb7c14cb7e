import LiveListsTestSupport
import Testing

@testable import Snapshots

/// Random histories of edits, run on the snapshot and on the naive model of it.
@Suite("Histories of edits agree with the naive model")
struct SnapshotHistoryTests {
  typealias Pair = (real: DiffableSnapshot<Int, Int>, naive: NaiveSnapshot<Int, Int>)

  /// What the two disagree about, after everything that can be asked has been.
  static func disagreement(_ pair: Pair, items: Int, sections: Int) -> String? {
    let (real, naive) = pair
    if let broken = real.brokenInvariants.first { return broken }
    if real.sectionIdentifiers != naive.sectionIdentifiers { return "sectionIdentifiers" }
    if real.itemIdentifiers != naive.itemIdentifiers { return "itemIdentifiers" }
    if real.numberOfItems != naive.numberOfItems { return "numberOfItems" }
    if real.numberOfSections != naive.numberOfSections { return "numberOfSections" }
    if real.reloadedItemIdentifiers != naive.reloadedItemIdentifiers { return "reloadedItemIdentifiers" }
    if real.reloadedSectionIdentifiers != naive.reloadedSectionIdentifiers { return "reloaded sections" }
    if real.reconfiguredItemIdentifiers != naive.reconfiguredItemIdentifiers { return "reconfigured" }
    if Array(real.items.indices.map { real.items[$0] }) != naive.itemIdentifiers {
      return "items by position"
    }
    for section in -1...sections {
      if real.indexOfSection(section) != naive.indexOfSection(section) { return "indexOfSection" }
      let left = Result { () throws(SnapshotError<Int, Int>) in
        try real.itemIdentifiers(inSection: section)
      }
      let right = Result { () throws(SnapshotError<Int, Int>) in
        try naive.itemIdentifiers(inSection: section)
      }
      if left != right { return "itemIdentifiers(inSection:)" }
      if (try? real.numberOfItems(inSection: section)) != (try? naive.numberOfItems(inSection: section)) {
        return "numberOfItems(inSection:)"
      }
    }
    for (section, expected) in zip(real.sections, naive.contents)
    where section.id != expected.0
      || Array(section.items) != expected.1 || section.items.indices.map({ section.items[$0] }) != expected.1
    { return "sections" }
    for item in 0...items {
      if real.sectionIdentifier(containingItem: item) != naive.sectionIdentifier(containingItem: item) {
        return "sectionIdentifier(containingItem:)"
      }
    }
    for item in stride(from: 0, through: items, by: max(1, items / 40)) {
      if real.indexOfItem(item) != naive.indexOfItem(item) { return "indexOfItem" }
      let path = naive.indexPath(ofItem: item)
      if real.indexPath(ofItem: item) != path { return "indexPath(ofItem:)" }
      if let path, real.itemIdentifier(at: path) != item { return "itemIdentifier(at:)" }
    }
    return nil
  }

  /// Checks the difference of two snapshots against the naive one, and that it leads there and back.
  static func differenceDisagreement(from old: Pair, to new: Pair) -> String? {
    let difference = new.real.difference(from: old.real)
    let expected = new.naive.difference(from: old.naive)
    if difference.deletedSections != expected.deletedSections { return "deletedSections" }
    if difference.insertedSections != expected.insertedSections { return "insertedSections" }
    if difference.movedSections.count != expected.movedSections.count { return "moves of sections" }
    if difference.deletedItems != expected.deletedItems { return "deletedItems" }
    if difference.insertedItems != expected.insertedItems { return "insertedItems" }
    if difference.movedItems.count != expected.movedItems.count {
      return "\(difference.movedItems.count) moves of items, not \(expected.movedItems.count)"
    }
    if difference.movedItems != difference.movedItems.sorted(by: { $0.to < $1.to }) {
      return "order of moves"
    }
    guard let there = try? old.real.applying(difference), there == new.real,
      there.reloadedItemIdentifiers == new.real.reloadedItemIdentifiers
    else { return "applying" }
    if let broken = there.brokenInvariants.first { return broken }
    guard let back = try? new.real.applying(difference.inverse), back == old.real else { return "inverse" }
    guard let judged = try? old.naive.applying(difference), judged == new.naive else {
      return "naive applying"
    }
    return nil
  }

  /// Runs a history; copies are kept, looked at again at the end, and compared with what came later.
  static func run(seed: UInt64, steps: Int, items: Int, sections: Int, checkEvery: Int = 1) {
    var generator = SplitMix(seed: seed)
    var pair: Pair = (DiffableSnapshot(), NaiveSnapshot())
    var kept: [Pair] = [pair]
    var trail: [SnapshotEdit] = []
    for step in 0..<steps {
      let edit = SnapshotEdit.random(items: items, sections: sections, using: &generator)
      trail.append(edit)
      let before = pair.real
      let left = Result { () throws(SnapshotError<Int, Int>) in try edit.run(on: &pair.real) }
      let right = Result { () throws(SnapshotError<Int, Int>) in try edit.run(on: &pair.naive) }
      var problem: String?
      switch (left, right) {
      case (.success, .success): break
      case (.failure(let a), .failure(let b)):
        if a != b { problem = "threw \(a), not \(b)" }
        if pair.real != before { problem = "changed something although it threw" }
      case (.failure(let error), .success): problem = "threw \(error)"
      case (.success, .failure(let error)): problem = "did not throw \(error)"
      }
      if step % checkEvery == 0 || problem != nil {
        problem = problem ?? disagreement(pair, items: items, sections: sections)
        if let old = kept.randomElement(using: &generator) {
          problem = problem ?? differenceDisagreement(from: old, to: pair)
        }
      }
      if let problem {
        Issue.record("seed \(seed), step \(step): \(problem). The last edits: \(trail.suffix(4))")
        return
      }
      if Int.random(in: 0..<4, using: &generator) == 0 {
        kept.append(pair)
        if kept.count > 6 { kept.remove(at: Int.random(in: 0..<6, using: &generator)) }
      }
      // Now and then the history goes on from an older version.
      if Int.random(in: 0..<30, using: &generator) == 0, let old = kept.randomElement(using: &generator) {
        pair = old
      }
    }
    for old in kept {
      if let problem = disagreement(old, items: items, sections: sections) {
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
