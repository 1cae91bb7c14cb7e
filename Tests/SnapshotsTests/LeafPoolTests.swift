import Synchronization
import Testing

@testable import Snapshots

@Suite("Memory of leaves that are no more")
struct LeafPoolTests {
  typealias Tree = OrderTree<ItemElement<Int>>

  static func tree(_ items: Range<Int>) -> Tree {
    // Far apart: however often one position is written to, there is room for another label.
    Tree(items.map { ItemElement(id: $0) }, first: 1 << 48, step: 1 << 48)
  }

  /// Takes an element out of each so many, and puts another into the same position.
  static func exchange(every step: Int, in tree: inout Tree, _ model: inout [Int]) {
    var batch = TreeBatch<ItemElement<Int>>()
    for position in stride(from: 0, to: model.count, by: step) {
      let item = model[position] + 1_000_000
      batch.removed.append(position)
      batch.inserted.append(PositionedElement(element: ItemElement(id: item), position: position))
      model[position] = item
    }
    let labels = tree.edit(batch)
    #expect(!labels.contains(0))
  }

  static func items(_ tree: Tree) -> [Int] {
    var iterator = TreeIterator(tree)
    var items: [Int] = []
    while let element = iterator.next() { items.append(element.id) }
    return items
  }

  static func kept(_ tree: Tree) -> Int { tree.pool?.storage.withLock { $0.arrays.count } ?? 0 }

  @Test("What a batch replaces serves the next one, once nobody has it any more")
  func reuse() {
    let count = TreeShape.leafCapacity * 8
    var model = Array(0..<count)
    var tree = Self.tree(0..<count)
    do {
      let before = tree
      Self.exchange(every: TreeShape.leafCapacity, in: &tree, &model)
      #expect(Self.kept(tree) == 0)
      #expect(Self.items(before) == Array(0..<count))
    }
    #expect(Self.kept(tree) == 8)
    Self.exchange(every: TreeShape.leafCapacity, in: &tree, &model)
    // Taken for the new leaves, and given back by those that they replaced.
    #expect(Self.kept(tree) == 8)
    #expect(Self.items(tree) == model)
    let copy = tree
    Self.exchange(every: TreeShape.leafCapacity, in: &tree, &model)
    #expect(Self.kept(tree) == 0)
    #expect(Self.items(copy).map { $0 % 1_000_000 } == Array(0..<count))
    #expect(Self.items(tree) == model)
  }

  @Test("No more is kept than batches have needed of late")
  func bound() {
    let leaves = 64
    var model = Array(0..<TreeShape.leafFilling * leaves)
    var tree = Self.tree(0..<model.count)
    Self.exchange(every: 1, in: &tree, &model)
    Self.exchange(every: 1, in: &tree, &model)
    #expect(Self.kept(tree) == leaves)
    // Batches of one leaf, again and again, and then all that was held meanwhile goes.
    var held: Tree? = tree
    Self.exchange(every: 1, in: &tree, &model)
    for _ in 0..<40 { Self.exchange(every: model.count, in: &tree, &model) }
    #expect(Self.kept(tree) <= 8 && held?.count == model.count)
    held = nil
    #expect(Self.kept(tree) <= 8)
    let isRight = Self.items(tree) == model
    #expect(isRight)
  }

  @Test("Copies that several tasks edit share the memory, and nothing else")
  func tasks() async {
    let count = TreeShape.leafCapacity * 16
    var model = Array(0..<count)
    var tree = Self.tree(0..<count)
    Self.exchange(every: TreeShape.leafCapacity, in: &tree, &model)
    let (start, items) = (tree, model)
    let areRight = await withTaskGroup(of: Bool.self) { group in
      for number in 1...4 {
        group.addTask {
          var (tree, model) = (start, items)
          for round in 0..<12 {
            Self.exchange(every: TreeShape.leafCapacity / 4 * number + round, in: &tree, &model)
          }
          return Self.items(tree) == model
        }
      }
      return await group.reduce(true) { $0 && $1 }
    }
    #expect(areRight)
    #expect(Self.items(start) == items)
  }

  @Test("A short tree keeps no more room than it needs")
  func short() {
    let tree = Self.tree(0..<3)
    #expect(tree.pool == nil)
    #expect(tree.root.map { $0.elements.capacity } ?? 0 < TreeShape.leafCapacity + 1)
  }
}
