/// Which of the old strays were found again among the new ones.
@usableFromInline
struct Matching {
  /// For each new stray the number of the old one with the same identity, or -1.
  @usableFromInline var partners: ContiguousArray<Int>
  /// For each old stray whether it was found.
  @usableFromInline var isFound: ContiguousArray<Bool>
  /// How many were found.
  @usableFromInline var count = 0

  /// Finds the old strays among the new ones.
  ///
  /// Neighbours mostly move together, so strays are first walked side by side, skipping a few where they differ;
  /// that finds most of them by one comparison. What is left is put into a hash table. An identity occurs once
  /// on each side, so whatever is found in whichever way is right.
  ///
  /// - Parameters:
  ///   - gone: The old strays.
  ///   - come: The new strays.
  ///   - walks: Whether to walk them first; not if they are left over from such a walk.
  ///   - id: The identity of an element.
  @inlinable
  init<Element, ID: Hashable & Sendable>(
    _ gone: StraySlice<Element>, _ come: StraySlice<Element>, walks: Bool, id: (Element) -> ID
  ) {
    isFound = ContiguousArray(repeating: false, count: gone.count)
    partners = ContiguousArray(repeating: -1, count: come.count)
    if gone.isEmpty || come.isEmpty { return }
    if walks { walk(gone, come, id: id) }
    if count < gone.count, count < come.count { lookUpRest(gone, come, id: id) }
  }

  @inlinable
  mutating func walk<Element, ID: Equatable>(
    _ gone: StraySlice<Element>, _ come: StraySlice<Element>, id: (Element) -> ID
  ) {
    var left = 0
    var right = 0
    walk: while left < gone.count, right < come.count {
      if id(gone[left].element) == id(come[right].element) {
        note(left, right)
        left &+= 1
        right &+= 1
        continue
      }
      for distance in 1...TreeShape.reach {
        if left + distance < gone.count, id(gone[left + distance].element) == id(come[right].element) {
          left += distance
          continue walk
        }
        if right + distance < come.count, id(gone[left].element) == id(come[right + distance].element) {
          right += distance
          continue walk
        }
      }
      left &+= 1
      right &+= 1
    }
  }

  /// Looks strays up that are not found yet, in a hash table without keys: its slots are those of a
  /// ``FlatTable`` with the numbers of old strays for entries.
  @inlinable
  mutating func lookUpRest<Element, ID: Hashable & Sendable>(
    _ gone: StraySlice<Element>, _ come: StraySlice<Element>, id: (Element) -> ID
  ) {
    let bits = FlatTable<ID>.bits(for: gone.count)
    withUnsafeTemporaryAllocation(of: UInt32.self, capacity: 1 << bits) { slots in
      slots.initialize(repeating: 0)
      for number in gone.indices where !isFound[number] {
        FlatTable<ID>.put(number, hash: FlatTable.hash(id(gone[number].element)), bits: bits, in: slots)
      }
      for number in come.indices where partners[number] < 0 {
        let wanted = id(come[number].element)
        let partner = FlatTable<ID>.entry(hash: FlatTable.hash(wanted), bits: bits, in: slots) {
          id(gone[$0].element) == wanted
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

  /// The old stray with the identity of a new one, or nil.
  @inlinable
  func partner(of number: Int) -> Int? {
    partners[number] < 0 ? nil : partners[number]
  }
}
