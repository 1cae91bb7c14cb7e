import LiveDraftStore
import LiveStore

/// The changes of a draft as a value: which rows are pending, and what edits, undo, commits and saves do to them.
///
/// No store, lock or list is known here. Rows that an edit concerns and that are not pending yet are given by the caller.
struct DraftLayer: Sendable {
  /// The rows of each table that has any.
  private(set) var tables: [String: [FetchValue: PendingRow]] = [:]
  var history = DraftHistory()
  var serial: UInt64 = 0
  /// The number of the last edit of a row.
  private var order: UInt64 = 0
  /// The save that is under way, or was the last.
  var save = SaveInProgress()

  var isEmpty: Bool { tables.isEmpty }

  subscript(key: DraftKey) -> PendingRow? { tables[key.table]?[key.id] }

  mutating func store(_ row: PendingRow?, _ key: DraftKey) {
    if let row {
      tables[key.table, default: [:]][key.id] = row
    } else if tables[key.table]?.removeValue(forKey: key.id) != nil, tables[key.table]?.isEmpty == true {
      tables[key.table] = nil
    }
  }

  /// The ground of an edit of a row: what is pending, besides a save that is under way, and the store's row, as that save leaves it.
  /// - Parameter stored: The row of the store, of use where none is pending.
  private func ground(_ key: DraftKey, _ stored: StoredRow?) -> (pending: PendingRow?, base: StoredRow?) {
    guard let pending = self[key] else { return (nil, stored) }
    guard let taken = save.rows[key], !pending.isAhead else { return (pending, pending.base) }
    return (nil, taken.shown)
  }

  /// Replaces what is pending of a row, besides a save that is under way, unless nothing is left of it.
  /// - Parameter base: The row of the store, where none is pending.
  mutating func replace(_ key: DraftKey, by row: PendingRow?, base: StoredRow?) -> RowEffect {
    let before = self[key]
    let taken = save.rows[key]
    var after = row
    if after?.prune() == false { after = nil }
    after?.isAhead = taken != nil
    after = after ?? taken
    // The commit may have told already how the save has left the row, if something was done meanwhile.
    let told = save.settled.isEmpty ? nil : save.stored[key]
    let stored = told ?? before?.base ?? row?.base ?? base
    store(after, key)
    if after == nil, before != nil { noteIdle(key, stored) }
    return RowEffect(
      key: key, before: before.map(\.shown) ?? base, after: after.map(\.shown) ?? stored,
      changesConflict: (before?.isConflicting ?? false) != (after?.isConflicting ?? false),
      isStored: after == nil)
  }

  // MARK: Edits

  /// Applies the edits of a group, all or none.
  /// - Parameters:
  ///   - edits: The edits in their order.
  ///   - bases: The rows of the store, of those that are not pending.
  ///   - sights: The rows as whoever made the edits saw them.
  ///   - isRepeated: Whether the edits were made to another layer first, which shows other rows where others have taken the key of
  ///     a new row that was deleted there: to insert it again is then to be in conflict with theirs.
  /// - Returns: The effect on each row, in the order in which they were first edited.
  mutating func apply(
    _ edits: [(key: DraftKey, edit: RowEdit)], named name: String, bases: [DraftKey: StoredRow],
    sights: [DraftKey: DraftSight] = [:], isRepeated: Bool = false
  ) throws(DraftError) -> [RowEffect] {
    let isMeanwhile = isMeanwhile(edits.lazy.map(\.key))
    let seen = isMeanwhile ? self.sights(of: edits.map(\.key), bases, besides: sights) : [:]
    // Otherwise the rows would be copied as the first one is added.
    let read = isMeanwhile ? bases : [:]
    var bases = bases
    var group = EffectGroup()
    // Without a copy: one to be thrown away would cost as much as all that is pending.
    var former: [(key: DraftKey, row: PendingRow?)] = []
    serial += 1
    do throws(DraftError) {
      for (key, edit) in edits {
        if let pending = self[key] { bases[key] = pending.base }
        let (before, base) = ground(key, bases[key])
        var row = try edited(key, before, base, edit, isRepeated)
        if let sight = sights[key] { row?.see(sight, besides: group.first(key, or: before)) }
        former.append((key, self[key]))
        let effect = replace(key, by: row, base: base)
        group.note(effect, before, ground(key, base).pending, base)
      }
    } catch {
      for (key, row) in former.reversed() { store(row, key) }
      serial -= 1
      throw error
    }
    // Edits that set what was there are none. The row counts as edited all the same: others may refer to it by now, and are to be written before.
    group.remove(where: \.isNoChange)
    if group.steps.isEmpty {
      serial -= 1
      return []
    }
    history.forgetRedo(for: serial)
    history.push(HistoryGroup(name: name, serial: serial, steps: group.steps), to: .undo)
    if isMeanwhile { note(.edit(edits, named: name, sights: seen), read) }
    return group.effects
  }

