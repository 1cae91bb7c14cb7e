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

  /// Has been edited on top of what a save has changed without being told to.
  mutating func adopt(_ own: [String: OwnChange]) {
    for (column, change) in own where Self.isAlike(original?[column], change.before) && original != nil {
      original?[column] = change.after
    }
  }

  /// The row as a new one, where the store's has gone.
  /// - Parameter found: The store's row as it last was.
  func asNew(over found: StoredRow) -> PendingRow {
    PendingRow(base: nil, mine: found.merging(mine) { $1 }, serial: serial, order: order)
  }
}
