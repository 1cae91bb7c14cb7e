public import Snapshots

extension DiffableDataSource {
  /// Shows a tree in one section: its items become the visible items of the tree.
  ///
  /// The section is appended if it is not there. Items of the tree that live in other sections are moved here. All else
  /// stays as it is. The data source keeps the tree, and keeps it in step with snapshots that are applied later; see
  /// ``snapshot(for:)``.
  ///
  /// - Parameters:
  ///   - outline: The tree.
  ///   - section: The section.
  ///   - options: How it is shown.
  /// - Returns: What became of it.
  /// - Complexity: O(*k* log *n*), where *k* is the number of items of the tree and of the section, *n* that of all.
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

  /// Expands an item, as the user asked: the handlers are asked and told, then its children are shown.
  ///
  /// - Parameters:
  ///   - item: A visible item of a section that was given a tree.
  ///   - options: How it is shown.
  /// - Returns: What became of it; ``ApplyReport/Outcome/refused`` if a handler refused, or the item is in no tree.
  @discardableResult
  public nonisolated(nonsending) func expand(_ item: ItemID, options: Options = Options()) async -> Report {
    await submit(Job(.edit { self.proposalExpanding(item) }, options))
  }

  /// Collapses an item, as the user asked: the handlers are asked and told, then its children are hidden. They keep
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
  /// The trees as they are when a snapshot is shown.
  func outlines(reconciledWith snapshot: Snapshot) -> [SectionID: SectionSnapshot] {
    guard !outlines.isEmpty else { return outlines }
    var result: [SectionID: SectionSnapshot] = [:]
    for (section, outline) in outlines {
      guard let items = try? snapshot.itemIdentifiers(inSection: section) else { continue }
      let visible = outline.visibleItems
      let hasHidden = visible.count != outline.items.count
      if items == visible, !hasHidden {
        result[section] = outline
        continue
      }
      let reconciler = OutlineReconciler(old: outline, items: items) { item in
        snapshot.sectionIdentifier(containingItem: item).map { $0 != section } ?? false
      }
      result[section] = reconciler.reconciled()
    }
    return result
  }

  private func proposal(showing outline: SectionSnapshot, in section: SectionID) -> Proposal? {
    var snapshot = committed
    let visible = outline.visibleItems
    do {
      if snapshot.indexOfSection(section) == nil {
        try snapshot.appendSections([section])
      } else {
        snapshot.deleteItems(try snapshot.itemIdentifiers(inSection: section))
      }
      try snapshot.appendItems(visible, toSection: section)
    } catch {
      return nil
    }
    var trees = outlines
    trees[section] = nil
    let others = outlines
    outlines = trees
    trees = self.outlines(reconciledWith: snapshot)
    outlines = others
    trees[section] = withoutHiddenItems(of: outline, shownIn: snapshot, except: section)
    return Proposal(snapshot: snapshot, outlines: trees)
  }

  /// A tree without those hidden items that the list shows in another section.
  private func withoutHiddenItems(
    of outline: SectionSnapshot, shownIn snapshot: Snapshot, except section: SectionID
  ) -> SectionSnapshot {
    let elsewhere = outline.items.filter { item in
      snapshot.sectionIdentifier(containingItem: item).map { $0 != section } ?? false
    }
    guard !elsewhere.isEmpty else { return outline }
    var result = outline
    try? result.delete(elsewhere)
    return result
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
