/// The positions of a longest strictly ascending subsequence, descending.
@inlinable
func longestAscent(of values: ContiguousArray<Int>) -> ContiguousArray<Int> {
  // For each length, the value and the position at which an ascent of that length ends lowest.
  var lowest = ContiguousArray<Int>()
  var ends = ContiguousArray<Int>()
  var previous = ContiguousArray<Int>()
  previous.reserveCapacity(values.count)
  // Where the value before went: the next mostly goes right behind it.
  var slot = -1
  for (position, value) in values.enumerated() {
    slot += 1
    let isBehind = (slot == 0 || lowest[slot - 1] < value) && (slot == lowest.count || value <= lowest[slot])
    if !isBehind {
      var low = 0
      var high = lowest.count
      while low < high {
        let middle = (low &+ high) &>> 1
        if lowest[middle] < value { low = middle &+ 1 } else { high = middle }
      }
      slot = low
    }
    previous.append(slot > 0 ? ends[slot - 1] : -1)
    if slot == lowest.count {
      lowest.append(value)
      ends.append(position)
    } else {
      lowest[slot] = value
      ends[slot] = position
    }
  }
  var kept = ContiguousArray<Int>()
  kept.reserveCapacity(ends.count)
  var next = ends.last ?? -1
  while next >= 0 {
    kept.append(next)
    next = previous[next]
  }
  return kept
}

/// Finds an ascending subsequence of greatest weight among elements with different ranks.
@usableFromInline
struct HeaviestAscent {
  /// A tree of prefix maxima over ranks: the element at which the heaviest ascent below a rank ends, plus one.
  @usableFromInline var maxima: ContiguousArray<Int>
  @usableFromInline var elements: ContiguousArray<(total: Int, previous: Int, tag: Int)> = []
  @usableFromInline var best = -1

  @inlinable
  init(count: Int) {
    maxima = ContiguousArray(repeating: 0, count: count + 1)
    elements.reserveCapacity(count)
  }

  @inlinable
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

  @inlinable
  func forEachKept(_ body: (Int) -> Void) {
    var next = best
    while next >= 0 {
      body(elements[next].tag)
      next = elements[next].previous
    }
  }
}
