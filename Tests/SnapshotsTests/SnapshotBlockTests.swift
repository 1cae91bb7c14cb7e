#if DEBUG
  import _TestTools
  import Snapshots
  import Testing

  /// Edits of several items and sections at once, at and around the edges of leaves, held against the naive model.
  @Suite("Blocks of items and sections around the edges of leaves")
  struct SnapshotBlockTests {
    /// Two full leaves, two with room, a single one, and nothing.
    static let sizes = [256, 130, 20, 0]
    static let total = sizes.reduce(0, +)
    static let fresh = total + 100
    static let blocks = [1, 7, 140]

    static func base() throws -> SnapshotChecker {
      var next = 0
      return try SnapshotChecker(
        sections: sizes.enumerated().map { number, size in
          defer { next += size }
          return (number, Array(next..<next + size))
        })
    }

    /// The positions at the edges of leaves and beside them.
    static func positions(around edges: [Int], count: Int) -> [Int] {
      let near = (edges + [count]).flatMap { $0 - 2...$0 + 1 }
      return Set(near.filter { (0..<count).contains($0) }).sorted()
    }

    /// Runs edits one after the other, looking at all that can be asked after each.
    static func check(
      _ edits: SnapshotEdit..., on base: SnapshotChecker, sections: Int = 12,
      sourceLocation: SourceLocation = #_sourceLocation
    ) {
      var checker = base
      for edit in edits {
        let problem =
          checker.run(edit) ?? checker.disagreement(items: fresh + 200, sections: sections)
          ?? checker.differenceDisagreement(from: base)
        if let problem {
          Issue.record("\(edit) of \(edits): \(problem)", sourceLocation: sourceLocation)
          return
        }
      }
    }

    @Test("New items, put in before, after and at every position", arguments: blocks)
    func insert(block: Int) throws {
      let base = try Self.base()
      let new = Array(Self.fresh..<Self.fresh + block)
      for (section, edges) in base.real.leafEdges.items.enumerated() {
        let items = base.naive.contents[section].1
        for index in Self.positions(around: edges, count: items.count) {
          Self.check(.insertItems(new, beside: items[index], after: false), on: base)
          Self.check(.insertItems(new, beside: items[index], after: true), on: base)
        }
        for index in Self.positions(around: edges, count: items.count) + [items.count] {
          Self.check(.insertItemsAt(new, ListIndexPath(item: index, section: section)), on: base)
        }
        Self.check(.appendItemsTo(new, section), .appendItems([Self.fresh]), on: base)
      }
    }

    @Test("Items that are there, put in elsewhere from one position or from several", arguments: [2, 140])
    func bring(block: Int) throws {
      let base = try Self.base()
      let all = base.naive.itemIdentifiers
      let sources = [
        Array(all.prefix(block)), Array(all.suffix(block)), Array(all[120...].prefix(block)),
        (0..<block).map { all[($0 * 29 + 3) % all.count] }, (0..<block).map { all[255 - $0] },
      ]
      for (section, edges) in base.real.leafEdges.items.enumerated() {
        let items = base.naive.contents[section].1
        for items in sources { Self.check(.appendItemsTo(items, section), on: base) }
        for index in Self.positions(around: edges, count: items.count) {
          for (number, source) in sources.enumerated() {
            let edit = SnapshotEdit.insertItems(source, beside: items[index], after: number % 2 == index % 2)
            Self.check(edit, on: base)
          }
        }
      }
    }

    @Test(
      "Deletions that end at the edges of leaves, and what is put back after them",
      arguments: [1, 90, 128])
    func delete(block: Int) throws {
      let base = try Self.base()
      for (section, edges) in base.real.leafEdges.items.enumerated() {
        let items = base.naive.contents[section].1
        for index in Self.positions(around: edges, count: items.count) {
          let gone = Array(items[index...].prefix(block))
          let before = Array(items[..<index].suffix(block))
          Self.check(.deleteItems(gone), .appendItemsTo(gone, section), on: base)
          Self.check(
            .deleteItems(gone + before), .insertItemsAt(before, .init(item: 0, section: 3)), on: base)
          Self.check(
            .updateItems(
              gone, gone.enumerated().map { .init(id: $1, path: .init(item: $0 * 2, section: 0)) }),
            on: base)
        }
      }
    }

    @Test(
      "Sections, put in, moved and deleted before, after and at every position",
      arguments: inTurns([1, 90].flatMap { block in (0..<3).map { (block, $0) } }, of: 3))
    func sections(block: Int, part: Int) throws {
      // Two full leaves of sections, each with an item or two, so that the positions of items shift too.
      let base = try SnapshotChecker(sections: (0..<256).map { ($0, $0 % 3 == 0 ? [$0] : [$0, 300 + $0]) })
      let new = Array(1000..<1000 + block)
      let positions = Self.positions(around: base.real.leafEdges.sections, count: 256)
      for index in positions.indices.filter({ $0 % 3 == part }).map({ positions[$0] }) {
        let gone = Array((index..<256).prefix(block))
        func check(_ edits: SnapshotEdit...) {
          for edit in edits { Self.check(edit, .appendItems([2000]), on: base, sections: 300) }
        }
        check(
          .insertSections(new, beside: index, after: false), .insertSections(new, beside: index, after: true),
          .insertSectionsAt(new, index), .deleteSections(gone))
        for other in [0, 1, 127, 128, 129, 255] {
          check(
            .moveSection(index, beside: other, after: false), .moveSection(index, beside: other, after: true),
            .moveSectionTo(index, other))
        }
      }
      Self.check(.insertSectionsAt(new, 256), .appendSections([2000]), on: base, sections: 300)
    }
  }
#endif
