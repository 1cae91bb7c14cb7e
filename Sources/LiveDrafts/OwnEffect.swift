import LiveStore

/// A row that the save under way deletes, or changes, by a foreign key as it deletes another one.
struct OwnEffect: Sendable {
  var key: DraftKey
  /// The row with which it goes.
  var cause: DraftKey
  /// The row as undo is to bring it back: with what was pending of it, where that went with it.
  var before: StoredRow
  /// The row with what was set; nil where it was deleted.
  var after: StoredRow?
  /// The columns that it is about, where the row's own edits have set others of those that changed: these are undone apart.
  var columns: Set<String>?
  /// Whether the save wrote the row as well.
  var isTaken = false
  /// The columns that the save was to set, with their values.
  var sent: StoredRow = [:]
  /// Whether the save was to delete the row anyway.
  var isDeletedAnyway = false
  /// The row as the save has left it, or as the next effect found it.
  var left: StoredRow?
  /// Whether an edit that was made later than the other row was deleted, or with it, has set the same or made the row, and both are
  /// undone already.
  var isUndoneByEdit = false

  /// The columns that were set.
  var changes: [String: OwnChange] {
    after.map { OwnChange.between(before, $0) { columns?.contains($0) ?? true } } ?? [:]
  }

  /// The effect on certain columns, and that on the others; itself where one of them would be on none.
  fileprivate func parts(_ columns: Set<String>) -> [OwnEffect] {
    let others = Set(changes.keys).subtracting(columns)
    if others.isEmpty || others.count == changes.count { return [self] }
    return [columns.intersection(changes.keys), others].map { columns in
      var part = self
      part.columns = columns
      return part
    }
  }

  /// The row as one that has to be inserted again, or changed back.
  func takenBack(over pending: PendingRow?) -> PendingRow? {
    guard let after else {
      if pending?.kind == .insert { return pending }
      return PendingRow(base: pending?.base, mine: before.merging(pending?.mine ?? [:]) { $1 })
    }
    var row = pending ?? PendingRow(base: after, original: after)
    if row.isDeleted { return row }
    row.set(changes.mapValues(\.before))
    return row
  }
}

/// The rows that the save under way deletes, or changes, by foreign keys.
struct OwnEffects: Sendable {
  private(set) var all: [OwnEffect] = []
  private var positions: [DraftKey: [Int]] = [:]

  init() {}

  init(_ effects: [OwnEffect]) {
    all = effects
    for (position, effect) in all.enumerated() { positions[effect.key, default: []].append(position) }
  }

  /// The effects on a row.
  subscript(key: DraftKey) -> [OwnEffect] { positions[key]?.map { all[$0] } ?? [] }

  /// The next effect on the same row, of another deletion.
  func next(after effect: OwnEffect) -> OwnEffect? {
    let others = self[effect.key]
    guard let last = others.lastIndex(where: { $0.cause == effect.cause }) else { return nil }
    return others[(last + 1)...].first
  }

  /// The position of the effect that has deleted a row.
  func deletion(of key: DraftKey) -> Int? { positions[key]?.last { all[$0].after == nil } }

  /// Notes which effects on rows of the save were undone already.
  mutating func noteUndone(in table: String, _ isUndone: (OwnEffect) -> Bool) {
    for position in all.indices where all[position].isTaken && all[position].key.table == table {
      all[position].isUndoneByEdit = isUndone(all[position])
    }
  }

  /// Has a row come back with what was pending of it.
  /// - Parameter values: The row, or columns of it.
  mutating func keep(_ pending: PendingRow, _ values: StoredRow?, at position: Int) {
    if pending.isDeleted {
      all[position].isUndoneByEdit = true
    } else {
      all[position].before.merge(values ?? [:]) { $1 }
    }
  }
}

extension DraftLayer {
  /// Notes what the save that is under way does to rows that it was not told to change.
  mutating func noteEffects(_ effects: [DraftEffect]) {
    self.effects = OwnEffects(
      effects.flatMap { effect in
        let key = DraftKey(effect.table, effect.id)
        let own = OwnEffect(
          key: key, cause: DraftKey(effect.cause.table, effect.cause.id), before: effect.before,
          after: effect.after, isTaken: saving[key].map { !$0.isInStore } ?? false,
          sent: saving[key]?.mine ?? [:], isDeletedAnyway: saving[key]?.isDeleted ?? false)
        return own.isTaken ? own.parts(history.columnsSet(beside: own, upTo: savingSerial)) : [own]
      })
  }

