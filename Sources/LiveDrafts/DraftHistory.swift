import LiveDraftStore
import LiveStore

/// The edits that can be undone and redone.
struct DraftHistory: Sendable {
  /// The most groups that are kept, and the most rows in them.
  var groupLimit = 100
  var rowLimit = 20_000

  var undo: [HistoryGroup] = []
  var redo: [HistoryGroup] = []
  /// The edits that are taken back where their own save fails, also where they can no longer be undone.
  private(set) var held: Set<UInt64> = []
  /// Those of them that can no longer be undone, the oldest first.
  var withheld: [HistoryGroup] = []
  /// Rows of the edits that are held which went along with others before they were saved.
  var lost: [UInt64: DraftKey] = [:]
  /// The steps of redo that the last edit has ended: they come back if that edit fails and is withdrawn.
  private var forgotten: (serial: UInt64, redo: [HistoryGroup])?
  /// The rows that were saved, or that a foreign key has changed in a save, and those of which edits were undone.
  private var saved: [DraftKey: SavedRow] = [:]
  /// The rows of which something was left to others since a save has taken them.
  private var conceded: Set<DraftKey> = []
  /// How many of those that were saved were left when those were last forgotten that no group needs.
  private var savedAfterTrim = 0
  /// How many steps were removed since then.
  private var removedSinceTrim = 0
  /// How many entries of it were looked at so far, for tests.
  private(set) var examined = 0

  /// The group that is undone, or redone, next.
  func last(_ direction: DraftDirection) -> HistoryGroup? { self[keyPath: direction.stack].last }

  /// Has a group to be undone, or redone, next.
  mutating func push(_ group: HistoryGroup, to direction: DraftDirection) {
    self[keyPath: direction.stack].append(group)
    if direction == .undo { trim() }
  }

  mutating func removeLast(_ direction: DraftDirection) { self[keyPath: direction.stack].removeLast() }

  /// Forgets what can be redone, as an edit was made.
  mutating func forgetRedo(for serial: UInt64) {
    forgotten = redo.isEmpty ? nil : (serial, redo)
    redo = []
  }

  /// Has again what could be redone before an edit that was the last one.
  mutating func restoreRedo(forgottenFor serial: UInt64) {
    guard let forgotten, forgotten.serial == serial else { return }
    redo = forgotten.redo
    self.forgotten = nil
  }

  /// Adds a step that does nothing, as what it would have discarded is being saved.
  mutating func pushEmpty(named name: String, serial: UInt64) {
    forgetRedo(for: serial)
    push(HistoryGroup(name: name, serial: serial, steps: []), to: .undo)
  }

  /// Keeps what an edit has done until it is released, as it is taken back where its save fails.
  mutating func hold(edit: UInt64) { held.insert(edit) }

  mutating func hold(edits: Set<UInt64>) { held.formUnion(edits) }

  /// Ends ``hold(edit:)``.
  mutating func release(edit: UInt64) {
    held.remove(edit)
    lost[edit] = nil
    withheld.removeAll { $0.edit == edit }
  }

  /// The group of an edit, unless it was undone.
  func group(of edit: UInt64) -> HistoryGroup? {
    undo.last { $0.edit == edit } ?? withheld.last { $0.edit == edit }
  }

  /// Forgets an edit that has failed, and how it is redone.
  /// - Parameter saved: The rows of which it stays.
  mutating func remove(edit: UInt64, except saved: Set<DraftKey> = []) {
    for groups in [\Self.undo, \Self.redo, \Self.withheld] {
      for position in self[keyPath: groups].indices.reversed()
      where self[keyPath: groups][position].edit == edit {
        // The effects of their saves on other rows stay, too.
        self[keyPath: groups][position].withdraw(except: saved)
        if self[keyPath: groups][position].steps.isEmpty { self[keyPath: groups].remove(at: position) }
      }
    }
  }

  /// Forgets the edits up to a number.
  mutating func forget(upTo serial: UInt64) {
    withheld += undo.filter { $0.serial <= serial && held.contains($0.edit) }
    undo.removeAll { $0.serial <= serial }
    redo.removeAll { $0.serial <= serial }
    forgotten = nil
  }

  mutating func forget() {
    forget(upTo: .max)
    (saved, conceded) = ([:], [])
    savedAfterTrim = 0
  }

