/// Keys in order, found by key and by position.
///
/// Leaves of some hundred packed keys stand in one array, and a Fenwick tree over their counts turns a leaf
/// into a position and back. A key is found in O(log *n*) comparisons. Adding and removing one costs O(log *n*)
/// besides what moves inside its leaf; one addition in a hundred or more splits a leaf, which moves the array
/// of leaves, *n* / 128 pointers at most. That is flatter than a tree of nodes and, up to many millions of
/// keys, faster.
package struct OrderIndex: Sendable {
  static let leafCapacity = 256

  private var leaves: [OrderLeaf] = []
  private var sums = FenwickTree()
  /// The number of keys.
  package private(set) var count = 0
  /// Comparisons of keys, counted for the tests that hold the cost to its promise.
  package private(set) var comparisons = 0

  package init() {}

  /// Adds keys that come after all others, and one another, in order.
  struct Builder {
    private var index = OrderIndex()
    private var pending: [[UInt8]] = []
    private(set) var last: [UInt8] = []
    /// Whether every key so far came after the one before it.
    private(set) var isAscending = true

    mutating func append(_ key: [UInt8]) {
      if !pending.isEmpty || index.count > 0 {
        if compareBytes(last, 0, last.count, key, 0, key.count) >= 0 { isAscending = false }
      }
      last = key
      pending.append(key)
      if pending.count == OrderIndex.leafCapacity * 3 / 4 { flush() }
    }

    private mutating func flush() {
      index.leaves.append(OrderLeaf(pending))
      index.count += pending.count
      pending.removeAll(keepingCapacity: true)
    }

    consuming func build() -> OrderIndex {
      if !pending.isEmpty { flush() }
      index.sums = FenwickTree(index.leaves.map(\.count))
      return index
    }
  }

  /// The key at a position.
  /// - Complexity: O(log *n*).
  package func key(at position: Int) -> [UInt8] {
    let (leaf, offset) = sums.locate(position)
    return leaves[leaf].key(at: offset)
  }

  /// The number of keys before a key, and whether the key is there.
  /// - Complexity: O(log *n*).
  package mutating func position(of key: [UInt8]) -> (position: Int, isPresent: Bool) {
    guard !leaves.isEmpty else { return (0, false) }
    let leaf = leafIndex(for: key)
    let offset = leaves[leaf].lowerBound(key)
    comparisons += 8
    let isPresent = offset < leaves[leaf].count && leaves[leaf].compare(at: offset, to: key) == 0
    return (sums.sum(before: leaf) + offset, isPresent)
  }

  /// Adds a key.
  /// - Returns: Its position, or nil when it is there already.
  /// - Complexity: O(log *n*), amortized over the splits of leaves.
  package mutating func insert(_ key: [UInt8]) -> Int? {
    guard !leaves.isEmpty else {
      leaves = [OrderLeaf(CollectionOfOne(key))]
      sums = FenwickTree([1])
      count = 1
      return 0
    }
    let leaf = leafIndex(for: key)
    let offset = leaves[leaf].lowerBound(key)
    comparisons += 8
    if offset < leaves[leaf].count, leaves[leaf].compare(at: offset, to: key) == 0 { return nil }
    let position = sums.sum(before: leaf) + offset
    leaves[leaf].insert(key, at: offset)
    count += 1
    if leaves[leaf].count > Self.leafCapacity {
      let (low, high) = leaves[leaf].split()
      leaves[leaf] = low
      leaves.insert(high, at: leaf + 1)
      sums = FenwickTree(leaves.map(\.count))
    } else {
      sums.add(1, at: leaf)
    }
    return position
  }

  /// Removes the key at a position.
  /// - Complexity: O(log *n*), amortized over the joining of leaves.
  package mutating func remove(at position: Int) {
    let (leaf, offset) = sums.locate(position)
    leaves[leaf].remove(at: offset)
    count -= 1
    if leaves[leaf].count >= Self.leafCapacity / 8 || leaves.count == 1 {
      sums.add(-1, at: leaf)
      if count == 0 { self = OrderIndex() }
      return
    }
    let low = leaf > 0 ? leaf - 1 : leaf
    if leaves[leaf].count == 0 {
      leaves.remove(at: leaf)
    } else if leaves[low].count + leaves[low + 1].count <= Self.leafCapacity * 3 / 4 {
      leaves[low] = leaves[low].joined(leaves[low + 1])
      leaves.remove(at: low + 1)
    }
    sums = FenwickTree(leaves.map(\.count))
  }

  /// The last leaf whose first key is not after the key.
  private mutating func leafIndex(for key: [UInt8]) -> Int {
    var low = 1
    var high = leaves.count
    while low < high {
      let middle = (low + high) / 2
      comparisons += 1
      if leaves[middle].compare(at: 0, to: key) <= 0 { low = middle + 1 } else { high = middle }
    }
    return low - 1
  }

  /// The bytes that the keys take, for the statistics.
  package var byteCount: Int {
    leaves.reduce(0) { $0 + $1.bytes.capacity + $1.ends.capacity * 4 + $1.prefix.capacity + 96 }
  }
}

/// Sums of a list of numbers from its start, and the place where a sum is reached, in O(log *n*).
struct FenwickTree: Sendable {
  private var sums: [Int]

  init(_ values: [Int] = []) {
    sums = [0] + values
    for position in 1..<max(1, sums.count) {
      let parent = position + (position & -position)
      if parent < sums.count { sums[parent] += sums[position] }
    }
  }

  mutating func add(_ value: Int, at position: Int) {
    var place = position + 1
    while place < sums.count {
      sums[place] += value
      place += place & -place
    }
  }

  func sum(before position: Int) -> Int {
    var place = position
    var sum = 0
    while place > 0 {
      sum += sums[place]
      place -= place & -place
    }
    return sum
  }

  /// The entry that the unit at a position counts towards, and its offset in it.
  func locate(_ position: Int) -> (entry: Int, offset: Int) {
    var place = 0
    var rest = position
    var step = 1
    while step * 2 < sums.count { step *= 2 }
    while step > 0 {
      if place + step < sums.count, sums[place + step] <= rest {
        place += step
        rest -= sums[place]
      }
      step /= 2
    }
    return (place, rest)
  }
}
