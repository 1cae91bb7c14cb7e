public import Snapshots

/// Plans the batches that lead a view from one snapshot to another.
///
/// A difference says everything that happened. A batch may not: an item can't move out of a section that is deleted
/// in the same batch, nor into one that is inserted. So, for items that changed their section:
///
/// ```
///                          new section was there      new section is inserted
///   old section stays      move                       delete (arrives with the section)
///   old section deleted    insert (left with it)      nothing
/// ```
///
/// and items that live and die with their section are not mentioned. Everything else is taken over as it is.
public enum BatchPlanner {
  /// The batch of all changes of structure in a difference, legal as it is in views that can move a section and
  /// touch its items at once.
  ///
  /// - Parameter difference: What leads from the list before the batch to the one after it. Its marks are not read.
  /// - Complexity: O(*c* log *s*), where *c* is the number of changes and *s* that of deleted and inserted sections.
  @inlinable
  public static func structuralBatch<SectionID, ItemID>(
    for difference: SnapshotDifference<SectionID, ItemID>
  ) -> ListBatch {
    var batch = ListBatch()
    batch.deletedSections = difference.deletedSections.map(\.index)
    batch.insertedSections = difference.insertedSections.map(\.index)
    batch.movedSections = difference.movedSections.map { ListBatch.SectionMove(from: $0.from, to: $0.to) }
    guard !(batch.deletedSections.isEmpty && batch.insertedSections.isEmpty) else {
      batch.deletedItems = difference.deletedItems.map(\.path)
      batch.insertedItems = difference.insertedItems.map(\.path)
      batch.movedItems = difference.movedItems.map { ListBatch.ItemMove(from: $0.from, to: $0.to) }
      return batch
    }
    let deleted = Positions(batch.deletedSections)
    let inserted = Positions(batch.insertedSections)
    batch.deletedItems.reserveCapacity(difference.deletedItems.count)
    for change in difference.deletedItems where !deleted.contains(change.path.section) {
      batch.deletedItems.append(change.path)
    }
    batch.insertedItems.reserveCapacity(difference.insertedItems.count)
    for change in difference.insertedItems where !inserted.contains(change.path.section) {
      batch.insertedItems.append(change.path)
    }
    batch.movedItems.reserveCapacity(difference.movedItems.count)
    var left: [ListIndexPath] = []
    var arrived: [ListIndexPath] = []
    for move in difference.movedItems {
      switch (deleted.contains(move.from.section), inserted.contains(move.to.section)) {
      case (false, false): batch.movedItems.append(ListBatch.ItemMove(from: move.from, to: move.to))
      case (false, true): left.append(move.from)
      case (true, false): arrived.append(move.to)
      case (true, true): break
      }
    }
    // Moves ascend by where they go, so only what left has to be sorted.
    left.sort()
    batch.deletedItems = merged(batch.deletedItems, left)
    batch.insertedItems = merged(batch.insertedItems, arrived)
    return batch
  }

  /// Merges two ascending lists of index paths.
  @inlinable
  static func merged(_ first: [ListIndexPath], _ second: [ListIndexPath]) -> [ListIndexPath] {
    if second.isEmpty { return first }
    if first.isEmpty { return second }
    var result: [ListIndexPath] = []
    result.reserveCapacity(first.count + second.count)
    var index = 0
    for path in second {
      while index < first.count, first[index] < path {
        result.append(first[index])
        index += 1
      }
      result.append(path)
    }
    result += first[index...]
    return result
  }

  /// The batch of the marks in a difference, at index paths of the new list: the second batch, after the changes of
  /// structure.
  ///
  /// Items that the view was just given are left out: those inserted, and those in sections inserted or reloaded.
  /// Marks of sections and items that are not in the new snapshot are ignored.
  ///
  /// - Complexity: O(*m* log *n* + *c*), where *m* is the number of marks, *n* that of items, *c* that of changes.
  @inlinable
  public static func markBatch<SectionID, ItemID>(
    for difference: SnapshotDifference<SectionID, ItemID>, in snapshot: DiffableSnapshot<SectionID, ItemID>
  ) -> ListBatch {
    var batch = ListBatch()
    let hasItemMarks = !(difference.reloadedItems.isEmpty && difference.reconfiguredItems.isEmpty)
    guard hasItemMarks || !difference.reloadedSections.isEmpty else { return batch }
    var fresh = Set(difference.insertedSections.map(\.index))
    for section in difference.reloadedSections {
      guard let index = snapshot.indexOfSection(section), fresh.insert(index).inserted else { continue }
      batch.reloadedSections.append(index)
    }
    batch.reloadedSections.sort()
    guard hasItemMarks else { return batch }
    var provided = Set(difference.insertedItems.lazy.map(\.id))
    func indexPath(_ item: ItemID) -> ListIndexPath? {
      guard let path = snapshot.indexPath(ofItem: item), !fresh.contains(path.section),
        provided.insert(item).inserted
      else { return nil }
      return path
    }
    batch.reloadedItems = difference.reloadedItems.compactMap(indexPath).sorted()
    batch.reconfiguredItems = difference.reconfiguredItems.compactMap(indexPath).sorted()
    return batch
  }

  /// Whether a batch touches items of sections that move, which not every view can do in one batch.
  ///
  /// - Complexity: O(*c* log *s*), where *c* is the number of operations and *s* that of moved sections.
  @inlinable
  public static func touchesItemsOfMovedSections(_ batch: ListBatch) -> Bool {
    guard !batch.movedSections.isEmpty else { return false }
    let from = Positions(batch.movedSections.map(\.from).sorted())
    let to = Positions(batch.movedSections.map(\.to))
    return batch.deletedItems.contains { from.contains($0.section) }
      || batch.insertedItems.contains { to.contains($0.section) }
      || batch.movedItems.contains { from.contains($0.from.section) || to.contains($0.to.section) }
  }
}

/// A sorted list of positions that is asked for membership.
@usableFromInline
struct Positions {
  @usableFromInline let sorted: [Int]

  @inlinable
  init(_ sorted: [Int]) {
    self.sorted = sorted
  }

  @inlinable
  subscript(index: Int) -> Int { sorted[index] }

  @inlinable
  func contains(_ position: Int) -> Bool {
    let index = countBelow(position)
    return index < sorted.count && sorted[index] == position
  }

  /// How many of the positions are smaller.
  @inlinable
  func countBelow(_ position: Int) -> Int {
    sorted.indices.partitionPoint { sorted[$0] < position }
  }
}
