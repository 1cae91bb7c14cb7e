import _TestTools
import Snapshots
import Testing

private typealias Counted = CountedID

/// The promised costs of operations, compared with counts and not with the clock.
@Suite("The cost of operations, counted")
struct SnapshotCostTests {
  private let tally = CountedID.Tally()

  private func ids(_ numbers: some Sequence<Int>) -> [Counted] { tally.ids(numbers) }

  private func snapshot(_ count: Int) throws -> DiffableSnapshot<Int, Counted> {
    try DiffableSnapshot(
      sections: (0..<10).map { ($0, ids(count * $0 / 10..<count * ($0 + 1) / 10)) })
  }

  #if DEBUG
    @Test("An edit of a copy touches a path and not the list", arguments: [1000, 50_000])
    func edit(count: Int) throws {
      let base = try snapshot(count)
      let item = ids([count / 2])[0]
      let other = ids([count / 3])[0]
      let fresh = ids([-1])
      let edits: [(inout DiffableSnapshot<Int, Counted>) throws -> Void] = [
        { try $0.insertItems(fresh, beforeItem: item) },
        { $0.deleteItems([item]) },
        { try $0.moveItem(item, beforeItem: other) },
        { try $0.appendItems(fresh) },
        { try $0.moveItem(item, to: ListIndexPath(item: 3, section: 7)) },
        { try $0.moveSection(3, afterSection: 8) },
      ]
      for (number, edit) in edits.enumerated() {
        var copy = base
        var visits = 0
        let cost = try tally.count { visits = try TreeCounters.visits { try edit(&copy) } }
        #expect(visits <= 40, "edit \(number)")
        #expect(cost.hashes <= 12 && cost.comparisons <= 12, "edit \(number)")
        let difference = tally.count {
          visits = TreeCounters.visits { #expect(copy.difference(from: base).changesStructure) }
        }
        // A node that is not shared has at most 128 elements or 32 children to look at.
        #expect(visits <= 300, "difference after edit \(number)")
        #expect(difference.hashes <= 8 && difference.comparisons <= 1000, "difference after edit \(number)")
      }
    }

    @Test("A look-up hashes once and descends once")
    func lookUp() throws {
      let base = try snapshot(50_000)
      let item = ids([31_000])[0]
      var visits = 0
      let cost = tally.count { visits = TreeCounters.visits { #expect(base.indexOfItem(item) == 31_000) } }
      #expect(cost.hashes == 1 && cost.comparisons == 1)
      #expect(visits <= 8)
      #expect(TreeCounters.visits { base.items[40_000] } <= 8)
    }

    @Test("The difference after scattered edits follows their number, not the length")
    func scattered() throws {
      var visits: [Int] = []
      var hashes: [Int] = []
      for count in [5000, 50_000] {
        let base = try snapshot(count)
        var copy = base
        var generator = SplitMix(seed: 11)
        for number in 0..<40 {
          let item = ids([Int.random(in: 0..<count, using: &generator)])
          switch number % 3 {
          case 0: try copy.insertItems(ids([-1 - number]), beforeItem: ids([number * 31])[0])
          case 1: copy.deleteItems(item)
          default: try copy.appendItems(item, toSection: number % 10)
          }
        }
        let cost = tally.count { visits.append(TreeCounters.visits { _ = copy.difference(from: base) }) }
        hashes.append(cost.hashes)
      }
      #expect(hashes[1] <= 300)
      #expect(visits[1] <= 40 * 64)
    }
  #endif

  @Test("Snapshots stay related when what changed is folded into a new table")
  func folding() throws {
    var snapshot = try snapshot(5000)
    // More edits than fit above the table.
    for number in 0..<700 {
      let before = snapshot
      try snapshot.appendItems(ids([number * 7]), toSection: 9)
      let cost = tally.count { #expect(snapshot.difference(from: before).movedItems.count == 1) }
      #expect(cost.hashes <= 8 && cost.comparisons <= 1500)
    }
  }

  @Test("However much was changed beside a copy, a look-up soon costs no more than before")
  func folded() throws {
    var snapshot = try snapshot(5000)
    let copy = snapshot
    for number in 0..<700 { try snapshot.appendItems(ids([5000 + number]), toSection: number % 10) }
    let item = ids([300])[0]
    let cost = tally.count { #expect(snapshot.containsItem(item) && copy.containsItem(item)) }
    // One by each.
    #expect(cost.hashes == 2)
  }

  @Test("Copies of one version have what changed folded into one new table")
  func foldedOnce() throws {
    var snapshot = try snapshot(5000)
    let original = snapshot
    for number in 0..<600 { try snapshot.appendItems(ids([5000 + number])) }
    var hashes = 0
    // In these steps the changes become more than fit above the table.
    for number in 600..<660 {
      for copy in Array(repeating: snapshot, count: 5) {
        var other = copy
        hashes += try tally.count { try other.appendItems(ids([9000])) }.hashes
      }
      try snapshot.appendItems(ids([5000 + number]))
    }
    #expect(hashes <= 2 * 5660)
    #expect(original.numberOfItems == 5000 && snapshot.numberOfItems == 5660)
  }

  @Test("Building hashes every item once")
  func build() throws {
    let items = ids(0..<20_000)
    let cost = try tally.count { _ = try DiffableSnapshot(sections: [(0, items)]) }
    #expect(cost.hashes == 20_000)
    #expect(cost.comparisons < 200)
  }

  @Test("Appending one by one hashes a few times an item, however many there are")
  func append() throws {
    let items = ids(0..<20_000)
    let cost = try tally.count {
      var snapshot = DiffableSnapshot<Int, Counted>()
      try snapshot.appendSections([0])
      for item in items { try snapshot.appendItems([item]) }
      #expect(snapshot.numberOfItems == 20_000)
    }
    #expect(cost.hashes <= 80_000)
    #expect(cost.comparisons <= 60_000)
  }

  @Test("Unrelated snapshots are compared in linear time")
  func unrelated() throws {
    let base = try snapshot(20_000)
    var generator = SplitMix(seed: 5)
    let other = try DiffableSnapshot(sections: [(0, ids((0..<20_000).shuffled(using: &generator)))])
    let cost = tally.count { #expect(other.difference(from: base).movedItems.count > 10_000) }
    #expect(cost.hashes <= 40_000)
    #expect(cost.comparisons <= 20_000 * 16)
    // Within one section the two are traversed side by side once, which does not help, and then hashed.
    let before = try DiffableSnapshot(sections: [(0, ids(0..<20_000))])
    let shuffled = tally.count { #expect(other.difference(from: before).movedItems.count > 19_000) }
    #expect(shuffled.hashes <= 48_000)
    #expect(shuffled.comparisons <= 20_000 * 16)
    // What a section with another name takes over is found without hashing.
    let renamed = try DiffableSnapshot(sections: [(1, ids(0..<20_000))])
    let moved = tally.count { #expect(renamed.difference(from: before).movedItems.count == 20_000) }
    #expect(moved.hashes == 0)
    #expect(moved.comparisons == 20_000)
    let same = try snapshot(20_000)
    let equal = tally.count { #expect(same.difference(from: base).isEmpty) }
    #expect(equal.hashes == 0)
    #expect(equal.comparisons == 20_000)
  }

  @Test("A block that comes or goes puts unrelated snapshots out of step for no longer than it is")
  func outOfStep() throws {
    let few = try DiffableSnapshot(sections: [(0, ids(0..<20_000))])
    let many = try DiffableSnapshot(sections: [
      (0, ids(0..<10_000) + ids(30_000..<30_500) + ids(10_000..<20_000))
    ])
    let coming = tally.count { #expect(many.difference(from: few).insertedItems.count == 500) }
    let going = tally.count { #expect(few.difference(from: many).deletedItems.count == 500) }
    for cost in [coming, going] { #expect(cost.hashes <= 1_000 && cost.comparisons <= 25_000) }
  }

  @Test("Inserting at one position again and again finds room")
  func onePlace() throws {
    var snapshot = try DiffableSnapshot(sections: [(0, ids(0..<1000))])
    let anchor = ids([500])[0]
    let items = ids(10_000..<15_000)
    let cost = try tally.count {
      for item in items { try snapshot.insertItems([item], beforeItem: anchor) }
    }
    #expect(snapshot.items[499] == ids([499])[0] && snapshot.items[500] == items[0])
    #expect(cost.hashes <= 5000 * 60)
    #if DEBUG
      #expect(snapshot.brokenInvariants.isEmpty)
    #endif
  }
}
