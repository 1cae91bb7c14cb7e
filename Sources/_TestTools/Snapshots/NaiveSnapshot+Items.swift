public import Snapshots

extension NaiveSnapshot {
  /// Takes items out of wherever they are, keeping marks; returns what is to be stored for each.
  private mutating func lift(_ items: [ItemID]) -> [ItemID] {
    items.map { item in
      guard let home = homes.removeValue(forKey: item), let index = rows[home]?.firstIndex(of: item)
      else { return item }
      return rows[home]?.remove(at: index) ?? item
    }
  }

  private mutating func drop(_ items: [ItemID], in section: SectionID, at index: Int) {
    rows[section]?.insert(contentsOf: items, at: index)
    for item in items { homes[item] = section }
  }

  /// Adds items at the end of the last section. Items that are in the snapshot already are moved there.
  public mutating func appendItems(_ items: [ItemID]) throws(SnapshotError<SectionID, ItemID>) {
    if items.isEmpty { return }
    let repeated = Self.repeated(items)
    if !repeated.isEmpty { throw .duplicateItems(repeated) }
    guard let last = sectionOrder.last else { throw .noSections }
    try appendItems(items, toSection: last)
  }

  /// Adds items at the end of a section. Items that are in the snapshot already are moved there.
  public mutating func appendItems(
    _ items: [ItemID], toSection section: SectionID
  ) throws(SnapshotError<SectionID, ItemID>) {
    if items.isEmpty { return }
    let repeated = Self.repeated(items)
    if !repeated.isEmpty { throw .duplicateItems(repeated) }
    guard rows[section] != nil else { throw .unknownSection(section) }
    let lifted = lift(items)
    drop(lifted, in: section, at: rows[section]?.count ?? 0)
  }

  private mutating func insert(
    _ items: [ItemID], beside destination: ItemID, offset: Int
  ) throws(SnapshotError<SectionID, ItemID>) {
    if items.isEmpty { return }
    let repeated = Self.repeated(items)
    if !repeated.isEmpty { throw .duplicateItems(repeated) }
    if items.contains(destination) { throw .itemDestinationInArgument(destination) }
    guard let home = homes[destination] else { throw .unknownItem(destination) }
    let lifted = lift(items)
    drop(lifted, in: home, at: (rows[home]?.firstIndex(of: destination) ?? 0) + offset)
  }

  /// Adds items directly before another. Items that are in the snapshot already are moved there.
  public mutating func insertItems(
    _ items: [ItemID], beforeItem destination: ItemID
  ) throws(SnapshotError<SectionID, ItemID>) { try insert(items, beside: destination, offset: 0) }

  /// Adds items directly after another. Items that are in the snapshot already are moved there.
  public mutating func insertItems(
    _ items: [ItemID], afterItem destination: ItemID
  ) throws(SnapshotError<SectionID, ItemID>) { try insert(items, beside: destination, offset: 1) }

  /// Inserts new items so that the first of them has this index path.
  public mutating func insertItems(
    _ items: [ItemID], at path: ListIndexPath
  ) throws(SnapshotError<SectionID, ItemID>) {
    if items.isEmpty { return }
    let repeated = Self.repeated(items)
    if !repeated.isEmpty { throw .duplicateItems(repeated) }
    guard sectionOrder.indices.contains(path.section),
      (0...(rows[sectionOrder[path.section]]?.count ?? 0)).contains(path.item)
    else { throw .itemPositionOutOfRange(path) }
    let known = items.filter { homes[$0] != nil }
    if !known.isEmpty { throw .itemsAlreadyExist(known) }
    drop(items, in: sectionOrder[path.section], at: path.item)
  }

  /// Takes items away. Unknown items are ignored; a section emptied in this way stays.
  public mutating func deleteItems(_ items: [ItemID]) {
    for item in items where homes[item] != nil {
      _ = lift([item])
      reloadedItemIdentifiers.removeAll { $0 == item }
      reconfiguredItemIdentifiers.removeAll { $0 == item }
    }
  }

  /// Takes all items and all sections away.
  public mutating func deleteAllItems() { self = Self() }

