import Synchronization

/// A flat hash table from keys to words, in which entries keep the order of their arrival.
///
/// The slots hold no keys but the numbers of entries, and in the bits that are left over a piece of the hash,
/// so that nearly every comparison of keys that is made is one that succeeds. A table is shared by all
/// snapshots that descend from the one it was made for, and written to only while it has one owner.
@usableFromInline
final class FlatTable<Key: Hashable & Sendable>: @unchecked Sendable {
  // Unchecked for the same reason as `TreeNode`: written to only when known to be uniquely referenced.

  /// The value of an entry that was removed.
  @inlinable static var removed: UInt64 { .max }
  /// The value of an entry that is about to get one.
  @inlinable static var reserved: UInt64 { .max - 1 }
  /// A slot whose entry was removed. No entry has this number: slots are never all in use.
  @inlinable static var vacated: UInt32 { .max }

  @exclusivity(unchecked) @usableFromInline var keys: ContiguousArray<Key>
  @exclusivity(unchecked) @usableFromInline var values: ContiguousArray<UInt64>
  /// For each slot zero, or the number of an entry plus one, with a piece of the key's hash above it.
  @exclusivity(unchecked) @usableFromInline var slots: ContiguousArray<UInt32>
  /// The number of bits that the numbers of entries take.
  @exclusivity(unchecked) @usableFromInline var bits: UInt32
  /// The number of entries that were removed.
  @exclusivity(unchecked) @usableFromInline var removedCount = 0
  /// The hashes of all entries once the table has grown, so that it need not hash them again when it grows on.
  /// A table that was made large enough has none, and no memory for them.
  @exclusivity(unchecked) @usableFromInline var hashes: ContiguousArray<UInt32>?

  /// The same for all tables that descend from one, and for no others.
  @usableFromInline let lineage: UInt64

  /// Creates a table with room for a number of entries.
  @inlinable
  init(minimumCapacity: Int, lineage: UInt64? = nil) {
    self.lineage = lineage ?? Lineage.next()
    bits = Self.bits(for: minimumCapacity)
    slots = ContiguousArray(repeating: 0, count: 1 << bits)
    keys = []
    values = []
    keys.reserveCapacity(minimumCapacity)
    values.reserveCapacity(minimumCapacity)
  }

  /// The number of entries that are there.
  @inlinable var count: Int { keys.count - removedCount }

  /// Slots are at most three quarters full.
  @inlinable
  static func bits(for capacity: Int) -> UInt32 {
    var bits: UInt32 = 4
    while (3 << bits) / 4 < capacity { bits += 1 }
    return bits
  }

  /// The part of a key's hash that is used: the low bits choose a slot, those above are noted in it.
  @inlinable
  static func hash(_ key: Key) -> UInt32 { UInt32(truncatingIfNeeded: key.hashValue) }

  /// The hashes of some keys.
  @inlinable
  static func hashes<Keys: Collection<Key>>(of keys: Keys) -> ContiguousArray<UInt32> {
    var hashes = ContiguousArray<UInt32>()
    hashes.reserveCapacity(keys.count)
    for key in keys { hashes.append(hash(key)) }
    return hashes
  }

  /// The number of the entry with a key, or nil.
  @inlinable
  func find(_ key: Key) -> Int? {
    probe(key, hash: Self.hash(key)).entry
  }

  /// The entry with a key and its slot, or the slot at which the search ended.
  @inlinable
  func probe(_ key: Key, hash: UInt32) -> (entry: Int?, slot: Int) {
    let mask = 1 &<< Int(bits) &- 1
    // With all 32 bits in use by numbers no bit would be left for a piece; memory ends long before.
    let piece = hash &>> bits
    var slot = Int(hash) & mask
    return slots.withUnsafeBufferPointer { slots in
      while true {
        let content = slots[slot]
        if content == 0 { return (nil, slot) }
        if content &>> bits == piece, content != Self.vacated {
          let entry = Int(content) & mask &- 1
          if keys[entry] == key { return (entry, slot) }
        }
        slot = (slot &+ 1) & mask
      }
    }
  }

  /// Adds a key that may be there already; returns the number of its entry, and whether it was added.
  @inlinable
  func insert(_ key: Key, value: UInt64) -> (entry: Int, inserted: Bool) {
    insert(key, hash: Self.hash(key), value: value)
  }

