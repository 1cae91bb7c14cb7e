/// An ordered list of sections, each an ordered list of items, all named by identifiers.
///
/// Section identifiers are unique among the sections, item identifiers among all items of the snapshot. The
/// order of a snapshot is the order of display.
///
/// ```swift
/// var snapshot = DiffableSnapshot<String, Int>()
/// try snapshot.appendSections(["Fruit", "Vegetables"])
/// try snapshot.appendItems([1, 2, 3], toSection: "Fruit")
/// try snapshot.appendItems([4])
/// try snapshot.moveItem(2, beforeItem: 4)
/// ```
///
/// A snapshot is a value: a copy is independent of the original, and costs nothing, as both share what they
/// have in common. An edit copies only the path to the nodes that it changes, and the ``difference(from:)`` of a snapshot and
/// its descendant skips what they share. An edit that throws has changed nothing.
public struct DiffableSnapshot<SectionID: Hashable & Sendable, ItemID: Hashable & Sendable>: Sendable {
  /// The error that edits throw.
  public typealias EditError = SnapshotError<SectionID, ItemID>

  /// The sections in order, each with a tree of its items.
  @usableFromInline var tree = OrderTree<SectionElement<SectionID, ItemID>>()
  /// From section identifiers to labels in the tree.
  @usableFromInline var sectionMap = IdentityMap<SectionID>()
  /// From item identifiers to the number of the section and the label in it.
  @usableFromInline var itemMap = IdentityMap<ItemID>()
  /// From section numbers to labels in the tree, so that a section can move without touching its items.
  @usableFromInline var sectionLabels = SectionLabels()
  /// The number that the next section gets.
  @usableFromInline var nextNumber: UInt32 = 0
  @usableFromInline var reloadedItemMarks = Marks<ItemID>()
  @usableFromInline var reconfiguredItemMarks = Marks<ItemID>()
  @usableFromInline var reloadedSectionMarks = Marks<SectionID>()

  /// Creates an empty snapshot: no sections, no items.
  @inlinable
  public init() {}

  /// Creates a snapshot of these sections and items, in this order.
  ///
  /// This is the fastest way to make a large snapshot.
  ///
  /// - Parameter sections: Pairs of a section and its items.
  /// - Throws: ``SnapshotError/tooManySections``, before anything is looked at;
  ///   ``SnapshotError/duplicateSections(_:)``, ``SnapshotError/duplicateItems(_:)``.
  /// - Complexity: O(*n*) in the number of sections and items.
  @inlinable
  public init(sections: [(SectionID, [ItemID])]) throws(SnapshotError<SectionID, ItemID>) {
    if sections.count > SectionLimit.current { throw .tooManySections }
    let total = sections.reduce(0) { $0 + $1.1.count }
    let sectionTable = FlatTable<SectionID>(minimumCapacity: sections.count)
    let itemTable = FlatTable<ItemID>(minimumCapacity: total)
    var labels: [(UInt32, UInt64)] = []
    labels.reserveCapacity(sections.count)
    var elements: [SectionElement<SectionID, ItemID>] = []
    elements.reserveCapacity(sections.count)
    var hasDuplicates = false
    var sectionLabel = LabelSpace.first(for: sections.count)
    for (id, items) in sections {
      let number = UInt32(truncatingIfNeeded: elements.count)
      if !sectionTable.insert(id, value: sectionLabel).inserted { hasDuplicates = true }
      let step = LabelSpace.step(for: items.count)
      let first = LabelSpace.first(for: items.count)
      let address = ItemAddress(section: number, label: first).word
      if !itemTable.insert(contentsOf: items, first: address, step: step) { hasDuplicates = true }
      elements.append(
        SectionElement(
          id: id, number: number,
          items: OrderTree(items.lazy.map { ItemElement(id: $0) }, first: first, step: step)))
      labels.append((number, sectionLabel))
      sectionLabel += LabelSpace.step(for: sections.count)
    }
    if hasDuplicates { throw Self.repetition(in: sections) }
    tree = Self.tree(of: elements)
    sectionMap = IdentityMap(sectionTable)
    itemMap = IdentityMap(itemTable)
    sectionLabels = SectionLabels(labels)
    nextNumber = UInt32(truncatingIfNeeded: sections.count)
  }

  /// The tree of sections. They are much fewer than items, so this is not compiled anew for each kind of identifier.
  @usableFromInline @inline(never) @_semantics("optimize.sil.specialize.generic.never")
  static func tree(
    of elements: [SectionElement<SectionID, ItemID>]
  ) -> OrderTree<SectionElement<SectionID, ItemID>> {
    OrderTree(
      elements, first: LabelSpace.first(for: elements.count), step: LabelSpace.step(for: elements.count))
  }

  /// The error for sections or items that are there twice. Nobody waits for it, so it is not compiled anew for each kind
  /// of identifier.
  @usableFromInline @inline(never) @_semantics("optimize.sil.specialize.generic.never")
  static func repetition(in sections: [(SectionID, [ItemID])]) -> EditError {
    let repeated = duplicates(in: sections.map { $0.0 })
    return repeated.isEmpty
      ? .duplicateItems(duplicates(in: sections.flatMap { $0.1 })) : .duplicateSections(repeated)
  }
}

/// An item as an element of a tree.
@usableFromInline
struct ItemElement<ItemID: Hashable & Sendable>: TreeElement {
  @usableFromInline var id: ItemID

  @inlinable
  init(id: ItemID) { self.id = id }

  @inlinable var weight: Int { 1 }
}

/// A section as an element of a tree.
@usableFromInline
struct SectionElement<SectionID: Hashable & Sendable, ItemID: Hashable & Sendable>: TreeElement {
  @usableFromInline var id: SectionID
  @usableFromInline var number: UInt32
  @usableFromInline var items: OrderTree<ItemElement<ItemID>>

  @inlinable
  init(id: SectionID, number: UInt32, items: OrderTree<ItemElement<ItemID>>) {
    self.id = id
    self.number = number
    self.items = items
  }

  @inlinable var weight: Int { items.count }
}

/// The position of an item: the number of its section, and its label there, in one word. A word of all ones, and the
/// one before it, mean something else: see ``SectionLimit``.
@usableFromInline
struct ItemAddress {
  @usableFromInline var word: UInt64

  @inlinable
  init(section: UInt32, label: UInt64) { word = UInt64(section) << 40 | label }

  @inlinable
  init(word: UInt64) { self.word = word }

  @inlinable var section: UInt32 { UInt32(truncatingIfNeeded: word >> 40) }
  @inlinable var label: UInt64 { word & (1 << 40 - 1) }
}

extension IdentityMap {
  /// The label of an item if it is in the section with a number, else nil.
  @inlinable
  func label(of item: Key, inSection number: UInt32) -> UInt64? {
    guard let word = self[item] else { return nil }
    let address = ItemAddress(word: word)
    return address.section == number ? address.label : nil
  }
}

/// The identifiers that occur more than once, each named once, in the order in which they are found again.
@inlinable
func duplicates<IDs: Collection>(in ids: IDs) -> [IDs.Element] where IDs.Element: Hashable & Sendable {
  let seen = FlatTable<IDs.Element>(minimumCapacity: ids.count)
  if seen.insert(contentsOf: ids, first: 0, step: 0) { return [] }
  // Mostly there are none. Where there are, it is gone through once more to name them.
  var found: [IDs.Element] = []
  for id in ids {
    guard let entry = seen.find(id) else { continue }
    seen.values[entry] += 1
    if seen.values[entry] == 2 { found.append(id) }
  }
  return found
}
