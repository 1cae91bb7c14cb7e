import Testing

@testable import Snapshots

/// Cases that random histories hardly ever come to: labels and slots that have run out or look like others.
@Suite("Labels and slots at their limits")
struct SnapshotRoomTests {
  typealias Numbers = DiffableSnapshot<Int, Int>

  @Test("Blocks find room where single items have used it up", arguments: [0, 499, 500, 999])
  func blocks(anchor: Int) throws {
    var snapshot = try Numbers(sections: [(0, Array(0..<1000))])
    var expected = Array(0..<anchor)
    var next = 1000
    for round in 0..<60 {
      // Each takes half of the gap before the anchor, so that soon there is none.
      for size in [Int](repeating: 1, count: 24) + [7 + round * 5] {
        let new = Array(next..<next + size)
        next += size
        expected += new
        try snapshot.insertItems(new, beforeItem: anchor)
      }
    }
    expected += anchor..<1000
    #expect(snapshot.itemIdentifiers == expected)
    #expect(expected.enumerated().allSatisfy { snapshot.indexOfItem($1) == $0 })
    #if DEBUG
      #expect(snapshot.brokenInvariants.isEmpty)
    #endif
  }

  @Test("The same after the anchor")
  func blocksAfter() throws {
    var snapshot = try Numbers(sections: [(0, Array(0..<1000))])
    var between: [Int] = []
    var next = 1000
    for round in 0..<60 {
      for size in [Int](repeating: 1, count: 24) + [7 + round * 5] {
        let new = Array(next..<next + size)
        next += size
        between = new + between
        try snapshot.insertItems(new, afterItem: 300)
      }
    }
    #expect(snapshot.itemIdentifiers == Array(0...300) + between + Array(301..<1000))
    #if DEBUG
      #expect(snapshot.brokenInvariants.isEmpty)
    #endif
  }

  @Test("A slot that was vacated is not taken for one of an item whose hash looks like it")
  func vacatedSlot() throws {
    // Three thousand items have a table of 2¹² slots, which note the upper twenty of 32 bits of the hash. A vacated
    // slot is all ones, as are these bits of one number in a million.
    var snapshot = try Numbers(sections: [(0, Array(0..<3000))])
    let unlucky = try #require((3000...).first { UInt32(truncatingIfNeeded: $0.hashValue) >> 12 == 0xF_FFFF })
    for _ in 0..<2 {
      try snapshot.appendItems([unlucky])
      #expect(snapshot.indexOfItem(unlucky) == 3000)
      snapshot.deleteItems([unlucky])
      #expect(!snapshot.containsItem(unlucky))
    }
    #expect(snapshot.numberOfItems == 3000)
  }

  @Test(
    "Where room is short labels move closer together, and where there is none it is said", arguments: [1, 3])
  func shortOfRoom(count: Int) {
    let usual = LabelSpace.step(for: 2 + count)
    let parts = UInt64(count) + 1
    for room in [1, parts - 1, parts, usual, usual + 1, usual * parts - 1, usual * parts, usual * parts + 1] {
      let last = OrderTree([ItemElement(id: 0)], first: LabelSpace.end - room, step: 1)
      let first = OrderTree([ItemElement(id: 0)], first: room, step: 1)
      let two = OrderTree([ItemElement(id: 0), ItemElement(id: 1)], first: 1, step: room)
      for (tree, position, low, high) in [
        (last, 1, LabelSpace.end - room, LabelSpace.end), (first, 0, 0, room), (two, 1, 1, 1 + room),
      ] {
        guard let free = tree.freeLabels(for: count, at: position) else {
          #expect(room < parts, "\(room) between \(low) and \(high)")
          continue
        }
        #expect(low < free.first && free.step > 0, "between \(low) and \(high)")
        #expect(free.first + free.step * UInt64(count - 1) < high, "between \(low) and \(high)")
      }
    }
  }

  @Test(
    "The labels of a new list lie within their space, however long it is",
    arguments: [1, 2, 1 << 20 - 1, 1 << 20, 1 << 22, 1 << 30, 1 << 36])
  func newLabels(count: Int) {
    let first = LabelSpace.first(for: count)
    let step = LabelSpace.step(for: count)
    #expect(step > 0 && first > 0 && first + step * UInt64(count - 1) < LabelSpace.end)
  }

  @Test("A copy does not learn of what is added after other additions were taken back")
  func takenBack() throws {
    var snapshot = try Numbers(sections: [(0, Array(0..<20)), (1, [])])
    let copy = snapshot
    for item in 100..<110 {
      // Nothing is left of this above the table that the two share.
      try snapshot.appendItems([item])
      snapshot.deleteItems([item])
      try snapshot.appendItems([200 + item])
      #expect(!copy.containsItem(200 + item) && snapshot.containsItem(200 + item))
      snapshot.deleteItems([200 + item])
    }
    var other = copy
    try other.appendItems([300], toSection: 0)
    #expect(copy == [0: Array(0..<20), 1: []] && other == [0: Array(0..<20) + [300], 1: []])
  }

  @Test(
    "What is put in after a fold is not seen by a copy, and what was deleted before it does not come back")
  func fold() throws {
    var snapshot = try Numbers(sections: [(0, Array(0..<300)), (1, Array(300..<310))])
    snapshot.deleteItems([0, 1, 2])
    let copy = snapshot
    // More than fits above the table that the two share.
    snapshot.deleteItems(Array(100..<200))
    #expect((0..<3).allSatisfy { !snapshot.containsItem($0) })
    try snapshot.appendItems([1000], toSection: 1)
    try snapshot.appendItems([1], toSection: 1)
    #expect(snapshot == [0: Array(3..<100) + Array(200..<300), 1: Array(300..<310) + [1000, 1]])
    #expect(copy == [0: Array(3..<300), 1: Array(300..<310)])
    #if DEBUG
      #expect(snapshot.brokenInvariants == [] && copy.brokenInvariants == [])
    #endif
  }

  @Test("The first items of leaves go and come, and all labels that lead there follow")
  func starts() throws {
    var snapshot = try Numbers(sections: [(0, Array(0..<1000))])
    var expected = Array(0..<1000)
    for round in 0..<40 {
      let new = 1000 + round
      try snapshot.insertItems([new], at: ListIndexPath(item: 0, section: 0))
      expected.insert(new, at: 0)
      #if DEBUG
        #expect(snapshot.brokenInvariants == [], "round \(round)")
        for start in snapshot.leafEdges.items[0].reversed() {
          snapshot.deleteItems([expected.remove(at: start)])
          #expect(snapshot.brokenInvariants == [], "round \(round), leaf at \(start)")
        }
      #endif
    }
    #expect(snapshot.itemIdentifiers == expected)
  }

  @Test("A leaf that takes in its neighbour is not that of a copy")
  func joined() throws {
    var snapshot = try Numbers(sections: [(0, Array(0..<400))])
    // The first leaf is small, and has no room for the second.
    snapshot.deleteItems(Array(0..<80))
    let copy = snapshot
    snapshot.deleteItems(Array(100..<160))
    #expect(snapshot.itemIdentifiers == Array(80..<100) + Array(160..<400))
    #expect(copy.itemIdentifiers == Array(80..<400))
    #if DEBUG
      #expect(snapshot.leafEdges.items[0].count < copy.leafEdges.items[0].count)
      #expect(snapshot.brokenInvariants == [] && copy.brokenInvariants == [])
    #endif
  }
}
