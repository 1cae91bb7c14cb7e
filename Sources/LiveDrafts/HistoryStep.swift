import LiveDraftStore
import LiveStore

/// The effect of an edit on a pending row.
struct HistoryStep: Sendable, Hashable {
  var key: DraftKey
  var before: PendingRow?
  var after: PendingRow?
  /// The row as the store had it; of use where one of the others is nil.
  var base: StoredRow?
  /// Whether a save has done it as it deleted another row of the group. It is undone as what was saved.
  var isEffect = false
  /// Whether a save has taken it.
  var isSaved = false
  /// The effects of saves on the row that are undone together with this edit of it, as steps of their own: these stay where the edit is withdrawn.
  var joined: [HistoryStep] = []
  /// The parts that were left to others, the last at the end.
  private(set) var conceded: [Conceded] = []

  /// Something that others have done as well: `base` as it was before.
  struct Conceded: Sendable, Hashable {
    var columns: [String]?
    /// The last edit of the row.
    var serial: UInt64
    var base: StoredRow?
  }

  var shownBefore: StoredRow? { before.map(\.shown) ?? base }
  var shownAfter: StoredRow? { after.map(\.shown) ?? base }

  /// Whether the same is pending before and after, whenever it was edited.
  var isNoChange: Bool {
    var before = before
    before?.serial = after?.serial ?? 0
    before?.order = after?.order ?? 0
    return before == after
  }
}

extension HistoryStep {
  /// Leaves to others what they have done as well: a state of which nothing was pending is the row of the store, as they have left it.
  mutating func concede(_ conceded: Concession) {
    // What a save has done is done, whoever has learnt of it later.
    if isEffect { return }
    // Of a row that others have made or removed as well each step is theirs.
    let isOnStore = before == nil || after == nil
    guard isOnStore || conceded.columns == nil else { return }
    self.conceded.append(Conceded(columns: conceded.columns, serial: conceded.serial, base: base))
    if !isOnStore { return }
    guard let columns = conceded.columns else {
      base = conceded.row
      return
    }
    for column in columns { base?[column] = conceded.row?[column] }
  }

  /// Takes back what was left to others of an edit that is withdrawn.
  /// - Parameter columns: The columns that the edit has set; nil where it has made or removed the row.
  mutating func withdrawConceded(of serial: UInt64, _ columns: Set<String>?) {
    let first = conceded.firstIndex { former in
      guard former.serial == serial else { return false }
      guard let columns, let others = former.columns else { return true }
      return !columns.isDisjoint(with: others)
    }
    guard let first else { return }
    base = conceded[first].base
    conceded.removeSubrange(first...)
  }

  /// Counts as done again, where others have made or removed the row as well as a later edit that was undone: the store's row stays theirs.
  mutating func forgetConceded(of serial: UInt64) {
    conceded.removeAll { $0.serial == serial && $0.columns == nil }
  }
}

extension HistoryStep {
  /// Stands on the store's row as it was right before the save that has taken the step: where nothing was pending, undo leads back to
  /// that row, as it would have done before the save.
  mutating func stand(on stored: StoredRow?) {
    // A save has done it to the row as that was: it is undone as it was saved.
    if isEffect { return }
    base = stored
    // The row was made or removed by others as well: that is theirs, whatever they have made of it since.
    if conceded.contains(where: { $0.columns == nil }) { (before, after) = (nil, nil) }
    before?.rebase(stored)
    after?.rebase(stored)
  }

  /// Has not set columns that others have set as well since, where nothing else was pending of them before.
  /// - Parameters:
  ///   - conceded: The columns that were left to others after this step or later ones, as those steps had them.
  ///   - next: The columns that were pending when the next step was made, or the row was saved.
  mutating func dropConceded(_ conceded: inout StoredRow, before next: StoredRow) {
    guard let after, after.kind == .update else { return }
    conceded.merge(after.mine.filter { next[$0.key] == nil }) { later, _ in later }
    conceded = conceded.filter { PendingRow.isSame(after.mine[$0.key], $0.value) }
    guard before?.isDeleted != true else { return }
    for column in conceded.keys where before?.mine[column] == nil { self.after?.mine[column] = nil }
  }
}

extension HistoryStep {
  /// Stands on what a save has changed without being told to: of a row that has pending changes, which it has not written.
  mutating func adopt(_ own: [String: OwnChange]) {
    before?.adopt(own)
    after?.adopt(own)
  }

  /// The columns that others had changed before the step took a deletion back, which had not seen it.
  var unseenBefore: [String] {
    guard let before, before.isDeleted, let seen = before.original, let later = shownAfter else { return [] }
    return seen.keys.filter { after?.mine[$0] == nil && !PendingRow.isAlike(seen[$0], later[$0]) }
  }

  /// Leads back to another value of a column of the row.
  mutating func showBefore(_ value: FetchValue?, _ column: String) {
    guard let value else { return }
    if before == nil { base?[column] = value } else { before?.show(value, column) }
  }

