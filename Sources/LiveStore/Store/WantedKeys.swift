/// The keys of rows that are wanted, which come in the list's order, or the other way round, with other rows between.
///
/// So a row is compared with the first and the last key that is left; only one that is neither is looked for among all.
@usableFromInline
package struct WantedKeys<Key: Hashable> {
  @usableFromInline let keys: [Key]
  /// Those between which all are left but the ones in `early`.
  @usableFromInline var left: Range<Int>
  /// The indices of those that came before their turn.
  @usableFromInline var early: Set<Int> = []
  /// The index of each key, made when a row comes before its turn.
  @usableFromInline var indexByKey: [Key: Int]?

  @inlinable
  package init(_ keys: [Key]) {
    self.keys = keys
    left = keys.indices
  }

  @inlinable package var isEmpty: Bool { left.isEmpty }

  /// Takes a key out.
  /// - Returns: Whether it was wanted, and is not any more.
  @inlinable
  package mutating func take(_ key: Key) -> Bool {
    if left.isEmpty { return false }
    if keys[left.lowerBound] == key {
      narrow(left.dropFirst())
    } else if keys[left.upperBound - 1] == key {
      narrow(left.dropLast())
    } else {
      return search(key)
    }
    return true
  }

  @inlinable
  mutating func narrow(_ range: Range<Int>) {
    left = range
    if early.isEmpty { return }
    while !left.isEmpty, early.remove(left.lowerBound) != nil { left = left.dropFirst() }
    while !left.isEmpty, early.remove(left.upperBound - 1) != nil { left = left.dropLast() }
  }

  @usableFromInline
  mutating func search(_ key: Key) -> Bool {
    let indexByKey = indexByKey ?? Dictionary(zip(keys, keys.indices)) { first, _ in first }
    self.indexByKey = indexByKey
    guard let index = indexByKey[key], left.contains(index) else { return false }
    return early.insert(index).inserted
  }
}
