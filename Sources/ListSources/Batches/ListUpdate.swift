public import Snapshots

/// An update of the list that a target shows: the whole list, its difference from the last one, and the provider of
/// contents.
public struct ListUpdate<SectionID: Hashable & Sendable, ItemID: Hashable & Sendable, Content> {
  /// The list that the target shows before the update.
  public let before: DiffableSnapshot<SectionID, ItemID>
  /// The list that it shows after the update, without marks.
  public let snapshot: DiffableSnapshot<SectionID, ItemID>
  /// The difference from ``before`` to ``snapshot``, and the marks to perform. Empty in a reload.
  public let difference: SnapshotDifference<SectionID, ItemID>
  /// The origins of the mutations in this update, such as the identifier of a drag.
  public let origins: [String]
  /// Whether the changes are animated.
  public let isAnimated: Bool
  /// Where the contents of items are found.
  public let provider: ItemProvider<ItemID, Content>

  /// Creates an update.
  public init(
    before: DiffableSnapshot<SectionID, ItemID>, snapshot: DiffableSnapshot<SectionID, ItemID>,
    difference: SnapshotDifference<SectionID, ItemID>, origins: [String] = [], isAnimated: Bool = true,
    provider: ItemProvider<ItemID, Content>
  ) {
    self.before = before
    self.snapshot = snapshot
    self.difference = difference
    self.origins = origins
    self.isAnimated = isAnimated
    self.provider = provider
  }

  /// The legal batches that lead from ``before`` to ``snapshot``, in order: those of structure, then the marks.
  ///
  /// They are planned at each call; a target that has no use for batches need not pay for them.
  ///
  /// - Complexity: O(*c* log *n*), where *c* is the number of changes and *n* that of items.
  @inlinable
  public func stages(_ staging: BatchStaging = .combined) -> [ListStage<SectionID, ItemID>] {
    BatchPlanner.stages(for: difference, from: before, to: snapshot, staging: staging)
  }

  /// The items whose content the target needs besides what it has: those that arrive, and those to be shown anew,
  /// each once, in the order of the difference.
  ///
  /// - Complexity: O(*c*), where *c* is the number of changes, and of the items in reloaded sections.
  public var itemsToProvide: [ItemID] {
    var items = difference.insertedItems.map(\.id)
    guard
      !(difference.reloadedItems.isEmpty && difference.reconfiguredItems.isEmpty
        && difference.reloadedSections.isEmpty)
    else { return items }
    var seen = Set(items)
    func add(_ item: ItemID) {
      if seen.insert(item).inserted { items.append(item) }
    }
    for section in difference.reloadedSections {
      guard let inSection = try? snapshot.itemIdentifiers(inSection: section) else { continue }
      for item in inSection { add(item) }
    }
    for item in difference.reloadedItems + difference.reconfiguredItems
    where snapshot.indexPath(ofItem: item) != nil {
      add(item)
    }
    return items
  }
}
