package import LiveStore
package import Snapshots

/// A row that is in a list before and after a commit that touched it, and its index paths.
package struct RetainedItem<ID: FetchIdentifier>: Sendable {
  package var id: ID
  package var old: ListIndexPath
  package var new: ListIndexPath
}

/// Many rows at once: each part of the index and of the snapshot is edited once, and the difference is known by the index paths.
extension ListState {
  /// The changes of a batch to the list.
  struct Batch {
    var snapshot = SnapshotBatch<ID>()
    /// The positions of the keys that leave, ascending.
    var removed: [Int] = []
    /// The keys that come, ascending, and where they belong.
    var keys: [[UInt8]] = []
    var gaps: [OrderIndex.Gap] = []
  }

  /// Works out what becomes of the rows that come, go or move.
  ///
  /// - Returns: nil where sections come or go, and where something is wrong: the rows are then edited one by one,
  ///   which reports what it is.
  mutating func batch(_ moving: [Candidate]) -> Batch? {
    guard plan.section?.isKeptTogether ?? true else { return nil }
    var batch = Batch()
    // Sorted by what is compared alone: candidates are large.
    var leaving: [RowsInOrder.Leaving] = []
    var coming: [RowsInOrder.Coming] = []
    leaving.reserveCapacity(moving.count)
    coming.reserveCapacity(moving.count)
    for (row, candidate) in moving.enumerated() {
      if let location = candidate.location {
        leaving.append(.init(row: row, position: location.position, path: location.path))
      }
      if let key = candidate.key { coming.append(.init(row: row, key: key)) }
    }
    leaving = RowsInOrder.leaving(leaving)
    coming = RowsInOrder.coming(coming)
    batch.removed = leaving.map(\.position)
    batch.keys = coming.map(\.key)
    guard
      let gaps = index.gaps(
        for: batch.keys, isLeaving: { [removed = batch.removed] in removed.contains(sorted: $0) })
    else { return nil }
    batch.gaps = gaps
    var departureOf = [Int?](repeating: nil, count: moving.count)
    var extents = SectionExtents()
    for (number, leaver) in leaving.enumerated() {
      let (row, position, path) = (leaver.row, leaver.position, leaver.path)
      departureOf[row] = number
      batch.snapshot.departures.append(.init(id: moving[row].id, path: path))
      extents.leave(path.section, start: position - path.item) {
        snapshot.sections[path.section].items.count
      }
    }
    var sections: [Int] = []
    sections.reserveCapacity(coming.count)
    var known: (id: FetchSectionID, section: Int)?
    for row in coming.lazy.map(\.row) {
      // Rows that come are in order, and mostly several of them are of one section.
      if let known, isSameText(known.id, moving[row].section) {
        extents.comeAgain(known.section)
        sections.append(known.section)
        continue
      }
      guard let extent = extent(moving[row].section) else { return nil }
      extents.come(extent)
      sections.append(extent.section)
      known = (moving[row].section, extent.section)
    }
    // A section without rows goes; where there are no sections, the one that there is stays.
    guard extents.normalize() || plan.section == nil else { return nil }
    for (number, row) in coming.lazy.map(\.row).enumerated() {
      guard let extent = extents[sections[number]] else { return nil }
      let gap = gaps[number].position
      let position = gap - batch.removed.count(sortedBefore: gap) + number
      // Rows that stay keep their order: if those that come are each in their section, all are.
      guard extent.newStart <= position, position < extent.newStart + extent.newCount else { return nil }
      let before = min(max(gap - extent.start, 0), extent.count)
      batch.snapshot.arrivals.append(
        .init(
          id: moving[row].id, before: ListIndexPath(item: before, section: sections[number]),
          path: ListIndexPath(item: position - extent.newStart, section: sections[number]),
          departure: departureOf[row]))
    }
    return batch
  }

  /// Performs a batch.
  mutating func perform(_ batch: Batch) -> SnapshotDifference<FetchSectionID, ID> {
    index.edit(removing: batch.removed, inserting: batch.keys, at: batch.gaps)
    return snapshot.perform(batch.snapshot)
  }

  /// Returns the index paths of the touched rows that stay in the list, those that the commit did not move included.
  /// - Parameter unmoved: The rows that were touched and keep their keys, with their index paths before as the old ones.
  func retained(_ batch: Batch, _ unmoved: [RetainedItem<ID>]) -> [RetainedItem<ID>] {
    var retained: [RetainedItem<ID>] = []
    retained.reserveCapacity(unmoved.count + batch.snapshot.arrivals.count)
    for arrival in batch.snapshot.arrivals {
      guard let departure = arrival.departure else { continue }
      retained.append(
        RetainedItem(id: arrival.id, old: batch.snapshot.departures[departure].path, new: arrival.path))
    }
    let (departures, arrivals) = (batch.snapshot.departures, batch.snapshot.arrivals)
    for row in unmoved {
      let path = row.old
      // Of the edits in the same section, those before the row.
      let start = ListIndexPath(item: 0, section: path.section)
      let gone =
        departures.partition { $0.path < path } - departures.partition { $0.path < start }
      let come = arrivals.partition { $0.before <= path } - arrivals.partition { $0.before < start }
      retained.append(
        RetainedItem(
          id: row.id, old: path, new: ListIndexPath(item: path.item - gone + come, section: path.section)))
    }
    return retained
  }

  /// A section as it is; without sections, the one that there is.
  private func extent(_ id: FetchSectionID) -> (section: Int, start: Int, count: Int)? {
    guard plan.section != nil else { return (0, 0, snapshot.numberOfItems) }
    guard let extent = snapshot.extent(ofSection: id),
      isSameText(snapshot.sections[extent.section].id, id)
    else { return nil }
    return extent
  }
}

/// Where the sections that a batch is about begin and how many rows they have, before and after.
private struct SectionExtents {
  struct Extent {
    var start: Int
    var count: Int
    var left = 0
    var came = 0
    var newStart = 0
    var newCount: Int { count - left + came }
  }

  private var extents: [Int: Extent] = [:]

  subscript(section: Int) -> Extent? { extents[section] }

  @inline(never)
  mutating func leave(_ section: Int, start: Int, count: () -> Int) {
    extents[section, default: Extent(start: start, count: count())].left += 1
  }

  @inline(never)
  mutating func come(_ section: (section: Int, start: Int, count: Int)) {
    extents[section.section, default: Extent(start: section.start, count: section.count)].came += 1
  }

  /// A section has another row which was reported.
  @inline(never)
  mutating func comeAgain(_ section: Int) { extents[section]?.came += 1 }

  /// Works out where the sections are after the batch.
  /// - Returns: Whether none of them is empty then.
  @inline(never)
  mutating func normalize() -> Bool {
    var shift = 0
    var isFilled = true
    for section in extents.keys.sorted() {
      guard var extent = extents[section] else { continue }
      extent.newStart = extent.start + shift
      shift += extent.came - extent.left
      if extent.newCount == 0 { isFilled = false }
      extents[section] = extent
    }
    return isFilled
  }
}

extension Array {
  /// In an array that is divided by a condition: how many elements meet it.
  func partition(_ isBefore: (Element) -> Bool) -> Int {
    indices.partitionPoint { isBefore(self[$0]) }
  }
}

extension [Int] {
  /// In an ascending array: how many are smaller than a value.
  func count(sortedBefore value: Int) -> Int { partition { $0 < value } }

  /// Whether an ascending array has a value.
  func contains(sorted value: Int) -> Bool {
    let position = count(sortedBefore: value)
    return position < count && self[position] == value
  }
}
