internal import HashTreeCollections

/// A persistent dictionary from hashes to what was entered under them.
///
/// It knows nothing of keys, so that it is compiled once: a dictionary from swift-collections would be compiled anew for each
/// kind of identifier, in each module that edits snapshots (decision 0007). ``ChainedMap`` has the keys.
@usableFromInline
struct HashChains: Sendable {
  /// An entry, followed by the others with the same hash. Mostly there are none.
  @usableFromInline
  class Entry: @unchecked Sendable {
    // Unchecked because subclasses cannot be checked: they have constants of sendable types alone.
    @usableFromInline final let value: UInt64
    /// The rest of those with the same hash.
    @usableFromInline final let next: Entry?

    @inlinable
    init(_ value: UInt64, next: Entry?) {
      self.value = value
      self.next = next
    }
  }

  /// A hash as a key. It is not hashed once more.
  private struct Hash: Hashable {
    let bits: UInt32

    func _rawHashValue(seed: Int) -> Int { Int(bits) }
  }

  private var entries: TreeDictionary<Hash, Entry> = [:]

  @usableFromInline
  init() {}

  /// The first entry under a hash.
  @usableFromInline
  subscript(hash: UInt32) -> Entry? {
    get { entries[Hash(bits: hash)] }
    set { entries[Hash(bits: hash)] = newValue }
  }

  /// Sets the first entry under a hash, and returns the one that was.
  @usableFromInline
  mutating func exchange(_ entry: Entry, at hash: UInt32) -> Entry? {
    entries.updateValue(entry, forKey: Hash(bits: hash))
  }

  /// Calls a closure with each entry.
  @usableFromInline
  func forEach(_ body: (Entry) -> Void) {
    for first in entries.values {
      var entry: Entry? = first
      while let one = entry {
        body(one)
        entry = one.next
      }
    }
  }
}
