import Snapshots
import Testing

typealias Letters = DiffableSnapshot<String, Int>

/// Runs an edit that must fail, and checks that it failed as said and changed nothing.
func expectRefusal<S, I>(
  _ snapshot: DiffableSnapshot<S, I>, _ expected: SnapshotError<S, I>,
  sourceLocation: SourceLocation = #_sourceLocation,
  _ edit: (inout DiffableSnapshot<S, I>) throws -> Void
) {
  var copy = snapshot
  do {
    try edit(&copy)
    Issue.record("the edit was not refused", sourceLocation: sourceLocation)
  } catch {
    #expect(error as? SnapshotError<S, I> == expected, sourceLocation: sourceLocation)
  }
  #expect(copy == snapshot, sourceLocation: sourceLocation)
  #expect(copy.reloadedItemIdentifiers == snapshot.reloadedItemIdentifiers, sourceLocation: sourceLocation)
  #expect(
    copy.reconfiguredItemIdentifiers == snapshot.reconfiguredItemIdentifiers, sourceLocation: sourceLocation)
  #expect(
    copy.reloadedSectionIdentifiers == snapshot.reloadedSectionIdentifiers, sourceLocation: sourceLocation)
}

/// The example cases of snapshot edits, from `A[1, 2, 3] B[4, 5]`.
@Suite("Editing a snapshot")
struct SnapshotEditTests {
  var snapshot: Letters = ["A": [1, 2, 3], "B": [4, 5]]

  @Test("A1: items without a section go to the end of the last one")
  mutating func appendToLastSection() throws {
    try snapshot.appendItems([9])
    #expect(snapshot == ["A": [1, 2, 3], "B": [4, 5, 9]])
  }

  @Test("A2: items need a section")
  func appendWithoutSections() {
    expectRefusal(Letters(), .noSections) { try $0.appendItems([1]) }
  }

  @Test("A3: items need a known section")
  func appendToUnknownSection() {
    expectRefusal(snapshot, .unknownSection("Z")) {
      try $0.appendItems([9], toSection: "Z")
    }
  }

  @Test("A5: appending an item that is there moves it")
  mutating func appendExisting() throws {
    try snapshot.appendItems([2, 9], toSection: "B")
    #expect(snapshot == ["A": [1, 3], "B": [4, 5, 2, 9]])
  }

  @Test("A6: appending an item to its own section moves it to the end")
  mutating func appendToOwnSection() throws {
    try snapshot.appendItems([1], toSection: "A")
    #expect(snapshot == ["A": [2, 3, 1], "B": [4, 5]])
  }

  @Test("A7: inserting items that are there takes all of them out first")
  mutating func insertExisting() throws {
    try snapshot.insertItems([5, 1], beforeItem: 3)
    #expect(snapshot == ["A": [2, 5, 1, 3], "B": [4]])
  }

  @Test("A9: a destination must be known and not among the items")
  func insertBadDestination() {
    expectRefusal(snapshot, .itemDestinationInArgument(3)) {
      try $0.insertItems([9, 3], beforeItem: 3)
    }
    expectRefusal(snapshot, .unknownItem(99)) {
      try $0.insertItems([9], afterItem: 99)
    }
  }

  @Test("A10: moving an item puts it beside another, in that one's section")
  func moveItem() throws {
    var copy = snapshot
    try copy.moveItem(1, beforeItem: 3)
    #expect(copy == ["A": [2, 1, 3], "B": [4, 5]])
    copy = snapshot
    try copy.moveItem(1, afterItem: 3)
    #expect(copy == ["A": [2, 3, 1], "B": [4, 5]])
    copy = snapshot
    try copy.moveItem(5, beforeItem: 1)
    #expect(copy == ["A": [5, 1, 2, 3], "B": [4]])
  }

