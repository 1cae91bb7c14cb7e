#if DEBUG
  extension DiffableSnapshot {
    /// Everything that must hold inside and does not, for tests. Debug builds only.
    ///
    /// - Complexity: O(*n* log *n*)
    package var brokenInvariants: [String] {
      var broken = tree.brokenInvariants.map { "sections: \($0)" }
      if sectionMap.count != tree.count { broken.append("sections are counted wrong") }
      if sectionLabels.count != tree.count { broken.append("section numbers are counted wrong") }
      if itemMap.count != tree.weight {
        broken.append("\(itemMap.count) items are known, \(tree.weight) are there")
      }
      tree.forEachLeaf { leaf in
        for (section, label) in zip(leaf.elements, leaf.labels) {
          if sectionMap[section.id] != label { broken.append("section \(section.id) is not found") }
          if sectionLabels[section.number] != label {
            broken.append("section \(section.id) is not found by number")
          }
          if section.number >= nextNumber { broken.append("section \(section.id) has a future number") }
          broken += section.items.brokenInvariants.map { "section \(section.id): \($0)" }
          section.items.forEachLeaf { leaf in
            for (item, label) in zip(leaf.elements, leaf.labels)
            where itemMap[item.id] != ItemAddress(section: section.number, label: label).word {
              broken.append("item \(item.id) is not found")
            }
          }
        }
      }
      for id in reloadedItemIdentifiers + reconfiguredItemIdentifiers where !containsItem(id) {
        broken.append("item \(id) is marked but not there")
      }
      for id in reloadedSectionIdentifiers where !containsSection(id) {
        broken.append("section \(id) is marked but not there")
      }
      return broken
    }

    /// At which positions leaves begin in the trees of sections and of each section's items, for tests that look
    /// for trouble there. Debug builds only.
    package var leafEdges: (sections: [Int], items: [[Int]]) {
      (tree.leafEdges, sections.map { $0.items.tree.leafEdges })
    }
  }

  extension OrderTree {
    var leafEdges: [Int] {
      var edges: [Int] = []
      var position = 0
      forEachLeaf { leaf in
        edges.append(position)
        position += leaf.count
      }
      return edges
    }

    var brokenInvariants: [String] {
      guard let root else { return [] }
      var broken: [String] = []
      var last: UInt64 = 0
      Self.check(root, isRoot: true, after: &last, into: &broken)
      if last >= LabelSpace.end { broken.append("a label is beyond the end") }
      return broken
    }

    private static func check(
      _ node: Node, isRoot: Bool, after last: inout UInt64, into broken: inout [String]
    ) {
      if node.size == 0 { broken.append("a node is empty") }
      if node.size > node.capacity { broken.append("a node is too large") }
      if node.labels.count != node.size { broken.append("labels are counted wrong") }
      if node.isLeaf {
        for label in node.labels {
          if label <= last { broken.append("labels do not ascend") }
          last = label
        }
        if node.count != node.elements.count { broken.append("elements are counted wrong") }
        if node.weight != node.elements.reduce(0, { $0 + $1.weight }) { broken.append("weight is wrong") }
      } else {
        if isRoot, node.children.count < 2 { broken.append("the root has one child") }
        if node.counts != ContiguousArray(node.children.map { $0.count }) {
          broken.append("counts are wrong")
        }
        if node.labels != ContiguousArray(node.children.map { $0.labels.first ?? 0 }) {
          broken.append("first labels are wrong")
        }
        if node.count != node.counts.reduce(0, +) { broken.append("children are counted wrong") }
        if node.weight != node.children.reduce(0, { $0 + $1.weight }) { broken.append("weight is wrong") }
        for child in node.children {
          if child.height != node.height - 1 { broken.append("a child has the wrong height") }
          check(child, isRoot: false, after: &last, into: &broken)
        }
      }
      if node.last != last { broken.append("the last label is wrong") }
    }
  }
#endif
