public import HashTreeCollections
public import Synchronization

/// From identifiers to the places of what they name: a persistent dictionary.
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
    @exclusivity(unchecked) @usableFromInline var overlay: TreeDictionary<Key, UInt64>
    @exclusivity(unchecked) @usableFromInline var count: Int
    /// How many entries of the base were claimed and not set, and the first of them.
    @exclusivity(unchecked) @usableFromInline var claims = 0
    @exclusivity(unchecked) @usableFromInline var nextClaim = 0
    @usableFromInline let folded = AtomicLazyReference<FlatTable<Key>>()

    @inlinable
    init(base: FlatTable<Key>, overlay: TreeDictionary<Key, UInt64>, count: Int) {
      self.base = base
      self.overlay = overlay
      self.count = count
    }
  }

  @usableFromInline var version: Version

  @inlinable
  init() {
    version = Version(base: FlatTable(minimumCapacity: 0), overlay: [:], count: 0)
  }

  /// Creates a map that takes over a table.
  @inlinable
  init(_ table: FlatTable<Key>) {
    version = Version(base: table, overlay: [:], count: table.count)
  }

  @inlinable var count: Int { version.count }

  /// Whether both are maps of snapshots of which one descends from the other, or both from a third.
  @inlinable
  func isRelated(to other: Self) -> Bool { version.base.lineage == other.version.base.lineage }

  @inlinable
  subscript(key: Key) -> UInt64? {
    let version = version
    if !version.overlay.isEmpty, let value = version.overlay[key] {
      return value == FlatTable<Key>.removed ? nil : value
    }
    guard let entry = version.base.find(key) else { return nil }
    return version.base.values[entry]
  }

  /// Looks a key up that is about to be set, and if it can, makes the entry for one that is not there, so that
  /// setting it need not look it up again.
  ///
  /// - Returns: The value of the key, or nil if it had none. Whoever claims a key sets it before anything else
  ///   is done with the map.
  @inlinable
  mutating func claim(_ key: Key) -> UInt64? {
    guard isKnownUniquelyReferenced(&version), version.overlay.isEmpty,
      isKnownUniquelyReferenced(&version.base)
    else { return self[key] }
    let (entry, inserted) = version.base.insert(key, value: FlatTable<Key>.claimed)
    if !inserted { return version.base.values[entry] }
    version.count &+= 1
    if version.claims == 0 { version.nextClaim = entry }
    version.claims &+= 1
    return nil
  }

  /// Sets the value of a key, which may be new.
  @inlinable
  mutating func set(_ key: Key, to value: UInt64) {
    // Claimed keys come in the order in which they were claimed; others may come between them.
    if version.claims > 0, isKnownUniquelyReferenced(&version), version.overlay.isEmpty,
      isKnownUniquelyReferenced(&version.base), version.nextClaim < version.base.keys.count,
      version.base.keys[version.nextClaim] == key
    {
      version.base.values[version.nextClaim] = value
      version.nextClaim &+= 1
      version.claims &-= 1
      return
    }
    prepare()
    if isKnownUniquelyReferenced(&version.base),
      version.overlay.isEmpty || version.overlay[key] == nil
    {
      let (entry, inserted) = version.base.insert(key, value: value)
      if inserted { version.count &+= 1 } else { version.base.values[entry] = value }
      return
    }
    let previous = version.overlay.updateValue(value, forKey: key)
    switch previous {
    case .some(FlatTable<Key>.removed): version.count &+= 1
    case .some: break
    case .none: if version.base.find(key) == nil { version.count &+= 1 }
    }
  }

  /// Takes a key out, if it is there.
  @inlinable
  mutating func remove(_ key: Key) {
    guard self[key] != nil else { return }
    prepare()
    version.count &-= 1
    if version.overlay.isEmpty, isKnownUniquelyReferenced(&version.base) {
      version.base.remove(key)
    } else if version.base.find(key) != nil {
      version.overlay.updateValue(FlatTable<Key>.removed, forKey: key)
    } else {
      version.overlay.removeValue(forKey: key)
    }
  }

  /// Makes sure that the version can be written to and the overlay is not too large.
  @inlinable
  mutating func prepare() {
    let isFull = version.overlay.count > max(64, version.base.count / 8)
    if isKnownUniquelyReferenced(&version) {
      if isFull {
        version.base = version.fold()
        version.overlay = [:]
      }
    } else if isFull {
      version = Version(base: version.foldOnce(), overlay: [:], count: version.count)
    } else {
      version = Version(base: version.base, overlay: version.overlay, count: version.count)
    }
  }
}

extension IdentityMap.Version {
  /// The folded table, made by the first who asks.
  @inlinable
  func foldOnce() -> FlatTable<Key> {
    folded.load() ?? folded.storeIfNil(fold())
  }

  /// A table of everything that base and overlay have together.
  @inlinable
  func fold() -> FlatTable<Key> {
    var isStale = ContiguousArray(repeating: false, count: base.keys.count)
    for (key, _) in overlay {
      if let entry = base.find(key) { isStale[entry] = true }
    }
    let table = FlatTable<Key>(minimumCapacity: count, lineage: base.lineage)
    for entry in base.keys.indices {
      let value = base.values[entry]
      if !isStale[entry], value != FlatTable<Key>.removed {
        table.keys.append(base.keys[entry])
        table.values.append(value)
      }
    }
    for (key, value) in overlay where value != FlatTable<Key>.removed {
      table.keys.append(key)
      table.values.append(value)
    }
    table.rebuild(capacity: count)
    return table
  }
}
