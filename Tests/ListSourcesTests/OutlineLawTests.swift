import ListSources
import ListSourcesTestSupport
import Snapshots
import Testing
import _TestTools

/// Random histories of lists with trees, against a model that keeps them by searching.
@Suite("Laws of outlines")
struct OutlineLawTests {
  @Test("One item in two trees: the later one has it, also where both hide it")
  func oneItemInTwoTrees() async throws {
    let view = TestView()
    let source = DiffableDataSource(target: view) { "cell \($0)" }
    await source.apply(outline("1", "  8"), to: "A")
    await source.apply(outline("2", "  8"), to: "B")
    #expect(source.snapshot(for: "A").items == [1])
    #expect(source.snapshot(for: "B").items == [2, 8])
    // So the one can be dragged into the other.
    source.reorderingHandlers.canReorderItem = { _ in true }
    source.reorderingHandlers.didReorder = { _ in }
    var session = try #require(source.beginReordering([1]))
    session.move(to: ReorderDestination(section: "B", after: 2))
    guard case .updated = await source.endReordering(session).outcome else {
      Issue.record("refused")
      return
    }
    #expect(source.snapshot(for: "B").items == [2, 8, 1])
    #expect(view.contents == "A[] B[2,1]")
  }

  @Test("An item that a later tree names leaves the other with what hangs below it")
  func subtreeLeaves() async {
    let source = DiffableDataSource(target: TestView()) { "cell \($0)" }
    await source.apply(outline("1", "  8", "    81", "  9"), to: "A")
    await source.apply(outline("2", "  8"), to: "B")
    #expect(source.snapshot(for: "A") == outline("1", "  9"))
    #expect(source.snapshot(for: "B") == outline("2", "  8"))
    // What is left out, as it is below something that another section shows, is not taken from there.
    await source.apply(outline("3", "  2", "    9"), to: "C")
    #expect(source.snapshot(for: "A") == outline("1", "  9"))
    #expect(source.snapshot(for: "C") == outline("3"))
  }

  @Test(
    "Any history of trees, lists, drags and expanding: the trees are those of the model",
    arguments: inTurns(Array(0..<40) as [UInt64], of: 4))
  func law(seed: UInt64) async throws {
    var random = SeededGenerator(seed: seed &+ 31_000)
    let view = TestView()
    let source = DiffableDataSource(target: view) { "cell \($0)" }
    source.reorderingHandlers.canReorderItem = { _ in true }
    source.reorderingHandlers.didReorder = { _ in }
    var model = NaiveOutlineList()
    let pool = Int.random(in: 6...30, using: &random)
    for step in 0..<120 {
      let before = model.text
      switch Int.random(in: 0..<8, using: &random) {
      case 0, 1:
        let rows = random.rows(pool)
        let name = ["A", "B", "C", "D"].randomElement(using: &random) ?? "A"
        await source.apply(tree(rows), to: name)
        model.apply(rows, to: name)
      case 2, 3:
        if let item = source.snapshot().itemIdentifiers.randomElement(using: &random) {
          let isExpanding = Bool.random(using: &random)
          if isExpanding { await source.expand(item) } else { await source.collapse(item) }
          model.setExpanded(isExpanding, item)
        }
      case 4:
        let ids = Set(model.sections.flatMap(\.rows).map(\.id))
        let receiver = await drag(in: source, model, &random)
        model = current(source, model)
        for index in model.sections.indices where model.sections[index].name == receiver {
          model.sections[index].hasTree = true
        }
        #expect(
          Set(model.sections.flatMap(\.rows).map(\.id)) == ids, "seed \(seed), step \(step): lost in a drag")
      default:
        var next = random.edited(source.snapshot(), items: pool)
        if Int.random(in: 0..<6, using: &random) == 0 { next = random.snapshot(sections: 4, items: pool) }
        if Bool.random(using: &random) {
          await source.apply(next)
        } else {
          await source.applyUsingReloadData(next)
        }
        model.apply(next.sections.map { ($0.id, Array($0.items)) })
      }
      let context = "seed \(seed), step \(step): from \(before)"
      #expect(current(source, model).text == model.text, "\(context)")
      #expect(text(source.snapshot()) == view.contents, "\(context)")
      let ids = model.sections.flatMap(\.rows).map(\.id)
      #expect(Set(ids).count == ids.count, "one item in two trees; \(context)")
      for section in model.sections {
        #expect(source.snapshot(for: section.name).visibleItems == section.visible, "\(context)")
      }
      if current(source, model).text != model.text { return }
    }
    #expect(view.violations.isEmpty, "seed \(seed)")
  }

  /// The source's list as the model writes it; which sections have trees is not to be seen from outside.
  private func current(_ source: DiffableDataSource<TestView>, _ model: NaiveOutlineList) -> NaiveOutlineList
  {
    NaiveOutlineList(
      sections: source.snapshot().sectionIdentifiers.map { name in
        let tree = source.snapshot(for: name)
        let rows = tree.items.map { item in
          NaiveOutlineList.Row(
            id: item, level: (try? tree.level(of: item)) ?? -1,
            isExpanded: (try? tree.isExpanded(item)) ?? false)
        }
        let hadTree = model.sections.contains { $0.name == name && $0.hasTree }
        return .init(name: name, rows: rows, hasTree: hadTree || rows.contains { $0.level > 0 })
      })
  }

  private func tree(_ rows: [NaiveOutlineList.Row]) -> Outline {
    var tree = Outline()
    var path: [Int] = []
    for row in rows {
      path.removeSubrange(row.level...)
      try? tree.append([row.id], to: path.last)
      path.append(row.id)
    }
    tree.expand(rows.filter(\.isExpanded).map(\.id))
    return tree
  }

  /// Drags items; returns the section that has a tree from now on, if it has not had one.
  private func drag(
    in source: DiffableDataSource<TestView>, _ model: NaiveOutlineList, _ random: inout SeededGenerator
  ) async -> String? {
    let items = source.snapshot().itemIdentifiers.shuffled(using: &random).prefix(2)
    guard var session = source.beginReordering(Array(items)) else { return nil }
    session.move(
      to: ListIndexPath(
        item: Int.random(in: 0...5, using: &random),
        section: Int.random(in: 0..<source.snapshot().numberOfSections, using: &random)),
      in: source.snapshot())
    let hasTree = model.sections.contains { section in
      section.hasTree && session.items.contains { section.visible.contains($0) }
    }
    guard case .updated = await source.endReordering(session).outcome, hasTree else { return nil }
    return session.destination?.section
  }
}

extension SeededGenerator {
  fileprivate mutating func rows(_ pool: Int) -> [NaiveOutlineList.Row] {
    var rows: [NaiveOutlineList.Row] = []
    for item in Array(0..<pool).shuffled(using: &self).prefix(Int.random(in: 0...12, using: &self)) {
      let deepest = (rows.last?.level ?? -1) + 1
      rows.append(
        .init(
          id: item, level: Int.random(in: 0...deepest, using: &self), isExpanded: Bool.random(using: &self)))
    }
    return rows
  }
}
