/// The pairs of removed and inserted elements with the same identity: elements that moved.
@usableFromInline
struct Matching {
  /// For each inserted element the index of the removed one with the same identity, or -1.
  @usableFromInline var partners: ContiguousArray<Int>
  /// For each removed element whether it was found among the inserted ones.
  @usableFromInline var isFound: ContiguousArray<Bool>
  /// The number of pairs.
  @usableFromInline var count = 0

  /// Finds the removed elements among the inserted ones.
  ///
  /// Neighbours mostly move together, so both are first compared side by side, skipping a few where they differ;
  /// that finds most of them by one comparison. The others are put into a hash table. An identity occurs once
  /// on each side, so each pair that is found is right.
  ///
  /// - Parameters:
  ///   - removed: The unmatched elements of the old tree.
  ///   - inserted: The unmatched elements of the new tree.
  ///   - comparesNeighbors: Whether to compare them side by side first; not if they are left over from such a comparison.
  ///   - id: The identity of an element.
  @inlinable
  init<Element, ID: Hashable & Sendable>(
    _ removed: UnmatchedSlice<Element>, _ inserted: UnmatchedSlice<Element>, comparesNeighbors: Bool,
    id: (Element) -> ID
  ) {
    isFound = ContiguousArray(repeating: false, count: removed.count)
    partners = ContiguousArray(repeating: -1, count: inserted.count)
    if removed.isEmpty || inserted.isEmpty { return }
    if comparesNeighbors { matchNeighbors(removed, inserted, id: id) }
    if count < removed.count, count < inserted.count { lookUpRest(removed, inserted, id: id) }
  }

  @inlinable @inline(never)
  mutating func matchNeighbors<Element, ID: Equatable>(
    _ removed: UnmatchedSlice<Element>, _ inserted: UnmatchedSlice<Element>, id: (Element) -> ID
  ) {
    var left = 0
    var right = 0
    pairs: while left < removed.count, right < inserted.count {
      if id(removed[left].element) == id(inserted[right].element) {
        note(left, right)
        left &+= 1
        right &+= 1
        continue
      }
      for distance in 1...TreeShape.reach {
        if left + distance < removed.count,
          id(removed[left + distance].element) == id(inserted[right].element)
        {
          left += distance
          continue pairs
        }
        if right + distance < inserted.count,
          id(removed[left].element) == id(inserted[right + distance].element)
        {
          right += distance
          continue pairs
        }
      }
      left &+= 1
      right &+= 1
    }
  }

  /// Looks up elements that are not found yet, in a hash table without keys: its slots are those of a
  /// ``FlatTable`` with the indices of removed elements for entries.
  @inlinable @inline(never)
  mutating func lookUpRest<Element, ID: Hashable & Sendable>(
    _ removed: UnmatchedSlice<Element>, _ inserted: UnmatchedSlice<Element>, id: (Element) -> ID
  ) {
    let bits = FlatTable<ID>.bits(for: removed.count)
    withUnsafeTemporaryAllocation(of: UInt32.self, capacity: 1 << bits) { slots in
      slots.initialize(repeating: 0)
      for number in removed.indices where !isFound[number] {
        FlatTable<ID>.put(number, hash: FlatTable.hash(id(removed[number].element)), bits: bits, in: slots)
      }
      for number in inserted.indices where partners[number] < 0 {
        let wanted = id(inserted[number].element)
        let partner = FlatTable<ID>.entry(hash: FlatTable.hash(wanted), bits: bits, in: slots) {
          id(removed[$0].element) == wanted
        }
        if let partner { note(partner, number) }
      }
    }
  }

  @inlinable
  mutating func note(_ old: Int, _ new: Int) {
    partners[new] = old
    isFound[old] = true
    count &+= 1
  }

  /// The index of the removed element with the identity of an inserted one, or nil.
  @inlinable
  func partner(of number: Int) -> Int? {
    partners[number] < 0 ? nil : partners[number]
  }
}
