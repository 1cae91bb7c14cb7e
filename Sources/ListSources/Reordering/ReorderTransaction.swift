public import Snapshots

/// The changes of a drag to a list, for the app to save.
public struct ReorderTransaction<SectionID: Hashable & Sendable, ItemID: Hashable & Sendable>: Sendable {
  /// The list when the items were dropped.
  public let initialSnapshot: DiffableSnapshot<SectionID, ItemID>
  /// The list with the items where they were dropped: the same sections and items in another order.
  public let finalSnapshot: DiffableSnapshot<SectionID, ItemID>
  /// The dragged items, in the order in which they now lie side by side. Items of an outline that came along below
  /// them are not among them.
  public let items: [ItemID]
  /// Where they were dropped. Its neighbours are items that stayed.
  public let destination: ReorderDestination<SectionID, ItemID>
  /// The changes of each section whose contents changed, the last section first.
  public let sectionTransactions: [SectionTransaction]

  /// The changes of a drag to one section.
  public struct SectionTransaction: Sendable {
    /// The section.
    public let sectionIdentifier: SectionID
    /// Its tree when the items were dropped.
    public let initialSnapshot: DiffableSectionSnapshot<ItemID>
    /// Its tree afterwards.
    public let finalSnapshot: DiffableSectionSnapshot<ItemID>

    /// The difference from the items before to those after, moves paired.
    ///
    /// - Complexity: O(*n* + *w*·*d*), where *w* is the width of the part that changed, *d* the number of changes.
    public var difference: CollectionDifference<ItemID> {
      flatDifference(from: initialSnapshot.items, to: finalSnapshot.items)
    }
  }

  /// The difference from the flattened items before to those after, moves paired.
  ///
  /// Take care: an item that goes from the end of one section to the start of the next does not change the flattened
  /// list, so this may be **empty**. Save from ``sectionTransactions`` or ``rankWrites(rank:between:)`` when there is
  /// more than one section.
  ///
  /// - Complexity: O(*n* + *w*·*d*), where *w* is the width of the part that changed, *d* the number of changes.
  public var difference: CollectionDifference<ItemID> {
    flatDifference(from: initialSnapshot.itemIdentifiers, to: finalSnapshot.itemIdentifiers)
  }

  /// New ranks for the dragged items, and for no others: n dragged items are n rows to write.
  ///
  /// ```swift
  /// let writes = try transaction.rankWrites { ranks[$0] } between: { try Rank.between($0, $1, count: $2) }
  /// ```
  ///
  /// - Parameters:
  ///   - rank: The rank of an item that stayed.
  ///   - between: Gives that many ranks between two, ascending; `nil` stands for the start or the end of the list.
  /// - Returns: The dragged items with their ranks; empty if there were fewer ranks than items.
  public func rankWrites<Rank, Failure: Error>(
    rank: (ItemID) throws(Failure) -> Rank?,
    between: (_ lower: Rank?, _ upper: Rank?, _ count: Int) throws(Failure) -> [Rank]
  ) throws(Failure) -> [(item: ItemID, rank: Rank)] {
    var lower: Rank?
    if let after = destination.after { lower = try rank(after) }
    var upper: Rank?
    if let before = destination.before { upper = try rank(before) }
    let ranks = try between(lower, upper, items.count)
    guard ranks.count >= items.count else { return [] }
    return zip(items, ranks).map { ($0, $1) }
  }
}

/// The difference of two lists of the same items: only the part between the first and the last change is looked at.
func flatDifference<ItemID: Hashable>(from old: [ItemID], to new: [ItemID]) -> CollectionDifference<ItemID> {
  var start = 0
  while start < old.count, start < new.count, old[start] == new[start] { start += 1 }
  var tail = 0
  while tail < old.count - start, tail < new.count - start,
    old[old.count - 1 - tail] == new[new.count - 1 - tail]
  {
    tail += 1
  }
  let part = new[start..<(new.count - tail)].difference(from: old[start..<(old.count - tail)])
    .inferringMoves()
  let changes = part.map { change -> CollectionDifference<ItemID>.Change in
    switch change {
    case .insert(let offset, let item, let partner):
      .insert(offset: offset + start, element: item, associatedWith: partner.map { $0 + start })
    case .remove(let offset, let item, let partner):
      .remove(offset: offset + start, element: item, associatedWith: partner.map { $0 + start })
    }
  }
  // The changes are those of a valid difference, moved as a whole.
  return CollectionDifference(changes) ?? new.difference(from: old).inferringMoves()
}
