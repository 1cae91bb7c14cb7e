import LiveStore

// Effects of foreign keys, as a save deletes rows.
extension DraftLayer {
  /// Notes what the save that is under way does to rows that it was not told to change.
  mutating func noteEffects(_ effects: [DraftEffect]) {
    save.effects = OwnEffects(
      effects.flatMap { effect in
        let taken = save.rows[effect.key]
        let own = OwnEffect(
          effect, taken: taken?.isInStore == false ? taken : nil, of: save.rows[effect.cause])
        return own.taken == nil ? [own] : own.parts(history.columnsSet(beside: own, upTo: save.lastEdit))
      })
  }

  /// Learns of the effects in a table, as the commit of the save comes round: what is pending of rows that it has not written goes
  /// with rows that are gone, and stands on what was set of the others.
  /// - Parameter isReset: Whether the commit names no rows. Otherwise what was set of them follows.
  /// - Returns: The rows of which nothing is pending any more.
  mutating func takeEffects(in table: String, isReset: Bool = false) -> [DraftKey] {
    save.seenTables.insert(table)
    save.effects.noteUndone(in: table) { history.isUndoneByEdit($0, after: save.lastEdit) }
    var going: [(position: Int, effect: OwnEffect, kept: PendingRow?)] = []
    for (position, effect) in save.effects.all.enumerated()
    where effect.key.table == table && effect.taken == nil {
      // Of rows that the save has taken the commit's event is to follow.
      guard save.rows[effect.key] == nil else { continue }
      guard var pending = self[effect.key] else {
        history.noteEffect(effect.key, upTo: serial, from: effect.before, left: effect.after)
        continue
      }
      if effect.after == nil, isTakenBack(effect.cause) {
        // It is there again at once, and is edited as a new row.
        if pending.isDeleted { save.effects.keep(pending, nil, at: position) }
        history.makeAnew(effect.key, from: effect.before)
        store(pending.isDeleted ? nil : pending.insertion, effect.key)
      } else if effect.after == nil {
        let kept = history.removeHeld(effect.key, from: pending)
        if let kept { keep(kept, with: position) }
        store(nil, effect.key)
        going.append((position, effect, kept))
      } else {
        pending.adopt(effect.changes)
        var isPending = true
        if isReset, let base = pending.base {
          pending.rebase(base.merging(effect.changes.mapValues(\.after)) { $1 })
          // The foreign key has set the same as the draft: it was nobody else.
          isPending = pending.prune()
        }
        store(isPending ? pending : nil, effect.key)
        history.adopt(effect.key, effect.changes)
        history.noteEffect(effect, upTo: save.lastEdit)
      }
    }
    history.moveSteps(of: going.map(\.effect), upTo: save.lastEdit)
    var gone: [DraftKey: UInt64] = [:]
    for (position, effect, kept) in going {
      let isLeft = history.noteEffect(effect, upTo: save.lastEdit)
      if kept?.isDeleted == true, isLeft { save.effects.leaveToEdit(at: position) }
      gone[effect.key] = history.savedSerial(effect.key)
    }
    history.removeSteps(after: gone)
    return Array(gone.keys)
  }

  /// Lets what is pending of a row come back with it.
  /// - Parameter position: The effect that has removed the row.
  mutating func keep(_ pending: PendingRow, with position: Int) {
    // Of a row that was being saved it is known what it was to be, and that is shown.
    save.effects.keep(pending, pending.isAhead ? pending.shown : pending.mine, at: position)
  }

  /// Corrects the edits of a row that lead to what foreign keys have made of it, as soon as the save is known to have written it. The rest of
  /// these effects waits for the others (``recordEffects()``).
  mutating func correctEdits(of key: DraftKey) {
    save.effects.changeEach(of: key) { effect, others in
      let corrected = history.correctEdits(by: effect, among: others, upTo: save.lastEdit)
      effect.corrected.formUnion(corrected)
    }
  }

  /// Makes the effects part of the deletions that led to them, so that they are undone together.
  /// - Returns: What lists are to learn: where a deletion was undone while it was being saved, its effects are taken back at once.
  mutating func recordEffects() -> [RowEffect] {
    let effects = save.effects
    save.effects = OwnEffects()
    var rest = effects.all[...]
    var restored: [RowEffect] = []
    var returns: [DraftDirection: [DraftKey: ReturnPaths]] = [:]
    while let cause = rest.first?.cause {
      let group = rest.prefix { $0.cause == cause }
      rest = rest.dropFirst(group.count)
      let isUndoneForGood = isUndoneForGood(cause)
      if !isUndoneForGood,
        history.record(group, of: cause, among: effects, upTo: save.lastEdit, &returns)
      {
        continue
      }
      let path = history.undone(cause, after: save.lastEdit)
      if path == nil, !isUndoneForGood { continue }
      let steps = takeBack(group, with: path, &restored)
      guard let path else { continue }
      for effect in group { showAgain(effect, among: effects[effect.key], with: path) }
      history.add(steps, at: path)
    }
    history.trim()
    return restored
  }

  /// Whether a deletion of the save was undone since, and can no longer be redone.
  private mutating func isUndoneForGood(_ cause: DraftKey) -> Bool {
    history.undoneForGood.contains(cause) && self[cause]?.shown != nil
      && !history.hasDeletion(of: cause, upTo: save.lastEdit)
  }

  /// Whether a deletion of the save was undone since.
  private mutating func isTakenBack(_ cause: DraftKey) -> Bool {
    isUndoneForGood(cause) || history.undone(cause, after: save.lastEdit) != nil
  }

  /// Takes the effects of a deletion back that was undone while it was being saved.
  /// - Parameter path: The step that has undone it; nil where it can no longer be redone.
  /// - Returns: The steps with which redo of the deletion has them again.
  private mutating func takeBack(
    _ group: ArraySlice<OwnEffect>, with path: DraftHistory.StepPath?, _ restored: inout [RowEffect]
  ) -> [HistoryStep] {
    var steps: [HistoryStep] = []
    for effect in group where !effect.isUndoneByEdit {
      let before = self[effect.key]
      let taken = effect.after == nil ? nil : history.takeBack(effect, with: path)
      guard var row = effect.takenBack(over: before, besides: taken?.columnsSet ?? []) else { continue }
      if row == before {
        // A row that is gone as well, and pending as a new one, has it again where the deletion is redone.
        for (column, change) in effect.changes { row.carry(change, column) }
        if effect.after == nil {
          steps.append(HistoryStep(key: effect.key, after: before))
        } else if row != before {
          steps.append(HistoryStep(key: effect.key, before: row, after: before, base: effect.after))
        }
        continue
      }
      (row.serial, row.order) = (serial, nextOrder())
      restored.append(replace(effect.key, by: row, base: effect.after))
      let ground = taken?.ground ?? (before, row)
      steps.append(
        HistoryStep(key: effect.key, before: ground.before, after: ground.after, base: effect.after))
    }
    return steps
  }

  /// Has the steps of a row that can be redone after a deletion start from what that does to the row.
  private mutating func showAgain(
    _ effect: OwnEffect, among effects: [OwnEffect], with deletion: DraftHistory.StepPath
  ) {
    guard effect.after == nil else {
      let left = effects.next(after: effect)?.found ?? effect.after
      _ = history.carry(effect, left: left, after: save.lastEdit)
      return
    }
    if effect.isUndoneByEdit { return }
    _ = history.insertAgain(effect.key, after: save.lastEdit)
    history.removeRow(effect.key, after: deletion)
  }
}
