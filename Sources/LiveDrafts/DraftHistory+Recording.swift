import LiveDraftStore
import LiveStore

// The recording of what foreign keys have done, once all of a save is known: each effect becomes part of the step that takes it back.

extension DraftHistory {
  /// Makes effects part of the deletion that led to them, or of edits with which their rows come back.
  /// - Parameters:
  ///   - all: All effects of the save.
  ///   - returns: Where the rows of other deletions come back, as far as it was asked for.
  mutating func record(
    _ effects: ArraySlice<OwnEffect>, of cause: DraftKey, among all: OwnEffects, upTo serial: UInt64,
    _ returns: inout [DraftDirection: [DraftKey: ReturnPaths]]
  ) {
    let deletions = deletions(of: cause, upTo: serial)
    for direction in DraftDirection.allCases {
      let deletion = deletions.first { $0.direction == direction }
      record(
        effects, of: cause, among: all, in: direction, with: deletion, upTo: serial,
        &returns[direction, default: [:]])
    }
  }

  /// Makes effects part of the steps of a stack with which their rows come back: of the deletion, or of an edit of a row with which they
  /// have gone along.
  /// - Parameter deletion: The deletion that led to them; nil where the stack has none.
  private mutating func record(
    _ effects: ArraySlice<OwnEffect>, of cause: DraftKey, among all: OwnEffects, in direction: DraftDirection,
    with deletion: StepPath?, upTo serial: UInt64, _ others: inout [DraftKey: ReturnPaths]
  ) {
    var returns = ReturnPaths(cause: cause, deletion: deletion)
    var joining: [StepPath: [(effect: OwnEffect, left: StoredRow?)]] = [:]
    // Each row comes after those that it refers to.
    for effect in effects {
      let left = row(after: effect, among: all[effect.key])
      let last = returns.path(of: effect)
      if effect.corrected.contains(direction)
        || correctLastEdit(
          by: effect, among: all[effect.key], left: left, in: direction, after: last, upTo: serial,
          isShown: last != nil || direction == .redo && deletion == nil)
      {
        if effect.after == nil {
          let last = lastDeletion(of: effect.key, in: direction, upTo: serial)
          returns.note(effect.key, last)
          if let last { showBefore(last, effectsOn: effect.key, among: all, upTo: serial) }
        }
        continue
      }
      if effect.after == nil { returns.note(effect.key, last) }
      guard let last else { continue }
      for other in all[effect.key] where other.cause != cause && others[other.cause] == nil {
        others[other.cause] = self.returns(of: other.cause, among: all, in: direction, upTo: serial)
      }
      guard let part = partTakenBack(of: effect, left: left, with: last, among: all, others, upTo: serial)
      else { continue }
      if direction == .undo, deletion == nil, effect.after != nil, effect.taken == nil {
        noteEffect(on: effect, takenBackAt: last)
      }
      joining[last, default: []].append((part, left))
    }
    // From the last on, so that the paths stay right.
    for path in joining.keys.sorted(by: >) {
      var joined = joining[path] ?? []
      absorbEarlierEffects(into: &joined, at: path)
      join(joined, among: all, to: path)
    }
  }

  /// The steps of a stack with which the rows come back that went along with a deletion, before that is recorded.
  private mutating func returns(
    of cause: DraftKey, among all: OwnEffects, in direction: DraftDirection, upTo serial: UInt64
  ) -> ReturnPaths {
    let deletion = deletion(of: cause, in: direction, upTo: serial)
    var returns = ReturnPaths(cause: cause, deletion: deletion)
    for effect in all.of(cause) where effect.after == nil {
      let last = returns.path(of: effect)
      let own = paths(of: effect.key, in: direction, from: last.map { $0.group + 1 } ?? 0).first { path in
        let number = self.serial(at: path)
        return number <= serial && isSaved(effect.key, number) && !self[path].isEffect
      }
      returns.note(effect.key, own ?? (effect.corrected.contains(direction) ? nil : last))
    }
    return returns
  }

