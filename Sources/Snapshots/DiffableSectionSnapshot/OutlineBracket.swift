/// The beginning or the end of an item in an outline; between the two lie those of its descendants.
///
/// In a sequence of brackets an outline is edited where the edit is: the end of a subtree is found by its label, and
/// nothing behind it need be changed.
struct OutlineBracket<ItemID: Hashable & Sendable>: TreeElement {
  var id: ItemID
  var isEnd: Bool

  /// Beginnings are counted, so that the weight before one is its item's position.
  var weight: Int { isEnd ? 0 : 1 }
}

/// An item of an outline in a row with others: what hangs below it follows, each item one level deeper than its parent.
package struct OutlineRow<ItemID: Hashable & Sendable>: Sendable, Hashable {
  package var id: ItemID
  package var level: Int
  package var isExpanded: Bool

  package init(id: ItemID, level: Int, isExpanded: Bool = false) {
    self.id = id
    self.level = level
    self.isExpanded = isExpanded
  }
}

extension OrderTree {
  /// Calls a closure with each element in a range of positions, in order.
  ///
  /// - Complexity: O(*k* + log *n*) for *k* elements, besides a descent for each leaf.
  func forEach(in positions: Range<Int>, _ body: (Element) -> Void) {
    var next = positions.lowerBound
    while next < positions.upperBound {
      next += withLeaf(at: next) { leaf, first in
        let end = min(leaf.elements.count, first + positions.upperBound - next)
        for index in first..<end { body(leaf.elements[index]) }
        return end - first
      }
    }
  }
}
