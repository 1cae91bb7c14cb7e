public import Snapshots

/// Where dragged items are to go: a gap, named by the section and by the items on both sides of it.
///
/// A gap is not an index, since the list may change while the user drags. As long as one of the two neighbours is
/// there, the gap can be found again.
public struct ReorderDestination<SectionID: Hashable & Sendable, ItemID: Hashable & Sendable>: Hashable,
  Sendable
{
  /// The section.
  public var section: SectionID
  /// The item before the gap, or `nil` at the start of the section.
  public var after: ItemID?
  /// The item behind the gap, or `nil` at the end of the section.
  public var before: ItemID?

  /// Creates a destination between two neighbours.
  ///
  /// If neither is named, it is the end of the section.
  public init(section: SectionID, after: ItemID? = nil, before: ItemID? = nil) {
    self.section = section
    self.after = after
    self.before = before
  }

  /// Creates the destination at an index path, as list views name it: that of the first dragged item, counted when
  /// all of them are taken out.
  ///
  /// - Parameters:
  ///   - path: The index path. An item beyond the end means the end.
  ///   - snapshot: The list.
  ///   - items: The dragged items.
  /// - Returns: `nil` if there is no such section.
  /// - Complexity: O(*d* log *n*), where *d* is the number of dragged items.
  public init?(
    at path: ListIndexPath, in snapshot: DiffableSnapshot<SectionID, ItemID>, dragging items: [ItemID]
  ) {
    guard path.section >= 0, path.section < snapshot.numberOfSections else { return nil }
    // Dragged items are skipped: the path counts the items that stay.
    let leaving = items.compactMap { item -> Int? in
      guard let own = snapshot.indexPath(ofItem: item), own.section == path.section else { return nil }
      return own.item
    }.sorted()
    // A view may say "nowhere" by the greatest number there is.
    var position = min(max(0, path.item), snapshot.numberOfItems)
    for index in leaving where index <= position { position += 1 }
    self = Self.gap(at: position, ofSection: path.section, in: snapshot, dragging: Set(items))
  }

  /// Creates the destination at a gap of the list as it is, the dragged items being where they are, as views of AppKit
  /// name it: the gap before the item at the index path.
  ///
  /// - Parameters:
  ///   - path: The index path. An item beyond the end means the end.
  ///   - snapshot: The list.
  ///   - items: The dragged items.
  /// - Returns: `nil` if there is no such section.
  /// - Complexity: O(log *n* + *d*), where *d* is the number of dragged items.
  public init?(
    gapAt path: ListIndexPath, in snapshot: DiffableSnapshot<SectionID, ItemID>, dragging items: [ItemID]
  ) {
    guard path.section >= 0, path.section < snapshot.numberOfSections else { return nil }
    self = Self.gap(at: max(0, path.item), ofSection: path.section, in: snapshot, dragging: Set(items))
  }

  /// Creates the destination of a row that a table view has moved, by the rule of table views: behind the row that is
  /// at the destination if it goes down in its own section, before it otherwise.
  ///
  /// - Parameters:
  ///   - source: Where the row was.
  ///   - destination: Where it is, both as the table view says.
  ///   - snapshot: The list before the move.
  /// - Returns: `nil` if the two are equal, or there is no such row.
  /// - Complexity: O(log *n*)
  public init?(
    tableRowMovedFrom source: ListIndexPath, to destination: ListIndexPath,
    in snapshot: DiffableSnapshot<SectionID, ItemID>
  ) {
    guard source != destination, let item = snapshot.itemIdentifier(at: source) else { return nil }
    self.init(at: destination, in: snapshot, dragging: [item])
  }

  /// The same gap in a list that has changed meanwhile, or `nil` if neither neighbour is there any more.
  ///
  /// The neighbour before the gap is believed first. A dragged item is no neighbour.
  func rebased(
    onto snapshot: DiffableSnapshot<SectionID, ItemID>, dragging items: Set<ItemID>
  ) -> Self? {
    if let after, !items.contains(after), let path = snapshot.indexPath(ofItem: after) {
      return Self.gap(at: path.item + 1, ofSection: path.section, in: snapshot, dragging: items)
    }
    if let before, !items.contains(before), let path = snapshot.indexPath(ofItem: before) {
      return Self.gap(at: path.item, ofSection: path.section, in: snapshot, dragging: items)
    }
    guard after == nil, before == nil, let index = snapshot.indexOfSection(section) else { return nil }
    return Self.gap(at: .max, ofSection: index, in: snapshot, dragging: items)
  }

  /// Returns the gap at a position in a section, named by the nearest items on both sides that are not dragged.
  private static func gap(
    at position: Int, ofSection index: Int, in snapshot: DiffableSnapshot<SectionID, ItemID>,
    dragging items: Set<ItemID>
  ) -> Self {
    let sections = snapshot.sections
    let section = sections[sections.index(sections.startIndex, offsetBy: index)]
    let position = min(position, section.items.count)
    var next = position
    while next < section.items.count, items.contains(section.items[next]) { next += 1 }
    var previous = position - 1
    while previous >= 0, items.contains(section.items[previous]) { previous -= 1 }
    return Self(
      section: section.id, after: previous >= 0 ? section.items[previous] : nil,
      before: next < section.items.count ? section.items[next] : nil)
  }
}