  private mutating func move(
    _ item: ItemID, beside destination: ItemID, offset: Int
  ) throws(SnapshotError<SectionID, ItemID>) {
    if item == destination { throw .itemDestinationIsSource(item) }
    guard homes[destination] != nil else { throw .unknownItem(destination) }
    guard homes[item] != nil else { throw .unknownItem(item) }
    try insert([item], beside: destination, offset: offset)
  }

  /// Puts an item directly before another, in that one's section.
  public mutating func moveItem(
    _ item: ItemID, beforeItem destination: ItemID
  ) throws(SnapshotError<SectionID, ItemID>) { try move(item, beside: destination, offset: 0) }

  /// Puts an item directly after another, in that one's section.
  public mutating func moveItem(
    _ item: ItemID, afterItem destination: ItemID
  ) throws(SnapshotError<SectionID, ItemID>) { try move(item, beside: destination, offset: 1) }

  /// Moves an item to an index path, counted after the item was taken out.
  public mutating func moveItem(
    _ item: ItemID, to path: ListIndexPath
  ) throws(SnapshotError<SectionID, ItemID>) {
    guard let home = homes[item] else { throw .unknownItem(item) }
    guard sectionOrder.indices.contains(path.section) else { throw .itemPositionOutOfRange(path) }
    let section = sectionOrder[path.section]
    let room = (rows[section]?.count ?? 0) - (home == section ? 1 : 0)
    guard (0...room).contains(path.item) else { throw .itemPositionOutOfRange(path) }
    drop(lift([item]), in: section, at: path.item)
  }
}

extension NaiveSnapshot {
  /// Marks items to be shown anew by new cells. This wins over ``reconfigureItems(_:)``.
  public mutating func reloadItems(_ items: [ItemID]) throws(SnapshotError<SectionID, ItemID>) {
    for item in items where homes[item] == nil { throw .unknownItem(item) }
    for item in items {
      reconfiguredItemIdentifiers.removeAll { $0 == item }
      if !reloadedItemIdentifiers.contains(item) { reloadedItemIdentifiers.append(stored(item)) }
    }
  }

  /// Marks sections to be shown anew, with all their items.
  public mutating func reloadSections(_ sections: [SectionID]) throws(SnapshotError<SectionID, ItemID>) {
    for id in sections where rows[id] == nil { throw .unknownSection(id) }
    for id in sections where !reloadedSectionIdentifiers.contains(id) {
      reloadedSectionIdentifiers.append(sectionOrder[indexOfSection(id) ?? 0])
    }
  }

  /// Marks items whose existing cells are to be configured anew.
  public mutating func reconfigureItems(_ items: [ItemID]) throws(SnapshotError<SectionID, ItemID>) {
    for item in items where homes[item] == nil { throw .unknownItem(item) }
    for item in items
    where !reloadedItemIdentifiers.contains(item) && !reconfiguredItemIdentifiers.contains(item) {
      reconfiguredItemIdentifiers.append(stored(item))
    }
  }

  private func stored(_ item: ItemID) -> ItemID {
    indexPath(ofItem: item).flatMap { itemIdentifier(at: $0) } ?? item
  }

  /// The same snapshot without marks.
  public func removingMarks() -> Self {
    var copy = self
    copy.reloadedItemIdentifiers = []
    copy.reloadedSectionIdentifiers = []
    copy.reconfiguredItemIdentifiers = []
    return copy
  }
}

extension NaiveSnapshot {
  /// Takes items out and puts items in, in one go.
  ///
  /// First everything in `removed` is taken out; unknown items are ignored. Then `inserted` is put in by
  /// ascending index path, so that every index path given is the item's in the result. An item in both is moved
  /// and keeps its marks.
  public mutating func updateItems(
    removing removed: [ItemID], inserting inserted: [(item: ItemID, path: ListIndexPath)]
  ) throws(SnapshotError<SectionID, ItemID>) {
    var result = self
    let repeated = Self.repeated(inserted.map { $0.item })
    if !repeated.isEmpty { throw .duplicateItems(repeated) }
    let moved = Set(inserted.map { $0.item })
    _ = result.lift(removed.filter { moved.contains($0) })
    result.deleteItems(removed.filter { !moved.contains($0) })
    for (item, path) in inserted.sorted(by: { $0.path < $1.path }) {
      try result.insertItems([item], at: path)
    }
    self = result
  }
}
