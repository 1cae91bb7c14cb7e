import LiveStore

/// A row as saves have left it, and how far its edits are undone by that.
struct SavedRow: Sendable {
  /// The last edit of the row that a save has taken.
  var taken: UInt64 = 0
  /// The last edit that is undone by its values: also where a foreign key has changed the row since, and the edit is still pending.
  var byValues: UInt64 = 0
  /// The row as the last save has left it; nil where that has removed it.
  var left: StoredRow?
  /// The values that foreign keys have changed since a save has taken the row, as they were before.
  var found: StoredRow = [:]

  /// The row as it was right before a save, besides the changes of foreign keys that are undone before an edit.
  func found(by edit: UInt64, _ stored: StoredRow?) -> StoredRow? {
    edit > byValues || found.isEmpty ? stored : stored?.merging(found) { $1 }
  }
}
