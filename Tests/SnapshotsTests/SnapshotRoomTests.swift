import Snapshots
import Testing

/// Cases that random histories hardly ever come to: labels and slots that have run out or look like others.
@Suite("Labels and slots at their limits")
struct SnapshotRoomTests {
  typealias Numbers = DiffableSnapshot<Int, Int>

  @Test("blocks find room where single items have used it up", arguments: [0, 499, 500, 999])
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

  @Test("the same after the anchor")
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

  @Test("a slot that was vacated is not taken for one of an item whose hash looks like it")
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
}
