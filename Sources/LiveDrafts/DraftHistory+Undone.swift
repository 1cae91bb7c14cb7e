import LiveStore

// Deletions that were undone while they were being saved: what foreign keys have done by them is taken back at once.

extension DraftHistory {
  /// The path to the step that has taken a deletion back: by undo, or by redo of what had undone it.
  mutating func undone(_ cause: DraftKey, after serial: UInt64) -> StepPath? {
    // The deletion that was saved is the last, and was undone first. Undo of older edits may have removed the row since.
    let first = paths(of: cause, in: .redo).last {
      self.serial(at: $0) > serial && redo[$0.group].edit <= serial
    }
    if let first, self[first].shownBefore == nil, self[first].shownAfter != nil { return first }
    for path in paths(of: cause, in: .undo) {
      guard self.serial(at: path) > serial else { break }
      guard undo[path.group].isInverse else { continue }
      // Deleted again, or for good.
      if self[path].shownAfter == nil { break }
      if self[path].shownBefore == nil { return path }
    }
    return nil
  }

  /// Notes the deletions of the save under way that were undone since, as what can be redone is about to be forgotten.
  mutating func noteUndoneForGood() {
    guard let lastSaving else { return }
    for group in redo where group.edit <= lastSaving {
      for step in group.steps where step.shownBefore == nil && step.shownAfter != nil {
        undoneForGood.insert(step.key)
      }
    }
  }

  /// Whether the last edit of a row was made up to a number, and undone since. Earlier ones may have been redone.
  mutating func isUndone(_ key: DraftKey, after serial: UInt64) -> Bool {
    guard let undone = lastPath(of: key, in: .redo), self.serial(at: undone) > serial,
      redo[undone.group].edit <= serial
    else { return false }
    return lastPath(of: key, in: .undo).map { undo[$0.group].edit <= serial } ?? true
  }

  /// Has undo and redo of a row's edits up to a number, made since, lead to a new one, as the row itself is gone.
  /// - Returns: Whether there are any.
  mutating func insertAgain(_ key: DraftKey, after serial: UInt64) -> Bool {
    var isInverse = false
    changeGroups(after: serial, upTo: .max) { group in
      guard group.edit <= serial, let step = group.position(of: key) else { return }
      isInverse = true
      group.steps[step].before = group.steps[step].before?.insertion
      group.steps[step].after = group.steps[step].after?.insertion
    }
    return isInverse
  }

  /// Has steps of a row show an effect on columns, where they are about what is after the deletion that led to it: those that were made
  /// during the save, by undo and redo, and those that can be redone.
  /// - Returns: Whether the deletion stands, so that what is pending of the row is after it, and whether one of these steps has set the
  ///   columns: then they are not the deletion's to take back.
  mutating func carry(
    _ effect: OwnEffect, left: StoredRow?, after serial: UInt64
  ) -> (isDeleted: Bool, isSet: Bool) {
    let undone = undone(effect.cause, after: serial)
    let deletion = deletions(of: effect.cause, upTo: serial).first { $0.direction == .undo }
    let undoneLater = paths(of: effect.key, in: .redo).filter { path in
      undone.map { $0.direction == .redo && path.group <= $0.group } ?? true
    }
    let redoneLater = deletion.map { paths(of: effect.key, in: .undo, from: $0.group) } ?? []
    let madeLater = (undoneLater + redoneLater).filter { self.serial(at: $0) > serial }
    let isSet = madeLater.contains { path in
      self[path].shownBefore != nil && self[path].shownAfter != nil && self[path].hasSet(effect)
    }
    for path in Set(undoneLater + madeLater) { self[path].carry(effect, left: left) }
    return (undone == nil, isSet)
  }

  /// Has the step of a row that is redone next after a deletion lead from a row that is gone, as it goes along with that again.
  mutating func removeRow(_ key: DraftKey, after deletion: StepPath) {
    guard deletion.direction == .redo else { return }
    if let next = paths(of: key, in: .redo).first(where: { $0.group < deletion.group }) {
      self[next].removeRow()
    }
  }

  /// Adds what was taken back of effects to the undone deletion.
  mutating func add(_ steps: [HistoryStep], at path: StepPath) {
    var known: Set<DraftKey> = []
    let new = steps.filter {
      self[keyPath: path.direction.stack][path.group].position(of: $0.key) == nil
        && known.insert($0.key).inserted
    }
    // Redo takes the steps in reverse: each row goes before those that it refers to.
    self[keyPath: path.direction.stack][path.group].insert(new, at: path.step + 1)
  }

  /// Has edits of a row that no save has taken lead from and to what a deletion had set of it, as that was undone: but for those which are
  /// redone after the deletion, or undone before the row was made again that had been deleted.
  /// - Parameter path: The step that has undone the deletion; nil where it can no longer be redone.
  /// - Returns: What is to be known of them to take the effect back of the row.
  mutating func takeBack(_ effect: OwnEffect, with path: StepPath?) -> TakenBack {
    var taken = TakenBack()
    var last: UInt64 = 0
    for direction in DraftDirection.allCases {
      for step in paths(of: effect.key, in: direction) where self.serial(at: step) > savedSerial(effect.key) {
        let isBeside = path?.direction == direction
        if isBeside, let path, step.group <= path.group { break }
        let former = self[step]
        self[step].takeBack(effect)
        if isBeside { taken.ground = (former.before, self[step].before) }
        if self.serial(at: step) > last {
          last = self.serial(at: step)
          taken.columnsSet = Set(former.after?.mine.keys.map(\.self) ?? [])
        }
      }
    }
    return taken
  }

  struct TakenBack {
    /// The columns that the last edit of the row has set: they are not to be taken back.
    var columnsSet: Set<String> = []
    /// The row as it is pending right before and after the deletion is undone; nil where that is what is pending now.
    var ground: (before: PendingRow?, after: PendingRow?)?
  }
}
