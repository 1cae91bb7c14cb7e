public import LiveDraftStore
import LiveStore

/// The state of a row in a draft.
public enum DraftRowState: Sendable, Hashable {
  /// The row is as the store has it, or there is none.
  case saved
  /// The row is new.
  case inserted
  /// These columns of the row were set.
  case updated(Set<String>)
  /// The row is to be deleted.
  case deleted
  /// Somebody else has changed what the draft has changed.
  case conflicting(DraftConflict.Row)
}

extension DraftRowState: CustomStringConvertible {
  /// The state in a word, with the columns that it is about.
  public var description: String {
    switch self {
    case .saved: "saved"
    case .inserted: "inserted"
    case .updated(let columns): "updated (\(columns.sorted().joined(separator: ", ")))"
    case .deleted: "deleted"
    case .conflicting(let row):
      row.columns.isEmpty ? "conflicting" : "conflicting (\(row.columns.sorted().joined(separator: ", ")))"
    }
  }
}
