import ListSources
import ListSourcesApple
import ListSourcesTestSupport
import Snapshots
import Testing

/// The common behaviour of the targets for Apple's views, against views that count as strictly as those do.
@MainActor
@Suite("Targets of views")
struct ViewTargetTests {
  private func make(
    _ manner: FakeBatchView.Manner = .atOnce
  ) -> (FakeBatchView, FakeBatchTarget, DiffableDataSource<FakeBatchTarget>) {
    let view = FakeBatchView()
    view.manner = manner
    let target = FakeBatchTarget(view: view)
    return (view, target, DiffableDataSource(target: target) { "cell \($0)" })
  }

  @Test(
    "Any history of lists reaches the view by batches that add up, however it reports that they are done",
    arguments: FakeBatchView.Manner.allCases, 0..<4)
  func histories(_ manner: FakeBatchView.Manner, seed: UInt64) async {
    var random = SeededGenerator(seed: seed &+ 330)
    let (view, target, source) = make(manner)
    for step in 0..<60 {
      let next =
        Bool.random(using: &random) ? random.snapshot(marks: true) : random.edited(source.snapshot())
      await source.apply(next)
      #expect(target.shown == next, "seed \(seed), step \(step)")
      #expect(view.shown == next.sections.map { Array($0.items) }, "seed \(seed), step \(step)")
    }
    #expect(view.violations.isEmpty, "seed \(seed)")
    #expect(view.reloads == 1)
  }

  @Test("While a batch is performed the target answers for the list after it")
  func answersForTheStage() async {
    let (view, target, source) = make()
    await source.apply(list("A[1,2] B[3,4]"))
    var seen: [String] = []
    view.didBatch = { seen.append(text(target.shown)) }
    await source.apply(list("B[3,4,1] A[2]"))
    #expect(seen == ["B[3,4] A[1,2]", "B[3,4,1] A[2]"])
  }

  @Test("A view on no screen is reloaded, also when it leaves between two stages")
  func offScreen() async {
    let (view, target, source) = make()
    view.isOnScreen = false
    await source.apply(list("A[1,2] B[3,4]"))
    await source.apply(list("A[1,2,9] B[3,4]"))
    #expect(view.reloads == 2 && view.batches.isEmpty)
    view.isOnScreen = true
    view.didBatch = { view.isOnScreen = false }
    await source.apply(list("B[3,4,1] A[2,9]"))
    #expect(view.batches.count == 1)
    #expect(view.reloads == 3)
    #expect(target.shown == list("B[3,4,1] A[2,9]"))
    #expect(view.shown == [[3, 4, 1], [2, 9]])
  }

