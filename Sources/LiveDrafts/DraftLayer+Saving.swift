import LiveStore

// Saves: which rows they take, and what becomes of these as the commit comes round, or as the save fails.
extension DraftLayer {
  /// Lets go of a row by the save's own commit, where that has left it as it is shown and it was not edited since.
  /// - Parameter isAsShown: Whether the commit has a value of a column.
  /// - Returns: Whether nothing is pending of the row any more, and no list has anything to learn.
  mutating func removeSaved(_ key: DraftKey, isAsShown: (_ row: StoredRow) -> Bool) -> Bool {
    guard let taken = save.rows[key], let pending = self[key], !pending.isAhead, !pending.isDeleted,
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
    history.noteSaving(upTo: serial)
    let taken = inOrder(isWanted)
    for (key, row) in taken {
      save.rows[key] = row
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
    let keys = save.rows.keys.filter { table == nil || $0.table == table }
    var effects: [RowEffect] = []
    var expected: [DraftKey: ExpectedOutcome] = [:]
    for key in keys {
      guard var taken = save.rows.removeValue(forKey: key), let before = self[key] else { continue }
      let isConceded = concede(&taken, key)
      var outcome = SaveOutcome(
        taken: taken, left: taken.base,
        written: wasWritten ? save.expected(of: taken) : save.unnamed(of: taken))
      if wasWritten, !isConceded, outcome.written != .nothing {
        outcome.left = save.left(by: taken)
        // A foreign key has taken it along: after it was written or, where it is no new row, before.
        let deletion = save.effects.deletion(of: key).map { save.effects.all[$0] }
        if let deletion, taken.kind != .insert || deletion.isAfterTaken { outcome.left = nil }
        expected[key] = ExpectedOutcome(
          outcome: outcome, policy: save.policy, former: history.savedSerial(key), serial: save.lastEdit)
      }
      if wasWritten, before.isAhead, let position = save.effects.deletion(of: key) {
        // The commit has not named it, and the row is still to be read.
        save.effects.keep(before, before.shown, at: position)
      }
      // The save had found no row to be deleted: this one is others' since.
      let isTheirs = !wasWritten && taken.isDeleted && taken.base != nil && outcome.written == .all
      if isTheirs { outcome.left = nil }
      var after = land(before, key, outcome, wasWritten: !isConceded)
      if isTheirs {
        after?.rebase(taken.base)
        if after?.prune() == false { after = nil }
      }
      store(after, key)
      effects.append(effect(key, before, after, stored: isTheirs ? taken.base : outcome.left))
    }
    return (effects, expected)
  }

  /// Learns what a save has left of a row, of which it was only known so far what to expect.
  /// - Parameter left: The row as the save has left it; nil where it is gone.
  mutating func learn(_ key: DraftKey, _ expected: ExpectedOutcome, left: StoredRow?) -> RowEffect? {
    var outcome = expected.outcome(left: left)
    outcome.effects = save.effects[key]
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
  mutating func land(
    _ pending: PendingRow, _ key: DraftKey, _ outcome: SaveOutcome, wasWritten: Bool
  ) -> PendingRow? {
    var outcome = outcome
    outcome.effects = save.effects[key]
    var pending = pending
    let isGone = outcome.left == nil && !outcome.taken.isDeleted
    if isGone, let position = undoneEffect(of: key), history.insertAgain(key, after: save.lastEdit),
      !pending.isAhead || history.isUndone(key, after: save.lastEdit)
    {
      save.effects.leaveToEdit(at: position)
      if pending.isAhead { pending = pending.insertion }
      save.effects.changeEach(of: key) { effect, others in
        guard effect.after != nil else { return }
        let left = others.next(after: effect)?.found
        let (isDeleted, isSet) = history.carry(effect, left: left, after: save.lastEdit)
        if isSet { effect.corrected.insert(.undo) }
        guard isDeleted, pending.isAhead else { return }
        for (column, change) in effect.changes { pending.carry(change, column) }
      }
    }
    if wasWritten {
      history.noteSaved(key, upTo: save.lastEdit, outcome)
      correctEdits(of: key)
    } else {
      history.landSteps(key, after: save.lastEdit, outcome)
    }
    // A new row stays; pending changes of the row that is gone go with it.
    if isGone, pending.isAhead, pending.kind != .insert, let position = save.effects.deletion(of: key) {
      keep(pending, with: position)
      history.removeSteps(after: [key: save.lastEdit])
      return nil
    }
    return pending.isAhead ? pending.landed(outcome) : nil
  }

  /// The position of the effect that has removed a row, unless the deletion with which it went was undone since, and no younger edit of the
  /// row with it.
  private mutating func undoneEffect(of key: DraftKey) -> Int? {
    guard let position = save.effects.deletion(of: key) else { return nil }
    let effect = save.effects.all[position]
    let isInPlace = history.undone(effect.cause, after: save.lastEdit) == nil
    return isInPlace || history.isUndoneByEdit(effect, after: save.lastEdit) ? position : nil
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
        after: now.map(\.shown) ?? (before.save.rows[key] ?? former)?.base,
        changesConflict: (former?.isConflicting ?? false) != (now?.isConflicting ?? false),
        isStored: now == nil)
    }
  }
}
