import Foundation
import Snapshots

/// Tells apart, among touched rows that stayed in a list, those that moved and those that did not.
///
/// Rows that no commit touched are anchors: they keep their order, and are never reported. A touched row that
/// stayed in its section has moved when the number of anchors before it is another, or when it is not in a
/// longest increasing run of the touched rows that stand between the same two anchors.
struct ChangeSorting<ID: FetchIdentifier> {
  private(set) var updated: [ID] = []
  private(set) var moved: [ID] = []

  /// The touched rows that are in a list before and after, and their places.
  /// - Parameter touched: The touched rows, each once.
  /// - Complexity: O(*k* log *n*) for *k* touched rows in lists of *n*.
  @_specialize(where ID == UUID)
  @_specialize(where ID == Int64)
  @_specialize(where ID == Int)
  @_specialize(where ID == String)
  static func stayers(
    from old: DiffableSnapshot<String, ID>, to new: DiffableSnapshot<String, ID>, touched: [ID]
  ) -> [ListStayer<ID>] {
    touched.compactMap { id in
      guard let before = old.indexPath(ofItem: id), let after = new.indexPath(ofItem: id) else { return nil }
      return ListStayer(id: id, old: before, new: after)
    }
  }

  /// - Parameters:
  ///   - old: The list before.
  ///   - new: The list after.
  ///   - stayers: The touched rows that are in both.
  ///   - difference: What leads from the one to the other.
  /// - Complexity: O(*k* log *k*) for *k* touched rows.
  @_specialize(where ID == UUID)
  @_specialize(where ID == Int64)
  @_specialize(where ID == Int)
  @_specialize(where ID == String)
  init(
    from old: DiffableSnapshot<String, ID>, to new: DiffableSnapshot<String, ID>,
    stayers: [ListStayer<ID>],
    difference: SnapshotDifference<String, ID>
  ) {
    // The places, per section, of rows that are no anchors.
    var oldOthers: [Int: [Int]] = [:]
    var newOthers: [Int: [Int]] = [:]
    for deletion in difference.deletedItems {
      oldOthers[deletion.path.section, default: []].append(deletion.path.item)
    }
    for insertion in difference.insertedItems {
      newOthers[insertion.path.section, default: []].append(insertion.path.item)
    }
    for stayer in stayers {
      oldOthers[stayer.old.section, default: []].append(stayer.old.item)
      newOthers[stayer.new.section, default: []].append(stayer.new.item)
    }
    let survivors = stayers.sorted { $0.new < $1.new }
    var isMoved = [Bool](repeating: false, count: survivors.count)
    var start = 0
    while start < survivors.count {
      let section = survivors[start].new.section
      let origin = old.indexOfSection(new.sections[section].id)
      var staying: [(survivor: Int, old: Int, new: Int)] = []
      var end = start
      while end < survivors.count, survivors[end].new.section == section {
        if survivors[end].old.section == origin {
          staying.append((end, survivors[end].old.item, survivors[end].new.item))
        } else {
          isMoved[end] = true
        }
        end += 1
      }
      if let origin, !staying.isEmpty {
        Self.sort(
          staying, oldOthers[origin, default: []].sorted(), newOthers[section, default: []].sorted(), &isMoved
        )
      }
      start = end
    }
    for (place, survivor) in survivors.enumerated() {
      if isMoved[place] { moved.append(survivor.id) } else { updated.append(survivor.id) }
    }
  }

  private static func sort(
    _ rows: [(survivor: Int, old: Int, new: Int)], _ oldOthers: [Int], _ newOthers: [Int],
    _ isMoved: inout [Bool]
  ) {
    var gaps: [Int: [(survivor: Int, old: Int, new: Int)]] = [:]
    for row in rows {
      let before = row.old - oldOthers.count(sortedBefore: row.old)
      let after = row.new - newOthers.count(sortedBefore: row.new)
      if before == after { gaps[before, default: []].append(row) } else { isMoved[row.survivor] = true }
    }
    for rows in gaps.values where rows.count > 1 {
      let ordered = rows.sorted { $0.old < $1.old }
      let kept = longestIncreasingRun(ordered.map(\.new))
      for (place, row) in ordered.enumerated() where !kept.contains(place) { isMoved[row.survivor] = true }
    }
  }
}

/// The places of a longest increasing subsequence.
func longestIncreasingRun(_ values: [Int]) -> Set<Int> {
  var tails: [Int] = []
  var previous = [Int](repeating: -1, count: values.count)
  for (place, value) in values.enumerated() {
    var low = 0
    var high = tails.count
    while low < high {
      let middle = (low + high) / 2
      if values[tails[middle]] < value { low = middle + 1 } else { high = middle }
    }
    if low > 0 { previous[place] = tails[low - 1] }
    if low == tails.count { tails.append(place) } else { tails[low] = place }
  }
  var run: Set<Int> = []
  var place = tails.last ?? -1
  while place >= 0 {
    run.insert(place)
    place = previous[place]
  }
  return run
}