  @Test("A provider that fails is reported where the view asks, and the item has no content")
  func providerFailure() async {
    struct Broken: Error {}
    let view = FakeBatchView()
    let target = FakeBatchTarget(view: view)
    var failures: [any Error] = []
    target.failureHandler = { failures.append($0) }
    let source = DiffableDataSource(target: target) { item in
      if item == 2 { throw Broken() }
      return "cell \(item)"
    }
    await source.apply(list("A[1,2]"))
    #expect(
      target.itemAndContent(at: ListIndexPath(item: 0, section: 0))?.content == "cell 1" && failures.isEmpty)
    let second = target.itemAndContent(at: ListIndexPath(item: 1, section: 0))
    #expect(second?.item == 2 && second?.content == nil && failures.count == 1 && failures.first is Broken)
  }

  @Test("A view that is no more ends the calls and leaves the state")
  func gone() async {
    var view: FakeBatchView? = FakeBatchView()
    guard let target = view.map({ FakeBatchTarget(view: $0) }) else { return }
    let source = DiffableDataSource(target: target) { "cell \($0)" }
    await source.apply(list("A[1]"))
    view = nil
    #expect(target.view == nil)
    guard case .targetGone = await source.apply(list("A[1,2]")).outcome else {
      Issue.record("not gone")
      return
    }
    #expect(source.snapshot() == list("A[1,2]"))
  }

  @Test("A reload of a view that is no more says so too, and so does taking over")
  func goneFromTheStart() async throws {
    var view: FakeBatchView? = FakeBatchView()
    guard let target = view.map({ FakeBatchTarget(view: $0) }) else { return }
    view = nil
    let update = ListUpdate<String, Int, String>(
      before: list(""), snapshot: list("A[1]"), difference: list("A[1]").difference(from: list("")),
      provider: ItemProvider { "\($0)" })
    await #expect(throws: ListTargetError.gone) { try await target.reload(update) }
    await #expect(throws: ListTargetError.gone) { try await target.perform(update) }
    await #expect(throws: ListTargetError.gone) { try await target.adopt(update) }
    _ = view
  }

  @Test("Whether it is animated reaches the view; index paths that are not there have no item")
  func details() async {
    let (view, target, source) = make()
    await source.apply(list("A[1] B[2,3]"))
    await source.apply(list("A[1]"), options: ApplyOptions(animatingDifferences: false))
    await source.apply(list("A[1,4]"))
    #expect(view.animated == [false, true])
    #expect(target.itemAndContent(at: ListIndexPath(item: 1, section: 0))?.content == "cell 4")
    #expect(target.itemAndContent(at: ListIndexPath(item: 2, section: 0)) == nil)
    #expect(target.itemAndContent(at: ListIndexPath(item: 0, section: 7)) == nil)
    #expect(target.numberOfItems(inSection: 0) == 2)
    #expect(target.numberOfItems(inSection: 1) == 0 && target.numberOfItems(inSection: -1) == 0)
    #expect(target.sectionIdentifier(at: 0) == "A" && target.sectionIdentifier(at: 1) == nil)
  }

  @Test("Rows of all sections follow any history, with headers and without", arguments: [true, false], 0..<8)
  func rows(_ hasHeaders: Bool, seed: UInt64) async {
    var random = SeededGenerator(seed: seed &+ 440)
    let view = FakeRowView()
    let target = FakeRowTarget(view: view, hasSectionHeaders: hasHeaders)
    var edition = 0
    var editions: [Int: Int] = [:]
    let source = DiffableDataSource(target: target) { "\($0) in edition \(editions[$0] ?? 0)" }
    func expected(_ snapshot: TestSnapshot) -> [String] {
      snapshot.sections.flatMap { section in
        (hasHeaders ? ["§\(section.id)"] : [])
          + section.items.map { "\($0) in edition \(editions[$0] ?? 0)" }
      }
    }
    for step in 0..<80 {
      let before = source.snapshot()
      let next = Bool.random(using: &random) ? random.snapshot(marks: true) : random.edited(before)
      edition += 1
      // Only what is marked, in a marked section, or new shows a new edition.
      for item in next.reloadedItemIdentifiers + next.reconfiguredItemIdentifiers { editions[item] = edition }
      for item in next.itemIdentifiers where before.indexPath(ofItem: item) == nil {
        editions[item] = edition
      }
      for section in next.reloadedSectionIdentifiers {
        for item in (try? next.itemIdentifiers(inSection: section)) ?? [] { editions[item] = edition }
      }
      await source.apply(next)
      #expect(view.rows == expected(next), "seed \(seed), step \(step): \(text(before)) → \(text(next))")
      #expect(target.rows.count == view.rows.count)
    }
    #expect(view.reloads == 1)
  }

  @Test("A row view that has moved a row, or is on no screen, counts the new rows")
  func rowsTakenOver() async throws {
    let view = FakeRowView()
    let target = FakeRowTarget(view: view, hasSectionHeaders: true)
    let source = DiffableDataSource(target: target) { "\($0)" }
    source.reorderingHandlers.canReorderItem = { _ in true }
    source.reorderingHandlers.didReorder = { _ in }
    await source.apply(list("A[1,2] B[3]"))
    let drag = ReorderDrag(source)
    let drop = drag.takeOver(
      rowMovedFrom: ListIndexPath(item: 0, section: 0), to: ListIndexPath(item: 1, section: 1))
    _ = await drop?.value
    #expect(target.rows[5] == nil)
    #expect((0..<5).map { target.rows[$0] } == [.header("A"), .item(2), .header("B"), .item(3), .item(1)])
    #expect(view.reloads == 1)
    view.isOnScreen = false
    await source.apply(list("B[3]"))
    #expect(view.rows == ["§B", "3"])
  }
}
