import ListSources
import ListSourcesTestSupport
import Snapshots
import Testing

@Suite("Batch planning")
struct BatchPlannerTests {
  private func batch(_ old: String, _ new: String) -> ListBatch {
    BatchPlanner.structuralBatch(for: list(new).difference(from: list(old)))
  }

  @Test("Moving one item of three takes exactly one move")
  func oneMove() {
    let batch = batch("A[1,2,3]", "A[1,3,2]")
    #expect(batch.operationCount == 1)
    #expect(batch.movedItems.count == 1)
  }

  @Test("A reversal keeps one item and moves the others, one of them to the number that it had")
  func reversal() {
    let batch = batch("A[1,2,3,4,5]", "A[5,4,3,2,1]")
    #expect(batch.operationCount == 4)
    #expect(batch.movedItems.count == 4)
  }

  @Test("Shifting by insertions and deletions is not moving")
  func shifting() {
    let batch = batch("A[1,2,3,4]", "A[9,1,3,4,8]")
    #expect(batch.deletedItems == [ListIndexPath(item: 1, section: 0)])
    #expect(batch.insertedItems == [ListIndexPath(item: 0, section: 0), ListIndexPath(item: 4, section: 0)])
    #expect(batch.movedItems.isEmpty)
  }

  @Test(
    "An item out of a deleted section is inserted, one into an inserted section deleted, one from the former to the latter not mentioned"
  )
  func itemsOfSectionsThatComeAndGo() {
    let out = batch("A[1] B[2,3]", "A[1,3]")
    #expect(out.deletedSections == [1])
    #expect(out.insertedItems == [ListIndexPath(item: 1, section: 0)])
    #expect(out.operationCount == 2)

    let into = batch("A[1,2]", "A[1] B[2]")
    #expect(into.insertedSections == [1])
    #expect(into.deletedItems == [ListIndexPath(item: 1, section: 0)])
    #expect(into.operationCount == 2)

    let renamed = batch("A[1] B[2]", "A[1] C[2]")
    #expect(renamed.deletedSections == [1])
    #expect(renamed.insertedSections == [1])
    #expect(renamed.operationCount == 2)
  }

  @Test("A section that moves takes its items along, and its items' index paths are those of their sections")
  func sectionMoves() {
    let batch = batch("A[1,2] B[3,4]", "B[3,4,1] A[2]")
    #expect(batch.movedSections.count == 1)
    #expect(
      batch.movedItems == [
        ListBatch.ItemMove(from: ListIndexPath(item: 0, section: 0), to: ListIndexPath(item: 2, section: 0))
      ])
    #expect(batch.operationCount == 2)
  }

  @Test("Touching items of a section that moves is done in stages for strict views, and only then")
  func strictStages() {
    let old = list("A[1,2] B[3,4]")
    let new = list("B[3,4,1] A[2]")
    let difference = new.difference(from: old)
    let strict = BatchPlanner.stages(for: difference, from: old, to: new, staging: .whenSectionsMoveAndChange)
    #expect(strict.count == 2)
    #expect(strict[0].batch.movedSections.count == 1)
    #expect(strict[0].batch.operationCount == 1)
    #expect(strict[1].batch.movedItems.count == 1)

    let quiet = list("B[3,4] A[1,2]")
    #expect(
      BatchPlanner.stages(
        for: quiet.difference(from: old), from: old, to: quiet, staging: .whenSectionsMoveAndChange
      ).count == 1)
  }

  @Test("Marks are performed in a batch of their own, at the new index paths, without what was just inserted")
  func marks() throws {
    let old = list("A[1,2]")
    var new = list("A[2,1,3]")
    try new.reloadItems([1])
    try new.reconfigureItems([2])
    try new.reloadItems([3])
    let stages = BatchPlanner.stages(for: new.difference(from: old), from: old, to: new)
    try #require(stages.count == 2)
    #expect(!stages[0].batch.isEmpty && stages[0].batch.reloadedItems.isEmpty)
    #expect(stages[1].batch.reloadedItems == [ListIndexPath(item: 1, section: 0)])
    #expect(stages[1].batch.reconfiguredItems == [ListIndexPath(item: 0, section: 0)])
    #expect(stages[1].batch.operationCount == 2)
  }

  @Test("What a new section brought is not asked for again, be it new itself or not")
  func marksInNewSections() throws {
    let old = list("A[1,2]")
    var new = list("A[1] B[2,3]")
    try new.reloadItems([2, 3])
    try new.reloadSections(["B"])
    let difference = new.difference(from: old)
    #expect(BatchPlanner.markBatch(for: difference, in: new).isEmpty)
    #expect(BatchPlanner.stages(for: difference, from: old, to: new).count == 1)
  }

  @Test("An item of a reloaded section is not asked for by its own mark as well")
  func marksInReloadedSections() throws {
    let old = list("A[1,2] B[3]")
    var new = old
    try new.reloadSections(["A"])
    try new.reloadItems([2])
    try new.reconfigureItems([3])
    let batch = BatchPlanner.markBatch(for: new.difference(from: old), in: new)
    #expect(batch.reloadedSections == [0])
    #expect(batch.reloadedItems.isEmpty)
    #expect(batch.reconfiguredItems == [ListIndexPath(item: 0, section: 1)])
  }

  @Test("What has to be provided is listed once: what arrives, then what is marked and still there")
  func itemsToProvide() throws {
    let old = list("A[1,2,3] B[4]")
    var new = list("A[2,1,9] B[4]")
    try new.reloadSections(["A"])
    try new.reloadItems([1, 9])
    try new.reconfigureItems([2, 4])
    var difference = new.difference(from: old)
    difference.reconfiguredItems.append(3)
    let update = ListUpdate(
      before: old, snapshot: new, difference: difference, provider: ItemProvider<Int, Int> { $0 })
    #expect(update.itemsToProvide == [9, 2, 1, 4])
  }

  @Test("Moves are as few as can be: the common items less those that keep their order", arguments: 0..<20)
  func minimumOperations(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<50 {
      let old = random.snapshot(sections: 1)
      let new = random.snapshot(sections: 1)
      guard let a = old.sections.first, let b = new.sections.first else { continue }
      let batch = BatchPlanner.structuralBatch(for: new.difference(from: old))
      let kept = longestCommonSubsequence(Array(a.items), Array(b.items))
      let common = Set(a.items).intersection(b.items).count
      #expect(batch.movedItems.count == common - kept)
      #expect(batch.deletedItems.count == a.items.count - common)
      #expect(batch.insertedItems.count == b.items.count - common)
    }
  }

  private func longestCommonSubsequence(_ a: [Int], _ b: [Int]) -> Int {
    var row = [Int](repeating: 0, count: b.count + 1)
    for x in a {
      var diagonal = 0
      for (index, y) in b.enumerated() {
        let above = row[index + 1]
        row[index + 1] = x == y ? diagonal + 1 : max(above, row[index])
        diagonal = above
      }
    }
    return row[b.count]
  }
}
