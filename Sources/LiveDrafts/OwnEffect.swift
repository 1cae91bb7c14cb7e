import LiveStore

/// A row that the save under way deletes, or changes, by a foreign key as it deletes another one.
struct OwnEffect: Sendable {
  var key: DraftKey
  /// The row with which it goes.
  var cause: DraftKey
  /// The row as undo is to bring it back: with what was pending of it, where that went with it.
  var before: StoredRow
  /// The row with what was set; nil where it was deleted.
  var after: StoredRow?
  /// Whether the save wrote the row as well.
  var isTaken = false

  /// The columns that were set.
  var changes: [String: OwnChange] { after.map { OwnChange.between(before, $0) { _ in true } } ?? [:] }

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

extension DraftLayer {
  /// Notes what the save that is under way does to rows that it was not told to change.
  mutating func noteEffects(_ effects: [DraftEffect], of changes: [DraftChange]) {
    self.effects = effects.map { effect in
      let cause = changes[effect.cause]
      let key = DraftKey(effect.table, effect.id)
      return OwnEffect(
        key: key, cause: DraftKey(cause.table, cause.id), before: effect.before, after: effect.after,
        isTaken: saving[key] != nil)
    }
  }

  /// Learns of the effects in a table, as the commit of the save comes round: what is pending of rows that it has not written goes
  /// with rows that are gone, and stands on what was set of the others.
  /// - Returns: The rows of which nothing is pending any more.
  mutating func takeEffects(in table: String) -> [DraftKey] {
    var gone: [DraftKey] = []
    for position in effects.indices where effects[position].key.table == table && !effects[position].isTaken {
      let key = effects[position].key
      guard var pending = self[key] else { continue }
      if effects[position].after == nil {
        fold(pending, into: position, after: history.savedSerial(key))
        store(nil, key)
        gone.append(key)
      } else {
        let own = effects[position].changes
        pending.adopt(own)
        store(pending, key)
        history.adopt(key, own)
      }
    }
    return gone
  }

  /// Has what is pending of a row go with it: it comes back with the row.
  mutating func fold(_ pending: PendingRow, into position: Int, after serial: UInt64) {
    if !pending.isDeleted { effects[position].before.merge(pending.mine) { $1 } }
    history.removeSteps(effects[position].key, after: serial)
  }

  /// The position of the effect that has deleted a row.
  func deletion(of key: DraftKey) -> Int? { effects.lastIndex { $0.key == key && $0.after == nil } }

  /// Makes the effects part of the deletions that led to them, so that they are undone together.
  /// - Returns: What lists are to learn: where a deletion was undone while it was being saved, its effects are taken back at once.
  mutating func recordEffects() -> [RowEffect] {
    let effects = effects
    self.effects = []
    return effects.compactMap { effect -> RowEffect? in
      if history.record(effect, upTo: savingSerial) { return nil }
      guard let path = history.undone(effect, after: savingSerial) else { return nil }
      let before = self[effect.key]
      guard var row = effect.takenBack(over: before), row != before else { return nil }
      (row.serial, row.order) = (serial, nextOrder())
      let shown = replace(effect.key, by: row, base: effect.after)
      history.add(
        HistoryStep(key: effect.key, before: before, after: row, base: effect.after), at: path)
      return shown
    }
  }
}

extension DraftHistory {
  /// The path to a step among those that can be undone, or redone.
  struct StepPath {
    var stack: WritableKeyPath<DraftHistory, [HistoryGroup]>
    var group: Int
    var step: Int
  }

  /// The last deletion of a row.
  private mutating func deletion(of key: DraftKey) -> StepPath? {
    var last: (serial: UInt64, path: StepPath, isDeletion: Bool)?
    for stack in [\Self.undo, \Self.redo] {
      for group in self[keyPath: stack].indices.reversed() {
        guard let step = self[keyPath: stack][group].position(of: key) else { continue }
        let (serial, found) = (self[keyPath: stack][group].serial, self[keyPath: stack][group].steps[step])
        if serial < last?.serial ?? 0 { break }
        last = (serial, StepPath(stack: stack, group: group, step: step), found.isDeletion)
        break
      }
    }
    return last.flatMap { $0.isDeletion ? $0.path : nil }
  }

