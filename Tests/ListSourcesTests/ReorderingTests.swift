import ListSources
import ListSourcesTestSupport
import Snapshots
import Testing

@Suite("Reordering")
struct ReorderingTests {
  typealias Transaction = ReorderTransaction<String, Int>

  /// A data source, its view, and what its handlers were told.
  final class Desk {
    let view = TestView()
    let source: DiffableDataSource<TestView>
    var will: [(transaction: Transaction, shown: String)] = []
    var did: [(transaction: Transaction, shown: String)] = []

    init(_ start: String, canReorder: @escaping (Int) -> Bool = { _ in true }) async {
      source = DiffableDataSource(target: view) { "cell \($0)" }
      source.reorderingHandlers.canReorderItem = canReorder
      source.reorderingHandlers.willReorder = { [unowned self] in will.append(($0, text(source.snapshot()))) }
      source.reorderingHandlers.didReorder = { [unowned self] in did.append(($0, text(source.snapshot()))) }
      await source.apply(list(start))
      view.forgetHistory()
    }

    @discardableResult
    func drag(_ items: [Int], to section: Int, _ item: Int) async -> Transaction? {
      guard var session = source.beginReordering(items) else { return nil }
      session.move(to: ListIndexPath(item: item, section: section), in: source.snapshot())
      await source.endReordering(session)
      return did.last?.transaction
    }
  }

  @Test("Nothing is lifted unless the handlers are set and say so")
  func lifting() async {
    let desk = await Desk("A[1,2]", canReorder: { $0 == 2 })
    #expect(desk.source.beginReordering([1]) == nil)
    #expect(desk.source.beginReordering([9]) == nil)
    #expect(desk.source.beginReordering([]) == nil)
    #expect(desk.source.beginReordering([1, 2])?.items == [2])
    desk.source.reorderingHandlers.didReorder = nil
    #expect(desk.source.beginReordering([2]) == nil)
    desk.source.reorderingHandlers = ReorderingHandlers()
    #expect(desk.source.beginReordering([2]) == nil)
  }

