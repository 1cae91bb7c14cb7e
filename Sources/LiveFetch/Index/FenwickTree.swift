import LiveStore

/// Sums of a list of numbers from its start, and the position where a sum is reached, in O(log *n*).
struct FenwickTree: Sendable {
  private var sums: [Int]

  init(_ values: [Int] = []) {
    sums = [0] + values
    for position in 1..<max(1, sums.count) {
      let parent = position + (position & -position)
      if parent < sums.count { sums[parent] += sums[position] }
    }
  }

  /// The list of numbers.
  var values: [Int] {
    var values = sums
    // The sums were made by adding each to the next above it, the first one first.
    for position in (1..<max(1, sums.count)).reversed() {
      let parent = position + (position & -position)
      if parent < values.count { values[parent] -= values[position] }
    }
    return Array(values.dropFirst())
  }

  mutating func add(_ value: Int, at position: Int) {
    var slot = position + 1
    while slot < sums.count {
      sums[slot] += value
      slot += slot & -slot
    }
  }

  func sum(before position: Int) -> Int {
    var slot = position
    var sum = 0
    while slot > 0 {
      sum += sums[slot]
      slot -= slot & -slot
    }
    return sum
  }

  /// The entry that the unit at a position counts towards, and its offset in it.
  func locate(_ position: Int) -> (entry: Int, offset: Int) {
    var slot = 0
    var rest = position
    var step = 1
    while step * 2 < sums.count { step *= 2 }
    while step > 0 {
      if slot + step < sums.count, sums[slot + step] <= rest {
        slot += step
        rest -= sums[slot]
      }
      step /= 2
    }
    return (slot, rest)
  }
}
