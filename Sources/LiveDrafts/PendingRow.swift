import LiveDraftStore
import LiveStore

/// A row's stored values by column name.
typealias StoredRow = [String: FetchValue]

/// A row as an edit's closure has seen it: as the draft showed it, and as the store had it beneath.
struct DraftSight {
  var shown: StoredRow?
  var stored: StoredRow?
}

/// A row of which a change is not saved yet.
///
/// ```
///  original ─── somebody's commits ──▶ base
///     └──────── the draft's edits ───▶ base, with `mine` on top  =  shown
/// ```
///
/// ## Invariants
/// - `base` is nil exactly where the store has no such row, as far as it has notified. Only then is there `gone`.
/// - `original` is nil exactly where the draft has made the row: the draft has seen nothing beneath it, so that any row of the store is
///   in its way.
/// - Of a row that is to be deleted nothing is in `mine`. Otherwise `mine` holds no value that `base` has, unless a save is writing the
///   row, or the row is new and another value of it differs.
/// - Of a row that is ahead all this holds of the store as the save that is under way is to leave it.
/// - `base` and `original` have all of the row's columns. A commit that has fewer leaves the missing ones out until the row was read
///   (``DraftChannel/isStale``): such a column is neither in conflict nor as it is to be, and counts as seen as it is read.
struct PendingRow: Sendable, Hashable {
  /// The row as the store has it now, as far as is known; nil when it has none.
  private(set) var base: StoredRow?
  /// The row as it last stood, as far as is known, where the store has none any more.
  private(set) var gone: StoredRow?
  /// The row that the edits were made to, column by column as of when each was first set; nil for a row that is new.
  var original: StoredRow?
  /// The columns that were set, with their values. Of a new row all.
  var mine: StoredRow = [:]
  var isDeleted = false
  /// Whether a save is writing the row, and this is what was edited since: `base` is then the row as the save is to leave it.
  var isAhead = false
  /// The number of the group of edits that edited the row last.
  var serial: UInt64 = 0
  /// The number of the last edit of the row, also within its group: rows are saved in the order of these.
  var order: UInt64 = 0

  init(
    base: StoredRow?, original: StoredRow? = nil, mine: StoredRow = [:], isDeleted: Bool = false,
    serial: UInt64 = 0, order: UInt64 = 0
  ) {
    (self.base, self.original, self.mine, self.isDeleted) = (base, original, mine, isDeleted)
    (self.serial, self.order) = (serial, order)
  }

  /// The row as lists show it; nil when it is deleted.
  var shown: StoredRow? {
    if isDeleted { return nil }
    // A new row has nothing beneath but what others have put there.
    let beneath = base ?? (original == nil ? nil : gone ?? original)
    guard let beneath else { return mine }
    return beneath.merging(mine) { $1 }
  }

  /// Follows the row of the store.
  /// - Parameters:
  ///   - row: The row as the store has it now; nil when it has none.
  ///   - stood: The row as it last stood, where that is known better than here.
  mutating func rebase(_ row: StoredRow?, stood: StoredRow? = nil) {
    let last = stood ?? base ?? gone
    // Columns that were not known of it stand as they were when it was edited.
    gone = row == nil ? last.map { last in (original ?? [:]).merging(last) { $1 } } : nil
    base = row
    // A column that was not known when the row was edited counts as seen as it is now.
    guard let row, let original, original.count < row.count else { return }
    self.original = row.merging(original) { $1 }
  }

  var kind: DraftChange.Kind { isDeleted ? .delete : original == nil ? .insert : .update }

  /// Whether somebody else has changed the same, to something else.
  var isConflicting: Bool {
    switch kind {
    case .insert: return base != nil && !isInStore
    case .update:
      guard let base else { return true }
      // While a save is writing the row, others may have done as it is to do.
      return mine.contains { column, value in
        base[column].map { !Self.isAlike($0, original?[column]) && !Self.isAlike($0, value) } ?? false
      }
    case .delete:
      guard let base, let original else { return false }
      return original.contains { column, value in base[column].map { !Self.isAlike($0, value) } ?? false }
    }
  }

  /// Forgets what is in the store already.
  /// - Returns: Whether anything is left to be saved.
  mutating func prune() -> Bool {
    guard let base else { return !isDeleted && (original == nil || !mine.isEmpty) }
    if isDeleted { return true }
    // Of a column that is not known nobody can say that the store has it so.
    let left = mine.filter { column, value in base[column].map { !Self.isAlike($0, value) } ?? true }
    if original != nil { mine = left }
    return !left.isEmpty
  }

  /// Whether the store has all of it already.
  var isInStore: Bool {
    var rest = self
    return !rest.prune()
  }

  /// Whether the store has some of it already: others have done the same, while a save is writing the row.
  var isPartlyInStore: Bool {
    if kind != .update { return isInStore }
    return mine.contains { column, value in storeHas(column, value) }
  }

  private func storeHas(_ column: String, _ value: FetchValue) -> Bool {
    // Of a column that is not known nobody can say that the store has it so.
    base?[column].map { Self.isAlike($0, value) } ?? false
  }

