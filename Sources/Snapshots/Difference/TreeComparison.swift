/// An element that one tree has and the other does not have at that label, and its place.
@usableFromInline
struct Stray<Element> {
  @usableFromInline var element: Element
  /// The element's position in its tree.
  @usableFromInline var position: Int
  /// The number of elements before it that both trees have, under the same labels.
  @usableFromInline var stayers: Int
  /// Which pair of sections the trees belong to.
  @usableFromInline var pair: Int

  @inlinable
  init(element: Element, position: Int, stayers: Int, pair: Int) {
    self.element = element
    self.position = position
    self.stayers = stayers
    self.pair = pair
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
  ///   - pair: What is noted with each stray.
  ///   - gone: Takes the strays of the old tree, in order.
  ///   - come: Takes the strays of the new tree, in order.
  ///   - isSame: Whether two elements have the same identity.
  ///   - stay: Called for stayers outside shared nodes, with their positions before and after.
  /// - Returns: The number of stayers.
  @inlinable
  static func compare(
    _ old: Self, _ new: Self, pair: Int, gone: inout Strays, come: inout Strays,
    isSame: (Element, Element) -> Bool, stay: (Element, Element, Int, Int) -> Void
  ) -> Int {
    var left = TreeCursor(old)
    var right = TreeCursor(new)
    let goneBefore = gone.count
    let comeBefore = come.count
    while let a = left.current, let b = right.current {
      if a === b, left.offset == 0, right.offset == 0 {
        left.skip()
        right.skip()
      } else if a.last < b.labels[right.offset] {
        left.collect(into: &gone, before: goneBefore, pair: pair)
      } else if b.last < a.labels[left.offset] {
        right.collect(into: &come, before: comeBefore, pair: pair)
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
            gone.append(
              Stray(
                element: a.elements[i], position: leftStart + i,
                stayers: leftStart + i - (gone.count - goneBefore), pair: pair))
            i += 1
          }
          if after <= before {
            come.append(
              Stray(
                element: b.elements[j], position: rightStart + j,
                stayers: rightStart + j - (come.count - comeBefore), pair: pair))
            j += 1
          }
        }
        left.pass(i - left.offset)
        right.pass(j - right.offset)
      }
    }
    while left.current != nil { left.collect(into: &gone, before: goneBefore, pair: pair) }
    while right.current != nil { right.collect(into: &come, before: comeBefore, pair: pair) }
    return old.count - (gone.count - goneBefore)
  }
}

extension TreeCursor {
  /// Passes over the rest of the subtree ahead and notes everything in it as stray.
  @inlinable
  mutating func collect(into strays: inout OrderTree<Element>.Strays, before: Int, pair: Int) {
    guard let node = current else { return }
    var position = position
    var skipped = offset
    OrderTree.forEachLeaf(of: node) { leaf in
      for element in leaf.elements[skipped...] {
        strays.append(
          Stray(
            element: element, position: position, stayers: position - (strays.count - before), pair: pair))
        position += 1
      }
      skipped = 0
    }
    skip()
  }
}
