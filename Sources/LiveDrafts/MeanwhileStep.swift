import LiveDraftStore
import LiveStore

/// Something that was done to a draft while a save was under way, and is done again once all of the save is known: it is then as if it
/// had come after the save.
struct MeanwhileStep: Sendable {
  enum Kind: Sendable {
    case edit(_ edits: [(key: DraftKey, edit: RowEdit)], named: String, sights: [DraftKey: DraftSight])
    /// Undo or redo of the edit with a number.
    case restore(DraftDirection, edit: UInt64)
    /// A discard of some rows, or of all that is pending.
    case discard([DraftKey]?, named: String)
    case forget
  }

  var kind: Kind
  /// The number of the edit that it makes.
  var serial: UInt64
  /// The rows of the store that were of use for it then.
  var bases: [DraftKey: StoredRow] = [:]
}