  /// The last saved step of a row in a stack, if it has removed the row: with that one it comes back.
  private mutating func lastDeletion(
    of key: DraftKey, in direction: DraftDirection, upTo serial: UInt64
  ) -> StepPath? {
    paths(of: key, in: direction).first { path in
      let number = self.serial(at: path)
      return number <= serial && (self[path].isEffect || isSaved(key, number)) && self[path].isDeletion
    }
  }

  /// A row as the save has left it, or as the next effect of the save found it.
  private func row(after effect: OwnEffect, among effects: [OwnEffect]) -> StoredRow? {
    effects.next(after: effect)?.found ?? left(effect.key)
  }

  /// Corrects the row's own edits by an effect, as far as they are taken back before the deletion that led to it.
  /// - Returns: The stacks that have such an edit.
  mutating func correctEdits(by effect: OwnEffect, among effects: [OwnEffect], upTo serial: UInt64)
    -> [DraftDirection]
  {
    let deletions = deletions(of: effect.cause, upTo: serial)
    if deletions.isEmpty { return [] }
    let left = row(after: effect, among: effects)
    return DraftDirection.allCases.filter { direction in
      let deletion = deletions.first { $0.direction == direction }
      return correctLastEdit(
        by: effect, among: effects, left: left, in: direction, after: deletion, upTo: serial)
    }
  }

  /// Corrects the last saved edit of a row that has set the same as an effect, if it is taken back before the deletion.
  /// - Parameters:
  ///   - left: The row as the edit has led to it.
  ///   - deletion: The deletion; nil where the stack has none.
  ///   - isShown: Whether what was edited after the deletion shows the effect where there is no such edit. What can be redone is after it.
  /// - Returns: false where there is no such edit.
  private mutating func correctLastEdit(
    by effect: OwnEffect, among effects: [OwnEffect], left: StoredRow?, in direction: DraftDirection,
    after deletion: StepPath?, upTo serial: UInt64, isShown: Bool = false
  ) -> Bool {
    var later: [StepPath] = []
    for path in paths(of: effect.key, in: direction, from: deletion.map { $0.group + 1 } ?? 0) {
      let number = self.serial(at: path)
      // An earlier save had removed the row already: it comes back with that deletion.
      if effect.after == nil, self[path].isEffect, self[path].isDeletion { return true }
      guard number <= serial, isSaved(effect.key, number), !self[path].isEffect else { continue }
      guard self[path].hasSet(effect), !self[path].hasLetGo(after: effect) else {
        later.append(path)
        continue
      }
      if left == nil {
        takeOver(effect.key, self[path].unknown(beside: effect, among: effects), from: path)
        if effect.after == nil { forgetEarlierEffects(on: effect.key, after: path) }
      }
      self[path].lead(to: effect, left: left)
      for path in later { self[path].carry(effect, left: left) }
      return true
    }
    if isShown { for path in later { self[path].carry(effect, left: left) } }
    return false
  }

  /// Returns the part of an effect that is to be taken back with a deletion; nil where that is nothing.
  /// - Parameters:
  ///   - left: The row as the save has left it, or as the next effect found it.
  ///   - others: Where the rows come back that went along with other deletions.
  private mutating func partTakenBack(
    of effect: OwnEffect, left: StoredRow?, with deletion: StepPath, among all: OwnEffects,
    _ others: [DraftKey: ReturnPaths], upTo serial: UInt64
  ) -> OwnEffect? {
    var part = effect
    // From the last on: the row comes back as it was before the first.
    for other in all[effect.key].reversed() where other.cause != effect.cause {
      guard let otherDeletion = self.deletion(of: other.cause, in: deletion.direction, upTo: serial)
      else { continue }
      if effect.after != nil, other.after == nil {
        // The row comes back later than this, and as it was before it.
        let path = others[other.cause]?[effect.key] ?? otherDeletion
        if path.group < deletion.group { return nil }
      }
      if effect.after == nil, other.after != nil {
        // That is taken back before the row is there: the row comes back with it.
        let path = others[other.cause]?.path(of: other) ?? otherDeletion
        if path.group > deletion.group { part.before.merge(other.changes.mapValues(\.before)) { $1 } }
      }
    }
    guard let taken = effect.taken, effect.after != nil, let left else { return part }
    // Columns that the save itself set to this value, or set again afterwards, are not the foreign key's doing.
    let columns = effect.changes.filter { column, change in
      let isSent = taken.mine[column].map { PendingRow.isAlike($0, change.after) } ?? false
      return PendingRow.isAlike(left[column], change.after) && !isSent
    }.keys
    part.columns = Set(columns)
    return columns.isEmpty ? nil : part
  }

