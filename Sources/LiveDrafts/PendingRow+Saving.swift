import LiveStore

// A pending row, as a save takes it and what that makes of it.
extension PendingRow {
  /// The columns that were set to other values than the store's row has.
  var columnsUnlikeBase: [String] { mine.keys.filter { !Self.isAlike(base?[$0], mine[$0]) } }

  /// The columns that were set, and by others to something else.
  var columnsInConflict: [String] {
    guard let base else { return [] }
    return columnsUnlikeBase.filter { !Self.isAlike(base[$0], original?[$0]) }
  }

  /// The same row as a new one.
  var insertion: PendingRow {
    if kind != .update { return self }
    var row = PendingRow(base: nil, mine: shown ?? [:], serial: serial, order: order)
    row.isAhead = isAhead
    return row
  }

  /// Returns the edits of a row that a save was writing as edits of the row that the save has left; nil where nothing is left of them.
  /// - Parameters:
  ///   - outcome: What the save has made of the row.
  ///   - columns: Columns that stay set also where the save has left them so.
  func landed(_ outcome: SaveOutcome, keeping columns: Set<String> = []) -> PendingRow? {
    let (taken, saved, dropped) = (outcome.taken, outcome.left, outcome.dropped)
    var row = self
    row.isAhead = false
    if let saved, let original {
      // The editor saw what the save was writing, unless the edit was in conflict with that.
      let written = saved.filter { column, _ in
        (taken.mine[column] != nil && !dropped.contains(column) || outcome.own[column] != nil)
          && Self.isAlike(original[column], base?[column])
      }
      let seen = isDeleted ? original : saved.merging(original.filter { mine[$0.key] != nil }) { $1 }
      row.original = seen.merging(written) { $1 }
    } else if taken.isDeleted, original == nil {
      row.original = saved
    }
    row.rebase(saved)
    let kept = row.kind == .update && saved != nil ? row.mine.filter { columns.contains($0.key) } : [:]
    let isLeft = row.prune()
    row.mine.merge(kept) { $1 }
    return isLeft || !kept.isEmpty ? row : nil
  }

  /// Has been edited on top of what a save has changed without being told to.
  mutating func adopt(_ own: [String: OwnChange]) {
    for (column, change) in own where Self.isAlike(original?[column], change.before) && original != nil {
      original?[column] = change.after
    }
  }

  /// Has been edited on top of what a save has left, and not of what it was expected to leave.
  mutating func learn(_ left: StoredRow?, insteadOf expected: StoredRow?) {
    guard let left, let expected, original != nil else { return }
    for (column, value) in left where Self.isAlike(original?[column], expected[column]) {
      original?[column] = value
    }
  }
}
