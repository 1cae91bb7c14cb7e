import LiveDraftStore
import LiveStore

/// A row that the save under way deletes, or changes, by a foreign key as it deletes another one.
struct OwnEffect: Sendable {
  var key: DraftKey
  /// The deleted row with which it goes.
  var cause: DraftKey
  /// The rows by which it goes: that one, or others that have gone along.
  var parents: [DraftKey]
  /// The row as it was right before, in the database.
  let found: StoredRow
  /// The row as the draft has shown it then: with what was pending of it.
  private(set) var shown: StoredRow
  /// The row as undo is to bring it back: with what was pending of it, where that went with it.
  var before: StoredRow
  /// The row with what was set; nil where it was deleted.
  var after: StoredRow?
  /// The columns that it is about, where the row's own edits have set others of those that changed: these are undone apart.
  var columns: Set<String>?
  /// The row as the save was to write it as well; nil where it had nothing to change of it.
  var taken: PendingRow?
  /// Whether the save has written the row before it deleted the other one, where both are written in the order of their edits.
  var isAfterTaken: Bool
  /// The number of the edit as which the next save takes it back, where no step would; nil where undo of the deletion does.
  fileprivate(set) var keptAs: UInt64?
  /// The stacks in which an edit of the row leads to the effect already.
  var corrected: Set<DraftDirection> = []

  /// - Parameter deletion: The deletion that led to it, as the save has taken that.
  init(_ effect: DraftEffect, taken: PendingRow?, of deletion: PendingRow?) {
    (key, cause, parents) = (effect.key, effect.cause, effect.parents)
    (found, shown, before, after) = (effect.before, effect.before, effect.before, effect.after)
    self.taken = taken
    isAfterTaken = taken.map { $0.order < (deletion?.order ?? .max) } ?? false
  }

  /// Takes earlier effects on the row back as well, which are undone before the row is there again.
  /// - Parameter earlier: The columns, as the first of these effects has found them.
  mutating func absorb(_ earlier: StoredRow) {
    before.merge(earlier) { $1 }
    for (column, value) in earlier where PendingRow.isAlike(shown[column], found[column]) {
      shown[column] = value
    }
  }

  /// Has the row come back with what was pending of it.
  mutating func keep(_ pending: PendingRow) {
    if pending.isDeleted { return }
    shown.merge(pending.mine) { $1 }
    before.merge(pending.mine) { $1 }
  }

  /// The columns that were set.
  var changes: [String: OwnChange] {
    after.map { OwnChange.between(before, $0) { columns?.contains($0) ?? true } } ?? [:]
  }

  /// Whether what is pending of the row takes it from those by which it goes.
  func isMovedAway(_ pending: PendingRow) -> Bool {
    pending.mine.contains { column, value in
      parents.contains { PendingRow.isAlike(found[column], $0.id) && !PendingRow.isAlike(value, $0.id) }
    }
  }

  /// The effect on certain columns, and that on the others; itself where one of them would be on none.
  func parts(_ columns: Set<String>) -> [OwnEffect] {
    let others = Set(changes.keys).subtracting(columns)
    if others.isEmpty || others.count == changes.count { return [self] }
    return [columns.intersection(changes.keys), others].map { columns in
      var part = self
      part.columns = columns
      return part
    }
  }
}

/// The rows that the save under way deletes, or changes, by foreign keys.
struct OwnEffects: Sendable {
  private(set) var all: [OwnEffect] = []
  private var positions: [DraftKey: [Int]] = [:]
  /// The position of the first effect of each deletion; the others follow it.
  private var causes: [DraftKey: Int] = [:]

  init() {}

  init(_ effects: [OwnEffect]) {
    all = effects
    for (position, effect) in all.enumerated() {
      positions[effect.key, default: []].append(position)
      causes[effect.cause] = causes[effect.cause] ?? position
    }
  }

  /// The effects on a row.
  subscript(key: DraftKey) -> [OwnEffect] { positions[key]?.map { all[$0] } ?? [] }

  /// The effects of a deletion.
  func of(_ cause: DraftKey) -> ArraySlice<OwnEffect> {
    causes[cause].map { all[$0...].prefix { $0.cause == cause } } ?? []
  }

  /// Whether the deletion of a row has led to any.
  func isCause(_ key: DraftKey) -> Bool { causes[key] != nil }

  /// The position of the effect that has deleted a row.
  func deletion(of key: DraftKey) -> Int? { positions[key]?.last { all[$0].after == nil } }

  /// Changes the effects on a row, one after the other.
  /// - Parameter change: Is also given all effects on the row.
  mutating func changeEach(of key: DraftKey, _ change: (inout OwnEffect, [OwnEffect]) -> Void) {
    let effects = self[key]
    for position in positions[key] ?? [] { change(&all[position], effects) }
  }

  /// Notes that an effect is not undone with the deletion that led to it, but with an edit of its row.
  mutating func leaveToEdit(at position: Int) { all[position].corrected.insert(.undo) }

  /// Notes that an effect is neither undone nor redone with a deletion.
  mutating func leave(at position: Int) { all[position].corrected = Set(DraftDirection.allCases) }

  /// Notes that columns of an effect are not undone with the deletion that led to it.
  mutating func leave(_ columns: Set<String>, at position: Int) {
    let changed = Set(all[position].changes.keys)
    if changed.isDisjoint(with: columns) { return }
    all[position].columns = changed.subtracting(columns)
    if changed.isSubset(of: columns) { leave(at: position) }
  }

  /// Notes that the next save takes an effect back.
  mutating func keep(at position: Int, as order: UInt64) { all[position].keptAs = order }

  /// Has a row come back with what was pending of it.
  mutating func keep(_ pending: PendingRow, at position: Int) { all[position].keep(pending) }
}

extension [OwnEffect] {
  /// The next of the effects on one row, of another deletion.
  func next(after effect: OwnEffect) -> OwnEffect? {
    guard let last = lastIndex(where: { $0.cause == effect.cause }) else { return nil }
    return self[(last + 1)...].first
  }
}
