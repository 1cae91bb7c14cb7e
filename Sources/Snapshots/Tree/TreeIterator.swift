/// Walks the elements of a tree, a leaf at a time.
///
/// The iterator owns the root and nothing below it: nobody writes to a node that has another owner, nor to what is
/// below it. So nodes and elements are reached by plain pointers, and no reference is counted on the way; counting
/// would touch, and write to, a line of memory of every node.
@usableFromInline
struct TreeIterator<Element: TreeElement>: IteratorProtocol {
  @usableFromInline typealias Node = TreeNode<Element>

  @usableFromInline let root: Node?
  /// The inner nodes above the leaf ahead, with the index of the child that is being passed.
  @usableFromInline var path: ContiguousArray<(node: Unmanaged<Node>, index: Int)> = []
  /// The elements of this leaf that are still to come.
  @usableFromInline var start: UnsafePointer<Element>?
  @usableFromInline var end: UnsafePointer<Element>?
  /// The elements of the next leaf, which are on their way.
  @usableFromInline var nextStart: UnsafePointer<Element>?
  @usableFromInline var nextEnd: UnsafePointer<Element>?
  /// The leaf after the next, which is on its way too: it has to be there before its elements can be asked for.
  @usableFromInline var ahead: Unmanaged<Node>?

  @inlinable
  init(_ tree: OrderTree<Element>) {
    root = tree.root
    guard let root else { return }
    descend(from: Unmanaged.passUnretained(root), height: root.height)
    advance()
    advance()
  }

  @inlinable @inline(__always)
  mutating func next() -> Element? {
    if start == end, !advance() { return nil }
    return take()
  }

  /// The next element of this leaf, which must have one.
  @inlinable @inline(__always)
  mutating func take() -> Element {
    defer { withExtendedLifetime(root) {} }
    let place = start.unsafelyUnwrapped
    start = place + 1
    return place.pointee
  }

  /// Goes to the next leaf, if there is one.
  @inlinable @inline(never)
  @discardableResult
  mutating func advance() -> Bool {
    defer { withExtendedLifetime(root) {} }
    start = nextStart
    end = nextEnd
    nextStart = nil
    nextEnd = nil
    guard let leaf = ahead else { return start != nil }
    // The count of the node, not that of the array: the array's lies beside its elements, which are not here yet.
    let count = leaf._withUnsafeGuaranteedRef { leaf in
      leaf.elements.withUnsafeBufferPointer { nextStart = $0.baseAddress }
      return leaf.count
    }
    if let nextStart {
      nextEnd = nextStart + count
      let length = count &* MemoryLayout<Element>.stride
      MemoryHint.willRead(nextStart, byteCount: min(length, TreeShape.bytesAhead))
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
    return start != nil
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
    TreeMeter.visit()
    MemoryHint.willRead(node.toOpaque(), byteCount: TreeShape.nodeSize)
    ahead = node
  }
}
