extension DiffableSnapshot {
  /// Adds empty sections at the end.
  ///
  /// - Throws: ``SnapshotError/duplicateSections(_:)``; ``SnapshotError/sectionsAlreadyExist(_:)``, as sections,
  ///   unlike items, are not moved by adding them again; ``SnapshotError/tooManySections``.
  /// - Complexity: O(*k* log *s*)
  @inlinable
  public mutating func appendSections(
    _ sections: [SectionID]
  ) throws(SnapshotError<SectionID, ItemID>) {
    try checkUnique(sections)
    try checkNew(sections)
    try checkRoom(for: sections.count)
    put(sections, at: tree.count)
  }

  /// Adds empty sections directly before another.
  ///
  /// - Throws: ``SnapshotError/duplicateSections(_:)``, ``SnapshotError/sectionDestinationInArgument(_:)``,
  ///   ``SnapshotError/unknownSection(_:)``, ``SnapshotError/sectionsAlreadyExist(_:)``,
  ///   ``SnapshotError/tooManySections``.
  /// - Complexity: O(*k* log *s*)
  @inlinable
  public mutating func insertSections(
    _ sections: [SectionID], beforeSection destination: SectionID
  ) throws(SnapshotError<SectionID, ItemID>) {
    try insert(sections, beside: destination, offset: 0)
  }

  /// Adds empty sections directly after another.
  ///
  /// - Throws: ``SnapshotError/duplicateSections(_:)``, ``SnapshotError/sectionDestinationInArgument(_:)``,
  ///   ``SnapshotError/unknownSection(_:)``, ``SnapshotError/sectionsAlreadyExist(_:)``,
  ///   ``SnapshotError/tooManySections``.
  /// - Complexity: O(*k* log *s*)
  @inlinable
  public mutating func insertSections(
    _ sections: [SectionID], afterSection destination: SectionID
  ) throws(SnapshotError<SectionID, ItemID>) {
    try insert(sections, beside: destination, offset: 1)
  }

  /// Adds empty sections so that the first of them has a position.
  ///
  /// - Throws: ``SnapshotError/duplicateSections(_:)``, ``SnapshotError/sectionPositionOutOfRange(_:)``,
  ///   ``SnapshotError/sectionsAlreadyExist(_:)``, ``SnapshotError/tooManySections``.
  /// - Complexity: O(*k* log *s*)
  @inlinable
  public mutating func insertSections(
    _ sections: [SectionID], at index: Int
  ) throws(SnapshotError<SectionID, ItemID>) {
    if sections.isEmpty { return }
    try checkUnique(sections)
    guard index >= 0, index <= tree.count else { throw .sectionPositionOutOfRange(index) }
    try checkNew(sections)
    try checkRoom(for: sections.count)
    put(sections, at: index)
  }

  /// Takes sections and their items away. Unknown sections are ignored.
  ///
  /// - Complexity: O(*k* log *s* + *i*) in the numbers of sections and of items that go.
  @inlinable
  public mutating func deleteSections(_ sections: [SectionID]) {
    for id in sections {
      guard let element = takeSection(id) else { continue }
      reloadedSectionMarks.remove(id)
      element.items.forEachLeaf { leaf in
        for item in leaf.elements {
          itemMap.remove(item.id)
          reloadedItemMarks.remove(item.id)
          reconfiguredItemMarks.remove(item.id)
        }
      }
      sectionMap.remove(id)
      sectionLabels[element.number] = nil
    }
  }

  /// Puts a section with its items directly before another.
  ///
  /// - Throws: ``SnapshotError/sectionDestinationIsSource(_:)``, ``SnapshotError/unknownSection(_:)``.
  /// - Complexity: O(log *s*)
  @inlinable
  public mutating func moveSection(
    _ section: SectionID, beforeSection destination: SectionID
  ) throws(SnapshotError<SectionID, ItemID>) {
    try move(section, beside: destination, offset: 0)
  }

  /// Puts a section with its items directly after another.
  ///
  /// - Throws: ``SnapshotError/sectionDestinationIsSource(_:)``, ``SnapshotError/unknownSection(_:)``.
  /// - Complexity: O(log *s*)
  @inlinable
  public mutating func moveSection(
    _ section: SectionID, afterSection destination: SectionID
  ) throws(SnapshotError<SectionID, ItemID>) {
    try move(section, beside: destination, offset: 1)
  }

