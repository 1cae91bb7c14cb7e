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

  /// Finds what became of sections, and the pairs of sections whose items differ.
  @inlinable
  func compareSections(
    with old: Self, into result: inout SnapshotDifference<SectionID, ItemID>
  ) -> [SectionPair] {
    var pairs: [SectionPair] = []
    var goneStrays = OrderTree<SectionTreeElement>.Strays()
    var comeStrays = OrderTree<SectionTreeElement>.Strays()
    let areRelated = itemMap.isRelated(to: old.itemMap)
    func noteStayer(_ before: SectionTreeElement, _ after: SectionTreeElement, _ from: Int, _ to: Int) {
      if before.items.root !== after.items.root {
        pairs.append(SectionPair(old: (from, before), new: (to, after)))
      }
    }
    let stayers =
      areRelated
      ? OrderTree.compareRelated(
        old.tree, tree, gone: &goneStrays, come: &comeStrays, isSame: { $0.id == $1.id }, stay: noteStayer)
      : OrderTree.compareUnrelated(
        old.tree, tree, gone: &goneStrays, come: &comeStrays, isSame: { $0.id == $1.id },
        inOld: { old.sectionMap[$0.id] }, inNew: { sectionMap[$0.id] }, stay: noteStayer)
    if goneStrays.isEmpty && comeStrays.isEmpty { return pairs }
    compare(goneStrays, comeStrays, stayers, into: &result, &pairs)
    return pairs
  }

  /// Finds what became of sections that are not where they were. Few changes have such, and they are few: it is not
  /// compiled anew for each kind of identifier.
  @usableFromInline @inline(never) @_semantics("optimize.sil.specialize.generic.never")
  func compare(
    _ goneStrays: OrderTree<SectionTreeElement>.Strays, _ comeStrays: OrderTree<SectionTreeElement>.Strays,
    _ stayers: Int, into result: inout SnapshotDifference<SectionID, ItemID>, _ pairs: inout [SectionPair]
  ) {
    goneStrays.withUnsafeBufferPointer { gone in
      comeStrays.withUnsafeBufferPointer { come in
        let found = Matching(gone, come, walks: true) { $0.id }
        var matches = ContiguousArray<MatchedPair>()
        for (number, stray) in come.enumerated() {
          guard let partner = found.partner(of: number) else {
            result.insertedSections.append(.init(id: stray.element.id, index: stray.position))
            pairs.append(SectionPair(old: nil, new: (stray.position, stray.element)))
            continue
          }
          matches.append(MatchedPair(old: partner, new: number))
          let before = gone[partner]
          pairs.append(
            SectionPair(old: (before.position, before.element), new: (stray.position, stray.element)))
        }
        for (number, stray) in gone.enumerated() where !found.isFound[number] {
          result.deletedSections.append(.init(id: stray.element.id, index: stray.position))
          pairs.append(SectionPair(old: (stray.position, stray.element), new: nil))
        }
        Self.forEachMove(matches, stayers: stayers, gone: gone, come: come, tree: tree) {
          result.movedSections.append(.init(id: $0.id, from: $1, to: $2))
        }
      }
    }
    sortUnlessSorted(&result.movedSections) { ListIndexPath(item: $0.to, section: 0) }
  }

  /// Finds what became of the items of pairs of sections.
  @inlinable
  func compareItems(
    of pairs: [SectionPair], with old: Self, into result: inout SnapshotDifference<SectionID, ItemID>
  ) {
    var goneStrays = ItemTree.Strays()
    var comeStrays = ItemTree.Strays()
    let areRelated = itemMap.isRelated(to: old.itemMap)
    var stayers: [Int] = []
    var goneStarts: [Int] = []
    var comeStarts: [Int] = []
    for pair in pairs {
      goneStarts.append(goneStrays.count)
      comeStarts.append(comeStrays.count)
      if areRelated, pair.old.number == pair.new.number {
        stayers.append(
          OrderTree.compareRelated(
            pair.old.items, pair.new.items, gone: &goneStrays, come: &comeStrays,
            isSame: { $0.id == $1.id }, stay: { _, _, _, _ in }))
      } else {
        stayers.append(
          OrderTree.compareUnrelated(
            pair.old.items, pair.new.items, gone: &goneStrays, come: &comeStrays,
            isSame: { $0.id == $1.id },
            inOld: { old.itemMap.label(of: $0.id, inSection: pair.old.number) },
            inNew: { itemMap.label(of: $0.id, inSection: pair.new.number) },
            stay: { _, _, _, _ in }))
      }
    }
    goneStarts.append(goneStrays.count)
    comeStarts.append(comeStrays.count)
    goneStrays.withUnsafeBufferPointer { gone in
      comeStrays.withUnsafeBufferPointer { come in
        // Where few were met, whole sections came or went, and may hold what other sections held. The strays of a
        // single pair were walked side by side already, and would not meet a second time.
        let walks = areRelated || (pairs.count > 1 && stayers.reduce(0, +) < come.count)
        let found = Matching(gone, come, walks: walks) { $0.id }
        result.deletedItems.reserveCapacity(gone.count - found.count)
        result.insertedItems.reserveCapacity(come.count - found.count)
        result.movedItems.reserveCapacity(found.count)
        for number in pairs.indices {
          report(
            pairs[number], stayers: stayers[number], gone: gone,
            goneStarts[number]..<goneStarts[number + 1], come: come,
            comeStarts[number]..<comeStarts[number + 1], found,
            oldIndex: { pairs[Self.section(ofStray: $0, goneStarts)].old.index }, into: &result)
        }
      }
    }
    sortUnlessSorted(&result.deletedItems) { $0.path }
    sortUnlessSorted(&result.insertedItems) { $0.path }
    sortUnlessSorted(&result.movedItems) { $0.to }
  }

  /// Adds what became of the items of one section to a difference.
  @inlinable @inline(never)
  func report(
    _ pair: SectionPair, stayers: Int, gone: StraySlice<ItemElement<ItemID>>, _ goneRange: Range<Int>,
    come: StraySlice<ItemElement<ItemID>>, _ comeRange: Range<Int>, _ found: Matching,
    oldIndex: (Int) -> Int, into result: inout SnapshotDifference<SectionID, ItemID>
  ) {
    let (before, after) = (pair.old.index, pair.new.index)
    for index in goneRange where !found.isFound[index] {
      let path = ListIndexPath(item: gone[index].position, section: before)
      result.deletedItems.append(.init(id: gone[index].element.id, path: path))
    }
    // The matches within the section, numbered from its first stray.
    var matches: ContiguousArray<MatchedPair> = []
    matches.reserveCapacity(Swift.min(goneRange.count, comeRange.count))
    for index in comeRange {
      guard let partner = found.partner(of: index) else {
        let path = ListIndexPath(item: come[index].position, section: after)
        result.insertedItems.append(.init(id: come[index].element.id, path: path))
        continue
      }
      if goneRange.contains(partner) {
        matches.append(
          MatchedPair(old: partner &- goneRange.lowerBound, new: index &- comeRange.lowerBound))
      } else {
        result.movedItems.append(
          .init(
            id: gone[partner].element.id,
            from: ListIndexPath(item: gone[partner].position, section: oldIndex(partner)),
            to: ListIndexPath(item: come[index].position, section: after)))
      }
    }
    Self.forEachMove(
      matches, stayers: stayers, gone: StraySlice(rebasing: gone[goneRange]),
      come: StraySlice(rebasing: come[comeRange]), tree: pair.new.items
    ) { element, from, to in
      result.movedItems.append(
        .init(
          id: element.id, from: ListIndexPath(item: from, section: before),
          to: ListIndexPath(item: to, section: after)))
    }
  }

  /// The number of the section among whose strays a stray is.
  @inlinable
  static func section(ofStray stray: Int, _ starts: [Int]) -> Int {
    (1..<max(1, starts.count - 1)).partitionPoint { starts[$0] <= stray } - 1
  }

  /// Calls a closure with everything that has to move within one sequence: the element as it was before, its
  /// old position and its new one. Strays and matches are numbered from the start of their slices.
  @inlinable
  static func forEachMove<Element>(
    _ matches: ContiguousArray<MatchedPair>, stayers: Int, gone: StraySlice<Element>,
    come: StraySlice<Element>,
    tree: OrderTree<Element>, _ body: (Element, Int, Int) -> Void
  ) {
    if matches.isEmpty { return }
    if matches.count == 1 {
      // One match moves if it passed any stayer.
      let (before, after) = (gone[matches[0].old], come[matches[0].new])
      if before.position &- matches[0].old != after.position &- matches[0].new {
        body(before.element, before.position, after.position)
      }
      return
    }
    let (oldPositions, newPositions) = (StrayPositions(of: gone), StrayPositions(of: come))
    let moves = MinimalMoves(matches, stayers: stayers, gone: oldPositions, come: newPositions)
    for (number, match) in matches.enumerated() where moves.movesMatch[number] {
      let before = gone[match.old]
      body(before.element, before.position, come[match.new].position)
    }
    for range in moves.movedStayers {
      for stayer in range {
        let to = newPositions.position(ofStayer: stayer)
        body(tree[to].element, oldPositions.position(ofStayer: stayer), to)
      }
    }
  }
}
