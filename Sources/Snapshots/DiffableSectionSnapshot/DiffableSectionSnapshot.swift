internal import HashTreeCollections

/// The outline of one section: items that have children, to any depth, each expanded or collapsed.
///
/// The items are unique in the whole outline. A snapshot is a value: a copy is independent of the original.
/// Unlike ``DiffableSnapshot``, adding an item that is there already is an error, and so is deleting one that
/// is not; and two outlines with different items expanded are not equal.
public struct DiffableSectionSnapshot<ItemID: Hashable & Sendable>: Sendable {
  /// The error that edits throw: a ``SnapshotError`` without the cases of sections.
  public typealias EditError = SnapshotError<Never, ItemID>

  /// The position of an item, its level and its parent.
  struct Node: Sendable {
    /// The labels of the item's brackets.
    var begin: UInt64
    var end: UInt64
    var level: Int
    var parent: ItemID?

    /// Returns whether this is the node of a descendant of another's.
    func isBelow(_ other: Self) -> Bool { other.begin < begin && end < other.end }
  }

  /// All items, each as a beginning and an end with its descendants between the two.
  var tree = OrderTree<OutlineBracket<ItemID>>()
  /// The node of each item.
  var nodes: TreeDictionary<ItemID, Node> = [:]
  /// The expanded items.
  var expanded: TreeSet<ItemID> = []

  /// Creates an empty outline.
  public init() {}
}

extension DiffableSectionSnapshot: Hashable {
  /// Whether both have the same items in the same tree, and the same of them expanded.
  ///
  /// - Complexity: O(*n*) at most; parts that the two share are not looked at.
  public static func == (lhs: Self, rhs: Self) -> Bool {
    lhs.expanded == rhs.expanded
      && lhs.tree.hasSameElements(as: rhs.tree) { $0.isEnd == $1.isEnd && $0.id == $1.id }
  }

  /// Hashes the items, their levels and whether they are expanded.
  ///
  /// - Complexity: O(*n*)
  public func hash(into hasher: inout Hasher) {
    hasher.combine(numberOfItems)
    for row in rows { hasher.combine(row) }
  }
}

// MARK: Queries

extension DiffableSectionSnapshot {
  /// The number of items.
  ///
  /// - Complexity: O(1)
  public var numberOfItems: Int { tree.weight }

  /// All items, a parent directly before its descendants, as a new array.
  ///
  /// - Complexity: O(*n*)
  public var items: [ItemID] {
    var items: [ItemID] = []
    items.reserveCapacity(numberOfItems)
    forEachItem { item, _ in items.append(item) }
    return items
  }

  /// The items without a parent, in order.
  ///
  /// - Complexity: O(*n*)
  public var rootItems: [ItemID] { rows.lazy.filter { $0.level == 0 }.map(\.id) }

  /// The items whose every ancestor is expanded, in order: what a list shows.
  ///
  /// - Complexity: O(*n*)
  public var visibleItems: [ItemID] {
    var visible: [ItemID] = []
    forEachItem { item, isVisible in
      if isVisible { visible.append(item) }
    }
    return visible
  }

  /// The expanded items, in the order of ``items``.
  ///
  /// - Complexity: O(*n*)
  public var expandedItems: [ItemID] { items.filter { expanded.contains($0) } }

  /// Whether the outline has an item.
  ///
  /// - Complexity: O(1)
  public func contains(_ item: ItemID) -> Bool { nodes[item] != nil }

  /// The position of an item in ``items``, or nil.
  ///
  /// - Complexity: O(log *n*)
  public func index(of item: ItemID) -> Int? { nodes[item].map { tree.weight(before: $0.begin) } }

  /// Whether an item is expanded; it need not be visible, or have children, to be so.
  ///
  /// - Throws: ``SnapshotError/unknownItem(_:)``.
  /// - Complexity: O(1)
  public func isExpanded(_ item: ItemID) throws(EditError) -> Bool {
    _ = try node(item)
    return expanded.contains(item)
  }

  /// Whether every ancestor of an item is expanded.
  ///
  /// - Throws: ``SnapshotError/unknownItem(_:)``.
  /// - Complexity: O(*level*)
  public func isVisible(_ item: ItemID) throws(EditError) -> Bool {
    var parent = try node(item).parent
    while let ancestor = parent, let node = nodes[ancestor] {
      if !expanded.contains(ancestor) { return false }
      parent = node.parent
    }
    return true
  }

  /// The number of an item's ancestors.
  ///
  /// - Throws: ``SnapshotError/unknownItem(_:)``.
  /// - Complexity: O(1)
  public func level(of item: ItemID) throws(EditError) -> Int { try node(item).level }

  /// The parent of an item, or nil for a root.
  ///
  /// - Throws: ``SnapshotError/unknownItem(_:)``.
  /// - Complexity: O(1)
  public func parent(of item: ItemID) throws(EditError) -> ItemID? { try node(item).parent }

  /// The outline below an item, with what is expanded there; levels start from zero again.
  ///
  /// - Parameters:
  ///   - parent: The item whose descendants are wanted.
  ///   - includingParent: Whether the item itself is the root of the result.
  /// - Returns: An independent outline, empty if the item has no children and is not wanted itself.
  /// - Throws: ``SnapshotError/unknownItem(_:)``.
  /// - Complexity: O(*k* + log *n*) in the number of descendants.
  public func snapshot(of parent: ItemID, includingParent: Bool = false) throws(EditError) -> Self {
    let top = try node(parent)
    return Self(rows: includingParent ? rows(in: brackets(of: top)) : rows(below: parent))
  }

  /// A readable picture: a header, then one line an item, two spaces a level, `+` if it is expanded or `-` if
  /// collapsed, `*` if it is visible, and its identifier. Below level 32 the lines are not indented any further, and
  /// begin with the level as a number.
  ///
  /// - Complexity: O(*n*)
  public var visualDescription: String {
    var lines: [String] = []
    var visibleCount = 0
    var row = rows.makeIterator()
    forEachItem { item, isVisible in
      guard let row = row.next() else { return }
      if isVisible { visibleCount += 1 }
      let indent = String(repeating: "  ", count: min(row.level, 32))
      let depth = row.level > 32 ? "\(row.level) " : ""
      lines.append("\(indent)\(depth)\(row.isExpanded ? "+" : "-")\(isVisible ? "*" : " ") \(item)")
    }
    let header = "DiffableSectionSnapshot: \(numberOfItems) items, \(visibleCount) visible"
    return ([header] + lines).joined(separator: "\n")
  }

  func node(_ item: ItemID) throws(EditError) -> Node {
    guard let node = nodes[item] else { throw .unknownItem(item) }
    return node
  }
}

extension DiffableSectionSnapshot: CustomStringConvertible {
  /// The same as ``visualDescription``.
  public var description: String { visualDescription }
}
