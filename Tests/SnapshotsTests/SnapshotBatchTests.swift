import _TestTools
import Testing

@testable import Snapshots

@Suite("Batches of known index paths")
struct SnapshotBatchTests {
  /// A batch that a seed determines, on lists of sections, and the lists after it.
  static func random(
    _ lists: [[Int]], fresh: inout Int, share: Int, using random: inout SplitMix
  ) -> (batch: SnapshotBatch<Int>, after: [[Int]]) {
    var batch = SnapshotBatch<Int>()
    var gone: [Int: Int] = [:]
    for (section, items) in lists.enumerated() {
      // Mostly one item stays at least; now and then none does.
      let stays = Int.random(in: 0...items.count, using: &random)
      for (index, item) in items.enumerated()
      where index != stays && Int.random(in: 0..<100, using: &random) < share {
        gone[item] = batch.departures.count
        batch.departures.append(.init(id: item, path: ListIndexPath(item: index, section: section)))
      }
    }
    var coming = batch.departures.map(\.id).filter { _ in Int.random(in: 0..<4, using: &random) > 0 }
    let most = batch.departures.count + 3
    for _ in 0..<Int.random(in: 0...most, using: &random) {
      coming.append(fresh)
      fresh += 1
    }
    coming.shuffle(using: &random)
    var after: [[Int]] = []
    for (section, items) in lists.enumerated() {
      let isLast = section == lists.count - 1
      let count = isLast ? coming.count : Int.random(in: 0...coming.count, using: &random)
      // Now and then all of them come to one position.
      let index = Int.random(in: 0...items.count, using: &random)
      let isCrowd = Int.random(in: 0..<3, using: &random) == 0
      let befores = (0..<count).map { _ in isCrowd ? index : Int.random(in: 0...items.count, using: &random) }
        .sorted()
      var list: [Int] = []
      var next = 0
      for before in 0...items.count {
        while next < befores.count, befores[next] == before {
          let id = coming.removeLast()
          batch.arrivals.append(
            .init(
              id: id, before: ListIndexPath(item: before, section: section),
              path: ListIndexPath(item: list.count, section: section), departure: gone[id]))
          list.append(id)
          next += 1
        }
        if before < items.count, gone[items[before]] == nil { list.append(items[before]) }
      }
      after.append(list)
    }
    return (batch, after)
  }

  @Test("Items at positions are those of all sections, one after another")
  func itemsAtPositions() throws {
    let lists = [Array(0..<300), [], [300], Array(301..<700)]
    let snapshot = try DiffableSnapshot<Int, Int>(sections: Array(zip(0..., lists)))
    for (low, high) in [(0, 700), (0, 0), (700, 700), (127, 129), (299, 302), (300, 301), (250, 699)] {
      #expect(snapshot.items(at: low..<high) == Array(low..<high))
    }
  }

  @Test(
    "A batch leads where its index paths say, is told as it is, and leaves nothing broken",
    arguments: inTurns(Array(1...40) as [UInt64], of: 2))
  func law(_ seed: UInt64) throws {
    var random = SplitMix(seed: seed)
    let sections = Int.random(in: 1...4, using: &random)
    let size = [3, 40, 700][Int(seed % 3)]
    var lists = (0..<sections).map { section in (0..<size).map { section * size + $0 } }
    var fresh = sections * size
    func snapshot(_ lists: [[Int]]) throws -> DiffableSnapshot<String, Int> {
      try DiffableSnapshot(sections: lists.enumerated().map { ("\($0)", $1) })
    }
    var current = try snapshot(lists)
    for step in 0..<25 {
      let before = current
      let share = [0, 2, 30, 100][Int.random(in: 0..<4, using: &random)]
      let (batch, after) = Self.random(lists, fresh: &fresh, share: share, using: &random)
      let difference = current.perform(batch)
      let expected = try snapshot(after)
      #expect(current == expected, "seed \(seed), step \(step)")
      #expect(current.brokenInvariants == [], "seed \(seed), step \(step)")
      #expect(before == (try snapshot(lists)), "seed \(seed), step \(step): a copy changed")
      #expect(try before.applying(difference) == expected, "seed \(seed), step \(step)")
      // As few moves as comparing would find.
      let compared = expected.difference(from: try snapshot(lists))
      #expect(difference.movedItems.count == compared.movedItems.count, "seed \(seed), step \(step)")
      #expect(difference.movedItems == difference.movedItems.sorted { $0.to < $1.to }, "seed \(seed)")
      #expect(difference.deletedItems == compared.deletedItems)
      #expect(difference.insertedItems == compared.insertedItems)
      lists = after
      // A list that has become large or small begins again.
      if lists.joined().count > 4_000 { return }
    }
  }

