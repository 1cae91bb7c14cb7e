import Snapshots
import Testing

@Suite("The difference of two snapshots")
struct SnapshotDifferenceTests {
  @Test("Swapping two neighbours is one move")
  func oneMove() {
    let old: Letters = ["A": [1, 2, 3]]
    let new: Letters = ["A": [1, 3, 2]]
    let difference = new.difference(from: old)
    #expect(difference.movedItems.count == 1)
    #expect(difference.deletedItems.isEmpty && difference.insertedItems.isEmpty)
  }

  @Test("A section's move carries its items; only what changed section moves beside it")
  func sectionMove() throws {
    let old: Letters = ["A": [1, 2], "B": [3, 4]]
    let new: Letters = ["B": [3, 4, 1], "A": [2]]
    let difference = new.difference(from: old)
    #expect(difference.movedSections.count == 1)
    #expect(
      difference.movedItems == [
        .init(id: 1, from: ListIndexPath(item: 0, section: 0), to: ListIndexPath(item: 2, section: 0))
      ])
    #expect(try old.applying(difference) == new)
    #expect(try new.applying(difference.inverse) == old)
  }

  @Test("A difference is total: items of deleted and inserted sections are listed")
  func total() throws {
    let old: Letters = ["A": [1, 2], "B": [3]]
    let new: Letters = ["B": [3, 1], "C": [4]]
    let difference = new.difference(from: old)
    #expect(difference.deletedSections == [.init(id: "A", index: 0)])
    #expect(difference.insertedSections == [.init(id: "C", index: 1)])
    #expect(difference.deletedItems == [.init(id: 2, path: ListIndexPath(item: 1, section: 0))])
    #expect(difference.insertedItems == [.init(id: 4, path: ListIndexPath(item: 0, section: 1))])
    #expect(difference.movedItems.map(\.id) == [1])
    #expect(try old.applying(difference) == new)
    #expect(try new.applying(difference.inverse) == old)
  }

  @Test("What leads back is in order too, and turned once more it is what it was")
  func inverse() throws {
    let old: Letters = ["A": [1, 2, 3, 4, 5, 6], "B": [7], "C": [8], "D": [9, 10]]
    let new: Letters = ["D": [10, 2], "C": [8, 1], "E": [11], "A": [6, 5, 4, 9]]
    let difference = new.difference(from: old)
    let back = difference.inverse
    #expect(difference.movedItems.count > 3 && difference.movedSections.count == 2)
    #expect(back.movedItems == back.movedItems.sorted { $0.to < $1.to })
    #expect(back.movedSections == back.movedSections.sorted { $0.to < $1.to })
    #expect(back.deletedItems == difference.insertedItems && back.insertedItems == difference.deletedItems)
    #expect(back.inverse == difference)
    #expect(try new.applying(back) == old)
  }

  @Test("A difference is refused by a snapshot it does not start from")
  func mismatch() throws {
    let old: Letters = ["A": [1, 2], "B": [3]]
    let new: Letters = ["B": [3, 1]]
    let difference = new.difference(from: old)
    #expect(throws: SnapshotError<String, Int>.self) { try new.applying(difference) }
    #expect(throws: SnapshotError<String, Int>.self) { try Letters().applying(difference) }
  }

  @Test("A difference is refused if one thing is not where it says, stays where it cannot, or is named twice")
  func contradictions() {
    typealias Difference = SnapshotDifference<String, Int>
    let old: Letters = ["A": [1, 2, 3], "B": [4, 5], "C": []]
    func path(_ section: Int, _ item: Int) -> ListIndexPath { ListIndexPath(item: item, section: section) }
    let bad = [
      Difference(deletedSections: [.init(id: "C", index: 1)]),
      Difference(deletedSections: [.init(id: "B", index: 1)]),
      Difference(
        deletedSections: [.init(id: "B", index: 1)], deletedItems: [.init(id: 4, path: path(1, 0))]),
      Difference(movedSections: [.init(id: "C", from: 1, to: 0)]),
      Difference(movedSections: [.init(id: "C", from: 2, to: 0), .init(id: "C", from: 2, to: 1)]),
      Difference(deletedItems: [.init(id: 1, path: path(0, 1))]),
      Difference(deletedItems: [.init(id: 1, path: path(0, 0)), .init(id: 1, path: path(0, 0))]),
      Difference(insertedItems: [.init(id: 9, path: path(2, 0)), .init(id: 9, path: path(2, 1))]),
      Difference(movedItems: [.init(id: 1, from: path(0, 1), to: path(1, 0))]),
      Difference(movedItems: [.init(id: 9, from: path(0, 0), to: path(1, 0))]),
      Difference(
        movedItems: [
          .init(id: 1, from: path(0, 0), to: path(1, 0)), .init(id: 1, from: path(0, 0), to: path(2, 0)),
        ]),
      Difference(
        deletedItems: [.init(id: 1, path: path(0, 0))],
        movedItems: [.init(id: 1, from: path(0, 0), to: path(1, 0))]),
    ]
    for difference in bad {
      do {
        _ = try old.applying(difference)
        Issue.record("\(difference) was not refused")
      } catch {
        guard case .differenceDoesNotApply = error else {
          Issue.record("\(difference): \(error)")
          continue
        }
      }
    }
  }

  @Test("Many edits in one go give every item the position that was asked for")
  func updateItems() throws {
    var snapshot: Letters = ["A": [1, 2, 3], "B": [4, 5]]
    try snapshot.reloadItems([2, 3])
    try snapshot.updateItems(
      removing: [2, 3, 99],
      inserting: [
        (9, ListIndexPath(item: 3, section: 1)), (2, ListIndexPath(item: 2, section: 1)),
        (8, ListIndexPath(item: 0, section: 0)),
      ])
    #expect(snapshot == ["A": [8, 1], "B": [4, 5, 2, 9]])
    #expect(snapshot.reloadedItemIdentifiers == [2])
    expectRefusal(snapshot, .itemsAlreadyExist([1])) {
      try $0.updateItems(removing: [4], inserting: [(1, ListIndexPath(item: 0, section: 0))])
    }
  }

  @Test("As a difference of the items in a row it leads from one row to the other, and moves are associated")
  func collectionDifference() throws {
    let old: Letters = ["A": [1, 2, 3], "B": [4, 5], "C": [6]]
    let new: Letters = ["C": [6, 7], "A": [3, 1], "B": [5]]
    let difference = new.difference(from: old)
    let row = try difference.collectionDifference(from: old)
    #expect(old.itemIdentifiers.applying(row) == new.itemIdentifiers)
    #expect(new.itemIdentifiers.applying(row.inverse()) == old.itemIdentifiers)
    // 6 goes with its section, which moved; 1 or 3 moved inside of its own; 2 and 4 are gone, 7 is new.
    #expect(row.removals.count == 4 && row.insertions.count == 3)
    for change in row {
      switch change {
      case .remove(let offset, let item, let to):
        #expect(old.itemIdentifiers[offset] == item)
        #expect((to == nil) == [2, 4].contains(item))
        if let to { #expect(new.itemIdentifiers[to] == item) }
      case .insert(let offset, let item, let from):
        #expect(new.itemIdentifiers[offset] == item)
        #expect((from == nil) == (item == 7))
        if let from { #expect(old.itemIdentifiers[from] == item) }
      }
    }
    #expect(throws: SnapshotError<String, Int>.self) { try difference.collectionDifference(from: new) }
    #expect(try old.difference(from: old).collectionDifference(from: old).isEmpty)
  }
}
