/// Elements to take out of a tree and to put into it in one go.
///
/// All positions are those before the edit.
@usableFromInline
struct TreeBatch<Element: TreeElement> {
  /// The positions of the elements to take out, ascending.
  @usableFromInline var removed: ContiguousArray<Int> = []
  /// The elements to put in, each before the one at a position, ascending; those before the same one in their order.
  @usableFromInline var inserted: ContiguousArray<PositionedElement<Element>> = []

  @inlinable
  init() {}
}

extension TreeNode {
  /// Creates a copy of an inner node in which some children are replaced.
  ///
  /// The other children are not read: they may be in no cache.
  @inlinable @inline(never)
  convenience init(
    copying node: TreeNode, replacing replacements: ContiguousArray<BatchEditor<Element>.Replacement>
  ) {
    self.init(copying: node)
    for (index, nodes) in replacements {
      let (old, new) = (children[index], nodes[0])
      count += new.count - old.count
      weight += new.weight - old.weight
      children[index] = new
      counts[index] = new.count
      labels[index] = new.labels[0]
      if index == children.count - 1 { last = new.last }
    }
  }
}

extension OrderTree {
  /// Performs a batch. Every node on the way to an edit is made anew once, however many edits are below it.
  ///
  /// - Returns: The labels that the inserted elements were given; 0 for those between whose neighbours there was no
  ///   room. These are not put in.
  /// - Complexity: O(*k* log *n*) for *k* edits; O(*n*) at most.
  @inlinable @inline(never)
  mutating func edit(_ batch: TreeBatch<Element>) -> ContiguousArray<UInt64> {
    let pool = pool ?? LeafPool()
    self.pool = pool
    var editor = BatchEditor(batch, total: count, pool: pool)
    guard let top = root else { return fill(batch) }
    var level = editor.edit(top, start: 0, low: 0)
    while level.count > 1 { level = BatchEditor.parents(of: level) }
    root = level.first
    while let node = root, !node.isLeaf, node.children.count == 1 { root = node.children[0] }
    pool.endBatch()
    return editor.labels
  }
}

extension OrderTree {
  /// Performs a batch in an empty tree. It is rare, and not compiled anew for each kind of element.
  @usableFromInline @inline(never) @_semantics("optimize.sil.specialize.generic.never")
  mutating func fill(_ batch: TreeBatch<Element>) -> ContiguousArray<UInt64> {
    let step = LabelSpace.step(for: batch.inserted.count)
    let first = LabelSpace.first(for: batch.inserted.count)
    self = OrderTree(batch.inserted.map { $0.element }, first: first, step: step)
    return ContiguousArray(batch.inserted.indices.map { first + step * UInt64($0) })
  }
}

/// A traversal of a tree and a batch side by side.
@usableFromInline
struct BatchEditor<Element: TreeElement> {
  @usableFromInline typealias Node = TreeNode<Element>
  /// The nodes that replace the child at an index; none if the child is removed.
  @usableFromInline typealias Replacement = (index: Int, nodes: ContiguousArray<Node>)

  @usableFromInline let batch: TreeBatch<Element>
  /// The elements before the edit.
  @usableFromInline let total: Int
  @usableFromInline let pool: LeafPool<Element>
  @usableFromInline var labels: ContiguousArray<UInt64>
  /// The first edits that are still to be performed.
  @usableFromInline var nextRemoved = 0
  @usableFromInline var nextInserted = 0

  @inlinable
  init(_ batch: TreeBatch<Element>, total: Int, pool: LeafPool<Element>) {
    self.batch = batch
    self.total = total
    self.pool = pool
    labels = ContiguousArray(repeating: 0, count: batch.inserted.count)
  }

  /// Whether an edit is before a position, or at it where the tree ends there.
  @inlinable
  func hasEdits(before end: Int) -> Bool {
    if nextRemoved < batch.removed.count, batch.removed[nextRemoved] < end { return true }
    return nextInserted < batch.inserted.count
      && (batch.inserted[nextInserted].position < end || end == total)
  }

  /// Edits what is below a node, which stays as it is.
  ///
  /// - Parameters:
  ///   - node: The node.
  ///   - start: The position of its first element.
  ///   - low: The label of the element before that; 0 where there is none.
  /// - Returns: The nodes that replace it: none where all elements are removed, several where they are too many for one.
  @inlinable @inline(never)
  mutating func edit(_ node: Node, start: Int, low: UInt64) -> ContiguousArray<Node> {
    TreeCounters.visit()
    if node.isLeaf { return editLeaf(node, start: start, low: low) }
    if node.height == 1 { askForChildren(of: node) }
    var replacements: ContiguousArray<Replacement> = []
    var position = start
    var isEven = true
    for index in node.counts.indices {
      let end = position + node.counts[index]
      if hasEdits(before: end) {
        if node.height == 1 { askForNextLeaf(of: node, after: index, end: end) }
        let before = index > 0 ? node.children[index - 1].last : low
        let nodes = edit(node.children[index], start: position, low: before)
        if nodes.count != 1 || nodes[0].size < nodes[0].capacity / 2 { isEven = false }
        replacements.append((index, nodes))
      }
      position = end
    }
    if isEven { return [Node(copying: node, replacing: replacements)] }
    var siblings = Siblings(of: node, replacing: replacements)
    siblings.joinSmall()
    return siblings.parents()
  }

