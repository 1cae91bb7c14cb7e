extension DiffableSnapshot {
  /// Adds items at the end of the last section. Items that are in the snapshot already are moved there.
  ///
  /// - Throws: ``SnapshotError/duplicateItems(_:)``, ``SnapshotError/noSections``.
  /// - Complexity: O(*k* log *n*)
  @inlinable
  public mutating func appendItems(_ items: [ItemID]) throws(SnapshotError<SectionID, ItemID>) {
    if items.isEmpty { return }
    try checkUnique(items)
    guard let section = sectionAddress(at: tree.count - 1) else { throw .noSections }
    append(items, to: section.number, label: section.label)
  }

  /// Adds items at the end of a section. Items that are in the snapshot already are moved there.
  ///
  /// - Throws: ``SnapshotError/duplicateItems(_:)``, ``SnapshotError/unknownSection(_:)``.
  /// - Complexity: O(*k* log *n*)
  @inlinable
  public mutating func appendItems(
    _ items: [ItemID], toSection section: SectionID
  ) throws(SnapshotError<SectionID, ItemID>) {
    if items.isEmpty { return }
    try checkUnique(items)
    guard let label = sectionMap[section], let number = sectionNumber(label: label) else {
      throw .unknownSection(section)
    }
    append(items, to: number, label: label)
  }

  /// Adds items directly before another, in that one's section. Items that are in the snapshot already are
  /// moved there; they are taken out before the destination is looked up.
  ///
  /// - Throws: ``SnapshotError/duplicateItems(_:)``, ``SnapshotError/itemDestinationInArgument(_:)``,
  ///   ``SnapshotError/unknownItem(_:)``.
  /// - Complexity: O(*k* log *n*)
  @inlinable
  public mutating func insertItems(
    _ items: [ItemID], beforeItem destination: ItemID
  ) throws(SnapshotError<SectionID, ItemID>) {
    try insert(items, beside: destination, offset: 0)
  }

  /// Adds items directly after another, in that one's section. Items that are in the snapshot already are
  /// moved there; they are taken out before the destination is looked up.
  ///
  /// - Throws: ``SnapshotError/duplicateItems(_:)``, ``SnapshotError/itemDestinationInArgument(_:)``,
  ///   ``SnapshotError/unknownItem(_:)``.
  /// - Complexity: O(*k* log *n*)
  @inlinable
  public mutating func insertItems(
    _ items: [ItemID], afterItem destination: ItemID
  ) throws(SnapshotError<SectionID, ItemID>) {
    try insert(items, beside: destination, offset: 1)
  }

  /// Inserts new items so that the first of them has an index path.
  ///
  /// - Throws: ``SnapshotError/duplicateItems(_:)``, ``SnapshotError/itemPositionOutOfRange(_:)``,
  ///   ``SnapshotError/itemsAlreadyExist(_:)``.
  /// - Complexity: O(*k* log *n*)
  @inlinable
  public mutating func insertItems(
    _ items: [ItemID], at path: ListIndexPath
  ) throws(SnapshotError<SectionID, ItemID>) {
    if items.isEmpty { return }
    try checkUnique(items)
    let section = try section(for: path)
    let known = items.filter { itemMap[$0] != nil }
    if !known.isEmpty { throw .itemsAlreadyExist(known) }
    put(items, at: path.item, ofSection: section.number, label: section.label)
  }

  /// Takes items away. Unknown items are ignored; a section emptied in this way stays.
  ///
  /// - Complexity: O(*k* log *n*)
  @inlinable
  public mutating func deleteItems(_ items: [ItemID]) {
    for item in items { deleteItem(item) }
  }

  /// Takes all items and all sections away.
  ///
  /// - Complexity: O(1), besides giving memory back.
  @inlinable
  public mutating func deleteAllItems() { self = Self() }

  /// Puts an item directly before another, in that one's section.
  ///
  /// - Throws: ``SnapshotError/itemDestinationIsSource(_:)``, ``SnapshotError/unknownItem(_:)``.
  /// - Complexity: O(log *n*)
  @inlinable
  public mutating func moveItem(
    _ item: ItemID, beforeItem destination: ItemID
  ) throws(SnapshotError<SectionID, ItemID>) {
    try move(item, beside: destination, offset: 0)
  }

  /// Puts an item directly after another, in that one's section.
  ///
  /// - Throws: ``SnapshotError/itemDestinationIsSource(_:)``, ``SnapshotError/unknownItem(_:)``.
  /// - Complexity: O(log *n*)
  @inlinable
  public mutating func moveItem(
    _ item: ItemID, afterItem destination: ItemID
  ) throws(SnapshotError<SectionID, ItemID>) {
    try move(item, beside: destination, offset: 1)
  }

  /// Moves an item to an index path, counted after the item was taken out.
  ///
  /// - Throws: ``SnapshotError/unknownItem(_:)``, ``SnapshotError/itemPositionOutOfRange(_:)``.
  /// - Complexity: O(log *n*)
  @inlinable
  public mutating func moveItem(
    _ item: ItemID, to path: ListIndexPath
  ) throws(SnapshotError<SectionID, ItemID>) {
    guard let source = findItem(item) else { throw .unknownItem(item) }
    let section = try section(for: path)
    if source.path.section == path.section, path.item == section.count {
      throw .itemPositionOutOfRange(path)
    }
    guard let stored = takeItem(item) else { return }
    putItem(stored, at: path.item, ofSection: section.number, label: section.label)
  }
}

