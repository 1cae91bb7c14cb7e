extension DiffableSnapshot {
  /// Removes items and inserts items, in one go.
  ///
  /// First everything in `removed` is taken out; unknown items are ignored. Then `inserted` is put in by
  /// ascending index path, so that every index path given is the item's in the result. An item in both is moved,
  /// and keeps its marks.
  ///
  /// - Parameters:
  ///   - removed: The items to take out, in any order.
  ///   - inserted: The items to insert, with their index paths in the result, in any order.
  /// - Throws: ``SnapshotError/duplicateItems(_:)``; for the first by index path that cannot be inserted,
  ///   ``SnapshotError/itemPositionOutOfRange(_:)`` or ``SnapshotError/itemsAlreadyExist(_:)``.
  /// - Complexity: O(*k* log *n*); neighbours are put in together.
  @inlinable
  public mutating func updateItems(
    removing removed: [ItemID], inserting inserted: [(item: ItemID, path: ListIndexPath)]
  ) throws(SnapshotError<SectionID, ItemID>) {
    let repeated = inserted.count < 2 ? [] : duplicates(in: inserted.lazy.map { $0.item })
    if !repeated.isEmpty { throw .duplicateItems(repeated) }
    var result = self
    var lifted: [ItemID: ItemID] = [:]
    for item in removed {
      if let stored = result.takeItem(item) {
        lifted[item] = stored
        result.itemMap.remove(item)
      }
    }
    try result.insertRuns(inserted, lifted: &lifted)
    for item in lifted.keys {
      result.reloadedItemMarks.remove(item)
      result.reconfiguredItemMarks.remove(item)
    }
    self = result
  }

  /// Inserts items by ascending index path, neighbours together. Those in `lifted` are inserted as they were stored,
  /// and removed from it.
  @inlinable
  mutating func insertRuns(
    _ inserted: [(item: ItemID, path: ListIndexPath)], lifted: inout [ItemID: ItemID]
  ) throws(SnapshotError<SectionID, ItemID>) {
    var isSorted = true
    for index in inserted.indices.dropFirst() where inserted[index].path < inserted[index - 1].path {
      isSorted = false
      break
    }
    let sorted = isSorted ? inserted : inserted.sorted { $0.path < $1.path }
    var start = 0
    while start < sorted.count {
      let path = sorted[start].path
      let section = try section(for: path)
      var run: [ItemID] = []
      while start < sorted.count,
        sorted[start].path == ListIndexPath(item: path.item + run.count, section: path.section)
      {
        let item = sorted[start].item
        if itemMap[item] != nil { throw .itemsAlreadyExist([item]) }
        run.append(lifted.removeValue(forKey: item) ?? item)
        start += 1
      }
      put(run, at: path.item, ofSection: section.number, label: section.label)
    }
  }
}
