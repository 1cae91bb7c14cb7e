import LiveListsTestSupport
import Snapshots
import Testing

/// Every pair of small snapshots. Names do not matter to a difference, so the old snapshot has the sections 0,
/// 1 and the items 0, 1, 2, 3 in this order, and what is new in the new one is numbered in order too: that
/// stands for every pair of snapshots of up to two sections and four items.
@Suite("Every pair of small snapshots")
struct SnapshotPairTests {
  typealias Contents = [(Int, [Int])]

  /// Old snapshots: the sizes of their sections.
  static let olds: [[Int]] =
    [[]] + (0...4).map { [$0] } + (0...4).flatMap { total in (0...total).map { [$0, total - $0] } }

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

  @Test("a difference leads there, back, and its inverse too", arguments: olds)
  func pairs(sizes: [Int]) throws {
    let count = sizes.reduce(0, +)
    var next = 0
    let before: Contents = sizes.enumerated().map { section, size in
      defer { next += size }
      return (section, Array(next..<next + size))
    }
    let old = (real: try DiffableSnapshot(sections: before), naive: try NaiveSnapshot(sections: before))
    for sections in Self.choices(old: sizes.count, firstNew: 2, upTo: 2) {
      for items in Self.choices(old: count, firstNew: 4, upTo: 4) {
        for after in Self.contents(sections, items) {
          let new = (real: try DiffableSnapshot(sections: after), naive: try NaiveSnapshot(sections: after))
          // The way back is another of the pairs, and its inverse is checked with it.
          let problem = SnapshotJudge.disagreement(from: old, to: new, looksInside: false)
          if let problem {
            Issue.record("\(old.real) and \(new.real): \(problem)")
            return
          }
        }
      }
    }
  }
}
