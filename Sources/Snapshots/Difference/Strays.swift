extension UnsafeBufferPointer {
  /// The number of elements before a stray that stay.
  @inlinable
  func stayers<T>(before stray: Int) -> Int where Element == Stray<T> { self[stray].position &- stray }

  /// The position of a stayer, by its number among the stayers.
  @inlinable
  func position<T>(ofStayer stayer: Int) -> Int where Element == Stray<T> {
    var low = 0
    var high = count
    while low < high {
      let middle = (low &+ high) &>> 1
      if stayers(before: middle) <= stayer { low = middle &+ 1 } else { high = middle }
    }
    return stayer &+ low
  }
}