  /// Whether an edit of a row is undone by its values, as a save has taken it or a foreign key has changed the row since.
  func isSaved(_ key: DraftKey, _ serial: UInt64) -> Bool {
    saved[key].map { $0.byValues >= serial } ?? false
  }

  /// A row as the last save has left it; nil where it removed the row or is not known any more.
  func left(_ key: DraftKey) -> StoredRow? { saved[key]?.left }

  /// Notes that a row was saved.
  /// - Parameters:
  ///   - serial: The last edit that the save has taken.
  ///   - outcome: What the save has made of the row.
  mutating func noteSaved(_ key: DraftKey, upTo serial: UInt64, _ outcome: SaveOutcome) {
    let row = saved[key] ?? SavedRow()
    let former = row.taken
    if former < serial {
      if outcome.taken.isDeleted, outcome.left == nil {
        if let last = row.left, let found = outcome.taken.base {
          takeOver(key, OwnChange.between(last, found) { _ in true }, upTo: former)
        }
        if !row.found.isEmpty { forgetEarlierEffects(onDeleted: key) }
      }
      takeSteps(key, after: former, upTo: serial, on: outcome.taken.base)
      leadBack(key, upTo: former, outcome)
      correctSteps(key, in: former + 1...serial, outcome)
    }
    saved[key] = SavedRow(
      taken: serial, byValues: max(serial, row.byValues), idle: row.idle, left: outcome.left)
    var own = outcome.own
    for column in recordedLater(outcome, upTo: serial).columns { own[column] = nil }
    replaceInSteps(key, upTo: serial, own)
    trimSavedIfMany()
  }

  /// Notes that nothing is pending of a row, of which edits can be undone or redone: what saves make of it from now on is no conflict with
  /// these.
  /// - Parameters:
  ///   - row: The row of the store.
  ///   - serial: The last edit.
  mutating func noteIdle(_ key: DraftKey, _ row: StoredRow, after serial: UInt64) {
    if let known = saved[key], known.byValues > 0 {
      saved[key]?.idle = serial
    } else {
      saved[key] = SavedRow(idle: serial, left: row)
    }
    trimSavedIfMany()
  }

  /// Rarely, so that it costs each row as much as noting it, however many there are.
  private mutating func trimSavedIfMany() {
    if saved.count >= 2 * savedAfterTrim + 64 { trimSaved() }
  }

  /// Whether any row is known that was saved, or is not pending, and of which an edit can be undone.
  var hasKnownRows: Bool { !saved.isEmpty }

  /// Whether a row is so.
  func knows(_ key: DraftKey) -> Bool { saved[key] != nil }

  /// Whether any row of a table is so.
  /// - Complexity: O(*k*) for *k* saved rows of other tables.
  func hasKnownRows(in table: String) -> Bool { saved.keys.contains { $0.table == table } }

  /// Notes how others have left a row that was saved.
  /// - Parameter row: The row's values that are known of the commit; nil where they have removed it.
  mutating func noteOthers(_ key: DraftKey, _ row: StoredRow?) { saved[key]?.noteOthers(row) }

  /// Notes that others may have changed any row of a table.
  mutating func noteOthers(in table: String) {
    for key in saved.keys where key.table == table { saved[key]?.noteOthers(nil) }
  }

  /// Has the edits of a row that was saved stand on what a later save has made of it without being told to, as by a trigger.
  /// - Parameters:
  ///   - row: The row's values that are known of the commit.
  ///   - isChanged: Whether the commit may have changed a column.
  /// - Returns: What it has made of the row.
  @discardableResult
  mutating func noteOwn(
    _ key: DraftKey, _ row: StoredRow, _ isChanged: (String) -> Bool
  ) -> [String: OwnChange] {
    guard let former = saved[key] else { return [:] }
    let own = former.own(row, isChanged)
    if own.isEmpty { return [:] }
    replaceInSteps(key, upTo: former.byValues, own)
    adopt(key, own)
    saved[key]?.left?.merge(own.mapValues(\.after)) { $1 }
    return own
  }

  /// Forgets saved rows that were saved before all that can be undone or redone.
  private mutating func trimSaved() {
    examined += saved.count
    let oldest = ((forgotten?.redo ?? []) + redo).map(\.serial).min() ?? .max
    saved = saved.filter { $0.value.lastEdit >= min(oldest, undo.first?.serial ?? .max) }
    if !conceded.isEmpty { conceded.formIntersection((undo + redo).flatMap { $0.steps.map(\.key) }) }
    savedAfterTrim = saved.count
    removedSinceTrim = 0
  }

