/// Returns for each value whether it belongs to one longest strictly increasing subsequence of them.
func increasingSubsequence(of values: ContiguousArray<UInt32>) -> ContiguousArray<Bool> {
  let total = values.count
  var belongs = ContiguousArray(repeating: false, count: total)
  if total == 0 { return belongs }
  // For each length, the value and the position at which an ascent of that length ends lowest; for each
  // position, the one before it in the best ascent that ends there.
  withUnsafeTemporaryAllocation(of: UInt32.self, capacity: total * 3) { memory in
    let lowest = UnsafeMutableBufferPointer(rebasing: memory[..<total])
    let ends = UnsafeMutableBufferPointer(rebasing: memory[total..<2 * total])
    let previous = UnsafeMutableBufferPointer(rebasing: memory[(2 * total)...])
    var length = 0
    // Where the value before went: the next mostly goes right behind it, or to the end.
    var slot = -1
    for position in 0..<total {
      let value = values[position]
      slot &+= 1
      let isBehind =
        (slot == 0 || lowest[slot &- 1] < value) && (slot == length || value <= lowest[slot])
      if !isBehind {
        if lowest[length &- 1] < value {
          slot = length
        } else if length > 1, lowest[length &- 2] < value {
          slot = length &- 1
        } else {
          slot = (0..<length &- 1).partitionPoint { lowest[$0] < value }
        }
      }
      previous[position] = slot > 0 ? ends[slot &- 1] : .max
      lowest[slot] = value
      ends[slot] = UInt32(truncatingIfNeeded: position)
      if slot == length { length &+= 1 }
    }
    var next = ends[length &- 1]
    while next != .max {
      belongs[Int(next)] = true
      next = previous[Int(next)]
    }
  }
  return belongs
}

/// An increasing subsequence of greatest weight among elements with different ranks.
struct WeightedIncreasingSubsequence {
  /// A tree of prefix maxima over ranks: the element at which the heaviest ascent below a rank ends, plus one.
  var maxima: ContiguousArray<Int>
  var elements: ContiguousArray<(total: Int, previous: Int, tag: Int)> = []
  var best = -1

  init(count: Int) {
    maxima = ContiguousArray(repeating: 0, count: count + 1)
    elements.reserveCapacity(count)
  }

  mutating func add(rank: Int, weight: Int, tag: Int) {
    var previous = -1
    var below = 0
    var index = rank
    while index > 0 {
      let candidate = maxima[index] &- 1
      if candidate >= 0, elements[candidate].total > below {
        below = elements[candidate].total
        previous = candidate
      }
      index &= index &- 1
    }
    let number = elements.count
    let total = below + weight
    elements.append((total, previous, tag))
    if best < 0 || total > elements[best].total { best = number }
    index = rank + 1
    while index < maxima.count {
      let candidate = maxima[index] &- 1
      if candidate < 0 || elements[candidate].total < total { maxima[index] = number &+ 1 }
      index &+= index & (0 &- index)
    }
  }

  func forEachElement(_ body: (Int) -> Void) {
    var next = best
    while next >= 0 {
      body(elements[next].tag)
      next = elements[next].previous
    }
  }
}
