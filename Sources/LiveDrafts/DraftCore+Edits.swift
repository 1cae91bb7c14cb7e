import LiveDraftStore
import LiveStore

// Edits and saves. While a save is under way there are two layers: as it is when the save has succeeded, and as it is if it fails.
extension DraftCore {
  // MARK: Edits

  /// Makes an edit, also to the layer that there is if the save under way fails.
  /// - Parameters:
  ///   - isSkipped: Whether the other layer is left alone where this one is as it was.
  ///   - body: Makes it to a layer, of which it is given whether it is the other one.
  private mutating func edit<Failure: Error>(
    unlessNone isSkipped: Bool = false,
    _ body: (inout DraftLayer, _ isFallback: Bool) throws(Failure) -> [RowEffect]
  ) throws(Failure) -> [RowEffect] {
    guard let serial = attempt?.fallback?.serial else { return try body(&layer, false) }
    // So that the same edit has the same number in both.
    layer.serial = max(layer.serial, serial)
    attempt?.fallback?.serial = layer.serial
    let effects = try body(&layer, false)
    if isSkipped, effects.isEmpty { return [] }
    // What cannot be done without the save is lost with it.
    if attempt?.fallback != nil { _ = try? body(&attempt!.fallback!, true) }
    return effects
  }

  /// The rows of the store for edits of certain rows: those that are pending have theirs.
  private func bases(
    _ keys: some Sequence<DraftKey>, _ read: [DraftKey: StoredRow]
  ) -> [DraftKey: StoredRow] {
    if attempt?.fallback == nil { return read }
    var bases = read
    for key in keys { if let pending = layer.save.rows[key] ?? layer[key] { bases[key] = pending.base } }
    return bases
  }

  mutating func apply(
    _ edits: [(key: DraftKey, edit: RowEdit)], named name: String, bases read: [DraftKey: StoredRow],
    sights: [DraftKey: DraftSight] = [:]
  ) throws(DraftError) -> [RowEffect] {
    let bases = self.bases(edits.lazy.map(\.key), read)
    // An edit that changes nothing is none: a step of the other layer alone would keep its steps from being undone.
    return try edit(unlessNone: true) { layer, isFallback throws(DraftError) in
      try layer.apply(edits, named: name, bases: bases, sights: sights, isRepeated: isFallback)
    }
  }

  /// Takes all back that is pending, or would be if the save under way failed.
  mutating func discardAll(named name: String) -> [RowEffect] {
    let keys = layer.inOrder { _ in true }.map(\.key)
    let others = attempt?.fallback?.inOrder { [layer] in layer[$0] == nil }.map(\.key) ?? []
    return discard(keys + others, named: name, isAll: true)
  }

  mutating func discard(_ keys: [DraftKey], named name: String, isAll: Bool = false) -> [RowEffect] {
    let effects = edit { layer, _ in layer.discard(keys, named: name, isAll: isAll) }
    // A discard of rows that are all being saved is a step too, so that undo means the same in both layers.
    if let group = attempt?.fallback?.history.undo.last, group.serial == layer.serial,
      layer.history.undo.last?.serial != layer.serial
    {
      layer.history.pushEmpty(named: name, serial: layer.serial)
    }
    return effects
  }

  /// The rows that the next undo or redo concerns, also in the layer that there is if the save under way fails; nil where there is
  /// nothing to be undone or redone.
  func restorable(_ direction: DraftDirection) -> (serial: UInt64, keys: Set<DraftKey>)? {
    guard let group = layer.history.last(direction) else { return nil }
    var keys = Set(group.steps.map(\.key))
    if let other = attempt?.fallback?.history.last(direction), other.serial == group.serial {
      keys.formUnion(other.steps.map(\.key))
    }
    return (group.serial, keys)
  }

  mutating func restore(_ direction: DraftDirection, bases read: [DraftKey: StoredRow]) -> [RowEffect] {
    guard let (serial, keys) = restorable(direction) else { return [] }
    let bases = self.bases(keys, read)
    return edit { layer, _ in
      layer.history.last(direction)?.serial == serial ? layer.restore(direction, bases: bases) : []
    }
  }

  // MARK: Saving

  /// Begins a save.
  /// - Parameters:
  ///   - origin: The origin by which the commit is known.
  ///   - origins: Those that it has besides.
  /// - Returns: The changes that are to be saved.
  mutating func beginSaving(
    as origin: String, besides origins: [String], _ policy: DraftPolicy, _ isWanted: (DraftKey) -> Bool
  ) -> [DraftChange] {
    let before = layer
    let taken = layer.beginSaving(policy, isWanted)
    if taken.isEmpty { return [] }
    attempt = SaveAttempt(origin: origin, origins: origins + [origin], fallback: before)
    return taken.map { key, row in
      var change = change(key, row)
      change.witness = RowWitness(expecting: row.base)
      attempt?.witnesses[key] = change.witness
      return change
    }
  }

