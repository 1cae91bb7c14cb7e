extension DiffableSnapshot {
  /// The snapshot to which a difference leads from this one. Its marks are those of the difference.
  ///
  /// - Parameter difference: A difference from this snapshot, or from one that is equal.
  /// - Throws: ``SnapshotError/differenceDoesNotApply(_:)`` if it names something that is not where it says;
  ///   ``SnapshotError/tooManySections``.
  /// - Complexity: O(*c* log *n*), where *c* is the number of changes.
  @inlinable
  public func applying(
    _ difference: SnapshotDifference<SectionID, ItemID>
  ) throws(SnapshotError<SectionID, ItemID>) -> Self {
    try check(difference)
    var result = removingMarks()
    do {
      try result.apply(difference)
    } catch {
      switch error {
      case .differenceDoesNotApply, .tooManySections: throw error
      default: throw .differenceDoesNotApply(error.description)
      }
    }
    return result
  }

  /// Checks that each section and item that is deleted or moved is at its old position.
  @inlinable
  func check(
    _ difference: SnapshotDifference<SectionID, ItemID>
  ) throws(SnapshotError<SectionID, ItemID>) {
    for change in difference.deletedSections where indexOfSection(change.id) != change.index {
      throw .differenceDoesNotApply("section \(change.id) is not at \(change.index)")
    }
    for move in difference.movedSections where indexOfSection(move.id) != move.from {
      throw .differenceDoesNotApply("section \(move.id) is not at \(move.from)")
    }
    for change in difference.deletedItems where indexPath(ofItem: change.id) != change.path {
      throw .differenceDoesNotApply("item \(change.id) is not at \(change.path)")
    }
    for move in difference.movedItems where indexPath(ofItem: move.id) != move.from {
      throw .differenceDoesNotApply("item \(move.id) is not at \(move.from)")
    }
  }

  @inlinable
  mutating func apply(
    _ difference: SnapshotDifference<SectionID, ItemID>
  ) throws(SnapshotError<SectionID, ItemID>) {
    var lifted: [ItemID: ItemID] = [:]
    for move in difference.movedItems {
      if let stored = takeItem(move.id) {
        lifted[move.id] = stored
        itemMap.remove(move.id)
      }
    }
    for change in difference.deletedItems {
      guard containsItem(change.id) else {
        throw .differenceDoesNotApply("item \(change.id) is deleted twice, or deleted and moved")
      }
      deleteItems([change.id])
    }
    for change in difference.deletedSections {
      guard let section = findSection(change.id), section.element.items.count == 0 else {
        throw .differenceDoesNotApply("section \(change.id) is deleted with items that are not")
      }
    }
    deleteSections(difference.deletedSections.map { $0.id })
    // Before sections are taken out of the tree: those could not be numbered anew.
    try checkRoom(for: difference.insertedSections.count)
    reserveNumbers(difference.insertedSections.count)

    var arrivals: [(index: Int, element: SectionTreeElement?, id: SectionID)] = []
    for move in difference.movedSections {
      guard let element = takeSection(move.id) else {
        throw .differenceDoesNotApply("section \(move.id) is moved twice")
      }
      arrivals.append((move.to, element, move.id))
    }
    for change in difference.insertedSections {
      if containsSection(change.id) { throw .sectionsAlreadyExist([change.id]) }
      arrivals.append((change.index, nil, change.id))
    }
    arrivals.sort { $0.index < $1.index }
    for arrival in arrivals {
      guard arrival.index >= 0, arrival.index <= numberOfSections else {
        throw .sectionPositionOutOfRange(arrival.index)
      }
      if let element = arrival.element {
        put([element], at: arrival.index)
      } else {
        try insertSections([arrival.id], at: arrival.index)
      }
    }

    var inserted = difference.insertedItems.map { (item: $0.id, path: $0.path) }
    inserted.append(contentsOf: difference.movedItems.map { (item: $0.id, path: $0.to) })
    try checkUnique(inserted.map { $0.item })
    try insertRuns(inserted, lifted: &lifted)
    try reloadSections(difference.reloadedSections)
    try reloadItems(difference.reloadedItems)
    try reconfigureItems(difference.reconfiguredItems)
  }
}
