/// An element that one tree has and the other does not have at that label, and its place.
@usableFromInline
struct Stray<Element> {
  @usableFromInline var element: Element
  /// The element's position in its tree.
  @usableFromInline var position: Int

  @inlinable
  init(element: Element, position: Int) {
    self.element = element
    self.position = position
  }
}

/// Some of the strays of one tree.
@usableFromInline typealias StraySlice<Element> = ContiguousArray<Stray<Element>>.SubSequence

extension OrderTree {
  @usableFromInline typealias Strays = ContiguousArray<Stray<Element>>

  /// Compares two trees by label: what has the same label and the same identity in both stays, and stayers
  /// are in the same order in both; everything else strays.
  ///
  /// That is so for any two trees. If one descends from the other, or both from a third, they share nodes,
  /// and shared nodes are skipped without a look at what is below them.
  ///
  /// - Parameters:
  ///   - old: The tree before.
  ///   - new: The tree after.
  ///   - gone: Takes the strays of the old tree, in order.
  ///   - come: Takes the strays of the new tree, in order.
  ///   - isSame: Whether two elements have the same identity.
  ///   - stay: Called for stayers outside shared nodes, with their positions before and after.
  /// - Returns: The number of stayers.
  @inlinable
  static func compare(
    _ old: Self, _ new: Self, gone: inout Strays, come: inout Strays,
    isSame: (Element, Element) -> Bool, stay: (Element, Element, Int, Int) -> Void
  ) -> Int {
    var left = TreeCursor(old)
    var right = TreeCursor(new)
    let goneBefore = gone.count
    while let a = left.current, let b = right.current {
      if a === b, left.offset == 0, right.offset == 0 {
        left.skip()
        right.skip()
      } else if a.last < b.labels[right.offset] {
        left.collect(into: &gone)
      } else if b.last < a.labels[left.offset] {
        right.collect(into: &come)
      } else if a.height > b.height {
        left.enter()
      } else if a.height < b.height {
        right.enter()
      } else if !a.isLeaf {
        left.enter()
        right.enter()
      } else {
        var i = left.offset
        var j = right.offset
        let leftStart = left.position - left.offset
        let rightStart = right.position - right.offset
        while i < a.count, j < b.count {
          let before = a.labels[i]
          let after = b.labels[j]
          if before == after, isSame(a.elements[i], b.elements[j]) {
            stay(a.elements[i], b.elements[j], leftStart + i, rightStart + j)
            i += 1
            j += 1
            continue
          }
          if before <= after {
            gone.append(Stray(element: a.elements[i], position: leftStart + i))
            i += 1
          }
          if after <= before {
            come.append(Stray(element: b.elements[j], position: rightStart + j))
            j += 1
          }
        }
        left.pass(i - left.offset)
        right.pass(j - right.offset)
      }
    }
    while left.current != nil { left.collect(into: &gone) }
    while right.current != nil { right.collect(into: &come) }
    return old.count - (gone.count - goneBefore)
  }
}

extension TreeCursor {
  /// Passes over the rest of the subtree ahead and notes everything in it as stray.
  @inlinable
  mutating func collect(into strays: inout OrderTree<Element>.Strays) {
    guard let node = current else { return }
    var position = position
    var skipped = offset
    OrderTree.forEachLeaf(of: node) { leaf in
      for index in skipped..<leaf.elements.count {
        strays.append(Stray(element: leaf.elements[index], position: position))
        position += 1
      }
      skipped = 0
    }
    skip()
  }
}