  /// Puts a section with its items at a position, counted after it was taken out.
  ///
  /// - Throws: ``SnapshotError/sectionPositionOutOfRange(_:)``, ``SnapshotError/unknownSection(_:)``.
  /// - Complexity: O(log *s*)
  @inlinable
  public mutating func moveSection(
    _ section: SectionID, to index: Int
  ) throws(SnapshotError<SectionID, ItemID>) {
    guard index >= 0, index < Swift.max(1, tree.count) else { throw .sectionPositionOutOfRange(index) }
    guard let element = takeSection(section) else { throw .unknownSection(section) }
    put([element], at: index)
  }
}

// MARK: The parts of an edit

extension DiffableSnapshot {
  @inlinable
  func checkUnique(_ sections: [SectionID]) throws(SnapshotError<SectionID, ItemID>) {
    if sections.count < 2 { return }
    let repeated = duplicates(in: sections)
    if !repeated.isEmpty { throw .duplicateSections(repeated) }
  }

  @inlinable
  func checkNew(_ sections: [SectionID]) throws(SnapshotError<SectionID, ItemID>) {
    let known = sections.filter { sectionMap[$0] != nil }
    if !known.isEmpty { throw .sectionsAlreadyExist(known) }
  }

  /// Refuses so many new sections if the snapshot would have more than it can.
  @inlinable
  func checkRoom(for count: Int) throws(SnapshotError<SectionID, ItemID>) {
    if count > SectionLimit.current - tree.count { throw .tooManySections }
  }

  @inlinable
  mutating func insert(
    _ sections: [SectionID], beside destination: SectionID, offset: Int
  ) throws(SnapshotError<SectionID, ItemID>) {
    if sections.isEmpty { return }
    try checkUnique(sections)
    if sections.contains(destination) { throw .sectionDestinationInArgument(destination) }
    guard let position = indexOfSection(destination) else { throw .unknownSection(destination) }
    try checkNew(sections)
    try checkRoom(for: sections.count)
    put(sections, at: position + offset)
  }

  @inlinable
  mutating func move(
    _ section: SectionID, beside destination: SectionID, offset: Int
  ) throws(SnapshotError<SectionID, ItemID>) {
    if section == destination { throw .sectionDestinationIsSource(section) }
    if sectionMap[destination] == nil { throw .unknownSection(destination) }
    guard let element = takeSection(section) else { throw .unknownSection(section) }
    guard let position = indexOfSection(destination) else { return }
    put([element], at: position + offset)
  }

  /// Removes a section from the tree. Its label in the map is stale until it is inserted again or removed from the map.
  @inlinable
  mutating func takeSection(_ id: SectionID) -> SectionTreeElement? {
    guard let label = sectionMap[id] else { return nil }
    return tree.remove(label: label)
  }

  /// Puts new, empty sections in.
  @inlinable
  mutating func put(_ sections: [SectionID], at index: Int) {
    reserveNumbers(sections.count)
    let elements = sections.map { id in
      defer { nextNumber += 1 }
      return SectionTreeElement(id: id, number: nextNumber, items: OrderTree())
    }
    put(elements, at: index)
  }

  @inlinable
  mutating func put(_ elements: [SectionTreeElement], at index: Int) {
    Self.put(elements, at: index, in: &tree, map: &sectionMap, labels: &sectionLabels)
  }

  // The parts of the snapshot come one by one because the tree reports new labels while it is being changed.
  @inlinable
  static func put(
    _ elements: [SectionTreeElement], at index: Int, in tree: inout OrderTree<SectionTreeElement>,
    map: inout IdentityMap<SectionID>, labels: inout SectionLabels
  ) {
    tree.insert(elements, at: index) { element, label in
      map.set(element.id, to: label)
      labels[element.number] = label
    }
  }

  /// Gives all sections new numbers, from zero, if those that can be had are fewer than what is needed, which must have
  /// room.
  ///
  /// No section may be out of the tree meanwhile: it would keep its old number.
  @inlinable
  mutating func reserveNumbers(_ count: Int) {
    guard SectionLimit.current - Int(nextNumber) < count,
      let fresh = try? Self(sections: sections.map { ($0.id, Array($0.items)) })
    else { return }
    tree = fresh.tree
    sectionMap = fresh.sectionMap
    itemMap = fresh.itemMap
    sectionLabels = fresh.sectionLabels
    nextNumber = fresh.nextNumber
  }
}