  /// Whether an effect of a save on a row that it wrote is to be undone after the row's last edit, with the deletion that led to it.
  mutating func isUndoneLater(_ effect: OwnEffect, upTo serial: UInt64) -> Bool {
    guard let path = deletion(of: effect.cause) else { return undone(effect, after: serial) != nil }
    let deletion = self[keyPath: path.stack][path.group].serial
    for stack in [\Self.undo, \Self.redo] {
      for group in self[keyPath: stack].indices.reversed() {
        let number = self[keyPath: stack][group].serial
        if number > serial { continue }
        if number < deletion { break }
        guard let step = self[keyPath: stack][group].position(of: effect.key) else { continue }
        if self[keyPath: stack][group].steps[step].hasSet(effect) { return false }
      }
    }
    return true
  }

  /// Makes an effect part of the deletion that led to it.
  /// - Returns: false where that can no longer be taken back.
  mutating func record(_ effect: OwnEffect, upTo serial: UInt64) -> Bool {
    guard let path = deletion(of: effect.cause) else { return false }
    // The row's own last edit leads to what the save has left of it.
    if effect.isTaken, !isUndoneLater(effect, upTo: serial) { return true }
    let isSaved = self[keyPath: path.stack][path.group].serial <= serial
    if let own = self[keyPath: path.stack][path.group].position(of: effect.key) {
      self[keyPath: path.stack][path.group].steps[own].join(effect, isSaved: isSaved && effect.isTaken)
      return true
    }
    let step: HistoryStep
    if isSaved {
      let after =
        effect.after == nil
        ? PendingRow(base: effect.before, original: effect.before, isDeleted: true)
        : PendingRow(base: effect.before, original: effect.before, mine: effect.changes.mapValues(\.after))
      step = HistoryStep(key: effect.key, after: after, base: effect.before, isEffect: true)
    } else {
      step = HistoryStep(key: effect.key, before: effect.takenBack(over: nil), base: effect.after)
    }
    // Steps are taken back last first: the row comes back after the one that it refers to.
    self[keyPath: path.stack][path.group].insert(step, at: path.step)
    trim()
    return true
  }

  /// The path to an undone deletion among what can be redone.
  func undone(_ effect: OwnEffect, after serial: UInt64) -> StepPath? {
    for group in redo.indices.reversed() where redo[group].serial > serial {
      guard let step = redo[group].steps.firstIndex(where: { $0.key == effect.cause }) else { continue }
      let found = redo[group].steps[step]
      guard found.shownBefore == nil, found.shownAfter != nil else { return nil }
      return StepPath(stack: \.redo, group: group, step: step)
    }
    return nil
  }

  /// Adds what was taken back of an effect to the undone deletion.
  mutating func add(_ step: HistoryStep, at path: StepPath) {
    guard self[keyPath: path.stack][path.group].position(of: step.key) == nil else { return }
    // What was undone first is redone last: the row goes before the one that it refers to.
    self[keyPath: path.stack][path.group].insert(step, at: path.step + 1)
  }
}

extension HistoryStep {
  fileprivate var isDeletion: Bool { shownAfter == nil && shownBefore != nil }

  /// Whether the step has set what an effect changes.
  fileprivate func hasSet(_ effect: OwnEffect) -> Bool {
    guard effect.after != nil, let former = shownBefore, let later = shownAfter else { return true }
    return effect.changes.keys.contains { !PendingRow.isAlike(former[$0], later[$0]) }
  }

  /// Has also done what an effect did, of a row of which it has set something else.
  /// - Parameter isSaved: Whether it was saved; otherwise it is to lead back to a row that is pending, as it takes the effect back.
  fileprivate mutating func join(_ effect: OwnEffect, isSaved: Bool) {
    if effect.after == nil { return }
    if isSaved {
      for (column, change) in effect.changes { after?.show(change.after, column) }
    } else if before?.kind != .insert {
      before = effect.takenBack(over: before)
    }
  }
}
