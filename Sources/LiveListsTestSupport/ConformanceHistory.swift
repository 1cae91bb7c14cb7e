import Foundation
import LiveFetch
import Snapshots
import _TestTools

extension FetchStoreConformance {
  /// A list, and what it is to be, the plain way.
  struct List: Sendable {
    var name: String
    var request: FetchDescriptor<ConformanceItem>
    var isListed: @Sendable (ConformanceItem) -> Bool = { _ in true }
    var precedes: @Sendable (ConformanceItem, ConformanceItem) -> Bool
    var section: @Sendable (ConformanceItem) -> FetchSectionID = { _ in "" }
    var isSectioned = false
    var window = 0..<Int.max

    func expected(_ rows: [Int: ConformanceItem]) throws -> DiffableSnapshot<FetchSectionID, Int> {
      let listed = rows.values.filter(isListed).sorted(by: precedes)
      var sections: [(FetchSectionID, [Int])] = isSectioned ? [] : [("", [])]
      for item in listed.dropFirst(window.lowerBound).prefix(window.count) {
        let section = section(item)
        if sections.last?.0 != section { sections.append((section, [])) }
        sections[sections.count - 1].1.append(item.id)
      }
      return try DiffableSnapshot(sections: sections)
    }
  }

  static let lists: [List] = [
    List(
      name: "all by key", request: FetchDescriptor().ordered(by: .ascending(\.key)),
      precedes: { ($0.key, $0.id) < ($1.key, $1.id) }),
    List(
      name: "sections, the largest key first",
      request: FetchDescriptor().ordered(by: .descending(\.key)).sectioned(by: \.section),
      precedes: { a, b in
        a.section != b.section ? a.section < b.section : a.key != b.key ? a.key > b.key : a.id < b.id
      },
      section: { FetchSectionID($0.section) }, isSectioned: true),
    List(
      name: "section a with notes",
      request: FetchDescriptor().filter(#Predicate { $0.section == "a" && $0.note != nil })
        .ordered(by: .ascending(\.note), .ascending(\.key)),
      isListed: { $0.section == "a" && $0.note != nil },
      precedes: { a, b in
        (a.note ?? "", a.key, a.id) < (b.note ?? "", b.key, b.id)
      }),
    List(
      name: "the first five small keys",
      request: FetchDescriptor().filter(#Predicate { $0.key < 6 }).ordered(by: .ascending(\.key)).limit(5),
      isListed: { $0.key < 6 }, precedes: { ($0.key, $0.id) < ($1.key, $1.id) }, window: 0..<5),
  ]
}

/// Random writes, and the rows that they leave.
struct ConformanceHistory {
  var rows: [Int: ConformanceItem] = [:]
  private var random: SplitMix

  private let ids: Range<Int>

  init(seed: UInt64, ids: Range<Int> = 0..<30) {
    random = SplitMix(seed: seed)
    self.ids = ids
  }

  mutating func next() -> [ConformanceWrite] {
    var writes: [ConformanceWrite] = []
    for _ in 0..<[1, 1, 1, 2, 5, 20][Int.random(in: 0..<6, using: &random)] {
      let id = Int.random(in: ids, using: &random)
      if Int.random(in: 0..<4, using: &random) == 0 {
        rows[id] = nil
        writes.append(.remove(id))
      } else {
        let item = ConformanceItem(
          id: id, section: ["a", "b", "c", "d"][Int.random(in: 0..<4, using: &random)],
          key: .random(in: -2..<8, using: &random),
          note: [nil, "x", "y"][Int.random(in: 0..<3, using: &random)])
        rows[id] = item
        writes.append(.put(item))
      }
    }
    return writes
  }
}
