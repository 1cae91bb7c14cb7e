public import Synchronization

/// The arrays of leaves that are no more, kept for the next batch.
///
/// A batch that touches the whole tree makes most of its leaves anew, and those that it replaces go when the snapshot before
/// it does. Given back and asked for again each time, so much memory is taken from the system page by page and cleared
/// by it: a sixth of what such a batch costs. No more is kept than batches have needed of late.
@usableFromInline
final class SpareLeaves<Element: TreeElement>: Sendable {
  @usableFromInline typealias Arrays = (labels: ContiguousArray<UInt64>, elements: ContiguousArray<Element>)

  @usableFromInline
  struct Shelf: Sendable {
    @usableFromInline var arrays: [Arrays] = []
    /// How many are kept.
    @usableFromInline var most = 0
    /// How many the batch that is under way has asked for.
    @usableFromInline var asked = 0

    @inlinable
    init() {}
  }

  @usableFromInline let shelf = Mutex(Shelf())

  @inlinable
  init() {}

  /// Empty arrays with room for a full leaf and one element more, if there are some.
  @inlinable
  func take() -> Arrays? {
    shelf.withLock { shelf in
      shelf.asked += 1
      return shelf.arrays.popLast()
    }
  }

  /// Keeps the arrays of a leaf that nobody holds any more.
  @inlinable
  func give(_ labels: inout ContiguousArray<UInt64>, _ elements: inout ContiguousArray<Element>) {
    // The elements may be more than bytes, and go before anything is locked.
    labels.removeAll(keepingCapacity: true)
    elements.removeAll(keepingCapacity: true)
    let arrays = (labels, elements)
    labels = []
    elements = []
    shelf.withLock { if $0.arrays.count < $0.most { $0.arrays.append(arrays) } }
  }

  /// Ends a batch: from now on as many are kept as it has asked for, or somewhat fewer than before if that is more.
  @inlinable
  func endBatch() {
    shelf.withLock { shelf in
      shelf.most = max(shelf.asked, shelf.most * 7 / 8)
      shelf.asked = 0
      if shelf.arrays.count > shelf.most { shelf.arrays.removeLast(shelf.arrays.count - shelf.most) }
    }
  }
}