  /// The rows of edits as they are shown, and as the store has them, where the edits themselves have not seen them.
  private func sights(
    of keys: [DraftKey], _ bases: [DraftKey: StoredRow], besides sights: [DraftKey: DraftSight]
  ) -> [DraftKey: DraftSight] {
    var sights = sights
    for key in keys where sights[key] == nil {
      let stored = (save.rows[key] ?? self[key]).map(\.base) ?? bases[key]
      sights[key] = DraftSight(shown: self[key].map(\.shown) ?? bases[key], stored: stored)
    }
    return sights
  }

  /// The number of an edit of a row that may be pending: a new row keeps its place, so that it comes before those that refer to it.
  private mutating func order(after pending: PendingRow?) -> UInt64 {
    if let pending, pending.kind == .insert { return pending.order }
    return nextOrder()
  }

  mutating func nextOrder() -> UInt64 {
    order += 1
    return order
  }

  /// Goes on with numbers after those of another layer.
  mutating func continueNumbers(of other: DraftLayer) {
    (serial, order) = (max(serial, other.serial), max(order, other.order))
  }

  private mutating func edited(
    _ key: DraftKey, _ pending: PendingRow?, _ base: StoredRow?, _ edit: RowEdit, _ isRepeated: Bool
  ) throws(DraftError) -> PendingRow? {
    let shown = pending.map(\.shown) ?? base
    switch edit {
    case .set(let values):
      guard let shown else { throw DraftError(.rowMissing, key) }
      let different = values.filter { !PendingRow.isAlike($0.value, shown[$0.key]) }
      if different.isEmpty { return pending }
      var row = pending ?? PendingRow(base: base, original: base)
      row.set(different)
      (row.serial, row.order) = (serial, order(after: pending))
      return row
    case .insert(let values):
      guard shown == nil || isRepeated && pending == nil else { throw DraftError(.rowExists, key) }
      // A row that was to be deleted is now to have these values.
      var row = PendingRow(base: base, original: pending?.original)
      row.mine = values
      (row.serial, row.order) = (serial, nextOrder())
      return row
    case .delete:
      guard shown != nil else { return pending }
      // A new row leaves nothing behind, also where others have taken its key meanwhile: theirs was not edited.
      if pending?.kind == .insert { return nil }
      guard let base else { return nil }
      var original: StoredRow? = base
      if let pending {
        // A column that somebody else has changed stays a conflict: the editor saw the value of the edits.
        let seen = pending.original ?? pending.mine
        for column in pending.mine.keys { original?[column] = seen[column] }
      }
      return PendingRow(
        base: base, original: original, isDeleted: true, serial: serial, order: nextOrder())
    }
  }

  /// Takes pending changes back.
  /// - Parameters:
  ///   - keys: The rows. Those that are just being saved are then as the save has taken them.
  ///   - isAll: Whether these are all that are pending.
  mutating func discard(
    _ keys: some Sequence<DraftKey>, named name: String, isAll: Bool = false
  ) -> [RowEffect] {
    let isMeanwhile = isMeanwhile(keys, isTakingBack: true)
    serial += 1
    if isMeanwhile { note(.discard(isAll ? nil : Array(keys), named: name)) }
    var group = EffectGroup()
    for key in keys {
      guard let before = ground(key, nil).pending else { continue }
      let effect = replace(key, by: nil, base: before.base)
      group.note(effect, before, nil, before.base)
    }
    group.remove(where: \.isNoChange)
    guard !group.steps.isEmpty else { return [] }
    history.forgetRedo(for: serial)
    history.push(HistoryGroup(name: name, serial: serial, steps: group.steps), to: .undo)
    return group.effects
  }

  // MARK: Undo

  /// Undoes the last group of edits, or redoes the last that was undone.
  /// - Parameter bases: The rows of the store, of those that are not pending.
  mutating func restore(_ direction: DraftDirection, bases: [DraftKey: StoredRow]) -> [RowEffect] {
    guard let group = history.last(direction) else { return [] }
    let isMeanwhile = isMeanwhile(group.steps.lazy.map(\.key), isTakingBack: true)
    let effects = restore(group, direction, bases: bases)
    if isMeanwhile { note(.restore(direction, edit: group.edit), bases) }
    return effects
  }

