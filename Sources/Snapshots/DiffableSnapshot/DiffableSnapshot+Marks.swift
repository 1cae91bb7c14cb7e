extension DiffableSnapshot {
  /// The items to be shown anew by new cells, in the order they were first marked.
  ///
  /// - Complexity: O(*m* log *m*) in the number of marks.
  @inlinable public var reloadedItemIdentifiers: [ItemID] { reloadedItemMarks.ordered }

  /// The sections to be shown anew with all their items, in the order they were first marked.
  ///
  /// - Complexity: O(*m* log *m*) in the number of marks.
  @inlinable public var reloadedSectionIdentifiers: [SectionID] { reloadedSectionMarks.ordered }

  /// The items whose existing cells are to be configured anew, in the order they were first marked.
  ///
  /// - Complexity: O(*m* log *m*) in the number of marks.
  @inlinable public var reconfiguredItemIdentifiers: [ItemID] { reconfiguredItemMarks.ordered }

  /// Whether anything is marked.
  ///
  /// - Complexity: O(1)
  @inlinable public var hasMarks: Bool {
    !(reloadedItemMarks.isEmpty && reloadedSectionMarks.isEmpty && reconfiguredItemMarks.isEmpty)
  }

  /// Marks items to be shown anew, each by a new cell. This wins over ``reconfigureItems(_:)``.
  ///
  /// A mark stays with its item when that moves, and goes when it is deleted. Marks do not take part in
  /// equality.
  ///
  /// - Throws: ``SnapshotError/unknownItem(_:)``; then nothing is marked.
  /// - Complexity: O(*k* log *n*)
  @inlinable
  public mutating func reloadItems(_ items: [ItemID]) throws(SnapshotError<SectionID, ItemID>) {
    for item in items where itemMap[item] == nil { throw .unknownItem(item) }
    reloadedItemMarks.enterPending()
    for item in items {
      reconfiguredItemMarks.remove(item)
      if !reloadedItemMarks.contains(item) { reloadedItemMarks.insert(findItem(item)?.stored ?? item) }
    }
  }

  /// Marks items whose existing cells are to be configured anew, unless they are to be reloaded anyway.
  ///
  /// - Throws: ``SnapshotError/unknownItem(_:)``; then nothing is marked.
  /// - Complexity: O(*k* log *n*)
  @inlinable
  public mutating func reconfigureItems(_ items: [ItemID]) throws(SnapshotError<SectionID, ItemID>) {
    for item in items where itemMap[item] == nil { throw .unknownItem(item) }
    reloadedItemMarks.enterPending()
    reconfiguredItemMarks.enterPending()
    for item in items where !reloadedItemMarks.contains(item) && !reconfiguredItemMarks.contains(item) {
      reconfiguredItemMarks.insert(findItem(item)?.stored ?? item)
    }
  }

  /// Marks sections to be shown anew, with all their items.
  ///
  /// - Throws: ``SnapshotError/unknownSection(_:)``; then nothing is marked.
  /// - Complexity: O(*k* log *s*)
  @inlinable
  public mutating func reloadSections(_ sections: [SectionID]) throws(SnapshotError<SectionID, ItemID>) {
    for id in sections where sectionMap[id] == nil { throw .unknownSection(id) }
    for id in sections { reloadedSectionMarks.insert(findSection(id)?.element.id ?? id) }
  }

  /// The same snapshot without marks.
  ///
  /// - Complexity: O(1)
  @inlinable
  public func removingMarks() -> Self {
    var copy = self
    copy.reloadedItemMarks = Marks()
    copy.reloadedSectionMarks = Marks()
    copy.reconfiguredItemMarks = Marks()
    return copy
  }
}