  /// Notes that a row was changed, or went along, as a save deleted another one: with that it comes back by its values, and its earlier
  /// steps are undone by theirs.
  /// - Parameters:
  ///   - serial: The last edit that is undone after the deletion.
  ///   - former: The row as it was right before.
  ///   - left: The row as the save has left it; nil where it is gone.
  ///   - isPending: Whether edits of it stay pending, which are still to be saved.
  mutating func noteEffect(
    _ key: DraftKey, upTo serial: UInt64, from former: StoredRow, left: StoredRow?, isPending: Bool = false
  ) {
    var row = saved[key] ?? SavedRow()
    if left == nil, let last = row.left { takeOver(key, OwnChange.between(last, former) { _ in true }) }
    var isEdited = row.byValues > 0
    changeSteps(key, after: row.byValues, upTo: serial) { step in
      step.stand(on: former)
      isEdited = true
    }
    if !isEdited { return }
    row.byValues = max(row.byValues, serial)
    row.left = left
    if isPending, let left {
      row.found.merge(OwnChange.between(former, left) { _ in true }.mapValues(\.before)) { first, _ in first }
    } else {
      (row.taken, row.found) = (row.byValues, [:])
    }
    saved[key] = row
  }

  /// Leaves to others what they have done of a row as well, in the steps that were not saved.
  /// - Parameter last: The last edit that is concerned.
  mutating func concede(_ key: DraftKey, _ conceded: Concession, upTo last: UInt64 = .max) {
    self.conceded.insert(key)
    changeSteps(key, after: savedSerial(key), upTo: last) { $0.concede(conceded) }
  }

  /// The last edit of a row that a save has taken; 0 where none has.
  func savedSerial(_ key: DraftKey) -> UInt64 { saved[key]?.taken ?? 0 }

  /// A row as a save has found it, as far as its edits with a number are concerned.
  func found(_ key: DraftKey, by edit: UInt64, _ stored: StoredRow?) -> StoredRow? {
    saved[key]?.found(by: edit, stored) ?? stored
  }

  /// Has the steps of a row that were saved lead to what a save has made of other columns.
  private mutating func replaceInSteps(_ key: DraftKey, upTo serial: UInt64, _ own: [String: OwnChange]) {
    if own.isEmpty || serial == 0 { return }
    for groups in DraftDirection.allCases.map(\.stack) {
      // A deletion that the next step has taken back was none to the save.
      var unset: Set<String> = []
      Self.correctSteps(key, in: &self[keyPath: groups], 1...serial) { step in
        let next = step.columnsUnsetAfterDeletion(among: own.keys)
        step.replace(own, beforeDeletion: unset)
        unset = next
        return true
      }
    }
  }

  /// Has the steps of a row that were not saved stand on what a save has changed of it without being told to.
  /// - Parameter serial: The last edit that is not concerned.
  mutating func adopt(_ key: DraftKey, _ own: [String: OwnChange], after serial: UInt64 = 0) {
    if !own.isEmpty { changeSteps(key, after: max(serial, savedSerial(key))) { $0.adopt(own) } }
  }

  /// Has the steps that a save has taken lead to what it has left.
  private mutating func correctSteps(
    _ key: DraftKey, in serials: ClosedRange<UInt64>, _ outcome: SaveOutcome
  ) {
    let later = recordedLater(outcome, upTo: serials.upperBound)
    if outcome.written != .all {
      dropSteps(key, in: serials, outcome)
    } else if outcome.left == nil, !outcome.taken.isDeleted, !later.isDeletion {
      // Another deletion of the save has taken the row along.
      Self.correctSteps(key, in: &undo, serials) { step in
        step.removeRow()
        return false
      }
    }
    var changed = outcome.changed
    for column in later.columns { changed[column] = nil }
    if changed.isEmpty { return }
    for groups in DraftDirection.allCases.map(\.stack) {
      var columns = changed
      // Also edits of earlier saves, where later ones were undone and have led back to them.
      Self.correctSteps(key, in: &self[keyPath: groups], 1...serials.upperBound) { step in
        step.change(&columns)
        return !columns.isEmpty
      }
    }
  }

