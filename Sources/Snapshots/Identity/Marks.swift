public import HashTreeCollections

/// Marked identifiers in the order in which they were first marked.
@usableFromInline
struct Marks<ID: Hashable & Sendable>: Sendable {
  /// For each marked identifier the number of its mark.
  @usableFromInline var numbers: TreeDictionary<ID, Int> = [:]
  @usableFromInline var next = 0

  @inlinable
  init() {}

  @inlinable var isEmpty: Bool { numbers.isEmpty }

  /// The identifiers in the order of their marks.
  @inlinable var ordered: [ID] {
    numbers.isEmpty ? [] : numbers.sorted { $0.value < $1.value }.map { $0.key }
  }

  @inlinable
  func contains(_ id: ID) -> Bool { !numbers.isEmpty && numbers[id] != nil }

  @inlinable
  mutating func insert(_ id: ID) {
    if numbers[id] != nil { return }
    numbers[id] = next
    next += 1
  }

  @inlinable
  mutating func remove(_ id: ID) {
    if !numbers.isEmpty { numbers[id] = nil }
  }
}
