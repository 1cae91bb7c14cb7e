import LiveStore

/// The effect of a save on a row.
struct SaveOutcome: Sendable {
  /// The part of the row that was written.
  enum Written: Sendable, Hashable {
    /// All that was pending.
    case all
    /// All but some columns, of which the values of others count.
    case allBut(Set<String>)
    /// Nothing, as all that the others have counts.
    case nothing

    /// All that was pending of a row but some columns.
    static func without(_ columns: [String], of row: PendingRow) -> Self {
      columns.isEmpty ? .all : columns.count == row.mine.count ? .nothing : .allBut(Set(columns))
    }
  }

  /// The row as the save has taken it.
  var taken: PendingRow
  /// The row as the save has left it; nil where it is gone.
  var left: StoredRow?
  var written = Written.all

  /// The columns that were set and not written.
  var dropped: Set<String> {
    switch written {
    case .all: []
    case .allBut(let columns): columns
    case .nothing: Set(taken.mine.keys)
    }
  }

  /// The columns that were written and have another value, which the database gave them: as they were sent, and as they are.
  var changed: [String: (sent: FetchValue, left: FetchValue)] {
    guard let left, written != .nothing else { return [:] }
    let dropped = dropped
    var changed: [String: (sent: FetchValue, left: FetchValue)] = [:]
    for (column, sent) in taken.mine where !dropped.contains(column) {
      guard let value = left[column], !PendingRow.isAlike(value, sent) else { continue }
      changed[column] = (sent, value)
    }
    return changed
  }
}
