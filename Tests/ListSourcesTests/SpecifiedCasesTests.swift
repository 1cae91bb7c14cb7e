import ListSources
import ListSourcesTestSupport
import Snapshots
import Testing

/// The cases of the behavioural specification, one by one and by their numbers: D for applies, G for reorders.
@Suite("Specified cases")
struct SpecifiedCasesTests {
  private func make() -> (TestView, DiffableDataSource<TestView>) {
    let view = TestView()
    return (view, DiffableDataSource(target: view) { "cell \($0)" })
  }

  private func path(_ section: Int, _ item: Int) -> ListIndexPath {
    ListIndexPath(item: item, section: section)
  }

  @Test("B5: an applied snapshot has no marks afterwards, and applying it again does nothing")
  func b5() async throws {
    let (view, source) = make()
    var marked = list("A[1,2]")
    try marked.reloadItems([1])
    try marked.reloadSections(["A"])
    await source.apply(list("A[1,2]"))
    await source.apply(marked)
    #expect(!source.snapshot().hasMarks)
    view.forgetHistory()
    await source.apply(source.snapshot())
    #expect(view.events.isEmpty)
  }

  @Test("B6: A[1,2] → A[2,1,3] with marks: the second batch has the new places, and 3 is provided once")
  func b6() async throws {
    let (view, source) = make()
    await source.apply(list("A[1,2]"))
    view.forgetHistory()
    var new = list("A[2,1,3]")
    try new.reloadItems([1])
    try new.reconfigureItems([2])
    try new.reloadItems([3])
    await source.apply(new)
    #expect(view.batches.count == 2)
    #expect(view.batches.last?.reloadedItems == [path(0, 1)])
    #expect(view.batches.last?.reconfiguredItems == [path(0, 0)])
    #expect(view.providedItems.filter { $0 == 3 }.count == 1)
  }

  @Test("D1: empty before; the first apply of A[1] is a reload and no batch, and asks once for each item")
  func d1() async {
    let (view, source) = make()
    #expect(source.snapshot() == TestSnapshot())
    await source.apply(list("A[1]"))
    #expect(view.events == [.reload])
    #expect(view.providedItems == [1])
  }

  @Test("D2: A[1,2,3] → A[3,1,2] is exactly one move, and the provider is not called")
  func d2() async {
    let (view, source) = make()
    await source.apply(list("A[1,2,3]"))
    view.forgetHistory()
    await source.apply(list("A[3,1,2]"))
    #expect(view.batches.count == 1)
    #expect(view.batches[0].movedItems == [ListBatch.ItemMove(from: path(0, 2), to: path(0, 0))])
    #expect(view.batches[0].operationCount == 1)
    #expect(view.providedItems.isEmpty)
  }

  @Test("D3: an equal snapshot makes no batch, and its call returns once")
  func d3() async {
    let (view, source) = make()
    await source.apply(list("A[1]"))
    view.forgetHistory()
    let report = await source.apply(list("A[1]"))
    guard case .unchanged = report.outcome else {
      Issue.record("\(report.outcome)")
      return
    }
    #expect(view.events.isEmpty)
  }

  @Test("D5: S1, S2, S3 without awaiting: S0→S1→S2→S3, in order, and S3 is what is left")
  func d5() async {
    let host = ListHost()
    await host.animate()
    _ = await host.apply(list("A[0]"), number: -1)
    await host.forgetHistory()
    _ = await host.burst([list("A[0,1]"), list("A[0,1,2]"), list("A[2]")])
    let batches = await host.batches
    #expect(batches.map(\.insertedItems) == [[path(0, 1)], [path(0, 2)], []])
    #expect(batches.map(\.deletedItems) == [[], [], [path(0, 0), path(0, 1)]])
    #expect(await host.completions == [-1, 0, 1, 2])
    #expect(await host.contents == "A[2]")
  }

  @Test("D6: an apply from within a provider is shown after the one that asked, without a deadlock")
  func d6() async {
    let view = TestView()
    var source: DiffableDataSource<TestView>?
    source = DiffableDataSource(
      target: view,
      provider: .loading { items in
        if items == [1] { await source?.apply(list("A[1,2]")) }
        return [:]
      })
    await source?.apply(list("A[1]"))
    #expect(view.events.count == 2)
    #expect(view.events.first == .reload)
    #expect(view.contents == "A[1,2]")
    source = nil
  }

  @Test(
    "D7: a thousand applies from eight tasks: the last is one of those applied, all are legal, all return once"
  )
  func d7() async {
    let host = ListHost()
    let candidates = (0..<1000).map { number -> TestSnapshot in
      var random = SeededGenerator(seed: UInt64(number) &+ 4242)
      return random.snapshot(sections: 4, items: 10)
    }
    await withTaskGroup(of: Void.self) { group in
      for task in 0..<8 {
        group.addTask {
          for number in stride(from: task, to: 1000, by: 8) {
            _ = await host.apply(candidates[number], number: number)
          }
        }
      }
    }
    #expect(await host.completions.count == 1000)
    #expect(await Set(host.completions) == Set(0..<1000))
    #expect(await host.violations.isEmpty)
    #expect(await candidates.contains(host.snapshot))
  }

  @Test("D9: by reloading: one reset and no difference, marks are gone, and the next apply differs from it")
  func d9() async throws {
    let (view, source) = make()
    await source.apply(list("A[1]"))
    view.forgetHistory()
    var snapshot = list("A[2,1]")
    try snapshot.reconfigureItems([1])
    await source.applyUsingReloadData(snapshot)
    #expect(view.events == [.reload])
    #expect(!source.snapshot().hasMarks)
    await source.apply(list("A[2]"))
    #expect(view.batches.map(\.deletedItems) == [[path(0, 1)]])
  }

