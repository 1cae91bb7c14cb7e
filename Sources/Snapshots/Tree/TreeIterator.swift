/// Walks the elements of a tree, a leaf at a time.
///
/// The iterator owns the root and nothing below it: nobody writes to a node that has another owner, nor to what is
/// below it. So nodes and elements are reached by plain pointers, and no reference is counted on the way; counting
/// would touch, and write to, a line of memory of every node.
@usableFromInline
struct TreeIterator<Element: TreeElement>: IteratorProtocol {
  @usableFromInline typealias Node = TreeNode<Element>

  @usableFromInline let root: Node?
  /// The inner nodes above, with the index of the child that is being passed.
  @usableFromInline var path: ContiguousArray<(node: Unmanaged<Node>, index: Int)> = []
  /// The elements of this leaf that are still to come.
  @usableFromInline var start: UnsafePointer<Element>?
  @usableFromInline var end: UnsafePointer<Element>?
  /// The elements of the next leaf. They are asked for a leaf early, so that memory has time to answer.
  @usableFromInline var nextStart: UnsafePointer<Element>?
  @usableFromInline var nextEnd: UnsafePointer<Element>?

  @inlinable
  init(_ tree: OrderTree<Element>) {
    root = tree.root
    guard let root else { return }
    descend(from: Unmanaged.passUnretained(root))
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
    while let (node, index) = path.popLast() {
      let child: Unmanaged<Node>? = node._withUnsafeGuaranteedRef {
        index + 1 < $0.children.count ? Unmanaged.passUnretained($0.children[index + 1]) : nil
      }
      if let child {
        path.append((node, index + 1))
        descend(from: child)
        break
      }
    }
    return start != nil
  }

  /// Finds the first leaf of a subtree and makes it the next.
  @inlinable
  mutating func descend(from top: Unmanaged<Node>) {
    var node = top
    while true {
      let child: Unmanaged<Node>? = node._withUnsafeGuaranteedRef {
        $0.isLeaf ? nil : Unmanaged.passUnretained($0.children[0])
      }
      guard let child else { break }
      path.append((node, 0))
      node = child
    }
    TreeMeter.visit()
    node._withUnsafeGuaranteedRef { leaf in
      leaf.elements.withUnsafeBufferPointer { elements in
        nextStart = elements.baseAddress
        nextEnd = elements.baseAddress.map { $0 + elements.count }
      }
    }
  }
}
