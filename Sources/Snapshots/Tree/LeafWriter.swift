/// Writes elements into as few leaves as can hold them, evenly filled: each is written once, into the leaf where it stays.
@usableFromInline
struct LeafWriter<Element: TreeElement> {
  @usableFromInline typealias Node = TreeNode<Element>

  /// The number of elements that may come.
  @usableFromInline let total: Int
  /// The number of leaves for them.
  @usableFromInline let parts: Int
  /// The pool of arrays for leaves.
  @usableFromInline let pool: LeafPool<Element>
  @usableFromInline var nodes: ContiguousArray<Node> = []
  /// The leaf that is being written, and how many elements it takes.
  @usableFromInline var labels: ContiguousArray<UInt64> = []
  @usableFromInline var elements: ContiguousArray<Element> = []
  @usableFromInline var size = 0

  /// - Parameter count: The number of elements; fewer may come.
  @inlinable
  init(count: Int, pool: LeafPool<Element>) {
    total = count
    self.pool = pool
    parts = (count + TreeShape.leafCapacity - 1) / TreeShape.leafCapacity
    if parts > 0 { begin() }
  }

  @inlinable @inline(never)
  mutating func begin() {
    size = total * (nodes.count + 1) / parts - total * nodes.count / parts
    if let arrays = pool.take() {
      (labels, elements) = arrays
      return
    }
    // A leaf that is written to later never grows beyond one more than it may have.
    labels.reserveCapacity(TreeShape.leafCapacity + 1)
    elements.reserveCapacity(TreeShape.leafCapacity + 1)
  }

  @inlinable @inline(never)
  mutating func end() {
    nodes.append(Node(labels: labels, elements: elements, pool: pool))
    labels = []
    elements = []
  }

  /// Goes on to the next leaf where one is full.
  @inlinable
  mutating func makeRoom() {
    guard elements.count == size else { return }
    end()
    begin()
  }

  @inlinable
  mutating func append(_ element: Element, _ label: UInt64) {
    makeRoom()
    labels.append(label)
    elements.append(element)
  }

  /// Appends some elements of a leaf.
  @inlinable @inline(never)
  mutating func append(_ leaf: Node, _ range: Range<Int>) {
    var start = range.lowerBound
    while start < range.upperBound {
      makeRoom()
      let end = min(range.upperBound, start + size - elements.count)
      // By the buffers: slices of the arrays would each own them for a while.
      leaf.labels.withUnsafeBufferPointer {
        labels.append(contentsOf: UnsafeBufferPointer(rebasing: $0[start..<end]))
      }
      leaf.elements.withUnsafeBufferPointer {
        elements.append(contentsOf: UnsafeBufferPointer(rebasing: $0[start..<end]))
      }
      start = end
    }
  }

  @inlinable @inline(never)
  consuming func finish() -> ContiguousArray<Node> {
    if !elements.isEmpty { end() }
    return nodes
  }
}
