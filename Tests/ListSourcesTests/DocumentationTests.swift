import ListSources
import ListSourcesTestSupport
import Snapshots
import Testing

/// The target of the article "Writing a target", word for word.
final class Terminal: ListTarget {
  var rows: [String] = []

  func reload(_ update: ListUpdate<String, Int, String>) async throws {
    rows = []
    let contents = try await update.provider.contents(for: update.snapshot.itemIdentifiers)
    rows = update.snapshot.items.map { contents[$0] ?? "" }
  }

  func perform(_ update: ListUpdate<String, Int, String>) async throws {
    for stage in update.stages() {
      for operation in stage.batch.sequentialRowOperations() {
        switch operation {
        case .remove(let row): rows.remove(at: row)
        case .insert(let row): rows.insert("", at: row)
        case .move(let from, let to): rows.insert(rows.remove(at: from), at: to)
        }
      }
    }
    let contents = try await update.provider.contents(for: update.itemsToProvide)
    for (item, content) in contents {
      if let path = update.snapshot.indexPath(ofItem: item) { rows[path.item] = content }
    }
  }
}

@Suite("What the documentation says")
struct DocumentationTests {
  @Test("The target of the article shows what it is given", arguments: 0..<5)
  func writingATarget(seed: UInt64) async {
    var random = SeededGenerator(seed: seed)
    let terminal = Terminal()
    let source = DiffableDataSource(target: terminal) { "row \($0)" }
    for _ in 0..<50 {
      let items = Array(0..<12).shuffled(using: &random).prefix(Int.random(in: 0...12, using: &random))
      await source.apply(list("[\(items.map(String.init).joined(separator: ","))]"))
      #expect(terminal.rows == items.map { "row \($0)" })
    }
  }

  @Test("The batch of the picture is the one that is planned")
  func picture() {
    let batch = BatchPlanner.structuralBatch(
      for: list("A[6,7,1,3,4,8]").difference(from: list("A[1,2,3,4,5,6]")))
    func path(_ item: Int) -> ListIndexPath { ListIndexPath(item: item, section: 0) }
    #expect(batch.deletedItems == [path(1), path(4)])
    #expect(batch.insertedItems == [path(1), path(5)])
    #expect(batch.movedItems == [ListBatch.ItemMove(from: path(5), to: path(0))])
  }

  @Test("The table of moves across sections is how they are planned")
  func table() {
    func operations(_ old: String, _ new: String) -> [Int] {
      let batch = BatchPlanner.structuralBatch(for: list(new).difference(from: list(old)))
      return [batch.movedItems.count, batch.deletedItems.count, batch.insertedItems.count]
    }
    #expect(operations("A[1,2] B[3]", "A[1] B[3,2]") == [1, 0, 0])
    #expect(operations("A[1,2]", "A[1] B[2]") == [0, 1, 0])
    #expect(operations("A[1] B[2]", "A[1,2]") == [0, 0, 1])
    #expect(operations("A[1] B[2]", "A[1] C[2]") == [0, 0, 0])
  }

  @Test("Ranks that can't be found are an error of the ranks' own type")
  func throwingRanks() async throws {
    struct NoRoom: Error {}
    let view = TestView()
    let source = DiffableDataSource(target: view) { "\($0)" }
    var transactions: [ReorderTransaction<String, Int>] = []
    source.reorderingHandlers.canReorderItem = { _ in true }
    source.reorderingHandlers.didReorder = { transactions.append($0) }
    await source.apply(list("A[1,2]"))
    var session = try #require(source.beginReordering([1]))
    session.move(to: ListIndexPath(item: 1, section: 0), in: source.snapshot())
    await source.endReordering(session)
    let transaction = try #require(transactions.first)
    let ranks = [1: 1, 2: 2]
    func between(_ lower: Int?, _ upper: Int?, _ count: Int) throws(NoRoom) -> [Int] {
      guard let upper, let lower, upper - lower > count else { throw NoRoom() }
      return Array((lower + 1)...(lower + count))
    }
    #expect(throws: NoRoom.self) {
      try transaction.rankWrites {
        ranks[$0]
      } between: {
        try between($0, $1, $2)
      }
    }
  }
}