  @inlinable
  func insert(_ key: Key, hash: UInt32, value: UInt64) -> (entry: Int, inserted: Bool) {
    var found = probe(key, hash: hash)
    if let entry = found.entry { return (entry, false) }
    if keys.count == (3 &<< Int(bits)) / 4 {
      grow()
      found = probe(key, hash: hash)
    }
    keys.append(key)
    values.append(value)
    hashes?.append(hash)
    slots[found.slot] = (hash &>> bits) &<< bits | UInt32(truncatingIfNeeded: keys.count)
    return (keys.count &- 1, true)
  }

  /// Adds keys, the first with a value and each other with one that is a step higher. Those that are there already
  /// are left as they are.
  ///
  /// Slots lie all over the memory of a large table. So keys are hashed in blocks, and the slots of one block are
  /// asked for before the block before it is put in: then they are there when their turn comes.
  ///
  /// - Parameter note: Called with the number of each key among the new ones, that of its entry, and whether it was
  ///   added.
  @inlinable
  func insert<Keys: Collection<Key>>(
    contentsOf new: Keys, first: UInt64, step: UInt64, note: (Int, Int, Bool) -> Void
  ) {
    let block = Self.block
    let total = new.count
    var value = first
    withUnsafeTemporaryAllocation(of: UInt32.self, capacity: 2 * block) { hashes in
      guard let hashes = hashes.baseAddress else { return }
      var hashing = new.startIndex
      var putting = new.startIndex
      for start in stride(from: 0, to: total + block, by: block) {
        // The halves of the hashes are taken in turn.
        let ahead = hashes + (start & block)
        let behind = hashes + (~start & block)
        let count = max(0, min(block, total - start))
        for index in 0..<count {
          (ahead + index).initialize(to: Self.hash(new[hashing]))
          new.formIndex(after: &hashing)
        }
        askForSlots(of: ahead, count: count)
        if start == 0 { continue }
        for index in 0..<min(block, total - start + block) {
          let (entry, inserted) = insert(new[putting], hash: behind[index], value: value)
          note(start - block + index, entry, inserted)
          new.formIndex(after: &putting)
          value &+= step
        }
      }
    }
  }

  /// The same, for callers that need only know whether all keys were new.
  @inlinable
  func insert<Keys: Collection<Key>>(contentsOf new: Keys, first: UInt64, step: UInt64) -> Bool {
    var areNew = true
    insert(contentsOf: new, first: first, step: step) { if !$2 { areNew = false } }
    return areNew
  }

  /// Makes room for so many more entries, if they are at least as many as are there.
  @inlinable
  func reserveCapacity(for more: Int) {
    let total = keys.count + more
    guard more >= keys.count, total > (3 &<< Int(bits)) / 4 else { return }
    rebuild(capacity: total)
    keys.reserveCapacity(total)
    values.reserveCapacity(total)
  }

  /// How many keys are hashed before the first of them is put in; a power of two.
  @inlinable static var block: Int { 32 }

  /// Asks for the slot of a key that will be looked for, or added, after something else.
  @inlinable
  func askForSlot(of hash: UInt32) {
    // What is asked for need not be there any more, so nothing need be held for it.
    guard let start = slots.withUnsafeBufferPointer({ $0.baseAddress }) else { return }
    MemoryHint.willProbe(start, hash: hash, mask: 1 &<< Int(bits) &- 1)
  }

  @inlinable
  func askForSlots(of hashes: UnsafePointer<UInt32>, count: Int) {
    slots.withUnsafeBufferPointer { slots in
      guard let start = slots.baseAddress else { return }
      MemoryHint.willProbe(start, hashes: hashes, count: count, mask: slots.count &- 1)
    }
  }

