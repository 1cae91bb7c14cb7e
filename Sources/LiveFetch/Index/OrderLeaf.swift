import LiveStore
import Snapshots

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

  /// A leaf of no key.
  init() {
    prefix = []
    bytes = []
    ends = []
  }

  /// A leaf of one key.
  init(_ key: [UInt8]) {
    prefix = key
    bytes = []
    ends = [0]
  }

  /// A leaf of keys in ascending order, with room for a sixteenth more: the first keys that are inserted move nothing.
  /// - Parameters:
  ///   - prefix: What all of them begin with.
  ///   - count: Their number, one at least.
  ///   - suffix: What a key has after the prefix.
  init(prefix: [UInt8] = [], count: Int, suffix: (Int) -> UnsafeRawBufferPointer) {
    // The keys ascend: what the first and the last begin with, all do.
    let first = suffix(0)
    let common = commonLength(first, suffix(count - 1))
    self.prefix = prefix + first.prefix(common)
    ends = []
    ends.reserveCapacity(count + count / 16)
    var total = 0
    for index in 0..<count {
      total += suffix(index).count - common
      ends.append(UInt32(total))
    }
    bytes = []
    bytes.reserveCapacity(total + total / 16)
    for index in 0..<count {
      bytes.append(contentsOf: UnsafeRawBufferPointer(rebasing: suffix(index)[common...]))
    }
  }

  private func start(_ position: Int) -> Int { position == 0 ? 0 : Int(ends[position - 1]) }

  /// The key at a position.
  func key(at position: Int) -> [UInt8] { prefix + bytes[start(position)..<Int(ends[position])] }

  /// Negative, zero or positive as the key at a position is before, like or after another.
  func compare(at position: Int, to key: UnsafeRawBufferPointer) -> Int {
    KeyCounters.compare()
    return prefix.withUnsafeBytes { prefix in
      let order = compareBytes(prefix, UnsafeRawBufferPointer(rebasing: key.prefix(prefix.count)))
      if order != 0 { return order }
      return bytes.withUnsafeBytes { bytes in
        compareBytes(
          UnsafeRawBufferPointer(rebasing: bytes[start(position)..<Int(ends[position])]),
          UnsafeRawBufferPointer(rebasing: key.dropFirst(prefix.count)))
      }
    }
  }

  /// The position of the first key that is not before another.
  func lowerBound(_ key: UnsafeRawBufferPointer) -> Int {
    (0..<count).partitionPoint { compare(at: $0, to: key) < 0 }
  }

  /// Asks for the memory that a search touches first: where keys end, and the keys in the middle and between it and the
  /// ends.
  func askForKeys() {
    ends.withUnsafeBytes { MemoryHint.willRead($0) }
    bytes.withUnsafeBytes { bytes in
      for quarter in 1...3 {
        MemoryHint.willRead(UnsafeRawBufferPointer(rebasing: bytes[(bytes.count * quarter / 4)...].prefix(1)))
      }
    }
  }

  mutating func insert(_ key: UnsafeRawBufferPointer, at position: Int) {
    if ends.isEmpty {
      self = OrderLeaf(Array(key))
      return
    }
    let common = prefix.withUnsafeBytes { commonLength($0, key) }
    if common < prefix.count { shortenPrefix(to: common) }
    makeRoom(for: key.count - prefix.count)
    let start = start(position)
    bytes.insert(contentsOf: UnsafeRawBufferPointer(rebasing: key[prefix.count...]), at: start)
    ends.insert(UInt32(start), at: position)
    shiftEnds(from: position, by: UInt32(key.count - prefix.count))
  }

  /// Makes room for another key and an eighth besides: most leaves are as full as they will be, and twice as much room
  /// for each that was ever written to would be twice the memory.
  private mutating func makeRoom(for size: Int) {
    if bytes.capacity < bytes.count + size { bytes.reserveCapacity(bytes.count + bytes.count / 8 + size) }
    if ends.capacity == ends.count { ends.reserveCapacity(ends.count + ends.count / 8 + 1) }
  }

  mutating func remove(at position: Int) {
    let range = start(position)..<Int(ends[position])
    bytes.removeSubrange(range)
    ends.remove(at: position)
    shiftEnds(from: position, by: 0 &- UInt32(range.count))
  }

  private mutating func shiftEnds(from position: Int, by distance: UInt32) {
    // By the buffer, so that many are added to at once.
    ends.withUnsafeMutableBufferPointer { ends in
      for later in position..<ends.count { ends[later] &+= distance }
    }
  }

  /// Gives what the prefix has too much back to the keys.
  private mutating func shortenPrefix(to length: Int) {
    let tail = prefix[length...]
    var longer: [UInt8] = []
    longer.reserveCapacity(bytes.count + tail.count * (count + 1))
    var start = 0
    for position in ends.indices {
      longer.append(contentsOf: tail)
      longer.append(contentsOf: bytes[start..<Int(ends[position])])
      start = Int(ends[position])
      ends[position] = UInt32(longer.count)
    }
    bytes = longer
    prefix.removeSubrange(length...)
  }

  /// The leaf in parts of equal size, as few as can be.
  func split(capacity: Int) -> [OrderLeaf] {
    let parts = (count + capacity - 1) / capacity
    return bytes.withUnsafeBytes { bytes in
      (0..<parts).map { part in
        let range = count * part / parts..<count * (part + 1) / parts
        return OrderLeaf(prefix: prefix, count: range.count) { offset in
          let position = range.lowerBound + offset
          return UnsafeRawBufferPointer(rebasing: bytes[start(position)..<Int(ends[position])])
        }
      }
    }
  }

  /// This leaf with another after it.
  func joined(_ other: OrderLeaf) -> OrderLeaf {
    var low = self
    var high = other
    let common = prefix.withUnsafeBytes { a in other.prefix.withUnsafeBytes { commonLength(a, $0) } }
    low.shortenPrefix(to: common)
    high.shortenPrefix(to: common)
    let offset = UInt32(low.bytes.count)
    low.bytes += high.bytes
    low.ends += high.ends.map { $0 + offset }
    return low
  }
}

/// How many bytes two keys begin with in common.
private func commonLength(_ a: UnsafeRawBufferPointer, _ b: UnsafeRawBufferPointer) -> Int {
  var length = 0
  while length < a.count, length < b.count, a[length] == b[length] { length += 1 }
  return length
}

/// Compares bytes as `memcmp` does, those that end earlier first: negative, zero or positive.
@inline(__always)
func compareBytes(_ a: UnsafeRawBufferPointer, _ b: UnsafeRawBufferPointer) -> Int {
  let length = min(a.count, b.count)
  var offset = 0
  while offset &+ 8 <= length {
    let left = UInt64(bigEndian: a.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
    let right = UInt64(bigEndian: b.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
    if left != right { return left < right ? -1 : 1 }
    offset &+= 8
  }
  while offset < length {
    let difference = Int(a[offset]) - Int(b[offset])
    if difference != 0 { return difference }
    offset &+= 1
  }
  return a.count - b.count
}
