/// The location of an item, found by one look-up: for callers that keep a snapshot in step with an order of their own.
extension DiffableSnapshot {
  /// The position of an item in the list and in its section.
  @usableFromInline
  package struct Location: Sendable {
    /// The item's position, counted across all sections.
    @usableFromInline package var position: Int
    /// The position of its section, and its position in that.
    @usableFromInline package var path: ListIndexPath
    /// Its section.
    @usableFromInline package var section: SectionID

    @inlinable
    package init(position: Int, path: ListIndexPath, section: SectionID) {
      self.position = position
      self.path = path
      self.section = section
    }
  }

  /// Returns the location of an item, or nil if the snapshot does not have it.
  ///
  /// - Complexity: O(log *n*)
  @inlinable
  package func location(ofItem item: ItemID) -> Location? {
    guard let word = itemMap[item] else { return nil }
    let address = ItemAddress(word: word)
    guard let label = sectionLabels[address.section], let section = tree.find(label: label),
      let found = section.element.items.find(label: address.label)
    else { return nil }
    return Location(
      position: tree.weight(before: label) + found.position,
      path: ListIndexPath(item: found.position, section: section.position), section: section.element.id)
  }

  /// Prefetches the entries of items in the identity map, for callers that are about to look several of them up.
  ///
  /// - Complexity: O(*k*)
  @inlinable
  package func willFind(_ items: some Collection<ItemID>) {
    itemMap.version.base.askForEntries(of: items)
  }

  /// Returns the location of the item at a position, or nil if there is no such position.
  ///
  /// - Complexity: O(log *s*) in the number of sections.
  @inlinable
  package func location(at position: Int) -> Location? {
    guard position >= 0, position < tree.weight, var node = tree.root else { return nil }
    var rest = position
    var section = 0
    while !node.isLeaf {
      var index = 0
      while rest >= node.children[index].weight {
        rest &-= node.children[index].weight
        section &+= node.counts[index]
        index &+= 1
      }
      node = node.children[index]
    }
    var index = 0
    while rest >= node.elements[index].weight {
      rest &-= node.elements[index].weight
      index &+= 1
    }
    return Location(
      position: position, path: ListIndexPath(item: rest, section: section + index),
      section: node.elements[index].id)
  }

  /// The items at some positions, counted across all sections, all of which must exist.
  ///
  /// - Complexity: O(*k* + log *n*) for *k* positions in one section, and as much again for each further one.
  @inlinable
  package func items(at positions: Range<Int>) -> [ItemID] {
    var items: [ItemID] = []
    items.reserveCapacity(positions.count)
    var next = positions.lowerBound
    while next < positions.upperBound {
      let (section, rest) = tree.element(atWeight: next)
      section.items.withLeaf(at: rest) { leaf, first in
        let end = Swift.min(leaf.elements.count, first + positions.upperBound - next)
        for index in first..<end { items.append(leaf.elements[index].id) }
        next += end - first
      }
    }
    return items
  }

  /// Inserts a new item at an index path.
  ///
  /// - Returns: false where the item is there already, or there is no such index path; nothing has changed then.
  /// - Complexity: O(log *n*)
  @inlinable
  package mutating func insertItem(_ item: ItemID, at path: ListIndexPath) -> Bool {
    guard itemMap[item] == nil, let section = sectionAddress(at: path.section), path.item >= 0,
      path.item <= section.count
    else { return false }
    putItem(item, at: path.item, ofSection: section.number, label: section.label)
    return true
  }

  /// Takes an item away, if it is there.
  ///
  /// - Complexity: O(log *n*)
  @inlinable
  package mutating func deleteItem(_ item: ItemID) {
    guard takeItem(item) != nil else { return }
    itemMap.remove(item)
    reloadedItemMarks.remove(item)
    reconfiguredItemMarks.remove(item)
  }

  /// Marks items as ``reconfigureItems(_:)`` does, if the caller knows that all of them are in the snapshot as they
  /// are given, each once, and that nothing is marked yet.
  ///
  /// The first edit of the snapshot that is about marks, as deleting an item is, costs O(*k*) besides what it costs else.
  ///
  /// - Complexity: O(1)
  @inlinable
  package mutating func reconfigureStoredItems(_ items: [ItemID]) {
    reconfiguredItemMarks = Marks(items)
  }
}
