/// An ordered list of sections, each an ordered list of items, all named by identifiers.
///
/// Section identifiers are unique among the sections, item identifiers among all items of the snapshot. The
/// order of a snapshot is the order of display. A snapshot is a value: a copy is independent of the original.
public struct DiffableSnapshot<SectionID: Hashable & Sendable, ItemID: Hashable & Sendable>: Sendable {
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

extension DiffableSnapshot: Hashable {
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

// MARK: Queries

extension DiffableSnapshot {
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

  /// The place of an item, or nil.
  public func indexPath(ofItem item: ItemID) -> ListIndexPath? {
    guard let home = homes[item], let section = indexOfSection(home),
      let index = rows[home]?.firstIndex(of: item)
    else { return nil }
    return ListIndexPath(item: index, section: section)
  }

  /// The item at a place, or nil if there is no such place.
  public func itemIdentifier(at path: ListIndexPath) -> ItemID? {
    guard sectionOrder.indices.contains(path.section), let items = rows[sectionOrder[path.section]],
      items.indices.contains(path.item)
    else { return nil }
    return items[path.item]
  }
}

// MARK: Views

extension DiffableSnapshot {
  /// A section and its items.
  public struct Section: Sendable {
    /// The section's identifier.
    public let id: SectionID
    /// Its items, in order; nothing is copied.
    public let items: Items

    /// The items of one section, in order.
    public struct Items: RandomAccessCollection, Sendable {
      let base: [ItemID]
      /// The position of the first item.
      public var startIndex: Int { 0 }
      /// One past the position of the last item.
      public var endIndex: Int { base.count }
      /// The item at a position.
      public subscript(position: Int) -> ItemID { base[position] }
    }
  }

  /// The sections of a snapshot, in order.
  public struct Sections: RandomAccessCollection, Sendable {
    let base: DiffableSnapshot
    /// The position of the first section.
    public var startIndex: Int { 0 }
    /// One past the position of the last section.
    public var endIndex: Int { base.numberOfSections }
    /// The section at a position.
    public subscript(position: Int) -> Section {
      let id = base.sectionOrder[position]
      return Section(id: id, items: Section.Items(base: base.rows[id] ?? []))
    }
  }

  /// The items of all sections, in order.
  public struct Items: RandomAccessCollection, Sendable {
    let base: [ItemID]
    /// The position of the first item.
    public var startIndex: Int { 0 }
    /// One past the position of the last item.
    public var endIndex: Int { base.count }
    /// The item at a position.
    public subscript(position: Int) -> ItemID { base[position] }
  }

  /// The sections with their items, in order; nothing is copied.
  public var sections: Sections { Sections(base: self) }
  /// The items of all sections, in order; nothing is copied.
  public var items: Items { Items(base: itemIdentifiers) }
}

// MARK: Sections

extension DiffableSnapshot {
  func check(new sections: [SectionID], beside destination: SectionID? = nil)
    throws(SnapshotError<SectionID, ItemID>)
  {
    let repeated = Self.repeated(sections)
    if !repeated.isEmpty { throw .duplicateSections(repeated) }
    if let destination {
      if sections.contains(destination) { throw .sectionDestinationInArgument(destination) }
      if rows[destination] == nil { throw .unknownSection(destination) }
    }
    let known = sections.filter { rows[$0] != nil }
    if !known.isEmpty { throw .sectionsAlreadyExist(known) }
  }

  mutating func put(_ sections: [SectionID], at index: Int) {
    sectionOrder.insert(contentsOf: sections, at: index)
    for id in sections { rows[id] = [] }
  }

  /// Adds empty sections at the end.
  public mutating func appendSections(_ sections: [SectionID]) throws(SnapshotError<SectionID, ItemID>) {
    try check(new: sections)
    put(sections, at: sectionOrder.count)
  }

  /// Adds empty sections directly before another.
  public mutating func insertSections(
    _ sections: [SectionID], beforeSection destination: SectionID
  ) throws(SnapshotError<SectionID, ItemID>) {
    if sections.isEmpty { return }
    try check(new: sections, beside: destination)
    put(sections, at: indexOfSection(destination) ?? 0)
  }

  /// Adds empty sections directly after another.
  public mutating func insertSections(
    _ sections: [SectionID], afterSection destination: SectionID
  ) throws(SnapshotError<SectionID, ItemID>) {
    if sections.isEmpty { return }
    try check(new: sections, beside: destination)
    put(sections, at: (indexOfSection(destination) ?? 0) + 1)
  }

  /// Adds empty sections so that the first of them has this position.
  public mutating func insertSections(
    _ sections: [SectionID], at index: Int
  ) throws(SnapshotError<SectionID, ItemID>) {
    if sections.isEmpty { return }
    let repeated = Self.repeated(sections)
    if !repeated.isEmpty { throw .duplicateSections(repeated) }
    guard index >= 0, index <= sectionOrder.count else { throw .sectionPositionOutOfRange(index) }
    try check(new: sections)
    put(sections, at: index)
  }

