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

    /// All that was pending of a row but some columns. Where these are all that was pending, edits of the row may still have set
    /// others, as somebody else has: these count as written.
    static func without(_ columns: [String]) -> Self { columns.isEmpty ? .all : .allBut(Set(columns)) }
  }

  /// The row as the save has taken it.
  var taken: PendingRow
  /// The row as the save has left it; nil where it is gone.
  var left: StoredRow?
  var written = Written.all
  /// The columns that were not set, and which the save's commit has changed all the same, as a trigger or a foreign key does: the row
  /// as it was right before, and as the save has left it.
  var own: [String: OwnChange] = [:]
  /// The changes that foreign keys have made to the row as the save deleted others.
  var effects: [OwnEffect] = []

  /// The columns that were set and not written.
  var dropped: Set<String> {
    switch written {
    case .all: []
    case .allBut(let columns): columns
    case .nothing: Set(taken.mine.keys)
    }
  }

  /// The row as the save had written it, where the deletion of another one has taken it along: an update of a row that is gone would have failed,
  /// and a new row that is gone was there before.
  private var leftBeforeDeletion: StoredRow? {
    taken.isDeleted ? nil : effects.last { $0.after == nil }?.found
  }

  /// The columns that were written and have another value, which the database gave them: as they were sent, and as they are.
  var changed: [String: (sent: FetchValue, left: FetchValue)] {
    guard let left = left ?? leftBeforeDeletion, written != .nothing else { return [:] }
    let dropped = dropped
    var changed: [String: (sent: FetchValue, left: FetchValue)] = [:]
    for (column, sent) in taken.mine where !dropped.contains(column) {
      guard let value = left[column], !PendingRow.isAlike(value, sent) else { continue }
      changed[column] = (sent, value)
    }
    return changed
  }
}

/// A change of a column that a save has made without being told to.
struct OwnChange: Sendable, Hashable {
  var before: FetchValue
  var after: FetchValue

  /// Returns the columns that differ, among those that count.
  static func between(
    _ before: StoredRow, _ after: StoredRow, _ isWanted: (String) -> Bool
  ) -> [String: OwnChange] {
    var changes: [String: OwnChange] = [:]
    for (column, value) in after {
      guard let former = before[column], !PendingRow.isAlike(former, value), isWanted(column) else {
        continue
      }
      changes[column] = OwnChange(before: former, after: value)
    }
    return changes
  }
}