  // Leaves lie all over the memory. They are copied sooner where the next one is on its way meanwhile, and before it
  // its node, which says where it is.

  @inlinable
  func askForChildren(of node: Node) {
    for child in node.children {
      MemoryHint.willRead(Unmanaged.passUnretained(child).toOpaque(), byteCount: TreeShape.nodeSize)
    }
  }

  /// Prefetches the next leaf to be edited.
  /// - Parameters:
  ///   - index: The index of the leaf that is edited now.
  ///   - end: The position behind it.
  @inlinable @inline(never)
  func askForNextLeaf(of node: Node, after index: Int, end: Int) {
    var (removal, insertion) = (nextRemoved, nextInserted)
    while removal < batch.removed.count, batch.removed[removal] < end { removal += 1 }
    while insertion < batch.inserted.count, batch.inserted[insertion].position < end { insertion += 1 }
    let next = min(
      removal < batch.removed.count ? batch.removed[removal] : .max,
      insertion < batch.inserted.count ? batch.inserted[insertion].position : .max)
    var position = end
    for other in index + 1..<max(index + 1, node.counts.count) {
      position += node.counts[other]
      guard next < position else { continue }
      node.children[other].labels.withUnsafeBytes { MemoryHint.willRead($0) }
      node.children[other].elements.withUnsafeBytes { MemoryHint.willRead($0) }
      return
    }
  }

  /// As few nodes as can hold these as children, evenly filled.
  @inlinable @inline(never)
  static func parents(of nodes: ContiguousArray<Node>) -> ContiguousArray<Node> {
    let count = (nodes.count + TreeShape.innerCapacity - 1) / TreeShape.innerCapacity
    if count <= 1 { return nodes.isEmpty ? [] : [Node(children: nodes)] }
    return ContiguousArray(
      (0..<count).map { number in
        Node(
          children: ContiguousArray(nodes[nodes.count * number / count..<nodes.count * (number + 1) / count]))
      })
  }

  @inlinable @inline(never)
  mutating func editLeaf(_ leaf: Node, start: Int, low: UInt64) -> ContiguousArray<Node> {
    let end = start + leaf.count
    var writer = LeafWriter<Element>(count: leaf.count + change(before: end), pool: pool)
    var passed = 0
    var before = low
    // From one edit to the next; what lies between is taken over in one piece.
    while hasEdits(before: end) {
      let removal = nextRemoved < batch.removed.count ? batch.removed[nextRemoved] : .max
      let insertion = nextInserted < batch.inserted.count ? batch.inserted[nextInserted].position : .max
      let next = min(removal, insertion) - start
      if next > passed {
        writer.append(leaf, passed..<next)
        before = leaf.labels[next - 1]
        passed = next
      }
      if insertion <= removal {
        // An element before which something is put keeps its label until it is passed, removed or not.
        let high = passed < leaf.count ? leaf.labels[passed] : LabelSpace.end
        insert(at: insertion, low: before, high: high, &writer)
      } else {
        before = leaf.labels[passed]
        passed += 1
        nextRemoved += 1
      }
    }
    writer.append(leaf, passed..<leaf.count)
    return writer.finish()
  }

  /// How many elements more there will be before a position than there are, if all can be put in.
  @inlinable @inline(never)
  func change(before end: Int) -> Int {
    var (removal, insertion) = (nextRemoved, nextInserted)
    while removal < batch.removed.count, batch.removed[removal] < end { removal += 1 }
    while insertion < batch.inserted.count, batch.inserted[insertion].position < end || end == total {
      insertion += 1
    }
    return insertion - nextInserted - (removal - nextRemoved)
  }

  /// Puts in all elements that are to be before a position.
  @inlinable @inline(never)
  mutating func insert(at position: Int, low: UInt64, high: UInt64, _ writer: inout LeafWriter<Element>) {
    let first = nextInserted
    while nextInserted < batch.inserted.count, batch.inserted[nextInserted].position == position {
      nextInserted += 1
    }
    let count = nextInserted - first
    var step = (high - low) / UInt64(count + 1)
    var label = low + step
    // At the ends of the list there is room without bound, and what comes next needs some, too.
    let usual = LabelSpace.step(for: total + count)
    if position == total {
      step = min(step, usual)
      label = low + step
    } else if position == 0 {
      step = min(step, usual)
      label = high - step * UInt64(count)
    }
    if step == 0 { return }
    for number in first..<nextInserted {
      writer.append(batch.inserted[number].element, label)
      labels[number] = label
      label += step
    }
  }
}
