/// Nodes that are to be children of one, and what is known of them without looking into them: those that were there
/// before may be in no cache.
@usableFromInline
struct Siblings<Element: TreeElement> {
  @usableFromInline typealias Node = TreeNode<Element>

  @usableFromInline var nodes = ContiguousArray<Node>()
  @usableFromInline var labels = ContiguousArray<UInt64>()
  @usableFromInline var counts = ContiguousArray<Int>()
  @usableFromInline var isNew = ContiguousArray<Bool>()
  @usableFromInline var weight: Int
  @usableFromInline let areLeaves: Bool

  /// Creates the children of a node, some of them replaced.
  @inlinable @inline(never)
  init(of node: Node, replacing replacements: ContiguousArray<BatchEditor<Element>.Replacement>) {
    weight = node.weight
    areLeaves = node.height == 1
    let room = node.children.count + replacements.reduce(0) { $0 + $1.nodes.count }
    nodes.reserveCapacity(room)
    labels.reserveCapacity(room)
    counts.reserveCapacity(room)
    isNew.reserveCapacity(room)
    var next = 0
    for index in node.counts.indices {
      if next < replacements.count, replacements[next].index == index {
        weight -= node.children[index].weight
        for new in replacements[next].nodes {
          weight += new.weight
          append(new, new.labels[0], new.count, isNew: true)
        }
        next += 1
      } else {
        append(node.children[index], node.labels[index], node.counts[index], isNew: false)
      }
    }
  }

  @inlinable
  mutating func append(_ node: Node, _ label: UInt64, _ count: Int, isNew: Bool) {
    nodes.append(node)
    labels.append(label)
    counts.append(count)
    self.isNew.append(isNew)
  }

  @inlinable
  func size(_ index: Int) -> Int { areLeaves ? counts[index] : nodes[index].children.count }

  /// Joins small nodes that are new, or beside one that is, with a neighbour where both fit into one with room to spare.
  @inlinable @inline(never)
  mutating func joinSmall() {
    let capacity = areLeaves ? TreeShape.leafCapacity : TreeShape.innerCapacity
    for index in nodes.indices.dropFirst().reversed() where isNew[index] || isNew[index - 1] {
      let (left, right) = (size(index - 1), size(index))
      guard min(left, right) < capacity / 2, left + right <= capacity * 3 / 4 else { continue }
      let joined = Node(copying: nodes[index - 1])
      joined.absorb(nodes[index])
      nodes[index - 1] = joined
      counts[index - 1] += counts[index]
      isNew[index - 1] = true
      nodes.remove(at: index)
      labels.remove(at: index)
      counts.remove(at: index)
      isNew.remove(at: index)
    }
  }

  /// As few nodes as can hold these as children; none where there are none.
  @inlinable @inline(never)
  consuming func parents() -> ContiguousArray<Node> {
    guard !nodes.isEmpty, nodes.count <= TreeShape.innerCapacity else {
      return BatchEditor.parents(of: nodes)
    }
    return [Node(children: nodes, labels: labels, counts: counts, weight: weight)]
  }
}
