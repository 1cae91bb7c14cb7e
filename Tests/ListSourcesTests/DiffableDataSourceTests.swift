import ListSources
import ListSourcesTestSupport
import Snapshots
import Testing

typealias TestView = StrictListView<String, Int, String>

/// A change as a controller gives it.
struct TestChange: SnapshotChange {
  var previousSnapshot: TestSnapshot?
  var snapshot: TestSnapshot
  var difference: SnapshotDifference<String, Int>
  var origins: [String] = []
}

@Suite("Data source")
struct DiffableDataSourceTests {
  private func make() -> (TestView, DiffableDataSource<TestView>) {
    let view = TestView()
    return (view, DiffableDataSource(target: view) { "cell \($0)" })
  }

  @Test("The first apply is a reload, and each content is asked for once")
  func firstApply() async {
    let (view, source) = make()
    #expect(source.snapshot().numberOfSections == 0)
    let report = await source.apply(list("A[1,2]"))
    guard case .reloaded = report.outcome else {
      Issue.record("\(report.outcome)")
      return
    }
    #expect(view.events == [.reload])
    #expect(view.providedItems == [1, 2])
    #expect(view.cells == [1: "cell 1", 2: "cell 2"])
  }

  @Test("Items whose section moves, or that move to another, are not asked for")
  func movesOfAllKinds() async {
    let (view, source) = make()
    await source.apply(list("A[1,2] B[3,4] C[5]"))
    view.forgetHistory()
    await source.apply(list("C[5,3] A[2,1] B[4]"))
    #expect(view.providedItems.isEmpty)
    #expect(view.contents == "C[5,3] A[2,1] B[4]")
  }

  @Test("Marks are performed at the new index paths, once, and the data source keeps none")
  func marks() async throws {
    let (view, source) = make()
    await source.apply(list("A[1,2]"))
    view.forgetHistory()
    var snapshot = list("A[2,1,3]")
    try snapshot.reloadItems([1, 3])
    try snapshot.reconfigureItems([2])
    await source.apply(snapshot)
    #expect(view.batches.count == 2)
    #expect(view.batches.last?.reloadedItems == [ListIndexPath(item: 1, section: 0)])
    #expect(view.batches.last?.reconfiguredItems == [ListIndexPath(item: 0, section: 0)])
    #expect(view.providedItems == [3, 1, 2])
    #expect(source.snapshot().reloadedItemIdentifiers.isEmpty)
    #expect(source.snapshot().reconfiguredItemIdentifiers.isEmpty)
    view.forgetHistory()
    await source.apply(source.snapshot())
    #expect(view.events.isEmpty)
  }

  @Test("Look-ups answer both ways, and nil beyond the list")
  func lookUps() async {
    let (_, source) = make()
    await source.apply(list("A[1,2] B[3]"))
    #expect(source.itemIdentifier(for: ListIndexPath(item: 0, section: 1)) == 3)
    #expect(source.indexPath(for: 2) == ListIndexPath(item: 1, section: 0))
    #expect(source.sectionIdentifier(for: 1) == "B")
    #expect(source.index(for: "B") == 1)
    for path in [(2, 0), (-1, 0), (0, 2), (0, -1), (1, 1)] {
      #expect(source.itemIdentifier(for: ListIndexPath(item: path.0, section: path.1)) == nil)
    }
    #expect(source.indexPath(for: 9) == nil)
    #expect(source.sectionIdentifier(for: 2) == nil)
    #expect(source.sectionIdentifier(for: -1) == nil)
    #expect(source.index(for: "Z") == nil)
  }

  @Test("During an update the data source has the new list, and providers see it")
  func stateDuringUpdate() async {
    let view = TestView()
    var seen: [String] = []
    var source: DiffableDataSource<TestView>?
    source = DiffableDataSource(target: view) { item in
      if let source { seen.append(text(source.snapshot())) }
      return "\(item)"
    }
    await source?.apply(list("A[1]"))
    await source?.apply(list("A[1,2]"))
    #expect(seen == ["A[1]", "A[1,2]"])
    source = nil
  }

  @Test("Reloading on request forgets the marks, and the next apply differs from it")
  func usingReloadData() async throws {
    let (view, source) = make()
    await source.apply(list("A[1,2]"))
    view.forgetHistory()
    var snapshot = list("A[2,3]")
    try snapshot.reloadItems([2])
    await source.applyUsingReloadData(snapshot)
    #expect(view.events == [.reload])
    #expect(source.snapshot().reloadedItemIdentifiers.isEmpty)
    view.forgetHistory()
    await source.apply(list("A[2,3,4]"))
    #expect(view.batches.map(\.insertedItems) == [[ListIndexPath(item: 2, section: 0)]])
    #expect(view.batches.count == 1)
  }

