/// An element of a tree, which has a weight: the number of items that it stands for.
@usableFromInline
protocol TreeElement: Sendable {
  /// The number of items that the element stands for: one for an item, its item count for a section.
  var weight: Int { get }
}

/// How many elements and children a node may have.
///
/// The sizes are measured: smaller leaves make iteration and memory worse, larger ones make edits slower. With
/// `LIVELISTS_TINY_NODES` nodes are so small that short test histories reach every case of splitting, merging
/// and relabelling.
@usableFromInline
enum TreeShape {
  /// How far is looked ahead where two sequences differ.
  @inlinable static var reach: Int { 6 }

  /// How far is gone at most to get two sequences in step again.
  @inlinable static var farReach: Int { 1024 }

  /// How many bytes a node takes itself, without its arrays.
  @inlinable static var nodeSize: Int { 88 }

  /// How many bytes of a leaf's elements are asked for before they are read. The processor foresees the rest.
  @inlinable static var bytesAhead: Int { 1024 }

  #if LIVELISTS_TINY_NODES
    @inlinable static var leafCapacity: Int { 4 }
    @inlinable static var innerCapacity: Int { 4 }
  #else
    @inlinable static var leafCapacity: Int { 128 }
    @inlinable static var innerCapacity: Int { 32 }
  #endif

  /// How many elements a leaf has where many are built at once. In full leaves each of the first edits would split one.
  @inlinable static var leafFilling: Int { leafCapacity - leafCapacity / 16 }
}

/// A node of an ``OrderTree``: a leaf with elements, or an inner node with children.
///
/// Every element has a label, and labels ascend through the tree; an element is found by its label, by descent.
///
/// Sendable although it can be changed: a node is written to only by code that has just proven, by
/// `isKnownUniquelyReferenced`, that nobody else holds it, and every path from the owner to it; a node that two
/// snapshots share is never written to again.
@usableFromInline
final class TreeNode<Element: TreeElement>: @unchecked Sendable {
  /// Zero for a leaf, else one more than its children's.
  @usableFromInline let height: Int
  /// The number of elements below.
  @exclusivity(unchecked) @usableFromInline var count: Int
  /// The sum of the weights of the elements below.
  @exclusivity(unchecked) @usableFromInline var weight: Int
  /// The label of the last element below.
  @exclusivity(unchecked) @usableFromInline var last: UInt64
  /// In a leaf the labels of the elements, in an inner node the first label below each child.
  @exclusivity(unchecked) @usableFromInline var labels: ContiguousArray<UInt64>
  /// The elements of a leaf.
  @exclusivity(unchecked) @usableFromInline var elements: ContiguousArray<Element>
  /// The children of an inner node.
  @exclusivity(unchecked) @usableFromInline var children: ContiguousArray<TreeNode>
  /// The number of elements below each child, so that a descent need not touch the children it passes.
  @exclusivity(unchecked) @usableFromInline var counts: ContiguousArray<Int>
  /// Where the arrays of a leaf that a batch made go when it does.
  @usableFromInline let pool: LeafPool<Element>?

  /// Creates a leaf.
  @inlinable
  init(
    labels: ContiguousArray<UInt64>, elements: ContiguousArray<Element>, pool: LeafPool<Element>? = nil
  ) {
    height = 0
    self.pool = pool
    count = elements.count
    weight = elements.reduce(0) { $0 + $1.weight }
    last = labels.last ?? 0
    self.labels = labels
    self.elements = elements
    children = []
    counts = []
  }

  /// Creates an inner node.
  @inlinable @inline(never)
  init(children: ContiguousArray<TreeNode>) {
    height = children[0].height + 1
    count = children.reduce(0) { $0 + $1.count }
    weight = children.reduce(0) { $0 + $1.weight }
    last = children[children.count - 1].last
    elements = []
    pool = nil
    self.children = children
    labels = []
    counts = []
    labels.reserveCapacity(children.count)
    counts.reserveCapacity(children.count)
    for child in children {
      labels.append(child.labels[0])
      counts.append(child.count)
    }
  }

  /// Creates an inner node of whose children all is known.
  @inlinable
  init(
    children: ContiguousArray<TreeNode>, labels: ContiguousArray<UInt64>, counts: ContiguousArray<Int>,
    weight: Int
  ) {
    height = children[0].height + 1
    count = counts.reduce(0, +)
    self.weight = weight
    last = children[children.count - 1].last
    self.labels = labels
    elements = []
    self.children = children
    self.counts = counts
    pool = nil
  }

