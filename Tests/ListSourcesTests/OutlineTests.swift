import ListSources
import ListSourcesTestSupport
import Snapshots
import Testing

typealias Outline = DiffableSectionSnapshot<Int>

/// Makes a tree from its lines, two spaces a level, `+` for expanded: `+1`, `  11`, `2`.
func outline(_ lines: String...) -> Outline {
  var tree = Outline()
  var path: [Int] = []
  for line in lines {
    let level = line.prefix { $0 == " " }.count / 2
    let mark = line.drop { $0 == " " }
    guard let item = Int(mark.hasPrefix("+") ? mark.dropFirst() : mark) else { continue }
    path.removeSubrange(min(level, path.count)...)
    try? tree.append([item], to: path.last)
    if mark.hasPrefix("+") { tree.expand([item]) }
    path.append(item)
  }
  return tree
}

@Suite("Outlines")
struct OutlineTests {
  private func make(_ start: String) async -> (TestView, DiffableDataSource<TestView>) {
    let view = TestView()
    let source = DiffableDataSource(target: view) { "cell \($0)" }
    await source.apply(list(start))
    return (view, source)
  }

  @Test("A tree in a section that is not there appends it, with the visible items only")
  func absentSection() async {
    let (view, source) = await make("A[5]")
    let tree = outline("1", "  11", "2")
    await source.apply(tree, to: "X")
    #expect(view.contents == "A[5] X[1,2]")
    #expect(source.snapshot(for: "X") == tree)
    #expect(source.snapshot(for: "A").rootItems == [5])
    #expect(source.snapshot(for: "Z").items.isEmpty)
  }

  @Test("Items of a tree that live in other sections move here")
  func movesItems() async {
    let (view, source) = await make("A[4] B[5,6]")
    view.forgetHistory()
    await source.apply(outline("4", "5"), to: "A")
    #expect(view.contents == "A[4,5] B[6]")
    #expect(view.batches.map(\.operationCount) == [1])
    #expect(view.providedItems.isEmpty)
  }

  @Test(
    "Expanding by the user asks and tells the handlers in turn, with the old state, and replaces the children"
  )
  func expanding() async {
    let (view, source) = await make("A[]")
    await source.apply(outline("1", "  11", "2"), to: "A")
    var told: [String] = []
    source.sectionSnapshotHandlers.shouldExpandItem = { [unowned source] in
      told.append("should \($0) \(text(source.snapshot()))")
      return true
    }
    source.sectionSnapshotHandlers.willExpandItem = { told.append("will \($0)") }
    source.sectionSnapshotHandlers.snapshotForExpandingParent = { parent, children in
      told.append("children \(parent) \(children.items)")
      return outline("12", "13")
    }
    await source.expand(1)
    #expect(told == ["should 1 A[1,2]", "will 1", "children 1 [11]"])
    #expect(view.contents == "A[1,12,13,2]")
    await source.collapse(1)
    #expect(view.contents == "A[1,2]")
    #expect(source.snapshot(for: "A").items == [1, 12, 13, 2])
  }

  @Test("A handler that refuses ends it, and applying calls none of them")
  func refusing() async {
    let (view, source) = await make("A[]")
    var calls = 0
    source.sectionSnapshotHandlers.shouldExpandItem = { _ in
      calls += 1
      return false
    }
    source.sectionSnapshotHandlers.shouldCollapseItem = { _ in
      calls += 1
      return false
    }
    source.sectionSnapshotHandlers.willExpandItem = { _ in calls += 100 }
    source.sectionSnapshotHandlers.willCollapseItem = { _ in calls += 100 }
    await source.apply(outline("1", "  11", "+2", "  21"), to: "A")
    #expect(calls == 0)
    await source.expand(1)
    await source.collapse(2)
    await source.expand(99)
    #expect(calls == 2)
    #expect(view.contents == "A[1,2,21]")
  }

  @Test(
    "A snapshot applied later keeps the tree: what is gone goes with its hidden children, what is new has the level of the item before it"
  )
  func keepsTrees() async throws {
    let (_, source) = await make("A[]")
    await source.apply(outline("+1", "  11", "  12", "    121", "2", "  21"), to: "A")
    #expect(text(source.snapshot()) == "A[1,11,12,2]")
    await source.apply(list("A[1,11,12,7,9] B[]"))
    let tree = source.snapshot(for: "A")
    #expect(tree.visibleItems == [1, 11, 12, 7, 9])
    #expect(try tree.level(of: 7) == 1)
    #expect(try tree.parent(of: 9) == 1)
    #expect(tree.contains(121))
    #expect(!tree.contains(21))
    // Between an expanded item and its children, what is new is one of them.
    await source.apply(list("A[1,8,11,12,7,9]"))
    #expect(try source.snapshot(for: "A").parent(of: 8) == 1)
    // A section that is gone loses its tree.
    await source.apply(list("B[]"))
    await source.apply(list("A[1]"))
    #expect(source.snapshot(for: "A").items == [1])
  }

  @Test("A hidden child that another section shows leaves the tree")
  func hiddenChildElsewhere() async {
    let (_, source) = await make("A[] B[]")
    await source.apply(outline("1", "  11", "  12"), to: "A")
    await source.apply(list("A[1] B[11]"))
    #expect(source.snapshot(for: "A").items == [1, 12])
    await source.apply(outline("+1", "  12"), to: "A")
    #expect(text(source.snapshot()) == "A[1,12] B[11]")
  }

