import LiveDraftStore
import LiveStore

// Effects of foreign keys, as a save deletes rows.
extension DraftLayer {
  /// Notes what the save that is under way does to rows that it was not told to change.
  mutating func noteEffects(_ effects: [DraftEffect]) {
    save.effects = OwnEffects(
      effects.flatMap { effect in
        let taken = save.rows[effect.key].flatMap { taken in
          taken.isInStore || save.expected(of: taken) == .nothing ? nil : taken
        }
        let own = OwnEffect(effect, taken: taken, of: save.rows[effect.cause])
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
    let isFirst = save.seenTables.isEmpty
    save.seenTables.insert(table)
    if !save.settled.isEmpty {
      if isFirst { repeatEarlySteps() }
      _ = save.settled[0].takeEffects(in: table, isReset: isReset)
      return []
    }
    if isFirst {
      // Steps since the save began that concern no row of it come before the effects of foreign keys.
      save.lastEdit = max(save.lastEdit, serial)
      keepMovedRows()
    }
    var going: [GoingRow] = []
    var gone: [DraftKey: UInt64] = [:]
    // Of rows that the save has taken the commit's event is to follow.
    for (position, effect) in save.effects.all.enumerated()
    where effect.key.table == table && effect.taken == nil && save.rows[effect.key] == nil {
      if let row = take(effect, at: position, isReset: isReset) {
        going.append(row)
      } else if effect.after == nil, self[effect.key] == nil,
        history.hasSteps(effect.key, in: .redo, after: save.lastEdit)
      {
        // An edit of it was undone since: there is no row to which it could be made again.
        gone[effect.key] = history.savedSerial(effect.key)
      }
    }
    history.moveSteps(of: going.map(\.effect), upTo: save.lastEdit)
    for row in going {
      history.noteEffect(row.effect, upTo: save.lastEdit, isPending: false)
      // It was to be deleted before, and is then so again.
      if row.pending?.isDeleted == true { save.effects.leaveToEdit(at: row.position) }
      gone[row.effect.key] = history.savedSerial(row.effect.key)
    }
    history.removeSteps(after: gone)
    return Array(gone.keys)
  }

  /// A row that goes along, and of which there are edits that the save has not taken.
  private struct GoingRow {
    /// The position of the effect.
    var position: Int
    var effect: OwnEffect
    /// The row as it was pending; nil where it was not.
    var pending: PendingRow?
  }

  /// Learns of an effect on a row that the save was not told to write.
  /// - Returns: The row, where it goes with edits that are to be undone after the deletion.
  private mutating func take(_ effect: OwnEffect, at position: Int, isReset: Bool) -> GoingRow? {
    if let order = effect.keptAs {
      keep(effect, as: order)
      save.effects.leave(at: position)
      return nil
    }
    // A row that was made since the commit, as this one was gone, is another one.
    guard var pending = self[effect.key], pending.kind != .insert || pending.base != nil else {
      if effect.after == nil, self[effect.key] == nil, history.hasSteps(effect.key, after: save.lastEdit) {
        // They have led back to where they began.
        return GoingRow(position: position, effect: effect)
      }
      let last = history.lastEdit(ofGone: effect.key, upTo: save.lastEdit)
      history.noteEffect(effect.key, upTo: last, from: effect.found, left: effect.after)
      history.adopt(effect.key, effect.changes)
      return nil
    }
    if effect.after == nil {
      let kept = history.removeHeld(effect.key, from: pending)
      if let kept { save.effects.keep(kept, at: position) }
      store(nil, effect.key)
      return GoingRow(position: position, effect: effect, pending: kept)
    }
    // Undo of the deletion leaves out columns that were pending: another value is saved over the foreign key's, and the same one needs
    // no taking back.
    let former = history.pending(effect.key, pending, before: effect, upTo: save.lastEdit)
    save.effects.leave(Set(former?.mine.keys ?? [:].keys), at: position)
    pending.adopt(effect.changes)
    var isPending = true
    if isReset, let base = pending.base {
      pending.rebase(base.merging(effect.changes.mapValues(\.after)) { $1 })
      // The foreign key has set the same as the draft: it was nobody else.
      isPending = pending.prune()
    }
    store(isPending ? pending : nil, effect.key)
    history.noteEffect(effect, upTo: save.lastEdit, isPending: isPending)
    return nil
  }

  /// Keeps rows that undo has moved away from those by which they go, where no step would bring them back, and all that goes by them: they are
  /// shown as before, and the next save makes them so again.
  private mutating func keepMovedRows() {
    var kept: Set<DraftKey> = []
    var left: [(position: Int, effect: OwnEffect)] = []
    var isUndone: [DraftKey: Bool] = [:]
    for (position, effect) in save.effects.all.enumerated()
    where effect.taken == nil && save.rows[effect.key] == nil {
      let isCauseUndone = isUndone[effect.cause] ?? history.canUndo(effect, upTo: save.lastEdit)
      isUndone[effect.cause] = isCauseUndone
      if !isCauseUndone { left.append((position, effect)) }
    }
    // Each comes after those that it refers to.
    for (position, effect) in left where effect.after == nil {
      let isMoved = self[effect.key].map(effect.isMovedAway) == true
      guard isMoved || effect.parents.allSatisfy(kept.contains) else { continue }
      kept.insert(effect.key)
      save.effects.keep(at: position, as: nextOrder())
    }
    // Rows that refer to others are changed after these are there.
    for (position, effect) in left where effect.after != nil && effect.parents.allSatisfy(kept.contains) {
      save.effects.keep(at: position, as: nextOrder())
    }
  }

  /// Has an effect be taken back by the next save.
  private mutating func keep(_ effect: OwnEffect, as order: UInt64) {
    let pending = self[effect.key]
    var row: PendingRow
    // Its edits are undone by their values, so that what is kept stays.
    history.noteEffect(effect.key, upTo: serial, from: effect.found, left: effect.after)
    if let after = effect.after {
      row = pending ?? PendingRow(base: effect.found, original: effect.found)
      row.adopt(effect.changes)
      row.mine.merge(effect.changes.mapValues(\.before)) { mine, _ in mine }
      // The commit may not name the column.
      row.rebase((row.base ?? [:]).merging(after) { $1 })
    } else {
      // A row that is to be deleted is gone already.
      if pending?.isDeleted == true { return store(nil, effect.key) }
      row = (pending ?? PendingRow(base: nil)).asNew(over: effect.found)
    }
    row.order = order
    store(row, effect.key)
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