  /// Undoes or redoes a group, the last one.
  mutating func restore(
    _ group: HistoryGroup, _ direction: DraftDirection, bases: [DraftKey: StoredRow]
  ) -> [RowEffect] {
    serial += 1
    var restored = EffectGroup()
    for step in group.steps.reversed() { restore(step, of: group, direction, bases, &restored) }
    var inverse = HistoryGroup(name: group.name, serial: serial, steps: restored.steps)
    inverse.edit = group.edit
    history.removeLast(direction)
    history.push(inverse, to: direction.opposite)
    return restored.effects
  }

  private mutating func restore(
    _ step: HistoryStep, of group: HistoryGroup, _ direction: DraftDirection, _ bases: [DraftKey: StoredRow],
    _ restored: inout EffectGroup
  ) {
    let (before, base) = ground(step.key, bases[step.key])
    var row: PendingRow?
    var step = step
    var isSaved = step.isEffect || history.isSaved(step.key, group.serial)
    let isTaken = step.isEffect || group.serial <= history.savedSerial(step.key)
    if !isTaken, group.serial <= save.lastEdit, var taken = save.rows[step.key], !taken.isInStore {
      isSaved = true
      // Where others have done the same, or theirs counts, the save is to change nothing, as far as is known.
      if let conceded = taken.concede() { step.concede(conceded) }
      step.stand(on: history.found(step.key, by: group.serial, taken.base))
      step.drop(save.expected(of: taken))
    }
    if before?.kind != .insert, step.shownBefore == nil, step.shownAfter != nil {
      if base == nil {
        history.concedeDeletion(before: step, in: direction)
      } else if direction == .undo, step.before?.base == nil {
        history.concedeEdits(before: step)
      }
    }
    if step.isEffect, step.shownAfter != nil, let before, before.isDeleted {
      // It was to be deleted when a foreign key changed it, and still is.
      row = before
    } else if step.isEffect, step.shownAfter != nil, before == nil, base == nil {
      // The row itself is gone, or comes back later.
      history.carryBack(step, in: direction)
    } else if isSaved {
      if let taken = save.rows[step.key], group.serial <= history.savedSerial(step.key),
        var overwritten = Overwritten(by: taken, without: save.expected(of: taken))
      {
        _ = overwritten.lead(&step)
      }
      // Steps are taken back last first, and saved in that order.
      let deleted =
        step.unseenBefore.isEmpty
        ? nil : history.rowDeleted(before: step, in: direction, save.rows[step.key])
      row = inverse(of: step, before, base, deleted: deleted)
      row?.order = order(after: before)
    } else {
      row = step.before
      row?.rebase(base, stood: before?.gone)
      history.forgetConceded(step.key, of: group.serial)
    }
    row?.serial = serial
    let effect = replace(step.key, by: row, base: base)
    restored.note(effect, before, ground(step.key, base).pending, base, always: true)
  }

  /// Returns the edit that has the values from before a step which has been saved since. Its original is what the step left, so
  /// that what somebody else has changed since is a conflict.
  /// - Parameter deleted: The row as it was before it was deleted, where the step that is undone next has deleted it.
  private func inverse(
    of step: HistoryStep, _ pending: PendingRow?, _ base: StoredRow?, deleted: StoredRow?
  ) -> PendingRow? {
    switch (step.shownBefore, step.shownAfter) {
    case (nil, nil): return pending
    case (nil, let left?):
      // Inserted again by undo, and not saved: where others have taken its key meanwhile, theirs was not edited.
      guard let base, pending?.kind != .insert else { return nil }
      // The editor saw pending columns as the original has them, and columns that the step did not know as the save left them.
      var original = (self.left(step.key) ?? base).merging(left) { $1 }
      // That deletion had not seen what others had changed when this step made the row again.
      for column in step.unseenBefore { original[column] = deleted?[column] ?? original[column] }
      if let pending, !pending.isDeleted {
        let seen = pending.original ?? pending.mine
        for column in pending.mine.keys { original[column] = seen[column] }
      }
      return PendingRow(base: base, original: original, isDeleted: true)
    case (let values?, nil):
      guard let pending, pending.isDeleted, let seen = pending.original else {
        return PendingRow(base: base, mine: values)
      }
      // The row was not deleted yet: it is one that is changed, and what is as the deletion saw it was not.
      let changed = values.filter { !PendingRow.isAlike($1, seen[$0]) }
      return PendingRow(base: base, original: seen, mine: changed)
    case (let values?, let left?):
      // What the save has not written needs no taking back.
      if values.allSatisfy({ PendingRow.isAlike($1, left[$0]) }) { return pending }
      // A row that is gone is taken to have stood last as the save left it.
      var row = pending ?? PendingRow(base: base, original: base ?? self.left(step.key) ?? left)
      let isDeleted = row.isDeleted
      row.isDeleted = false
      for (column, value) in values where !PendingRow.isAlike(value, left[column]) {
        // Between this step and a later one, which was undone before it, others have changed the column: theirs stays.
        if !isDeleted, let shown = row.mine[column], !PendingRow.isAlike(shown, left[column]) { continue }
        // A deletion has seen every column already.
        if !isDeleted, row.original != nil, row.mine[column] == nil {
          row.original?[column] = left[column] ?? .null
        }
        row.mine[column] = value
      }
      return row
    }
  }