  @inlinable @inline(never)
  init(copying node: TreeNode) {
    // Their references are about to be counted, here and where there are fewer again.
    if node.height > 0 { node.askForChildren() }
    height = node.height
    count = node.count
    weight = node.weight
    last = node.last
    children = node.children
    counts = node.counts
    pool = node.pool
    if node.height == 0 {
      // Room for one more than may stay, so that an insertion never makes the arrays grow beyond it. A leaf of few, as that of the
      // sections is, has room for as many again.
      let room = min(node.elements.count * 2, TreeShape.leafCapacity) + 1
      labels = []
      labels.reserveCapacity(room)
      labels.append(contentsOf: node.labels)
      elements = []
      elements.reserveCapacity(room)
      elements.append(contentsOf: node.elements)
    } else {
      labels = node.labels
      elements = []
    }
  }

  /// Asks for the first bytes of all children, where their references are counted.
  @inlinable @inline(never)
  func askForChildren() {
    children.withUnsafeBufferPointer { children in
      UnsafeRawBufferPointer(children).withMemoryRebound(to: UnsafeRawPointer.self) { children in
        if let first = children.baseAddress { MemoryHint.willCount(first, count: children.count) }
      }
    }
  }

  @inlinable
  deinit {
    if let pool { pool.give(&labels, &elements) }
  }

  @inlinable var isLeaf: Bool { height == 0 }

  /// The number of elements of a leaf or of children of an inner node.
  @inlinable var size: Int { isLeaf ? elements.count : children.count }

  @inlinable var capacity: Int { isLeaf ? TreeShape.leafCapacity : TreeShape.innerCapacity }

  /// The child below which a label belongs, or the first element of a leaf whose label is not less.
  @inlinable
  func childIndex(of label: UInt64) -> Int {
    (1..<max(1, labels.count)).partitionPoint { labels[$0] <= label } &- 1
  }

  /// The child of an inner node that has a position, which becomes that in the child; nil for a leaf.
  @inlinable
  func child(at position: inout Int) -> Unmanaged<TreeNode>? {
    TreeCounters.visit()
    if isLeaf { return nil }
    var index = 0
    while position >= counts[index] {
      position &-= counts[index]
      index &+= 1
    }
    return Unmanaged.passUnretained(children[index])
  }

  /// The child of an inner node below which a label belongs, for which the elements before it are added to a position;
  /// nil for a leaf.
  @inlinable
  func child(with label: UInt64, _ position: inout Int) -> Unmanaged<TreeNode>? {
    TreeCounters.visit()
    if isLeaf { return nil }
    let index = childIndex(of: label)
    for before in 0..<index { position &+= counts[before] }
    return Unmanaged.passUnretained(children[index])
  }

  /// The position in a leaf of the element with a label, or nil.
  @inlinable
  func elementIndex(of label: UInt64) -> Int? {
    guard !labels.isEmpty else { return nil }
    let index = childIndex(of: label)
    return labels[index] == label ? index : nil
  }

  /// Takes everything from an index on into a new node.
  @inlinable @inline(never)
  func split(at index: Int) -> TreeNode {
    let right: TreeNode
    if isLeaf {
      var rightLabels = ContiguousArray<UInt64>()
      rightLabels.reserveCapacity(TreeShape.leafCapacity + 1)
      rightLabels.append(contentsOf: labels[index...])
      var rightElements = ContiguousArray<Element>()
      rightElements.reserveCapacity(TreeShape.leafCapacity + 1)
      rightElements.append(contentsOf: elements[index...])
      right = TreeNode(labels: rightLabels, elements: rightElements)
      elements.removeSubrange(index...)
    } else {
      right = TreeNode(children: ContiguousArray(children[index...]))
      children.removeSubrange(index...)
      counts.removeSubrange(index...)
    }
    labels.removeSubrange(index...)
    count -= right.count
    weight -= right.weight
    last = isLeaf ? labels[index - 1] : children[index - 1].last
    return right
  }

  /// Puts everything of the node that follows at the end of this one.
  @inlinable @inline(never)
  func absorb(_ next: TreeNode) {
    labels.append(contentsOf: next.labels)
    elements.append(contentsOf: next.elements)
    children.append(contentsOf: next.children)
    counts.append(contentsOf: next.counts)
    count += next.count
    weight += next.weight
    last = next.last
  }
}