  @Test("A11: a move to the same place changes nothing, a move beside itself is an error")
  func moveToItself() throws {
    var copy = snapshot
    try copy.moveItem(2, beforeItem: 3)
    #expect(copy == snapshot)
    expectRefusal(snapshot, .itemDestinationIsSource(2)) {
      try $0.moveItem(2, afterItem: 2)
    }
  }

  @Test("A13: deleting all items deletes the sections too")
  mutating func deleteAll() {
    snapshot.deleteAllItems()
    #expect(snapshot.numberOfSections == 0 && snapshot.numberOfItems == 0)
    expectRefusal(snapshot, .noSections) { try $0.appendItems([1]) }
  }

  @Test("A14: a section that is there cannot be added again, nor anything beside it")
  func appendExistingSection() {
    expectRefusal(snapshot, .sectionsAlreadyExist(["A"])) {
      try $0.appendSections(["C", "A"])
    }
  }

  @Test("A15: sections are inserted in order and move with their items")
  func sections() throws {
    var copy = snapshot
    try copy.insertSections(["X", "Y"], beforeSection: "B")
    #expect(copy.sectionIdentifiers == ["A", "X", "Y", "B"])
    copy = snapshot
    try copy.moveSection("A", afterSection: "B")
    #expect(copy == ["B": [4, 5], "A": [1, 2, 3]])
    expectRefusal(snapshot, .sectionDestinationIsSource("A")) {
      try $0.moveSection("A", afterSection: "A")
    }
  }

  @Test("A17: sections and items have name spaces of their own")
  func nameSpaces() throws {
    var same: DiffableSnapshot<String, String> = ["1": ["1"]]
    same.deleteItems(["1"])
    #expect(same.sectionIdentifiers == ["1"])
    #expect(same.numberOfItems == 0)
  }

  @Test("A18: items are counted across sections, strangers are absent, a copy is independent")
  func queries() throws {
    #expect(snapshot.indexOfItem(4) == 3)
    #expect(snapshot.indexOfItem(99) == nil)
    #expect(snapshot.indexPath(ofItem: 5) == ListIndexPath(item: 1, section: 1))
    #expect(snapshot.itemIdentifier(at: ListIndexPath(item: 1, section: 1)) == 5)
    #expect(snapshot.sectionIdentifier(containingItem: 4) == "B")
    #expect(throws: SnapshotError<String, Int>.unknownSection("Z")) {
      try snapshot.itemIdentifiers(inSection: "Z")
    }
    #expect(throws: SnapshotError<String, Int>.unknownSection("Z")) {
      try snapshot.numberOfItems(inSection: "Z")
    }
    var copy = snapshot
    try copy.appendItems([6])
    #expect(snapshot == ["A": [1, 2, 3], "B": [4, 5]])
    #expect(copy.numberOfItems == 6)
  }

  @Test("an empty argument does nothing, whatever the destination")
  func emptyArgument() throws {
    var copy = snapshot
    try copy.appendItems([], toSection: "Z")
    try copy.insertItems([], beforeItem: 99)
    try copy.insertSections([], afterSection: "Z")
    #expect(copy == snapshot)
  }

  @Test("duplicates in the argument are named before anything else that is wrong")
  func duplicates() {
    expectRefusal(snapshot, .duplicateItems([9, 8])) {
      try $0.insertItems([9, 9, 8, 7, 8, 9], beforeItem: 99)
    }
    expectRefusal(snapshot, .duplicateSections(["A"])) {
      try $0.appendSections(["A", "A"])
    }
    expectRefusal(snapshot, .duplicateItems([1])) {
      try $0.appendItems([1, 1], toSection: "Z")
    }
  }

  @Test("deleting ignores strangers, and an emptied section stays")
  mutating func delete() {
    snapshot.deleteItems([4, 99, 5, 4])
    #expect(snapshot == ["A": [1, 2, 3], "B": []])
    snapshot.deleteSections(["Z", "A"])
    #expect(snapshot == ["B": []])
    #expect(snapshot.indexOfItem(1) == nil)
  }
}
