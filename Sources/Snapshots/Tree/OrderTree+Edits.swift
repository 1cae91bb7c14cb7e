// MARK: Inserting

extension OrderTree {
  /// Puts elements in so that the first has this position, and reports the label of each of them, and of every
  /// element that had to be labelled anew.
  @inlinable
  mutating func insert<Elements: RandomAccessCollection<Element>>(
    _ new: Elements, at position: Int, assign: (Element, UInt64) -> Void
  ) {
    let total = new.count
    guard total > 0 else { return }
    let room = labels(for: total, at: position, assign: assign)
    var label = room.first
    if root == nil, total > 1 {
      self = OrderTree(new, first: room.first, step: room.step)
      for element in new {
        assign(element, label)
        label &+= room.step
      }
      return
    }
    var next = position
    for element in new {
      insert(element, label: label, at: next)
      assign(element, label)
      label &+= room.step
      next &+= 1
    }
  }

  /// Does the same with one element.
  @inlinable
  mutating func insert(_ element: Element, at position: Int, assign: (Element, UInt64) -> Void) {
    let label = labels(for: 1, at: position, assign: assign).first
    insert(element, label: label, at: position)
    assign(element, label)
  }

  /// Puts an element at the end, with a label that is greater than the last.
  @inlinable
  mutating func append(_ element: Element, label: UInt64) {
    if var top = root.take() {
      let isDone = Self.append(element, label: label, to: &top)
      root = top
      if isDone { return }
    }
    insert(element, label: label, at: count)
  }

  /// Puts an element into the last leaf if that has room, and nobody else holds a node on the way there; else
  /// changes nothing.
  @inlinable
  static func append(_ element: Element, label: UInt64, to node: inout Node) -> Bool {
    guard isKnownUniquelyReferenced(&node) else { return false }
    if node.isLeaf {
      guard node.elements.count < TreeShape.leafCapacity else { return false }
      node.labels.append(label)
      node.elements.append(element)
    } else {
      let index = node.children.count &- 1
      guard append(element, label: label, to: &node.children[index]) else { return false }
      node.counts[index] &+= 1
    }
    TreeCounters.visit()
    node.count &+= 1
    node.weight &+= element.weight
    node.last = label
    return true
  }

  @inlinable
  mutating func insert(_ element: Element, label: UInt64, at position: Int) {
    guard root != nil else {
      root = Node(labels: [label], elements: [element])
      return
    }
    // The root is taken out for the time of the edit, so that it stays uniquely referenced.
    guard var top = root.take() else { return }
    if let sibling = Self.insert(element, label: label, at: position, into: &top) {
      top = Node(children: [top, sibling])
    }
    root = top
  }

  /// Inserts below a node; returns the right half if the node had to be split.
  @inlinable
  static func insert(
    _ element: Element, label: UInt64, at position: Int, into node: inout Node
  ) -> Node? {
    TreeCounters.visit()
    if !isKnownUniquelyReferenced(&node) { node = Node(copying: node) }
    node.count &+= 1
    node.weight &+= element.weight
    if node.isLeaf {
      node.labels.insert(label, at: position)
      node.elements.insert(element, at: position)
      let size = node.elements.count
      node.last = node.labels[size &- 1]
      if size <= TreeShape.leafCapacity { return nil }
      // Elements that come one after the other fill their leaves.
      return node.split(at: position == size &- 1 ? size &- 1 : position == 0 ? 1 : size / 2)
    }
    var rest = position
    var index = 0
    let lastIndex = node.counts.count &- 1
    // What is appended goes to the last child at once: growing lists are common.
    if position == node.count &- 1 {
      index = lastIndex
      rest = node.counts[index]
    } else {
      while index < lastIndex, rest > node.counts[index] {
        rest &-= node.counts[index]
        index &+= 1
      }
    }
    let sibling = insert(element, label: label, at: rest, into: &node.children[index])
    node.counts[index] = node.children[index].count
    if rest == 0 { node.labels[index] = node.children[index].labels[0] }
    if let sibling {
      node.children.insert(sibling, at: index &+ 1)
      node.counts.insert(sibling.count, at: index &+ 1)
      node.labels.insert(sibling.labels[0], at: index &+ 1)
    }
    let size = node.children.count
    // An edit before the last child leaves the last label as it was; to look would fetch that child from memory.
    if index &+ 2 >= size { node.last = node.children[size &- 1].last }
    if size <= TreeShape.innerCapacity { return nil }
    return node.split(at: index &+ 2 >= size ? size &- 1 : size / 2)
  }
}

