public import LiveStore

/// A change of one row that is to be saved: how the row was when it was first edited, and how it is to be.
public struct DraftChange: Sendable, Hashable {
  /// The kinds of change.
  public enum Kind: Sendable, Hashable {
    /// The row is new.
    case insert
    /// Some columns of the row have other values.
    case update
    /// The row is to be removed.
    case delete
  }

  /// The table's name.
  public var table: String
  /// The column of the primary key.
  public var key: FetchPlan.Column
  /// The primary key.
  public var id: FetchValue
  /// The kind of the change.
  public var kind: Kind
  /// The row that the change was made to, by column name; nil for a row that is new.
  public var base: [String: FetchValue]?
  /// The row as it is to be; nil for one that is to be removed.
  public var values: [String: FetchValue]?
  /// The columns that were set; all for a row that is new, none for one that is to be removed.
  public var columns: Set<String>
  /// Notes how the save finds the row.
  package var witness: RowWitness?

  /// Describes a change.
  public init(
    table: String, key: FetchPlan.Column, id: FetchValue, kind: Kind, base: [String: FetchValue]?,
    values: [String: FetchValue]?, columns: Set<String>
  ) {
    self.table = table
    self.key = key
    self.id = id
    self.kind = kind
    self.base = base
    self.values = values
    self.columns = columns
  }
}

extension DraftChange {
  /// Notes the row as the save leaves it: as triggers and foreign keys have made it of what was written.
  ///
  /// A store calls it within the transaction, once all changes are written. Undo then goes by that row, and a draft knows what others make of it.
  /// - Parameter row: The row with all of its columns; nil where it is gone.
  /// - Complexity: O(*c*) for *c* columns.
  public func noteLeft(_ row: FetchRow?) { witness?.leave(row) }
}

extension DraftChange {
  /// The message for a change that the database did not write although it reported no error.
  package var notWritten: String {
    "The row \(id.keyDescription) of “\(table)” was not written. A deletion in the same save has removed it, or a trigger or a rule of the database has taken the write back."
  }
}

extension DraftChange: CustomStringConvertible {
  /// The change in a line: what is done to which row, and the columns that an update sets.
  public var description: String {
    let row = id.keyDescription
    return switch kind {
    case .insert: "insert \(row) into “\(table)”"
    case .update: "update \(columns.sorted().joined(separator: ", ")) of \(row) in “\(table)”"
    case .delete: "delete \(row) from “\(table)”"
    }
  }
}

/// The rule for rows that somebody else has changed since they were edited.
public enum DraftPolicy: Sendable, Hashable, CaseIterable {
  /// Any change of theirs is a conflict, also in another column.
  case fail
  /// Columns are merged: only a column that both have changed is a conflict, and a row that one has deleted and the other changed.
  case mergeColumns
  /// Columns are merged, and where both have changed something, the draft's change counts.
  case mine
  /// Columns are merged, and where both have changed something, the other's change counts.
  case theirs
}

/// The write that a change leads to when it is saved.
public enum DraftDecision: Sendable, Hashable {
  /// Insert the row, with all of ``DraftChange/values`` that can be written.
  case insert
  /// Write these columns of ``DraftChange/values``.
  case update(Set<String>)
  /// Remove the row.
  case delete
  /// Write nothing: the row is as it is to be, or theirs counts.
  case nothing
  /// Nothing of the whole save may be written.
  case conflict
}

extension DraftChange {
  /// Decides what becomes of a row, by what it is now.
  ///
  /// A store calls this for each change within the transaction of the save, before it writes any of them.
  /// - Parameters:
  ///   - row: The row as the transaction sees it; nil when there is none.
  ///   - policy: The rule for what somebody else has changed.
  /// - Complexity: O(*c*) for *c* columns.
  public func decision(for row: FetchRow?, policy: DraftPolicy) -> DraftDecision {
    witness?.see(row)
    guard let row else { return decisionForMissingRow(policy) }
    func isTheirs(_ column: String) -> Bool {
      guard let before = base?[column], let now = row.storedValue(column) else { return false }
      return !before.isStored(like: now)
    }
    func isMine(_ column: String) -> Bool {
      guard let mine = values?[column] else { return false }
      return !mine.isStored(like: row.storedValue(column) ?? .null)
    }
    switch kind {
    case .insert:
      let different = columns.filter(isMine)
      if different.isEmpty { return .nothing }
      return switch policy {
      case .fail, .mergeColumns: .conflict
      case .mine: .update(different)
      case .theirs: .nothing
      }
    case .update:
      var written = columns.filter(isMine)
      if written.isEmpty { return .nothing }
      switch policy {
      case .fail: if base?.keys.contains(where: isTheirs) ?? false { return .conflict }
      case .mine: break
      case .mergeColumns: if written.contains(where: isTheirs) { return .conflict }
      case .theirs: written = written.filter { !isTheirs($0) }
      }
      return written.isEmpty ? .nothing : .update(written)
    case .delete:
      guard base?.keys.contains(where: isTheirs) ?? false else { return .delete }
      return switch policy {
      case .fail, .mergeColumns: .conflict
      case .mine: .delete
      case .theirs: .nothing
      }
    }
  }

  private func decisionForMissingRow(_ policy: DraftPolicy) -> DraftDecision {
    switch (kind, policy) {
    case (.insert, _), (.update, .mine): .insert
    case (.update, .fail), (.update, .mergeColumns): .conflict
    case (.update, .theirs), (.delete, _): .nothing
    }
  }

  /// Describes the conflict of this change with a row.
  /// - Parameter row: The row as it is now, by column name; nil when there is none.
  public func conflict(with row: [String: FetchValue]?) -> DraftConflict.Row {
    var base = base
    if row == nil, kind == .update, let values {
      // In the other columns the base is the row that the draft shows: changes there came from others, and are no part of the conflict.
      base?.merge(values.filter { !columns.contains($0.key) }) { $1 }
    }
    return DraftConflict.Row(table: table, id: id, base: base, mine: values, theirs: row)
  }
}

extension FetchValue {
  /// Whether a database stores two values alike: a whole number and a floating-point one of equal value are.
  package func isStored(like other: FetchValue) -> Bool {
    if self == other { return true }
    switch (self, other) {
    case (.integer, .real), (.real, .integer): return compare(other) == 0
    default: return false
    }
  }
}
