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
      old.tree, tree, pair: 0, gone: &gone, come: &come, isSame: { $0.id == $1.id },
      stay: { before, after, from, to in
        if before.items.root !== after.items.root {
          pairs.append(SectionPair(old: (from, before.items), new: (to, after.items)))
        }
      })
    let (matches, isMatched) = Self.match(gone, come) { $0.id }
    var next = 0
    for (number, stray) in come.enumerated() {
      if next < matches.count, matches[next].new.stray == number {
        let before = gone[matches[next].old.stray]
        pairs.append(
          SectionPair(
            old: (before.position, before.element.items), new: (stray.position, stray.element.items)))
        next += 1
      } else {
        result.insertedSections.append(.init(id: stray.element.id, index: stray.position))
        pairs.append(SectionPair(old: (0, OrderTree()), new: (stray.position, stray.element.items)))
      }
    }
    for (number, stray) in gone.enumerated() where !isMatched[number] {
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
    for (number, pair) in pairs.enumerated() {
      goneStarts.append(gone.count)
      comeStarts.append(come.count)
      stayers.append(
        OrderTree.compare(
          pair.old.items, pair.new.items, pair: number, gone: &gone, come: &come,
          isSame: { $0.id == $1.id }, stay: { _, _, _, _ in }))
    }
    goneStarts.append(gone.count)
    comeStarts.append(come.count)
    let (matches, isMatched) = Self.match(gone, come) { $0.id }

    for (number, stray) in gone.enumerated() where !isMatched[number] {
      let path = ListIndexPath(item: stray.position, section: pairs[stray.pair].old.index)
      result.deletedItems.append(.init(id: stray.element.id, path: path))
    }
    var next = 0
    for number in pairs.indices {
      // The matches within one section, numbered from the section's first stray.
      var within: ContiguousArray<Match> = []
      for index in comeStarts[number]..<comeStarts[number + 1] {
        let stray = come[index]
        let path = ListIndexPath(item: stray.position, section: pairs[number].new.index)
        guard next < matches.count, matches[next].new.stray == index else {
          result.insertedItems.append(.init(id: stray.element.id, path: path))
          continue
        }
        var match = matches[next]
        next += 1
        let before = gone[match.old.stray]
        if before.pair == number {
          match.old.stray -= goneStarts[number]
          match.new.stray -= comeStarts[number]
          within.append(match)
        } else {
          let from = ListIndexPath(item: before.position, section: pairs[before.pair].old.index)
          result.movedItems.append(.init(id: before.element.id, from: from, to: path))
        }
      }
      Self.forEachMove(
        within, stayers: stayers[number], gone: gone[goneStarts[number]..<goneStarts[number + 1]],
        come: come[comeStarts[number]..<comeStarts[number + 1]], tree: pairs[number].new.items
      ) { element, from, to in
        result.movedItems.append(
          .init(
            id: element.id, from: ListIndexPath(item: from, section: pairs[number].old.index),
            to: ListIndexPath(item: to, section: pairs[number].new.index)))
      }
    }
    sortUnlessSorted(&result.deletedItems) { $0.path < $1.path }
    sortUnlessSorted(&result.insertedItems) { $0.path < $1.path }
    sortUnlessSorted(&result.movedItems) { $0.to < $1.to }
  }

  /// Finds the strays that are on both sides, in the order of the new ones, and which old ones those are.
  @inlinable
  static func match<Element, ID: Hashable & Sendable>(
    _ gone: ContiguousArray<Stray<Element>>, _ come: ContiguousArray<Stray<Element>>, id: (Element) -> ID
  ) -> (matches: ContiguousArray<Match>, isMatched: ContiguousArray<Bool>) {
    var matches = ContiguousArray<Match>()
    var isMatched = ContiguousArray(repeating: false, count: gone.count)
    if gone.isEmpty || come.isEmpty { return (matches, isMatched) }
    let table = FlatTable<ID>(minimumCapacity: gone.count)
    for stray in gone { _ = table.insert(id(stray.element), value: 0) }
    for (number, stray) in come.enumerated() {
      guard let found = table.find(id(stray.element)) else { continue }
      isMatched[found] = true
      matches.append(Match(old: (found, gone[found].stayers), new: (number, stray.stayers)))
    }
    return (matches, isMatched)
  }

  /// Calls a closure with everything that has to move within one sequence: the element as it was before, its
  /// old position and its new one. Strays and matches are numbered from the start of their slices.
  @inlinable
  static func forEachMove<Element>(
    _ matches: ContiguousArray<Match>, stayers: Int, gone: StraySlice<Element>, come: StraySlice<Element>,
    tree: OrderTree<Element>, _ body: (Element, Int, Int) -> Void
  ) {
    if matches.isEmpty { return }
    let placement = Placement(matches, stayers: stayers)
    for (number, match) in matches.enumerated() where placement.movesMatch[number] {
      let before = gone[gone.startIndex + match.old.stray]
      body(before.element, before.position, come[come.startIndex + match.new.stray].position)
    }
    for stayer in placement.movedStayers.joined() {
      let from = stayer + strays(before: stayer, gone)
      let to = stayer + strays(before: stayer, come)
      body(tree[to].element, from, to)
    }
  }

  /// The number of strays before a stayer.
  @inlinable
  static func strays<Element>(before stayer: Int, _ strays: StraySlice<Element>) -> Int {
    var low = strays.startIndex
    var high = strays.endIndex
    while low < high {
      let middle = (low + high) / 2
      if strays[middle].stayers <= stayer { low = middle + 1 } else { high = middle }
    }
    return low - strays.startIndex
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