  /// Takes sections and their items away. Unknown sections are ignored.
  public mutating func deleteSections(_ sections: [SectionID]) {
    for id in sections {
      guard let items = rows[id] else { continue }
      deleteItems(items)
      rows[id] = nil
      sectionOrder.removeAll { $0 == id }
      reloadedSectionIdentifiers.removeAll { $0 == id }
    }
  }

  private mutating func move(
    _ section: SectionID, beside destination: SectionID, offset: Int
  ) throws(SnapshotError<SectionID, ItemID>) {
    if section == destination { throw .sectionDestinationIsSource(section) }
    if rows[destination] == nil { throw .unknownSection(destination) }
    guard let source = indexOfSection(section) else { throw .unknownSection(section) }
    let stored = sectionOrder.remove(at: source)
    sectionOrder.insert(stored, at: (indexOfSection(destination) ?? 0) + offset)
  }

  /// Puts a section directly before another.
  public mutating func moveSection(
    _ section: SectionID, beforeSection destination: SectionID
  ) throws(SnapshotError<SectionID, ItemID>) { try move(section, beside: destination, offset: 0) }

  /// Puts a section directly after another.
  public mutating func moveSection(
    _ section: SectionID, afterSection destination: SectionID
  ) throws(SnapshotError<SectionID, ItemID>) { try move(section, beside: destination, offset: 1) }

  /// Puts a section at a position, counted after it was taken out.
  public mutating func moveSection(
    _ section: SectionID, to index: Int
  ) throws(SnapshotError<SectionID, ItemID>) {
    guard index >= 0, index < Swift.max(1, sectionOrder.count) else {
      throw .sectionPositionOutOfRange(index)
    }
    guard let source = indexOfSection(section) else { throw .unknownSection(section) }
    let stored = sectionOrder.remove(at: source)
    sectionOrder.insert(stored, at: index)
  }
}

// MARK: Items

extension DiffableSnapshot {
  /// Takes items out of wherever they are, keeping marks; returns what is to be stored for each.
  private mutating func lift(_ items: [ItemID]) -> [ItemID] {
    items.map { item in
      guard let home = homes.removeValue(forKey: item), let index = rows[home]?.firstIndex(of: item)
      else { return item }
      return rows[home]?.remove(at: index) ?? item
    }
  }

  private mutating func drop(_ items: [ItemID], in section: SectionID, at index: Int) {
    rows[section]?.insert(contentsOf: items, at: index)
    for item in items { homes[item] = section }
  }

  /// Adds items at the end of the last section. Items that are in the snapshot already are moved there.
  public mutating func appendItems(_ items: [ItemID]) throws(SnapshotError<SectionID, ItemID>) {
    if items.isEmpty { return }
    let repeated = Self.repeated(items)
    if !repeated.isEmpty { throw .duplicateItems(repeated) }
    guard let last = sectionOrder.last else { throw .noSections }
    try appendItems(items, toSection: last)
  }

  /// Adds items at the end of a section. Items that are in the snapshot already are moved there.
  public mutating func appendItems(
    _ items: [ItemID], toSection section: SectionID
  ) throws(SnapshotError<SectionID, ItemID>) {
    if items.isEmpty { return }
    let repeated = Self.repeated(items)
    if !repeated.isEmpty { throw .duplicateItems(repeated) }
    guard rows[section] != nil else { throw .unknownSection(section) }
    let lifted = lift(items)
    drop(lifted, in: section, at: rows[section]?.count ?? 0)
  }

  private mutating func insert(
    _ items: [ItemID], beside destination: ItemID, offset: Int
  ) throws(SnapshotError<SectionID, ItemID>) {
    if items.isEmpty { return }
    let repeated = Self.repeated(items)
    if !repeated.isEmpty { throw .duplicateItems(repeated) }
    if items.contains(destination) { throw .itemDestinationInArgument(destination) }
    guard let home = homes[destination] else { throw .unknownItem(destination) }
    let lifted = lift(items)
    drop(lifted, in: home, at: (rows[home]?.firstIndex(of: destination) ?? 0) + offset)
  }

  /// Adds items directly before another. Items that are in the snapshot already are moved there.
  public mutating func insertItems(
    _ items: [ItemID], beforeItem destination: ItemID
  ) throws(SnapshotError<SectionID, ItemID>) { try insert(items, beside: destination, offset: 0) }

  /// Adds items directly after another. Items that are in the snapshot already are moved there.
  public mutating func insertItems(
    _ items: [ItemID], afterItem destination: ItemID
  ) throws(SnapshotError<SectionID, ItemID>) { try insert(items, beside: destination, offset: 1) }

  /// Adds new items so that the first of them has this place.
  public mutating func insertItems(
    _ items: [ItemID], at path: ListIndexPath
  ) throws(SnapshotError<SectionID, ItemID>) {
    if items.isEmpty { return }
    let repeated = Self.repeated(items)
    if !repeated.isEmpty { throw .duplicateItems(repeated) }
    guard sectionOrder.indices.contains(path.section),
      (0...(rows[sectionOrder[path.section]]?.count ?? 0)).contains(path.item)
    else { throw .itemPositionOutOfRange(path) }
    let known = items.filter { homes[$0] != nil }
    if !known.isEmpty { throw .itemsAlreadyExist(known) }
    drop(items, in: sectionOrder[path.section], at: path.item)
  }