  @Test("A change that leads from what is shown brings its own difference")
  func knownDifference() async {
    let (view, source) = make()
    let first = list("A[1,2,3]")
    await source.apply(TestChange(snapshot: first, difference: first.difference(from: list(""))))
    view.forgetHistory()
    let second = list("A[3,2,1]")
    // A legal difference other than ours, to tell them apart: three moves where two would do.
    let moves = [3, 2, 1].enumerated().map { index, item in
      SnapshotDifference<String, Int>.ItemMove(
        id: item, from: ListIndexPath(item: item - 1, section: 0), to: ListIndexPath(item: index, section: 0))
    }
    let difference = SnapshotDifference<String, Int>(movedItems: moves, reconfiguredItems: [2])
    await source.apply(
      TestChange(previousSnapshot: first, snapshot: second, difference: difference, origins: ["act"]))
    #expect(view.batches.map(\.operationCount) == [3, 1])
    #expect(view.origins == ["act"])
    #expect(view.contents == "A[3,2,1]")
  }

  @Test("A change that leads from another list is compared with what is shown, and keeps its marks")
  func foreignDifference() async {
    let (view, source) = make()
    await source.apply(list("A[1,2,3]"))
    view.forgetHistory()
    let previous = list("A[1,2]")
    let next = list("A[2,1,4]")
    var difference = next.difference(from: previous)
    difference.reconfiguredItems = [1]
    await source.apply(TestChange(previousSnapshot: previous, snapshot: next, difference: difference))
    #expect(view.contents == "A[2,1,4]")
    #expect(view.batches.count == 2)
    #expect(view.batches.last?.reconfiguredItems == [ListIndexPath(item: 1, section: 0)])
    #expect(view.violations.isEmpty)
  }

  @Test("A view is notified of mutations that changed nothing")
  func idleActs() async {
    let (view, source) = make()
    await source.apply(list("A[1]"))
    view.forgetHistory()
    await source.apply(list("A[1]"), options: ApplyOptions(origins: ["x"]))
    #expect(view.events == [.acknowledge(["x"])])
  }

  @Test("A view that fails is reloaded, and the error reported")
  func failingView() async {
    struct Trouble: Error {}
    let (view, source) = make()
    var errors = 0
    source.failureHandler = { _ in errors += 1 }
    await source.apply(list("A[1]"))
    view.forgetHistory()
    var calls = 0
    view.willUpdate = {
      calls += 1
      if calls == 1 { throw Trouble() }
    }
    guard case .recovered = await source.apply(list("A[1,2]")).outcome else {
      Issue.record("not recovered")
      return
    }
    #expect(view.events == [.reload])
    #expect(errors == 1)

    calls = 0
    view.willUpdate = {
      calls += 1
      if calls <= 2 { throw Trouble() }
    }
    guard case .failed = await source.apply(list("A[2]")).outcome else {
      Issue.record("not failed")
      return
    }
    #expect(errors == 3)
    #expect(text(source.snapshot()) == "A[2]")
    // What failed is made good by the next apply, even an equal one.
    view.forgetHistory()
    await source.apply(list("A[2]"))
    #expect(view.events == [.reload])
    #expect(view.contents == "A[2]")
  }

  @Test("A view that is gone is not called again, and the state goes on")
  func goneView() async {
    let (view, source) = make()
    await source.apply(list("A[1]"))
    view.willUpdate = { throw ListTargetError.gone }
    guard case .targetGone = await source.apply(list("A[1,2]")).outcome else {
      Issue.record("not gone")
      return
    }
    view.forgetHistory()
    view.willUpdate = nil
    guard case .targetGone = await source.apply(list("A[1,2,3]")).outcome else {
      Issue.record("not gone")
      return
    }
    #expect(view.events.isEmpty)
    #expect(text(source.snapshot()) == "A[1,2,3]")
  }

  @Test("The selection and the anchor are found again")
  func selection() async {
    let (_, source) = make()
    await source.apply(list("A[1,2,3,4,5,6]"))
    let tracking = ListTracking(selected: [1, 3, 9], anchor: 3)
    var report = await source.apply(list("B[0] A[1,2,5,6]"), options: ApplyOptions(tracking: tracking))
    #expect(report.trackedSelection?.selected == [1])
    #expect(report.trackedSelection?.deselected == [3, 9])
    #expect(report.trackedSelection?.anchor == 2)
    #expect(report.trackedSelection?.anchorPath == ListIndexPath(item: 1, section: 1))
    #expect(report.trackedSelection?.anchorDistance == -1)

    // Moved items count where they are now; and of two that are equally near, the one behind.
    report = await source.apply(list("A[6,1]"), options: ApplyOptions(tracking: ListTracking(anchor: 5)))
    #expect(report.trackedSelection?.anchor == 6)
    #expect(report.trackedSelection?.anchorPath == ListIndexPath(item: 0, section: 0))
    report = await source.apply(list("A[7]"), options: ApplyOptions(tracking: ListTracking(anchor: 6)))
    #expect(report.trackedSelection?.anchor == nil)
    await source.apply(list("A[1,2] B[3]"))
    report = await source.apply(list("A[1] B[3]"), options: ApplyOptions(tracking: ListTracking(anchor: 2)))
    #expect(report.trackedSelection?.anchor == 3)
    #expect(report.trackedSelection?.anchorPath == ListIndexPath(item: 0, section: 1))
    #expect(report.trackedSelection?.anchorDistance == 1)
  }
}
