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

/// Examples of snapshot edits, from `A[1, 2, 3] B[4, 5]`.
@Suite("Editing a snapshot")
struct SnapshotEditTests {
  var snapshot: Letters = ["A": [1, 2, 3], "B": [4, 5]]

  @Test("Items without a section go to the end of the last one")
  mutating func appendToLastSection() throws {
    try snapshot.appendItems([9])
    #expect(snapshot == ["A": [1, 2, 3], "B": [4, 5, 9]])
  }

  @Test("Items need a section")
  func appendWithoutSections() {
    expectRefusal(Letters(), .noSections) { try $0.appendItems([1]) }
  }

  @Test("Items need a known section")
  func appendToUnknownSection() {
    expectRefusal(snapshot, .unknownSection("Z")) {
      try $0.appendItems([9], toSection: "Z")
    }
  }

  @Test("Appending an item that is there moves it")
  mutating func appendExisting() throws {
    try snapshot.appendItems([2, 9], toSection: "B")
    #expect(snapshot == ["A": [1, 3], "B": [4, 5, 2, 9]])
  }

  @Test("Appending an item to its own section moves it to the end")
  mutating func appendToOwnSection() throws {
    try snapshot.appendItems([1], toSection: "A")
    #expect(snapshot == ["A": [2, 3, 1], "B": [4, 5]])
  }

  @Test("Inserting items that are there takes all of them out first")
  mutating func insertExisting() throws {
    try snapshot.insertItems([5, 1], beforeItem: 3)
    #expect(snapshot == ["A": [2, 5, 1, 3], "B": [4]])
  }

  @Test("A destination must be known and not among the items")
  func insertBadDestination() {
    expectRefusal(snapshot, .itemDestinationInArgument(3)) {
      try $0.insertItems([9, 3], beforeItem: 3)
    }
    expectRefusal(snapshot, .unknownItem(99)) {
      try $0.insertItems([9], afterItem: 99)
    }
  }

  @Test("Moving an item puts it beside another, in that one's section")
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

  @Test("A move to the same position changes nothing, a move beside itself is an error")
  func moveToItself() throws {
    var copy = snapshot
    try copy.moveItem(2, beforeItem: 3)
    #expect(copy == snapshot)
    expectRefusal(snapshot, .itemDestinationIsSource(2)) {
      try $0.moveItem(2, afterItem: 2)
    }
  }

  @Test("Deleting all items deletes the sections too")
  mutating func deleteAll() {
    snapshot.deleteAllItems()
    #expect(snapshot.numberOfSections == 0 && snapshot.numberOfItems == 0)
    expectRefusal(snapshot, .noSections) { try $0.appendItems([1]) }
  }

  @Test("A section that is there cannot be added again, nor anything beside it")
  func appendExistingSection() {
    expectRefusal(snapshot, .sectionsAlreadyExist(["A"])) {
      try $0.appendSections(["C", "A"])
    }
  }

  @Test("Sections are inserted in order and move with their items")
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

  @Test("Sections and items have name spaces of their own")
  func nameSpaces() throws {
    var same: DiffableSnapshot<String, String> = ["1": ["1"]]
    same.deleteItems(["1"])
    #expect(same.sectionIdentifiers == ["1"])
    #expect(same.numberOfItems == 0)
  }

