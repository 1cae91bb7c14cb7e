/// The positions of strays in their tree, ascending: all that placing needs of them, whatever they are.
///
/// A view of the strays' own memory: it is not to outlive them.
@usableFromInline
struct StrayPositions {
  @usableFromInline let first: UnsafeRawPointer?
  @usableFromInline let stride: Int
  @usableFromInline let count: Int

  /// The positions of some strays.
  @inlinable
  init<T>(of strays: StraySlice<T>) {
    // It is the first thing that a stray stores.
    assert(MemoryLayout<Stray<T>>.offset(of: \.position) == 0)
    first = UnsafeRawPointer(strays.baseAddress)
    stride = MemoryLayout<Stray<T>>.stride
    count = strays.count
  }

  subscript(stray: Int) -> Int {
    assert(0 <= stray && stray < count)
    return first.unsafelyUnwrapped.load(fromByteOffset: stray &* stride, as: Int.self)
  }

  /// The number of elements before a stray that stay.
  func stayers(before stray: Int) -> Int { self[stray] &- stray }

  /// The position of a stayer, by its number among the stayers.
  @usableFromInline
  func position(ofStayer stayer: Int) -> Int {
    stayer &+ (0..<count).partitionPoint { stayers(before: $0) <= stayer }
  }
}
