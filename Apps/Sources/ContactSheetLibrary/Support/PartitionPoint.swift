extension Range<Int> {
  /// Returns the first number of the range that does not meet a condition, where all that do come before all that do not; the
  /// upper bound where all do.
  /// - Complexity: O(log *n*) calls for a range of *n* numbers.
  func partitionPoint(where isBefore: (Int) -> Bool) -> Int {
    var (low, high) = (lowerBound, upperBound)
    while low < high {
      let middle = low + (high - low) / 2
      if isBefore(middle) { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