  @Test("Snapshots are equal if they have the same sections with the same items, in the same order")
  func equality() throws {
    let others: [Letters] = [
      ["A": [1, 2, 3, 4], "B": [5]], ["A": [1, 2], "B": [3, 4, 5]], ["A": [1, 2, 3, 4, 5], "B": []],
      ["A": [1, 2, 3], "B": [4, 5], "C": []], ["A": [1, 2, 3], "C": [4, 5]], ["A": [1, 3, 2], "B": [4, 5]],
      ["B": [4, 5], "A": [1, 2, 3]], ["A": [1, 2, 3], "B": [4]], ["A": [1, 2, 3, 4, 5]],
    ]
    for other in others { #expect(other != snapshot && snapshot != other, "\(other)") }
    var same: Letters = ["B": [5], "A": [3, 1]]
    #expect(same != snapshot)
    try same.moveSection("A", beforeSection: "B")
    try same.insertItems([1, 2], beforeItem: 3)
    try same.insertItems([4], beforeItem: 5)
    #expect(same == snapshot && same.hashValue == snapshot.hashValue)
  }

  @Test("Items are counted across sections, unknown ones are absent, a copy is independent")
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

  @Test("An item that is moved or marked by an equal one stays as it was first put in")
  func storedItems() throws {
    struct Spelt: Hashable, Sendable {
      var word: String
      static func == (lhs: Self, rhs: Self) -> Bool { lhs.word.lowercased() == rhs.word.lowercased() }
      func hash(into hasher: inout Hasher) { hasher.combine(word.lowercased()) }
    }
    func spelt(_ words: String...) -> [Spelt] { words.map { Spelt(word: $0) } }
    let start = try DiffableSnapshot(sections: [(0, spelt("one", "two", "three")), (1, [])])
    let path = ListIndexPath(item: 0, section: 1)
    let edits: [(inout DiffableSnapshot<Int, Spelt>) throws -> Void] = [
      { try $0.appendItems(spelt("ONE"), toSection: 1) },
      { try $0.appendItems(spelt("TWO", "ONE"), toSection: 1) },
      { try $0.insertItems(spelt("ONE"), afterItem: spelt("THREE")[0]) },
      { try $0.moveItem(spelt("ONE")[0], to: path) },
      { try $0.updateItems(removing: spelt("ONE"), inserting: [(spelt("ONE")[0], path)]) },
      { try $0.reloadItems(spelt("ONE")) },
      { try $0.reconfigureItems(spelt("TWO")) },
    ]
    for edit in edits {
      var snapshot = start
      try edit(&snapshot)
      let marked = snapshot.reloadedItemIdentifiers + snapshot.reconfiguredItemIdentifiers
      #expect((snapshot.itemIdentifiers + marked).allSatisfy { $0.word == $0.word.lowercased() })
      #expect(
        snapshot.difference(from: start).movedItems.allSatisfy { $0.id.word == $0.id.word.lowercased() })
    }
  }

  @Test("An empty argument does nothing, whatever the destination")
  func emptyArgument() throws {
    var copy = snapshot
    try copy.appendItems([], toSection: "Z")
    try copy.insertItems([], beforeItem: 99)
    try copy.insertSections([], afterSection: "Z")
    #expect(copy == snapshot)
  }

  @Test("Duplicates in the argument are named before anything else that is wrong")
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

  @Test("Deleting ignores strangers, and an emptied section stays")
  mutating func delete() {
    snapshot.deleteItems([4, 99, 5, 4])
    #expect(snapshot == ["A": [1, 2, 3], "B": []])
    snapshot.deleteSections(["Z", "A"])
    #expect(snapshot == ["B": []])
    #expect(snapshot.indexOfItem(1) == nil)
  }

  @Test("Sections grow at their ends by one item or several, also where the item is there or a copy is held")
  func growing() throws {
    var snapshot = try DiffableSnapshot<Int, Int>(sections: (0..<3).map { ($0, []) })
    var expected = [[Int]](repeating: [], count: 3)
    var kept: [(snapshot: DiffableSnapshot<Int, Int>, expected: [[Int]])] = []
    for number in 0..<1200 {
      // Mostly one that is new; now and then one of another section, the last of the same, or some more.
      let section = number % 3
      var items = [10 * number]
      if number % 40 == 39 { items = [10 * (number - 4)] }
      if number % 40 == 19, let last = expected[section].last { items = [last] }
      if number % 60 == 29 { items += [10 * number + 1, 10 * number + 2] }
      for other in expected.indices { expected[other].removeAll { items.contains($0) } }
      expected[section] += items
      try snapshot.appendItems(items, toSection: section)
      if number % 20 == 0 || items != [10 * number] {
        #expect(snapshot.sections.map { Array($0.items) } == expected, "item \(number)")
        #expect(snapshot.indexPath(ofItem: items[0])?.section == section, "item \(number)")
        #if DEBUG
          #expect(snapshot.brokenInvariants == [], "item \(number)")
        #endif
      }
      if [400, 410, 800].contains(number) { kept.append((snapshot, expected)) }
      if number == 600 { kept = [] }
    }
    for (copy, expected) in kept {
      #expect(copy.sections.map { Array($0.items) } == expected)
      #if DEBUG
        #expect(copy.brokenInvariants == [])
      #endif
    }
  }
}