  @Test("A hidden child of a tree that is applied stays where another section shows it")
  func hiddenChildShownElsewhere() async {
    let (view, source) = await make("A[] B[11]")
    await source.apply(outline("1", "  11", "  12"), to: "A")
    #expect(view.contents == "A[1] B[11]")
    #expect(source.snapshot(for: "A").items == [1, 12])
  }

  @Test("For any history the visible items of each tree are those of its section", arguments: 0..<10)
  func lawOfTrees(seed: UInt64) async throws {
    var random = SeededGenerator(seed: seed &+ 555)
    let (view, source) = await make("A[0,1,2] B[3,4]")
    for step in 0..<80 {
      switch Int.random(in: 0..<4, using: &random) {
      case 0:
        var tree = Outline()
        for item in Array(0..<24).shuffled(using: &random).prefix(8) {
          try tree.append(
            [item], to: Bool.random(using: &random) ? tree.items.randomElement(using: &random) : nil)
          if Bool.random(using: &random) { tree.expand([item]) }
        }
        await source.apply(tree, to: ["A", "B", "C"].randomElement(using: &random) ?? "A")
      case 1:
        if let item = source.snapshot().itemIdentifiers.randomElement(using: &random) {
          if Bool.random(using: &random) { await source.expand(item) } else { await source.collapse(item) }
        }
      case 2:
        source.reorderingHandlers.canReorderItem = { _ in true }
        source.reorderingHandlers.didReorder = { _ in }
        let items = source.snapshot().itemIdentifiers.shuffled(using: &random).prefix(2)
        if var session = source.beginReordering(Array(items)) {
          session.move(
            to: ListIndexPath(
              item: Int.random(in: 0...5, using: &random),
              section: Int.random(in: 0..<source.snapshot().numberOfSections, using: &random)),
            in: source.snapshot())
          await source.endReordering(session)
        }
      default: await source.apply(random.edited(source.snapshot()))
      }
      #expect(view.violations.isEmpty, "seed \(seed), step \(step)")
      var seen: Set<Int> = []
      for section in source.snapshot().sections {
        let tree = source.snapshot(for: section.id)
        #expect(
          tree.visibleItems == Array(section.items), "seed \(seed), step \(step), section \(section.id)")
        #expect(seen.isDisjoint(with: section.items))
        seen.formUnion(section.items)
      }
    }
  }

  @Test("A reorder takes the subtree along, and refuses to drop an item into itself")
  func reorderingSubtrees() async throws {
    let (view, source) = await make("A[] B[8]")
    await source.apply(outline("+1", "  11", "  12", "2", "  21", "+3", "  31"), to: "A")
    source.reorderingHandlers.canReorderItem = { _ in true }
    var transactions: [ReorderTransaction<String, Int>] = []
    source.reorderingHandlers.didReorder = { transactions.append($0) }
    func drop(_ items: [Int], after: Int?, before: Int?, in section: String = "A") async throws {
      var session = try #require(source.beginReordering(items))
      session.move(to: ReorderDestination(section: section, after: after, before: before))
      await source.endReordering(session)
    }
    try await drop([1], after: 11, before: 12)
    #expect(transactions.isEmpty)
    // Lifted with its child, only the parent counts.
    try await drop([1, 11], after: 2, before: 3)
    #expect(view.contents == "A[2,1,11,12,3,31] B[8]")
    #expect(transactions.last?.items == [1])
    #expect(source.snapshot(for: "A").contains(21))
    // Behind an expanded parent and before its first child: a child.
    try await drop([2], after: 3, before: 31)
    #expect(try source.snapshot(for: "A").parent(of: 2) == 3)
    #expect(view.contents == "A[1,11,12,3,2,31] B[8]")
    // Into a section without a tree: it gets one, with what is hidden.
    try await drop([2], after: 8, before: nil, in: "B")
    #expect(view.contents == "A[1,11,12,3,31] B[8,2]")
    #expect(source.snapshot(for: "B").items == [8, 2, 21])
    #expect(transactions.last?.sectionTransactions.map(\.sectionIdentifier) == ["B", "A"])
    // Several: side by side, in list order, each with what hangs below it; behind an item and before one.
    try await drop([3, 1], after: 8, before: 2, in: "B")
    #expect(view.contents == "A[] B[8,1,11,12,3,31,2]")
    #expect(transactions.last?.items == [1, 3])
    try await drop([3, 8], after: nil, before: nil)
    #expect(view.contents == "A[8,3,31] B[1,11,12,2]")
    try await drop([2, 1], after: nil, before: 8)
    #expect(view.contents == "A[1,11,12,2,8,3,31] B[]")
    // Behind its own subtree is where it is; another that is lifted with it comes there.
    let count = transactions.count
    try await drop([1], after: 12, before: 2)
    #expect(transactions.count == count)
    try await drop([1, 8], after: 12, before: 2)
    #expect(view.contents == "A[1,11,12,8,2,3,31] B[]")
    #expect(view.violations.isEmpty)
  }
}
