import ListSources
import ListSourcesTestSupport
import Snapshots
import Testing

/// Applies one by one, with exactly the calls that a view gets.
@Suite("What an apply does to a view")
struct ApplyCaseTests {
  private func make() -> (TestView, DiffableDataSource<TestView>) {
    let view = TestView()
    return (view, DiffableDataSource(target: view) { "cell \($0)" })
  }

  private func path(_ section: Int, _ item: Int) -> ListIndexPath {
    ListIndexPath(item: item, section: section)
  }

  @Test("An applied snapshot has no marks afterwards, and applying it again does nothing")
  func marksAreGoneOnceApplied() async throws {
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

  @Test("A[1,2] → A[2,1,3] with marks: the second batch has the new index paths, and 3 is provided once")
  func marksInASecondBatch() async throws {
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

  @Test("Empty before; the first apply of A[1] is a reload and no batch, and each item is provided once")
  func firstApply() async {
    let (view, source) = make()
    #expect(source.snapshot() == TestSnapshot())
    await source.apply(list("A[1]"))
    #expect(view.events == [.reload])
    #expect(view.providedItems == [1])
  }

  @Test("A[1,2,3] → A[3,1,2] is exactly one move, and the provider is not called")
  func oneMove() async {
    let (view, source) = make()
    await source.apply(list("A[1,2,3]"))
    view.forgetHistory()
    await source.apply(list("A[3,1,2]"))
    #expect(view.batches.count == 1)
    #expect(view.batches[0].movedItems == [ListBatch.ItemMove(from: path(0, 2), to: path(0, 0))])
    #expect(view.batches[0].operationCount == 1)
    #expect(view.providedItems.isEmpty)
  }

  @Test("An equal snapshot makes no batch, and its call returns once")
  func equalSnapshot() async {
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

  @Test("Three snapshots that are not awaited are shown in order, and the last is what is left")
  func inOrder() async {
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

  @Test("An apply from within a provider is shown after the one that asked, without a deadlock")
  func applyWithinProvider() async {
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
    "A thousand applies from eight tasks: the last is one of those applied, all are legal, all return once"
  )
  func fromManyTasks() async {
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

  @Test(
    "An apply by reloading is one reset and no difference, marks are gone, and the next apply differs from it"
  )
  func byReloading() async throws {
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

  @Test("A tree in a section that is not there appends it with what is visible, and the tree is kept")
  func treeInNewSection() async {
    let (view, source) = make()
    await source.apply(list("A[9]"))
    let tree = outline("1", "  11", "2")
    await source.apply(tree, to: "X")
    #expect(view.contents == "A[9] X[1,2]")
    #expect(source.snapshot(for: "X") == tree)
    #expect(source.snapshot().itemIdentifiers == [9, 1, 2])
  }

  @Test("A tree that names an item of another section moves it here, once")
  func treeWithItemOfAnotherSection() async {
    let (view, source) = make()
    await source.apply(list("A[4] B[5,6]"))
    view.forgetHistory()
    await source.apply(outline("4", "5"), to: "A")
    #expect(view.contents == "A[4,5] B[6]")
    #expect(view.batches.map(\.movedItems) == [[ListBatch.ItemMove(from: path(1, 0), to: path(0, 1))]])
    #expect(view.batches.map(\.operationCount) == [1])
  }
}
