/// Which of the old strays were found again among the new ones.
@usableFromInline
struct Found {
  /// For each new stray the number of the old one with the same identity, or -1.
  @usableFromInline var partners: ContiguousArray<Int>
  /// For each old stray whether it was found.
  @usableFromInline var isFound: ContiguousArray<Bool>

  /// How far neighbours are looked at before strays are looked up by hash.
  @inlinable static var reach: Int { 6 }

  /// Finds the old strays among the new ones.
  ///
  /// Lists change by a few insertions, deletions and moves: what follows a stray before mostly follows it
  /// after. So the two sides are first walked together, skipping a few where they differ; that finds most
  /// strays by one comparison. Only what is left is put into a hash table. An identity occurs once on each
  /// side, so whatever is found in whichever way is right.
  @inlinable
  init<Element, ID: Hashable & Sendable>(
    _ gone: ContiguousArray<Stray<Element>>, _ come: ContiguousArray<Stray<Element>>, id: (Element) -> ID
  ) {
    isFound = ContiguousArray(repeating: false, count: gone.count)
    partners = ContiguousArray(repeating: -1, count: come.count)
    if gone.isEmpty || come.isEmpty { return }
    var left = 0
    var right = 0
    var count = 0
    walk: while left < gone.count, right < come.count {
      if id(gone[left].element) == id(come[right].element) {
        isFound[left] = true
        partners[right] = left
        count &+= 1
        left &+= 1
        right &+= 1
        continue
      }
      for distance in 1...Self.reach {
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
    if count < gone.count, count < come.count { lookUpRest(gone, come, count: count, id: id) }
  }

  @inlinable
  mutating func lookUpRest<Element, ID: Hashable & Sendable>(
    _ gone: ContiguousArray<Stray<Element>>, _ come: ContiguousArray<Stray<Element>>, count: Int,
    id: (Element) -> ID
  ) {
    let table = FlatTable<ID>(minimumCapacity: gone.count - count)
    for number in gone.indices where !isFound[number] {
      _ = table.insert(id(gone[number].element), value: UInt64(truncatingIfNeeded: number))
    }
    for number in come.indices where partners[number] < 0 {
      guard let entry = table.find(id(come[number].element)) else { continue }
      let partner = Int(truncatingIfNeeded: table.values[entry])
      partners[number] = partner
      isFound[partner] = true
    }
  }

  /// The old stray with the identity of a new one, or nil.
  @inlinable
  func partner(of number: Int) -> Int? {
    partners[number] < 0 ? nil : partners[number]
  }
}
