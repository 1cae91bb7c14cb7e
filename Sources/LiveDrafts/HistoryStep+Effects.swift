import LiveStore

// The effects of foreign keys on a row, in its steps.
extension HistoryStep {
  /// Creates a step that has done what an effect did, in a deletion that was saved.
  init(saved effect: OwnEffect) {
    let after =
      effect.after == nil
      ? PendingRow(base: effect.before, original: effect.before, isDeleted: true)
      : PendingRow(base: effect.before, original: effect.before, mine: effect.changes.mapValues(\.after))
    self.init(key: effect.key, after: after, base: effect.before, isEffect: true, isSaved: true)
  }

  var isDeletion: Bool { shownAfter == nil && shownBefore != nil }

  /// Whether the step makes a row where there was none, or takes that back.
  var makesRow: Bool {
    !isEffect && base == nil && (before ?? after)?.kind == .insert && (before == nil || after == nil)
  }

  /// The columns of an effect that the step has set: all where it has made or removed the row.
  func columnsSet(of effect: OwnEffect) -> Set<String> {
    let columns = Set(effect.changes.keys)
    guard let former = shownBefore, let later = shownAfter else { return columns }
    return columns.filter { !PendingRow.isAlike(former[$0], later[$0]) }
  }

  /// Whether the step has set what an effect changes.
  func hasSet(_ effect: OwnEffect) -> Bool {
    if effect.after == nil || shownBefore == nil || shownAfter == nil { return true }
    return !columnsSet(of: effect).isEmpty
  }

  /// Whether the step leads to a row that is gone, with another one or by an edit which the save has not taken, after an effect on columns
  /// which the step has not set.
  func hasLetGo(after effect: OwnEffect) -> Bool {
    guard effect.after != nil, effect.taken?.isDeleted != true, isDeletion, let shownBefore else {
      return false
    }
    return effect.changes.allSatisfy { column, change in
      // An edit that the save has not taken stands on what the effect has left.
      PendingRow.isAlike(shownBefore[column], change.before)
        || effect.taken == nil && PendingRow.isAlike(shownBefore[column], change.after)
    }
  }

  /// The values that others have set since of a row which went along: those that no effect has changed.
  func unknown(beside effect: OwnEffect, among effects: [OwnEffect]) -> [String: OwnChange] {
    guard let shownAfter else { return [:] }
    let known = Set(effects.flatMap(\.changes.keys))
    return OwnChange.between(shownAfter, effect.shown) { !known.contains($0) }
  }

  /// Leads to what the save has left of a row that an effect has changed.
  mutating func lead(to effect: OwnEffect, left: StoredRow?) {
    guard let left else { return removeRow() }
    for (column, change) in effect.changes {
      let value = left[column] ?? .null
      // Not the row of the store, on which the step is still to stand.
      if after == nil, let base { after = PendingRow(base: base, original: base) }
      after?.show(value, column)
      if before?.isDeleted == true { before?.adopt([column: OwnChange(before: change.before, after: value)]) }
    }
  }

  /// Shows what the save has left of columns that an earlier edit has set, and an effect has changed.
  mutating func carry(_ effect: OwnEffect, left: StoredRow?) {
    guard let left else { return }
    for (column, change) in effect.changes {
      let change = OwnChange(before: change.before, after: left[column] ?? .null)
      if before == nil, isDeletion, PendingRow.isAlike(base?[column], change.before) {
        base?[column] = change.after
      }
      before?.carry(change, column)
      after?.carry(change, column)
    }
  }

  /// Comes before what a save has done to the row: it stands on the row as that has found it.
  /// - Returns: The columns that the step has not set, so that later ones come before that as well.
  mutating func move(before changes: [String: OwnChange]) -> [String: OwnChange] {
    let (former, later) = (shownBefore, shownAfter)
    var left: [String: OwnChange] = [:]
    for (column, change) in changes
    where former.map({ PendingRow.isAlike($0[column], change.after) }) ?? false {
      if before == nil { before = PendingRow(base: base, original: base) }
      before?.show(change.before, column)
      guard let later, PendingRow.isAlike(later[column], change.after) else { continue }
      if after == nil { after = PendingRow(base: base, original: base) }
      after?.show(change.before, column)
      left[column] = change
    }
    return left
  }
}
