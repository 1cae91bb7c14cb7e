internal import HashTreeCollections
internal import Snapshots

/// The trees of sections, in step with the list that is shown.
///
/// An item is in one section only: the list shows it there, or it is hidden in that section's tree. Copies share what they
/// have in common.
struct SectionOutlines<SectionID: Hashable & Sendable, ItemID: Hashable & Sendable> {
  typealias List = DiffableSnapshot<SectionID, ItemID>
  typealias Tree = DiffableSectionSnapshot<ItemID>

  private var trees: TreeDictionary<SectionID, Tree> = [:]
  /// The section in whose tree each hidden item is.
  private var sectionsOfHidden: TreeDictionary<ItemID, SectionID> = [:]

  /// The tree of a section, if it has one. A tree that is set is taken as it is.
  ///
  /// - Complexity: O(1); setting: O(*k*), where *k* is the number of items of the old tree and of the new one.
  subscript(section: SectionID) -> Tree? {
    get { trees[section] }
    set {
      // What is hidden elsewhere by now stays known there.
      for item in trees[section]?.hiddenItems ?? [] where sectionsOfHidden[item] == section {
        sectionsOfHidden[item] = nil
      }
      for item in newValue?.hiddenItems ?? [] { sectionsOfHidden[item] = section }
      trees[section] = newValue
    }
  }

  /// Follows a change of the list.
  ///
  /// - Parameters:
  ///   - list: The list after the change.
  ///   - previous: The list before it.
  ///   - difference: What leads from one to the other, or `nil` if that is not known.
  /// - Complexity: O(*c* log *n* + *k*), where *c* is the number of changes, and *k* the number of items in the trees of
  ///   sections whose items changed. Without a difference *k* is the number of items of all trees.
  mutating func follow(
    _ list: List, from previous: List, by difference: SnapshotDifference<SectionID, ItemID>?
  ) {
    if trees.isEmpty { return }
    if let difference {
      let arrived = difference.insertedItems.lazy.map(\.id)
      reconcile(changedSections(by: difference, from: previous, to: list), with: list, claiming: arrived)
    } else {
      reconcile(Set(trees.keys), with: list, claiming: EmptyCollection())
    }
  }

  /// Gives a section a tree, whose visible items the list shows there. What it names leaves all other trees; hidden items
  /// of it that the list shows in another section stay there.
  ///
  /// - Parameters:
  ///   - tree: The tree.
  ///   - section: The section.
  ///   - list: The list with the tree's visible items.
  ///   - previous: The list before.
  /// - Complexity: O(*k* log *n*), where *k* is the number of items of this tree, and of those that lose some.
  mutating func show(_ tree: Tree, in section: SectionID, of list: List, from previous: List) {
    var tree = tree
    let elsewhere = tree.hiddenItems.filter { item in
      list.sectionIdentifier(containingItem: item).map { $0 != section } ?? false
    }
    // They are in the tree, so this does not throw.
    try? tree.delete(elsewhere)
    self[section] = nil
    if !trees.isEmpty {
      let named = tree.items
      let changed = Set(named.compactMap { previous.sectionIdentifier(containingItem: $0) })
      reconcile(changed.subtracting([section]), with: list, claiming: named)
    }
    self[section] = tree
  }

  /// Brings trees in step with their sections, and takes items out of the trees in which they are hidden.
  private mutating func reconcile(
    _ sections: Set<SectionID>, with list: List, claiming claimed: some Collection<ItemID>
  ) {
    var leaving: [SectionID: [ItemID]] = [:]
    for item in claimed {
      if let section = sectionsOfHidden[item] { leaving[section, default: []].append(item) }
    }
    for section in sections {
      guard let tree = trees[section] else { continue }
      guard let items = try? list.itemIdentifiers(inSection: section) else {
        self[section] = nil
        continue
      }
      let named = Set(leaving.removeValue(forKey: section) ?? [])
      let reconciler = OutlineReconciler(old: tree, items: items) {
        named.contains($0) || list.containsItem($0)
      }
      self[section] = reconciler.reconciled()
    }
    for (section, items) in leaving {
      var tree = trees[section] ?? Tree()
      for item in items {
        // It may have gone with an ancestor.
        guard tree.contains(item) else { continue }
        for descendant in tree.rows(below: item) { sectionsOfHidden[descendant.id] = nil }
        sectionsOfHidden[item] = nil
        try? tree.delete([item])
      }
      trees[section] = tree
    }
  }

  /// The sections whose items changed, or which are gone.
  private func changedSections(
    by difference: SnapshotDifference<SectionID, ItemID>, from previous: List, to list: List
  ) -> Set<SectionID> {
    var before = Set(difference.deletedItems.lazy.map(\.path.section))
    var after = Set(difference.insertedItems.lazy.map(\.path.section))
    for move in difference.movedItems {
      before.insert(move.from.section)
      after.insert(move.to.section)
    }
    var sections = Set(difference.deletedSections.lazy.map(\.id))
    for (indices, list) in [(before, previous), (after, list)] {
      let all = list.sections
      sections.formUnion(indices.lazy.filter { all.indices.contains($0) }.map { all[$0].id })
    }
    return sections
  }
}