  /// Takes items away. Unknown items are ignored; a section emptied in this way stays.
  public mutating func deleteItems(_ items: [ItemID]) {
    for item in items where homes[item] != nil {
      _ = lift([item])
      reloadedItemIdentifiers.removeAll { $0 == item }
      reconfiguredItemIdentifiers.removeAll { $0 == item }
    }
  }

  /// Takes all items and all sections away.
  public mutating func deleteAllItems() { self = Self() }

  private mutating func move(
    _ item: ItemID, beside destination: ItemID, offset: Int
  ) throws(SnapshotError<SectionID, ItemID>) {
    if item == destination { throw .itemDestinationIsSource(item) }
    guard homes[destination] != nil else { throw .unknownItem(destination) }
    guard homes[item] != nil else { throw .unknownItem(item) }
    try insert([item], beside: destination, offset: offset)
  }

  /// Puts an item directly before another, in that one's section.
  public mutating func moveItem(
    _ item: ItemID, beforeItem destination: ItemID
  ) throws(SnapshotError<SectionID, ItemID>) { try move(item, beside: destination, offset: 0) }

  /// Puts an item directly after another, in that one's section.
  public mutating func moveItem(
    _ item: ItemID, afterItem destination: ItemID
  ) throws(SnapshotError<SectionID, ItemID>) { try move(item, beside: destination, offset: 1) }

  /// Puts an item at a place, counted after it was taken out.
  public mutating func moveItem(
    _ item: ItemID, to path: ListIndexPath
  ) throws(SnapshotError<SectionID, ItemID>) {
    guard let home = homes[item] else { throw .unknownItem(item) }
    guard sectionOrder.indices.contains(path.section) else { throw .itemPositionOutOfRange(path) }
    let section = sectionOrder[path.section]
    let room = (rows[section]?.count ?? 0) - (home == section ? 1 : 0)
    guard (0...room).contains(path.item) else { throw .itemPositionOutOfRange(path) }
    drop(lift([item]), in: section, at: path.item)
  }
}

// MARK: Marks

extension DiffableSnapshot {
  /// Marks items to be shown anew by new cells. This wins over ``reconfigureItems(_:)``.
  public mutating func reloadItems(_ items: [ItemID]) throws(SnapshotError<SectionID, ItemID>) {
    for item in items where homes[item] == nil { throw .unknownItem(item) }
    for item in items {
      reconfiguredItemIdentifiers.removeAll { $0 == item }
      if !reloadedItemIdentifiers.contains(item) { reloadedItemIdentifiers.append(stored(item)) }
    }
  }

  /// Marks sections to be shown anew, with all their items.
  public mutating func reloadSections(_ sections: [SectionID]) throws(SnapshotError<SectionID, ItemID>) {
    for id in sections where rows[id] == nil { throw .unknownSection(id) }
    for id in sections where !reloadedSectionIdentifiers.contains(id) {
      reloadedSectionIdentifiers.append(sectionOrder[indexOfSection(id) ?? 0])
    }
  }

  /// Marks items whose existing cells are to be configured anew.
  public mutating func reconfigureItems(_ items: [ItemID]) throws(SnapshotError<SectionID, ItemID>) {
    for item in items where homes[item] == nil { throw .unknownItem(item) }
    for item in items
    where !reloadedItemIdentifiers.contains(item) && !reconfiguredItemIdentifiers.contains(item) {
      reconfiguredItemIdentifiers.append(stored(item))
    }
  }

  private func stored(_ item: ItemID) -> ItemID {
    indexPath(ofItem: item).flatMap { itemIdentifier(at: $0) } ?? item
  }

  /// The same snapshot without marks.
  public func removingMarks() -> Self {
    var copy = self
    copy.reloadedItemIdentifiers = []
    copy.reloadedSectionIdentifiers = []
    copy.reconfiguredItemIdentifiers = []
    return copy
  }
}

// MARK: Many edits in one go

extension DiffableSnapshot {
  /// Takes items out and puts items in, in one go.
  ///
  /// First everything in `removed` is taken out; unknown items are ignored. Then `inserted` is put in by
  /// ascending place, so that every place given is the item's place in the result. An item in both is moved
  /// and keeps its marks.
  public mutating func updateItems(
    removing removed: [ItemID], inserting inserted: [(item: ItemID, path: ListIndexPath)]
  ) throws(SnapshotError<SectionID, ItemID>) {
    var result = self
    let repeated = Self.repeated(inserted.map { $0.item })
    if !repeated.isEmpty { throw .duplicateItems(repeated) }
    let moved = Set(inserted.map { $0.item })
    _ = result.lift(removed.filter { moved.contains($0) })
    result.deleteItems(removed.filter { !moved.contains($0) })
    for (item, path) in inserted.sorted(by: { $0.path < $1.path }) {
      try result.insertItems([item], at: path)
    }
    self = result
  }
}