  @Test("Items that leave lose their marks, and those that only move keep them")
  func marks() throws {
    var current: DiffableSnapshot<String, Int> = ["a": [1, 2, 3, 4], "b": [5]]
    try current.reloadItems([1, 2])
    try current.reconfigureItems([3, 4])
    var batch = SnapshotBatch<Int>()
    batch.departures = (0..<4).map { .init(id: $0 + 1, path: ListIndexPath(item: $0, section: 0)) }
    batch.arrivals = [(2, 1), (4, 3)].enumerated().map { index, coming in
      .init(
        id: coming.0, before: ListIndexPath(item: 0, section: 1),
        path: ListIndexPath(item: index, section: 1), departure: coming.1)
    }
    _ = current.perform(batch)
    #expect(current == ["a": [], "b": [2, 4, 5]])
    #expect(current.reloadedItemIdentifiers == [2] && current.reconfiguredItemIdentifiers == [4])
  }

  @Test("What is at a position is found, and its index path, also where sections are many and some are empty")
  func indexPaths() throws {
    let lists = (0..<1_000).map { section in (0..<section % 4).map { section * 10 + $0 } }
    let current = try DiffableSnapshot(sections: lists.enumerated().map { ("\($0)", $1) })
    var position = 0
    for (section, list) in lists.enumerated() {
      let extent = try #require(current.extent(ofSection: "\(section)"))
      #expect(extent == (section, position, list.count))
      for (item, id) in list.enumerated() {
        for location in [current.location(at: position), current.location(ofItem: id)] {
          let location = try #require(location)
          #expect(location.position == position && location.section == "\(section)")
          #expect(location.path == ListIndexPath(item: item, section: section))
        }
        position += 1
      }
    }
    #expect(current.location(at: -1) == nil && current.location(at: position) == nil)
  }

  @Test("Items that come to one position again and again get labels where there is no room for them")
  func noRoom() throws {
    var current = try DiffableSnapshot(sections: [("a", Array(0..<50))])
    for number in 1...60 {
      var batch = SnapshotBatch<Int>()
      batch.arrivals = (0..<3).map { index in
        .init(
          id: number * 100 + index, before: ListIndexPath(item: 25, section: 0),
          path: ListIndexPath(item: 25 + index, section: 0), departure: nil)
      }
      let difference = current.perform(batch)
      #expect(difference.insertedItems.map(\.path.item) == [25, 26, 27] && difference.movedItems.isEmpty)
    }
    let middle = (1...60).reversed().flatMap { number in (0..<3).map { number * 100 + $0 } }
    #expect(current == ["a": Array(0..<25) + middle + Array(25..<50)])
    #expect(current.brokenInvariants == [])
  }

  @Test("A batch copies what is on the way to its items once, however many there are")
  func cost() throws {
    let size = 100_000
    let original = try DiffableSnapshot(sections: [("a", Array(0..<size))])
    func visits(_ count: Int) -> Int {
      var batch = SnapshotBatch<Int>()
      for number in 0..<count {
        // All in one leaf.
        let index = number
        batch.departures.append(.init(id: index, path: ListIndexPath(item: index, section: 0)))
        batch.arrivals.append(
          .init(
            id: index, before: ListIndexPath(item: index, section: 0),
            path: ListIndexPath(item: index, section: 0), departure: number))
      }
      var copy = original
      return TreeCounters.visits { _ = copy.perform(batch) }
    }
    #expect(visits(50) == visits(1))
  }

  #if DEBUG
    @Test("A batch that thins a list out leaves no crumbs of leaves")
    func thinned() throws {
      var current = try DiffableSnapshot(sections: [("a", Array(0..<10_000))])
      var batch = SnapshotBatch<Int>()
      for index in 0..<10_000 where index % 10 > 0 {
        batch.departures.append(.init(id: index, path: ListIndexPath(item: index, section: 0)))
      }
      _ = current.perform(batch)
      #expect(current.itemIdentifiers == Array(stride(from: 0, to: 10_000, by: 10)))
      #expect(current.leafEdges.items[0].count <= 1_000 / (TreeShape.leafCapacity / 4))
    }
  #endif
}