  /// Learns of the effects in a table, as the commit of the save comes round: what is pending of rows that it has not written goes
  /// with rows that are gone, and stands on what was set of the others.
  /// - Returns: The rows of which nothing is pending any more.
  mutating func takeEffects(in table: String) -> [DraftKey] {
    seenTables.insert(table)
    effects.noteUndone(in: table) { history.isUndoneByEdit($0, after: savingSerial) }
    var gone: [DraftKey] = []
    for (position, effect) in effects.all.enumerated() where effect.key.table == table && !effect.isTaken {
      // Of rows that the save has taken the commit's event is to follow.
      guard saving[effect.key] == nil else { continue }
      guard var pending = self[effect.key] else {
        history.noteEffect(effect.key, upTo: serial, from: effect.before, left: effect.after)
        continue
      }
      if effect.after == nil {
        fold(pending, effect.key, into: position, after: history.savedSerial(effect.key))
        store(nil, effect.key)
        gone.append(effect.key)
      } else {
        pending.adopt(effect.changes)
        store(pending, effect.key)
        history.adopt(effect.key, effect.changes)
      }
    }
    return gone
  }

  /// Has what is pending of a row go with it: it comes back with the row.
  mutating func fold(_ pending: PendingRow, _ key: DraftKey, into position: Int, after serial: UInt64) {
    // Of a row that was being saved it is known what it was to be, and that is shown.
    effects.keep(pending, pending.isAhead ? pending.shown : pending.mine, at: position)
    history.removeSteps(key, after: serial)
  }

  /// Whether the commit of the save has come round in all tables in which foreign keys have done something.
  var hasSeenEffects: Bool {
    !effects.all.isEmpty
      && effects.all.allSatisfy { seenTables.contains($0.key.table) && seenTables.contains($0.cause.table) }
  }

  /// Makes the effects part of the deletions that led to them, so that they are undone together.
  /// - Returns: What lists are to learn: where a deletion was undone while it was being saved, its effects are taken back at once.
  mutating func recordEffects() -> [RowEffect] {
    let all = effects
    var rest = all.all[...]
    effects = OwnEffects()
    var restored: [RowEffect] = []
    while let cause = rest.first?.cause {
      let group = rest.prefix { $0.cause == cause }
      rest = rest.dropFirst(group.count)
      if history.record(group, of: cause, among: all, upTo: savingSerial) { continue }
      guard let path = history.undone(cause, after: savingSerial) else { continue }
      var steps: [HistoryStep] = []
      for effect in group where !effect.isUndoneByEdit {
        let before = self[effect.key]
        guard var row = effect.takenBack(over: before), row != before else { continue }
        (row.serial, row.order) = (serial, nextOrder())
        restored.append(replace(effect.key, by: row, base: effect.after))
        steps.append(HistoryStep(key: effect.key, before: before, after: row, base: effect.after))
      }
      history.add(steps, at: path)
    }
    return restored
  }
}

extension DraftHistory {
  /// The path to a step among those that can be undone, or redone.
  struct StepPath {
    var stack: WritableKeyPath<DraftHistory, [HistoryGroup]>
    var group: Int
    var step: Int
  }

  /// The last deletion of a row.
  private mutating func deletion(of key: DraftKey) -> StepPath? { deletions(of: key).first }

  /// The last deletion of a row, and the step of the other stack that takes it back as well: that of what was done before the last
  /// undo, or of what was undone.
  private mutating func deletions(of key: DraftKey) -> [StepPath] {
    var last: [(serial: UInt64, path: StepPath, isDeletion: Bool)] = []
    for stack in [\Self.undo, \Self.redo] {
      for group in self[keyPath: stack].indices.reversed() {
        guard let step = self[keyPath: stack][group].position(of: key) else { continue }
        let (serial, found) = (self[keyPath: stack][group].serial, self[keyPath: stack][group].steps[step])
        last.append((serial, StepPath(stack: stack, group: group, step: step), found.isDeletion))
        break
      }
    }
    last.sort { $0.serial > $1.serial }
    return last.first?.isDeletion == true ? last.filter(\.isDeletion).map(\.path) : []
  }

  /// The columns of an effect that the row's own edits have set which are undone before the deletion that led to it, or with it.
  fileprivate mutating func columnsSet(beside effect: OwnEffect, upTo serial: UInt64) -> Set<String> {
    guard let path = deletion(of: effect.cause) else { return [] }
    let deletion = self[keyPath: path.stack][path.group].serial
    var columns: Set<String> = []
    for stack in [\Self.undo, \Self.redo] {
      for group in self[keyPath: stack].indices
      where self[keyPath: stack][group].serial >= deletion && self[keyPath: stack][group].serial <= serial {
        guard let step = self[keyPath: stack][group].position(of: effect.key) else { continue }
        let found = self[keyPath: stack][group].steps[step]
        if !found.isEffect { columns.formUnion(found.columnsSet(of: effect)) }
      }
    }
    return columns
  }

