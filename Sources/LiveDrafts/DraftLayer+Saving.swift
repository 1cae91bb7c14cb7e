import LiveDraftStore
import LiveStore

// Saves: which rows they take, and what becomes of these as the commit comes round, or as the save fails.
extension DraftLayer {
  /// Lets go of a row by the save's own commit, where that has left it as it is shown and it was not edited since.
  /// - Parameter isAsShown: Whether the commit has a value of a column.
  /// - Returns: Whether nothing is pending of the row any more, and no list has anything to learn.
  mutating func removeSaved(_ key: DraftKey, isAsShown: (_ row: StoredRow) -> Bool) -> Bool {
    guard save.settled.isEmpty, let taken = save.rows[key], let pending = self[key], !pending.isDeleted,
      !pending.isConflicting, !taken.isPartlyInStore, let shown = pending.shown, isAsShown(shown)
    else { return false }
    save.rows[key] = nil
    store(nil, key)
    history.noteSaved(key, upTo: save.lastEdit, SaveOutcome(taken: taken, left: shown))
    return true
  }

  /// Takes rows for a save.
  /// - Returns: The rows, in the order of their last edits.
  mutating func beginSaving(
    _ policy: DraftPolicy, _ isWanted: (DraftKey) -> Bool
  ) -> [(key: DraftKey, row: PendingRow)] {
    save = SaveInProgress(policy: policy, lastEdit: serial)
    let taken = inOrder(isWanted)
    for (key, row) in taken {
      save.rows[key] = row
      if row.isDeleted { save.deletes = true }
      history.dropConceded(key, row, upTo: serial)
    }
    return taken
  }

  /// The pending rows.
  var keys: Set<DraftKey> {
    Set(tables.flatMap { table, rows in rows.keys.map { DraftKey(table, $0) } })
  }

  /// Returns pending rows in the order of their last edits.
  func inOrder(_ isWanted: (DraftKey) -> Bool) -> [(key: DraftKey, row: PendingRow)] {
    var taken: [(key: DraftKey, row: PendingRow)] = []
    for (table, rows) in tables {
      for (id, row) in rows where isWanted(DraftKey(table, id)) { taken.append((DraftKey(table, id), row)) }
    }
    taken.sort { $0.row.order < $1.row.order }
    return taken
  }

  /// Lets go of rows of the save that the commit's events have not named.
  /// - Parameter table: The only table that is concerned; nil for all.
  /// - Parameter wasWritten: Whether they were written, as far as others' changes do not count.
  mutating func finishSaving(table: String? = nil, wasWritten: Bool = false) -> [RowEffect] {
    let keys = save.rows.keys.filter { table == nil || $0.table == table }
    var effects: [RowEffect] = []
    if !save.settled.isEmpty {
      let effects = save.settled[0].finishSaving(table: table, wasWritten: wasWritten)
      for effect in effects { save.stored.updateValue(effect.after, forKey: effect.key) }
      return []
    }
    for key in keys {
      guard var taken = save.rows.removeValue(forKey: key), let before = self[key] else { continue }
      let stored = taken.base
      let isConceded = concede(&taken, key)
      // A foreign key has taken it along: after it was written or, where it is no new row, before.
      let deletion = save.effects.deletion(of: key).map { save.effects.all[$0] }
      let isGone = wasWritten && (deletion.map { taken.kind != .insert || $0.isAfterTaken } ?? false)
      var outcome = SaveOutcome(
        taken: taken, left: stored,
        written: isGone ? .all : wasWritten ? save.expected(of: taken) : save.unnamed(of: taken))
      if wasWritten, !isConceded, outcome.written != .nothing {
        outcome.left = isGone ? nil : save.left(by: taken)
      }
      // The save had found no row to be deleted: this one is others' since.
      let isTheirs = !wasWritten && taken.isDeleted && stored != nil && outcome.written == .all
      if isTheirs { outcome.left = nil }
      if !isConceded { land(key, outcome) } else { noteIdle(key, stored) }
      store(nil, key)
      effects.append(effect(key, before, nil, stored: isTheirs ? stored : outcome.left))
    }
    return effects
  }

  /// Notes that a row was saved, of which nothing is pending any more.
  mutating func land(_ key: DraftKey, _ outcome: SaveOutcome) {
    var outcome = outcome
    outcome.effects = save.effects[key]
    history.noteSaved(key, upTo: save.lastEdit, outcome)
    correctEdits(of: key)
  }

  // MARK: A save that has failed

  /// Goes on from another layer, as a save has failed.
  /// - Parameter fallback: The layer as it is without the save.
  mutating func fallBack(to fallback: DraftLayer) -> [RowEffect] {
    let before = self
    self = fallback
    return effects(since: before) { key in (before.save.rows[key] ?? before[key])?.base }
  }

  /// The difference to another layer, row by row.
  /// - Parameters:
  ///   - former: The layer that this one follows.
  ///   - stored: The row of the store, where nothing is pending of it any more.
  func effects(since former: DraftLayer, stored: (DraftKey) -> StoredRow?) -> [RowEffect] {
    keys.union(former.keys).compactMap { key in
      let (before, after) = (former[key], self[key])
      if before == after { return nil }
      return RowEffect(
        key: key, before: before.map(\.shown) ?? after?.base, after: after.map(\.shown) ?? stored(key),
        changesConflict: (before?.isConflicting ?? false) != (after?.isConflicting ?? false),
        isStored: after == nil)
    }
  }
}
