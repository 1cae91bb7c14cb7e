import LiveDraftStore
import LiveStore

/// A save from when it takes its rows until all of its commit is known, as a layer has it.
///
/// ```
///  the save takes rows ── the store writes ── its commit comes round, table by table ── all is known
///    rows, lastEdit          effects              rows goes, seenTables                   effects goes
/// ```
///
/// Steps that are made meanwhile are kept in ``steps``, and made again to ``settled`` when all is known (`DraftLayer+Meanwhile.swift`). Where there
/// are any, `rows` and `effects` stay as they are until then, and those of ``settled`` go.
struct SaveInProgress: Sendable {
  /// The rule for what somebody else has changed.
  var policy = DraftPolicy.mergeColumns
  /// The number of the last edit that comes before the save: that it has taken, or was made before its commit came round and concerns no row of it.
  var lastEdit: UInt64 = 0
  /// The rows that are being written, as the save has taken them, over the store's rows of now. Each is pending until the save has
  /// ended: as it was taken or, where it was edited since, as an edit of what the save is to leave (``PendingRow/isAhead``).
  var rows: [DraftKey: PendingRow] = [:]
  /// Whether it deletes any, so that foreign keys may act on all others.
  var deletes = false
  /// The rows of which nobody knows whether others have left them as they are, or the save.
  var doubted: Set<DraftKey> = []
  /// The changes that foreign keys make to rows as the save deletes others.
  var effects = OwnEffects()
  /// The tables in which the commit has come round.
  var seenTables: Set<String> = []
  /// The layer as it was before the first of ``steps``; empty where there is none. An array, as a layer cannot hold itself.
  var settled: [DraftLayer] = []
  /// The steps that concern what is being saved, to be done again to ``settled``.
  var steps: [MeanwhileStep] = []
  /// The pending rows of which the commit has told since there are ``steps``, as the store has them; nil where it has none.
  var stored: [DraftKey: StoredRow?] = [:]
  /// The changes that triggers of the save have made to pending rows which it has not taken, since there are ``steps``.
  var adopted: [DraftKey: [String: OwnChange]] = [:]
  /// The pending rows besides the save's that others have written since there are ``steps``, as they have left them.
  var theirs: [DraftKey: StoredRow?] = [:]

  /// Whether something of the save is still to be known.
  var isOpen: Bool { !rows.isEmpty || !effects.all.isEmpty }

  /// Whether a step is about what the save does to a row, as far as is known.
  func concerns(_ key: DraftKey) -> Bool {
    rows[key] != nil || effects.isCause(key)
      || seenTables.contains(key.table) && !effects[key].isEmpty
  }

  /// Whether the commit has come round in all tables in which foreign keys have done something.
  var hasSeenEffects: Bool {
    !effects.all.isEmpty
      && effects.all.allSatisfy { seenTables.contains($0.key.table) && seenTables.contains($0.cause.table) }
  }

  /// The part that is to be written of a row, as far as it is known before.
  func expected(of taken: PendingRow) -> SaveOutcome.Written {
    guard policy == .theirs, taken.isConflicting else { return .all }
    guard taken.kind == .update, taken.base != nil else { return .nothing }
    return .without(taken.columnsInConflict)
  }

  /// A row as it is to be left, as far as is known; nil where it is to be gone.
  func left(by taken: PendingRow) -> StoredRow? {
    switch expected(of: taken) {
    case .all: return taken.shown
    case .nothing: return taken.base
    case .allBut(let dropped):
      return taken.shown.map { $0.merging((taken.base ?? [:]).filter { dropped.contains($0.key) }) { $1 } }
    }
  }

  /// The part that was written of a row, as the save has noted how it has left it.
  /// - Parameter left: The row as the save has left it; nil where it is gone.
  func written(of taken: PendingRow, leaving left: StoredRow?) -> SaveOutcome.Written {
    // A row that a foreign key has taken along is gone, though others' changes of it were to stay.
    left == nil && (taken.base != nil || taken.kind == .insert) ? .all : expected(of: taken)
  }

  /// The part that was written of a row which the commit names.
  /// - Parameters:
  ///   - left: The row as the commit has left it; nil where it is gone.
  ///   - isChanged: Whether the commit may have changed a column; nil where it says nothing, or has made the row.
  func written(
    of taken: PendingRow, _ left: StoredRow?, _ isChanged: ((_ column: String) -> Bool)?
  ) -> SaveOutcome.Written {
    // By any other rule all is written, or nothing of the whole save.
    guard policy == .theirs, let left else { return .all }
    switch taken.kind {
    case .delete: return .nothing
    case .insert: return taken.base != nil || isChanged != nil ? .nothing : .all
    case .update:
      // A trigger may have changed what theirs counts of.
      let dropped = taken.columnsInConflict
      return .without(
        taken.mine.keys.filter {
          dropped.contains($0)
            || !PendingRow.isAlike(left[$0], taken.mine[$0]) && !(isChanged?($0) ?? false)
        })
    }
  }

  /// The part that was written of a row which the commit has not named, besides what others have done as well: nothing where theirs
  /// counts.
  func unnamed(of taken: PendingRow) -> SaveOutcome.Written {
    guard policy == .theirs else { return .all }
    return taken.kind == .update && taken.base != nil ? .without(taken.columnsUnlikeBase) : .nothing
  }
}