  /// Whether the deletion that led to an effect on a row which the save wrote can be taken back, and the effect with it.
  mutating func isUndoneLater(_ effect: OwnEffect, upTo serial: UInt64) -> Bool {
    deletion(of: effect.cause) != nil || !effect.isUndoneByEdit && undone(effect.cause, after: serial) != nil
  }

  /// Whether an effect is on columns that edits have set which were made later than the deletion, or with it, and are undone with it.
  mutating func isUndoneByEdit(_ effect: OwnEffect, after serial: UInt64) -> Bool {
    guard effect.after != nil, deletion(of: effect.cause) == nil,
      let path = undone(effect.cause, after: serial)
    else { return false }
    // What was undone first was edited last.
    for group in 0...path.group where self[keyPath: path.stack][group].serial > serial {
      guard let step = self[keyPath: path.stack][group].position(of: effect.key) else { continue }
      if self[keyPath: path.stack][group].steps[step].hasSet(effect) { return true }
    }
    return false
  }

  /// Makes effects part of the deletion that led to them.
  /// - Parameter all: All effects of the save.
  /// - Returns: false where that can no longer be taken back.
  mutating func record(
    _ effects: ArraySlice<OwnEffect>, of cause: DraftKey, among all: OwnEffects, upTo serial: UInt64
  ) -> Bool {
    let paths = deletions(of: cause)
    if paths.isEmpty { return false }
    for stack in [\Self.undo, \Self.redo] {
      let path = paths.first { $0.stack == stack }
      var rest: [OwnEffect] = []
      for effect in effects {
        let left = all.next(after: effect)?.before ?? left(effect.key)
        if lead(to: effect, left: left, in: stack, after: path, upTo: serial) { continue }
        if let path, let effect = due(effect, left: left, at: path, among: all) { rest.append(effect) }
      }
      if let path { record(rest, at: path, upTo: serial) }
    }
    return true
  }

  /// Returns what of an effect is to be taken back with a deletion; nil where that is nothing.
  /// - Parameter left: The row as the save has left it, or as the next effect found it.
  private mutating func due(
    _ effect: OwnEffect, left: StoredRow?, at path: StepPath, among all: OwnEffects
  ) -> OwnEffect? {
    var effect = effect
    effect.left = left
    for other in all[effect.key] where other.cause != effect.cause {
      guard let place = deletions(of: other.cause).first(where: { $0.stack == path.stack }) else { continue }
      // The row comes back later, as it was before both.
      if effect.after != nil, other.after == nil, place.group < path.group { return nil }
      if effect.after == nil, other.after != nil, place.group > path.group {
        effect.before.merge(other.changes.mapValues(\.before)) { $1 }
      }
    }
    if effect.after == nil { takeEarlier(effect.key, at: path, into: &effect.before) }
    guard effect.isTaken, effect.after != nil, let left else { return effect }
    // What the save itself was to set, or has set after that, is none of it.
    let columns = effect.changes.filter { column, change in
      let isSent = effect.sent[column].map { PendingRow.isAlike($0, change.after) } ?? false
      return PendingRow.isAlike(left[column], change.after) && !isSent
    }.keys
    effect.columns = Set(columns)
    return columns.isEmpty ? nil : effect
  }

  /// Has a row come back as it was before what earlier saves have done to it with deletions that are taken back before it is there.
  private mutating func takeEarlier(_ key: DraftKey, at path: StepPath, into row: inout StoredRow) {
    for group in self[keyPath: path.stack].indices[(path.group + 1)...].reversed() {
      guard let step = self[keyPath: path.stack][group].position(of: key) else { continue }
      let found = self[keyPath: path.stack][group].steps[step]
      guard found.isEffect, let former = found.shownBefore, let columns = found.columnsSet else { continue }
      row.merge(former.filter { columns.contains($0.key) }) { $1 }
      _ = self[keyPath: path.stack][group].remove(key)
    }
  }

  /// Has the last saved edit of a row that has set the same lead to an effect, if it is taken back before the deletion.
  /// - Parameter path: The deletion; nil where the stack has none.
  /// - Returns: false where there is no such edit.
  private mutating func lead(
    to effect: OwnEffect, left: StoredRow?, in stack: WritableKeyPath<DraftHistory, [HistoryGroup]>,
    after path: StepPath?, upTo serial: UInt64
  ) -> Bool {
    for group in self[keyPath: stack].indices[(path.map { $0.group + 1 } ?? 0)...].reversed() {
      let number = self[keyPath: stack][group].serial
      guard number <= serial, isSaved(effect.key, number),
        let step = self[keyPath: stack][group].position(of: effect.key)
      else { continue }
      let found = self[keyPath: stack][group].steps[step]
      guard !found.isEffect, found.hasSet(effect) else { continue }
      self[keyPath: stack][group].steps[step].lead(to: effect, left: left)
      return true
    }
    return false
  }

