import Snapshots
import Testing

/// Examples of reload and reconfigure marks that concern the value alone.
@Suite("Marking items and sections")
struct SnapshotMarkTests {
  var snapshot: Letters = ["A": [1, 2, 3], "B": [4, 5]]

  @Test("A mark moves with its item and does not take part in equality")
  mutating func moveMarked() throws {
    var plain = snapshot
    try plain.moveItem(2, afterItem: 4)
    try snapshot.reloadItems([2])
    try snapshot.moveItem(2, afterItem: 4)
    #expect(snapshot.reloadedItemIdentifiers == [2])
    #expect(snapshot == plain)
    #expect(snapshot.hashValue == plain.hashValue)
    #expect(snapshot.removingMarks().reloadedItemIdentifiers.isEmpty)
  }

  @Test("No mark of any kind takes part in equality or in the hash")
  func equality() throws {
    let marks: [(inout Letters) throws -> Void] = [
      { try $0.reloadItems([2]) }, { try $0.reconfigureItems([2]) }, { try $0.reloadSections(["A"]) },
    ]
    for mark in marks {
      var marked = snapshot
      try mark(&marked)
      #expect(marked.hasMarks && marked == snapshot && marked.hashValue == snapshot.hashValue)
    }
  }

  @Test("Marking an unknown item is refused, and marks nothing")
  func markStranger() {
    expectRefusal(snapshot, .unknownItem(99)) { try $0.reloadItems([2, 99]) }
    expectRefusal(snapshot, .unknownItem(99)) { try $0.reconfigureItems([2, 99]) }
    expectRefusal(snapshot, .unknownSection("Z")) {
      try $0.reloadSections(["A", "Z"])
    }
  }

  @Test("Reload wins over reconfigure, in either order")
  func reloadWins() throws {
    var first = snapshot
    try first.reconfigureItems([2])
    try first.reloadItems([2])
    var second = snapshot
    try second.reloadItems([2])
    try second.reconfigureItems([2])
    for marked in [first, second] {
      #expect(marked.reloadedItemIdentifiers == [2])
      #expect(marked.reconfiguredItemIdentifiers == [])
    }
  }

  @Test("Marks that were set all at once behave like others in whatever comes after")
  func markedAtOnce() throws {
    let edits: [(inout Letters) throws -> Void] = [
      { $0.deleteItems([3]) }, { $0.deleteSections(["A"]) }, { try $0.reloadItems([1, 5]) },
      { try $0.reconfigureItems([4, 3, 2]) }, { try $0.moveItem(3, afterItem: 4) },
      { try $0.updateItems(removing: [1, 3], inserting: [(1, ListIndexPath(item: 0, section: 1))]) },
      { $0.deleteAllItems() }, { $0 = $0.removingMarks() },
    ]
    var atOnce = snapshot
    atOnce.reconfigureStoredItems([3, 1])
    var plain = snapshot
    try plain.reconfigureItems([3, 1])
    #expect(atOnce.hasMarks && atOnce.reconfiguredItemIdentifiers == [3, 1])
    for edit in edits {
      var (first, second) = (atOnce, plain)
      try edit(&first)
      try edit(&second)
      #expect(first.reconfiguredItemIdentifiers == second.reconfiguredItemIdentifiers)
      #expect(first.reloadedItemIdentifiers == second.reloadedItemIdentifiers)
      #expect(first == second && first.hasMarks == second.hasMarks)
      #expect(first.difference(from: snapshot) == second.difference(from: snapshot))
    }
    #expect(atOnce.reconfiguredItemIdentifiers == [3, 1])
  }

  @Test("Marks keep the order in which they were first set")
  mutating func order() throws {
    try snapshot.reloadItems([3, 1])
    try snapshot.reloadItems([2, 3])
    #expect(snapshot.reloadedItemIdentifiers == [3, 1, 2])
  }

  @Test("A deleted item loses its mark for good, a section its own and its items'")
  mutating func deleteMarked() throws {
    try snapshot.reloadItems([2])
    try snapshot.reconfigureItems([5])
    try snapshot.reloadSections(["B", "A"])
    snapshot.deleteItems([2])
    try snapshot.appendItems([2])
    #expect(snapshot.reloadedItemIdentifiers == [])
    snapshot.deleteSections(["B"])
    #expect(snapshot.reconfiguredItemIdentifiers == [])
    #expect(snapshot.reloadedSectionIdentifiers == ["A"])
  }

  @Test("Of items that are taken out and put in together, those that are gone lose their marks")
  mutating func updateMarked() throws {
    try snapshot.reloadItems([1, 4])
    try snapshot.reconfigureItems([2, 5])
    let path = ListIndexPath(item: 0, section: 0)
    try snapshot.updateItems(
      removing: [1, 2, 4, 5], inserting: [(4, path), (5, ListIndexPath(item: 1, section: 0))])
    try snapshot.appendItems([1, 2])
    #expect(snapshot == ["A": [4, 5, 3], "B": [1, 2]])
    #expect(snapshot.reloadedItemIdentifiers == [4])
    #expect(snapshot.reconfiguredItemIdentifiers == [5])
  }

  @Test("Marks are part of a difference")
  mutating func difference() throws {
    let old = snapshot
    try snapshot.reloadItems([2])
    try snapshot.reconfigureItems([3])
    try snapshot.reloadSections(["B"])
    let difference = snapshot.difference(from: old)
    #expect(!difference.isEmpty && !difference.changesStructure)
    #expect(difference.reloadedItems == [2])
    #expect(difference.reconfiguredItems == [3])
    #expect(difference.reloadedSections == ["B"])
    #expect(try old.applying(difference).reloadedItemIdentifiers == [2])
    #expect(difference.inverse.isEmpty)
  }
}
