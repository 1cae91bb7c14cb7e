import LiveStore

// Commits of the store, by others and by saves, applied to pending rows.
extension DraftLayer {
  // MARK: Commits

  /// Follows a commit of the store.
  /// - Parameters:
  ///   - row: The row's values that are known of the commit; nil when it has removed the row.
  ///   - isOwn: Whether the commit is that of the save.
  ///   - isChanged: Whether the commit may have changed a column, as far as it says; nil where it says nothing, or has made the row.
  /// - Returns: nil where the row is not pending.
  mutating func follow(
    _ key: DraftKey, _ row: StoredRow?, isOwn: Bool, isChanged: ((_ column: String) -> Bool)? = nil
  ) -> RowEffect? {
    guard let before = self[key] else { return nil }
    // The commit of a save may name fewer columns than the save has written: those are known all the same.
    let known = ((saving[key] ?? before).base ?? [:]).merging(isOwn ? saving[key]?.mine ?? [:] : [:]) { $1 }
    let values = row.map { known.merging($0) { $1 } }
    var after: PendingRow? = before
    if isOwn, var taken = saving.removeValue(forKey: key) {
      let isConceded = concede(&taken, key)
      let written = written(of: taken, values, isChanged)
      var outcome = SaveOutcome(taken: taken, left: values, written: written)
      if let values, let isChanged {
        outcome.own = OwnChange.between(known, values) { taken.mine[$0] == nil && isChanged($0) }
      }
      after = land(before, key, outcome, wasWritten: !isConceded)
    } else if saving[key] != nil {
      saving[key]?.rebase(values)
      if before.isAhead {
        after?.rebase(saving[key]?.shown)
        if let conceded = after?.concede() { history.concede(key, conceded, after: savingSerial) }
      }
      if !before.isAhead || after?.prune() == false { after = saving[key] }
    } else {
      if isOwn, let values, let base = before.base, let isChanged {
        // Another row of the save has had this one changed: that is nobody else's change.
        let own = OwnChange.between(base, values, isChanged)
        after?.adopt(own)
        history.adopt(key, own)
      }
      after?.rebase(values)
      if !isOwn, let conceded = after?.concede() { history.concede(key, conceded) }
      if after?.prune() == false { after = nil }
    }
    store(after, key)
    return effect(key, before, after, stored: values)
  }

  /// Leaves to others what they have done as well of a row that a save has taken.
  /// - Returns: Whether that is all, so that the save had nothing to change.
  private mutating func concede(_ taken: inout PendingRow, _ key: DraftKey) -> Bool {
    guard !doubted.contains(key), let conceded = taken.concede() else { return false }
    history.concede(key, conceded, upTo: savingSerial)
    return taken.isInStore
  }

  private func effect(_ key: DraftKey, _ before: PendingRow, _ after: PendingRow?, stored: StoredRow?)
    -> RowEffect
  {
    RowEffect(
      key: key, before: before.shown, after: after.map(\.shown) ?? stored,
      changesConflict: before.isConflicting != (after?.isConflicting ?? false), isStored: after == nil)
  }

  // MARK: Saving

  /// Lets go of a row by the save's own commit, where that has left it as it is shown and it was not edited since.
  /// - Parameter isAsShown: Whether the commit has a value of a column.
  /// - Returns: Whether nothing is pending of the row any more, and no list has anything to learn.
  mutating func removeSaved(_ key: DraftKey, isAsShown: (_ row: StoredRow) -> Bool) -> Bool {
    guard let taken = saving[key], let pending = self[key], !pending.isAhead, !pending.isDeleted,
      !pending.isConflicting, !taken.isPartlyInStore, let shown = pending.shown, isAsShown(shown)
    else { return false }
    saving[key] = nil
    store(nil, key)
    history.noteSaved(key, upTo: savingSerial, SaveOutcome(taken: taken, left: shown))
    return true
  }

  /// The part that the save has written of a row which its commit names.
  private func written(
    of taken: PendingRow, _ left: StoredRow?, _ isChanged: ((_ column: String) -> Bool)?
  ) -> SaveOutcome.Written {
    // By any other rule all is written, or nothing of the whole save.
    guard savingPolicy == .theirs, let left else { return .all }
    switch taken.kind {
    case .delete: return .nothing
    case .insert: return taken.base != nil || isChanged != nil ? .nothing : .all
    case .update:
      // A trigger may have changed what theirs counts of.
      let dropped = taken.columnsInConflict
      return .without(
        taken.mine.keys.filter {
          dropped.contains($0)
            || !PendingRow.isAlike(left[$0], taken.mine[$0]) && !(isChanged?($0) ?? false)
        })
    }
  }

