/// A persistent dictionary from keys to words, for as many as a list changes between two looks at the whole of it.
///
/// Whoever asks for a key has its hash at hand, or hashes it for more than one table.
@usableFromInline
struct ChainedMap<Key: Hashable & Sendable>: Sendable {
  @usableFromInline
  final class Entry: HashChains.Entry, @unchecked Sendable {
    @usableFromInline let key: Key

    @inlinable
    init(_ key: Key, _ value: UInt64, next: HashChains.Entry?) {
      self.key = key
      super.init(value, next: next)
    }
  }

  @usableFromInline var chains = HashChains()
  @usableFromInline var count = 0

  @inlinable
  init() {}

  @inlinable var isEmpty: Bool { count == 0 }

  /// The value of a key.
  @inlinable
  func value(of key: Key, hash: UInt32) -> UInt64? {
    var entry = chains[hash]
    while let one = entry {
      if unsafeDowncast(one, to: Entry.self).key == key { return one.value }
      entry = one.next
    }
    return nil
  }

  /// Sets the value of a key, and returns the one that it had.
  @inlinable
  mutating func update(_ key: Key, hash: UInt32, to value: UInt64) -> UInt64? {
    guard let old = chains.exchange(Entry(key, value, next: nil), at: hash) else {
      count += 1
      return nil
    }
    if old.next == nil, unsafeDowncast(old, to: Entry.self).key == key { return old.value }
    // Several keys have this hash.
    let (rest, previous) = Self.without(key, old)
    chains[hash] = Entry(key, value, next: rest)
    if previous == nil { count += 1 }
    return previous
  }

  /// Takes a key out, if it is there.
  @usableFromInline @inline(never) @_semantics("optimize.sil.specialize.generic.never")
  mutating func remove(_ key: Key, hash: UInt32) {
    guard let first = chains[hash] else { return }
    let (rest, previous) = Self.without(key, first)
    if previous == nil { return }
    chains[hash] = rest
    count -= 1
  }

  /// The entries of a chain but that of one key, and the value which that key had.
  @usableFromInline @inline(never) @_semantics("optimize.sil.specialize.generic.never")
  static func without(_ key: Key, _ chain: HashChains.Entry) -> (rest: HashChains.Entry?, value: UInt64?) {
    var rest: HashChains.Entry?
    var value: UInt64?
    var entry: HashChains.Entry? = chain
    while let one = entry {
      let known = unsafeDowncast(one, to: Entry.self).key
      if known == key { value = one.value } else { rest = Entry(known, one.value, next: rest) }
      entry = one.next
    }
    return (rest, value)
  }

  /// Calls a closure with each key and its value.
  @inlinable
  func forEach(_ body: (Key, UInt64) -> Void) {
    chains.forEach { body(unsafeDowncast($0, to: Entry.self).key, $0.value) }
  }
}