  @Test("A drop tells the handlers once each: before with the old state, after with the new")
  func handlers() async throws {
    let desk = await Desk("A[1,2,3,4]")
    await desk.drag([1], to: 0, 2)
    #expect(desk.will.map(\.shown) == ["A[1,2,3,4]"])
    #expect(desk.did.map(\.shown) == ["A[2,3,1,4]"])
    #expect(desk.view.contents == "A[2,3,1,4]")
    #expect(desk.view.batches.map(\.operationCount) == [1])
    let transaction = try #require(desk.did.first?.transaction)
    #expect(
      transaction.difference
        == CollectionDifference([
          .remove(offset: 0, element: 1, associatedWith: 2),
          .insert(offset: 2, element: 1, associatedWith: 0),
        ]))
    #expect([1, 2, 3, 4].applying(transaction.difference) == [2, 3, 1, 4])
    #expect(transaction.destination == ReorderDestination(section: "A", after: 3, before: 4))
  }

  @Test("A drag that is forgotten, or dropped where it began, changes nothing and tells nobody")
  func cancelled() async {
    let desk = await Desk("A[1,2] B[3]")
    for (item, section, index) in [(1, 0, 0), (2, 0, 1), (3, 1, 0), (3, 1, 5)] {
      await desk.drag([item], to: section, index)
    }
    if let session = desk.source.beginReordering([1]) { await desk.source.endReordering(session) }
    _ = desk.source.beginReordering([1])
    await desk.drag([1], to: 7, 0)
    #expect(desk.will.isEmpty && desk.did.isEmpty)
    #expect(desk.view.events.isEmpty)
  }

  @Test("Across sections: each changed section has its transaction, the last section first")
  func acrossSections() async throws {
    let desk = await Desk("A[1,2] B[3,4] C[5]")
    let transaction = try #require(await desk.drag([1], to: 1, 1))
    #expect(text(transaction.finalSnapshot) == "A[2] B[3,1,4] C[5]")
    #expect(transaction.sectionTransactions.map(\.sectionIdentifier) == ["B", "A"])
    #expect(
      transaction.sectionTransactions[0].difference
        == CollectionDifference([.insert(offset: 1, element: 1, associatedWith: nil)]))
    #expect(
      transaction.sectionTransactions[1].difference
        == CollectionDifference([.remove(offset: 0, element: 1, associatedWith: nil)]))
    #expect(transaction.difference.count == 2)
  }

  @Test(
    "From the end of a section to the start of the next: the flat difference is empty, the sections tell all")
  func emptyDifference() async throws {
    let desk = await Desk("A[1,2] B[3,4]")
    let transaction = try #require(await desk.drag([2], to: 1, 0))
    #expect(text(transaction.finalSnapshot) == "A[1] B[2,3,4]")
    #expect(transaction.difference.isEmpty)
    #expect(transaction.sectionTransactions.map(\.sectionIdentifier) == ["B", "A"])
    #expect(transaction.sectionTransactions.map(\.finalSnapshot.items) == [[2, 3, 4], [1]])
  }

  @Test("A section that loses its only item stays")
  func emptiedSection() async {
    let desk = await Desk("A[1] B[2]")
    await desk.drag([1], to: 1, 1)
    #expect(text(desk.source.snapshot()) == "A[] B[2,1]")
  }

  @Test("Several items land side by side, in list order")
  func severalItems() async throws {
    let desk = await Desk("A[1,2,3,4,5] B[6,7]")
    let transaction = try #require(await desk.drag([7, 4, 2], to: 0, 1))
    #expect(transaction.items == [2, 4, 7])
    #expect(desk.view.contents == "A[1,2,4,7,3,5] B[6]")
    #expect(transaction.destination == ReorderDestination(section: "A", after: 1, before: 3))
    let all = try #require(await desk.drag([1, 2, 4, 7, 3, 5], to: 1, 1))
    #expect(desk.view.contents == "A[] B[6,1,2,4,7,3,5]")
    #expect(all.items.count == 6)
  }

  @Test("Dragging n items writes n rows, with ranks between those of their neighbours")
  func rankWrites() async throws {
    let desk = await Desk("A[1,2,3,4,5]")
    let ranks = [1: 10.0, 2: 20, 3: 30, 4: 40, 5: 50]
    func between(_ lower: Double?, _ upper: Double?, _ count: Int) -> [Double] {
      let low = lower ?? (upper ?? 0) - 100
      let high = upper ?? low + 100
      return (1...count).map { low + (high - low) * Double($0) / Double(count + 1) }
    }
    for (items, index) in [([5, 1], 1), ([3], 0), ([1, 2], 3), ([4, 5], 0)] {
      let before = desk.source.snapshot().itemIdentifiers
      var current = ranks
      for (index, item) in before.enumerated() { current[item] = Double(index * 10) }
      let transaction = try #require(await desk.drag(items, to: 0, index))
      let writes = transaction.rankWrites(rank: { current[$0] }, between: between)
      #expect(writes.map(\.item) == transaction.items)
      #expect(Set(writes.map(\.item)) == Set(items))
      for write in writes { current[write.item] = write.rank }
      let stored = before.sorted { (current[$0] ?? 0) < (current[$1] ?? 0) }
      #expect(stored == transaction.finalSnapshot.itemIdentifiers)
    }
    #expect(
      desk.did.last?.transaction.rankWrites(rank: { _ in 1 }, between: { _, _, _ in [] }).isEmpty == true)
  }

  @Test("The commit that comes round after a drag is no change to the view")
  func commitComesRound() async throws {
    let desk = await Desk("A[1,2,3]")
    let transaction = try #require(await desk.drag([3], to: 0, 0))
    desk.view.forgetHistory()
    let before = list("A[1,2,3]")
    let after = list("A[3,1,2]")
    let report = await desk.source.apply(
      TestChange(previousSnapshot: before, snapshot: after, difference: after.difference(from: before)))
    guard case .unchanged = report.outcome else {
      Issue.record("\(report.outcome)")
      return
    }
    #expect(desk.view.events.isEmpty)
    // A write that failed is taken back by applying what was before.
    await desk.source.apply(transaction.initialSnapshot)
    #expect(desk.view.contents == "A[1,2,3]")
  }

  @Test("A view that moved the item by itself is only told to take it over")
  func shownAlready() async throws {
    let desk = await Desk("A[1,2,3]")
    var session = try #require(desk.source.beginReordering([1]))
    session.move(to: ListIndexPath(item: 2, section: 0), in: desk.source.snapshot())
    await desk.source.endReordering(session, isShownAlready: true)
    #expect(desk.view.events == [.adopt])
    #expect(desk.view.contents == "A[2,3,1]")
    await desk.source.apply(list("A[2,3]"))
    #expect(desk.view.violations.isEmpty)
  }

  @Test("A change during a drag: the drop lands beside the same neighbour")
  func rebasing() async throws {
    let desk = await Desk("A[1,2,3,4]")
    var session = try #require(desk.source.beginReordering([1]))
    session.move(to: ListIndexPath(item: 2, section: 0), in: desk.source.snapshot())
    await desk.source.apply(list("A[7,8,1,2,9,3,4]"))
    session.rebase(onto: desk.source.snapshot())
    #expect(!session.isCancelled)
    await desk.source.endReordering(session)
    #expect(desk.view.contents == "A[7,8,2,9,3,1,4]")
    #expect(desk.will.map(\.shown) == ["A[7,8,1,2,9,3,4]"])
  }

  @Test("A change during a drag: of the neighbours the one that is left counts, in whatever section it is")
  func rebasingByTheOther() async throws {
    let desk = await Desk("A[1,2,3,4] B[5]")
    var session = try #require(desk.source.beginReordering([1]))
    session.move(to: ListIndexPath(item: 2, section: 0), in: desk.source.snapshot())
    await desk.source.apply(list("A[1,2] B[5,4]"))
    await desk.source.endReordering(session)
    #expect(desk.view.contents == "A[2] B[5,1,4]")
  }

  @Test(
    "A change during a drag: when the item or both neighbours are gone the drag is off, and nobody is told")
  func rebasingInVain() async throws {
    let desk = await Desk("A[1,2,3,4,5]")
    var session = try #require(desk.source.beginReordering([1]))
    session.move(to: ListIndexPath(item: 2, section: 0), in: desk.source.snapshot())
    await desk.source.apply(list("A[1,2,5]"))
    session.rebase(onto: desk.source.snapshot())
    #expect(session.isCancelled)
    await desk.source.endReordering(session)

    session = try #require(desk.source.beginReordering([1]))
    session.move(to: ListIndexPath(item: 1, section: 0), in: desk.source.snapshot())
    await desk.source.apply(list("A[2,5]"))
    session.rebase(onto: desk.source.snapshot())
    #expect(session.isCancelled)
    await desk.source.endReordering(session)
    #expect(desk.will.isEmpty && desk.did.isEmpty)
  }

  @Test("A change during a drag of several: what is gone leaves the drag, the rest lands")
  func rebasingSeveral() async throws {
    let desk = await Desk("A[1,2,3,4,5]")
    var session = try #require(desk.source.beginReordering([1, 2, 5]))
    session.move(to: ListIndexPath(item: 1, section: 0), in: desk.source.snapshot())
    await desk.source.apply(list("A[5,1,3,4]"))
    await desk.source.endReordering(session)
    #expect(desk.view.contents == "A[3,5,1,4]")
    #expect(desk.did.first?.transaction.items == [5, 1])
  }

  @Test("The rule of table views: behind the row at the destination when going down, before it otherwise")
  func tableRule() {
    let snapshot = list("A[1,2,3] B[4]")
    func destination(_ from: (Int, Int), _ to: (Int, Int)) -> ReorderDestination<String, Int>? {
      ReorderDestination(
        tableRowMovedFrom: ListIndexPath(item: from.1, section: from.0),
        to: ListIndexPath(item: to.1, section: to.0), in: snapshot)
    }
    #expect(destination((0, 0), (0, 1)) == ReorderDestination(section: "A", after: 2, before: 3))
    #expect(destination((0, 2), (0, 1)) == ReorderDestination(section: "A", after: 1, before: 2))
    #expect(destination((0, 2), (1, 0)) == ReorderDestination(section: "B", after: nil, before: 4))
    #expect(destination((0, 0), (1, 1)) == ReorderDestination(section: "B", after: 4, before: nil))
    #expect(destination((0, 0), (0, 0)) == nil)
    #expect(destination((0, 9), (0, 0)) == nil)
  }

  @Test(
    "Random drags: transactions replay, handlers see the right states, batches are legal", arguments: 0..<12)
  func randomDrags(seed: UInt64) async throws {
    var random = SeededGenerator(seed: seed &+ 77)
    var start = random.snapshot()
    if start.numberOfItems < 4 { start = list("A[1,2,3] B[] C[4,5]") }
    let desk = await Desk(text(start))
    for step in 0..<60 {
      let before = desk.source.snapshot()
      let items = Array(
        before.itemIdentifiers.shuffled(using: &random).prefix(Int.random(in: 1...3, using: &random)))
      let section = Int.random(in: 0..<before.numberOfSections, using: &random)
      guard var session = desk.source.beginReordering(items) else { continue }
      session.move(
        to: ListIndexPath(item: Int.random(in: 0...6, using: &random), section: section), in: before)
      if Int.random(in: 0..<4, using: &random) == 0 {
        await desk.source.apply(random.edited(before, edits: 2))
      }
      let dropped = desk.source.snapshot()
      let count = desk.did.count
      await desk.source.endReordering(session)
      #expect(desk.view.violations.isEmpty, "seed \(seed), step \(step)")
      guard desk.did.count > count, let transaction = desk.did.last?.transaction else {
        #expect(desk.source.snapshot() == dropped)
        continue
      }
      #expect(transaction.initialSnapshot == dropped)
      #expect(transaction.finalSnapshot == desk.source.snapshot())
      #expect(
        dropped.itemIdentifiers.applying(transaction.difference) == transaction.finalSnapshot.itemIdentifiers)
      var rebuilt = dropped.sections.map { ($0.id, Array($0.items)) }
      for change in transaction.sectionTransactions {
        let index = try #require(rebuilt.firstIndex { $0.0 == change.sectionIdentifier })
        #expect(change.initialSnapshot.items == rebuilt[index].1)
        rebuilt[index].1 = try #require(rebuilt[index].1.applying(change.difference))
      }
      #expect(try TestSnapshot(sections: rebuilt) == transaction.finalSnapshot)
      // The dragged items lie side by side, between the neighbours that the transaction names.
      let path = try #require(transaction.finalSnapshot.indexPath(ofItem: transaction.items[0]))
      let inSection = try transaction.finalSnapshot.itemIdentifiers(
        inSection: transaction.destination.section)
      #expect(Array(inSection[path.item..<(path.item + transaction.items.count)]) == transaction.items)
      #expect(
        path.item > 0
          ? inSection[path.item - 1] == transaction.destination.after : transaction.destination.after == nil)
    }
  }
}
