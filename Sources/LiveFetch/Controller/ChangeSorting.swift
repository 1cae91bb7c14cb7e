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

  /// - Complexity: O(*k* log *k* + *k* log *n*) for *k* touched rows in lists of *n*.
  @_specialize(where ID == UUID)
  @_specialize(where ID == Int64)
  @_specialize(where ID == Int)
  @_specialize(where ID == String)
  init(
    from old: DiffableSnapshot<String, ID>, to new: DiffableSnapshot<String, ID>,
    touched: Set<ID>,
    difference: SnapshotDifference<String, ID>
  ) {
    var movedIDs: Set<ID> = []
    var staying: [String: [(id: ID, old: Int, new: Int)]] = [:]
    // The places, per section, of rows that are no anchors.
    var oldOthers: [String: [Int]] = [:]
    var newOthers: [String: [Int]] = [:]
    var survivors: [(id: ID, place: ListIndexPath)] = []
    for deletion in difference.deletedItems {
      if let section = old.sectionIdentifier(containingItem: deletion.id) {
        oldOthers[section, default: []].append(deletion.path.item)
      }
    }
    for insertion in difference.insertedItems {
      if let section = new.sectionIdentifier(containingItem: insertion.id) {
        newOthers[section, default: []].append(insertion.path.item)
      }
    }
    for id in touched {
      guard let before = old.indexPath(ofItem: id), let after = new.indexPath(ofItem: id),
        let oldSection = old.sectionIdentifier(containingItem: id),
        let newSection = new.sectionIdentifier(containingItem: id)
      else { continue }
      survivors.append((id, after))
      oldOthers[oldSection, default: []].append(before.item)
      newOthers[newSection, default: []].append(after.item)
      if oldSection == newSection {
        staying[newSection, default: []].append((id, before.item, after.item))
      } else {
        movedIDs.insert(id)
      }
    }
    for (section, rows) in staying {
      Self.sort(
        rows, oldOthers[section, default: []].sorted(), newOthers[section, default: []].sorted(), &movedIDs)
    }
    for (id, _) in survivors.sorted(by: { $0.place < $1.place }) {
      if movedIDs.contains(id) { moved.append(id) } else { updated.append(id) }
    }
  }

  private static func sort(
    _ rows: [(id: ID, old: Int, new: Int)], _ oldOthers: [Int], _ newOthers: [Int], _ moved: inout Set<ID>
  ) {
    var gaps: [Int: [(id: ID, old: Int, new: Int)]] = [:]
    for row in rows {
      let before = row.old - oldOthers.countBefore(row.old)
      let after = row.new - newOthers.countBefore(row.new)
      if before == after { gaps[before, default: []].append(row) } else { moved.insert(row.id) }
    }
    for rows in gaps.values where rows.count > 1 {
      let ordered = rows.sorted { $0.old < $1.old }
      let kept = longestIncreasingRun(ordered.map(\.new))
      for (place, row) in ordered.enumerated() where !kept.contains(place) { moved.insert(row.id) }
    }
  }
}

extension [Int] {
  /// In an ascending array: how many are smaller than a value.
  fileprivate func countBefore(_ value: Int) -> Int {
    var low = 0
    var high = count
    while low < high {
      let middle = (low + high) / 2
      if self[middle] < value { low = middle + 1 } else { high = middle }
    }
    return low
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
