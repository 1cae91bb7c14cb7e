public import LiveStore

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