  /// Takes out of the steps of a row what a save has not written of what was pending.
  private mutating func dropSteps(
    _ key: DraftKey, in serials: ClosedRange<UInt64>, _ outcome: SaveOutcome
  ) {
    Self.correctSteps(key, in: &undo, serials) { step in
      // Only the deletion was not written, and what it stood on: edits before that had been undone and redone, or discarded.
      let isFirst = outcome.taken.isDeleted && step.before == nil
      step.drop(outcome.written)
      return !isFirst
    }
    func drop(_ groups: inout [HistoryGroup]) {
      Self.correctSteps(key, in: &groups, serials) { step in
        step.drop(outcome.written)
        return true
      }
    }
    drop(&redo)
    if forgotten != nil { drop(&forgotten!.redo) }
  }

  /// The part of what foreign keys have made of a row that its steps are still to be corrected by, or that joins a deletion.
  private mutating func recordedLater(
    _ outcome: SaveOutcome, upTo serial: UInt64
  ) -> (columns: [String], isDeletion: Bool) {
    let effects = outcome.effects.filter { isRecordedLater($0, upTo: serial) }
    return (effects.flatMap(\.changes.keys), effects.contains { $0.after == nil })
  }

  /// Changes the steps of a row in the groups with certain numbers, the last first.
  /// - Parameter change: Returns whether to go on.
  private static func correctSteps(
    _ key: DraftKey, in groups: inout [HistoryGroup], _ serials: ClosedRange<UInt64>,
    _ change: (inout HistoryStep) -> Bool
  ) {
    for position in groups.indices.reversed() {
      if groups[position].serial < serials.lowerBound { return }
      guard groups[position].serial <= serials.upperBound, let step = groups[position].position(of: key)
      else {
        continue
      }
      if !change(&groups[position].steps[step]) { return }
    }
  }

  /// The rows of a group of edits, unless it was undone.
  func keys(of edit: UInt64) -> [DraftKey] { group(of: edit)?.steps.map(\.key) ?? [] }

  /// Those of them that a save has taken since.
  func savedKeys(of edit: UInt64) -> Set<DraftKey> {
    guard let serial = group(of: edit)?.serial else { return [] }
    return Set(keys(of: edit).filter { savedSerial($0) >= serial })
  }

  /// Whether a row was edited after a group of edits or, of those that can be redone, undone after it.
  mutating func hasSteps(_ key: DraftKey, in direction: DraftDirection = .undo, after serial: UInt64) -> Bool
  {
    let groups = direction.stack
    for group in self[keyPath: groups].indices.reversed() {
      guard self[keyPath: groups][group].serial > serial else { return false }
      if self[keyPath: groups][group].position(of: key) != nil { return true }
    }
    return false
  }

  /// Takes an edit's columns out of the later steps of its row: what these have set stays.
  mutating func withdraw(
    _ columns: Set<String>, of step: HistoryStep, serial: UInt64, base: StoredRow?
  ) {
    changeSteps(step.key, after: serial) { $0.withdraw(columns, of: step, base: base) }
  }

  // MARK: Effects of saves on other rows

  /// Forgets the steps of rows that are younger than an edit, and edits of which nothing is left. What saves have done to the rows stays with
  /// the deletions that led to it, and is undone with these.
  /// - Parameter serials: The rows, with the last edit of each that stays.
  mutating func removeSteps(after serials: [DraftKey: UInt64]) {
    guard let oldest = serials.values.min() else { return }
    for direction in DraftDirection.allCases {
      let groups = direction.stack
      for position in self[keyPath: groups].indices.reversed() {
        let serial = self[keyPath: groups][position].serial
        guard serial > oldest else { break }
        var removed: Set<DraftKey> = []
        for (key, last) in serials where last < serial {
          guard let step = self[keyPath: groups][position].position(of: key) else { continue }
          if direction == .redo || !self[keyPath: groups][position].steps[step].isEffect {
            removed.insert(key)
          }
        }
        if removed.isEmpty { continue }
        self[keyPath: groups][position].remove(removed)
        if self[keyPath: groups][position].steps.isEmpty { self[keyPath: groups].remove(at: position) }
      }
    }
  }

  /// Takes back what was left to others of a step that is withdrawn.
  mutating func withdrawConceded(of step: HistoryStep, serial: UInt64) {
    let columns = step.columnsSet
    changeSteps(step.key, after: savedSerial(step.key)) { $0.withdrawConceded(of: serial, columns) }
  }

