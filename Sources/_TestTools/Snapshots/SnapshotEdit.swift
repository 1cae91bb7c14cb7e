public import Snapshots

/// One call of an edit, as a value: made at random, printed where a test fails, run on either implementation.
public enum SnapshotEdit: Sendable, Hashable {
  case appendSections([Int])
  case insertSections([Int], beside: Int, after: Bool)
  case insertSectionsAt([Int], Int)
  case deleteSections([Int])
  case moveSection(Int, beside: Int, after: Bool)
  case moveSectionTo(Int, Int)
  case appendItems([Int])
  case appendItemsTo([Int], Int)
  case insertItems([Int], beside: Int, after: Bool)
  case insertItemsAt([Int], ListIndexPath)
  case deleteItems([Int])
  case deleteAllItems
  case moveItem(Int, beside: Int, after: Bool)
  case moveItemTo(Int, ListIndexPath)
  case updateItems([Int], [SnapshotDifference<Int, Int>.ItemChange])
  case reloadItems([Int])
  case reconfigureItems([Int])
  case reloadSections([Int])
  case removeMarks
}

/// The edits that both implementations have, so that one edit runs on either.
public protocol EditableSnapshot {
  mutating func appendSections(_ sections: [Int]) throws(SnapshotError<Int, Int>)
  mutating func insertSections(
    _ sections: [Int], beforeSection destination: Int) throws(SnapshotError<Int, Int>)
  mutating func insertSections(
    _ sections: [Int], afterSection destination: Int) throws(SnapshotError<Int, Int>)
  mutating func insertSections(_ sections: [Int], at index: Int) throws(SnapshotError<Int, Int>)
  mutating func deleteSections(_ sections: [Int])
  mutating func moveSection(_ section: Int, beforeSection: Int) throws(SnapshotError<Int, Int>)
  mutating func moveSection(_ section: Int, afterSection: Int) throws(SnapshotError<Int, Int>)
  mutating func moveSection(_ section: Int, to index: Int) throws(SnapshotError<Int, Int>)
  mutating func appendItems(_ items: [Int]) throws(SnapshotError<Int, Int>)
  mutating func appendItems(_ items: [Int], toSection section: Int) throws(SnapshotError<Int, Int>)
  mutating func insertItems(_ items: [Int], beforeItem: Int) throws(SnapshotError<Int, Int>)
  mutating func insertItems(_ items: [Int], afterItem: Int) throws(SnapshotError<Int, Int>)
  mutating func insertItems(_ items: [Int], at path: ListIndexPath) throws(SnapshotError<Int, Int>)
  mutating func deleteItems(_ items: [Int])
  mutating func deleteAllItems()
  mutating func moveItem(_ item: Int, beforeItem: Int) throws(SnapshotError<Int, Int>)
  mutating func moveItem(_ item: Int, afterItem: Int) throws(SnapshotError<Int, Int>)
  mutating func moveItem(_ item: Int, to path: ListIndexPath) throws(SnapshotError<Int, Int>)
  mutating func updateItems(
    removing: [Int], inserting: [(item: Int, path: ListIndexPath)]) throws(SnapshotError<Int, Int>)
  mutating func reloadItems(_ items: [Int]) throws(SnapshotError<Int, Int>)
  mutating func reconfigureItems(_ items: [Int]) throws(SnapshotError<Int, Int>)
  mutating func reloadSections(_ sections: [Int]) throws(SnapshotError<Int, Int>)
  func removingMarks() -> Self
}

extension DiffableSnapshot: EditableSnapshot where SectionID == Int, ItemID == Int {}
extension NaiveSnapshot: EditableSnapshot where SectionID == Int, ItemID == Int {}