  /// The part that the save has written of a row, as far as it was known before.
  func expected(of taken: PendingRow) -> SaveOutcome.Written {
    guard savingPolicy == .theirs, taken.isConflicting else { return .all }
    guard taken.kind == .update, taken.base != nil else { return .nothing }
    return .without(taken.columnsInConflict)
  }

  /// A row as the save is to leave it, as far as is known; nil where it is to be gone.
  func left(by taken: PendingRow) -> StoredRow? {
    switch expected(of: taken) {
    case .all: return taken.shown
    case .nothing: return taken.base
    case .allBut(let dropped):
      return taken.shown.map { $0.merging((taken.base ?? [:]).filter { dropped.contains($0.key) }) { $1 } }
    }
  }

  /// The part that the save has written of a row which its commit has not named, besides what others have done as well: nothing
  /// where theirs counts.
  private func unnamed(of taken: PendingRow) -> SaveOutcome.Written {
    guard savingPolicy == .theirs else { return .all }
    return taken.kind == .update && taken.base != nil ? .without(taken.columnsUnlikeBase) : .nothing
  }

  /// Takes rows for a save.
  /// - Returns: The rows, in the order of their last edits.
  mutating func beginSaving(
    _ policy: DraftPolicy, _ isWanted: (DraftKey) -> Bool
  ) -> [(key: DraftKey, row: PendingRow)] {
    (savingSerial, savingPolicy, effects) = (serial, policy, OwnEffects())
    (doubted, seenTables, undoneForGood) = ([], [], [])
    let taken = inOrder(isWanted)
    for (key, row) in taken {
      saving[key] = row
      history.dropConceded(key, row, upTo: serial)
    }
    return taken
  }

  /// The pending rows.
  private var keys: Set<DraftKey> {
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
  /// - Returns: The effects, and where rows were written what can be expected of them.
  mutating func finishSaving(
    table: String? = nil, wasWritten: Bool = false
  ) -> (effects: [RowEffect], expected: [DraftKey: ExpectedOutcome]) {
    let keys = saving.keys.filter { table == nil || $0.table == table }
    var effects: [RowEffect] = []
    var expected: [DraftKey: ExpectedOutcome] = [:]
    for key in keys {
      guard var taken = saving.removeValue(forKey: key), let before = self[key] else { continue }
      let isConceded = concede(&taken, key)
      var outcome = SaveOutcome(
        taken: taken, left: taken.base, written: wasWritten ? self.expected(of: taken) : unnamed(of: taken))
      if wasWritten, !isConceded, outcome.written != .nothing {
        outcome.left = left(by: taken)
        // A foreign key has taken it along, after it was written or before.
        if taken.kind != .insert, self.effects.deletion(of: key) != nil { outcome.left = nil }
        expected[key] = ExpectedOutcome(
          outcome: outcome, policy: savingPolicy, former: history.savedSerial(key), serial: savingSerial)
      }
      if wasWritten, before.isAhead, let position = self.effects.deletion(of: key) {
        // The commit has not named it, and the row is still to be read.
        self.effects.keep(before, before.shown, at: position)
      }
      let after = land(before, key, outcome, wasWritten: !isConceded)
      store(after, key)
      effects.append(effect(key, before, after, stored: outcome.left))
    }
    return (effects, expected)
  }

  /// Learns what a save has left of a row, of which it was only known so far what to expect.
  /// - Parameter left: The row as the save has left it; nil where it is gone.
  mutating func learn(_ key: DraftKey, _ expected: ExpectedOutcome, left: StoredRow?) -> RowEffect? {
    var outcome = expected.outcome(left: left)
    outcome.effects = effects[key]
    history.learn(key, expected, outcome)
    correctEdits(of: key)
    guard let before = self[key] else { return nil }
    var after: PendingRow? = before
    after?.learn(outcome.left, insteadOf: expected.outcome.left)
    after?.rebase(left)
    if after?.prune() == false { after = nil }
    store(after, key)
    return effect(key, before, after, stored: left)
  }

  /// Returns what is pending of a row that was saved: what it was edited since.
  /// - Parameter wasWritten: Whether the save had anything to change. Otherwise the row is as if others had been there before it began.
  private mutating func land(
    _ pending: PendingRow, _ key: DraftKey, _ outcome: SaveOutcome, wasWritten: Bool
  ) -> PendingRow? {
    var outcome = outcome
    outcome.effects = effects[key]
    var pending = pending
    let isGone = outcome.left == nil && !outcome.taken.isDeleted
    if isGone, let position = undoneEffect(of: key), history.insertAgain(key, after: savingSerial),
      !pending.isAhead || history.isUndone(key, after: savingSerial)
    {
      effects.leaveToEdit(at: position)
      if pending.isAhead { pending = pending.insertion }
      effects.changeEach(of: key) { effect, others in
        guard effect.after != nil else { return }
        let left = others.next(after: effect)?.found
        let (isDeleted, isSet) = history.carry(effect, left: left, after: savingSerial)
        if isSet { effect.corrected.insert(.undo) }
        guard isDeleted, pending.isAhead else { return }
        for (column, change) in effect.changes { pending.carry(change, column) }
      }
    }
    if wasWritten {
      history.noteSaved(key, upTo: savingSerial, outcome)
      correctEdits(of: key)
    } else {
      history.landSteps(key, after: savingSerial, outcome)
    }
    // A new row stays; pending changes of the row that is gone go with it.
    if isGone, pending.isAhead, pending.kind != .insert, let position = effects.deletion(of: key) {
      keep(pending, with: position)
      history.removeSteps(after: [key: savingSerial])
      return nil
    }
    return pending.isAhead ? pending.landed(outcome) : nil
  }

  /// The position of the effect that has removed a row, unless the deletion with which it went was undone since, and no younger edit of the
  /// row with it.
  private mutating func undoneEffect(of key: DraftKey) -> Int? {
    guard let position = effects.deletion(of: key) else { return nil }
    let effect = effects.all[position]
    let isInPlace = history.undone(effect.cause, after: savingSerial) == nil
    return isInPlace || history.isUndoneByEdit(effect, after: savingSerial) ? position : nil
  }

  // MARK: A save that has failed

  /// Goes on from another layer, as a save has failed.
  /// - Parameter fallback: The layer as it is without the save.
  mutating func fallBack(to fallback: DraftLayer) -> [RowEffect] {
    let before = self
    self = fallback
    return keys.union(before.keys).map { key in
      let (former, now) = (before[key], self[key])
      return RowEffect(
        key: key, before: former.map(\.shown) ?? now?.base,
        after: now.map(\.shown) ?? (before.saving[key] ?? former)?.base,
        changesConflict: (former?.isConflicting ?? false) != (now?.isConflicting ?? false),
        isStored: now == nil)
    }
  }
}

extension PendingRow {
  /// The columns that were set to other values than the store's row has.
  fileprivate var columnsUnlikeBase: [String] { mine.keys.filter { !Self.isAlike(base?[$0], mine[$0]) } }

