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
  /// Whether an item can't stay hidden here: the list shows it, or another tree has it.
  let isTaken: (ItemID) -> Bool

  /// The tree of the items.
  ///
  /// - Complexity: O(*k* log *n*), where *k* is the number of items of the section and of the tree.
  func reconciled() -> Tree {
    var rows: [OutlineRow<ItemID>] = []
    rows.reserveCapacity(items.count)
    // Of the item before.
    var level = -1
    var isExpanded = true
    for (index, item) in items.enumerated() {
      let deepest = isExpanded ? level + 1 : level
      level = max(0, min(wantedLevel(of: item, at: index, after: level), deepest))
      isExpanded = (try? old.isExpanded(item)) ?? false
      rows.append(OutlineRow(id: item, level: level, isExpanded: isExpanded))
      if !isExpanded { appendHidden(below: item, at: level + 1, to: &rows) }
    }
    return Tree(rows: rows)
  }

  private func wantedLevel(of item: ItemID, at index: Int, after level: Int) -> Int {
    if let level = try? old.level(of: item) { return level }
    guard index > 0 else { return 0 }
    let before = items[index - 1]
    if index + 1 < items.count, let parent = try? old.parent(of: items[index + 1]), parent == before {
      return level + 1
    }
    return level
  }

  /// Adds what hangs below a collapsed item, without what is taken, and without what hangs below that.
  private func appendHidden(below item: ItemID, at first: Int, to rows: inout [OutlineRow<ItemID>]) {
    // While passing over the descendants of an item that is left out, its level.
    var skipped = Int.max
    for row in old.rows(below: item) where row.level <= skipped {
      skipped = isTaken(row.id) ? row.level : .max
      guard skipped == .max else { continue }
      rows.append(OutlineRow(id: row.id, level: first + row.level, isExpanded: row.isExpanded))
    }
  }
}
