public import Snapshots

extension NaiveSnapshot {
  /// Returns the difference from an older snapshot to this one.
  public func difference(from old: Self) -> SnapshotDifference<SectionID, ItemID> {
    var result = SnapshotDifference<SectionID, ItemID>()
    result.reloadedSections = reloadedSectionIdentifiers
    result.reloadedItems = reloadedItemIdentifiers
    result.reconfiguredItems = reconfiguredItemIdentifiers

    for (index, id) in old.sectionOrder.enumerated() where rows[id] == nil {
      result.deletedSections.append(.init(id: id, index: index))
    }
    var commonSections: [(id: SectionID, from: Int, to: Int)] = []
    for (index, id) in sectionOrder.enumerated() {
      if let from = old.indexOfSection(id) {
        commonSections.append((id, from, index))
      } else {
        result.insertedSections.append(.init(id: id, index: index))
      }
    }
    let stays = Self.increasingSubsequence(commonSections.map { $0.from })
    for (position, section) in commonSections.enumerated() where !stays.contains(position) {
      result.movedSections.append(.init(id: section.id, from: section.from, to: section.to))
    }

    var oldPaths: [ItemID: ListIndexPath] = [:]
    for (section, id) in old.sectionOrder.enumerated() {
      for (index, item) in (old.rows[id] ?? []).enumerated() {
        let path = ListIndexPath(item: index, section: section)
        oldPaths[item] = path
        if homes[item] == nil { result.deletedItems.append(.init(id: item, path: path)) }
      }
    }
    for (section, id) in sectionOrder.enumerated() {
      var common: [(id: ItemID, from: ListIndexPath, to: ListIndexPath)] = []
      for (index, item) in (rows[id] ?? []).enumerated() {
        let path = ListIndexPath(item: index, section: section)
        if let from = oldPaths[item] {
          if old.homes[item] == id {
            common.append((item, from, path))
          } else {
            result.movedItems.append(.init(id: item, from: from, to: path))
          }
        } else {
          result.insertedItems.append(.init(id: item, path: path))
        }
      }
      let stays = Self.increasingSubsequence(common.map { $0.from.item })
      for (position, item) in common.enumerated() where !stays.contains(position) {
        result.movedItems.append(.init(id: item.id, from: item.from, to: item.to))
      }
    }
    result.movedItems.sort { $0.to < $1.to }
    return result
  }

  /// The positions in `values` of one longest increasing subsequence.
  static func increasingSubsequence(_ values: [Int]) -> Set<Int> {
    var tails: [Int] = []
    var previous = [Int?](repeating: nil, count: values.count)
    for (position, value) in values.enumerated() {
      let slot = tails.firstIndex { values[$0] > value } ?? tails.count
      previous[position] = slot > 0 ? tails[slot - 1] : nil
      if slot == tails.count { tails.append(position) } else { tails[slot] = position }
    }
    var found: Set<Int> = []
    var next = tails.last
    while let position = next {
      found.insert(position)
      next = previous[position]
    }
    return found
  }

  /// The snapshot that a difference leads to from this one; its marks are those of the difference.
  public func applying(
    _ difference: SnapshotDifference<SectionID, ItemID>
  ) throws(SnapshotError<SectionID, ItemID>) -> Self {
    var result = removingMarks()
    for change in difference.deletedItems {
      guard itemIdentifier(at: change.path) == change.id else {
        throw .differenceDoesNotApply("item \(change.id) is not at \(change.path)")
      }
    }
    for move in difference.movedItems {
      guard itemIdentifier(at: move.from) == move.id else {
        throw .differenceDoesNotApply("item \(move.id) is not at \(move.from)")
      }
    }
    for (id, index) in difference.deletedSections.map({ ($0.id, $0.index) })
      + difference.movedSections.map({ ($0.id, $0.from) })
    {
      guard indexOfSection(id) == index else {
        throw .differenceDoesNotApply("section \(id) is not at \(index)")
      }
    }
    // Moved items wait outside; their sections may go, come or move meanwhile.
    result.deleteItems(difference.deletedItems.map { $0.id } + difference.movedItems.map { $0.id })
    var kept: [SectionID: [ItemID]] = [:]
    for move in difference.movedSections { kept[move.id] = result.rows[move.id] }
    for change in difference.deletedSections where !(result.rows[change.id]?.isEmpty ?? true) {
      throw .differenceDoesNotApply("section \(change.id) is not emptied before it goes")
    }
    result.deleteSections(difference.deletedSections.map { $0.id } + difference.movedSections.map { $0.id })
    let arrivals =
      (difference.insertedSections.map { ($0.id, $0.index) }
      + difference.movedSections.map { ($0.id, $0.to) }).sorted { $0.1 < $1.1 }
    do {
      for (id, index) in arrivals {
        try result.insertSections([id], at: index)
        try result.appendItems(kept[id] ?? [], toSection: id)
      }
      let items =
        (difference.insertedItems.map { ($0.id, $0.path) }
        + difference.movedItems.map { ($0.id, $0.to) }).sorted { $0.1 < $1.1 }
      for (id, path) in items { try result.insertItems([id], at: path) }
      try result.reloadSections(difference.reloadedSections)
      try result.reloadItems(difference.reloadedItems)
      try result.reconfigureItems(difference.reconfiguredItems)
    } catch { throw .differenceDoesNotApply(error.description) }
    return result
  }
}
