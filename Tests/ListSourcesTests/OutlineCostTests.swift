import ListSources
import _TestTools
import Snapshots
import Testing

/// The cost of applying where sections have trees, held against counts and not against the clock.
@Suite("The cost of outlines in a list, counted")
struct OutlineCostTests {
  /// A view that looks at nothing, so that what is counted is the data source's.
  final class View: ListTarget {
    nonisolated(nonsending) func reload(_ update: ListUpdate<Int, CountedID, Int>) async throws {}
    nonisolated(nonsending) func perform(_ update: ListUpdate<Int, CountedID, Int>) async throws {}
  }

  typealias Tree = DiffableSectionSnapshot<CountedID>

  let tally = CountedID.Tally()

  private func id(_ number: Int) -> CountedID { CountedID(number: number, tally: tally) }

  private func source(_ tree: Tree) async -> DiffableDataSource<View> {
    let source = DiffableDataSource(target: View()) { $0.number }
    await source.apply(tree, to: 0)
    return source
  }

  /// How often identifiers are hashed or compared, whichever is more.
  private func cost(_ body: () async throws -> Void) async rethrows -> Int {
    let before = tally.counts
    try await body()
    return max(tally.counts.hashes - before.hashes, tally.counts.comparisons - before.comparisons)
  }

  /// A root with many children of which one hides a child.
  private func wide(_ count: Int) throws -> Tree {
    var tree = Tree()
    try tree.append([id(-1)])
    try tree.append(tally.ids(0..<count), to: id(-1))
    try tree.append([id(-2)], to: id(count / 2))
    tree.expand([id(-1)])
    return tree
  }

  @Test(
    "A root with many children, of which one hides a child: one move is linear", arguments: [1000, 16_000])
  func oneMove(count: Int) async throws {
    let source = await source(try wide(count))
    var next = source.snapshot()
    try next.moveItem(id(count - 1), beforeItem: id(3))
    let cost = await self.cost { await source.apply(next) }
    #expect(cost <= count * 16)
    let tree = source.snapshot(for: 0)
    #expect(tree.visibleItems == next.itemIdentifiers)
    #expect(try tree.parent(of: id(count - 1)) == id(-1))
    #expect(try tree.parent(of: id(-2)) == id(count / 2))
  }

  @Test("Every child hides one, half of them are gone, and some come: linear", arguments: [500, 4000])
  func manyHidden(count: Int) async throws {
    var tree = Tree()
    try tree.append(tally.ids(0..<count))
    for number in 0..<count { try tree.append([id(count + number)], to: id(number)) }
    let source = await source(tree)
    var next = source.snapshot()
    next.deleteItems(tally.ids(stride(from: 0, to: count, by: 2)))
    try next.appendItems(tally.ids([count, count + 1, -1]))
    let cost = await self.cost { await source.apply(next) }
    #expect(cost <= count * 60)
    let result = source.snapshot(for: 0)
    #expect(result.visibleItems == next.itemIdentifiers)
    #expect(result.hiddenCount == count / 2 - 1)
  }

  @Test("Deep trees: one move and a collapse in the middle are linear", arguments: [500, 4000])
  func deep(count: Int) async throws {
    var tree = Tree()
    for number in 0..<count { try tree.append([id(number)], to: number == 0 ? nil : id(number - 1)) }
    tree.expand(tally.ids(0..<count))
    let source = await source(tree)
    var next = source.snapshot()
    try next.moveItem(id(count - 1), beforeItem: id(count / 2))
    #expect(await cost { await source.apply(next) } <= count * 24)
    #expect(await cost { await source.collapse(id(count / 4)) } <= count * 30)
    #expect(source.snapshot().numberOfItems == count / 4 + 1)
    #expect(source.snapshot(for: 0).numberOfItems == count)
  }

  @Test("A change of one section costs nothing for the trees of the others", arguments: [500, 4000])
  func otherSections(count: Int) async throws {
    let source = await source(try wide(count))
    var flat = Tree()
    try flat.append(tally.ids([-10, -11, -12]))
    try flat.append(tally.ids([-13]), to: id(-12))
    await source.apply(flat, to: 1)
    var next = source.snapshot()
    try next.moveItem(id(-10), beforeItem: id(-12))
    // Names a child that is hidden in the large tree.
    try next.appendItems([id(-2), id(-14)], toSection: 1)
    let cost = await self.cost { await source.apply(next) }
    #expect(cost <= 400)
    #expect(!source.snapshot(for: 0).contains(id(-2)))
    let expanding = await self.cost { await source.expand(id(-12)) }
    #expect(expanding <= 400)
    let lifted = await self.cost { #expect(source.beginReordering([id(3)]) == nil) }
    #expect(lifted <= 20)
  }

  @Test("Two trees that name the same items: the later one takes them, linearly", arguments: [500, 4000])
  func twoTrees(count: Int) async throws {
    let source = await source(try wide(count))
    var other = Tree()
    try other.append([id(-5)])
    try other.append(tally.ids(0..<count), to: id(-5))
    let cost = await self.cost { await source.apply(other, to: 1) }
    #expect(cost <= count * 60)
    // They were shown, and are hidden where the list shows others of the tree: they stay where they are.
    #expect(source.snapshot(for: 0).numberOfItems == count + 2)
    #expect(source.snapshot(for: 1).numberOfItems == 1)
    await source.collapse(id(-1))
    let taking = await self.cost { await source.apply(other, to: 1) }
    #expect(taking <= count * 60)
    #expect(source.snapshot(for: 0).items.map(\.number) == [-1])
    #expect(source.snapshot(for: 1).numberOfItems == count + 1)
  }
}

extension DiffableSectionSnapshot {
  fileprivate var hiddenCount: Int { numberOfItems - visibleItems.count }
}
