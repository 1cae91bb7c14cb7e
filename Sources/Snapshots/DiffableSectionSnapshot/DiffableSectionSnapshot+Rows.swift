internal import HashTreeCollections

/// Outlines as rows: how they are written down, put together, and compared with lists.
extension DiffableSectionSnapshot {
  /// Creates an outline of rows, which must be right: no item twice, the first at level 0, each other at most one level
  /// deeper than the one before it.
  ///
  /// - Complexity: O(*n*)
  package init(rows: some Collection<OutlineRow<ItemID>>) {
    self.init()
    let count = 2 * rows.count
    let (first, step) = (LabelSpace.first(for: count), LabelSpace.step(for: count))
    var brackets: [OutlineBracket<ItemID>] = []
    brackets.reserveCapacity(count)
    // The row before and its ancestors, each with its label.
    var open: [(id: ItemID, label: UInt64)] = []
    func label() -> UInt64 { first + step * UInt64(brackets.count) }
    func close(to level: Int) {
      while open.count > level, let (id, begin) = open.popLast() {
        nodes[id] = Node(begin: begin, end: label(), level: open.count, parent: open.last?.id)
        brackets.append(OutlineBracket(id: id, isEnd: true))
      }
    }
    for row in rows {
      close(to: row.level)
      open.append((row.id, label()))
      brackets.append(OutlineBracket(id: row.id, isEnd: false))
      if row.isExpanded { expanded.insert(row.id) }
    }
    close(to: 0)
    tree = OrderTree(brackets, first: first, step: step)
  }

  /// All items in order, each with its level and whether it is expanded.
  ///
  /// - Complexity: O(*n*)
  package var rows: [OutlineRow<ItemID>] { rows(in: 0..<tree.count) }

  /// The descendants of an item, in order, the levels counted from its children on; none if it is not there.
  ///
  /// - Complexity: O(*k* + log *n*) in the number of descendants.
  package func rows(below item: ItemID) -> [OutlineRow<ItemID>] {
    guard let node = nodes[item] else { return [] }
    let brackets = brackets(of: node)
    return rows(in: brackets.lowerBound + 1..<brackets.upperBound - 1)
  }

  /// The items that have a collapsed ancestor, in order.
  ///
  /// - Complexity: O(*n*)
  package var hiddenItems: [ItemID] {
    var hidden: [ItemID] = []
    forEachItem { item, isVisible in
      if !isVisible { hidden.append(item) }
    }
    return hidden
  }

  /// The first item, which is a root.
  ///
  /// - Complexity: O(log *n*)
  package var firstItem: ItemID? { tree.count == 0 ? nil : tree[0].element.id }

  /// Returns whether an item hangs below another, at whatever depth.
  ///
  /// - Complexity: O(1)
  package func isDescendant(_ item: ItemID, of ancestor: ItemID) -> Bool {
    guard let node = nodes[item], let top = nodes[ancestor] else { return false }
    return node.isBelow(top)
  }

  /// The items that begin in a range of positions.
  ///
  /// - Parameter level: The level of an item at the start of the range.
  func rows(in brackets: Range<Int>, from level: Int = 0) -> [OutlineRow<ItemID>] {
    var rows: [OutlineRow<ItemID>] = []
    rows.reserveCapacity(brackets.count / 2)
    var level = level
    tree.forEach(in: brackets) { bracket in
      if bracket.isEnd {
        level -= 1
      } else {
        rows.append(
          OutlineRow(id: bracket.id, level: level, isExpanded: expanded.contains(bracket.id)))
        level += 1
      }
    }
    return rows
  }

  /// Calls a closure with each item, in order, and with whether every ancestor is expanded.
  func forEachItem(_ body: (ItemID, Bool) -> Void) {
    // Within a collapsed item, how many items are begun and not ended: it, and some of its descendants.
    var hidingDepth = 0
    tree.forEach(in: 0..<tree.count) { bracket in
      if bracket.isEnd {
        if hidingDepth > 0 { hidingDepth -= 1 }
        return
      }
      body(bracket.id, hidingDepth == 0)
      if hidingDepth > 0 || !expanded.contains(bracket.id) { hidingDepth += 1 }
    }
  }

  /// The positions of all brackets of a node and its descendants.
  func brackets(of node: Node) -> Range<Int> {
    guard let begin = tree.find(label: node.begin), let end = tree.find(label: node.end) else {
      preconditionFailure("An item of an outline has no brackets.")
    }
    return begin.position..<end.position + 1
  }
}
