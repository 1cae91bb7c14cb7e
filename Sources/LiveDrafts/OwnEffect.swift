import LiveStore

/// A row that the save under way deletes, or changes, by a foreign key as it deletes another one.
struct OwnEffect: Sendable {
  var key: DraftKey
  /// The deleted row with which it goes.
  var cause: DraftKey
  /// The rows by which it goes: that one, or others that have gone along.
  var parents: [DraftKey]
  /// The row as it was right before, in the database.
  let found: StoredRow
  /// The row as undo is to bring it back: with what was pending of it, where that went with it.
  var before: StoredRow
  /// The row with what was set; nil where it was deleted.
  var after: StoredRow?
  /// The columns that it is about, where the row's own edits have set others of those that changed: these are undone apart.
  var columns: Set<String>?
  /// The row as the save was to write it as well; nil where it had nothing to change of it.
  var taken: PendingRow?
  /// The stacks in which an edit of the row leads to the effect already.
  var corrected: Set<DraftDirection> = []
  /// Whether an edit that was made later than the other row was deleted, or with it, has set the same or made the row, and both are
  /// undone already.
  var isUndoneByEdit = false

  init(_ effect: DraftEffect, taken: PendingRow?) {
    (key, cause, parents) = (effect.key, effect.cause, effect.parents)
    (found, before, after) = (effect.before, effect.before, effect.after)
    self.taken = taken
  }

  /// The columns that were set.
  var changes: [String: OwnChange] {
    after.map { OwnChange.between(before, $0) { columns?.contains($0) ?? true } } ?? [:]
  }

  /// The effect on certain columns, and that on the others; itself where one of them would be on none.
  fileprivate func parts(_ columns: Set<String>) -> [OwnEffect] {
    let others = Set(changes.keys).subtracting(columns)
    if others.isEmpty || others.count == changes.count { return [self] }
    return [columns.intersection(changes.keys), others].map { columns in
      var part = self
      part.columns = columns
      return part
    }
  }

  /// The row as one that has to be inserted again, or changed back.
  func takenBack(over pending: PendingRow?) -> PendingRow? {
    guard let after else {
      if pending?.kind == .insert { return pending }
      return PendingRow(base: pending?.base, mine: before.merging(pending?.mine ?? [:]) { $1 })
    }
    var row = pending ?? PendingRow(base: after, original: after)
    if row.isDeleted { return row }
    row.set(changes.mapValues(\.before))
    return row
  }
}

/// The rows that the save under way deletes, or changes, by foreign keys.
struct OwnEffects: Sendable {
  private(set) var all: [OwnEffect] = []
  private var positions: [DraftKey: [Int]] = [:]
  /// The position of the first effect of each deletion; the others follow it.
  private var causes: [DraftKey: Int] = [:]

  init() {}

  init(_ effects: [OwnEffect]) {
    all = effects
    for (position, effect) in all.enumerated() {
      positions[effect.key, default: []].append(position)
      causes[effect.cause] = causes[effect.cause] ?? position
    }
  }

  /// The effects on a row.
  subscript(key: DraftKey) -> [OwnEffect] { positions[key]?.map { all[$0] } ?? [] }

  /// The effects of a deletion.
  func of(_ cause: DraftKey) -> ArraySlice<OwnEffect> {
    causes[cause].map { all[$0...].prefix { $0.cause == cause } } ?? []
  }

  /// The position of the effect that has deleted a row.
  func deletion(of key: DraftKey) -> Int? { positions[key]?.last { all[$0].after == nil } }

  /// Changes the effects on a row, one after the other.
  /// - Parameter change: Is also given all effects on the row.
  mutating func changeEach(of key: DraftKey, _ change: (inout OwnEffect, [OwnEffect]) -> Void) {
    let effects = self[key]
    for position in positions[key] ?? [] { change(&all[position], effects) }
  }

  /// Notes which effects on rows of the save were undone already.
  mutating func noteUndone(in table: String, _ isUndone: (OwnEffect) -> Bool) {
    for position in all.indices where all[position].taken != nil && all[position].key.table == table {
      all[position].isUndoneByEdit = isUndone(all[position])
    }
  }

  /// Notes that an effect is not undone with the deletion that led to it, but with an edit of its row.
  mutating func leaveToEdit(at position: Int) { all[position].corrected.insert(.undo) }

  /// Has a row come back with what was pending of it.
  /// - Parameter values: The row, or columns of it.
  mutating func keep(_ pending: PendingRow, _ values: StoredRow?, at position: Int) {
    if pending.isDeleted {
      all[position].isUndoneByEdit = true
    } else {
      all[position].before.merge(values ?? [:]) { $1 }
    }
  }
}

extension [OwnEffect] {
  /// The next of the effects on one row, of another deletion.
  func next(after effect: OwnEffect) -> OwnEffect? {
    guard let last = lastIndex(where: { $0.cause == effect.cause }) else { return nil }
    return self[(last + 1)...].first
  }
}

extension DraftLayer {
  /// Notes what the save that is under way does to rows that it was not told to change.
  mutating func noteEffects(_ effects: [DraftEffect]) {
    self.effects = OwnEffects(
      effects.flatMap { effect in
        let taken = saving[effect.key]
        let own = OwnEffect(effect, taken: taken?.isInStore == false ? taken : nil)
        return own.taken == nil ? [own] : own.parts(history.columnsSet(beside: own, upTo: savingSerial))
      })
  }