extension SnapshotEdit {
  /// Runs the edit.
  public func run<Snapshot: EditableSnapshot>(
    on snapshot: inout Snapshot
  ) throws(SnapshotError<Int, Int>) {
    switch self {
    case .appendSections(let ids): try snapshot.appendSections(ids)
    case .insertSections(let ids, let beside, after: false):
      try snapshot.insertSections(ids, beforeSection: beside)
    case .insertSections(let ids, let beside, after: true):
      try snapshot.insertSections(ids, afterSection: beside)
    case .insertSectionsAt(let ids, let index): try snapshot.insertSections(ids, at: index)
    case .deleteSections(let ids): snapshot.deleteSections(ids)
    case .moveSection(let id, let beside, after: false): try snapshot.moveSection(id, beforeSection: beside)
    case .moveSection(let id, let beside, after: true): try snapshot.moveSection(id, afterSection: beside)
    case .moveSectionTo(let id, let index): try snapshot.moveSection(id, to: index)
    case .appendItems(let ids): try snapshot.appendItems(ids)
    case .appendItemsTo(let ids, let section): try snapshot.appendItems(ids, toSection: section)
    case .insertItems(let ids, let beside, after: false): try snapshot.insertItems(ids, beforeItem: beside)
    case .insertItems(let ids, let beside, after: true): try snapshot.insertItems(ids, afterItem: beside)
    case .insertItemsAt(let ids, let path): try snapshot.insertItems(ids, at: path)
    case .deleteItems(let ids): snapshot.deleteItems(ids)
    case .deleteAllItems: snapshot.deleteAllItems()
    case .moveItem(let id, let beside, after: false): try snapshot.moveItem(id, beforeItem: beside)
    case .moveItem(let id, let beside, after: true): try snapshot.moveItem(id, afterItem: beside)
    case .moveItemTo(let id, let path): try snapshot.moveItem(id, to: path)
    case .updateItems(let removed, let inserted):
      try snapshot.updateItems(removing: removed, inserting: inserted.map { ($0.id, $0.path) })
    case .reloadItems(let ids): try snapshot.reloadItems(ids)
    case .reconfigureItems(let ids): try snapshot.reconfigureItems(ids)
    case .reloadSections(let ids): try snapshot.reloadSections(ids)
    case .removeMarks: snapshot = snapshot.removingMarks()
    }
  }

  /// Makes an edit up. Identifiers come from small ranges, so that many are there already and some calls are
  /// wrong in each of the ways in which they can be.
  public static func random(
    items: Int, sections: Int, using generator: inout some RandomNumberGenerator
  ) -> SnapshotEdit {
    func item() -> Int { Int.random(in: 0..<items, using: &generator) }
    func section() -> Int { Int.random(in: 0..<sections, using: &generator) }
    func manyItems() -> [Int] {
      let count =
        Int.random(in: 0..<20, using: &generator) == 0 ? items / 3 : Int.random(in: 0...4, using: &generator)
      // Runs of fresh numbers are rarely refused for duplicates, single picks sometimes are.
      if Bool.random(using: &generator) {
        let first = item()
        return (0..<count).map { (first + $0 * 7) % items }
      }
      return (0..<count).map { _ in item() }
    }
    func manySections() -> [Int] {
      (0..<Int.random(in: 0...2, using: &generator)).map { _ in section() }
    }
    func path() -> ListIndexPath {
      ListIndexPath(
        item: Int.random(in: -1...items / 4, using: &generator),
        section: Int.random(in: -1...sections, using: &generator))
    }
    let after = Bool.random(using: &generator)
    switch Int.random(in: 0..<64, using: &generator) {
    case 0..<3: return .appendSections(manySections())
    case 3: return .insertSections(manySections(), beside: section(), after: after)
    case 4: return .insertSectionsAt(manySections(), Int.random(in: -1...sections, using: &generator))
    case 5: return .deleteSections(manySections())
    case 6..<9: return .moveSection(section(), beside: section(), after: after)
    case 9: return .moveSectionTo(section(), Int.random(in: -1...sections, using: &generator))
    case 10..<14: return .appendItems(manyItems())
    case 14..<19: return .appendItemsTo(manyItems(), section())
    case 19..<28: return .insertItems(manyItems(), beside: item(), after: after)
    case 28..<34: return .insertItemsAt(manyItems(), path())
    case 34..<40: return .deleteItems(manyItems())
    case 40..<48: return .moveItem(item(), beside: item(), after: after)
    case 48..<53: return .moveItemTo(item(), path())
    case 53..<57:
      let removed = manyItems()
      let inserted = Bool.random(using: &generator) ? removed : manyItems()
      return .updateItems(removed, inserted.map { .init(id: $0, path: path()) })
    case 57, 58: return .reloadItems(manyItems())
    case 59, 60: return .reconfigureItems(manyItems())
    case 61: return .reloadSections(manySections())
    case 62: return .removeMarks
    default: return Int.random(in: 0..<20, using: &generator) == 0 ? .deleteAllItems : .deleteItems([item()])
    }
  }
}