  private mutating func record(_ effects: [OwnEffect], at path: StepPath, upTo serial: UInt64) {
    let isSaved = self[keyPath: path.stack][path.group].serial <= serial
    var steps: [HistoryStep] = []
    var moved: Set<Int> = []
    for effect in effects {
      let own = self[keyPath: path.stack][path.group].position(of: effect.key)
      if effect.after == nil, let own, own > path.step,
        self[keyPath: path.stack][path.group].steps[own].isDeletion
      {
        // The row was to be deleted later, and went with the other one.
        steps.append(self[keyPath: path.stack][path.group].steps[own])
        moved.insert(own)
        continue
      }
      if let own {
        let isOwnSaved = self.isSaved(effect.key, self[keyPath: path.stack][path.group].serial)
        self[keyPath: path.stack][path.group].steps[own].join(effect, isSaved: isOwnSaved)
      } else if effect.isDeletedAnyway {
        continue
      } else if isSaved {
        let after =
          effect.after == nil
          ? PendingRow(base: effect.before, original: effect.before, isDeleted: true)
          : PendingRow(base: effect.before, original: effect.before, mine: effect.changes.mapValues(\.after))
        steps.append(HistoryStep(key: effect.key, after: after, base: effect.before, isEffect: true))
      } else {
        steps.append(
          HistoryStep(key: effect.key, before: effect.takenBack(over: nil), base: effect.after))
      }
    }
    // Steps are taken back last first: each row comes back after those that it refers to.
    self[keyPath: path.stack][path.group].insert(steps.reversed(), at: path.step, removing: moved)
    trim()
  }

  /// The path to the step that has taken a deletion back: by undo, or by redo of what had undone it.
  mutating func undone(_ cause: DraftKey, after serial: UInt64) -> StepPath? {
    for stack in [\Self.redo, \Self.undo] {
      for group in self[keyPath: stack].indices.reversed() {
        guard self[keyPath: stack][group].serial > serial else { break }
        guard self[keyPath: stack][group].isInverse,
          let step = self[keyPath: stack][group].position(of: cause)
        else { continue }
        let found = self[keyPath: stack][group].steps[step]
        // Deleted again, or for good.
        if found.shownAfter == nil { break }
        if found.shownBefore == nil { return StepPath(stack: stack, group: group, step: step) }
      }
    }
    return nil
  }

  /// Adds what was taken back of effects to the undone deletion.
  mutating func add(_ steps: [HistoryStep], at path: StepPath) {
    var known: Set<DraftKey> = []
    let new = steps.filter {
      self[keyPath: path.stack][path.group].position(of: $0.key) == nil && known.insert($0.key).inserted
    }
    // What was undone first is redone last: each row goes before those that it refers to.
    self[keyPath: path.stack][path.group].insert(new, at: path.step + 1)
  }
}

extension HistoryStep {
  fileprivate var isDeletion: Bool { shownAfter == nil && shownBefore != nil }

  /// The columns of an effect that the step has set: all where it has made or removed the row.
  fileprivate func columnsSet(of effect: OwnEffect) -> Set<String> {
    let columns = Set(effect.changes.keys)
    guard let former = shownBefore, let later = shownAfter else { return columns }
    return columns.filter { !PendingRow.isAlike(former[$0], later[$0]) }
  }

  /// Whether the step has set what an effect changes.
  fileprivate func hasSet(_ effect: OwnEffect) -> Bool {
    if effect.after == nil || shownBefore == nil || shownAfter == nil { return true }
    return !columnsSet(of: effect).isEmpty
  }

  /// Leads to what the save has left of a row that an effect has changed.
  fileprivate mutating func lead(to effect: OwnEffect, left: StoredRow?) {
    guard let left else { return removeRow() }
    for column in effect.changes.keys {
      let value = left[column] ?? .null
      after?.show(value, column)
      if after == nil { base?[column] = value }
    }
  }

  /// Has also done what an effect did, of a row of which it has set something else.
  /// - Parameter isSaved: Whether it was saved; otherwise it is to lead back to a row that is pending, as it takes the effect back.
  fileprivate mutating func join(_ effect: OwnEffect, isSaved: Bool) {
    if isSaved || isEffect {
      lead(to: effect, left: isEffect ? effect.after : effect.left)
    } else if effect.after != nil, before?.kind != .insert {
      before = effect.takenBack(over: before)
    }
  }
}
