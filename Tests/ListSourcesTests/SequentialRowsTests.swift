import ListSources
import ListSourcesTestSupport
import Snapshots
import Testing

@Suite("Row operations one after the other")
struct SequentialRowsTests {
  @Test(
    "Performed one after the other they lead to the same list, and are no more than in the batch",
    arguments: 0..<20)
  func arrives(seed: UInt64) {
    var random = SeededGenerator(seed: seed &+ 31)
    for step in 0..<100 {
      let items = Int.random(in: 1...30, using: &random)
      let old = Array(0..<items).shuffled(using: &random).filter { _ in
        Int.random(in: 0..<4, using: &random) > 0
      }
      var new = old.filter { _ in Int.random(in: 0..<6, using: &random) > 0 }
      switch Int.random(in: 0..<3, using: &random) {
      case 0: new.shuffle(using: &random)
      case 1: new.reverse()
      default: break
      }
      for item in items..<(items + Int.random(in: 0...4, using: &random)) {
        new.insert(item, at: Int.random(in: 0...new.count, using: &random))
      }
      let before = list("A[\(old.map(String.init).joined(separator: ","))]")
      let after = list("A[\(new.map(String.init).joined(separator: ","))]")
      let batch = BatchPlanner.structuralBatch(for: after.difference(from: before))
      let operations = batch.sequentialRowOperations()
      // A new row has no content until all is done.
      var rows: [Int?] = old
      for operation in operations {
        switch operation {
        case .remove(let row): rows.remove(at: row)
        case .insert(let row): rows.insert(nil, at: row)
        case .move(let from, let to): rows.insert(rows.remove(at: from), at: to)
        }
      }
      #expect(rows == new.map { $0 < items ? $0 : nil }, "seed \(seed), step \(step): \(old) → \(new)")
      #expect(operations.count == batch.operationCount)
    }
  }
}