  @Test("D10: a tree in a section that is not there appends it with what is visible, and the tree is kept")
  func d10() async {
    let (view, source) = make()
    await source.apply(list("A[9]"))
    let tree = outline("1", "  11", "2")
    await source.apply(tree, to: "X")
    #expect(view.contents == "A[9] X[1,2]")
    #expect(source.snapshot(for: "X") == tree)
    #expect(source.snapshot().itemIdentifiers == [9, 1, 2])
  }

  @Test("D11: a tree that names an item of another section moves it here, once")
  func d11() async {
    let (view, source) = make()
    await source.apply(list("A[4] B[5,6]"))
    view.forgetHistory()
    await source.apply(outline("4", "5"), to: "A")
    #expect(view.contents == "A[4,5] B[6]")
    #expect(view.batches.map(\.movedItems) == [[ListBatch.ItemMove(from: path(1, 0), to: path(0, 1))]])
    #expect(view.batches.map(\.operationCount) == [1])
  }

  @Test("G1: unset or false, nothing is lifted and nobody is told")
  func g1() async {
    let desk = await ReorderingTests.Desk("A[1,2]", canReorder: { _ in false })
    #expect(desk.source.beginReordering([1]) == nil)
    desk.source.reorderingHandlers.canReorderItem = nil
    #expect(desk.source.beginReordering([1]) == nil)
    #expect(desk.will.isEmpty && desk.did.isEmpty)
  }

  @Test(
    "G2: A[1,2,3,4], 0.0 → 0.2: will with the old state, did with the new, and the paired difference replays")
  func g2() async throws {
    let desk = await ReorderingTests.Desk("A[1,2,3,4]")
    let transaction = try #require(await desk.drag([1], to: 0, 2))
    #expect(desk.will.map(\.shown) == ["A[1,2,3,4]"])
    #expect(desk.did.map(\.shown) == ["A[2,3,1,4]"])
    #expect(
      Array(transaction.difference) == [
        .remove(offset: 0, element: 1, associatedWith: 2),
        .insert(offset: 2, element: 1, associatedWith: 0),
      ])
    #expect([1, 2, 3, 4].applying(transaction.difference) == [2, 3, 1, 4])
  }

  @Test("G3: a drag that is cancelled, or dropped where it began, tells nobody and changes nothing")
  func g3() async {
    let desk = await ReorderingTests.Desk("A[1,2,3]")
    _ = desk.source.beginReordering([1])
    await desk.drag([2], to: 0, 1)
    #expect(desk.will.isEmpty && desk.did.isEmpty && desk.view.events.isEmpty)
    #expect(text(desk.source.snapshot()) == "A[1,2,3]")
  }

  @Test("G4, G5: A[1,2] B[3,4], 0.0 → 1.1: unpaired in each section, paired in the whole")
  func g5() async throws {
    let desk = await ReorderingTests.Desk("A[1,2] B[3,4]")
    let transaction = try #require(await desk.drag([1], to: 1, 1))
    #expect(text(transaction.finalSnapshot) == "A[2] B[3,1,4]")
    let sections = transaction.sectionTransactions
    #expect(sections.map(\.sectionIdentifier) == ["B", "A"])
    #expect(Array(sections[0].difference) == [.insert(offset: 1, element: 1, associatedWith: nil)])
    #expect(Array(sections[1].difference) == [.remove(offset: 0, element: 1, associatedWith: nil)])
    #expect(
      Array(transaction.difference) == [
        .remove(offset: 0, element: 1, associatedWith: 2),
        .insert(offset: 2, element: 1, associatedWith: 0),
      ])
  }

  @Test(
    "G6: from the end of A to the start of B the whole difference is empty, and a store kept by sections is right"
  )
  func g6() async throws {
    let desk = await ReorderingTests.Desk("A[1,2] B[3,4]")
    let transaction = try #require(await desk.drag([2], to: 1, 0))
    #expect(transaction.difference.isEmpty)
    #expect(desk.will.count == 1 && desk.did.count == 1)
    #expect(transaction.sectionTransactions.map(\.sectionIdentifier) == ["B", "A"])
    var stored = ["A": [1, 2], "B": [3, 4]]
    for section in transaction.sectionTransactions {
      stored[section.sectionIdentifier] = stored[section.sectionIdentifier]?.applying(section.difference)
    }
    #expect(stored == ["A": [1], "B": [2, 3, 4]])
  }

  @Test("G7: a section whose only item is dragged away stays, empty")
  func g7() async throws {
    let desk = await ReorderingTests.Desk("A[1] B[2]")
    let transaction = try #require(await desk.drag([1], to: 1, 0))
    #expect(text(transaction.finalSnapshot) == "A[] B[1,2]")
  }

  @Test(
    "G9: the lifted item is deleted in the middle: cancelled. Others arrive above: beside the same neighbour")
  func g9() async throws {
    let desk = await ReorderingTests.Desk("A[1,2,3]")
    var session = try #require(desk.source.beginReordering([1]))
    session.move(to: path(0, 1), in: desk.source.snapshot())
    await desk.source.apply(list("A[2,3]"))
    await desk.source.endReordering(session)
    #expect(desk.will.isEmpty && desk.did.isEmpty)

    session = try #require(desk.source.beginReordering([3]))
    session.move(to: path(0, 0), in: desk.source.snapshot())
    await desk.source.apply(list("A[7,8,2,3]"))
    await desk.source.endReordering(session)
    #expect(desk.view.contents == "A[7,8,3,2]")
  }
}
