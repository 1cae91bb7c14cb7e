import Foundation
import _TestTools
import Snapshots
import Testing

/// Random histories of edits, on the outline and on rows that are edited by searching.
@Suite("Outlines against rows")
struct SectionSnapshotLawTests {
  typealias Outline = DiffableSectionSnapshot<Int>

  @Test(
    "After any history of edits an outline is what rows are, in every question",
    arguments: inTurns(Array(0..<18) as [UInt64], of: 2))
  func law(seed: UInt64) throws {
    var random = SplitMix(seed: seed &+ 12_000)
    var outline = Outline()
    var naive = NaiveOutline()
    // Some are deep, some are wide, some are large enough for several levels of nodes.
    let pool = [12, 60, 400][Int(seed % 3)]
    let depth = Int.random(in: 0...3, using: &random)
    var older: [(Outline, NaiveOutline)] = []
    for step in 0..<160 {
      let present = naive.rows.map(\.id)
      let fresh = (0..<pool).filter { !present.contains($0) }.shuffled(using: &random)
        .prefix(Int.random(in: 1...(pool / 6), using: &random))
      let target = depth == 0 ? present.last : present.randomElement(using: &random)
      var part = Outline()
      var naivePart = NaiveOutline()
      for item in fresh {
        let parent = Int.random(in: 0...3, using: &random) < depth ? naivePart.rows.last?.id : nil
        try part.append([item], to: parent)
        naivePart.append(NaiveOutline(rows: [.init(id: item, level: 0)]), to: parent)
        if Bool.random(using: &random) {
          part.expand([item])
          for index in naivePart.rows.indices where naivePart.rows[index].id == item {
            naivePart.rows[index].isExpanded = true
          }
        }
      }
      let flat = NaiveOutline(rows: fresh.map { .init(id: $0, level: 0) })
      switch Int.random(in: 0..<10, using: &random) {
      case 0, 1:
        let parent = Bool.random(using: &random) ? target : nil
        try outline.append(Array(fresh), to: parent)
        naive.append(flat, to: parent)
      case 2:
        guard let target else { continue }
        let after = Bool.random(using: &random)
        if after {
          try outline.insert(Array(fresh), after: target)
        } else {
          try outline.insert(Array(fresh), before: target)
        }
        naive.insert(flat, beside: target, after: after)
      case 3:
        guard let target else { continue }
        let after = Bool.random(using: &random)
        if after {
          try outline.insert(part, after: target)
        } else {
          try outline.insert(part, before: target)
        }
        naive.insert(naivePart, beside: target, after: after)
      case 4, 5:
        let unwanted = present.shuffled(using: &random).prefix(Int.random(in: 0...4, using: &random))
        try outline.delete(Array(unwanted))
        naive.delete(Array(unwanted))
      case 6:
        guard let target else { continue }
        try outline.replace(childrenOf: target, using: part)
        naive.delete(naive.part(of: target, includingParent: false).rows.map(\.id))
        naive.append(naivePart, to: target)
      case 7:
        older.append((outline, naive))
        guard let target else { continue }
        let including = Bool.random(using: &random)
        outline = try outline.snapshot(of: target, includingParent: including)
        naive = naive.part(of: target, includingParent: including)
      case 8:
        // Whatever was done since to copies, the one that was kept is what it was.
        guard let (kept, naiveKept) = older.randomElement(using: &random) else { continue }
        (outline, naive) = (kept, naiveKept)
      default:
        let some = Array(0..<pool).shuffled(using: &random).prefix(6)
        let isExpanding = Bool.random(using: &random)
        if isExpanding { outline.expand(Array(some)) } else { outline.collapse(Array(some)) }
        for index in naive.rows.indices where some.contains(naive.rows[index].id) {
          naive.rows[index].isExpanded = isExpanding
        }
      }
      try compare(outline, naive, "seed \(seed), step \(step)")
      if step % 8 == 7 { try compareWhole(outline, naive, "seed \(seed), step \(step)") }
    }
  }

  private func compare(_ outline: Outline, _ naive: NaiveOutline, _ context: String) throws {
    let ids = naive.rows.map(\.id)
    #expect(outline.items == ids, "\(context)")
    #expect(outline.numberOfItems == ids.count, "\(context)")
    #expect(outline.rootItems == naive.rows.filter { $0.level == 0 }.map(\.id), "\(context)")
    #expect(outline.expandedItems == naive.rows.filter(\.isExpanded).map(\.id), "\(context)")
    #expect(try ids.map { try outline.level(of: $0) } == naive.rows.map(\.level), "\(context)")
    let isVisible = naive.rows.indices.map { naive.isVisible($0) }
    #expect(outline.visibleItems == zip(ids, isVisible).filter(\.1).map(\.0), "\(context)")
    for index in stride(from: 0, to: ids.count, by: max(1, ids.count / 8)) {
      let id = ids[index]
      #expect(outline.index(of: id) == index, "\(context)")
      #expect(try outline.parent(of: id) == naive.parent(of: index), "\(context)")
      #expect(try outline.isVisible(id) == isVisible[index], "\(context)")
      #expect(try outline.isExpanded(id) == naive.rows[index].isExpanded, "\(context)")
    }
  }

  private func compareWhole(_ outline: Outline, _ naive: NaiveOutline, _ context: String) throws {
    let ids = naive.rows.map(\.id)
    // The same rows, put together anew, are an equal outline; and so is what was written down and read.
    var again = Outline()
    for index in naive.rows.indices { try again.append([ids[index]], to: naive.parent(of: index)) }
    again.expand(naive.rows.filter(\.isExpanded).map(\.id))
    #expect(again == outline && again.hashValue == outline.hashValue, "\(context)")
    let coded = try JSONEncoder().encode(outline)
    #expect(try JSONDecoder().decode(Outline.self, from: coded) == outline, "\(context)")
    if let first = ids.first {
      again.collapse([first])
      #expect((again == outline) == !naive.rows[0].isExpanded, "\(context)")
    }
  }
}
