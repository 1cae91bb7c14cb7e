public import Snapshots

/// Snapshots as plainly as they can be written: the oracle of ``DiffableSnapshot``.
///
/// Flat arrays, looked through from end to end; nothing is shared, nothing is clever, and no line of it is
/// shared with the type it judges. Every query and edit of that type is here under the same name.
public struct NaiveSnapshot<SectionID: Hashable & Sendable, ItemID: Hashable & Sendable>: Sendable {
  var sectionOrder: [SectionID] = []
  var rows: [SectionID: [ItemID]] = [:]
  var homes: [ItemID: SectionID] = [:]

  /// The items to be shown anew, in the order they were first marked.
  public internal(set) var reloadedItemIdentifiers: [ItemID] = []
  /// The sections to be shown anew, in the order they were first marked.
  public internal(set) var reloadedSectionIdentifiers: [SectionID] = []
  /// The items whose existing cells are to be configured anew, in the order they were first marked.
  public internal(set) var reconfiguredItemIdentifiers: [ItemID] = []

  /// Creates an empty snapshot: no sections, no items.
  public init() {}

  /// Creates a snapshot of these sections and items.
  public init(sections: [(SectionID, [ItemID])]) throws(SnapshotError<SectionID, ItemID>) {
    try appendSections(sections.map { $0.0 })
    let items = sections.flatMap { $0.1 }
    let repeated = Self.repeated(items)
    if !repeated.isEmpty { throw .duplicateItems(repeated) }
    for (section, items) in sections { try appendItems(items, toSection: section) }
  }

  static func repeated<T: Hashable>(_ ids: [T]) -> [T] {
    var seen: Set<T> = []
    var found: [T] = []
    for id in ids where !seen.insert(id).inserted && !found.contains(id) { found.append(id) }
    return found
  }
}

extension NaiveSnapshot: Hashable {
  /// Whether both have the same sections with the same items in the same order. Marks do not count.
  public static func == (lhs: Self, rhs: Self) -> Bool {
    lhs.sectionOrder == rhs.sectionOrder && lhs.rows == rhs.rows
  }

  /// Hashes sections and items in order.
  public func hash(into hasher: inout Hasher) {
    for id in sectionOrder {
      hasher.combine(id)
      hasher.combine(rows[id])
    }
  }
}

extension NaiveSnapshot {
  /// The number of sections.
  public var numberOfSections: Int { sectionOrder.count }
  /// The number of items in all sections.
  public var numberOfItems: Int { homes.count }
  /// The sections, in order.
  public var sectionIdentifiers: [SectionID] { sectionOrder }
  /// The items of all sections, in order.
  public var itemIdentifiers: [ItemID] { sectionOrder.flatMap { rows[$0] ?? [] } }

  /// The number of items in a section.
  public func numberOfItems(inSection section: SectionID) throws(SnapshotError<SectionID, ItemID>) -> Int {
    try itemIdentifiers(inSection: section).count
  }

  /// The items of a section, in order.
  public func itemIdentifiers(
    inSection section: SectionID
  ) throws(SnapshotError<SectionID, ItemID>) -> [ItemID] {
    guard let items = rows[section] else { throw .unknownSection(section) }
    return items
  }

  /// The section that holds an item, or nil.
  public func sectionIdentifier(containingItem item: ItemID) -> SectionID? { homes[item] }

  /// The position of a section, or nil.
  public func indexOfSection(_ section: SectionID) -> Int? { sectionOrder.firstIndex(of: section) }

  /// The position of an item counted across all sections, or nil.
  public func indexOfItem(_ item: ItemID) -> Int? {
    homes[item] == nil ? nil : itemIdentifiers.firstIndex(of: item)
  }

  /// The index path of an item, or nil.
  public func indexPath(ofItem item: ItemID) -> ListIndexPath? {
    guard let home = homes[item], let section = indexOfSection(home),
      let index = rows[home]?.firstIndex(of: item)
    else { return nil }
    return ListIndexPath(item: index, section: section)
  }

  /// The item at an index path, or nil if there is no such index path.
  public func itemIdentifier(at path: ListIndexPath) -> ItemID? {
    guard sectionOrder.indices.contains(path.section), let items = rows[sectionOrder[path.section]],
      items.indices.contains(path.item)
    else { return nil }
    return items[path.item]
  }
}

extension NaiveSnapshot {
  /// The sections with their items, in order, as ``DiffableSnapshot/init(sections:)`` takes them.
  public var contents: [(SectionID, [ItemID])] { sectionOrder.map { ($0, rows[$0] ?? []) } }
}
