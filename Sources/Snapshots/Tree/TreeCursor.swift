/// A position in a tree, and the largest subtree that starts there: it can be skipped as a whole or entered.
///
/// Steps from node to node are never inlined: comparisons take them in many lines, and are compiled anew for each kind of element.
@usableFromInline
struct TreeCursor<Element: TreeElement> {
  @usableFromInline typealias Node = TreeNode<Element>

  /// The inner nodes above, with the index of the child that is being passed.
  @usableFromInline var path: ContiguousArray<(node: Node, index: Int)> = []
  /// The subtree ahead; nil at the end.
  @usableFromInline var current: Node?
  /// In a leaf, how many of its elements are passed already.
  @usableFromInline var offset = 0
  /// The number of elements passed.
  @usableFromInline var position = 0

  @inlinable
  init(_ tree: OrderTree<Element>) { current = tree.root }

  /// Goes to the first child of the subtree ahead, which must be an inner node.
  @inlinable @inline(never)
  mutating func enter() {
    guard let node = current else { return }
    TreeCounters.visit()
    path.append((node, 0))
    current = node.children[0]
  }

  /// Passes over the rest of the subtree ahead.
  @inlinable @inline(never)
  mutating func skip() {
    guard let node = current else { return }
    TreeCounters.visit()
    position += node.count - offset
    offset = 0
    current = nil
    while let (node, index) = path.popLast() {
      if index + 1 < node.children.count {
        path.append((node, index + 1))
        current = node.children[index + 1]
        return
      }
    }
  }

  /// Passes over some elements of the leaf ahead.
  @inlinable
  mutating func pass(_ count: Int) {
    guard let node = current else { return }
    if offset + count == node.count {
      skip()
    } else {
      offset += count
      position += count
    }
  }
}

extension OrderTree {
  /// Calls a closure with each leaf, in order.
  @inlinable
  func forEachLeaf(_ body: (Node) -> Void) {
    guard let root else { return }
    Self.forEachLeaf(of: root, body)
  }

  @inlinable
  static func forEachLeaf(of node: Node, _ body: (Node) -> Void) {
    TreeCounters.visit()
    if node.isLeaf { return body(node) }
    for child in node.children { forEachLeaf(of: child, body) }
  }

  /// Whether both trees have the same elements in the same order; what they share is skipped.
  @inlinable
  func hasSameElements(as other: Self, by isSame: (Element, Element) -> Bool) -> Bool {
    guard count == other.count else { return false }
    var left = TreeCursor(self)
    var right = TreeCursor(other)
    while let a = left.current, let b = right.current {
      if a === b, left.offset == 0, right.offset == 0 {
        left.skip()
        right.skip()
      } else if a.height > b.height {
        left.enter()
      } else if a.height < b.height {
        right.enter()
      } else if !a.isLeaf {
        left.enter()
        right.enter()
      } else {
        let length = min(a.count - left.offset, b.count - right.offset)
        for index in 0..<length
        where !isSame(a.elements[left.offset + index], b.elements[right.offset + index]) {
          return false
        }
        left.pass(length)
        right.pass(length)
      }
    }
    return true
  }
}