  /// Takes back that an edit was left to others, as it was undone, from the steps before it: a save can still take these.
  mutating func forgetConceded(_ key: DraftKey, of serial: UInt64) {
    changeSteps(key, after: savedSerial(key)) { $0.forgetConceded(of: serial) }
  }

  /// Makes a step part of the row's next one.
  mutating func join(_ step: HistoryStep, serial: UInt64) {
    var isNext = true
    // From the oldest on: only the next one stood on this one.
    for position in undo.indices where undo[position].serial > serial && isNext {
      guard let next = undo[position].position(of: step.key) else { continue }
      undo[position].steps[next].before = step.before
      if step.before == nil { undo[position].steps[next].base = step.base }
      isNext = false
    }
  }

  /// Notes that a save has taken the steps of a row that none has taken before: they stand on the row as the save has found it.
  private mutating func takeSteps(
    _ key: DraftKey, after serial: UInt64, upTo last: UInt64, on stored: StoredRow?
  ) {
    let row = saved[key]
    changeGroups(after: serial, upTo: last) { group in
      // Skipping those that were saved as a whole spares each row of a save a look into each of them.
      guard !group.isWhollySaved, let step = group.position(of: key) else { return }
      group.steps[step].stand(on: row?.found(by: group.serial, stored) ?? stored)
      group.noteSaved(at: step)
    }
  }

  /// Has the steps that a save takes not set columns which others have set as well since: they are theirs, and not saved.
  /// - Parameter serial: The last edit that the save takes.
  mutating func dropConceded(_ key: DraftKey, _ taken: PendingRow, upTo serial: UInt64) {
    let former = savedSerial(key)
    guard conceded.remove(key) != nil, taken.kind != .insert, former < serial else { return }
    var next = taken.mine
    var conceded: StoredRow = [:]
    Self.correctSteps(key, in: &undo, former + 1...serial) { step in
      if step.isEffect { return true }
      step.dropConceded(&conceded, before: next)
      next = step.before?.mine ?? [:]
      return true
    }
  }

  /// Has the steps of earlier saves lead back to what others had left, where undo had led to the state that a save has written over it.
  private mutating func leadBack(_ key: DraftKey, upTo serial: UInt64, _ outcome: SaveOutcome) {
    guard serial > 0, var overwritten = Overwritten(by: outcome.taken, without: outcome.written) else {
      return
    }
    Self.correctSteps(key, in: &undo, 1...serial) { overwritten.lead(&$0) }
  }

  /// Changes the steps of a row in all groups that are younger than an edit.
  private mutating func changeSteps(
    _ key: DraftKey, after serial: UInt64, upTo last: UInt64 = .max, _ change: (inout HistoryStep) -> Void
  ) {
    changeGroups(after: serial, upTo: last) { group in
      if let step = group.position(of: key) { change(&group.steps[step]) }
    }
  }

  private mutating func changeGroups(
    after serial: UInt64, upTo last: UInt64, _ change: (inout HistoryGroup) -> Void
  ) {
    Self.changeGroups(in: &undo, after: serial, upTo: last, change)
    Self.changeGroups(in: &redo, after: serial, upTo: last, change)
    Self.changeGroups(in: &withheld, after: serial, upTo: last, change)
    if var groups = forgotten?.redo {
      forgotten?.redo = []
      Self.changeGroups(in: &groups, after: serial, upTo: last, change)
      forgotten?.redo = groups
    }
  }

  private static func changeGroups(
    in groups: inout [HistoryGroup], after serial: UInt64, upTo last: UInt64,
    _ change: (inout HistoryGroup) -> Void
  ) {
    for position in groups.indices.reversed() {
      guard groups[position].serial > serial else { return }
      if groups[position].serial <= last { change(&groups[position]) }
    }
  }

  mutating func trim() {
    var rows = 0
    // In place: a copy of each group would cost more than the edit.
    for group in undo.indices { rows += undo[group].steps.count }
    // The newest group stays, however large it is.
    var removed = 0
    while undo.count > 1, undo.count > groupLimit || rows > rowLimit {
      let group = undo.removeFirst()
      rows -= group.steps.count
      removed += group.steps.count
      if held.contains(group.edit) { withheld.append(group) }
    }
    // As seldom as many have gone.
    removedSinceTrim += removed
    if removed > 0, removedSinceTrim >= saved.count / 2 { trimSaved() }
  }
}
