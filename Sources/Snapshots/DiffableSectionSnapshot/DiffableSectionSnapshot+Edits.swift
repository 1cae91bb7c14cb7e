internal import HashTreeCollections

extension DiffableSectionSnapshot {
  /// Adds collapsed items at the end of the roots, or of another item's children.
  ///
  /// - Parameters:
  ///   - newItems: The items. If there are none, nothing is done or checked.
  ///   - parent: The item that is to have them as children, or nil.
  /// - Throws: ``SnapshotError/duplicateItems(_:)`` listing the items that are there already or named twice, in
  ///   the order found; ``SnapshotError/unknownItem(_:)`` for the parent.
  /// - Complexity: O(*k* log *n*)
  public mutating func append(_ newItems: [ItemID], to parent: ItemID? = nil) throws(EditError) {
    if newItems.isEmpty { return }
    try checkNew(newItems)
    if let parent {
      let range = brackets(of: try node(parent))
      put(Self(roots: newItems), at: range.upperBound - 1, below: tree[range.lowerBound].element.id)
    } else {
      put(Self(roots: newItems), at: tree.count, below: nil)
    }
  }

  /// Adds collapsed items as siblings of another, directly before it.
  ///
  /// - Throws: ``SnapshotError/duplicateItems(_:)``, ``SnapshotError/unknownItem(_:)``.
  /// - Complexity: O(*k* log *n*) in the number of items that are added.
  public mutating func insert(_ newItems: [ItemID], before destination: ItemID) throws(EditError) {
    if newItems.isEmpty { return }
    try checkNew(newItems)
    try graft(Self(roots: newItems), beside: destination, after: false)
  }

  /// Adds collapsed items as siblings of another, after it and all its descendants.
  ///
  /// - Throws: ``SnapshotError/duplicateItems(_:)``, ``SnapshotError/unknownItem(_:)``.
  /// - Complexity: O(*k* log *n*) in the number of items that are added.
  public mutating func insert(_ newItems: [ItemID], after destination: ItemID) throws(EditError) {
    if newItems.isEmpty { return }
    try checkNew(newItems)
    try graft(Self(roots: newItems), beside: destination, after: true)
  }

  /// Adds an outline, with what is expanded in it, directly before an item, at that item's level.
  ///
  /// - Throws: ``SnapshotError/duplicateItems(_:)``, ``SnapshotError/unknownItem(_:)``.
  /// - Complexity: O(*k* log *n*) in the number of items that are added.
  public mutating func insert(_ outline: Self, before destination: ItemID) throws(EditError) {
    if outline.numberOfItems == 0 { return }
    try checkNew(outline.items)
    try graft(outline, beside: destination, after: false)
  }

  /// Adds an outline, with what is expanded in it, after an item and all its descendants, at that item's level.
  ///
  /// - Throws: ``SnapshotError/duplicateItems(_:)``, ``SnapshotError/unknownItem(_:)``.
  /// - Complexity: O(*k* log *n*) in the number of items that are added.
  public mutating func insert(_ outline: Self, after destination: ItemID) throws(EditError) {
    if outline.numberOfItems == 0 { return }
    try checkNew(outline.items)
    try graft(outline, beside: destination, after: true)
  }

  /// Takes items and all their descendants away. It is no error to name an item twice, or with its parent.
  ///
  /// - Throws: ``SnapshotError/unknownItem(_:)`` before anything is deleted.
  /// - Complexity: O(*k* log *n*) in the number of items that go.
  public mutating func delete(_ unwanted: [ItemID]) throws(EditError) {
    for item in unwanted { _ = try node(item) }
    for item in unwanted {
      // It may be gone already, with an ancestor.
      if let node = nodes[item] { remove(brackets(of: node)) }
    }
  }

  /// Takes everything away.
  public mutating func deleteAll() { self = Self() }