  /// Asks for all that is needed to find some keys and their values.
  @inlinable @inline(never)
  func askForEntries<Keys: Collection<Key>>(of wanted: Keys) {
    let hashes = Self.hashes(of: wanted)
    let mask = 1 &<< Int(bits) &- 1
    slots.withUnsafeBufferPointer { slots in
      hashes.withUnsafeBufferPointer { hashes in
        guard let start = slots.baseAddress, let first = hashes.baseAddress else { return }
        MemoryHint.willProbe(start, hashes: first, count: hashes.count, mask: mask)
        keys.withUnsafeBufferPointer { keys in
          values.withUnsafeBufferPointer { values in
            for hash in hashes {
              // Mostly it is in the first slot. Where it is not, nothing is lost.
              let entry = Int(slots[Int(hash) & mask]) & mask &- 1
              guard entry >= 0, entry < keys.count else { continue }
              MemoryHint.willRead(UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: keys[entry...entry])))
              MemoryHint.willRead(
                UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: values[entry...entry])))
            }
          }
        }
      }
    }
  }

  /// Takes a key out, if it is there.
  @inlinable
  func remove(_ key: Key) {
    let found = probe(key, hash: Self.hash(key))
    guard let entry = found.entry else { return }
    slots[found.slot] = Self.vacated
    values[entry] = Self.removed
    removedCount += 1
    if removedCount > 32 && removedCount > keys.count / 2 { rebuild(capacity: count) }
  }

  @inlinable @inline(never)
  func grow() {
    if hashes == nil { hashes = Self.hashes(of: keys) }
    rebuild(capacity: max(12, count * 2))
  }

  /// Lays the table out anew, without the entries that were removed.
  @inlinable @inline(never)
  func rebuild(capacity: Int) {
    if removedCount > 0 {
      let (oldKeys, oldValues, oldHashes) = (keys, values, hashes)
      let left = count
      (keys, values, removedCount) = ([], [], 0)
      keys.reserveCapacity(left)
      values.reserveCapacity(left)
      if oldHashes != nil {
        hashes = []
        hashes?.reserveCapacity(left)
      }
      for entry in oldValues.indices where oldValues[entry] != Self.removed {
        keys.append(oldKeys[entry])
        values.append(oldValues[entry])
        if let oldHashes { hashes?.append(oldHashes[entry]) }
      }
    }
    bits = Self.bits(for: max(capacity, keys.count))
    slots = ContiguousArray(repeating: 0, count: 1 << bits)
    if let hashes {
      fill(hashes)
    } else {
      fill(Self.hashes(of: keys))
    }
  }

  /// Notes all entries in slots that are empty, asking for the slots before they are written to.
  @inlinable @inline(never)
  func fill(_ hashes: ContiguousArray<UInt32>) {
    let bits = bits
    let mask = slots.count &- 1
    slots.withUnsafeMutableBufferPointer { slots in
      hashes.withUnsafeBufferPointer { hashes in
        guard let wanted = hashes.baseAddress, let start = slots.baseAddress else { return }
        for entry in hashes.indices {
          if entry & (Self.block &- 1) == 0 {
            let next = min(entry &+ Self.block, hashes.count)
            MemoryHint.willProbe(
              start, hashes: wanted + next, count: min(Self.block, hashes.count &- next), mask: mask)
          }
          Self.put(entry, hash: hashes[entry], bits: bits, in: slots)
        }
      }
    }
  }

  /// Notes an entry in the first free slot from its own on.
  @inlinable
  static func put(_ entry: Int, hash: UInt32, bits: UInt32, in slots: UnsafeMutableBufferPointer<UInt32>) {
    let mask = 1 &<< Int(bits) &- 1
    var slot = Int(hash) & mask
    while slots[slot] != 0 { slot = (slot &+ 1) & mask }
    slots[slot] = (hash &>> bits) &<< bits | UInt32(truncatingIfNeeded: entry &+ 1)
  }

  /// The entry with a hash that is the right one, in slots that were filled by ``put(_:hash:bits:in:)``.
  @inlinable
  static func entry(
    hash: UInt32, bits: UInt32, in slots: UnsafeMutableBufferPointer<UInt32>, isRight: (Int) -> Bool
  ) -> Int? {
    let mask = 1 &<< Int(bits) &- 1
    var slot = Int(hash) & mask
    while slots[slot] != 0 {
      let entry = Int(slots[slot]) & mask &- 1
      if slots[slot] &>> bits == hash &>> bits, isRight(entry) { return entry }
      slot = (slot &+ 1) & mask
    }
    return nil
  }
}

/// Numbers for families of snapshots that descend from one.
@usableFromInline
enum Lineage {
  private static let last = Atomic<UInt64>(0)

  @usableFromInline
  static func next() -> UInt64 { last.wrappingAdd(1, ordering: .relaxed).newValue }
}