  /// Learns of the effects in a table, as the commit of the save comes round: what is pending of rows that it has not written goes
  /// with rows that are gone, and stands on what was set of the others.
  /// - Parameter isReset: Whether the commit names no rows. Otherwise what was set of them follows.
  /// - Returns: The rows of which nothing is pending any more.
  mutating func takeEffects(in table: String, isReset: Bool = false) -> [DraftKey] {
    seenTables.insert(table)
    effects.noteUndone(in: table) { history.isUndoneByEdit($0, after: savingSerial) }
    var going: [(position: Int, effect: OwnEffect, kept: PendingRow?)] = []
    for (position, effect) in effects.all.enumerated() where effect.key.table == table && effect.taken == nil
    {
      // Of rows that the save has taken the commit's event is to follow.
      guard saving[effect.key] == nil else { continue }
      guard var pending = self[effect.key] else {
        history.noteEffect(effect.key, upTo: serial, from: effect.before, left: effect.after)
        continue
      }
      if effect.after == nil, isTakenBack(effect.cause) {
        // It is there again at once, and is edited as a new row.
        if pending.isDeleted { effects.keep(pending, nil, at: position) }
        history.makeAnew(effect.key, from: effect.before)
        store(pending.isDeleted ? nil : pending.insertion, effect.key)
      } else if effect.after == nil {
        let kept = history.removeHeld(effect.key, from: pending)
        if let kept { keep(kept, with: position) }
        store(nil, effect.key)
        going.append((position, effect, kept))
      } else {
        pending.adopt(effect.changes)
        if isReset, let base = pending.base {
          pending.rebase(base.merging(effect.changes.mapValues(\.after)) { $1 })
        }
        store(pending, effect.key)
        history.adopt(effect.key, effect.changes)
        history.noteEffect(effect, upTo: savingSerial)
      }
    }
    history.moveSteps(of: going.map(\.effect), upTo: savingSerial)
    var gone: [DraftKey: UInt64] = [:]
    for (position, effect, kept) in going {
      let isLeft = history.noteEffect(effect, upTo: savingSerial)
      if kept?.isDeleted == true, isLeft { effects.leaveToEdit(at: position) }
      gone[effect.key] = history.savedSerial(effect.key)
    }
    history.removeSteps(after: gone)
    return Array(gone.keys)
  }

  /// Lets what is pending of a row come back with it.
  /// - Parameter position: The effect that has removed the row.
  mutating func keep(_ pending: PendingRow, with position: Int) {
    // Of a row that was being saved it is known what it was to be, and that is shown.
    effects.keep(pending, pending.isAhead ? pending.shown : pending.mine, at: position)
  }

  /// Corrects the edits of a row that lead to what foreign keys have made of it, as soon as the save is known to have written it. The rest of
  /// these effects waits for the others (``recordEffects()``).
  mutating func correctEdits(of key: DraftKey) {
    effects.changeEach(of: key) { effect, others in
      let corrected = history.correctEdits(by: effect, among: others, upTo: savingSerial)
      effect.corrected.formUnion(corrected)
    }
  }

  /// Whether the commit of the save has come round in all tables in which foreign keys have done something.
  var hasSeenEffects: Bool {
    !effects.all.isEmpty
      && effects.all.allSatisfy { seenTables.contains($0.key.table) && seenTables.contains($0.cause.table) }
  }

  /// Makes the effects part of the deletions that led to them, so that they are undone together.
  /// - Returns: What lists are to learn: where a deletion was undone while it was being saved, its effects are taken back at once.
  mutating func recordEffects() -> [RowEffect] {
    let effects = effects
    self.effects = OwnEffects()
    var rest = effects.all[...]
    var restored: [RowEffect] = []
    var returns: [DraftDirection: [DraftKey: ReturnPaths]] = [:]
    while let cause = rest.first?.cause {
      let group = rest.prefix { $0.cause == cause }
      rest = rest.dropFirst(group.count)
      let isUndoneForGood = isUndoneForGood(cause)
      if !isUndoneForGood,
        history.record(group, of: cause, among: effects, upTo: savingSerial, &returns)
      {
        continue
      }
      let path = history.undone(cause, after: savingSerial)
      if path == nil, !isUndoneForGood { continue }
      let steps = takeBack(group, &restored)
      guard let path else { continue }
      history.add(steps, at: path)
      for effect in group { showAgain(effect, among: effects[effect.key], with: path) }
    }
    history.trim()
    return restored
  }

  /// Whether a deletion of the save was undone since, and can no longer be redone.
  private mutating func isUndoneForGood(_ cause: DraftKey) -> Bool {
    undoneForGood.contains(cause) && self[cause]?.shown != nil
      && !history.hasDeletion(of: cause, upTo: savingSerial)
  }

  /// Whether a deletion of the save was undone since.
  private mutating func isTakenBack(_ cause: DraftKey) -> Bool {
    isUndoneForGood(cause) || history.undone(cause, after: savingSerial) != nil
  }

  /// Takes the effects of a deletion back that was undone while it was being saved.
  /// - Returns: The steps with which redo of the deletion has them again.
  private mutating func takeBack(_ group: ArraySlice<OwnEffect>, _ restored: inout [RowEffect])
    -> [HistoryStep]
  {
    var steps: [HistoryStep] = []
    for effect in group where !effect.isUndoneByEdit {
      let before = self[effect.key]
      guard var row = effect.takenBack(over: before) else { continue }
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
      steps.append(HistoryStep(key: effect.key, before: before, after: row, base: effect.after))
    }
    return steps
  }

  /// Has the steps of a row that can be redone after a deletion start from what that does to the row.
  private mutating func showAgain(
    _ effect: OwnEffect, among effects: [OwnEffect], with deletion: DraftHistory.StepPath
  ) {
    guard effect.after == nil else {
      let left = effects.next(after: effect)?.found ?? effect.after
      _ = history.carry(effect, left: left, after: savingSerial)
      return
    }
    if effect.isUndoneByEdit { return }
    _ = history.insertAgain(effect.key, after: savingSerial)
    history.removeRow(effect.key, after: deletion)
  }
}
