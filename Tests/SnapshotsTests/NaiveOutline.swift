import Snapshots

/// An outline as rows, each with its level: edits are searches and copies, so that they can be seen to be right.
struct NaiveOutline: Equatable {
  struct Row: Equatable {
    var id: Int
    var level: Int
    var isExpanded = false
  }

  var rows: [Row] = []

  func index(_ id: Int) -> Int? { rows.firstIndex { $0.id == id } }

  /// The rows of an item and its descendants.
  func subtree(at index: Int) -> Range<Int> {
    let end = rows[(index + 1)...].firstIndex { $0.level <= rows[index].level } ?? rows.count
    return index..<end
  }

  func parent(of index: Int) -> Int? {
    rows[..<index].lastIndex { $0.level < rows[index].level }.map { rows[$0].id }
  }

  func isVisible(_ index: Int) -> Bool {
    guard let parent = parent(of: index), let above = self.index(parent) else { return true }
    return rows[above].isExpanded && isVisible(above)
  }

  mutating func append(_ new: NaiveOutline, to parent: Int?) {
    guard let parent else { return put(new, at: rows.count, level: 0) }
    guard let index = index(parent) else { return }
    put(new, at: subtree(at: index).upperBound, level: rows[index].level + 1)
  }

  mutating func insert(_ new: NaiveOutline, beside destination: Int, after: Bool) {
    guard let index = index(destination) else { return }
    put(new, at: after ? subtree(at: index).upperBound : index, level: rows[index].level)
  }

  mutating func put(_ new: NaiveOutline, at index: Int, level: Int) {
    rows.insert(
      contentsOf: new.rows.map { Row(id: $0.id, level: $0.level + level, isExpanded: $0.isExpanded) },
      at: index)
  }

  mutating func delete(_ unwanted: [Int]) {
    for id in unwanted {
      if let index = index(id) { rows.removeSubrange(subtree(at: index)) }
    }
  }

  func part(of id: Int, includingParent: Bool) -> NaiveOutline {
    guard let index = index(id) else { return NaiveOutline() }
    let range = includingParent ? subtree(at: index) : subtree(at: index).dropFirst()
    let top = rows[index].level + (includingParent ? 0 : 1)
    return NaiveOutline(
      rows: rows[range].map { Row(id: $0.id, level: $0.level - top, isExpanded: $0.isExpanded) })
  }
}
