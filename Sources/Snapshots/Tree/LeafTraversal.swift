/// A traversal of the leaves of a tree.
///
/// It owns the root and nothing below it: nobody writes to a node that has another owner, nor to what is
/// below it. So nodes and elements are reached by plain pointers, and no reference is counted on the way; counting
/// would touch, and write to, a line of memory of every node.
@usableFromInline
struct LeafTraversal<Element: TreeElement> {
  @usableFromInline typealias Node = TreeNode<Element>
  /// The elements of a leaf, from the first to behind the last.
  @usableFromInline typealias Leaf = (start: UnsafePointer<Element>, end: UnsafePointer<Element>)

  @usableFromInline let root: Node?
  /// The inner nodes above the leaf ahead, with the index of the child that is being passed.
  @usableFromInline var path: ContiguousArray<(node: Unmanaged<Node>, index: Int)> = []
  /// The next leaf, whose elements are on their way.
  @usableFromInline var following: Leaf?
  /// The leaf after the next, which is on its way too: it has to be there before its elements can be asked for.
  @usableFromInline var ahead: Unmanaged<Node>?

  @inlinable
  init(_ tree: OrderTree<Element>) {
    root = tree.root
    guard let root else { return }
    descend(from: Unmanaged.passUnretained(root), height: root.height)
    _ = next()
  }

  /// The next leaf, if there is one. It is there for as long as the traversal is.
  @inlinable @inline(never)
  mutating func next() -> Leaf? {
    defer { withExtendedLifetime(root) {} }
    let leaf = following
    following = nil
    guard let node = ahead else { return leaf }
    // The count of the node, not that of the array: the array's lies beside its elements, which are not here yet.
    let (start, count) = node._withUnsafeGuaranteedRef { node in
      (node.elements.withUnsafeBufferPointer { $0.baseAddress }, node.count)
    }
    if let start {
      following = (start, start + count)
      let length = count &* MemoryLayout<Element>.stride
      MemoryHint.willRead(start, byteCount: min(length, TreeShape.bytesAhead))
    }
    ahead = nil
    while let (node, index) = path.last {
      let child: Unmanaged<Node>? = node._withUnsafeGuaranteedRef {
        index + 1 < $0.children.count ? Unmanaged.passUnretained($0.children[index + 1]) : nil
      }
      if let child {
        path[path.count &- 1].index = index + 1
        descend(from: child, height: node._withUnsafeGuaranteedRef { $0.height } - 1)
        break
      }
      path.removeLast()
    }
    return leaf
  }

  /// Finds the first leaf below a node and asks for it. The leaf itself is not looked at: that would mean to wait
  /// for it.
  @inlinable
  mutating func descend(from top: Unmanaged<Node>, height: Int) {
    var node = top
    for _ in 0..<height {
      path.append((node, 0))
      node = node._withUnsafeGuaranteedRef { Unmanaged.passUnretained($0.children[0]) }
    }
    TreeCounters.visit()
    MemoryHint.willRead(node.toOpaque(), byteCount: TreeShape.nodeSize)
    ahead = node
  }
}
