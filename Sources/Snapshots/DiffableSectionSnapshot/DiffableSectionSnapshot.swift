/// The outline of one section: items that have children, to any depth, each expanded or collapsed.
///
/// The items are unique in the whole outline. A snapshot is a value: a copy is independent of the original.
/// Unlike ``DiffableSnapshot``, adding an item that is there already is an error, and so is deleting one that
/// is not; and two outlines with different items expanded are not equal.
public struct DiffableSectionSnapshot<ItemID: Hashable & Sendable>: Sendable {
  /// What an edit throws: a ``SnapshotError`` that never speaks of sections.
  public typealias EditError = SnapshotError<Never, ItemID>

  /// What is known of an item besides its place.
  struct Node: Sendable, Hashable {
    var index: Int
    var level: Int
    var parent: ItemID?
    var isExpanded = false
  }

  /// All items, a parent directly before its descendants.
  public internal(set) var items: [ItemID] = []
  /// Where to find each item; `items[nodes[id].index] == id`.
  var nodes: [ItemID: Node] = [:]

  /// Creates an empty outline.
  public init() {}
}

extension DiffableSectionSnapshot: Hashable {
  /// Whether both have the same items in the same tree, and the same of them expanded.
  ///
  /// - Complexity: O(*n*)
  public static func == (lhs: Self, rhs: Self) -> Bool {
    lhs.items == rhs.items && lhs.nodes == rhs.nodes
  }

  /// Hashes the items, their levels and whether they are expanded.
  ///
  /// - Complexity: O(*n*)
  public func hash(into hasher: inout Hasher) {
    hasher.combine(items.count)
    for item in items {
      hasher.combine(item)
      hasher.combine(nodes[item]?.level)
      hasher.combine(nodes[item]?.isExpanded)
    }
  }
}

// MARK: Queries

extension DiffableSectionSnapshot {
  /// The items without a parent, in order.
  ///
  /// - Complexity: O(*n*)
  public var rootItems: [ItemID] { items.filter { nodes[$0]?.level == 0 } }

  /// The items whose every ancestor is expanded, in order: what a list shows.
  ///
  /// - Complexity: O(*n*)
  public var visibleItems: [ItemID] {
    var visible: [ItemID] = []
    // While passing over the descendants of a collapsed item, its level.
    var hiddenBelow: Int?
    for item in items {
      guard let node = nodes[item] else { continue }
      if let level = hiddenBelow {
        if node.level > level { continue }
        hiddenBelow = nil
      }
      visible.append(item)
      if !node.isExpanded { hiddenBelow = node.level }
    }
    return visible
  }

  /// The expanded items, in the order of ``items``.
  ///
  /// - Complexity: O(*n*)
  public var expandedItems: [ItemID] { items.filter { nodes[$0]?.isExpanded == true } }

  /// Whether the outline has an item.
  ///
  /// - Complexity: O(1)
  public func contains(_ item: ItemID) -> Bool { nodes[item] != nil }

  /// The position of an item in ``items``, or nil.
  ///
  /// - Complexity: O(1)
  public func index(of item: ItemID) -> Int? { nodes[item]?.index }

  /// Whether an item is expanded; it need not be visible, or have children, to be so.
  ///
  /// - Throws: ``SnapshotError/unknownItem(_:)``.
  /// - Complexity: O(1)
  public func isExpanded(_ item: ItemID) throws(EditError) -> Bool { try node(item).isExpanded }

  /// Whether every ancestor of an item is expanded.
  ///
  /// - Throws: ``SnapshotError/unknownItem(_:)``.
  /// - Complexity: O(*level*)
  public func isVisible(_ item: ItemID) throws(EditError) -> Bool {
    var parent = try node(item).parent
    while let ancestor = parent, let node = nodes[ancestor] {
      if !node.isExpanded { return false }
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
  /// - Complexity: O(*k*) in the number of descendants.
  public func snapshot(of parent: ItemID, includingParent: Bool = false) throws(EditError) -> Self {
    let top = try node(parent)
    let first = includingParent ? top.index : top.index + 1
    var result = Self()
    for item in items[first..<end(of: top)] {
      guard var node = nodes[item] else { continue }
      node.index -= first
      node.level -= includingParent ? top.level : top.level + 1
      if node.level == 0 { node.parent = nil }
      result.items.append(item)
      result.nodes[item] = node
    }
    return result
  }

  /// A readable picture: a header, then one line an item, two spaces a level, `+` if it is expanded or `-` if
  /// collapsed, `*` if it is visible, and its identifier.
  ///
  /// - Complexity: O(*n*)
  public var visualDescription: String {
    let visible = Set(visibleItems)
    var lines = ["DiffableSectionSnapshot: \(items.count) items, \(visible.count) visible"]
    for item in items {
      guard let node = nodes[item] else { continue }
      let indent = String(repeating: "  ", count: node.level)
      lines.append("\(indent)\(node.isExpanded ? "+" : "-")\(visible.contains(item) ? "*" : " ") \(item)")
    }
    return lines.joined(separator: "\n")
  }

  func node(_ item: ItemID) throws(EditError) -> Node {
    guard let node = nodes[item] else { throw .unknownItem(item) }
    return node
  }

  /// One past the last descendant of a node.
  func end(of node: Node) -> Int {
    var end = node.index + 1
    while end < items.count, let next = nodes[items[end]], next.level > node.level { end += 1 }
    return end
  }
}

extension DiffableSectionSnapshot: CustomStringConvertible {
  /// The same as ``visualDescription``.
  public var description: String { visualDescription }
}