  /// Has been made to the values that others have set of columns, where it has not set them.
  /// - Returns: The values that were there before the step as well, or would be.
  mutating func takeOver(_ theirs: [String: OwnChange]) -> [String: OwnChange] {
    let (former, later) = (shownBefore, shownAfter)
    let taken = theirs.filter { column, change in
      [former, later].allSatisfy { $0.map { PendingRow.isAlike($0[column], change.before) } ?? true }
    }
    for (column, change) in taken {
      if before == nil || after == nil { base?[column] = change.after }
      before?.show(change.after, column)
      after?.show(change.after, column)
    }
    return taken
  }

  /// The columns that the step has not set, as it has taken a deletion back.
  func columnsUnsetAfterDeletion(among columns: some Sequence<String>) -> Set<String> {
    guard let after, before?.isDeleted == true, !after.isDeleted else { return [] }
    return Set(columns.filter { after.mine[$0] == nil })
  }

  /// Has led to what a save has made of columns that the step has not set, and the save neither.
  /// - Parameter unset: The columns that the step leads back to, as the next one has taken its deletion back.
  mutating func replace(_ own: [String: OwnChange], beforeDeletion unset: Set<String>) {
    let (former, later) = (shownBefore, shownAfter)
    if isDeletion {
      for column in unset where PendingRow.isAlike(former?[column], own[column]?.before) {
        showBefore(own[column]?.after, column)
      }
    }
    for (column, change) in own {
      let isSet = former.map { !PendingRow.isAlike($0[column], later?[column]) } ?? false
      guard PendingRow.isAlike(later?[column], change.before), later != nil else { continue }
      let isOfBoth = !isSet && former != nil
      if after == nil || isOfBoth { base = base.map { $0.merging([column: change.after]) { $1 } } }
      if isOfBoth { before?.show(change.after, column) }
      // A deletion that was taken back had seen it.
      if before?.isDeleted == true { before?.adopt([column: change]) }
      after?.show(change.after, column)
    }
  }
}

extension HistoryStep {
  /// The columns that the step has set, or set back; nil where it has made or removed the row.
  var columnsSet: Set<String>? {
    if let before, let after, before.kind == .insert, after.kind == .insert {
      return Set(after.mine.keys).union(before.mine.keys).filter {
        !PendingRow.isSame(before.mine[$0], after.mine[$0])
      }
    }
    func columns(_ row: PendingRow?) -> StoredRow? {
      guard let row else { return base == nil ? nil : [:] }
      return row.kind == .update ? row.mine : nil
    }
    guard let former = columns(before), let later = columns(after) else { return nil }
    return Set(former.keys).union(later.keys).filter { !PendingRow.isSame(former[$0], later[$0]) }
  }

  mutating func withdraw(_ columns: Set<String>, of step: HistoryStep, base stored: StoredRow?) {
    if before == nil || after == nil { base = stored }
    before = PendingRow.withdraw(columns, of: step, from: before, base: stored)
    after = PendingRow.withdraw(columns, of: step, from: after, base: stored)
    if before == nil || after == nil { base = stored }
  }
}

extension HistoryStep {
  /// Has not set what the save has not written.
  mutating func drop(_ written: SaveOutcome.Written) {
    switch written {
    case .all: break
    case .nothing: after = before
    case .allBut(let columns):
      if after?.isDeleted == false {
        // A row that was removed and made again by this step has the values of others.
        let former = shownBefore ?? base
        for column in columns { after?.mine[column] = former?[column] ?? .null }
        return
      }
      // The row was edited before, discarded or removed, and made again: it comes back without what was not written.
      for column in columns where before?.mine[column] != nil {
        before?.mine[column] = base?[column] ?? .null
      }
    }
  }

  /// Has removed the row, as the save did in which the step was saved.
  mutating func removeRow() {
    guard let shown = shownAfter else { return }
    if shownBefore == nil {
      // What was made and removed has never been.
      after = before
      return
    }
    after = PendingRow(
      base: shown, original: shown, isDeleted: true, serial: after?.serial ?? 0, order: after?.order ?? 0)
  }

  /// Has led to other values than it did, which the database has given to columns.
  /// - Parameter columns: Those of which the steps up to this one have the value that was sent. What this step has set is left out.
  mutating func change(_ columns: inout [String: (sent: FetchValue, left: FetchValue)]) {
    if isEffect {
      // A foreign key has set others, while these were pending.
      let set = columnsSet
      columns = columns.filter { !(set?.contains($0.key) ?? true) }
      return
    }
    let (former, later) = (shownBefore, shownAfter)
    for (column, value) in columns {
      guard let later, PendingRow.isAlike(later[column], value.sent) else {
        columns[column] = nil
        continue
      }
      if let former, PendingRow.isAlike(former[column], value.sent) {
        // A value that it has not set, as where a row that was edited comes back as a new one.
        if before == nil || after == nil { base?[column] = value.left }
        before?.show(value.left, column)
      } else {
        columns[column] = nil
      }
      after?.show(value.left, column)
    }
  }
}
