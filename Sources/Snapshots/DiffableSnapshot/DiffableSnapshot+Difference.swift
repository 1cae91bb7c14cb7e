extension DiffableSnapshot {
  /// Returns the difference from an older snapshot to this one.
  ///
  /// Any two snapshots can be compared. If one descends from the other, or both from a third, what they share
  /// is skipped and the cost follows what changed; otherwise every item is looked at once. Moves are as few as
  /// can be: of the items that a section has in both, the longest ascending subsequence stays.
  ///
  /// - Parameter old: The snapshot to start from.
  /// - Returns: The changes, and this snapshot's marks.
  /// - Complexity: O(*c* log *n*) for related snapshots, where *c* is the number of edits between them;
  ///   O(*n* + *m* log *m*) for others, where *m* is the number of items whose position changed.
  @inlinable
  public func difference(from old: Self) -> SnapshotDifference<SectionID, ItemID> {
    var result = SnapshotDifference<SectionID, ItemID>(
      reloadedSections: reloadedSectionIdentifiers, reloadedItems: reloadedItemIdentifiers,
      reconfiguredItems: reconfiguredItemIdentifiers)
    if tree.root === old.tree.root { return result }
    let pairs = compareSections(with: old, into: &result)
    compareItems(of: pairs, with: old, into: &result)
    return result
  }

  /// Returns the same as ``difference(from:)``, for callers that are compiled for several kinds of identifiers: the comparison of
  /// sections, which is as large as that of items and has much less to do, is not compiled anew for each.
  ///
  /// - Parameter old: The snapshot to start from.
  /// - Complexity: As of ``difference(from:)``. A section that is looked at costs several times as much, an item the same.
  @inlinable
  package func leanDifference(from old: Self) -> SnapshotDifference<SectionID, ItemID> {
    var result = SnapshotDifference<SectionID, ItemID>(
      reloadedSections: reloadedSectionIdentifiers, reloadedItems: reloadedItemIdentifiers,
      reconfiguredItems: reconfiguredItemIdentifiers)
    if tree.root === old.tree.root { return result }
    let pairs = compareSectionsOnce(with: old, into: &result)
    compareItems(of: pairs, with: old, into: &result)
    return result
  }

  /// Does what ``compareSections(with:into:)`` does, and is compiled once.
  @usableFromInline @inline(never) @_semantics("optimize.sil.specialize.generic.never")
  func compareSectionsOnce(
    with old: Self, into result: inout SnapshotDifference<SectionID, ItemID>
  ) -> [SectionPair] {
    compareSections(with: old, into: &result)
  }

  @usableFromInline typealias ItemTree = OrderTree<ItemElement<ItemID>>

  /// A section before and after; one that is only in one of the snapshots has no items in the other.
  @usableFromInline
  struct SectionPair {
    @usableFromInline var old: (index: Int, number: UInt32, items: ItemTree)
    @usableFromInline var new: (index: Int, number: UInt32, items: ItemTree)

    @inlinable
    init(old: (Int, SectionTreeElement)?, new: (Int, SectionTreeElement)?) {
      self.old = (old?.0 ?? 0, old?.1.number ?? 0, old?.1.items ?? ItemTree())
      self.new = (new?.0 ?? 0, new?.1.number ?? 0, new?.1.items ?? ItemTree())
    }
  }

  /// Adds the changes of sections to a difference, and returns the pairs of sections whose items differ.
  @inlinable
  func compareSections(
    with old: Self, into result: inout SnapshotDifference<SectionID, ItemID>
  ) -> [SectionPair] {
    var pairs: [SectionPair] = []
    var removedElements = OrderTree<SectionTreeElement>.Unmatched()
    var insertedElements = OrderTree<SectionTreeElement>.Unmatched()
    let areRelated = itemMap.isRelated(to: old.itemMap)
    func noteRetained(_ before: SectionTreeElement, _ after: SectionTreeElement, _ from: Int, _ to: Int) {
      if before.items.root !== after.items.root {
        pairs.append(SectionPair(old: (from, before), new: (to, after)))
      }
    }
    let retained =
      areRelated
      ? OrderTree.compareRelated(
        old.tree, tree, removed: &removedElements, inserted: &insertedElements, isSame: { $0.id == $1.id },
        retain: noteRetained)
      : OrderTree.compareUnrelated(
        old.tree, tree, removed: &removedElements, inserted: &insertedElements, isSame: { $0.id == $1.id },
        inOld: { old.sectionMap[$0.id] }, inNew: { sectionMap[$0.id] }, retain: noteRetained)
    if removedElements.isEmpty && insertedElements.isEmpty { return pairs }
    compare(removedElements, insertedElements, retained, into: &result, &pairs)
    return pairs
  }

  /// Adds the changes of unmatched sections to a difference. Few changes have such, and they are few: it is not
  /// compiled anew for each kind of identifier.
  @usableFromInline @inline(never) @_semantics("optimize.sil.specialize.generic.never")
  func compare(
    _ removedElements: OrderTree<SectionTreeElement>.Unmatched,
    _ insertedElements: OrderTree<SectionTreeElement>.Unmatched,
    _ retained: Int, into result: inout SnapshotDifference<SectionID, ItemID>, _ pairs: inout [SectionPair]
  ) {
    removedElements.withUnsafeBufferPointer { removed in
      insertedElements.withUnsafeBufferPointer { inserted in
        let found = Matching(removed, inserted, comparesNeighbors: true) { $0.id }
        var matches = ContiguousArray<MatchedPair>()
        for (number, unmatched) in inserted.enumerated() {
          guard let partner = found.partner(of: number) else {
            result.insertedSections.append(.init(id: unmatched.element.id, index: unmatched.position))
            pairs.append(SectionPair(old: nil, new: (unmatched.position, unmatched.element)))
            continue
          }
          matches.append(MatchedPair(old: partner, new: number))
          let before = removed[partner]
          pairs.append(
            SectionPair(old: (before.position, before.element), new: (unmatched.position, unmatched.element)))
        }
        for (number, unmatched) in removed.enumerated() where !found.isFound[number] {
          result.deletedSections.append(.init(id: unmatched.element.id, index: unmatched.position))
          pairs.append(SectionPair(old: (unmatched.position, unmatched.element), new: nil))
        }
        Self.forEachMove(matches, retained: retained, removed: removed, inserted: inserted, tree: tree) {
          result.movedSections.append(.init(id: $0.id, from: $1, to: $2))
        }
      }
    }
    sortUnlessSorted(&result.movedSections) { ListIndexPath(item: $0.to, section: 0) }
  }

  /// Adds the changes of the items of pairs of sections to a difference.
  @inlinable @inline(never)
  func compareItems(
    of pairs: [SectionPair], with old: Self, into result: inout SnapshotDifference<SectionID, ItemID>
  ) {
    var removedElements = ItemTree.Unmatched()
    var insertedElements = ItemTree.Unmatched()
    let areRelated = itemMap.isRelated(to: old.itemMap)
    var retained: [Int] = []
    var removedStarts: [Int] = []
    var insertedStarts: [Int] = []
    var oldSections: [Int] = []
    for pair in pairs {
      oldSections.append(pair.old.index)
      removedStarts.append(removedElements.count)
      insertedStarts.append(insertedElements.count)
      if areRelated, pair.old.number == pair.new.number {
        retained.append(
          OrderTree.compareRelated(
            pair.old.items, pair.new.items, removed: &removedElements, inserted: &insertedElements,
            isSame: { $0.id == $1.id }, retain: { _, _, _, _ in }))
      } else {
        retained.append(
          OrderTree.compareUnrelated(
            pair.old.items, pair.new.items, removed: &removedElements, inserted: &insertedElements,
            isSame: { $0.id == $1.id },
            inOld: { old.itemMap.label(of: $0.id, inSection: pair.old.number) },
            inNew: { itemMap.label(of: $0.id, inSection: pair.new.number) },
            retain: { _, _, _, _ in }))
      }
    }
    removedStarts.append(removedElements.count)
    insertedStarts.append(insertedElements.count)
    removedElements.withUnsafeBufferPointer { removed in
      insertedElements.withUnsafeBufferPointer { inserted in
        // Where few were met, whole sections came or went, and may hold what other sections held. The unmatched elements
        // of a single pair were compared side by side already, and would not match a second time.
        let comparesNeighbors = areRelated || (pairs.count > 1 && retained.reduce(0, +) < inserted.count)
        let found = Matching(removed, inserted, comparesNeighbors: comparesNeighbors) { $0.id }
        result.deletedItems.reserveCapacity(removed.count - found.count)
        result.insertedItems.reserveCapacity(inserted.count - found.count)
        result.movedItems.reserveCapacity(found.count)
        for number in pairs.indices {
          report(
            pairs[number], retained: retained[number], removed: removed,
            removedStarts[number]..<removedStarts[number + 1], inserted: inserted,
            insertedStarts[number]..<insertedStarts[number + 1], found,
            oldSections: oldSections, starts: removedStarts, into: &result)
        }
      }
    }
    sortUnlessSorted(&result.deletedItems) { $0.path }
    sortUnlessSorted(&result.insertedItems) { $0.path }
    sortUnlessSorted(&result.movedItems) { $0.to }
  }

  /// Adds the changes of the items of one section to a difference.
  ///
  /// - Parameters:
  ///   - oldSections: The old positions of all sections that are compared.
  ///   - starts: Where the removed elements of each of them start.
  @inlinable @inline(never)
  func report(
    _ pair: SectionPair, retained: Int, removed: UnmatchedSlice<ItemElement<ItemID>>,
    _ removedRange: Range<Int>,
    inserted: UnmatchedSlice<ItemElement<ItemID>>, _ insertedRange: Range<Int>, _ found: Matching,
    oldSections: [Int], starts: [Int], into result: inout SnapshotDifference<SectionID, ItemID>
  ) {
    let (before, after) = (pair.old.index, pair.new.index)
    for index in removedRange where !found.isFound[index] {
      let path = ListIndexPath(item: removed[index].position, section: before)
      result.deletedItems.append(.init(id: removed[index].element.id, path: path))
    }
    // The matches within the section, numbered from its first unmatched element.
    var matches: ContiguousArray<MatchedPair> = []
    matches.reserveCapacity(Swift.min(removedRange.count, insertedRange.count))
    for index in insertedRange {
      guard let partner = found.partner(of: index) else {
        let path = ListIndexPath(item: inserted[index].position, section: after)
        result.insertedItems.append(.init(id: inserted[index].element.id, path: path))
        continue
      }
      if removedRange.contains(partner) {
        matches.append(
          MatchedPair(old: partner &- removedRange.lowerBound, new: index &- insertedRange.lowerBound))
      } else {
        result.movedItems.append(
          .init(
            id: removed[partner].element.id,
            from: ListIndexPath(
              item: removed[partner].position,
              section: oldSections[Self.section(ofUnmatched: partner, starts)]),
            to: ListIndexPath(item: inserted[index].position, section: after)))
      }
    }
    Self.forEachMove(
      matches, retained: retained, removed: UnmatchedSlice(rebasing: removed[removedRange]),
      inserted: UnmatchedSlice(rebasing: inserted[insertedRange]), tree: pair.new.items
    ) { element, from, to in
      result.movedItems.append(
        .init(
          id: element.id, from: ListIndexPath(item: from, section: before),
          to: ListIndexPath(item: to, section: after)))
    }
  }

  /// The index of the section that an unmatched element is of.
  @inlinable
  static func section(ofUnmatched index: Int, _ starts: [Int]) -> Int {
    (1..<max(1, starts.count - 1)).partitionPoint { starts[$0] <= index } - 1
  }

  /// Calls a closure with everything that has to move within one sequence: the element as it was before, its
  /// old position and its new one. Unmatched elements and matches are numbered from the start of their slices.
  @inlinable @inline(never)
  static func forEachMove<Element>(
    _ matches: ContiguousArray<MatchedPair>, retained: Int, removed: UnmatchedSlice<Element>,
    inserted: UnmatchedSlice<Element>,
    tree: OrderTree<Element>, _ body: (Element, Int, Int) -> Void
  ) {
    if matches.isEmpty { return }
    if matches.count == 1 {
      // One match moves if it passed any retained element.
      let (before, after) = (removed[matches[0].old], inserted[matches[0].new])
      if before.position &- matches[0].old != after.position &- matches[0].new {
        body(before.element, before.position, after.position)
      }
      return
    }
    let (oldPositions, newPositions) = (UnmatchedPositions(of: removed), UnmatchedPositions(of: inserted))
    let moves = MinimalMoves(matches, retained: retained, removed: oldPositions, inserted: newPositions)
    for (number, match) in matches.enumerated() where moves.movesMatch[number] {
      let before = removed[match.old]
      body(before.element, before.position, inserted[match.new].position)
    }
    for range in moves.movedRetained {
      for number in range {
        let to = newPositions.position(ofRetained: number)
        body(tree[to].element, oldPositions.position(ofRetained: number), to)
      }
    }
  }
}