// MARK: Removing and changing

extension OrderTree {
  /// Takes out the element with a label, if there is one.
  @inlinable
  mutating func remove(label: UInt64) -> Element? {
    guard var top = root.take() else { return nil }
    let removed = Self.remove(label: label, from: &top)
    while !top.isLeaf, top.children.count == 1 { top = top.children[0] }
    root = top.count == 0 ? nil : top
    return removed
  }

  @inlinable
  static func remove(label: UInt64, from node: inout Node) -> Element? {
    TreeCounters.visit()
    if node.isLeaf {
      guard let index = node.elementIndex(of: label) else { return nil }
      if !isKnownUniquelyReferenced(&node) { node = Node(copying: node) }
      let removed = node.elements.remove(at: index)
      node.labels.remove(at: index)
      node.count &-= 1
      node.weight &-= removed.weight
      node.last = node.labels.last ?? 0
      return removed
    }
    let index = node.childIndex(of: label)
    let isLast = index == node.children.count &- 1
    if !isKnownUniquelyReferenced(&node) { node = Node(copying: node) }
    guard let removed = remove(label: label, from: &node.children[index]) else { return nil }
    node.count &-= 1
    node.weight &-= removed.weight
    let child = node.children[index]
    if child.count == 0 {
      node.children.remove(at: index)
      node.counts.remove(at: index)
      node.labels.remove(at: index)
    } else {
      node.counts[index] = child.count
      node.labels[index] = child.labels[0]
      if child.size < child.capacity / 2 { mergeChild(at: index, of: node) }
    }
    if isLast { node.last = node.children.last?.last ?? 0 }
    return removed
  }

  /// Joins a small child with a neighbour if both fit into one node with room to spare.
  @inlinable @inline(never)
  static func mergeChild(at index: Int, of node: Node) {
    let limit = node.children[index].capacity * 3 / 4
    let left: Int
    if index > 0, node.children[index - 1].size + node.children[index].size <= limit {
      left = index - 1
    } else if index + 1 < node.children.count,
      node.children[index].size + node.children[index + 1].size <= limit
    {
      left = index
    } else {
      return
    }
    let right = node.children.remove(at: left + 1)
    node.counts.remove(at: left + 1)
    node.labels.remove(at: left + 1)
    if !isKnownUniquelyReferenced(&node.children[left]) {
      node.children[left] = Node(copying: node.children[left])
    }
    node.children[left].absorb(right)
    node.counts[left] = node.children[left].count
  }

  /// Changes the element with a label, which must exist, in place.
  @inlinable
  mutating func update<Result>(label: UInt64, _ body: (inout Element) -> Result) -> Result? {
    guard var top = root.take() else { return nil }
    let result = Self.update(label: label, in: &top, body)
    root = top
    return result?.result
  }

  @inlinable
  static func update<Result>(
    label: UInt64, in node: inout Node, _ body: (inout Element) -> Result
  ) -> (result: Result, change: Int)? {
    TreeCounters.visit()
    if !isKnownUniquelyReferenced(&node) { node = Node(copying: node) }
    if node.isLeaf {
      guard let index = node.elementIndex(of: label) else { return nil }
      let before = node.elements[index].weight
      let result = body(&node.elements[index])
      let change = node.elements[index].weight - before
      node.weight += change
      return (result, change)
    }
    let index = node.childIndex(of: label)
    guard let result = update(label: label, in: &node.children[index], body) else { return nil }
    node.weight += result.change
    return result
  }
}
