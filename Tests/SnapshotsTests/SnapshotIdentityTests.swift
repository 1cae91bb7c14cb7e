import _TestTools
import Testing

@testable import Snapshots

@Suite("Where snapshots find their items")
struct SnapshotIdentityTests {
  @Test("An item that is put in at a position again is found, after a block that made the table grow")
  func staleClaim() throws {
    var snapshot = try DiffableSnapshot<Int, Int>(sections: [(0, Array(0..<40))])
    // Five entries of the table are vacated; the block does not fit, so that the table is laid out anew meanwhile.
    snapshot.deleteItems([0, 1, 2, 3, 4])
    try snapshot.appendItems(Array(100..<120))
    let start = ListIndexPath(item: 0, section: 0)
    for item in 200..<205 { try snapshot.insertItems([item], at: start) }
    for item in 200..<205 {
      snapshot.deleteItems([item])
      try snapshot.insertItems([item], at: start)
      #expect(snapshot.containsItem(item))
    }
    #expect(snapshot.brokenInvariants == [])
  }

  @Test("A copy has what was changed since an earlier copy had it folded")
  func staleFold() throws {
    var snapshot = try DiffableSnapshot<Int, Int>(sections: [(0, Array(0..<100))])
    let first = snapshot
    for item in 100..<165 { try snapshot.appendItems([item]) }
    do {
      // What changed is more than fits above the table, and the copy folds it.
      var copy = snapshot
      try copy.appendItems([1000])
    }
    try snapshot.appendItems([165])
    var second = snapshot
    try second.appendItems([1001])
    for item in 166..<300 {
      try snapshot.appendItems([item])
      var copy = snapshot
      try copy.appendItems([1002])
      #expect(copy.brokenInvariants == [])
    }
    #expect(first.numberOfItems == 100 && second.numberOfItems == 167)
  }
}
