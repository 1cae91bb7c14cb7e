/// A traversal of the elements of a tree.
@usableFromInline
struct TreeIterator<Element: TreeElement>: IteratorProtocol {
  // Beside the traversal and not in it: what is handed to a call is kept in memory, and these are to be kept in registers.
  /// The elements of this leaf that are still to come.
  @usableFromInline var start: UnsafePointer<Element>?
  @usableFromInline var end: UnsafePointer<Element>?
  @usableFromInline var leaves: LeafTraversal<Element>

  @inlinable
  init(_ tree: OrderTree<Element>) { leaves = LeafTraversal(tree) }

  @inlinable @inline(__always)
  mutating func next() -> Element? {
    if start == end {
      guard let leaf = leaves.next() else { return nil }
      (start, end) = leaf
    }
    defer { withExtendedLifetime(leaves.root) {} }
    let element = start.unsafelyUnwrapped
    start = element + 1
    return element.pointee
  }
}
