import ListSources
import ListSourcesTestSupport
import Snapshots
import Testing

/// Reorders one by one, with what the handlers of a drag get.
@Suite("What a reorder is")
struct ReorderCaseTests {
  private func path(_ section: Int, _ item: Int) -> ListIndexPath {
    ListIndexPath(item: item, section: section)
  }

  @Test("Where reordering is not allowed, or not said to be, no drag begins and no handler is called")
  func reorderingNotAllowed() async {
    let desk = await ReorderingTests.Desk("A[1,2]", canReorder: { _ in false })
    #expect(desk.source.beginReordering([1]) == nil)
    desk.source.reorderingHandlers.canReorderItem = nil
    #expect(desk.source.beginReordering([1]) == nil)
    #expect(desk.will.isEmpty && desk.did.isEmpty)
  }

  @Test(
    "A[1,2,3,4], 0.0 → 0.2: “will” has the old state, “did” the new, and the paired difference replays")
  func handlersAndDifference() async throws {
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

  @Test("A drag that is cancelled, or dropped where it began, calls no handler and changes nothing")
  func cancelledDrag() async {
    let desk = await ReorderingTests.Desk("A[1,2,3]")
    _ = desk.source.beginReordering([1])
    await desk.drag([2], to: 0, 1)
    #expect(desk.will.isEmpty && desk.did.isEmpty && desk.view.events.isEmpty)
    #expect(text(desk.source.snapshot()) == "A[1,2,3]")
  }

  @Test("A[1,2] B[3,4], 0.0 → 1.1: a difference is unpaired in each section, paired in the whole")
  func betweenSections() async throws {
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
    "From the end of A to the start of B the whole difference is empty, and a store kept by sections is right"
  )
  func acrossABoundary() async throws {
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

  @Test("A section whose only item is dragged away stays, empty")
  func emptiedSection() async throws {
    let desk = await ReorderingTests.Desk("A[1] B[2]")
    let transaction = try #require(await desk.drag([1], to: 1, 0))
    #expect(text(transaction.finalSnapshot) == "A[] B[1,2]")
  }

  @Test(
    "A drag whose item is deleted is cancelled; where others arrive above, it ends beside the same neighbour")
  func changesDuringADrag() async throws {
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
