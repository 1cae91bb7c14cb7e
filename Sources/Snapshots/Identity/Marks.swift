/// Marked identifiers in the order in which they were first marked.
@usableFromInline
struct Marks<ID: Hashable & Sendable>: Sendable {
  /// For each marked identifier the number of its mark.
  @usableFromInline var numbers = ChainedMap<ID>()
  @usableFromInline var next: UInt64 = 0
  /// Identifiers that were marked all at once, each once, while nothing else was marked. They are in no dictionary until
  /// somebody edits the marks: a delivered snapshot is mostly shown and never edited.
  @usableFromInline var pending: [ID] = []

  @inlinable
  init() {}

  /// Marks identifiers, each named once.
  @inlinable
  init(_ ids: [ID]) { pending = ids }

  @inlinable var isEmpty: Bool { numbers.isEmpty && pending.isEmpty }

  /// Makes a dictionary of what was marked all at once. Whoever looks for a mark, or changes any, does so first.
  @inlinable
  mutating func enterPending() {
    if !pending.isEmpty { insertPending() }
  }

  @usableFromInline @inline(never) @_semantics("optimize.sil.specialize.generic.never")
  mutating func insertPending() {
    let ids = pending
    pending = []
    for id in ids { insert(id) }
  }

  /// The identifiers in the order of their marks.
  @inlinable var ordered: [ID] {
    if numbers.isEmpty { return pending }
    var ids: [ID] = []
    var paths: [ListIndexPath] = []
    ids.reserveCapacity(numbers.count)
    paths.reserveCapacity(numbers.count)
    numbers.forEach { id, number in
      ids.append(id)
      paths.append(ListIndexPath(item: Int(number), section: 0))
    }
    sortUnlessSorted(&ids, at: paths)
    return ids
  }

  /// Whether an identifier is marked, if none is pending.
  @inlinable
  func contains(_ id: ID) -> Bool {
    !numbers.isEmpty && numbers.value(of: id, hash: FlatTable.hash(id)) != nil
  }

  @inlinable
  mutating func insert(_ id: ID) {
    enterPending()
    let hash = FlatTable.hash(id)
    if numbers.value(of: id, hash: hash) != nil { return }
    _ = numbers.update(id, hash: hash, to: next)
    next += 1
  }

  @inlinable
  mutating func remove(_ id: ID) {
    enterPending()
    if !numbers.isEmpty { numbers.remove(id, hash: FlatTable.hash(id)) }
  }
}