  /// Returns a row as the last save has left it, or as that leaves it which is under way.
  private func left(_ key: DraftKey) -> StoredRow? {
    if let taken = save.rows[key] { return taken.shown }
    return history.left(key)
  }

  /// Takes a group of edits back as if it had not been. Of a row that was edited again, the later edits stay. Where it was undone
  /// already, it can no longer be redone.
  /// - Parameter bases: The rows of the store, of those that are not pending; nil where they are not known.
  mutating func revert(edit: UInt64, bases: [DraftKey: StoredRow]?) -> [RowEffect] {
    var group = history.group(of: edit)
    // Rows that another save has written by now stay so, and can be undone.
    let saved = history.savedKeys(of: edit)
    history.remove(edit: edit, except: saved)
    group?.remove { $1.isEffect || saved.contains($1.key) }
    guard let group else { return [] }
    let reverted = group.serial
    history.restoreRedo(forgottenFor: reverted)
    serial += 1
    return group.steps.compactMap { step in
      history.withdrawConceded(of: step, serial: reverted)
      let pending = self[step.key]
      // Where nothing is pending, the step may have set the row back to what the store has.
      let base = pending.map(\.base) ?? bases.map { $0[step.key] } ?? step.base
      let columns = step.columnsSet
      let isLast =
        pending?.serial == reverted
        || (pending == nil || columns == nil) && !history.hasSteps(step.key, after: reverted)
      if !isLast { return withdraw(step, columns, serial: reverted, pending, base) }
      var row = step.before
      row?.rebase(base, stood: pending?.gone)
      // Others may have done meanwhile what was pending before.
      if let isDeletion = row?.isDeleted, let conceded = row?.concede() {
        concede(step.key, conceded, isDeletion: isDeletion)
      }
      return replace(step.key, by: row, base: base)
    }
  }

  /// Takes a step back that is not the row's last: what later steps have set stays.
  private mutating func withdraw(
    _ step: HistoryStep, _ columns: Set<String>?, serial: UInt64, _ pending: PendingRow?, _ base: StoredRow?
  ) -> RowEffect? {
    let isNew = step.before?.kind == .insert
    guard let columns,
      pending.map({ !$0.isDeleted && ($0.original == nil) == isNew }) ?? (base != nil && !isNew)
    else {
      // Later steps stand on a row that is not there without this one: they are undone together with it.
      history.join(step, serial: serial)
      return nil
    }
    history.withdraw(columns, of: step, serial: serial, base: base)
    let row = PendingRow.withdraw(columns, of: step, from: pending, base: base)
    return replace(step.key, by: row, base: base)
  }
}

/// The effects of edits that belong together, each row once.
private struct EffectGroup {
  var effects: [RowEffect] = []
  var steps: [HistoryStep] = []
  /// The positions of many rows.
  private var positions: [DraftKey: Int] = [:]

  private func position(of key: DraftKey) -> Int? {
    if effects.count < Self.searched { return effects.firstIndex { $0.key == key } }
    return positions[key]
  }

  private static let searched = 8

  /// A row as it was pending before the group.
  /// - Parameter before: The row as it is now, where the group has not edited it so far.
  func first(_ key: DraftKey, or before: PendingRow?) -> PendingRow? {
    position(of: key).map { steps[$0].before } ?? before
  }

  mutating func note(
    _ effect: RowEffect, _ before: PendingRow?, _ after: PendingRow?, _ base: StoredRow?, always: Bool = false
  ) {
    if let position = position(of: effect.key) {
      effects[position] = effects[position].merged(with: effect)
      steps[position].after = after
      return
    }
    guard always || effect.isVisible || before != after else { return }
    effects.append(effect)
    if effects.count == Self.searched {
      for (position, effect) in effects.enumerated() { positions[effect.key] = position }
    } else if effects.count > Self.searched {
      positions[effect.key] = effects.count - 1
    }
    steps.append(HistoryStep(key: effect.key, before: before, after: after, base: base))
  }

  /// Forgets rows that are as they were.
  mutating func remove(where isNoChange: (HistoryStep) -> Bool) {
    let left = steps.indices.filter { !isNoChange(steps[$0]) }
    if left.count == steps.count { return }
    (steps, effects) = (left.map { steps[$0] }, left.map { effects[$0] })
  }
}
