import _TestTools
import Snapshots
import Testing

/// Copies of one snapshot used by many tasks at once; the thread sanitizer watches in a run of its own.
@Suite("Copies shared by tasks")
struct SnapshotSharingTests {
  @Test("Tasks edit, compare and read copies of one version, and none sees another's edits")
  func sharedCopies() async throws {
    var base = try DiffableSnapshot(sections: [(0, Array(0..<2000)), (1, Array(2000..<2400))])
    var kept = base
    // So many edits above a shared table that the next one, in whichever task, folds them in.
    for item in 0..<330 { try base.moveItem(item, afterItem: 2300) }
    kept.deleteItems([3])
    let start = base
    let results = await withTaskGroup(of: Bool.self) { group in
      for task in 0..<8 {
        group.addTask {
          var copy = start
          for step in 0..<60 {
            let item = 10_000 * (task + 1) + step
            guard (try? copy.insertItems([item], beforeItem: 1000 + step)) != nil else { return false }
            copy.deleteItems([1500 + step])
            guard (try? copy.moveSection(1, beforeSection: 0)) != nil else { return false }
            let difference = copy.difference(from: start)
            guard difference.insertedItems.count == step + 1, difference.deletedItems.count == step + 1,
              let again = try? start.applying(difference), again == copy
            else { return false }
          }
          return copy.numberOfItems == start.numberOfItems && !copy.items.contains(1500)
        }
      }
      var all = true
      for await result in group { all = all && result }
      return all
    }
    #expect(results)
    #expect(start == base)
    #expect(start.numberOfItems == 2400)
  }
}
