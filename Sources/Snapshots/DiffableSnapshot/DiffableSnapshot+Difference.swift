extension DiffableSnapshot {
  /// What leads from an older snapshot to this one.
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
    compareItems(of: pairs, into: &result)
    return result
  }

  /// A section before and after; one that is only in one of the snapshots has no items in the other.
  @usableFromInline
  struct SectionPair {
    @usableFromInline var old: (index: Int, items: OrderTree<ItemElement<ItemID>>)
    @usableFromInline var new: (index: Int, items: OrderTree<ItemElement<ItemID>>)

    @inlinable
    init(
      old: (index: Int, items: OrderTree<ItemElement<ItemID>>),
      new: (index: Int, items: OrderTree<ItemElement<ItemID>>)
    ) {
      self.old = old
      self.new = new
    }
  }

  /// Finds what became of sections, and the pairs of sections whose items differ.
  @inlinable
  func compareSections(
    with old: Self, into result: inout SnapshotDifference<SectionID, ItemID>
  ) -> [SectionPair] {
    var pairs: [SectionPair] = []
    var gone = OrderTree<SectionTreeElement>.Strays()
    var come = OrderTree<SectionTreeElement>.Strays()
    let stayers = OrderTree.compare(
      old.tree, tree, gone: &gone, come: &come, isSame: { $0.id == $1.id },
      stay: { before, after, from, to in
        if before.items.root !== after.items.root {
          pairs.append(SectionPair(old: (from, before.items), new: (to, after.items)))
        }
      })
    let found = Found(gone, come) { $0.id }
    var matches = ContiguousArray<Match>()
    for (number, stray) in come.enumerated() {
      if let partner = found.partner(of: number) {
        matches.append(Match(old: partner, new: number))
        let before = gone[partner]
        pairs.append(
          SectionPair(
            old: (before.position, before.element.items), new: (stray.position, stray.element.items)))
      } else {
        result.insertedSections.append(.init(id: stray.element.id, index: stray.position))
        pairs.append(SectionPair(old: (0, OrderTree()), new: (stray.position, stray.element.items)))
      }
    }
    for (number, stray) in gone.enumerated() where !found.isFound[number] {
      result.deletedSections.append(.init(id: stray.element.id, index: stray.position))
      pairs.append(SectionPair(old: (stray.position, stray.element.items), new: (0, OrderTree())))
    }
    Self.forEachMove(matches, stayers: stayers, gone: gone[...], come: come[...], tree: tree) {
      result.movedSections.append(.init(id: $0.id, from: $1, to: $2))
    }
    result.movedSections.sort { $0.to < $1.to }
    return pairs
  }

  /// Finds what became of the items of pairs of sections.
  @inlinable
  func compareItems(of pairs: [SectionPair], into result: inout SnapshotDifference<SectionID, ItemID>) {
    var gone = OrderTree<ItemElement<ItemID>>.Strays()
    var come = OrderTree<ItemElement<ItemID>>.Strays()
    var stayers: [Int] = []
    var goneStarts: [Int] = []
    var comeStarts: [Int] = []
    for pair in pairs {
      goneStarts.append(gone.count)
      comeStarts.append(come.count)
      stayers.append(
        OrderTree.compare(
          pair.old.items, pair.new.items, gone: &gone, come: &come,
          isSame: { $0.id == $1.id }, stay: { _, _, _, _ in }))
    }
    goneStarts.append(gone.count)
    comeStarts.append(come.count)
    let found = Found(gone, come) { $0.id }

    for (number, pair) in pairs.enumerated() {
      for index in goneStarts[number]..<goneStarts[number + 1] where !found.isFound[index] {
        let path = ListIndexPath(item: gone[index].position, section: pair.old.index)
        result.deletedItems.append(.init(id: gone[index].element.id, path: path))
      }
      // The matches within the section, numbered from its first stray.
      var matches: ContiguousArray<Match> = []
      matches.reserveCapacity(comeStarts[number + 1] - comeStarts[number])
      for index in comeStarts[number]..<comeStarts[number + 1] {
        let path = ListIndexPath(item: come[index].position, section: pair.new.index)
        guard let partner = found.partner(of: index) else {
          result.insertedItems.append(.init(id: come[index].element.id, path: path))
          continue
        }
        if partner >= goneStarts[number], partner < goneStarts[number + 1] {
          matches.append(Match(old: partner - goneStarts[number], new: index - comeStarts[number]))
        } else {
          let origin = pairs[Self.section(ofStray: partner, goneStarts)].old.index
          result.movedItems.append(
            .init(
              id: gone[partner].element.id,
              from: ListIndexPath(item: gone[partner].position, section: origin), to: path))
        }
      }
      Self.forEachMove(
        matches, stayers: stayers[number], gone: gone[goneStarts[number]..<goneStarts[number + 1]],
        come: come[comeStarts[number]..<comeStarts[number + 1]], tree: pairs[number].new.items
      ) { element, from, to in
        result.movedItems.append(
          .init(
            id: element.id, from: ListIndexPath(item: from, section: pair.old.index),
            to: ListIndexPath(item: to, section: pair.new.index)))
      }
    }
    sortUnlessSorted(&result.deletedItems) { $0.path < $1.path }
    sortUnlessSorted(&result.insertedItems) { $0.path < $1.path }
    sortUnlessSorted(&result.movedItems) { $0.to < $1.to }
  }

  /// The number of the section among whose strays a stray is.
  @inlinable
  static func section(ofStray stray: Int, _ starts: [Int]) -> Int {
    var low = 0
    var high = starts.count - 1
    while high - low > 1 {
      let middle = (low + high) / 2
      if starts[middle] <= stray { low = middle } else { high = middle }
    }
    return low
  }

  /// Calls a closure with everything that has to move within one sequence: the element as it was before, its
  /// old position and its new one. Strays and matches are numbered from the start of their slices.
  @inlinable
  static func forEachMove<Element>(
    _ matches: ContiguousArray<Match>, stayers: Int, gone: StraySlice<Element>, come: StraySlice<Element>,
    tree: OrderTree<Element>, _ body: (Element, Int, Int) -> Void
  ) {
    if matches.isEmpty { return }
    let placement = Placement(matches, stayers: stayers, gone: gone, come: come)
    for (number, match) in matches.enumerated() where placement.movesMatch[number] {
      let before = gone[gone.startIndex + match.old]
      body(before.element, before.position, come[come.startIndex + match.new].position)
    }
    for stayer in placement.movedStayers.joined() {
      let from = Placement.position(ofStayer: stayer, gone)
      let to = Placement.position(ofStayer: stayer, come)
      body(tree[to].element, from, to)
    }
  }
}

/// Sorts, at no more cost than a look where the order is right already.
@inlinable
func sortUnlessSorted<Element>(_ array: inout [Element], by precedes: (Element, Element) -> Bool) {
  for index in array.indices.dropFirst() where precedes(array[index], array[index - 1]) {
    array.sort(by: precedes)
    return
  }
}
