public import Snapshots

extension DiffableDataSource {
  /// Shows a tree in one section: its items become the visible items of the tree.
  ///
  /// The section is appended if it is not there. Items of the tree that live in other sections are moved here, and those
  /// that are hidden in other trees leave them; but a collapsed child that another section shows stays there. All else
  /// stays as it is. The data source keeps the tree, and keeps it in step with snapshots that are applied later; see
  /// ``snapshot(for:)``.
  ///
  /// - Parameters:
  ///   - outline: The tree.
  ///   - section: The section.
  ///   - options: How it is shown.
  /// - Returns: What became of it.
  /// - Complexity: O(*k* log *n*), where *k* is the number of items of the tree, of the section, and of trees that lose
  ///   items to it, *n* that of all.
  @discardableResult
  public nonisolated(nonsending) func apply(
    _ outline: SectionSnapshot, to section: SectionID, options: Options = Options()
  ) async -> Report {
    await submit(Job(.edit { self.proposal(showing: outline, in: section) }, options))
  }

  /// The tree of a section: the one that was applied, in step with the list since; its items as roots if there was
  /// none; empty if there is no such section.
  ///
  /// - Complexity: O(1) for a section with a tree, else O(*k*), where *k* is the number of its items.
  public func snapshot(for section: SectionID) -> SectionSnapshot {
    if let outline = outlines[section] { return outline }
    var outline = SectionSnapshot()
    if let items = try? committed.itemIdentifiers(inSection: section) {
      try? outline.append(items)
    }
    return outline
  }

  /// Expands an item, as the user asked: the handlers are consulted and notified, then its children are shown.
  ///
  /// - Parameters:
  ///   - item: A visible item of a section that was given a tree.
  ///   - options: How it is shown.
  /// - Returns: What became of it; ``ApplyReport/Outcome/refused`` if a handler refused, or the item is in no tree.
  @discardableResult
  public nonisolated(nonsending) func expand(_ item: ItemID, options: Options = Options()) async -> Report {
    await submit(Job(.edit { self.proposalExpanding(item) }, options))
  }

  /// Collapses an item, as the user asked: the handlers are consulted and notified, then its children are hidden. They keep
  /// their own state.
  ///
  /// - Parameters:
  ///   - item: A visible item of a section that was given a tree.
  ///   - options: How it is shown.
  /// - Returns: What became of it; ``ApplyReport/Outcome/refused`` if a handler refused, or the item is in no tree.
  @discardableResult
  public nonisolated(nonsending) func collapse(_ item: ItemID, options: Options = Options()) async -> Report {
    await submit(Job(.edit { self.proposalCollapsing(item) }, options))
  }
}

extension DiffableDataSource {
  private func proposal(showing outline: SectionSnapshot, in section: SectionID) -> Proposal? {
    var snapshot = committed
    do {
      if !snapshot.containsSection(section) { try snapshot.appendSections([section]) }
      try snapshot.replaceItems(ofSection: section, by: outline.visibleItems)
    } catch {
      failureHandler?(error)
      return nil
    }
    var outlines = outlines
    outlines.show(outline, in: section, of: snapshot, from: committed)
    return Proposal(snapshot: snapshot, outlines: outlines)
  }

  private func proposalExpanding(_ item: ItemID) -> Proposal? {
    guard let (section, outline) = outline(of: item) else { return nil }
    let handlers = sectionSnapshotHandlers
    guard handlers.shouldExpandItem?(item) ?? true else { return nil }
    handlers.willExpandItem?(item)
    var expanded = outline
    if let children = handlers.snapshotForExpandingParent {
      guard let current = try? outline.snapshot(of: item) else { return nil }
      do {
        try expanded.replace(childrenOf: item, using: children(item, current))
      } catch {
        failureHandler?(error)
        return nil
      }
    }
    expanded.expand([item])
    return proposal(showing: expanded, in: section)
  }

  private func proposalCollapsing(_ item: ItemID) -> Proposal? {
    guard let (section, outline) = outline(of: item) else { return nil }
    guard sectionSnapshotHandlers.shouldCollapseItem?(item) ?? true else { return nil }
    sectionSnapshotHandlers.willCollapseItem?(item)
    var collapsed = outline
    collapsed.collapse([item])
    return proposal(showing: collapsed, in: section)
  }

  private func outline(of item: ItemID) -> (SectionID, SectionSnapshot)? {
    guard let section = committed.sectionIdentifier(containingItem: item), let outline = outlines[section]
    else { return nil }
    return (section, outline)
  }
}

extension DiffableSnapshot {
  /// Gives a section other items, which may live in other sections. Those that it has already at its start and its end
  /// stay where they are.
  ///
  /// - Complexity: O(*k* log *n*), where *k* is the number of items that it has and is to have.
  fileprivate mutating func replaceItems(ofSection section: SectionID, by new: [ItemID]) throws {
    let old = try itemIdentifiers(inSection: section)
    let start = zip(old, new).prefix { $0 == $1 }.count
    let limit = min(old.count, new.count) - start
    let end = zip(old.reversed(), new.reversed()).prefix(limit).prefix { $0 == $1 }.count
    let arriving = Array(new[start..<new.count - end])
    deleteItems(Array(old[start..<old.count - end]))
    deleteItems(arriving)
    guard let index = indexOfSection(section) else { throw EditError.unknownSection(section) }
    try insertItems(arriving, at: ListIndexPath(item: start, section: index))
  }
}
