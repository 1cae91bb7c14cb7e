extension DiffableSnapshot {
  /// The number of sections.
  ///
  /// - Complexity: O(1)
  @inlinable public var numberOfSections: Int { tree.count }

  /// The number of items in all sections.
  ///
  /// - Complexity: O(1)
  @inlinable public var numberOfItems: Int { tree.weight }

  /// The sections, in order, as a new array. ``sections`` does not copy.
  ///
  /// - Complexity: O(*s*) in the number of sections.
  @inlinable public var sectionIdentifiers: [SectionID] { sections.map { $0.id } }

  /// The items of all sections, in order, as a new array. ``items`` does not copy.
  ///
  /// - Complexity: O(*n*)
  @inlinable public var itemIdentifiers: [ItemID] { Array(items) }

  /// The number of items in a section.
  ///
  /// - Throws: ``SnapshotError/unknownSection(_:)``.
  /// - Complexity: O(log *s*) in the number of sections.
  @inlinable
  public func numberOfItems(inSection section: SectionID) throws(SnapshotError<SectionID, ItemID>) -> Int {
    guard let found = findSection(section) else { throw .unknownSection(section) }
    return found.element.items.count
  }

  /// The items of a section, in order, as a new array.
  ///
  /// - Throws: ``SnapshotError/unknownSection(_:)``.
  /// - Complexity: O(*k*) in the number of items of the section.
  @inlinable
  public func itemIdentifiers(
    inSection section: SectionID
  ) throws(SnapshotError<SectionID, ItemID>) -> [ItemID] {
    guard let found = findSection(section) else { throw .unknownSection(section) }
    return Array(Section.Items(tree: found.element.items))
  }

  /// The section that holds an item, or nil if the snapshot does not have the item.
  ///
  /// - Complexity: O(log *s*) in the number of sections.
  @inlinable
  public func sectionIdentifier(containingItem item: ItemID) -> SectionID? {
    guard let word = itemMap[item] else { return nil }
    return findSection(number: ItemAddress(word: word).section)?.element.id
  }

  /// The position of a section, or nil.
  ///
  /// - Complexity: O(log *s*) in the number of sections.
  @inlinable
  public func indexOfSection(_ section: SectionID) -> Int? { findSection(section)?.position }

  /// The position of an item counted across all sections, or nil.
  ///
  /// - Complexity: O(log *n*)
  @inlinable
  public func indexOfItem(_ item: ItemID) -> Int? {
    guard let found = findItem(item) else { return nil }
    return tree.weight(before: found.sectionLabel) + found.path.item
  }

  /// The position of an item's section and its position in it, or nil.
  ///
  /// - Complexity: O(log *n*)
  @inlinable
  public func indexPath(ofItem item: ItemID) -> ListIndexPath? { findItem(item)?.path }

  /// The item at an index path, or nil if there is no such index path.
  ///
  /// - Complexity: O(log *n*)
  @inlinable
  public func itemIdentifier(at path: ListIndexPath) -> ItemID? {
    guard path.section >= 0, path.section < tree.count else { return nil }
    let items = tree[path.section].element.items
    guard path.item >= 0, path.item < items.count else { return nil }
    return items[path.item].element.id
  }

  /// Whether the snapshot has an item.
  ///
  /// - Complexity: O(1)
  @inlinable
  public func containsItem(_ item: ItemID) -> Bool { itemMap[item] != nil }

  /// Whether the snapshot has a section.
  ///
  /// - Complexity: O(1)
  @inlinable
  public func containsSection(_ section: SectionID) -> Bool { sectionMap[section] != nil }
}

// MARK: Finding things in the trees

extension DiffableSnapshot {
  @usableFromInline typealias SectionTreeElement = SectionElement<SectionID, ItemID>

  @inlinable
  func findSection(_ id: SectionID) -> (position: Int, element: SectionTreeElement)? {
    guard let label = sectionMap[id] else { return nil }
    return tree.find(label: label)
  }

  @inlinable
  func findSection(number: UInt32) -> (position: Int, element: SectionTreeElement)? {
    guard let label = sectionLabels[number] else { return nil }
    return tree.find(label: label)
  }

  @inlinable
  func findItem(_ id: ItemID) -> (path: ListIndexPath, sectionLabel: UInt64, stored: ItemID)? {
    guard let word = itemMap[id] else { return nil }
    let address = ItemAddress(word: word)
    guard let label = sectionLabels[address.section], let section = tree.find(label: label),
      let item = section.element.items.find(label: address.label)
    else { return nil }
    return (ListIndexPath(item: item.position, section: section.position), label, item.element.id)
  }
}

extension DiffableSnapshot: Hashable {
  /// Whether both have the same sections with the same items in the same order. Marks do not count.
  ///
  /// - Complexity: O(*n*) at most; parts that the two share are not looked at.
  @inlinable
  public static func == (lhs: Self, rhs: Self) -> Bool {
    guard lhs.numberOfItems == rhs.numberOfItems else { return false }
    return lhs.tree.hasSameElements(as: rhs.tree) { left, right in
      left.id == right.id && left.items.hasSameElements(as: right.items) { $0.id == $1.id }
    }
  }

  /// Hashes the sections and items in order.
  ///
  /// - Complexity: O(*n*)
  @inlinable
  public func hash(into hasher: inout Hasher) {
    hasher.combine(numberOfSections)
    for section in sections {
      hasher.combine(section.id)
      hasher.combine(section.items.count)
      for item in section.items { hasher.combine(item) }
    }
  }
}