  /// Leaves to others what they have done as well.
  /// - Returns: What that is; nil where it is nothing.
  mutating func concede() -> Concession? {
    guard isPartlyInStore else { return nil }
    guard kind == .update else { return Concession(row: base, serial: serial) }
    let columns = mine.filter(storeHas).keys
    for column in columns { mine[column] = nil }
    return Concession(row: base, columns: Array(columns), serial: serial)
  }

  /// Sets columns.
  mutating func set(_ values: StoredRow) {
    for (column, value) in values {
      // What the edit replaces is what the editor saw.
      if original != nil, mine[column] == nil, let seen = (base ?? gone)?[column],
        original?[column] != seen
      {
        // Mostly it is what is there: the row then shares its memory with the base.
        original?[column] = seen
      }
      mine[column] = value
    }
  }

  /// Stands, in the columns that an edit has just set or removed, on the row as the editor saw it: what somebody else has committed
  /// since is in conflict with that. Of a row that was not pending it does so in all columns, as a policy may ask for these.
  /// - Parameter former: The row as it was pending before the group of edits, if it was.
  mutating func see(_ sight: DraftSight, besides former: PendingRow?) {
    guard let original, let shown = sight.shown, original != shown, !isDeleted || former?.isDeleted != true
    else { return }
    let columns = isDeleted || former == nil ? Array(shown.keys) : Array(mine.keys)
    for column in columns where former?.mine[column] == nil {
      guard let seen = shown[column], let stood = original[column] else { continue }
      // A save of one's own may have begun or ended meanwhile.
      if Self.isAlike(stood, seen) || Self.isAlike(stood, sight.stored?[column]) { continue }
      self.original?[column] = seen
    }
  }

  /// Shows another value of a column, as of a row that was saved.
  mutating func show(_ value: FetchValue, _ column: String) {
    if isDeleted { return }
    mine[column] = value
  }

  /// Shows what a foreign key has made of a column, where it was set to what that has found.
  mutating func carry(_ change: OwnChange, _ column: String) {
    if let sent = mine[column], Self.isAlike(sent, change.before) { show(change.after, column) }
  }

  /// Takes columns back that a step has set or set back, but for those that were set again since.
  /// - Parameters:
  ///   - row: The row as it is pending, if it is.
  ///   - stored: The row of the store.
  /// - Returns: nil where nothing is pending of it.
  static func withdraw(
    _ columns: Set<String>, of step: HistoryStep, from row: PendingRow?, base stored: StoredRow?
  ) -> PendingRow? {
    let isNew = step.before?.kind == .insert
    guard var row = row ?? (isNew ? nil : stored.map { PendingRow(base: $0, original: $0) }), !row.isDeleted,
      (row.original == nil) == isNew
    else { return row }
    for column in columns where isSame(row.mine[column], step.after?.mine[column]) {
      row.mine[column] = step.before?.mine[column]
      if let seen = step.before?.original?[column] { row.original?[column] = seen }
    }
    // Columns that were set back are pending again as they were.
    if row.serial == 0, let before = step.before { (row.serial, row.order) = (before.serial, before.order) }
    return row.prune() ? row : nil
  }

  /// Whether a column is set to the same value in both, or in neither.
  static func isSame(_ a: FetchValue?, _ b: FetchValue?) -> Bool {
    guard let a, let b else { return a == nil && b == nil }
    return isAlike(a, b)
  }

  /// Whether two rows are alike in the columns that the first one has, or are both none.
  static func isAlike(_ a: StoredRow?, _ b: StoredRow?) -> Bool {
    guard let a, let b else { return a == nil && b == nil }
    return a.allSatisfy { column, value in isAlike(value, b[column]) }
  }

  static func isAlike(_ a: FetchValue?, _ b: FetchValue?) -> Bool { (a ?? .null).isStored(like: b ?? .null) }
}

/// The part of what was pending of a row that others have done as well: a save has nothing to change there, so that undo has nothing to take back.
struct Concession: Sendable {
  /// The row as they have left it; nil where they have removed it.
  var row: StoredRow?
  /// The columns that they have set; nil where they have made or removed the row.
  var columns: [String]?
  /// The last edit of the row.
  var serial: UInt64
}

/// The effect of an edit or a commit on a row as lists show it.
struct RowEffect: Sendable {
  var key: DraftKey
  var before: StoredRow?
  var after: StoredRow?
  /// Whether the row has come to be in conflict, or is no longer.
  var changesConflict = false
  /// Whether nothing is pending of the row afterwards: it is then the store's, of which columns may be missing here.
  var isStored = false

  /// Whether lists are to learn of it.
  var isVisible: Bool { changesConflict || before != after }

  /// The effect of this and a later one together.
  func merged(with later: RowEffect) -> RowEffect {
    RowEffect(
      key: key, before: before, after: later.after, changesConflict: changesConflict != later.changesConflict,
      isStored: later.isStored)
  }
}

/// An edit of a row.
enum RowEdit: Sendable, Hashable {
  case insert(StoredRow)
  case set(StoredRow)
  case delete
}
