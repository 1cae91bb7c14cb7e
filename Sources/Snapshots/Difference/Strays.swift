/// The positions of strays in their tree, ascending: all that placing needs of them, whatever they are.
@usableFromInline typealias StrayPositions = ContiguousArray<Int>

extension StrayPositions {
  /// The positions of some strays.
  @inlinable
  init<T>(of strays: StraySlice<T>) {
    self.init(unsafeUninitializedCapacity: strays.count) { buffer, count in
      for index in strays.indices { buffer.initializeElement(at: index, to: strays[index].position) }
      count = strays.count
    }
  }

  /// The number of elements before a stray that stay.
  func stayers(before stray: Int) -> Int { self[stray] &- stray }

  /// The position of a stayer, by its number among the stayers.
  @usableFromInline
  func position(ofStayer stayer: Int) -> Int {
    stayer &+ (0..<count).partitionPoint { stayers(before: $0) <= stayer }
  }
}
