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
        return own.taken == nil || !save.settled.isEmpty
          ? [own] : own.parts(history.columnsSet(beside: own, upTo: save.lastEdit))
      })
    if !save.settled.isEmpty { save.settled[0].noteEffects(effects) }
  }

  /// Learns of the effects in a table, as the commit of the save comes round: what is pending of rows that it has not written goes
  /// with rows that are gone, and stands on what was set of the others.
  /// - Parameter isReset: Whether the commit names no rows. Otherwise what was set of them follows.
  /// - Returns: The rows of which nothing is pending any more.
  mutating func takeEffects(in table: String, isReset: Bool = false) -> [DraftKey] {
    save.seenTables.insert(table)
    if !save.settled.isEmpty {
      _ = save.settled[0].takeEffects(in: table, isReset: isReset)
      return []
    }
    var going: [(position: Int, effect: OwnEffect, kept: PendingRow?)] = []
    for (position, effect) in save.effects.all.enumerated()
    where effect.key.table == table && effect.taken == nil {
      // Of rows that the save has taken the commit's event is to follow.
      guard save.rows[effect.key] == nil else { continue }
      // What was made since the commit, as the row was gone, is another one.
      guard var pending = self[effect.key], pending.kind != .insert else {
        if effect.after != nil {
          leavePendingColumns(of: effect, at: position, now: nil)
          history.noteEffect(effect, upTo: save.lastEdit, isPending: false)
        } else if self[effect.key] == nil, history.hasSteps(effect.key, after: save.lastEdit) {
          // They have led back to where they began.
          going.append((position, effect, nil))
        } else {
          history.noteEffect(effect.key, upTo: save.lastEdit, from: effect.before, left: nil)
        }
        continue
      }
      if effect.after == nil {
        if effect.isMovedAway(pending), !history.canUndo(effect, upTo: save.lastEdit) {
          // No step would bring it back: it is shown as before, and inserted by the next save.
          store(pending.asNew(over: effect.found), effect.key)
          history.noteEffect(effect.key, upTo: serial, from: effect.found, left: nil)
          save.effects.leave(at: position)
          continue
        }
        let kept = history.removeHeld(effect.key, from: pending)
        if let kept { save.effects.keep(kept, at: position) }
        store(nil, effect.key)
        going.append((position, effect, kept))
      } else {
        leavePendingColumns(of: effect, at: position, now: pending)
        pending.adopt(effect.changes)
        var isPending = true
        if isReset, let base = pending.base {
          pending.rebase(base.merging(effect.changes.mapValues(\.after)) { $1 })
          // The foreign key has set the same as the draft: it was nobody else.
          isPending = pending.prune()
        }
        store(isPending ? pending : nil, effect.key)
        history.noteEffect(effect, upTo: save.lastEdit, isPending: isPending)
      }
    }
    history.moveSteps(of: going.map(\.effect), upTo: save.lastEdit)
    var gone: [DraftKey: UInt64] = [:]
    for (position, effect, kept) in going {
      history.noteEffect(effect, upTo: save.lastEdit, isPending: false)
      // It was to be deleted before, and is then so again.
      if kept?.isDeleted == true { save.effects.leaveToEdit(at: position) }
      gone[effect.key] = history.savedSerial(effect.key)
    }
    history.removeSteps(after: gone)
    return Array(gone.keys)
  }

  /// Has undo of a deletion leave out columns of an effect that were pending when the row was deleted which led to it: another value is saved
  /// over the foreign key's, and the same one needs no taking back.
  /// - Parameter pending: The row as it is pending now.
  private mutating func leavePendingColumns(of effect: OwnEffect, at position: Int, now pending: PendingRow?) {
    let former = history.pending(effect.key, pending, before: effect, upTo: save.lastEdit)
    save.effects.leave(Set(former?.mine.keys ?? [:].keys), at: position)
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
  /// - Returns: The rows that are otherwise than they were, as something was done meanwhile that is now done after the save.
  mutating func recordEffects() -> [RowEffect] {
    if !save.settled.isEmpty {
      _ = save.settled[0].recordEffects()
      return save.settled[0].save.isOpen ? [] : settle()
    }
    let effects = save.effects
    save.effects = OwnEffects()
    var rest = effects.all[...]
    var returns: [DraftDirection: [DraftKey: ReturnPaths]] = [:]
    while let cause = rest.first?.cause {
      let group = rest.prefix { $0.cause == cause }
      rest = rest.dropFirst(group.count)
      history.record(group, of: cause, among: effects, upTo: save.lastEdit, &returns)
    }
    history.trim()
    return []
  }
}
