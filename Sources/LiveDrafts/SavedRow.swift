import LiveStore

/// A row as saves have left it, and how far its edits are undone by that. Also a row of which edits were undone or discarded: it is as it was
/// found.
struct SavedRow: Sendable {
  /// The last edit of the row that a save has taken.
  var taken: UInt64 = 0
  /// The last edit that is undone by its values: also where a foreign key has changed the row since, and the edit is still pending.
  var byValues: UInt64 = 0
  /// The last edit after which nothing was pending of the row; 0 where there was none.
  var idle: UInt64 = 0
  /// The row as the last save has left it; nil where that has removed it.
  var left: StoredRow?
  /// The columns that others have changed since; nil where they may be any.
  private var changedByOthers: Set<String>? = []
  /// The values that foreign keys have changed since a save has taken the row, as they were before.
  var found: StoredRow = [:]

  init(taken: UInt64 = 0, byValues: UInt64 = 0, idle: UInt64 = 0, left: StoredRow? = nil) {
    (self.taken, self.byValues, self.idle, self.left) = (taken, byValues, idle, left)
  }

  /// The last edit for which the row is of use.
  var lastEdit: UInt64 { max(byValues, idle) }

  /// Notes how others have left the row.
  /// - Parameter row: The row's values that are known; nil where none is.
  mutating func noteOthers(_ row: StoredRow?) {
    guard let row, let left else {
      changedByOthers = nil
      return
    }
    for (column, value) in row {
      if PendingRow.isAlike(value, left[column]) {
        changedByOthers?.remove(column)
      } else {
        changedByOthers?.insert(column)
      }
    }
  }

  /// Returns the changes of the row by a later save that was not told to make them.
  /// - Parameters:
  ///   - row: The row's values that are known of the commit.
  ///   - isChanged: Whether the commit may have changed a column.
  func own(_ row: StoredRow, _ isChanged: (String) -> Bool) -> [String: OwnChange] {
    guard let left, let others = changedByOthers else { return [:] }
    return OwnChange.between(left, row) { isChanged($0) && !others.contains($0) }
  }

  /// The row as it was right before a save, besides the changes of foreign keys that are undone before an edit.
  func found(by edit: UInt64, _ stored: StoredRow?) -> StoredRow? {
    edit > byValues || found.isEmpty ? stored : stored?.merging(found) { $1 }
  }
}
