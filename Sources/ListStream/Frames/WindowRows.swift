internal import Snapshots

/// Rows of a list that travel: how long each section is, and the items at some positions.
struct WindowRows<SectionID: Hashable & Sendable, ItemID: Hashable & Sendable>: Sendable {
  struct Section: Sendable {
    var id: SectionID
    var count: Int
    /// The position in the section of the first of `items`.
    var from = 0
    var items: [ItemID] = []
  }

  private(set) var sections: [Section] = []
  /// How many items are named.
  private(set) var count = 0

  /// - Parameter positions: Positions that are in the list, counted across its sections.
  /// - Complexity: O(*s* + *k* log *n*), where *s* is the number of sections, *k* that of positions.
  init(_ snapshot: DiffableSnapshot<SectionID, ItemID>, positions: Range<Int>) {
    var start = 0
    for section in snapshot.sections {
      let length = section.items.count
      var rows = Section(id: section.id, count: length)
      let own = positions.clamped(to: start..<(start + length))
      if !own.isEmpty {
        rows.from = own.lowerBound - start
        let items = section.items
        let first = items.index(items.startIndex, offsetBy: rows.from)
        rows.items = Array(items[first..<items.index(first, offsetBy: own.count)])
        count += own.count
      }
      sections.append(rows)
      start += length
    }
  }

  /// Rows of a list with one section.
  init(section: SectionID, count: Int, from: Int, items: [ItemID]) {
    sections = [Section(id: section, count: count, from: from, items: items)]
    self.count = items.count
  }

  /// All items that are named.
  var items: [ItemID] { sections.flatMap(\.items) }
}
