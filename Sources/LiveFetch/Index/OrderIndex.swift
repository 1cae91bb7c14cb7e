import LiveStore
import Snapshots

/// Keys in order, found by key and by position.
///
/// Leaves of some hundred packed keys stand in one array, and a Fenwick tree over their counts turns a leaf
/// into a position and back. A key is found in O(log *n*) comparisons, first among the leaves' heads, which are packed
/// like a leaf of their own and so stay in the processor's cache, then in one leaf. Adding and removing one costs O(log *n*)
/// besides what moves inside its leaf; one addition in a hundred or more splits a leaf, which moves the array
/// of leaves, *n* / 128 pointers at most. That is flatter than a tree of nodes and, up to many millions of
/// keys, faster.
package struct OrderIndex: Sendable {
  static let leafCapacity = 256

  var leaves: [OrderLeaf] = []
  /// For each leaf a key that is after all keys before the leaf, and not after any in it. That of the first says nothing.
  var heads = OrderLeaf()
  var sums = FenwickTree()
  /// The number of keys.
  package internal(set) var count = 0

  package init() {}

  /// The key at a position.
  /// - Complexity: O(log *n*).
  @inline(never)
  package func key(at position: Int) -> [UInt8] {
    let (leaf, offset) = sums.locate(position)
    return leaves[leaf].key(at: offset)
  }

  /// Whether a key is at a position.
  /// - Complexity: O(log *n*).
  @inline(never)
  func hasKey(_ key: [UInt8], at position: Int) -> Bool {
    let (leaf, offset) = sums.locate(position)
    return key.withUnsafeBytes { leaves[leaf].compare(at: offset, to: $0) == 0 }
  }

  /// The number of keys before a key, and whether the key is there.
  /// - Complexity: O(log *n*).
  @inline(never)
  package func position(of key: [UInt8]) -> (position: Int, isPresent: Bool) {
    guard !leaves.isEmpty else { return (0, false) }
    return key.withUnsafeBytes { key in
      let leaf = leafIndex(for: key)
      let offset = leaves[leaf].lowerBound(key)
      let isPresent = offset < leaves[leaf].count && leaves[leaf].compare(at: offset, to: key) == 0
      return (sums.sum(before: leaf) + offset, isPresent)
    }
  }

  /// Adds a key.
  /// - Returns: Its position, or nil when it is there already.
  /// - Complexity: O(log *n*), amortized over the splits of leaves.
  @inline(never)
  package mutating func insert(_ key: [UInt8]) -> Int? {
    guard !leaves.isEmpty else {
      leaves = [OrderLeaf(key)]
      heads = OrderLeaf(key)
      sums = FenwickTree([1])
      count = 1
      return 0
    }
    return key.withUnsafeBytes { insert($0) }
  }

  private mutating func insert(_ key: UnsafeRawBufferPointer) -> Int? {
    let leaf = leafIndex(for: key)
    let offset = leaves[leaf].lowerBound(key)
    if offset < leaves[leaf].count, leaves[leaf].compare(at: offset, to: key) == 0 { return nil }
    let position = sums.sum(before: leaf) + offset
    leaves[leaf].insert(key, at: offset)
    count += 1
    sums.add(1, at: leaf)
    if leaves[leaf].count > Self.leafCapacity { even(out: [leaf]) }
    return position
  }

  /// Removes the key at a position.
  /// - Complexity: O(log *n*), amortized over the joining of leaves.
  @inline(never)
  package mutating func remove(at position: Int) {
    let (leaf, offset) = sums.locate(position)
    leaves[leaf].remove(at: offset)
    count -= 1
    sums.add(-1, at: leaf)
    if count == 0 {
      self = OrderIndex()
    } else if leaves[leaf].count < Self.leafCapacity / 8 {
      even(out: [leaf])
    }
  }

  /// The last leaf whose head is not after the key; of those from a leaf on, if it is known not to be before.
  func leafIndex(for key: UnsafeRawBufferPointer, from start: Int = 0) -> Int {
    var low = start + 1
    var high = leaves.count
    // Keys that are looked up one after another are mostly near one another.
    var step = 1
    while start > 0, low + step < high {
      if heads.compare(at: low + step, to: key) > 0 {
        high = low + step
        break
      }
      low += step + 1
      step *= 2
    }
    return (low..<max(low, high)).partitionPoint { heads.compare(at: $0, to: key) <= 0 } - 1
  }

  /// The bytes that the keys take, for the statistics.
  package var byteCount: Int {
    ([heads] + leaves).reduce(0) { $0 + $1.bytes.capacity + $1.ends.capacity * 4 + $1.prefix.capacity + 96 }
  }
}

// MARK: Building

extension OrderIndex {
  /// Makes an index of keys that come one after another, in order.
  ///
  /// The keys are written one behind the other into the bytes of a leaf to be; no key is ever an array.
  struct Builder {
    private var index = OrderIndex()
    /// Writes the keys of the leaf that is being filled.
    var writer = OrderKeyWriter()
    private var ends: [Int] = []
    /// The last key of the leaf before.
    private var previous: [UInt8] = []

    /// Where the key that is being written begins.
    private var start: Int { ends.last ?? 0 }

    /// The key that was written since the last was added.
    var key: [UInt8] { Array(writer.bytes[start...]) }

    /// Adds the key that was written, unless it is not after the last.
    /// - Returns: Whether it was added. If not, it is still the one that is being written.
    mutating func add() -> Bool {
      let start = start
      let end = writer.bytes.count
      let order = writer.bytes.withUnsafeBytes { bytes in
        let key = UnsafeRawBufferPointer(rebasing: bytes[start...])
        if ends.isEmpty {
          return index.count > 0 ? previous.withUnsafeBytes { compareBytes($0, key) } : -1
        }
        let before = ends.count > 1 ? ends[ends.count - 2] : 0
        return compareBytes(UnsafeRawBufferPointer(rebasing: bytes[before..<start]), key)
      }
      guard order < 0 else { return false }
      ends.append(end)
      if ends.count == OrderIndex.leafCapacity * 3 / 4 { flush() }
      return true
    }

    /// Forgets the key that was being written.
    mutating func drop() { writer.forget(from: start) }

    /// Adds a key, unless it is not after the last.
    /// - Returns: Whether it was added.
    mutating func append(_ key: [UInt8]) -> Bool {
      writer.append(key)
      if add() { return true }
      drop()
      return false
    }

    private mutating func flush() {
      index.leaves.append(
        writer.bytes.withUnsafeBytes { bytes in
          OrderLeaf(count: ends.count) { index in
            UnsafeRawBufferPointer(rebasing: bytes[(index == 0 ? 0 : ends[index - 1])..<ends[index]])
          }
        })
      index.count += ends.count
      previous = Array(writer.bytes[(ends.count > 1 ? ends[ends.count - 2] : 0)...])
      writer.reset()
      ends.removeAll(keepingCapacity: true)
    }

    /// The keys that were added.
    func keys() -> [[UInt8]] {
      var keys: [[UInt8]] = []
      for leaf in index.leaves { for offset in 0..<leaf.count { keys.append(leaf.key(at: offset)) } }
      for (index, end) in ends.enumerated() {
        keys.append(Array(writer.bytes[(index == 0 ? 0 : ends[index - 1])..<end]))
      }
      return keys
    }

    consuming func build() -> OrderIndex {
      if !ends.isEmpty { flush() }
      index.sums = FenwickTree(index.leaves.map(\.count))
      for leaf in index.leaves {
        leaf.key(at: 0).withUnsafeBytes { index.heads.insert($0, at: index.heads.count) }
      }
      return index
    }
  }
}
