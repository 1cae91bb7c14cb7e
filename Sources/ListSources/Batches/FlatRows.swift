public import Snapshots

/// A list of sections as the rows of a view that knows no sections, such as `NSTableView`: the items of the first
/// section, those of the second, and so on, each section under a row of its own if that is wanted.
///
/// ```
///   A[1,2] B[3]      with headers   A 1 2 B 3      without   1 2 3
/// ```
public struct FlatRows<SectionID: Hashable & Sendable, ItemID: Hashable & Sendable>: Sendable {
  /// The content of a row: a section's header, or an item.
  public enum Row: Hashable, Sendable {
    /// The header of a section.
    case header(SectionID)
    /// An item.
    case item(ItemID)
  }

  /// The list.
  public let snapshot: DiffableSnapshot<SectionID, ItemID>
  /// Whether each section has a row of its own, above its items.
  public let hasHeaders: Bool
  /// The first row of each section, its header if there is one, and at last the number of all rows.
  fileprivate let starts: [Int]

  /// Creates the rows of a list.
  ///
  /// - Complexity: O(*s*), where *s* is the number of sections.
  public init(_ snapshot: DiffableSnapshot<SectionID, ItemID>, hasHeaders: Bool) {
    self.snapshot = snapshot
    self.hasHeaders = hasHeaders
    var starts = [0]
    starts.reserveCapacity(snapshot.numberOfSections + 1)
    for section in snapshot.sections {
      starts.append(starts[starts.count - 1] + (hasHeaders ? 1 : 0) + section.items.count)
    }
    self.starts = starts
  }

  /// The number of rows.
  ///
  /// - Complexity: O(1).
  public var count: Int { starts[starts.count - 1] }

  /// The content of a row, or `nil` if there is no such row.
  ///
  /// - Complexity: O(log *n*).
  public subscript(row: Int) -> Row? {
    guard let (section, item) = position(ofRow: row) else { return nil }
    if let item {
      return snapshot.itemIdentifier(at: ListIndexPath(item: item, section: section)).map { .item($0) }
    }
    let sections = snapshot.sections
    return .header(sections[sections.index(sections.startIndex, offsetBy: section)].id)
  }

  /// The row of an item by its index path, which has to be one of the list.
  ///
  /// - Complexity: O(1).
  public func row(of path: ListIndexPath) -> Int {
    starts[path.section] + (hasHeaders ? 1 : 0) + path.item
  }

  /// The index path of the item in a row, or `nil` for a header and where there is no row.
  ///
  /// - Complexity: O(log *s*), where *s* is the number of sections.
  public func indexPath(ofRow row: Int) -> ListIndexPath? {
    guard let (section, item) = position(ofRow: row), let item else { return nil }
    return ListIndexPath(item: item, section: section)
  }

  /// Returns the gap above a row, as such views name the target of a drop, before the dragged rows are taken out.
  ///
  /// Above a header is the end of the section before it; below the last row the end of the list.
  ///
  /// - Parameters:
  ///   - row: The row. Those beyond the list mean its ends.
  ///   - items: The dragged items.
  /// - Returns: `nil` if the list has no section.
  /// - Complexity: O(log *n* + *d*), where *d* is the number of dragged items.
  public func gap(aboveRow row: Int, dragging items: [ItemID]) -> ReorderDestination<SectionID, ItemID>? {
    guard snapshot.numberOfSections > 0 else { return nil }
    guard row > 0, let above = position(ofRow: min(row, count) - 1) else {
      return ReorderDestination(gapAt: ListIndexPath(item: 0, section: 0), in: snapshot, dragging: items)
    }
    // Directly below a header is the start of its section, below an item the gap behind it.
    let path = ListIndexPath(item: above.item.map { $0 + 1 } ?? 0, section: above.section)
    return ReorderDestination(gapAt: path, in: snapshot, dragging: items)
  }

  /// The section of a row, and its item unless the row is a header.
  private func position(ofRow row: Int) -> (section: Int, item: Int?)? {
    guard row >= 0, row < count else { return nil }
    // The last section that starts at this row or above it; empty ones without a header start where the next one does.
    let section = Positions(starts).countBelow(row + 1) - 1
    let item = row - starts[section] - (hasHeaders ? 1 : 0)
    return (section, item < 0 ? nil : item)
  }
}

/// A change of a list as operations on its rows.
public struct FlatRowsChange<SectionID: Hashable & Sendable, ItemID: Hashable & Sendable>: Sendable {
  /// The rows after the change.
  public let rows: FlatRows<SectionID, ItemID>
  /// The operations on the rows, one after the other.
  public let operations: [RowOperation]
  /// The rows to be shown anew when that is done, ascending.
  public let refreshedRows: [Int]
}

extension ListUpdate {
  /// The change as operations on rows, for views that know no sections.
  ///
  /// A section that moves is the move of each of its rows.
  ///
  /// - Parameter hasHeaders: Whether each section has a row of its own.
  /// - Complexity: O((*c* + *m*) log *n* + *s*), where *c* is the number of changes, *m* that of items in sections that
  ///   move, *n* that of all items and *s* that of sections.
  public func rowChange(hasHeaders: Bool) -> FlatRowsChange<SectionID, ItemID> {
    let old = FlatRows(before, hasHeaders: hasHeaders)
    let new = FlatRows(snapshot, hasHeaders: hasHeaders)
    func path(_ row: Int) -> ListIndexPath { ListIndexPath(item: row, section: 0) }
    var batch = ListBatch()
    batch.deletedItems = difference.deletedItems.map { path(old.row(of: $0.path)) }
    batch.insertedItems = difference.insertedItems.map { path(new.row(of: $0.path)) }
    batch.movedItems = difference.movedItems.map {
      ListBatch.ItemMove(from: path(old.row(of: $0.from)), to: path(new.row(of: $0.to)))
    }
    if hasHeaders {
      batch.deletedItems += difference.deletedSections.map { path(old.starts[$0.index]) }
      batch.insertedItems += difference.insertedSections.map { path(new.starts[$0.index]) }
      batch.movedItems += difference.movedSections.map {
        ListBatch.ItemMove(from: path(old.starts[$0.from]), to: path(new.starts[$0.to]))
      }
    }
    let arrivals =
      difference.movedSections.isEmpty
      ? [] : Set(batch.insertedItems.map(\.item) + batch.movedItems.map(\.to.item))
    for move in difference.movedSections {
      guard let items = try? snapshot.itemIdentifiers(inSection: move.id) else { continue }
      for (index, item) in items.enumerated() {
        let row = new.row(of: ListIndexPath(item: index, section: move.to))
        guard !arrivals.contains(row), let from = before.indexPath(ofItem: item) else { continue }
        batch.movedItems.append(ListBatch.ItemMove(from: path(old.row(of: from)), to: path(row)))
      }
    }
    // Here a row that moves keeps its cell wherever it goes, so marks count in sections that arrive as well.
    var refreshed: Set<Int> = []
    for item in difference.reloadedItems + difference.reconfiguredItems {
      if let path = snapshot.indexPath(ofItem: item) { refreshed.insert(new.row(of: path)) }
    }
    for section in difference.reloadedSections {
      guard let index = snapshot.indexOfSection(section) else { continue }
      refreshed.formUnion(new.starts[index]..<new.starts[index + 1])
    }
    refreshed.subtract(batch.insertedItems.map(\.item))
    return FlatRowsChange(
      rows: new, operations: batch.sequentialRowOperations(), refreshedRows: refreshed.sorted())
  }
}
