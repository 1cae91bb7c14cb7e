import LiveStore

/// The effect of an edit on a pending row.
struct HistoryStep: Sendable, Hashable {
  var key: DraftKey
  var before: PendingRow?
  var after: PendingRow?
  /// The row as the store had it; of use where one of the others is nil.
  var base: StoredRow?

  var shownBefore: StoredRow? { before.map(\.shown) ?? base }
  var shownAfter: StoredRow? { after.map(\.shown) ?? base }

  /// Whether the same is pending before and after, whenever it was edited.
  var isNoChange: Bool {
    var before = before
    before?.serial = after?.serial ?? 0
    before?.order = after?.order ?? 0
    return before == after
  }
}

extension HistoryStep {
  /// Stands on the row that a save has left from now on, and no longer on what the save was to leave.
  fileprivate mutating func land(_ taken: PendingRow, on saved: StoredRow?) {
    base = saved
    before = before?.landed(taken, on: saved)
    after = after?.landed(taken, on: saved)
  }
}

extension HistoryStep {
  /// The columns that the step has set; nil where it has made, removed or discarded the row.
  var columnsSet: Set<String>? {
    guard let after, after.kind == .update, before.map({ $0.kind == .update }) ?? (base != nil) else {
      return nil
    }
    let former = before?.mine ?? [:]
    if former.keys.contains(where: { after.mine[$0] == nil }) { return nil }
    return Set(
      after.mine.filter { column, value in former[column].map { !PendingRow.isAlike($0, value) } ?? true }
        .keys)
  }

  fileprivate mutating func withdraw(_ columns: Set<String>, of step: HistoryStep, base stored: StoredRow?) {
    if before == nil || after == nil { base = stored }
    before?.withdraw(columns, of: step)
    after?.withdraw(columns, of: step)
    if before?.prune() == false { (before, base) = (nil, stored) }
    if after?.prune() == false { (after, base) = (nil, stored) }
  }
}

extension PendingRow {
  /// Takes columns back that a step has set, but for those that were set again since.
  mutating func withdraw(_ columns: Set<String>, of step: HistoryStep) {
    guard !isDeleted, original != nil else { return }
    for column in columns {
      guard let value = mine[column], Self.isAlike(value, step.after?.mine[column]) else { continue }
      mine[column] = step.before?.mine[column]
      if let seen = step.before?.original?[column] { original?[column] = seen }
    }
  }
}

/// The edits that are undone and redone together.
struct HistoryGroup: Sendable {
  var name: String
  /// The number of the edit. A row that was saved later is restored by its values, any other by what was pending.
  var serial: UInt64
  var steps: [HistoryStep]
}

/// The edits that can be undone and redone.
struct DraftHistory: Sendable {
  /// The most groups that are kept, and the most rows in them.
  var groupLimit = 100
  var rowLimit = 20_000

  private(set) var undo: [HistoryGroup] = []
  private(set) var redo: [HistoryGroup] = []
  /// The steps of redo that the last edit has ended: they come back if that edit fails and is withdrawn.
  private var forgotten: (serial: UInt64, redo: [HistoryGroup])?
  /// Of rows that were saved: the last edit that was saved, and the row as the save has left it.
  private var saved: [DraftKey: (serial: UInt64, left: StoredRow?)] = [:]
  /// How many of those were left when those were last forgotten that no group needs.
  private var savedAfterTrim = 0
  /// How many entries of it were looked at so far, for tests.
  private(set) var examined = 0

  mutating func pushUndo(_ group: HistoryGroup) {
    undo.append(group)
    trim()
  }

  mutating func pushRedo(_ group: HistoryGroup) { redo.append(group) }

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

  mutating func popUndo() { undo.removeLast() }
  mutating func popRedo() { redo.removeLast() }
  mutating func removeUndo(serial: UInt64) { undo.removeAll { $0.serial == serial } }

  mutating func forget() {
    undo = []
    redo = []
    forgotten = nil
    saved = [:]
    savedAfterTrim = 0
  }

  func isSaved(_ key: DraftKey, _ serial: UInt64) -> Bool { saved[key].map { $0.serial >= serial } ?? false }

  /// A row as the last save has left it; nil where it removed the row or is not known any more.
  func left(_ key: DraftKey) -> StoredRow? { saved[key]?.left }

  /// Notes that a row was saved.
  /// - Parameters:
  ///   - serial: The last edit that the save has taken.
  ///   - taken: The row as the save has taken it.
  ///   - left: The row as the save has left it.
  mutating func noteSaved(_ key: DraftKey, upTo serial: UInt64, _ taken: PendingRow, _ left: StoredRow?) {
    saved[key] = (serial, left)
    // Steps that were made meanwhile lead from and to edits of what the save was to leave.
    changeSteps(key, after: serial) { $0.land(taken, on: left) }
    // Rarely, so that it costs each row of a save as much as noting it, however many there are.
    if saved.count < 2 * savedAfterTrim + 64 { return }
    examined += saved.count
    let oldest = ((forgotten?.redo ?? []) + redo).map(\.serial).min() ?? .max
    saved = saved.filter { $0.value.serial >= min(oldest, undo.first?.serial ?? .max) }
    savedAfterTrim = saved.count
  }

  /// Takes an edit's columns out of the later steps of its row: what these have set stays.
  mutating func withdraw(
    _ columns: Set<String>, of step: HistoryStep, serial: UInt64, base: StoredRow?
  ) {
    changeSteps(step.key, after: serial) { $0.withdraw(columns, of: step, base: base) }
  }

  /// Makes a step part of the row's next one.
  mutating func join(_ step: HistoryStep, serial: UInt64) {
    var isNext = true
    // From the oldest on: only the next one stood on this one.
    for position in undo.indices where undo[position].serial > serial && isNext {
      guard let next = undo[position].steps.firstIndex(where: { $0.key == step.key }) else { continue }
      undo[position].steps[next].before = step.before
      if step.before == nil { undo[position].steps[next].base = step.base }
      isNext = false
    }
  }

  /// Changes the steps of a row in all groups that are younger than an edit.
  private mutating func changeSteps(
    _ key: DraftKey, after serial: UInt64, _ change: (inout HistoryStep) -> Void
  ) {
    Self.changeSteps(key, in: &undo, after: serial, change)
    Self.changeSteps(key, in: &redo, after: serial, change)
    if var groups = forgotten?.redo {
      forgotten?.redo = []
      Self.changeSteps(key, in: &groups, after: serial, change)
      forgotten?.redo = groups
    }
  }

  private static func changeSteps(
    _ key: DraftKey, in groups: inout [HistoryGroup], after serial: UInt64,
    _ change: (inout HistoryStep) -> Void
  ) {
    for position in groups.indices.reversed() {
      guard groups[position].serial > serial else { return }
      guard let step = groups[position].steps.firstIndex(where: { $0.key == key }) else { continue }
      change(&groups[position].steps[step])
    }
  }

  private mutating func trim() {
    var rows = undo.reduce(0) { $0 + $1.steps.count }
    // The newest group stays, however large it is.
    while undo.count > 1, undo.count > groupLimit || rows > rowLimit {
      rows -= undo.removeFirst().steps.count
    }
  }
}
