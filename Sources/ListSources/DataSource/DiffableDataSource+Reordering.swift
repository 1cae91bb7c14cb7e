internal import Snapshots

extension DiffableDataSource {
  /// A drag in progress.
  public typealias ReorderSession = ListSources.ReorderSession<SectionID, ItemID>

  /// Lifts items, as far as the handlers allow.
  ///
  /// The session belongs to the view. Show it where the user drags, give it the position, and bring it to
  /// ``endReordering(_:options:isShownAlready:)``; or forget it, which cancels the drag without any handler.
  ///
  /// - Parameter items: The items, in any order.
  /// - Returns: `nil` if none of them may be lifted.
  /// - Complexity: O(*d* log *n*), where *d* is the number of items.
  public func beginReordering(_ items: [ItemID]) -> ReorderSession? {
    var lifted: Set<ItemID> = []
    let allowed = items.compactMap { item -> (item: ItemID, path: ListIndexPath)? in
      guard let path = committed.indexPath(ofItem: item), lifted.insert(item).inserted,
        reorderingHandlers.allows(item)
      else { return nil }
      return (item, path)
    }.sorted { $0.path < $1.path }
    // What hangs below a lifted item of an outline comes along anyway.
    var roots: [ItemID] = []
    for (item, _) in allowed {
      // It is the last root that an item can hang below, as they come in the order of the list.
      let isBelow = roots.last.map { outline(containing: item)?.isDescendant(item, of: $0) ?? false }
      if isBelow != true { roots.append(item) }
    }
    return roots.isEmpty ? nil : ReorderSession(items: roots, in: committed)
  }

  /// Drops the items of a drag.
  ///
  /// When its turn in the queue comes, the gap is found by its neighbours in the list as it then is. If nothing is left to
  /// drop, or the gap is gone, or the items would not move, nothing happens and no handler is called. Otherwise
  /// `willReorder` is called with the old state, the new order is committed, `didReorder` is called, and the view is
  /// notified. Saving is the app's: the view has the new order at once, and the commit that comes round is no change to it.
  ///
  /// - Parameters:
  ///   - session: The drag.
  ///   - options: How it is shown.
  ///   - isShownAlready: Whether the view has moved the items by itself. It is then only to take over the state; or
  ///     reloaded, if the list is another one than the session last saw, or nothing was moved.
  /// - Returns: The report; its outcome is ``ApplyReport/Outcome/refused`` if nothing was moved.
  @discardableResult
  public nonisolated(nonsending) func endReordering(
    _ session: ReorderSession, options: Options = Options(), isShownAlready: Bool = false
  ) async -> Report {
    var job = Job(
      .edit {
        guard let (transaction, outlines) = self.transaction(dropping: session) else { return nil }
        self.reorderingHandlers.willReorder?(transaction)
        return Proposal(
          snapshot: transaction.finalSnapshot, outlines: outlines,
          didCommit: { [handlers = self.reorderingHandlers] in handlers.didReorder?(transaction) })
      }, options)
    if isShownAlready { job.shownAlready = session.list }
    return await submit(job)
  }

  /// Works out what a drop leads to.
  private func transaction(
    dropping session: ReorderSession
  ) -> (ReorderTransaction<SectionID, ItemID>, SectionOutlines<SectionID, ItemID>)? {
    var session = session
    session.rebase(onto: committed)
    guard !session.isCancelled, var destination = session.destination else { return nil }
    let lifted = session.items
    // What hangs below a lifted item is no neighbour either: between two such would be a drop into itself.
    let dragged = Set(lifted).union(descendants(of: lifted))
    guard let gap = destination.rebased(onto: committed, dragging: dragged) else { return nil }
    destination = gap
    guard committed.indexOfSection(destination.section) != nil else { return nil }

    var trees = outlines
    let hasTrees = trees[destination.section] != nil || lifted.contains { outline(containing: $0) != nil }
    var final = committed
    do {
      if hasTrees {
        guard try move(lifted, to: destination, in: &trees, list: &final) else { return nil }
      } else if let after = destination.after {
        try final.insertItems(lifted, afterItem: after)
      } else if let before = destination.before {
        try final.insertItems(lifted, beforeItem: before)
      } else {
        try final.appendItems(lifted, toSection: destination.section)
      }
    } catch {
      failureHandler?(error)
      return nil
    }
    let sections = sectionTransactions(to: final, trees: trees)
    guard !sections.isEmpty else { return nil }
    return (
      ReorderTransaction(
        initialSnapshot: committed, finalSnapshot: final, items: lifted, destination: destination,
        sectionTransactions: sections), trees
    )
  }

