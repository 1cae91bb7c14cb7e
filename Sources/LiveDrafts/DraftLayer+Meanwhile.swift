import LiveDraftStore
import LiveStore

// Steps that are made while a save is under way.
//
// Lists have it at once, over the rows as the save is to leave them. What foreign keys and triggers do, and what is left to others, is not
// known then. So the layer as it was before goes on beside this one, and follows the commit; once that is known, all that was done
// since is done again to it, and it takes this one's place.
extension DraftLayer {
  /// Keeps the layer as it is before a step that concerns what is being saved.
  /// - Parameters:
  ///   - keys: The rows that the step is about.
  ///   - isTakingBack: Whether it takes back what was done: nobody knows whether that goes along with what the save deletes, and then it is
  ///     not there to be taken back.
  /// - Returns: Whether the step is to be noted, as it is done again.
  mutating func isMeanwhile(_ keys: some Sequence<DraftKey>, isTakingBack: Bool = false) -> Bool {
    guard save.isOpen else { return false }
    if save.settled.isEmpty {
      guard isTakingBack && save.deletes || keys.contains(where: save.concerns) else { return false }
      save.settled = [self]
    }
    return true
  }

  /// Notes a step, with the number that it has.
  mutating func note(_ kind: MeanwhileStep.Kind, _ bases: [DraftKey: StoredRow] = [:]) {
    save.steps.append(MeanwhileStep(kind: kind, serial: serial, bases: bases))
  }

  /// Does again to the layer beside this one what was undone or redone before the commit came round, and concerns no row that the save has
  /// taken: it comes before what foreign keys have done.
  mutating func repeatEarlySteps() {
    while let step = save.steps.first, case .restore(let direction, let edit) = step.kind,
      let group = save.settled.first?.history.last(direction), group.edit == edit,
      !group.steps.contains(where: { save.rows[$0.key] != nil })
    {
      save.steps.removeFirst()
      var bases = storedRows(group.steps.map(\.key), in: step, beside: save.settled[0].history)
      for key in group.steps.map(\.key) {
        if let effect = save.effects[key].first { bases[key] = effect.found }
      }
      save.settled[0].serial = max(save.settled[0].serial, step.serial - 1)
      _ = save.settled[0].restore(group, direction, bases: bases)
    }
  }

  /// Forgets what can be undone and redone.
  mutating func forgetHistory() {
    if isMeanwhile(save.rows.keys) { note(.forget) }
    history.forget()
  }

  /// Takes the place of the layer in which all was done over what the save was to leave.
  mutating func settle() -> [RowEffect] {
    guard var next = save.settled.popLast() else { return [] }
    next.history.hold(edits: history.held)
    for step in save.steps { next.repeat(step, beside: self) }
    let former = self
    self = next
    continueNumbers(of: former)
    return effects(since: former) { key in former.storedRow(key, left: history.left(key)) }
  }

  /// A row as the store has it, as far as is known when all of the save is; nil where it has none.
  /// - Parameters:
  ///   - step: The step that is done again with it.
  ///   - left: The row as the save has left it, where nothing else is known.
  private func storedRow(_ key: DraftKey, in step: MeanwhileStep? = nil, left: StoredRow?) -> StoredRow? {
    if let stored = save.stored[key] { return stored }
    if save.rows[key] == nil, let effect = save.effects[key].last {
      // The save itself may have written the row after that.
      return effect.taken == nil ? effect.after : left
    }
    if let theirs = save.theirs[key] { return theirs }
    if let row = save.rows[key] ?? self[key] { return row.base }
    return step?.bases[key] ?? left
  }

  /// The rows as the store has them, for a step that is done again.
  private func storedRows(
    _ keys: some Sequence<DraftKey>, in step: MeanwhileStep, beside history: DraftHistory
  ) -> [DraftKey: StoredRow] {
    var rows: [DraftKey: StoredRow] = [:]
    for key in keys { rows[key] = storedRow(key, in: step, left: history.left(key)) }
    return rows
  }

  private mutating func `repeat`(_ step: MeanwhileStep, beside former: DraftLayer) {
    serial = max(serial, step.serial - 1)
    func bases(_ keys: some Sequence<DraftKey>) -> [DraftKey: StoredRow] {
      former.storedRows(keys, in: step, beside: history)
    }
    switch step.kind {
    case .edit(let edits, let name, let sights):
      let seen = sights.reduce(into: [:]) { $0[$1.key] = former.sight($1.value, of: $1.key, after: history) }
      // Others have written these rows after the edit.
      let found = step.bases.filter { key, _ in
        former.save.theirs[key] != nil && former.save.effects[key].isEmpty
      }
      repeatEdits(
        edits, named: name, bases: bases(edits.map(\.key)).merging(found) { $1 }, sights: seen,
        number: step.serial)
      for key in found.keys {
        if let theirs = former.save.theirs[key] { _ = follow(key, theirs, isOwn: false) }
      }
    case .restore(let direction, let edit):
      guard let group = history.last(direction), group.edit == edit else { return }
      _ = restore(direction, bases: bases(group.steps.map(\.key)))
    case .discard(let keys, let name): _ = discard(keys ?? inOrder { _ in true }.map(\.key), named: name)
    case .forget: history.forget()
    }
  }

  /// Makes edits again, but for those of rows that are gone: the save has taken them along.
  private mutating func repeatEdits(
    _ edits: [(key: DraftKey, edit: RowEdit)], named name: String, bases: [DraftKey: StoredRow],
    sights: [DraftKey: DraftSight], number: UInt64
  ) {
    var edits = edits
    while !edits.isEmpty {
      do {
        _ = try apply(edits, named: name, bases: bases, sights: sights, isRepeated: true)
        return
      } catch {
        let isRefused = { (key: DraftKey) in key.table == error.table && key.id.keyDescription == error.id }
        if history.held.contains(number) { history.lost[number] = edits.map(\.key).first(where: isRefused) }
        edits.removeAll { isRefused($0.key) }
      }
    }
  }

  /// A row as an edit has seen it: what the save was to write, or leave as it was, counts as what it has made of that.
  private func sight(_ sight: DraftSight, of key: DraftKey, after history: DraftHistory) -> DraftSight {
    guard var shown = sight.shown else { return sight }
    // A save that others were ahead of, with the same values, has left nothing of its own.
    guard let taken = save.rows[key], history.savedSerial(key) >= save.lastEdit, let left = history.left(key)
    else {
      var sight = sight
      for effect in save.effects[key] { sight.follow(effect.changes) }
      if let adopted = save.adopted[key] { sight.follow(adopted) }
      return sight
    }
    // The values of others count there, with which the edit is in conflict.
    let dropped = SaveOutcome(taken: taken, written: save.expected(of: taken)).dropped
    for (column, value) in shown where !dropped.contains(column) {
      guard PendingRow.isAlike(value, taken.mine[column] ?? taken.base?[column]), let later = left[column]
      else { continue }
      shown[column] = later
    }
    return DraftSight(shown: shown, stored: shown)
  }
}
