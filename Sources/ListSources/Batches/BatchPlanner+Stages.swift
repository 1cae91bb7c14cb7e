public import Snapshots

extension BatchPlanner {
  /// The stages that lead a view from one snapshot to another: those of structure, then one for the marks.
  ///
  /// Stages with nothing to do are left out, so there may be none. Each stage starts from what the one before it
  /// left, and its batch is legal by itself.
  ///
  /// - Parameters:
  ///   - difference: The difference from `old` to `new`, with the marks to perform.
  ///   - old: The list that the view shows.
  ///   - new: The list that it shall show.
  ///   - staging: What the view allows in one batch.
  /// - Complexity: O(*c* log *n*), where *c* is the number of changes and marks and *n* that of items.
  @inlinable
  public static func stages<SectionID, ItemID>(
    for difference: SnapshotDifference<SectionID, ItemID>, from old: DiffableSnapshot<SectionID, ItemID>,
    to new: DiffableSnapshot<SectionID, ItemID>, staging: BatchStaging = .combined
  ) -> [ListStage<SectionID, ItemID>] {
    var stages: [ListStage<SectionID, ItemID>] = []
    if difference.changesStructure {
      switch staging {
      case .combined:
        stages = [ListStage(batch: structuralBatch(for: difference), before: old, after: new)]
      case .whenSectionsMoveAndChange:
        let batch = structuralBatch(for: difference)
        stages =
          touchesItemsOfMovedSections(batch)
          ? separateStages(for: difference, from: old, to: new)
          : [ListStage(batch: batch, before: old, after: new)]
      case .always:
        stages = separateStages(for: difference, from: old, to: new)
      }
    }
    let marks = markBatch(for: difference, in: new)
    if !marks.isEmpty {
      stages.append(ListStage(batch: marks, before: new, after: new))
    }
    return stages
  }

  /// Three stages, each of one kind of operation on sections and items:
  ///
  /// 1. sections and items that are deleted, at their positions in `old`;
  /// 2. sections that arrive, filled with what is new in them, and sections that move;
  /// 3. items that arrive in sections that were there, and items that move, into new sections as well.
  @usableFromInline
  static func separateStages<SectionID, ItemID>(
    for difference: SnapshotDifference<SectionID, ItemID>, from old: DiffableSnapshot<SectionID, ItemID>,
    to new: DiffableSnapshot<SectionID, ItemID>
  ) -> [ListStage<SectionID, ItemID>] {
    let deleted = Positions(difference.deletedSections.map(\.index))
    let inserted = Positions(difference.insertedSections.map(\.index))

    var first = ListBatch()
    first.deletedSections = difference.deletedSections.map(\.index)
    first.deletedItems = difference.deletedItems.lazy.map(\.path).filter { !deleted.contains($0.section) }
    let changes = difference.deletedItems.count + difference.insertedItems.count + difference.movedItems.count
    // A few edits share nearly all of the list; many are slower than making it anew.
    let isSmall = changes * 8 < old.numberOfItems + new.numberOfItems
    let remaining = isSmall ? edited(old, by: difference) : remade(old, by: difference)

    var second = ListBatch()
    second.insertedSections = difference.insertedSections.map(\.index)
    second.movedSections = movedSections(of: difference)
    let arrivals = itemsByInsertedSection(difference, inserted)
    let rearranged = remaining.flatMap {
      isSmall
        ? arranged($0, by: difference, arrivals: arrivals, in: new) : remade($0, arrivals: arrivals, in: new)
    }
    guard let afterFirst = remaining, let afterSecond = rearranged else {
      // Only a difference that does not lead from `old` to `new` gets here; the plain batch is what it asks for.
      return [ListStage(batch: structuralBatch(for: difference), before: old, after: new)]
    }

    var third = ListBatch()
    third.insertedItems = difference.insertedItems.lazy.map(\.path).filter { !inserted.contains($0.section) }
    for move in difference.movedItems {
      // An item whose section went in the first stage went with it, and arrives anew.
      if deleted.contains(move.from.section) {
        third.insertedItems.append(move.to)
      } else if let from = afterSecond.indexPath(ofItem: move.id) {
        third.movedItems.append(ListBatch.ItemMove(from: from, to: move.to))
      }
    }
    third.insertedItems.sort()

    var stages: [ListStage<SectionID, ItemID>] = []
    if !first.isEmpty { stages.append(ListStage(batch: first, before: old, after: afterFirst)) }
    if !second.isEmpty { stages.append(ListStage(batch: second, before: afterFirst, after: afterSecond)) }
    if !third.isEmpty { stages.append(ListStage(batch: third, before: afterSecond, after: new)) }
    return stages
  }