  /// Expands items. Unknown ones are ignored; an item needs no children, and need not be visible.
  ///
  /// - Complexity: O(*k*)
  public mutating func expand(_ expanded: [ItemID]) {
    for item in expanded where nodes[item] != nil { self.expanded.insert(item) }
  }

  /// Collapses items. Unknown ones are ignored; what is expanded below them is remembered.
  ///
  /// - Complexity: O(*k*)
  public mutating func collapse(_ collapsed: [ItemID]) {
    for item in collapsed { expanded.remove(item) }
  }

  /// Replaces everything below an item by an outline, with what is expanded in it.
  ///
  /// - Throws: ``SnapshotError/unknownItem(_:)`` for the parent; ``SnapshotError/duplicateItems(_:)`` for items
  ///   of the outline that live elsewhere in this one.
  /// - Complexity: O(*k* log *n*) in the numbers of items that go and of items that come.
  public mutating func replace(childrenOf parent: ItemID, using outline: Self) throws(EditError) {
    let top = try node(parent)
    let elsewhere = outline.items.filter { item in nodes[item].map { !$0.isBelow(top) } ?? false }
    if !elsewhere.isEmpty { throw .duplicateItems(elsewhere) }
    let old = brackets(of: top)
    remove(old.lowerBound + 1..<old.upperBound - 1)
    put(outline, at: old.lowerBound + 1, below: tree[old.lowerBound].element.id)
  }

  private init(roots: [ItemID]) {
    self.init(rows: roots.lazy.map { OutlineRow(id: $0, level: 0) })
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
    let range = brackets(of: node)
    put(outline, at: after ? range.upperBound : range.lowerBound, below: node.parent)
  }

  /// Puts new items in as children of another, or as roots.
  private mutating func put(_ outline: Self, at position: Int, below parent: ItemID?) {
    let level = parent.flatMap { nodes[$0] }.map { $0.level + 1 } ?? 0
    if outline.tree.count >= tree.count {
      // Where most is new, it is faster to lay all out anew.
      let coming = outline.rows.map {
        OutlineRow(id: $0.id, level: $0.level + level, isExpanded: $0.isExpanded)
      }
      self = Self(rows: rows(in: 0..<position) + coming + rows(in: position..<tree.count, from: level))
      return
    }
    var open: [ItemID] = []
    var brackets: [OutlineBracket<ItemID>] = []
    brackets.reserveCapacity(outline.tree.count)
    outline.tree.forEach(in: 0..<outline.tree.count) { bracket in
      brackets.append(bracket)
      if bracket.isEnd {
        open.removeLast()
      } else {
        // Labels are given when the brackets have their positions.
        nodes[bracket.id] = Node(
          begin: 0, end: 0, level: level + open.count, parent: open.last ?? parent)
        open.append(bracket.id)
      }
    }
    expanded.formUnion(outline.expanded)
    Self.put(brackets, at: position, in: &tree, nodes: &nodes)
  }

  // The parts of the outline come one by one because the tree reports new labels while it is being changed.
  private static func put(
    _ brackets: [OutlineBracket<ItemID>], at position: Int, in tree: inout OrderTree<OutlineBracket<ItemID>>,
    nodes: inout TreeDictionary<ItemID, Node>
  ) {
    tree.insert(brackets, at: position) { bracket, label in
      if bracket.isEnd { nodes[bracket.id]?.end = label } else { nodes[bracket.id]?.begin = label }
    }
  }

  /// Takes out whole items with their descendants.
  private mutating func remove(_ brackets: Range<Int>) {
    if brackets.count == tree.count {
      self = Self()
      return
    }
    var unwanted: [ItemID] = []
    tree.forEach(in: brackets) { if !$0.isEnd { unwanted.append($0.id) } }
    for item in unwanted {
      guard let node = nodes.removeValue(forKey: item) else { continue }
      expanded.remove(item)
      _ = tree.remove(label: node.begin)
      _ = tree.remove(label: node.end)
    }
  }
}
