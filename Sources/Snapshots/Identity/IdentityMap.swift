public import Synchronization

/// A persistent dictionary from identifiers to the addresses of their elements.
///
/// A flat table is shared by a snapshot and all its descendants; what has changed since lies above it in a
/// small persistent overlay. A map that nobody shares is written to in place. When the overlay has grown to a
/// part of the table it is folded into a new one; the result is kept at the version that was folded, so that
/// editing many copies of one version folds once.
@usableFromInline
struct IdentityMap<Key: Hashable & Sendable>: Sendable {
  @usableFromInline
  final class Version: @unchecked Sendable {
    // Unchecked: `base`, `overlay` and `count` are written to only while the version is known to be uniquely
    // referenced; `folded` is atomic.
    @exclusivity(unchecked) @usableFromInline var base: FlatTable<Key>
    /// Values that the base does not have, or has others for; `FlatTable.removed` for keys that are gone.
    @exclusivity(unchecked) @usableFromInline var overlay: ChainedMap<Key>
    @exclusivity(unchecked) @usableFromInline var count: Int
    /// How many entries of the base were reserved and not set, and the first of them.
    @exclusivity(unchecked) @usableFromInline var reservations = 0
    @exclusivity(unchecked) @usableFromInline var nextReserved = 0
    @usableFromInline let folded = AtomicLazyReference<FlatTable<Key>>()

    @inlinable
    init(base: FlatTable<Key>, overlay: ChainedMap<Key>, count: Int) {
      self.base = base
      self.overlay = overlay
      self.count = count
    }
  }

  @usableFromInline var version: Version

  @inlinable
  init() {
    version = Version(base: FlatTable(minimumCapacity: 0), overlay: ChainedMap(), count: 0)
  }

  /// Creates a map that takes over a table.
  @inlinable
  init(_ table: FlatTable<Key>) {
    version = Version(base: table, overlay: ChainedMap(), count: table.count)
  }

  @inlinable var count: Int { version.count }

  /// Whether both are maps of snapshots of which one descends from the other, or both from a third.
  @inlinable
  func isRelated(to other: Self) -> Bool { version.base.lineage == other.version.base.lineage }

  @inlinable
  subscript(key: Key) -> UInt64? { value(of: key, hash: FlatTable.hash(key)) }

  /// The value of a key whose hash is at hand.
  @inlinable
  func value(of key: Key, hash: UInt32) -> UInt64? {
    let version = version
    if !version.overlay.isEmpty, let value = version.overlay.value(of: key, hash: hash) {
      return value == FlatTable<Key>.removed ? nil : value
    }
    guard let entry = version.base.probe(key, hash: hash).entry else { return nil }
    return version.base.values[entry]
  }

  /// Looks keys up that are about to be set, and if it can, makes entries for those that are not there, so that
  /// setting them need not look them up again.
  ///
  /// - Parameter keys: The keys, each named once. The caller sets all of them, in this order, before
  ///   reserving others.
  /// - Returns: Those that have values already: their positions among the keys, and the values.
  @inlinable
  mutating func reserve(_ keys: [Key]) -> [(index: Int, value: UInt64)] {
    guard isUnshared() else {
      return keys.indices.compactMap { index in self[keys[index]].map { (index, $0) } }
    }
    // The version owns the table for as long as this takes, so that references need not be counted.
    let base = Unmanaged.passUnretained(version.base)
    let reserved = FlatTable<Key>.reserved
    var known: [(index: Int, value: UInt64)] = []
    var reservations = 0
    base._withUnsafeGuaranteedRef { base in
      base.reserveCapacity(for: keys.count)
      base.insert(contentsOf: keys, first: reserved, step: 0) { index, entry, inserted in
        if inserted { reservations &+= 1 } else { known.append((index, base.values[entry])) }
      }
      // They are the last, also where the table was laid out anew meanwhile.
      version.nextReserved = base.keys.count &- reservations
    }
    version.reservations = reservations
    version.count &+= reservations
    return known
  }

  /// Asks for the slot of a key that will be looked for, or added, after something else.
  @inlinable
  func askForSlot(of hash: UInt32) {
    Unmanaged.passUnretained(version.base)._withUnsafeGuaranteedRef { $0.askForSlot(of: hash) }
  }

  /// Whether the map belongs to nobody else and has no overlay, so that its table can be written to.
  @inlinable
  mutating func isUnshared() -> Bool {
    isKnownUniquelyReferenced(&version) && version.overlay.isEmpty && isKnownUniquelyReferenced(&version.base)
  }