  /// The list without what is deleted.
  private static func edited<SectionID, ItemID>(
    _ list: DiffableSnapshot<SectionID, ItemID>, by difference: SnapshotDifference<SectionID, ItemID>
  ) -> DiffableSnapshot<SectionID, ItemID>? {
    var result = list
    result.deleteItems(difference.deletedItems.map(\.id))
    result.deleteSections(difference.deletedSections.map(\.id))
    return result
  }

  /// The same, made anew.
  private static func remade<SectionID, ItemID>(
    _ list: DiffableSnapshot<SectionID, ItemID>, by difference: SnapshotDifference<SectionID, ItemID>
  ) -> DiffableSnapshot<SectionID, ItemID>? {
    let goingSections = Set(difference.deletedSections.map(\.id))
    let going = Set(difference.deletedItems.map(\.id))
    let sections = list.sections.filter { !goingSections.contains($0.id) }
    return try? DiffableSnapshot(
      sections: sections.map { section in (section.id, section.items.filter { !going.contains($0) }) })
  }

  /// The list with its sections as in `new`, and what arrives in new ones, made anew.
  private static func remade<SectionID, ItemID>(
    _ list: DiffableSnapshot<SectionID, ItemID>, arrivals: [Int: [ItemID]],
    in new: DiffableSnapshot<SectionID, ItemID>
  ) -> DiffableSnapshot<SectionID, ItemID>? {
    try? DiffableSnapshot(
      sections: new.sections.enumerated().map { index, section in
        let items = try? list.itemIdentifiers(inSection: section.id)
        return (section.id, items ?? arrivals[index] ?? [])
      })
  }

  /// The moves of sections, from their indices after the deleted sections were removed.
  private static func movedSections<SectionID, ItemID>(
    of difference: SnapshotDifference<SectionID, ItemID>
  ) -> [ListBatch.SectionMove] {
    let deleted = Positions(difference.deletedSections.map(\.index))
    return difference.movedSections.map {
      ListBatch.SectionMove(from: $0.from - deleted.countBelow($0.from), to: $0.to)
    }
  }

  /// The new items of inserted sections, in order, by the section's index after the change.
  private static func itemsByInsertedSection<SectionID, ItemID>(
    _ difference: SnapshotDifference<SectionID, ItemID>, _ inserted: Positions
  ) -> [Int: [ItemID]] {
    var arrivals: [Int: [ItemID]] = [:]
    for change in difference.insertedItems where inserted.contains(change.path.section) {
      arrivals[change.path.section, default: []].append(change.id)
    }
    return arrivals
  }

  /// The list with its sections as in `new`: those that move moved, those that arrive filled with `arrivals`.
  private static func arranged<SectionID, ItemID>(
    _ list: DiffableSnapshot<SectionID, ItemID>, by difference: SnapshotDifference<SectionID, ItemID>,
    arrivals: [Int: [ItemID]], in new: DiffableSnapshot<SectionID, ItemID>
  ) -> DiffableSnapshot<SectionID, ItemID>? {
    // Sections in ascending order of their new indices: each comes directly behind the one that is before it in `new`,
    // which is in position already.
    let changes =
      (difference.insertedSections.map { (id: $0.id, to: $0.index, isNew: true) }
      + difference.movedSections.map { (id: $0.id, to: $0.to, isNew: false) })
      .sorted { $0.to < $1.to }
    let order = new.sectionIdentifiers
    var result = list
    do {
      for change in changes {
        guard order.indices.contains(change.to) else { return nil }
        if change.isNew {
          if change.to > 0 {
            try result.insertSections([change.id], afterSection: order[change.to - 1])
          } else if let first = result.sectionIdentifiers.first {
            try result.insertSections([change.id], beforeSection: first)
          } else {
            try result.appendSections([change.id])
          }
          try result.appendItems(arrivals[change.to] ?? [], toSection: change.id)
        } else if change.to > 0 {
          try result.moveSection(change.id, afterSection: order[change.to - 1])
        } else if let first = result.sectionIdentifiers.first, first != change.id {
          try result.moveSection(change.id, beforeSection: first)
        }
      }
    } catch {
      return nil
    }
    return result
  }
}
