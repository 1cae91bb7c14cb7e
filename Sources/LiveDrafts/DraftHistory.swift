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
    return before == after
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
  /// Of rows that were saved: the last edit that was saved.
  private var saved: [DraftKey: UInt64] = [:]

  mutating func pushUndo(_ group: HistoryGroup) {
    undo.append(group)
    trim()
  }

  mutating func pushRedo(_ group: HistoryGroup) { redo.append(group) }
  mutating func forgetRedo() { redo = [] }
  mutating func popUndo() { undo.removeLast() }
  mutating func popRedo() { redo.removeLast() }
  mutating func removeUndo(serial: UInt64) { undo.removeAll { $0.serial == serial } }

  mutating func forget() {
    undo = []
    redo = []
    saved = [:]
  }

  func isSaved(_ key: DraftKey, _ serial: UInt64) -> Bool { saved[key].map { $0 >= serial } ?? false }

  mutating func noteSaved(_ keys: some Sequence<DraftKey>, upTo serial: UInt64) {
    for key in keys { saved[key] = serial }
    let oldest = min(undo.first?.serial ?? .max, redo.map(\.serial).min() ?? .max)
    saved = saved.filter { $0.value >= oldest }
  }

  private mutating func trim() {
    var rows = undo.reduce(0) { $0 + $1.steps.count }
    // The newest group stays, however large it is.
    while undo.count > 1, undo.count > groupLimit || rows > rowLimit {
      rows -= undo.removeFirst().steps.count
    }
  }
}