  /// Has a deletion of a row bring it back as it was before the effects of the same save on its columns which are taken back before the row is
  /// there again.
  private mutating func showBefore(
    _ path: StepPath, effectsOn key: DraftKey, among all: OwnEffects, upTo serial: UInt64
  ) {
    for other in all[key].reversed() where other.after != nil {
      guard let deletion = deletion(of: other.cause, in: path.direction, upTo: serial),
        deletion.group > path.group
      else { continue }
      for (column, change) in other.changes { self[path].showBefore(change.before, column) }
    }
  }

  /// Adds to rows that come back with a deletion what earlier saves have changed of them.
  private mutating func absorbEarlierEffects(
    into joining: inout [(effect: OwnEffect, left: StoredRow?)], at deletion: StepPath
  ) {
    for position in joining.indices where joining[position].effect.after == nil {
      let earlier = forgetEarlierEffects(on: joining[position].effect.key, after: deletion)
      joining[position].effect.absorb(earlier)
    }
  }

  /// Forgets what earlier saves have done to a row that was deleted, with deletions that are undone before the row is there again.
  mutating func forgetEarlierEffects(onDeleted key: DraftKey) {
    let last = paths(of: key, in: .undo).first { !self[$0].isEffect }
    if let last, self[last].isDeletion { forgetEarlierEffects(on: key, after: last) }
  }

  /// Forgets what earlier saves have done to a row with deletions that are undone before the row is there again.
  /// - Parameter path: The step with which it comes back.
  /// - Returns: The columns, as the first of these saves has found them.
  @discardableResult
  private mutating func forgetEarlierEffects(on key: DraftKey, after path: StepPath) -> StoredRow {
    var found: StoredRow = [:]
    for group in self[keyPath: path.direction.stack].indices[(path.group + 1)...].reversed() {
      guard let position = self[keyPath: path.direction.stack][group].position(of: key) else { continue }
      let step = self[keyPath: path.direction.stack][group].steps[position]
      guard step.isEffect, let former = step.shownBefore, let columns = step.columnsSet else { continue }
      found.merge(former.filter { columns.contains($0.key) }) { $1 }
      // A step that does nothing: to take each out of its group would cost as much as that has steps.
      self[keyPath: path.direction.stack][group].steps[position].remove()
    }
    return found
  }

  /// Makes effects part of a deletion.
  private mutating func join(
    _ effects: [(effect: OwnEffect, left: StoredRow?)], among all: OwnEffects, to deletion: StepPath
  ) {
    var steps: [HistoryStep] = []
    var moved: Set<Int> = []
    for (effect, left) in effects {
      let own = self[keyPath: deletion.direction.stack][deletion.group].position(of: effect.key)
      if let own {
        let path = StepPath(direction: deletion.direction, group: deletion.group, step: own)
        if effect.after == nil, own > deletion.step, self[path].isDeletion {
          // The row was to be deleted later, and went with the other one.
          steps.append(self[path])
          moved.insert(own)
        } else {
          if effect.after == nil {
            takeOver(effect.key, self[path].unknown(beside: effect, among: all[effect.key]), from: path)
          }
          if effect.after != nil, !self[path].isEffect {
            self[path].joined.append(HistoryStep(saved: effect))
          }
          self[path].lead(to: effect, left: self[path].isEffect ? effect.after : left)
        }
      } else if effect.taken?.isDeleted != true {
        steps.append(HistoryStep(saved: effect))
      }
    }
    // Steps are taken back last first: each row comes back after those that it refers to.
    self[keyPath: deletion.direction.stack][deletion.group].insert(
      steps.reversed(), at: deletion.step, removing: moved)
  }
}
