import _TestTools
import Testing

@testable import Snapshots

/// Identifiers whose hashes are the same, which no table may take for one another.
@Suite("Items with one hash")
struct SharedHashTests {
  struct Crowded: Hashable, Sendable {
    var number: Int

    func hash(into hasher: inout Hasher) { hasher.combine(number % 3) }
  }

  @Test("A snapshot and its copies find each item and each mark", arguments: 0..<30 as Range<UInt64>)
  func histories(seed: UInt64) throws {
    var generator = SplitMix(seed: seed)
    var snapshot = DiffableSnapshot<Int, Crowded>()
    try snapshot.appendSections([0])
    var items: [Crowded] = []
    var marks: [Crowded] = []
    var copies: [(snapshot: DiffableSnapshot<Int, Crowded>, items: [Crowded], marks: [Crowded])] = []
    for step in 0..<200 {
      let item = Crowded(number: Int.random(in: 0..<40, using: &generator))
      let index = Int.random(in: 0...items.count, using: &generator)
      switch (Int.random(in: 0..<6, using: &generator), items.firstIndex(of: item)) {
      case (0...2, nil):
        try snapshot.insertItems([item], at: ListIndexPath(item: index, section: 0))
        items.insert(item, at: index)
      case (0...1, let old?):
        snapshot.deleteItems([item])
        items.remove(at: old)
        marks.removeAll { $0 == item }
      case (2...3, let old?):
        items.remove(at: old)
        let index = min(index, items.count)
        try snapshot.moveItem(item, to: ListIndexPath(item: index, section: 0))
        items.insert(item, at: index)
      case (4, _?):
        try snapshot.reloadItems([item])
        if !marks.contains(item) { marks.append(item) }
      default: copies.append((snapshot, items, marks))
      }
      #expect(snapshot.brokenInvariants == [], "seed \(seed), step \(step)")
    }
    for (snapshot, items, marks) in copies + [(snapshot, items, marks)] {
      #expect(Array(snapshot.items) == items && snapshot.reloadedItemIdentifiers == marks, "seed \(seed)")
      for number in 0..<40 {
        let item = Crowded(number: number)
        #expect(snapshot.indexOfItem(item) == items.firstIndex(of: item), "seed \(seed), \(item)")
      }
    }
  }
}
