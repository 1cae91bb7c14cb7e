import LiveDraftStore
import LiveStore

/// The save that is under way, as a draft knows it by its commit, and what it goes back to if that does not come.
struct SaveAttempt: Sendable {
  /// The origin by which the commit is known.
  let origin: String
  /// All origins that it has.
  let origins: [String]
  /// The layer as if there were no save; nil once the commit has come round, so that the save has not failed.
  var fallback: DraftLayer?
  /// The last edit that was forgotten since the save began.
  var forgotten: UInt64?
  /// The rows as the store is to find them, and as it leaves them.
  var witnesses: [DraftKey: RowWitness] = [:]
  /// The tables in which it was followed how the store has found them.
  var foundTables: Set<String> = []
  /// The rows that others' commits have touched since the save began: the witnesses may be older than these.
  var touched = DraftTouches()
}
