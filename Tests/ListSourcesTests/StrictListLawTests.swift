import ListSources
import ListSourcesTestSupport
import Snapshots
import Testing
import _TestTools

/// For any two lists and any history of lists, every batch is legal and arrives.
@Suite("The strict list")
struct StrictListLawTests {
  static let stagings: [(BatchStaging, Bool)] = [
    (.combined, false), (.whenSectionsMoveAndChange, true), (.always, true),
  ]

  private func lead(
    _ history: [TestSnapshot], staging: BatchStaging, isStrict: Bool, _ comment: Comment? = nil
  ) async -> StrictListView<String, Int, Int> {
    let view = StrictListView<String, Int, Int>(staging: staging, isStrict: isStrict)
    let source = DiffableDataSource(target: view) { $0 }
    for snapshot in history {
      await source.apply(snapshot)
      #expect(view.contents == text(snapshot), comment)
      #expect(source.snapshot() == snapshot, comment)
    }
    #expect(view.violations.isEmpty, comment)
    #expect(view.batches.allSatisfy(isAscending), comment)
    return view
  }

  /// Whether the operations stand in the order that a batch promises.
  private func isAscending(_ batch: ListBatch) -> Bool {
    let sections = [
      batch.deletedSections, batch.insertedSections, batch.movedSections.map(\.to), batch.reloadedSections,
    ]
    let items = [
      batch.deletedItems, batch.insertedItems, batch.movedItems.map(\.to), batch.reloadedItems,
      batch.reconfiguredItems,
    ]
    return sections.allSatisfy { $0 == $0.sorted() } && items.allSatisfy { $0 == $0.sorted() }
  }

  @Test(
    "Unrelated lists follow each other by legal batches", arguments: stagings,
    inTurns(Array(0..<8) as [UInt64], of: 4))
  func unrelatedPairs(_ staging: (BatchStaging, Bool), seed: UInt64) async {
    var random = SeededGenerator(seed: seed)
    for step in 0..<60 {
      let history = [random.snapshot(marks: true), random.snapshot(marks: true)]
      _ = await lead(
        history, staging: staging.0, isStrict: staging.1,
        "seed \(seed), step \(step): \(text(history[0])) → \(text(history[1]))")
    }
  }

  @Test(
    "Histories of small edits follow by legal batches", arguments: stagings,
    inTurns(Array(0..<8) as [UInt64], of: 4))
  func histories(_ staging: (BatchStaging, Bool), seed: UInt64) async {
    var random = SeededGenerator(seed: seed &+ 1000)
    var history = [random.snapshot()]
    for _ in 0..<120 {
      var next = random.edited(history[history.count - 1])
      if Bool.random(using: &random) { random.mark(&next) }
      history.append(next)
    }
    _ = await lead(history, staging: staging.0, isStrict: staging.1, "seed \(seed)")
  }

  @Test("Lists that brought others down follow by legal batches", arguments: stagings)
  func knownKillers(_ staging: (BatchStaging, Bool)) async {
    let killers: [[String]] = [
      ["1[1111] 2[2222]", "2[0] 1[]"],
      ["s4[10,11,12] s9[25,26,27]", "s9[11,26,27] s4[10,12]"],
      ["A[1,2,3,4,5]", "A[5,4,3,2,1]", "A[1,2,3,4,5]"],
      ["A[1,2] B[3,4] C[5,6]", "C[6,5] B[4,3] A[2,1]"],
      // An insertion at a position that a move also ends near, and one that takes the position of what moved.
      ["A[1,2,3]", "A[9,3,1,2]", "A[3,9,8,1]"],
      // An item leaves a section that goes for one that comes.
      ["A[1] B[2]", "C[1] D[2]", "D[1] C[2]"],
      // The first section comes while the old first one moves.
      ["A[1,2] B[3]", "Z[2] B[1] A[3]"],
      ["", "A[]", "", "A[1]", "B[1]", ""],
      ["A[1,2] B[]", "B[1,2] A[]", "B[] A[2,1]"],
    ]
    for killer in killers {
      _ = await lead(
        killer.map(list), staging: staging.0, isStrict: staging.1, "\(killer.joined(separator: " → "))")
    }
  }

  @Test("Every pair of lists of two sections and three items follows by legal batches")
  func exhaustively() async {
    let all = everyList()
    for old in all {
      for new in all {
        let difference = new.difference(from: old)
        var shown = old
        for stage in BatchPlanner.stages(
          for: difference, from: old, to: new, staging: .whenSectionsMoveAndChange)
        {
          #expect(stage.before == shown)
          let validator = ListBatchValidator(
            before: stage.before.sections.map(\.items.count), after: stage.after.sections.map(\.items.count),
            isStrict: true)
          do {
            try validator.check(stage.batch)
          } catch {
            Issue.record("\(text(old)) → \(text(new)): \(error)")
          }
          shown = stage.after
        }
        #expect(shown == new)
      }
    }
  }

  /// All lists of up to two sections and up to three items.
  private func everyList() -> [TestSnapshot] {
    var lists: [TestSnapshot] = [list("")]
    let orders: [[Int]] = [
      [], [1], [2], [3], [1, 2], [2, 1], [1, 3], [3, 1], [2, 3], [3, 2], [1, 2, 3], [1, 3, 2], [2, 1, 3],
      [2, 3, 1], [3, 1, 2], [3, 2, 1],
    ]
    for order in orders {
      let items = order.map(String.init)
      for names in [["A"], ["B"], ["A", "B"], ["B", "A"]] {
        if names.count == 1 {
          lists.append(list("\(names[0])[\(items.joined(separator: ","))]"))
        } else {
          for cut in 0...items.count {
            let first = items[..<cut].joined(separator: ",")
            let second = items[cut...].joined(separator: ",")
            lists.append(list("\(names[0])[\(first)] \(names[1])[\(second)]"))
          }
        }
      }
    }
    return lists
  }
}