// MARK: The parts of an edit

extension DiffableSnapshot {
  @inlinable
  func checkUnique(_ items: [ItemID]) throws(SnapshotError<SectionID, ItemID>) {
    if items.count < 2 { return }
    let repeated = duplicates(in: items)
    if !repeated.isEmpty { throw .duplicateItems(repeated) }
  }

  // What follows returns numbers and no elements: an element held while the tree is edited would be a second
  // owner of the section's items, and the edit would copy what it could have written to.

  /// The section of an index path at which items can be inserted.
  @inlinable
  func section(
    for path: ListIndexPath
  ) throws(SnapshotError<SectionID, ItemID>) -> (number: UInt32, label: UInt64, count: Int) {
    guard let section = sectionAddress(at: path.section), path.item >= 0, path.item <= section.count else {
      throw .itemPositionOutOfRange(path)
    }
    return section
  }

  @inlinable
  func sectionAddress(at index: Int) -> (number: UInt32, label: UInt64, count: Int)? {
    guard index >= 0, index < tree.count else { return nil }
    return tree.withLeaf(at: index) { leaf, index in
      (leaf.elements[index].number, leaf.labels[index], leaf.elements[index].items.count)
    }
  }

  @inlinable
  func sectionNumber(label: UInt64) -> UInt32? { tree.find(label: label)?.element.number }

  @inlinable
  func position(of address: ItemAddress, sectionLabel: UInt64) -> Int? {
    tree.find(label: sectionLabel)?.element.items.find(label: address.label)?.position
  }

  @inlinable
  mutating func append(_ items: [ItemID], to number: UInt32, label: UInt64) {
    if items.count == 1,
      Self.addLast(items[0], toSection: number, label: label, in: &tree, map: &itemMap)
    {
      return
    }
    let stored = take(items)
    put(stored, at: nil, ofSection: number, label: label)
  }

  /// Adds an item at the end of a section, if it is new and nothing else need be changed for it: this is how lists
  /// grow one by one.
  ///
  /// - Returns: Whether it was added; nothing has changed if not.
  @inlinable
  static func addLast(
    _ item: ItemID, toSection number: UInt32, label: UInt64,
    in tree: inout OrderTree<SectionTreeElement>, map: inout IdentityMap<ItemID>
  ) -> Bool {
    guard map.isUnshared() else { return false }
    // The item's slot is far away. While it is on its way the item is put in already, though it may turn out to be
    // there: then it is taken out again, to be moved like any other.
    let hash = FlatTable<ItemID>.hash(item)
    map.askForSlot(of: hash)
    return tree.update(label: label) { section in
      guard let free = section.items.freeLabels(for: 1, at: section.items.count) else { return false }
      section.items.append(ItemElement(id: item), label: free.first)
      let address = ItemAddress(section: number, label: free.first)
      if map.add(item, hash: hash, value: address.word) { return true }
      _ = section.items.remove(label: free.first)
      return false
    } ?? false
  }