  /// Follows what others had committed before the save, without its having been notified, as the save has found its rows.
  /// - Parameters:
  ///   - table: The only table that is concerned; nil for all.
  ///   - isNewest: Whether nobody else can have written a row between the save's look at it and its commit, as the save has written it.
  ///     Of any other row that was touched meanwhile more is known than the save has found.
  mutating func followFound(
    in table: String? = nil, isNewest: (DraftKey) -> Bool = { _ in false }
  ) -> [DraftNotice] {
    var effects: [RowEffect] = []
    let former = attempt?.foundTables ?? []
    for (key, witness) in attempt?.witnesses ?? [:]
    where (table == nil || key.table == table) && !former.contains(key.table) {
      attempt?.foundTables.insert(key.table)
      guard layer.save.rows[key] != nil, case .other(let row) = witness.found,
        isNewest(key) || attempt?.touched.contains(key) == false
      else { continue }
      if let effect = layer.follow(key, row, isOwn: false) { effects.append(effect) }
    }
    return notices(of: effects, origins: [], writers: .all)
  }

  /// Ends a save.
  mutating func endSaving() -> [DraftNotice] {
    attempt?.fallback = nil
    let found = followFound()
    noteLeftToEdits()
    attempt = nil
    let effects = layer.finishSaving()
    return found + notices(of: effects, origins: []) + recordEffects()
  }

  /// Makes what foreign keys have done part of the deletions that led to it, and what was done meanwhile come after the save.
  mutating func recordEffects() -> [DraftNotice] {
    for number in touches.keys { touches[number]?.note(layer.save.effects) }
    noteLeftToEdits()
    let effects = layer.recordEffects()
    // Whether others have changed such a row meanwhile, its table says.
    for effect in effects { channels[effect.key.table]?.isStale = true }
    return notices(of: effects, origins: [])
  }

  /// Ends a save that has failed: all is as without it.
  /// - Parameters:
  ///   - reverted: The number of an edit that is to be taken back as well.
  ///   - read: The rows of the store, of those of the edit that are not pending; nil where they are not known.
  mutating func saveFailed(
    reverting reverted: UInt64?, bases read: [DraftKey: StoredRow]?, origins: [String]
  ) -> [DraftNotice] {
    guard let attempt, let fallback = attempt.fallback else { return endSaving() }
    let keys = reverted.map { fallback.history.keys(of: $0) } ?? []
    let bases = read.map { self.bases(keys, $0) }
    self.attempt = nil
    // Rows that were pending there alone were not read again where a commit was told as a reset.
    for (table, rows) in fallback.tables where rows.keys.contains(where: { layer.tables[table]?[$0] == nil })
    {
      channels[table]?.isStale = true
    }
    var effects = layer.fallBack(to: fallback)
    if let reverted {
      // Each row is to be named once.
      let positions = Dictionary(uniqueKeysWithValues: effects.indices.map { (effects[$0].key, $0) })
      for effect in layer.revert(edit: reverted, bases: bases) {
        if let position = positions[effect.key] {
          effects[position] = effects[position].merged(with: effect)
        } else {
          effects.append(effect)
        }
      }
    }
    if let forgotten = attempt.forgotten { layer.history.forget(upTo: forgotten) }
    return notices(of: effects, origins: origins)
  }

  /// Takes an edit back that is not saved after all.
  /// - Parameter bases: The rows of the store, of those of the edit that are not pending; nil where they are not known.
  mutating func revert(edit: UInt64, bases: [DraftKey: StoredRow]?, origins: [String]) -> [DraftNotice] {
    notices(of: layer.revert(edit: edit, bases: bases), origins: origins)
  }

  /// Keeps what an edit has done until it is released, as it is taken back where its save fails.
  mutating func hold(edit: UInt64) {
    layer.history.hold(edit: edit)
    attempt?.fallback?.history.hold(edit: edit)
  }

  /// Ends ``hold(edit:)``.
  mutating func release(edit: UInt64) {
    layer.history.release(edit: edit)
    attempt?.fallback?.history.release(edit: edit)
  }

  /// Forgets what can be undone and redone.
  mutating func forgetHistory() {
    // If the save under way fails, what was undone since then is to be found.
    if attempt?.fallback != nil { attempt?.forgotten = layer.serial }
    layer.forgetHistory()
  }
}
