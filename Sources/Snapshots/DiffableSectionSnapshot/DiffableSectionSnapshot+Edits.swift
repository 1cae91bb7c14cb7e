extension DiffableSectionSnapshot {
  /// Adds collapsed items at the end of the roots, or of another item's children.
  ///
  /// - Parameters:
  ///   - newItems: The items. If there are none, nothing is done or checked.
  ///   - parent: The item that is to have them as children, or nil.
  /// - Throws: ``SnapshotError/duplicateItems(_:)`` listing the items that are there already or named twice, in
  ///   the order found; ``SnapshotError/unknownItem(_:)`` for the parent.
  /// - Complexity: O(*k*) amortised at the end of the outline, else O(*n*).
  public mutating func append(_ newItems: [ItemID], to parent: ItemID? = nil) throws(EditError) {
    if newItems.isEmpty { return }
    try checkNew(newItems)
    if let parent {
      let node = try node(parent)
      put(Self(roots: newItems), at: end(of: node), level: node.level + 1, parent: items[node.index])
    } else {
      put(Self(roots: newItems), at: items.count, level: 0, parent: nil)
    }
  }

  /// Adds collapsed items as siblings of another, directly before it.
  ///
  /// - Throws: ``SnapshotError/duplicateItems(_:)``, ``SnapshotError/unknownItem(_:)``.
  /// - Complexity: O(*n*)
  public mutating func insert(_ newItems: [ItemID], before destination: ItemID) throws(EditError) {
    if newItems.isEmpty { return }
    try checkNew(newItems)
    try graft(Self(roots: newItems), beside: destination, after: false)
  }

  /// Adds collapsed items as siblings of another, after it and all its descendants.
  ///
  /// - Throws: ``SnapshotError/duplicateItems(_:)``, ``SnapshotError/unknownItem(_:)``.
  /// - Complexity: O(*n*)
  public mutating func insert(_ newItems: [ItemID], after destination: ItemID) throws(EditError) {
    if newItems.isEmpty { return }
    try checkNew(newItems)
    try graft(Self(roots: newItems), beside: destination, after: true)
  }

  /// Adds an outline, with what is expanded in it, directly before an item, at that item's level.
  ///
  /// - Throws: ``SnapshotError/duplicateItems(_:)``, ``SnapshotError/unknownItem(_:)``.
  /// - Complexity: O(*n*)
  public mutating func insert(_ outline: Self, before destination: ItemID) throws(EditError) {
    if outline.items.isEmpty { return }
    try checkNew(outline.items)
    try graft(outline, beside: destination, after: false)
  }

  /// Adds an outline, with what is expanded in it, after an item and all its descendants, at that item's level.
  ///
  /// - Throws: ``SnapshotError/duplicateItems(_:)``, ``SnapshotError/unknownItem(_:)``.
  /// - Complexity: O(*n*)
  public mutating func insert(_ outline: Self, after destination: ItemID) throws(EditError) {
    if outline.items.isEmpty { return }
    try checkNew(outline.items)
    try graft(outline, beside: destination, after: true)
  }

  /// Takes items and all their descendants away. It is no error to name an item twice, or with its parent.
  ///
  /// - Throws: ``SnapshotError/unknownItem(_:)`` before anything is deleted.
  /// - Complexity: O(*n*)
  public mutating func delete(_ unwanted: [ItemID]) throws(EditError) {
    for item in unwanted { _ = try node(item) }
    let marked = Set(unwanted)
    var kept: [ItemID] = []
    // While passing over the descendants of a deleted item, its level.
    var goneBelow: Int?
    for item in items {
      guard let node = nodes[item] else { continue }
      if let level = goneBelow, node.level > level {
        nodes[item] = nil
      } else if marked.contains(item) {
        goneBelow = node.level
        nodes[item] = nil
      } else {
        goneBelow = nil
        kept.append(item)
      }
    }
    items = kept
    renumber(from: 0)
  }

  /// Takes everything away.
  public mutating func deleteAll() { self = Self() }

  /// Expands items. Unknown ones are ignored; an item needs no children, and need not be visible.
  ///
  /// - Complexity: O(*k*)
  public mutating func expand(_ expanded: [ItemID]) {
    for item in expanded { nodes[item]?.isExpanded = true }
  }

  /// Collapses items. Unknown ones are ignored; what is expanded below them is remembered.
  ///
  /// - Complexity: O(*k*)
  public mutating func collapse(_ collapsed: [ItemID]) {
    for item in collapsed { nodes[item]?.isExpanded = false }
  }

  /// Replaces everything below an item by an outline, with what is expanded in it.
  ///
  /// - Throws: ``SnapshotError/unknownItem(_:)`` for the parent; ``SnapshotError/duplicateItems(_:)`` for items
  ///   of the outline that live elsewhere in this one.
  /// - Complexity: O(*n*)
  public mutating func replace(childrenOf parent: ItemID, using outline: Self) throws(EditError) {
    let top = try node(parent)
    let old = (top.index + 1)..<end(of: top)
    let elsewhere = outline.items.filter { item in
      guard let index = nodes[item]?.index else { return false }
      return !old.contains(index)
    }
    if !elsewhere.isEmpty { throw .duplicateItems(elsewhere) }
    for item in items[old] { nodes[item] = nil }
    items.removeSubrange(old)
    put(outline, at: top.index + 1, level: top.level + 1, parent: items[top.index])
  }

  private init(roots: [ItemID]) {
    items = roots
    for (index, item) in roots.enumerated() { nodes[item] = Node(index: index, level: 0, parent: nil) }
  }

  /// Refuses items that are there already or occur twice, and lists them in the order found.
  private func checkNew(_ newItems: [ItemID]) throws(EditError) {
    var seen: Set<ItemID> = []
    var offenders: [ItemID] = []
    var listed: Set<ItemID> = []
    for item in newItems
    where (nodes[item] != nil || !seen.insert(item).inserted) && listed.insert(item).inserted {
      offenders.append(item)
    }
    if !offenders.isEmpty { throw .duplicateItems(offenders) }
  }

  private mutating func graft(_ outline: Self, beside destination: ItemID, after: Bool) throws(EditError) {
    let node = try node(destination)
    put(outline, at: after ? end(of: node) : node.index, level: node.level, parent: node.parent)
  }

  private mutating func put(_ outline: Self, at index: Int, level: Int, parent: ItemID?) {
    items.insert(contentsOf: outline.items, at: index)
    for item in outline.items {
      guard var node = outline.nodes[item] else { continue }
      if node.level == 0 { node.parent = parent }
      node.level += level
      nodes[item] = node
    }
    renumber(from: index)
  }

  private mutating func renumber(from first: Int) {
    for index in first..<items.count { nodes[items[index]]?.index = index }
  }
}
