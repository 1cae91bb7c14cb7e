/// The unmatched elements of one tree in order, or a range of them.
@usableFromInline typealias UnmatchedSlice<Element> = UnsafeBufferPointer<PositionedElement<Element>>

extension OrderTree {
  /// Elements that have no counterpart where two trees were compared side by side.
  @usableFromInline typealias Unmatched = ContiguousArray<PositionedElement<Element>>

  /// Compares two related trees: one descends from the other, or both from a third.
  ///
  /// Elements that are met on both sides at once stay, in the same order on both; all others are unmatched. Those that are met are called retained.
  /// The sides are kept in step by their labels. Related trees share nodes, and shared nodes are skipped without
  /// a look at what is below them.
  ///
  /// - Parameters:
  ///   - old: The tree before.
  ///   - new: The tree after.
  ///   - removed: Takes the unmatched elements of the old tree, in order.
  ///   - inserted: Takes the unmatched elements of the new tree, in order.
  ///   - isSame: Whether two elements have the same identity.
  ///   - retain: Called for retained elements outside shared nodes, with their positions before and after.
  /// - Returns: The number of retained elements.
  @inlinable
  static func compareRelated(
    _ old: Self, _ new: Self, removed: inout Unmatched, inserted: inout Unmatched,
    isSame: (Element, Element) -> Bool, retain: (Element, Element, Int, Int) -> Void
  ) -> Int {
    var left = TreeCursor(old)
    var right = TreeCursor(new)
    let removedBefore = removed.count
    while let a = left.current, let b = right.current {
      if a === b, left.offset == 0, right.offset == 0 {
        left.skip()
        right.skip()
      } else if a.last < b.labels[right.offset] {
        left.collect(into: &removed)
      } else if b.last < a.labels[left.offset] {
        right.collect(into: &inserted)
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
          if isSame(a.elements[i], b.elements[j]) {
            retain(a.elements[i], b.elements[j], leftStart + i, rightStart + j)
            i += 1
            j += 1
            continue
          }
          let (before, after) = (a.labels[i], b.labels[j])
          if before <= after {
            removed.append(PositionedElement(element: a.elements[i], position: leftStart + i))
            i += 1
          }
          if after <= before {
            inserted.append(PositionedElement(element: b.elements[j], position: rightStart + j))
            j += 1
          }
        }
        left.pass(i - left.offset)
        right.pass(j - right.offset)
      }
    }
    while left.current != nil { left.collect(into: &removed) }
    while right.current != nil { right.collect(into: &inserted) }
    return old.count - (removed.count - removedBefore)
  }

  /// Compares two trees that are not related, so that their labels say nothing of each other.
  ///
  /// Lists change by a few insertions, deletions and moves, and what follows an element before mostly follows it
  /// after. So where the sides differ, a few neighbours are looked at on either; and where that has failed for a
  /// while, an element is looked up on the other side, to get in step again. Like ``compareRelated(_:_:removed:inserted:isSame:retain:)``
  /// this is right for any two trees, and only its cost depends on how well they are kept in step.
  ///
  /// - Parameters:
  ///   - old: The tree before.
  ///   - new: The tree after.
  ///   - removed: Takes the unmatched elements of the old tree, in order.
  ///   - inserted: Takes the unmatched elements of the new tree, in order.
  ///   - isSame: Whether two elements have the same identity.
  ///   - inOld: The label in the old tree of an element of the new one, or nil.
  ///   - inNew: The label in the new tree of an element of the old one, or nil.
  ///   - retain: Called for retained elements, with their positions before and after.
  /// - Returns: The number of retained elements.
  @inlinable
  static func compareUnrelated(
    _ old: Self, _ new: Self, removed: inout Unmatched, inserted: inout Unmatched,
    isSame: (Element, Element) -> Bool, inOld: (Element) -> UInt64?, inNew: (Element) -> UInt64?,
    retain: (Element, Element, Int, Int) -> Void
  ) -> Int {
    var left = TreeCursor(old)
    var right = TreeCursor(new)
    let removedBefore = removed.count
    // How many steps were out of step, and after how many something is looked up.
    var misses = 0
    var patience = TreeShape.reach
    while let a = left.current, let b = right.current {
      if !a.isLeaf {
        left.enter()
        continue
      }
      if !b.isLeaf {
        right.enter()
        continue
      }
      var i = left.offset
      var j = right.offset
      let leftStart = left.position - left.offset
      let rightStart = right.position - right.offset
      while i < a.count, j < b.count, misses < patience {
        if isSame(a.elements[i], b.elements[j]) {
          retain(a.elements[i], b.elements[j], leftStart + i, rightStart + j)
          i += 1
          j += 1
          misses = 0
          continue
        }
        let step = Self.step(a, i, b, j, isSame)
        for index in i..<i + step.0 {
          removed.append(PositionedElement(element: a.elements[index], position: leftStart + index))
        }
        for index in j..<j + step.1 {
          inserted.append(PositionedElement(element: b.elements[index], position: rightStart + index))
        }
        misses = step == (1, 1) ? misses + 1 : 0
        i += step.0
        j += step.1
      }
      left.pass(i - left.offset)
      right.pass(j - right.offset)
      guard misses >= patience, let before = left.element, let after = right.element else { continue }
      misses = 0
      if let ahead = left.distance(to: inOld(after), in: old) {
        left.collect(ahead, into: &removed)
        patience = TreeShape.reach
      } else if let ahead = right.distance(to: inNew(before), in: new) {
        right.collect(ahead, into: &inserted)
        patience = TreeShape.reach
      } else {
        patience *= 2
      }
    }
    while left.current != nil { left.collect(into: &removed) }
    while right.current != nil { right.collect(into: &inserted) }
    return old.count - (removed.count - removedBefore)
  }

  /// How far to go on either side of two leaves that differ, so that they are the same again if they soon are.
  @inlinable
  static func step(
    _ a: Node, _ i: Int, _ b: Node, _ j: Int, _ isSame: (Element, Element) -> Bool
  ) -> (Int, Int) {
    for distance in 1...TreeShape.reach {
      if i + distance < a.count, isSame(a.elements[i + distance], b.elements[j]) { return (distance, 0) }
      if j + distance < b.count, isSame(a.elements[i], b.elements[j + distance]) { return (0, distance) }
    }
    return (1, 1)
  }
}

