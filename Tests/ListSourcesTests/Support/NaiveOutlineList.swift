/// Sections with trees, kept by the rules as they are written down, by searching and copying.
///
/// It shares nothing with what it is to check: a section is a row of items with their levels.
struct NaiveOutlineList {
  struct Row: Equatable {
    var id: Int
    var level: Int
    var isExpanded = false
  }

  struct Section: Equatable {
    var name: String
    var rows: [Row]
    var hasTree = false

    var visible: [Int] {
      rows.indices.filter { isVisible($0) }.map { rows[$0].id }
    }

    func parent(_ index: Int) -> Int? { rows[..<index].lastIndex { $0.level < rows[index].level } }

    func isVisible(_ index: Int) -> Bool {
      guard let parent = parent(index) else { return true }
      return rows[parent].isExpanded && isVisible(parent)
    }

    func index(_ id: Int) -> Int? { rows.firstIndex { $0.id == id } }

    /// Takes an item out with all that hangs below it.
    mutating func removeSubtree(_ id: Int) {
      guard let first = index(id) else { return }
      let end = rows[(first + 1)...].firstIndex { $0.level <= rows[first].level } ?? rows.count
      rows.removeSubrange(first..<end)
    }

    /// Follows a list that shows other items here. `taken` can't stay hidden.
    mutating func follow(_ items: [Int], taken: Set<Int>) {
      let old = self
      rows = []
      // The visible ancestors of the last item, that item last.
      var path: [Int] = []
      for (position, item) in items.enumerated() {
        let known = old.index(item)
        var wanted = path.count - 1
        if let known {
          wanted = old.rows[known].level
        } else if position + 1 < items.count, let next = old.index(items[position + 1]),
          let parent = old.parent(next), position > 0, old.rows[parent].id == items[position - 1]
        {
          wanted = path.count
        }
        let isOpen = path.last.flatMap { old.index($0) }.map { old.rows[$0].isExpanded } ?? false
        let deepest = path.isEmpty ? 0 : isOpen ? path.count : path.count - 1
        path.removeLast(path.count - max(0, min(wanted, deepest)))
        rows.append(
          Row(id: item, level: path.count, isExpanded: known.map { old.rows[$0].isExpanded } ?? false))
        guard let known, !old.rows[known].isExpanded else {
          path.append(item)
          continue
        }
        var hidden = Section(name: "", rows: [])
        for row in old.rows[(known + 1)...].prefix(while: { $0.level > old.rows[known].level }) {
          hidden.rows.append(
            Row(id: row.id, level: row.level - old.rows[known].level + path.count, isExpanded: row.isExpanded)
          )
        }
        for row in hidden.rows where taken.contains(row.id) { hidden.removeSubtree(row.id) }
        rows += hidden.rows
        path.append(item)
      }
    }
  }

  var sections: [Section] = []

  /// The list that is shown.
  var shown: [(name: String, items: [Int])] { sections.map { ($0.name, $0.visible) } }

  var text: String {
    sections.map { section in
      let rows = section.rows.enumerated().map { index, row in
        String(repeating: ">", count: row.level) + "\(row.id)\(row.isExpanded ? "+" : "")"
      }
      return "\(section.name)[\(rows.joined(separator: " "))]"
    }.joined(separator: " ")
  }

  /// A whole snapshot is applied.
  mutating func apply(_ list: [(name: String, items: [Int])]) {
    let all = Set(list.flatMap(\.items))
    sections = list.map { name, items in
      guard var section = sections.first(where: { $0.name == name && $0.hasTree }) else {
        return Section(name: name, rows: items.map { Row(id: $0, level: 0) })
      }
      section.follow(items, taken: all)
      return section
    }
  }

  /// A tree is applied to a section.
  mutating func apply(_ rows: [Row], to name: String) {
    var tree = Section(name: name, rows: rows, hasTree: true)
    let visible = tree.visible
    // What is hidden in it and shown in another section stays there.
    for section in sections where section.name != name {
      for item in section.visible where !visible.contains(item) { tree.removeSubtree(item) }
    }
    let named = Set(tree.rows.map(\.id))
    for index in sections.indices where sections[index].name != name {
      let before = sections[index].visible
      let items = before.filter { !visible.contains($0) }
      if sections[index].hasTree, items != before {
        sections[index].follow(items, taken: named.union(sections.flatMap(\.visible)))
      } else if sections[index].hasTree {
        for item in named { sections[index].removeSubtree(item) }
      } else {
        sections[index].rows = items.map { Row(id: $0, level: 0) }
      }
    }
    if let index = sections.firstIndex(where: { $0.name == name }) {
      sections[index] = tree
    } else {
      sections.append(tree)
    }
  }

  /// An item is expanded or collapsed by the user.
  mutating func setExpanded(_ isExpanded: Bool, _ item: Int) {
    for section in sections where section.hasTree && section.visible.contains(item) {
      var rows = section.rows
      for index in rows.indices where rows[index].id == item { rows[index].isExpanded = isExpanded }
      apply(rows, to: section.name)
    }
  }
}
