public import Synchronization

/// A pool of the arrays of released leaves, for the next batch.
///
/// A batch that touches the whole tree makes most of its leaves anew, and those that it replaces are released with the snapshot
/// before it. Freed and allocated again each time, so much memory is taken from the system page by page and cleared
/// by it: a sixth of what such a batch costs. The pool has no more than batches have needed of late.
@usableFromInline
final class LeafPool<Element: TreeElement>: Sendable {
  @usableFromInline typealias Arrays = (labels: ContiguousArray<UInt64>, elements: ContiguousArray<Element>)

  @usableFromInline
  struct Storage: Sendable {
    @usableFromInline var arrays: [Arrays] = []
    /// The most arrays that are kept.
    @usableFromInline var capacity = 0
    /// The number that the batch under way has requested.
    @usableFromInline var requested = 0

    @inlinable
    init() {}
  }

  @usableFromInline let storage = Mutex(Storage())

  @inlinable
  init() {}

  /// Takes empty arrays with room for a full leaf and one element more, if there are some.
  @inlinable
  func take() -> Arrays? {
    storage.withLock { storage in
      storage.requested += 1
      return storage.arrays.popLast()
    }
  }

  /// Returns the arrays of a released leaf to the pool.
  @inlinable
  func give(_ labels: inout ContiguousArray<UInt64>, _ elements: inout ContiguousArray<Element>) {
    guard storage.withLock({ $0.arrays.count < $0.capacity }) else { return }
    // The elements may be more than bytes, and go before anything is locked.
    labels.removeAll(keepingCapacity: true)
    elements.removeAll(keepingCapacity: true)
    let arrays = (labels, elements)
    labels = []
    elements = []
    storage.withLock { if $0.arrays.count < $0.capacity { $0.arrays.append(arrays) } }
  }

  /// Ends a batch: from now on as many are kept as it has requested, or somewhat fewer than before if that is more.
  @inlinable
  func endBatch() {
    storage.withLock { storage in
      storage.capacity = max(storage.requested, storage.capacity * 7 / 8)
      storage.requested = 0
      if storage.arrays.count > storage.capacity {
        storage.arrays.removeLast(storage.arrays.count - storage.capacity)
      }
    }
  }
}