extension TreeCursor {
  /// Passes over the rest of the subtree ahead and notes all its elements as unmatched.
  @inlinable @inline(never)
  mutating func collect(into elements: inout OrderTree<Element>.Unmatched) {
    guard let node = current else { return }
    var position = position
    var skipped = offset
    OrderTree.forEachLeaf(of: node) { leaf in
      for index in skipped..<leaf.elements.count {
        elements.append(PositionedElement(element: leaf.elements[index], position: position))
        position += 1
      }
      skipped = 0
    }
    skip()
  }

  /// Passes over some elements and notes them as unmatched.
  @inlinable @inline(never)
  mutating func collect(_ count: Int, into elements: inout OrderTree<Element>.Unmatched) {
    var rest = count
    while rest > 0, let node = current {
      if !node.isLeaf {
        enter()
        continue
      }
      let length = min(rest, node.count - offset)
      for index in offset..<offset + length {
        elements.append(PositionedElement(element: node.elements[index], position: position + index - offset))
      }
      pass(length)
      rest -= length
    }
  }

  /// The element ahead, if the cursor is at a leaf.
  @inlinable var element: Element? {
    guard let current, current.isLeaf else { return nil }
    return current.elements[offset]
  }

  /// How many elements are before the one with a label, if it is ahead and not too far away.
  @inlinable @inline(never)
  func distance(to label: UInt64?, in tree: OrderTree<Element>) -> Int? {
    guard let label, let found = tree.find(label: label), found.position > position,
      found.position - position <= TreeShape.farReach
    else { return nil }
    return found.position - position
  }
}
