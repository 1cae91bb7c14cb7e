import _TestTools
import Snapshots
import Testing

/// The promised costs of edits of an outline, held against counts and not against the clock.
@Suite("The cost of edits of an outline, counted")
struct SectionSnapshotCostTests {
  typealias Outline = DiffableSectionSnapshot<CountedID>

  let tally = CountedID.Tally()

  private func id(_ number: Int) -> CountedID { CountedID(number: number, tally: tally) }

  /// One root with many children, of which the one in the middle has two.
  private func wide(_ count: Int) throws -> Outline {
    var outline = Outline()
    try outline.append([id(-1)])
    try outline.append(tally.ids(0..<count), to: id(-1))
    try outline.append(tally.ids([-2, -3]), to: id(count / 2))
    outline.expand([id(-1)])
    return outline
  }

  #if DEBUG
    @Test("An edit touches a path and not the outline", arguments: [1000, 16_000])
    func edit(count: Int) throws {
      let base = try wide(count)
      var part = Outline()
      try part.append(tally.ids([-6]))
      try part.append(tally.ids([-7]), to: id(-6))
      let new = tally.ids([-4, -5])
      let edits: [(inout Outline) throws -> Void] = [
        { try $0.append(new, to: self.id(3)) },
        { try $0.append(new, to: self.id(count / 2)) },
        { try $0.append(new) },
        { try $0.insert(new, before: self.id(7)) },
        { try $0.insert(new, after: self.id(count / 2)) },
        { try $0.insert(part, before: self.id(7)) },
        { try $0.insert(part, after: self.id(count / 2)) },
        { try $0.delete([self.id(count / 2), self.id(5)]) },
        { try $0.replace(childrenOf: self.id(count / 2), using: part) },
        { $0.expand([self.id(count / 2)]) },
        { $0.collapse([self.id(-1)]) },
        { #expect($0.index(of: self.id(count - 1)) == count + 2) },
        {
          let part = try $0.snapshot(of: self.id(count / 2))
          #expect(part.items.map(\.number) == [-2, -3])
        },
      ]
      for (number, edit) in edits.enumerated() {
        var copy = base
        var visits = 0
        let cost = try tally.count { visits = try TreeCounters.visits { try edit(&copy) } }
        #expect(visits <= 60, "edit \(number)")
        // Where neighbours have no room between them, up to a leaf of them is labelled anew.
        #expect(cost.hashes <= 300 && cost.comparisons <= 300, "edit \(number)")
        let comparison = TreeCounters.visits { _ = copy == base }
        #expect(comparison <= 120, "comparison after edit \(number)")
      }
    }

    @Test("Inserting at one position again and again costs a few times log n each")
    func onePosition() throws {
      var outline = try wide(4000)
      var visits = 0
      let cost = try tally.count {
        visits = try TreeCounters.visits {
          for number in 0..<2000 { try outline.insert([id(-10 - number)], before: id(2)) }
        }
      }
      #expect(outline.index(of: id(2)) == 2003)
      #expect(visits <= 2000 * 40)
      #expect(cost.hashes <= 2000 * 120)
    }
  #endif

  @Test("Building one by one, in whatever shape, hashes a few times an item", arguments: [500, 4000])
  func building(count: Int) throws {
    let ids = tally.ids(0..<count)
    var random = SplitMix(seed: 7)
    let parents: [(Int) -> Int?] = [
      { $0 == 0 ? nil : 0 }, { $0 == 0 ? nil : $0 - 1 }, { _ in nil },
      { $0 == 0 ? nil : Int.random(in: 0..<$0, using: &random) },
    ]
    for parent in parents {
      var outline = Outline()
      let cost = try tally.count {
        for (number, item) in ids.enumerated() {
          try outline.append([item], to: parent(number).map { ids[$0] })
        }
      }
      #expect(outline.numberOfItems == count)
      #expect(cost.hashes <= count * 40 && cost.comparisons <= count * 40)
    }
  }

  @Test("However deep an outline is, its picture, its copy and its coding take a line an item")
  func deep() throws {
    let count = 4000
    var outline = Outline()
    for number in 0..<count {
      try outline.append([id(number)], to: number == 0 ? nil : id(number - 1))
    }
    outline.expand(tally.ids(0..<40))
    let lines = outline.description.split(separator: "\n")
    #expect(lines.count == count + 1)
    #expect(lines.map(\.utf8.count).max() ?? 0 <= 300)
    #expect(lines[1].hasPrefix("+* "))
    #expect(lines[33].hasPrefix(String(repeating: "  ", count: 32) + "+* "))
    #expect(lines[34].hasPrefix(String(repeating: "  ", count: 32) + "33 +* "))
    #expect(lines[42].hasPrefix(String(repeating: "  ", count: 32) + "41 -  "))
    #expect(try outline.snapshot(of: id(10)).level(of: id(count - 1)) == count - 12)
    #expect(outline.visibleItems.count == 41)
    try outline.delete([id(1)])
    #expect(outline.items.map(\.number) == [0])
  }
}
