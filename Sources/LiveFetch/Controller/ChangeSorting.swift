import LiveStore
import Snapshots

/// The touched rows that stayed in a list, divided into those that moved and those that did not.
///
/// Rows that no commit touched are anchors: they keep their order, and are never reported. A touched row that
/// stayed in its section has moved when the number of anchors before it is another, or when it is not in a
/// longest increasing run of the touched rows that stand between the same two anchors.
struct ChangeSorting<ID: FetchIdentifier> {
  private(set) var updated: [ID] = []
  private(set) var moved: [ID] = []

  /// Returns the touched rows that are in a list before and after, with their index paths.
  /// - Parameter touched: The touched rows, each once.
  /// - Complexity: O(*k* log *n*) for *k* touched rows in lists of *n*.
  static func retained(
    from old: DiffableSnapshot<FetchSectionID, ID>, to new: DiffableSnapshot<FetchSectionID, ID>,
    touched: TouchedRows<ID>
  ) -> [RetainedItem<ID>] {
    touched.storedRows.compactMap { row in
      guard let before = old.indexPath(ofItem: row.id), let after = new.indexPath(ofItem: row.id) else {
        return nil
      }
      return RetainedItem(id: row.id, old: before, new: after)
    }
  }

  /// - Parameters:
  ///   - old: The list before.
  ///   - new: The list after.
  ///   - retained: The touched rows that are in both.
  ///   - difference: The difference of the two.
  /// - Complexity: O(*k* log *k*) for *k* touched rows.
  init(
    from old: DiffableSnapshot<FetchSectionID, ID>, to new: DiffableSnapshot<FetchSectionID, ID>,
    retained: [RetainedItem<ID>],
    difference: SnapshotDifference<FetchSectionID, ID>
  ) {
    var paths: [MoveFinder.RetainedPaths] = []
    paths.reserveCapacity(retained.count)
    var origins: [Int: Int] = [:]
    var last = -1
    for row in retained {
      paths.append(.init(old: row.old, new: row.new))
      let section = row.new.section
      if section != last, origins[section] == nil {
        origins[section] = old.indexOfSection(new.sections[section].id) ?? -1
      }
      last = section
    }
    let finder = MoveFinder(
      paths, departures: difference.deletedItems.map { $0.path },
      arrivals: difference.insertedItems.map { $0.path }, origins: origins)
    for (index, number) in finder.order.enumerated() {
      if finder.isMoved[index] {
        moved.append(retained[number].id)
      } else {
        updated.append(retained[number].id)
      }
    }
  }
}

/// Finds by index paths alone which of the rows that stayed have moved: the same code for all kinds of identifiers.
struct MoveFinder {
  /// The index paths of a row that stayed.
  struct RetainedPaths {
    var old: ListIndexPath
    var new: ListIndexPath
  }

  /// The numbers of the retained in the order of their new index paths.
  private(set) var order: [Int]
  /// For each of them, in that order, whether it moved.
  private(set) var isMoved: [Bool]

  private typealias Row = (index: Int, old: Int, new: Int)

  /// - Parameters:
  ///   - retained: The touched rows that are in both lists.
  ///   - departures: The old index paths of deleted rows.
  ///   - arrivals: The new index paths of inserted rows.
  ///   - origins: For each new section that has a row, its position before; -1 where there was none.
  @inline(never)
  init(
    _ retained: [RetainedPaths], departures: [ListIndexPath], arrivals: [ListIndexPath], origins: [Int: Int]
  ) {
    // The positions, per section, of rows that are no anchors.
    var oldPositions: [Int: [Int]] = [:]
    var newPositions: [Int: [Int]] = [:]
    for path in departures { oldPositions[path.section, default: []].append(path.item) }
    for path in arrivals { newPositions[path.section, default: []].append(path.item) }
    for row in retained {
      oldPositions[row.old.section, default: []].append(row.old.item)
      newPositions[row.new.section, default: []].append(row.new.item)
    }
    order = retained.indices.sorted { retained[$0].new < retained[$1].new }
    isMoved = [Bool](repeating: false, count: order.count)
    var start = 0
    while start < order.count {
      let section = retained[order[start]].new.section
      let origin = origins[section] ?? -1
      var staying: [Row] = []
      var end = start
      while end < order.count, retained[order[end]].new.section == section {
        let row = retained[order[end]]
        if row.old.section == origin {
          staying.append((end, row.old.item, row.new.item))
        } else {
          isMoved[end] = true
        }
        end += 1
      }
      if !staying.isEmpty {
        sort(
          staying, oldPositions[origin, default: []].sorted(), newPositions[section, default: []].sorted())
      }
      start = end
    }
  }

  private mutating func sort(_ rows: [Row], _ oldPositions: [Int], _ newPositions: [Int]) {
    var gaps: [Int: [Row]] = [:]
    for row in rows {
      let before = row.old - oldPositions.count(sortedBefore: row.old)
      let after = row.new - newPositions.count(sortedBefore: row.new)
      if before == after { gaps[before, default: []].append(row) } else { isMoved[row.index] = true }
    }
    for rows in gaps.values where rows.count > 1 {
      let ordered = rows.sorted { $0.old < $1.old }
      let unmoved = increasingSubsequence(ordered.map(\.new))
      for (position, row) in ordered.enumerated() where !unmoved.contains(position) {
        isMoved[row.index] = true
      }
    }
  }
}

/// Returns the indices of a longest increasing subsequence.
func increasingSubsequence(_ values: [Int]) -> Set<Int> {
  var tails: [Int] = []
  var previous = [Int](repeating: -1, count: values.count)
  for (index, value) in values.enumerated() {
    let low = tails.indices.partitionPoint { values[tails[$0]] < value }
    if low > 0 { previous[index] = tails[low - 1] }
    if low == tails.count { tails.append(index) } else { tails[low] = index }
  }
  var run: Set<Int> = []
  var index = tails.last ?? -1
  while index >= 0 {
    run.insert(index)
    index = previous[index]
  }
  return run
}
