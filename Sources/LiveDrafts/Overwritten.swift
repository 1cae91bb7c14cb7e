import LiveStore

/// The part of others' change of a row that a save has written over, as its policy says.
///
/// The steps of the save itself lead back to it, as they stand on the row as the save has found it. But undo may have led to the state
/// that was saved: then it was a step of an earlier save that has set it.
struct Overwritten {
  /// The row as the save has taken it, over that of the others.
  private let taken: PendingRow
  /// The columns that they had changed, and of which no step was found so far that has set them.
  private var columns: Set<String>
  private var isFirst = true

  /// - Returns: nil where the save has written over nothing of theirs.
  init?(by taken: PendingRow, without written: SaveOutcome.Written) {
    guard written != .nothing, taken.isConflicting else { return nil }
    self.taken = taken
    let seen = taken.original ?? [:]
    columns = Set(seen.keys.filter { !PendingRow.isAlike(taken.base?[$0], seen[$0]) })
    if case .allBut(let dropped) = written { columns.subtract(dropped) }
    if taken.kind == .update, taken.base != nil {
      columns.formIntersection(taken.mine.keys)
      if columns.isEmpty { return nil }
    }
  }

  /// Has a step lead back to it, where it is the step that has set what the save has written.
  /// - Returns: Whether there is more of it, for the step before.
  mutating func lead(_ step: inout HistoryStep) -> Bool {
    let (former, later) = (step.shownBefore, step.shownAfter)
    switch taken.kind {
    case .insert:
      // They had taken the key of the row that a step has made.
      guard later != nil else { return false }
      if former != nil { return true }
      step.lead(from: taken.base)
      return false
    case .delete:
      guard later == nil, former != nil else { return false }
      for column in columns { step.showBefore(taken.base?[column], column) }
      return false
    case .update where taken.base == nil:
      // They had removed the row: the step that is undone first does so again, and earlier ones lead from nothing to nothing.
      if isFirst, later != nil { step.lead(from: nil) } else { step.remove() }
      isFirst = false
      return true
    case .update:
      guard let former, let later else { return false }
      for column in columns {
        if PendingRow.isAlike(later[column], taken.mine[column]) {
          if PendingRow.isAlike(former[column], taken.mine[column]) { continue }
          step.showBefore(taken.base?[column], column)
        }
        columns.remove(column)
      }
      return !columns.isEmpty
    }
  }
}

extension HistoryStep {
  fileprivate mutating func lead(from row: StoredRow?) {
    after = after ?? base.map { PendingRow(base: $0, original: $0) }
    (before, base) = (nil, row)
  }

  mutating func remove() { (before, after, base) = (nil, nil, nil) }
}
