/// Some neighbouring keys, packed: what they begin with is held once.
///
/// ```
///  prefix    "B4 80 00"
///  bytes     suffix 0 │ suffix 1 │ suffix 2 │ …
///  ends      5          11         16
/// ```
struct OrderLeaf {
  private(set) var prefix: [UInt8]
  private(set) var bytes: [UInt8]
  private(set) var ends: [UInt32]

  var count: Int { ends.count }

  /// A leaf of keys in ascending order.
  init(_ keys: some Collection<[UInt8]>) {
    prefix = []
    bytes = []
    ends = []
    guard let first = keys.first else { return }
    var common = first.count
    for key in keys { common = min(common, Self.commonLength(first, key)) }
    prefix = Array(first[..<common])
    ends.reserveCapacity(keys.count)
    bytes.reserveCapacity(keys.reduce(0) { $0 + $1.count - common })
    for key in keys {
      bytes.append(contentsOf: key[common...])
      ends.append(UInt32(bytes.count))
    }
  }

  private func start(_ position: Int) -> Int { position == 0 ? 0 : Int(ends[position - 1]) }

  /// The key at a position.
  func key(at position: Int) -> [UInt8] { prefix + bytes[start(position)..<Int(ends[position])] }

  /// Negative, zero or positive as the key at a position is before, like or after another.
  func compare(at position: Int, to key: [UInt8]) -> Int {
    let order = compareBytes(prefix, 0, prefix.count, key, 0, min(prefix.count, key.count))
    if order != 0 || key.count < prefix.count { return order == 0 ? 1 : order }
    return compareBytes(bytes, start(position), Int(ends[position]), key, prefix.count, key.count)
  }

  /// The position of the first key that is not before another.
  func lowerBound(_ key: [UInt8]) -> Int {
    var low = 0
    var high = count
    while low < high {
      let middle = (low + high) / 2
      if compare(at: middle, to: key) < 0 { low = middle + 1 } else { high = middle }
    }
    return low
  }

  mutating func insert(_ key: [UInt8], at position: Int) {
    let common = Self.commonLength(prefix, key)
    if common < prefix.count || ends.isEmpty {
      var keys = (0..<count).map { self.key(at: $0) }
      keys.insert(key, at: position)
      self = OrderLeaf(keys)
      return
    }
    let suffix = key[prefix.count...]
    bytes.insert(contentsOf: suffix, at: start(position))
    ends.insert(UInt32(start(position)), at: position)
    for later in position..<ends.count { ends[later] += UInt32(suffix.count) }
  }

  mutating func remove(at position: Int) {
    let range = start(position)..<Int(ends[position])
    bytes.removeSubrange(range)
    ends.remove(at: position)
    for later in position..<ends.count { ends[later] -= UInt32(range.count) }
  }

  /// The two halves of the leaf.
  func split() -> (OrderLeaf, OrderLeaf) {
    let keys = (0..<count).map { key(at: $0) }
    return (OrderLeaf(keys[..<(count / 2)]), OrderLeaf(keys[(count / 2)...]))
  }

  /// This leaf with another after it.
  func joined(_ other: OrderLeaf) -> OrderLeaf {
    OrderLeaf((0..<count).map { key(at: $0) } + (0..<other.count).map { other.key(at: $0) })
  }

  private static func commonLength(_ a: [UInt8], _ b: [UInt8]) -> Int {
    var length = 0
    while length < a.count, length < b.count, a[length] == b[length] { length += 1 }
    return length
  }
}

/// Compares parts of two byte arrays as `memcmp` does, a part that ends earlier first.
@inline(__always)
func compareBytes(
  _ a: [UInt8], _ aStart: Int, _ aEnd: Int, _ b: [UInt8], _ bStart: Int, _ bEnd: Int
) -> Int {
  a.withUnsafeBufferPointer { a in
    b.withUnsafeBufferPointer { b in
      let length = min(aEnd - aStart, bEnd - bStart)
      for offset in 0..<max(0, length) {
        let difference = Int(a[aStart + offset]) - Int(b[bStart + offset])
        if difference != 0 { return difference }
      }
      return (aEnd - aStart) - (bEnd - bStart)
    }
  }
}
