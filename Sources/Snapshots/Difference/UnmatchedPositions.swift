/// The positions of unmatched elements in their tree, ascending: all that ``MinimalMoves`` needs of them.
///
/// A view of the elements' own memory: it is not to outlive them.
@usableFromInline
struct UnmatchedPositions {
  @usableFromInline let first: UnsafeRawPointer?
  @usableFromInline let stride: Int
  @usableFromInline let count: Int

  /// Creates a view of the positions of some elements.
  @inlinable
  init<T>(of elements: UnmatchedSlice<T>) {
    // It is the first stored property of an unmatched element.
    assert(MemoryLayout<PositionedElement<T>>.offset(of: \.position) == 0)
    first = UnsafeRawPointer(elements.baseAddress)
    stride = MemoryLayout<PositionedElement<T>>.stride
    count = elements.count
  }

  subscript(index: Int) -> Int {
    assert(0 <= index && index < count)
    return first.unsafelyUnwrapped.load(fromByteOffset: index &* stride, as: Int.self)
  }

  /// The number of retained elements before an unmatched one.
  func retained(before index: Int) -> Int { self[index] &- index }

  /// The position of a retained element, by its number among the retained ones.
  @usableFromInline
  func position(ofRetained number: Int) -> Int {
    number &+ (0..<count).partitionPoint { retained(before: $0) <= number }
  }
}
