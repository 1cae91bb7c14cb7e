extension SnapshotDifference {
  /// The same change as one of the items of all sections in a row, for code that takes the standard library's
  /// differences.
  ///
  /// Applying it to the old snapshot's ``DiffableSnapshot/itemIdentifiers`` gives the new one's. Items that moved
  /// are removed and inserted, and the two are associated. In a row, a section that moves takes its items along,
  /// so they are listed here although the snapshot's difference does not list them. What is to be shown anew
  /// cannot be said in this form.
  ///
  /// ```swift
  /// let old: DiffableSnapshot<String, Int> = ["A": [1, 2], "B": [3]]
  /// let new: DiffableSnapshot<String, Int> = ["A": [2], "B": [3, 1, 4]]
  /// let changes = try new.difference(from: old).collectionDifference(from: old)
  /// let items = old.itemIdentifiers.applying(changes)  // [2, 3, 1, 4]
  /// ```
  ///
  /// - Parameter old: The snapshot that this difference starts from.
  /// - Throws: ``SnapshotError/differenceDoesNotApply(_:)`` if it does not start from that snapshot.
  /// - Complexity: O((*c* + *k*) log *n*), where *c* is the number of changes and *k* the number of items in
  ///   sections that move.
  public func collectionDifference(
    from old: DiffableSnapshot<SectionID, ItemID>
  ) throws(SnapshotError<SectionID, ItemID>) -> CollectionDifference<ItemID> {
    let new = try old.applying(self)
    var changes: [CollectionDifference<ItemID>.Change] = []
    func move(_ item: ItemID, from source: Int, to destination: Int) {
      changes.append(.remove(offset: source, element: item, associatedWith: destination))
      changes.append(.insert(offset: destination, element: item, associatedWith: source))
    }
    for change in deletedItems {
      changes.append(.remove(offset: old.offset(of: change.path), element: change.id, associatedWith: nil))
    }
    for change in insertedItems {
      changes.append(.insert(offset: new.offset(of: change.path), element: change.id, associatedWith: nil))
    }
    for item in movedItems { move(item.id, from: old.offset(of: item.from), to: new.offset(of: item.to)) }
    let moved = movedSections.isEmpty ? [] : Set(movedItems.lazy.map { $0.id })
    for section in movedSections {
      let first = new.offset(of: ListIndexPath(item: 0, section: section.to))
      for (index, item) in new.sections[section.to].items.enumerated() where !moved.contains(item) {
        if let source = old.indexOfItem(item) { move(item, from: source, to: first + index) }
      }
    }
    guard let result = CollectionDifference(changes) else {
      throw .differenceDoesNotApply("it has two changes of one position")
    }
    return result
  }
}

extension DiffableSnapshot {
  /// The position across all sections of an index path, whose section must exist.
  @inlinable
  func offset(of path: ListIndexPath) -> Int {
    tree.weight(before: tree[path.section].label) + path.item
  }
}
