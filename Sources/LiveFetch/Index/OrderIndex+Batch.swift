import LiveStore

extension OrderIndex {
  /// Where a key is to be put in: before the one at an offset in a leaf.
  struct Gap {
    var leaf: Int
    var offset: Int
    /// The number of keys before it.
    var position: Int
  }

  /// Where some keys belong.
  ///
  /// - Parameters:
  ///   - keys: The keys, ascending.
  ///   - isLeaving: Whether the key at a position is to be removed before these are inserted.
  /// - Returns: nil where a key is there already and not to be removed, or is named twice.
  /// - Complexity: O(*k* log *n*).
  func gaps(for keys: [[UInt8]], isLeaving: (Int) -> Bool) -> [Gap]? {
    if leaves.isEmpty {
      for (number, key) in keys.enumerated() where number > 0 && keys[number - 1] == key { return nil }
      return keys.map { _ in Gap(leaf: 0, offset: 0, position: 0) }
    }
    // First all leaves, then the offsets in them: the memory of a leaf is on its way while others are searched.
    var homes: [Int] = []
    homes.reserveCapacity(keys.count)
    for key in keys {
      homes.append(key.withUnsafeBytes { leafIndex(for: $0, from: homes.last ?? 0) })
    }
    var gaps: [Gap] = []
    gaps.reserveCapacity(keys.count)
    for (number, key) in keys.enumerated() {
      if number > 0, keys[number - 1] == key { return nil }
      if number + 2 < homes.count { leaves[homes[number + 2]].askForKeys() }
      let gap: Gap? = key.withUnsafeBytes { key in
        let leaf = homes[number]
        let offset = leaves[leaf].lowerBound(key)
        let position = sums.sum(before: leaf) + offset
        if offset < leaves[leaf].count, leaves[leaf].compare(at: offset, to: key) == 0, !isLeaving(position) {
          return nil
        }
        return Gap(leaf: leaf, offset: offset, position: position)
      }
      guard let gap else { return nil }
      gaps.append(gap)
    }
    return gaps
  }

  /// Removes keys and inserts others, leaf by leaf.
  ///
  /// - Parameters:
  ///   - removed: The positions of the keys to remove, ascending.
  ///   - keys: The keys to insert, ascending.
  ///   - gaps: Where they belong, as ``gaps(for:isLeaving:)`` says.
  /// - Complexity: O(*k* log *n*), besides what moves inside the leaves; O(*n* / leaf size) where a leaf has to be split.
  mutating func edit(removing removed: [Int], inserting keys: [[UInt8]], at gaps: [Gap]) {
    guard !leaves.isEmpty else {
      for key in keys { _ = insert(key) }
      return
    }
    var uneven: [Int] = []
    var removal = removed.count - 1
    var insertion = keys.count - 1
    var leaving = removal >= 0 ? sums.locate(removed[removal]) : (entry: -1, offset: 0)
    // From the last to the first, so that what is before an edit keeps its position until its turn comes.
    while removal >= 0 || insertion >= 0 {
      let leaf = max(leaving.entry, insertion >= 0 ? gaps[insertion].leaf : -1)
      var change = 0
      while true {
        let coming = insertion >= 0 && gaps[insertion].leaf == leaf ? gaps[insertion].offset : -1
        // Of two edits at one offset the key that is there is removed first: the other is put in before it.
        if leaving.entry == leaf, leaving.offset >= coming {
          leaves[leaf].remove(at: leaving.offset)
          change -= 1
          removal -= 1
          leaving = removal >= 0 ? sums.locate(removed[removal]) : (-1, 0)
        } else if coming >= 0 {
          keys[insertion].withUnsafeBytes { leaves[leaf].insert($0, at: coming) }
          change += 1
          insertion -= 1
        } else {
          break
        }
      }
      // What is located later is before this leaf.
      sums.add(change, at: leaf)
      count += change
      let size = leaves[leaf].count
      if size > Self.leafCapacity || size < Self.leafCapacity / 8 { uneven.append(leaf) }
    }
    if count == 0 { self = OrderIndex() } else if !uneven.isEmpty { even(out: uneven) }
  }

  /// Splits leaves that are too large and joins those that are too small with a neighbour, where both fit into one.
  /// - Parameter uneven: The leaves, descending.
  mutating func even(out uneven: [Int]) {
    var counts: [Int]?
    for leaf in uneven {
      if leaves[leaf].count > Self.leafCapacity {
        replace(leaf..<leaf + 1, with: leaves[leaf].split(capacity: Self.leafCapacity), &counts)
      } else if leaves[leaf].count == 0 {
        replace(leaf..<leaf + 1, with: [], &counts)
      } else if let low = [leaf - 1, leaf].first(where: { canJoin($0) }) {
        replace(low..<low + 2, with: [leaves[low].joined(leaves[low + 1])], &counts)
      }
    }
    if let counts { sums = FenwickTree(counts) }
  }

  private func canJoin(_ low: Int) -> Bool {
    guard low >= 0, low + 1 < leaves.count, leaves[low].count > 0, leaves[low + 1].count > 0 else {
      return false
    }
    return leaves[low].count + leaves[low + 1].count <= Self.leafCapacity * 3 / 4
  }

  private mutating func replace(_ range: Range<Int>, with new: [OrderLeaf], _ counts: inout [Int]?) {
    // Not asked of the leaves: most of them are in no cache.
    counts = counts ?? sums.values
    counts?.replaceSubrange(range, with: new.map(\.count))
    leaves.replaceSubrange(range, with: new)
    for leaf in range.reversed() { heads.remove(at: leaf) }
    for (offset, leaf) in new.enumerated() {
      leaf.key(at: 0).withUnsafeBytes { heads.insert($0, at: range.lowerBound + offset) }
    }
  }
}