  /// The columns that were set, and by others to something else.
  fileprivate var columnsInConflict: [String] {
    guard let base else { return [] }
    return columnsUnlikeBase.filter { !Self.isAlike(base[$0], original?[$0]) }
  }

  /// The same row as a new one.
  var insertion: PendingRow {
    if kind != .update { return self }
    var row = PendingRow(base: nil, mine: shown ?? [:], serial: serial, order: order)
    row.isAhead = isAhead
    return row
  }

  /// Returns the edits of a row that a save was writing as edits of the row that the save has left; nil where nothing is left of them.
  /// - Parameter outcome: What the save has made of the row.
  func landed(_ outcome: SaveOutcome) -> PendingRow? {
    let (taken, saved, dropped) = (outcome.taken, outcome.left, outcome.dropped)
    var row = self
    row.isAhead = false
    if let saved, let original {
      // The editor saw what the save was writing, unless the edit was in conflict with that.
      let written = saved.filter { column, _ in
        (taken.mine[column] != nil && !dropped.contains(column) || outcome.own[column] != nil)
          && Self.isAlike(original[column], base?[column])
      }
      let seen = isDeleted ? original : saved.merging(original.filter { mine[$0.key] != nil }) { $1 }
      row.original = seen.merging(written) { $1 }
    } else if taken.isDeleted, original == nil {
      row.original = saved
    }
    row.rebase(saved)
    return row.prune() ? row : nil
  }

  /// Has been edited on top of what a save has changed without being told to.
  mutating func adopt(_ own: [String: OwnChange]) {
    for (column, change) in own where Self.isAlike(original?[column], change.before) && original != nil {
      original?[column] = change.after
    }
  }

  /// Has been edited on top of what a save has left, and not of what it was expected to leave.
  mutating func learn(_ left: StoredRow?, insteadOf expected: StoredRow?) {
    guard let left, let expected, original != nil else { return }
    for (column, value) in left where Self.isAlike(original?[column], expected[column]) {
      original?[column] = value
    }
  }
}