  @inlinable
  mutating func insert(
    _ items: [ItemID], beside destination: ItemID, offset: Int
  ) throws(SnapshotError<SectionID, ItemID>) {
    if items.isEmpty { return }
    try checkUnique(items)
    if items.contains(destination) { throw .itemDestinationInArgument(destination) }
    guard itemMap[destination] != nil else { throw .unknownItem(destination) }
    let stored = take(items)
    guard let target = target(beside: destination, offset: offset) else { return }
    put(stored, at: target.position, ofSection: target.section, label: target.label)
  }

  @inlinable
  mutating func move(
    _ item: ItemID, beside destination: ItemID, offset: Int
  ) throws(SnapshotError<SectionID, ItemID>) {
    if item == destination { throw .itemDestinationIsSource(item) }
    guard itemMap[destination] != nil else { throw .unknownItem(destination) }
    guard let stored = takeItem(item) else { throw .unknownItem(item) }
    guard let target = target(beside: destination, offset: offset) else { return }
    putItem(stored, at: target.position, ofSection: target.section, label: target.label)
  }

  /// Takes those of the items that are there out of the tree; returns for each what is to be stored. All of
  /// them have to be put in next.
  @inlinable
  mutating func take(_ items: [ItemID]) -> [ItemID] {
    var stored = items
    for (index, word) in itemMap.reserve(items) {
      if let old = takeItem(at: ItemAddress(word: word)) { stored[index] = old }
    }
    return stored
  }

  /// Removes an item from the tree and returns it as it was first inserted. Its address in the identity map is stale
  /// until the item is inserted again or removed from the map.
  @inlinable
  mutating func takeItem(_ item: ItemID) -> ItemID? {
    guard let word = itemMap[item] else { return nil }
    return takeItem(at: ItemAddress(word: word))
  }

  @inlinable
  mutating func takeItem(at address: ItemAddress) -> ItemID? {
    guard let label = sectionLabels[address.section] else { return nil }
    return tree.update(label: label) { $0.items.remove(label: address.label)?.id } ?? nil
  }

  /// The section of an item and the position there beside it.
  @inlinable
  func target(beside destination: ItemID, offset: Int) -> (section: UInt32, label: UInt64, position: Int)? {
    guard let word = itemMap[destination] else { return nil }
    let address = ItemAddress(word: word)
    guard let label = sectionLabels[address.section],
      let position = position(of: address, sectionLabel: label)
    else { return nil }
    return (address.section, label, position + offset)
  }

  /// Puts items in that are not in the tree, at a position or at the end.
  @inlinable
  mutating func put(_ items: [ItemID], at index: Int?, ofSection number: UInt32, label: UInt64) {
    Self.put(items, at: index, ofSection: number, label: label, in: &tree, map: &itemMap)
  }

  /// Puts one item in. It needs no collection, for which all of this would be compiled once more.
  @inlinable
  mutating func putItem(_ item: ItemID, at index: Int, ofSection number: UInt32, label: UInt64) {
    Self.put(item, at: index, ofSection: number, label: label, in: &tree, map: &itemMap)
  }

  // The parts of the snapshot come one by one because the tree reports new labels while it is being changed.
  @inlinable
  static func put(
    _ items: [ItemID], at index: Int?, ofSection number: UInt32, label: UInt64,
    in tree: inout OrderTree<SectionTreeElement>, map: inout IdentityMap<ItemID>
  ) {
    _ = tree.update(label: label) { element in
      element.items.insert(items.lazy.map { ItemElement(id: $0) }, at: index ?? element.items.count) {
        map.set($0.id, to: ItemAddress(section: number, label: $1).word)
      }
    }
  }

  @inlinable
  static func put(
    _ item: ItemID, at index: Int, ofSection number: UInt32, label: UInt64,
    in tree: inout OrderTree<SectionTreeElement>, map: inout IdentityMap<ItemID>
  ) {
    _ = tree.update(label: label) { element in
      element.items.insert(ItemElement(id: item), at: index) {
        map.set($0.id, to: ItemAddress(section: number, label: $1).word)
      }
    }
  }
}