  /// Adds a key to a map that is unshared, if the key is new.
  ///
  /// - Parameter hash: The key's hash, whose slot was best asked for some time ago.
  /// - Returns: Whether it was added.
  @inlinable
  mutating func add(_ key: Key, hash: UInt32, value: UInt64) -> Bool {
    let base = Unmanaged.passUnretained(version.base)
    let inserted = base._withUnsafeGuaranteedRef { $0.insert(key, hash: hash, value: value).inserted }
    if inserted { version.count &+= 1 }
    return inserted
  }

  /// Sets the value of a key, which may be new.
  ///
  /// - Parameter isThere: Whether the key is known to have a value.
  @inlinable
  mutating func set(_ key: Key, to value: UInt64, isThere: Bool = false) {
    // Reserved keys come in the order in which they were reserved; others may come between them.
    if version.reservations > 0, isUnshared() {
      let entry = version.nextReserved
      let base = Unmanaged.passUnretained(version.base)
      let isReserved = base._withUnsafeGuaranteedRef { base in
        guard entry < base.keys.count, base.keys[entry] == key else { return false }
        base.values[entry] = value
        return true
      }
      if isReserved {
        version.nextReserved = entry &+ 1
        version.reservations &-= 1
        return
      }
    }
    prepare()
    let hash = FlatTable.hash(key)
    if isKnownUniquelyReferenced(&version.base),
      version.overlay.isEmpty || version.overlay.value(of: key, hash: hash) == nil
    {
      let (entry, inserted) = version.base.insert(key, hash: hash, value: value)
      if inserted { version.count &+= 1 } else { version.base.values[entry] = value }
      return
    }
    let previous = version.overlay.update(key, hash: hash, to: value)
    switch previous {
    case .some(FlatTable<Key>.removed): version.count &+= 1
    case .some: break
    case .none: if !isThere, version.base.probe(key, hash: hash).entry == nil { version.count &+= 1 }
    }
  }

  /// Takes a key out, if it is there.
  @inlinable
  mutating func remove(_ key: Key) {
    let hash = FlatTable.hash(key)
    guard value(of: key, hash: hash) != nil else { return }
    prepare()
    version.count &-= 1
    if version.overlay.isEmpty, isKnownUniquelyReferenced(&version.base) {
      version.base.remove(key)
    } else {
      // Also where the base does not have it. It goes when the overlay is folded.
      _ = version.overlay.update(key, hash: hash, to: FlatTable<Key>.removed)
    }
  }

  /// Makes sure that the version can be written to and the overlay is not too large.
  @inlinable
  mutating func prepare() {
    let isFull = version.overlay.count > max(64, version.base.count / 8)
    if isKnownUniquelyReferenced(&version) {
      // Another version: what a copy had this one folded into is not what it will be when it is full again.
      if isFull { version = Version(base: version.fold(), overlay: ChainedMap(), count: version.count) }
    } else if isFull {
      version = Version(base: version.foldOnce(), overlay: ChainedMap(), count: version.count)
    } else {
      version = Version(base: version.base, overlay: version.overlay, count: version.count)
    }
  }
}

extension IdentityMap.Version {
  /// The folded table, made by its first caller.
  @inlinable @inline(never)
  func foldOnce() -> FlatTable<Key> {
    folded.load() ?? folded.storeIfNil(fold())
  }

  /// A table of everything that base and overlay have together.
  @inlinable @inline(never)
  func fold() -> FlatTable<Key> {
    var isStale = ContiguousArray(repeating: false, count: base.keys.count)
    var newKeys = ContiguousArray<Key>()
    var newValues = ContiguousArray<UInt64>()
    overlay.forEach { key, value in
      if let entry = base.find(key) { isStale[entry] = true }
      if value != FlatTable<Key>.removed {
        newKeys.append(key)
        newValues.append(value)
      }
    }
    let table = FlatTable<Key>(minimumCapacity: count, lineage: base.lineage)
    for entry in base.keys.indices {
      let value = base.values[entry]
      if !isStale[entry], value != FlatTable<Key>.removed {
        table.keys.append(base.keys[entry])
        table.values.append(value)
      }
    }
    table.keys.append(contentsOf: newKeys)
    table.values.append(contentsOf: newValues)
    table.rebuild(capacity: count)
    return table
  }
}
