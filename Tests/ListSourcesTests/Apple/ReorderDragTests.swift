import ListSources
import ListSourcesApple
import ListSourcesTestSupport
import Snapshots
import Testing

@MainActor
@Suite("Drags in views")
struct ReorderDragTests {
  private func path(_ section: Int, _ item: Int) -> ListIndexPath {
    ListIndexPath(item: item, section: section)
  }

  /// A data source that lets all but 9 be dragged, with its drag.
  private func make(
    _ start: String
  ) async -> (DiffableDataSource<TestView>, TestView, ReorderDrag<String, Int>) {
    let view = TestView()
    let source = DiffableDataSource(target: view) { "cell \($0)" }
    source.reorderingHandlers.canReorderItem = { $0 != 9 }
    source.reorderingHandlers.didReorder = { _ in }
    await source.apply(list(start))
    view.forgetHistory()
    return (source, view, ReorderDrag(source))
  }

  @Test("A drag of a selected item takes the selection, as far as it may be lifted; another only that item")
  func selection() async {
    let (_, _, drag) = await make("A[1,2,9,3] B[4]")
    #expect(drag.lift(path(0, 1), selected: [path(1, 0), path(0, 1), path(0, 2)]) == [2, 4])
    #expect(drag.items == [2, 4])
    #expect(drag.lift(path(0, 0), selected: [path(0, 1)]) == [1])
    #expect(drag.lift(path(0, 2)).isEmpty)
    #expect(drag.lift(path(7, 7)).isEmpty)
    #expect(drag.canLift(path(0, 0)) && !drag.canLift(path(0, 2)) && !drag.canLift(path(3, 0)))
    #expect(
      drag.text(at: path(0, 1)) == "2" && drag.text(at: path(0, 2)) == nil && drag.text(at: path(3, 0)) == nil
    )
  }

  @Test(
    "An index path that counts without the dragged items, one that counts with them, and one in rows",
    arguments: [
      (0, 2, "A[2,3,1,4] B[5]", "A[2,1,3,4] B[5]"), (0, 4, "A[2,3,4,1] B[5]", "A[2,3,4,1] B[5]"),
      (1, 0, "A[2,3,4] B[1,5]", "A[2,3,4] B[1,5]"), (1, 9, "A[2,3,4] B[5,1]", "A[2,3,4] B[5,1]"),
    ])
  func indexPaths(_ section: Int, _ item: Int, _ final: String, _ gap: String) async throws {
    var (source, view, drag) = await make("A[1,2,3,4] B[5]")
    drag.lift(path(0, 0))
    _ = await drag.drop(at: path(section, item))?.value
    #expect(view.contents == final)
    (source, view, drag) = await make("A[1,2,3,4] B[5]")
    drag.lift(path(0, 0))
    _ = await drag.drop(inGap: path(section, item))?.value
    #expect(view.contents == gap)
    #expect(source.snapshot() == list(gap))
  }

  @Test(
    "Gaps above rows: headers end the section before them, the ends are the list's ends",
    arguments: [
      // § A 1 2 § B § C 3
      (0, true, "A[3,1,2] B[] C[]"), (1, true, "A[3,1,2] B[] C[]"), (3, true, "A[1,2,3] B[] C[]"),
      (4, true, "A[1,2] B[3] C[]"), (-5, true, "A[3,1,2] B[] C[]"), (2, false, "A[1,2,3] B[] C[]"),
      (0, false, "A[3,1,2] B[] C[]"), (1, false, "A[1,3,2] B[] C[]"),
    ])
  func rows(_ row: Int, _ hasHeaders: Bool, _ expected: String) async {
    let (_, view, drag) = await make("A[1,2] B[] C[3]")
    drag.lift(path(2, 0))
    _ = await drag.drop(aboveRow: row, hasHeaders: hasHeaders)?.value
    #expect(view.contents == expected)
  }

  @Test("Gaps below the last row are the end of the list; an empty list has none")
  func lastRows() async {
    let (source, view, drag) = await make("A[1,2] B[3]")
    for row in [5, 6, .max] {
      await source.apply(list("A[1,2] B[3]"))
      drag.lift(path(0, 0))
      _ = await drag.drop(aboveRow: row, hasHeaders: true)?.value
      #expect(view.contents == "A[2] B[3,1]")
    }
    #expect(FlatRows(list(""), hasHeaders: true).gap(aboveRow: 0, dragging: []) == nil)
    #expect(FlatRows(list(""), hasHeaders: true)[0] == nil)
  }

  @Test("A view that names no index path drops at the end, and not into a section that is not there")
  func nowhere() async {
    let (source, view, drag) = await make("A[1,2,3]")
    drag.lift(path(0, 0))
    _ = await drag.drop(at: path(0, .max))?.value
    #expect(view.contents == "A[2,3,1]")
    drag.lift(path(0, 0))
    #expect(drag.drop(at: path(4, 0)) == nil)
    #expect(drag.drop(inGap: path(-1, 0)) == nil)
    // The drag goes on until it is dropped or cancelled.
    #expect(drag.items == [2])
    drag.cancel()
    #expect(drag.items.isEmpty && drag.drop(at: path(0, 0)) == nil && !drag.canDrop())
    #expect(source.snapshot() == list("A[2,3,1]"))
  }

  @Test("Whether it can be dropped follows the list; what is gone leaves the drag")
  func followsTheList() async {
    let (source, view, drag) = await make("A[1,2,3]")
    drag.lift([path(0, 0), path(0, 1)])
    #expect(drag.canDrop())
    await source.apply(list("A[2,3]"))
    #expect(drag.canDrop() && drag.items == [2])
    await source.apply(list("A[3]"))
    #expect(!drag.canDrop())
    await source.apply(list("A[3,2,1]"))
    #expect(!drag.canDrop(), "what has left a drag does not come back")
    view.forgetHistory()
    _ = await drag.drop(at: path(0, 0))?.value
    #expect(view.events.isEmpty)
  }

  @Test("A row that a table moved by itself is taken over; one that may not be moved is not")
  func takeOver() async {
    let (source, view, drag) = await make("A[1,2,9] B[3]")
    _ = await drag.takeOver(rowMovedFrom: path(0, 0), to: path(0, 1))?.value
    #expect(view.events == [.adopt])
    #expect(source.snapshot() == list("A[2,1,9] B[3]"))
    #expect(drag.takeOver(rowMovedFrom: path(0, 2), to: path(0, 0)) == nil)
    #expect(drag.takeOver(rowMovedFrom: path(0, 1), to: path(0, 1)) == nil)
  }

  @Test("A row that a table moved while another list was on its way: the table is reloaded with both")
  func takeOverInTheMiddle() async {
    let (source, view, drag) = await make("A[1,2,3]")
    let apply = Task { await source.apply(list("A[1,2,3,4]")) }
    let drop = drag.takeOver(rowMovedFrom: path(0, 0), to: path(0, 1))
    _ = await (apply.value, drop?.value)
    #expect(source.snapshot() == list("A[2,1,3,4]"))
    #expect(view.contents == "A[2,1,3,4]")
    #expect(view.events.last == .reload)
  }

  @Test("Rows and index paths are told from each other, both ways", arguments: [true, false], 0..<6)
  func rowsAndPaths(_ hasHeaders: Bool, seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let snapshot = random.snapshot()
    let rows = FlatRows(snapshot, hasHeaders: hasHeaders)
    #expect(rows.count == snapshot.numberOfItems + (hasHeaders ? snapshot.numberOfSections : 0))
    var seen: [FlatRows<String, Int>.Row] = []
    for (section, part) in snapshot.sections.enumerated() {
      if hasHeaders { seen.append(.header(part.id)) }
      for (index, item) in part.items.enumerated() {
        let row = rows.row(of: path(section, index))
        #expect(row == seen.count)
        #expect(rows.indexPath(ofRow: row) == path(section, index))
        seen.append(.item(item))
      }
    }
    #expect((0..<rows.count).map { rows[$0] } == seen)
    #expect(rows[-1] == nil && rows[rows.count] == nil && rows.indexPath(ofRow: rows.count) == nil)
  }
}
