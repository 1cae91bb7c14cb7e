/// A persistent sequence: copies share all nodes, an edit copies only the nodes on the path to its position.
///
/// Every element carries a label; labels ascend. They survive edits elsewhere, so an element's label
/// leads to its position by descent, and two trees with a common ancestor can be compared by label while
/// everything that they share is skipped. Labels are handed out with gaps between them; where a gap is used
/// up, a neighbourhood is labelled anew, and the owner is notified.
@usableFromInline
struct OrderTree<Element: TreeElement>: Sendable {
  @usableFromInline typealias Node = TreeNode<Element>

  @usableFromInline var root: Node?
  /// The memory of leaves for the next batch, which all copies of the tree share.
  @usableFromInline var pool: LeafPool<Element>?

  @inlinable
  init() {}

  @inlinable var count: Int { root?.count ?? 0 }
  @inlinable var weight: Int { root?.weight ?? 0 }

  /// Creates a tree with elements `first`, `first + step`, … as labels.
  @inlinable
  init<Elements: Collection<Element>>(_ source: Elements, first: UInt64, step: UInt64) {
    let total = source.count
    guard total > 0 else { return }
    let leaves = (total + TreeShape.leafFilling - 1) / TreeShape.leafFilling
    var level = ContiguousArray<Node>()
    level.reserveCapacity(leaves)
    var start = source.startIndex
    var label = first
    for number in 0..<leaves {
      let size = total * (number + 1) / leaves - total * number / leaves
      let end = source.index(start, offsetBy: size)
      let isFull = size >= TreeShape.leafCapacity * 7 / 8 && leaves > 1
      if isFull && pool == nil { pool = LeafPool() }
      let room = isFull ? TreeShape.leafCapacity + 1 : size
      var elements = ContiguousArray<Element>()
      elements.reserveCapacity(room)
      elements.append(contentsOf: source[start..<end])
      let labels = ContiguousArray<UInt64>(unsafeUninitializedCapacity: room) { buffer, count in
        for index in 0..<size {
          buffer.initializeElement(at: index, to: label)
          label &+= step
        }
        count = size
      }
      level.append(Node(labels: labels, elements: elements, pool: isFull ? pool : nil))
      start = end
    }
    while level.count > 1 {
      let parents = (level.count + TreeShape.innerCapacity - 1) / TreeShape.innerCapacity
      var next = ContiguousArray<Node>()
      next.reserveCapacity(parents)
      for number in 0..<parents {
        let range = level.count * number / parents..<level.count * (number + 1) / parents
        next.append(Node(children: ContiguousArray(level[range])))
      }
      level = next
    }
    root = level[0]
  }
}

// MARK: Looking up

extension OrderTree {
  /// The position of the element with a label, and the element.
  @inlinable
  func find(label: UInt64) -> (position: Int, element: Element)? {
    guard let root else { return nil }
    defer { withExtendedLifetime(root) {} }
    var leaf = Unmanaged.passUnretained(root)
    var position = 0
    while let child = leaf._withUnsafeGuaranteedRef({ $0.child(with: label, &position) }) { leaf = child }
    return leaf._withUnsafeGuaranteedRef { leaf in
      leaf.elementIndex(of: label).map { (position + $0, leaf.elements[$0]) }
    }
  }

  /// The sum of the weights of all elements with smaller labels.
  @inlinable
  func weight(before label: UInt64) -> Int {
    guard var node = root else { return 0 }
    var weight = 0
    while !node.isLeaf {
      TreeCounters.visit()
      let index = node.childIndex(of: label)
      for before in 0..<index { weight &+= node.children[before].weight }
      node = node.children[index]
    }
    TreeCounters.visit()
    for index in node.elements.indices where node.labels[index] < label {
      weight &+= node.elements[index].weight
    }
    return weight
  }

  /// The element at a position, which must exist, and its label.
  @inlinable
  subscript(position: Int) -> (element: Element, label: UInt64) {
    withLeaf(at: position) { ($0.elements[$1], $0.labels[$1]) }
  }

  /// Calls a closure with the leaf that has a position, which must exist, and the position in the leaf. Nothing
  /// becomes an owner of anything on the way, which would take longer than the way.
  @inlinable
  func withLeaf<Result>(at position: Int, _ body: (Node, Int) -> Result) -> Result {
    guard let root else { preconditionFailure("There is nothing at position \(position).") }
    defer { withExtendedLifetime(root) {} }
    var leaf = Unmanaged.passUnretained(root)
    var rest = position
    while let child = leaf._withUnsafeGuaranteedRef({ $0.child(at: &rest) }) { leaf = child }
    return leaf._withUnsafeGuaranteedRef { body($0, rest) }
  }

  /// The element within which a weight lies, and how far within it.
  @inlinable
  func element(atWeight weight: Int) -> (element: Element, rest: Int) {
    guard var node = root else { preconditionFailure("There is nothing at position \(weight).") }
    var rest = weight
    while !node.isLeaf {
      TreeCounters.visit()
      var index = 0
      while rest >= node.children[index].weight {
        rest &-= node.children[index].weight
        index &+= 1
      }
      node = node.children[index]
    }
    TreeCounters.visit()
    var index = 0
    while rest >= node.elements[index].weight {
      rest &-= node.elements[index].weight
      index &+= 1
    }
    return (node.elements[index], rest)
  }
}
