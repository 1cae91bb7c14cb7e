internal import Snapshots

/// Keeps the tree of a section in step with the items that a whole snapshot gives it.
///
/// The visible items of the tree become exactly the items of the section, in their order. An item keeps its level as
/// far as the items before it allow. One that is gone takes its hidden children with it; one that is new has the level
/// of the item before it, or, if that is expanded and its children follow, theirs.
struct OutlineReconciler<ItemID: Hashable & Sendable> {
  typealias Tree = DiffableSectionSnapshot<ItemID>

  let old: Tree
  /// The items that the section shall show, in order.
  let items: [ItemID]
  /// Whether an item is shown elsewhere in the list, so that it can't stay hidden here.
  let isElsewhere: (ItemID) -> Bool

  func reconciled() -> Tree {
    var tree = Tree()
    // The visible ancestors of the last item that was placed, that item last.
    var path: [ItemID] = []
    let inSection = Set(items)
    for (index, item) in items.enumerated() {
      let wanted = level(of: item, at: index, depth: path.count - 1)
      let allowed = path.last.map { isExpanded($0) ? path.count : path.count - 1 } ?? 0
      path.removeSubrange(min(max(wanted, 0), max(allowed, 0))...)
      // The items were unique and their parents are in the tree, so nothing here throws.
      try? tree.append([item], to: path.last)
      path.append(item)
      guard old.contains(item) else { continue }
      if isExpanded(item) {
        tree.expand([item])
      } else if let hidden = hiddenChildren(of: item, shown: inSection) {
        try? tree.replace(childrenOf: item, using: hidden)
      }
    }
    return tree
  }

  private func isExpanded(_ item: ItemID) -> Bool {
    (try? old.isExpanded(item)) ?? false
  }

  private func level(of item: ItemID, at index: Int, depth: Int) -> Int {
    if let level = try? old.level(of: item) { return level }
    guard index > 0 else { return 0 }
    let before = items[index - 1]
    if index + 1 < items.count, let parent = try? old.parent(of: items[index + 1]), parent == before {
      return depth + 1
    }
    return depth
  }

  /// What hangs below a collapsed item, without what the list now shows.
  private func hiddenChildren(of item: ItemID, shown: Set<ItemID>) -> Tree? {
    guard var hidden = try? old.snapshot(of: item), !hidden.items.isEmpty else { return nil }
    let leaving = hidden.items.filter { shown.contains($0) || isElsewhere($0) }
    try? hidden.delete(leaving)
    return hidden
  }
}
