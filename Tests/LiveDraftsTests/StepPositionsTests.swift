import Testing
import _TestTools

@testable import LiveDrafts

@Suite("The positions of steps in a large group of edits")
struct StepPositionsTests {
  private static func step(_ id: Int) -> HistoryStep {
    HistoryStep(key: DraftKey("item", .integer(Int64(id))))
  }

  @Test(
    "They are those of the steps, wherever others are inserted or removed",
    arguments: 0..<300 as Range<UInt64>)
  func law(_ seed: UInt64) {
    var random = SplitMix(seed: seed)
    var next = 40
    var group = HistoryGroup(name: "", serial: 1, steps: (0..<next).map(Self.step))
    var ids = Array(0..<next)
    var position = 0
    for _ in 0..<30 {
      switch Int.random(in: 0..<8, using: &random) {
      case 0: position = Int.random(in: 0...ids.count, using: &random)
      case 1:
        let removed = ids.remove(at: Int.random(in: ids.indices, using: &random))
        group.remove([DraftKey("item", .integer(Int64(removed)))])
        position = min(position, ids.count)
      case 2 where position < ids.count:
        let removed = Int.random(in: position..<ids.count, using: &random)
        group.insert([Self.step(next)], at: position, removing: [removed])
        ids.remove(at: removed)
        ids.insert(next, at: position)
        next += 1
      default:
        // Mostly from the first on.
        position = min(position + Int.random(in: 0...3, using: &random), ids.count)
        let new = (0..<Int.random(in: 0...3, using: &random)).map { next + $0 }
        next += new.count
        group.insert(new.map(Self.step), at: position)
        ids.insert(contentsOf: new, at: position)
      }
      for _ in 0..<3 {
        let id = Int.random(in: 0..<next + 1, using: &random)
        #expect(group.position(of: Self.step(id).key) == ids.firstIndex(of: id), "seed \(seed)")
      }
    }
    #expect(group.steps.map(\.key) == ids.map { Self.step($0).key }, "seed \(seed)")
  }

  @Test("They are found once where steps are inserted before each of many")
  func cost() {
    let deletions = 2_000
    var positions = StepPositions()
    var steps = (0..<deletions).map(Self.step)
    for deletion in 0..<deletions {
      let position = positions.position(of: Self.step(deletion).key, in: steps)
      #expect(position == 2 * deletion)
      let new = Self.step(deletions + deletion)
      #expect(positions.position(of: new.key, in: steps) == nil)
      steps.insert(new, at: 2 * deletion)
      positions.insert([new], at: 2 * deletion)
    }
    #expect(positions.searches == 1)
  }
}