  private func outline(containing item: ItemID) -> SectionSnapshot? {
    committed.sectionIdentifier(containingItem: item).flatMap { outlines[$0] }
  }

  /// All items that hang below the lifted ones.
  private func descendants(of items: [ItemID]) -> [ItemID] {
    items.flatMap { item in (try? outline(containing: item)?.snapshot(of: item).items) ?? [] }
  }

  /// Moves subtrees, and the visible items of the sections with them.
  private func move(
    _ items: [ItemID], to destination: ReorderDestination<SectionID, ItemID>,
    in trees: inout SectionOutlines<SectionID, ItemID>, list: inout Snapshot
  ) throws -> Bool {
    var target = trees[destination.section] ?? snapshot(for: destination.section)
    var subtrees: [SectionSnapshot] = []
    for item in items {
      guard let section = committed.sectionIdentifier(containingItem: item) else { return false }
      if section == destination.section {
        subtrees.append(try target.snapshot(of: item, includingParent: true))
        try target.delete([item])
      } else if var tree = trees[section] {
        subtrees.append(try tree.snapshot(of: item, includingParent: true))
        try tree.delete([item])
        trees[section] = tree
      } else {
        subtrees.append(Self.flat([item]))
      }
    }
    // Behind an item whose children follow is before the first of them.
    var behind = destination.after
    if let after = behind, let before = destination.before, target.contains(before),
      try target.parent(of: before) == after
    {
      behind = nil
    }
    for subtree in behind == nil && destination.before != nil ? subtrees : subtrees.reversed() {
      if let behind {
        try target.insert(subtree, after: behind)
      } else if let before = destination.before {
        try target.insert(subtree, before: before)
      } else {
        target = try Self.joined(subtree, target)
      }
    }
    trees[destination.section] = target
    // The other sections lose what moves here; what was visible below it moves along.
    list.deleteItems(try list.itemIdentifiers(inSection: destination.section))
    try list.appendItems(target.visibleItems, toSection: destination.section)
    return true
  }

  /// The roots of one tree before those of another.
  private static func joined(_ first: SectionSnapshot, _ second: SectionSnapshot) throws -> SectionSnapshot {
    guard let head = second.firstItem else { return first }
    var result = second
    try result.insert(first, before: head)
    return result
  }

  /// The sections whose contents are other ones, the last section first.
  private func sectionTransactions(
    to final: Snapshot, trees: SectionOutlines<SectionID, ItemID>
  ) -> [ReorderTransaction<SectionID, ItemID>.SectionTransaction] {
    // Only sections that the difference names have other items; the identifiers of the sections are the same.
    let difference = final.difference(from: committed)
    var indices = Set(difference.movedItems.flatMap { [$0.from.section, $0.to.section] })
    indices.formUnion(difference.insertedItems.map(\.path.section))
    indices.formUnion(difference.deletedItems.map(\.path.section))
    return indices.sorted(by: >).compactMap { index in
      guard let section = sectionIdentifier(for: index) else { return nil }
      return .init(
        sectionIdentifier: section, initialSnapshot: snapshot(for: section),
        finalSnapshot: trees[section] ?? Self.flat((try? final.itemIdentifiers(inSection: section)) ?? []))
    }
  }

  private static func flat(_ items: [ItemID]) -> SectionSnapshot {
    var tree = SectionSnapshot()
    try? tree.append(items)
    return tree
  }
}
