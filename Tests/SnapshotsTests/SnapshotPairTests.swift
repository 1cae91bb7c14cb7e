import _TestTools
import Snapshots
import Testing

/// Every pair of small snapshots. Names do not matter to a difference, so the old snapshot has the sections 0,
/// 1 and the items 0, 1, 2, 3 in this order, and what is new in the new one is numbered in order too: that
/// stands for every pair of snapshots of up to two sections and four items; of three where the nodes are as large as
/// users have them, as four fit in one there, too.
@Suite("Every pair of small snapshots")
struct SnapshotPairTests {
  typealias Contents = [(Int, [Int])]

  #if LIVELISTS_TINY_NODES
    static let most = 4
  #else
    static let most = 3
  #endif

  /// Old snapshots: the sizes of their sections.
  static let olds: [[Int]] =
    [[]] + (0...most).map { [$0] } + (0...most).flatMap { total in (0...total).map { [$0, total - $0] } }

  /// All ways to choose up to a number of different names, old ones or the next new one, in any order.
  static func choices(old: Int, firstNew: Int, upTo most: Int) -> [[Int]] {
    var found: [[Int]] = [[]]
    var longest = found
    for _ in 0..<most {
      longest = longest.flatMap { choice in
        let new = firstNew + choice.count { $0 >= firstNew }
        return ((0..<old).filter { !choice.contains($0) } + [new]).map { choice + [$0] }
      }
      found += longest
    }
    return found
  }

  static func contents(_ sections: [Int], _ items: [Int]) -> [Contents] {
    switch sections.count {
    case 0: items.isEmpty ? [[]] : []
    case 1: [[(sections[0], items)]]
    default:
      (0...items.count).map { [(sections[0], Array(items[..<$0])), (sections[1], Array(items[$0...]))] }
    }
  }

  /// The same contents as a descendant of another snapshot, so that the two are compared by what they share.
  ///
  /// - Parameter deletesLast: Whether what is not wanted goes at the end, after everything else was put around it.
  static func descendant(
    of old: DiffableSnapshot<Int, Int>, with contents: Contents, deletesLast: Bool
  ) throws -> DiffableSnapshot<Int, Int> {
    var result = old
    let sections = contents.map { $0.0 }
    let items = contents.flatMap { $0.1 }
    func deleteStrangers() {
      result.deleteItems(result.itemIdentifiers.filter { !items.contains($0) })
      result.deleteSections(result.sectionIdentifiers.filter { !sections.contains($0) })
    }
    if !deletesLast { deleteStrangers() }
    for (index, section) in sections.enumerated() {
      if result.containsSection(section) {
        try result.moveSection(section, to: index)
      } else {
        try result.insertSections([section], at: index)
      }
    }
    for (index, section) in contents.enumerated() {
      for (position, item) in section.1.enumerated() {
        let path = ListIndexPath(item: position, section: index)
        if result.containsItem(item) {
          try result.moveItem(item, to: path)
        } else {
          try result.insertItems([item], at: path)
        }
      }
    }
    if deletesLast { deleteStrangers() }
    return result
  }

  @Test("A difference leads there, back, and its inverse too", arguments: olds)
  func pairs(sizes: [Int]) throws {
    try Self.forEachPair(sizes) { old, new, after in
      let new = (real: try DiffableSnapshot(sections: after), naive: new)
      // The way back is another of the pairs, and its inverse is checked with it.
      return SnapshotChecker.disagreement(from: old, to: new, looksInside: false)
    }
  }

  @Test("The same where one descends from the other, by labels, in both directions", arguments: olds)
  func related(sizes: [Int]) throws {
    var pair = 0
    try Self.forEachPair(sizes) { old, new, after in
      pair += 1
      let count = max(old.naive.numberOfItems, new.numberOfItems)
      for way in 0..<4 where count < 3 || way == pair % 32 {
        // The pairs of three items and more are many, and take turns.
        let real = try Self.descendant(of: old.real, with: after, deletesLast: way % 2 == 1)
        let young = (real: real, naive: new)
        let (from, to) = way < 2 ? (old, young) : (young, old)
        if let problem = SnapshotChecker.disagreement(from: from, to: to, looksInside: false) {
          return "\(problem), way \(way)"
        }
      }
      return nil
    }
  }

  /// Calls a closure with a snapshot whose sections have these sizes and each of its partners, until it finds
  /// something wrong.
  static func forEachPair(
    _ sizes: [Int],
    _ problem: (
      (real: DiffableSnapshot<Int, Int>, naive: NaiveSnapshot<Int, Int>), NaiveSnapshot<Int, Int>, Contents
    ) throws -> String?
  ) throws {
    let count = sizes.reduce(0, +)
    var next = 0
    let before: Contents = sizes.enumerated().map { section, size in
      defer { next += size }
      return (section, Array(next..<next + size))
    }
    let old = (real: try DiffableSnapshot(sections: before), naive: try NaiveSnapshot(sections: before))
    for sections in choices(old: sizes.count, firstNew: 2, upTo: 2) {
      for items in choices(old: count, firstNew: most, upTo: most) {
        for after in contents(sections, items) {
          if let problem = try problem(old, try NaiveSnapshot(sections: after), after) {
            Issue.record("\(old.real) and \(after): \(problem)")
            return
          }
        }
      }
    }
  }
}
