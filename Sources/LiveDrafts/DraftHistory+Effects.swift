import LiveDraftStore
import LiveStore

// The effects of foreign keys on rows, as they are undone and redone.
//
// Undo and redo each meet the deletion that led to it at a step of their own, so each stack is corrected by itself. Where a younger
// saved step of the row has set the same, that is taken back first, and leads to the effect. Otherwise the effect joins the deletion.
//
//     undo:  name photo │ delete album    with the album the photo comes back, as it was named
//     undo:  delete album │ name photo    taken back, the name's step inserts the photo as it was before

extension DraftHistory {
  /// The path to a step among those that can be undone, or redone.
  struct StepPath: Hashable, Comparable {
    var direction: DraftDirection
    var group: Int
    var step: Int

    /// Whether the first one of a stack is taken back later.
    static func < (a: Self, b: Self) -> Bool { (a.group, a.step) < (b.group, b.step) }
  }

  subscript(path: StepPath) -> HistoryStep {
    get { self[keyPath: path.direction.stack][path.group].steps[path.step] }
    set { self[keyPath: path.direction.stack][path.group].steps[path.step] = newValue }
  }

  /// The number of the edit that a step belongs to.
  func serial(at path: StepPath) -> UInt64 { self[keyPath: path.direction.stack][path.group].serial }

  /// The steps of a row in a stack, the last first.
  mutating func paths(
    of key: DraftKey, in direction: DraftDirection, from first: Int = 0
  ) -> [StepPath] {
    var paths: [StepPath] = []
    for group in self[keyPath: direction.stack].indices[first...].reversed() {
      guard let step = self[keyPath: direction.stack][group].position(of: key) else { continue }
      paths.append(StepPath(direction: direction, group: group, step: step))
    }
    return paths
  }

  /// The last edit of a row in a stack, or that with which it went along.
  /// - Parameter serial: The last edit that counts, with what has undone and redone it since.
  private mutating func lastPath(
    of key: DraftKey, in direction: DraftDirection, upTo serial: UInt64
  ) -> StepPath? {
    for group in self[keyPath: direction.stack].indices.reversed()
    where self[keyPath: direction.stack][group].edit <= serial {
      guard let step = self[keyPath: direction.stack][group].position(of: key) else { continue }
      let path = StepPath(direction: direction, group: group, step: step)
      let found = self[path]
      // A row that is to be deleted stays so when a foreign key changes it, and when that is undone.
      if found.before?.isDeleted == true, found.after?.isDeleted == true { continue }
      if !found.isEffect || found.isDeletion { return path }
    }
    return nil
  }

  /// The last deletion of a row, and the step of the other stack that takes it back as well: that of what was done before the last
  /// undo, or of what was undone.
  /// - Parameter serial: The last edit that a save has taken.
  mutating func deletions(of key: DraftKey, upTo serial: UInt64) -> [StepPath] {
    let last = DraftDirection.allCases.compactMap { lastPath(of: key, in: $0, upTo: serial) }
      .sorted { self.serial(at: $0) > self.serial(at: $1) }
    guard let first = last.first, self[first].isDeletion else { return [] }
    return last.filter { self[$0].isDeletion }
  }

  /// The one of these that is in a stack.
  mutating func deletion(
    of key: DraftKey, in direction: DraftDirection, upTo serial: UInt64
  ) -> StepPath? {
    deletions(of: key, upTo: serial).first { $0.direction == direction }
  }

  /// The row as it was before it was deleted, where the step before one of the same stack, which is undone next, has deleted it.
  /// - Parameter taken: The row as the save under way has taken it.
  mutating func rowDeleted(
    before step: HistoryStep, in direction: DraftDirection, _ taken: PendingRow?
  ) -> StoredRow? {
    guard let path = paths(of: step.key, in: direction).dropFirst().first else { return nil }
    var deletion = self[path]
    let number = self.serial(at: path)
    if let taken, number > savedSerial(step.key) {
      deletion.stand(on: found(step.key, by: number, taken.base))
    }
    return deletion.isDeletion ? deletion.shownBefore : nil
  }

  /// Has a row that is not there yet come back as it was before an effect on its columns, where the step that is taken back next, of the same
  /// stack, has deleted it.
  mutating func carryBack(_ effect: HistoryStep, in direction: DraftDirection) {
    guard let path = paths(of: effect.key, in: direction).dropFirst().first, self[path].isDeletion,
      let former = effect.shownBefore, let columns = effect.columnsSet
    else { return }
    for column in columns { self[path].showBefore(former[column], column) }
  }

  /// Leaves to others that a row is gone, as they have removed it where undo was to do so: what the step before had removed does not come
  /// back, unless other rows went along.
  mutating func concedeDeletion(before step: HistoryStep, in direction: DraftDirection) {
    if let path = paths(of: step.key, in: direction).dropFirst().first { concedeDeletion(at: path) }
  }

  /// Does the same where others have removed the row as undo was to do, and that was not saved.
  mutating func concedeDeletion(of key: DraftKey) {
    if let path = paths(of: key, in: .undo).first { concedeDeletion(at: path) }
  }

  private mutating func concedeDeletion(at path: StepPath) {
    if isLeftAlone(path) { self[path].remove() }
  }

  /// Whether a step is a saved deletion, and other rows do not come back with it.
  private func isLeftAlone(_ path: StepPath) -> Bool {
    let step = self[path]
    guard step.isDeletion, isSaved(step.key, serial(at: path)) else { return false }
    let effects = self[keyPath: path.direction.stack][path.group].steps.filter(\.isEffect)
    // Of rows in one table none went along with another one of them, as far as can be told.
    return step.isEffect ? effects.allSatisfy { $0.key.table == step.key.table } : effects.isEmpty
  }

  /// Leaves to others that a row was gone before a step made it anew: what was saved of it before is not there to be taken back.
  mutating func concedeEdits(before step: HistoryStep) {
    var isTheirs = false
    for path in paths(of: step.key, in: .undo).dropFirst() {
      // A row that a save had removed last was not there for others to remove.
      guard isSaved(step.key, serial(at: path)), self[path].shownAfter != nil || isTheirs && isLeftAlone(path)
      else { return }
      self[path].remove()
      isTheirs = true
    }
  }

  /// Has the last saved edits of a row, which goes, be made to the values that others have set since.
  /// - Parameter serial: The last edit that counts.
  mutating func takeOver(_ key: DraftKey, _ theirs: [String: OwnChange], upTo serial: UInt64 = .max) {
    if theirs.isEmpty { return }
    for direction in DraftDirection.allCases {
      let last = paths(of: key, in: direction).first {
        !self[$0].isEffect && self.serial(at: $0) <= serial
      }
      if let last, isSaved(key, self.serial(at: last)) { takeOver(key, theirs, from: last) }
    }
  }

  /// Has a row's edits be made to the values that others have set of it after the last of them, as far as they have not set the same:
  /// also where one has made the row again and an earlier one removed it.
  mutating func takeOver(_ key: DraftKey, _ theirs: [String: OwnChange], from last: StepPath) {
    var theirs = theirs
    for path in paths(of: key, in: last.direction) where !theirs.isEmpty && !(last < path) {
      theirs = self[path].takeOver(theirs)
    }
  }

  /// The columns of an effect that the row's own edits have set which are undone before the deletion that led to it, or with it.
  mutating func columnsSet(beside effect: OwnEffect, upTo serial: UInt64) -> Set<String> {
    guard let path = deletions(of: effect.cause, upTo: serial).first else { return [] }
    let deletion = self.serial(at: path)
    var columns: Set<String> = []
    for direction in DraftDirection.allCases {
      for path in paths(of: effect.key, in: direction)
      where (deletion...serial).contains(self.serial(at: path)) {
        if !self[path].isEffect { columns.formUnion(self[path].columnsSet(of: effect)) }
      }
    }
    return columns
  }

  /// Whether an effect on a row that the save wrote is still to be made part of an edit, or of the deletion that led to it.
  mutating func isRecordedLater(_ effect: OwnEffect, upTo serial: UInt64) -> Bool {
    !deletions(of: effect.cause, upTo: serial).isEmpty
  }

  /// A row as it was pending when the row was deleted that has led to an effect on it.
  /// - Parameters:
  ///   - now: The row as it is pending.
  ///   - serial: The last edit that the save has taken.
  mutating func pending(
    _ key: DraftKey, _ now: PendingRow, before effect: OwnEffect, upTo serial: UInt64
  ) -> PendingRow? {
    guard let deletion = deletion(of: effect.cause, in: .undo, upTo: serial) else { return now }
    let next = paths(of: key, in: .undo, from: deletion.group + 1).last
    return next.map { self[$0].before } ?? now
  }

  /// Notes an effect on a row of which there are edits that the save has not taken: they are undone after the deletion, and by their
  /// values, as it has brought the row back with them.
  /// - Parameters:
  ///   - serial: The last edit that the save has taken.
  ///   - isPending: Whether they are still to be saved.
  mutating func noteEffect(_ effect: OwnEffect, upTo serial: UInt64, isPending: Bool) {
    let deletion = deletion(of: effect.cause, in: .undo, upTo: serial).map { self.serial(at: $0) }
    // Edits from before the deletion are undone after the effect.
    if effect.after != nil { adopt(effect.key, effect.changes, after: deletion ?? 0) }
    guard let deletion else { return }
    noteEffect(effect.key, upTo: deletion, from: effect.found, left: effect.after, isPending: isPending)
  }

  /// The last edit of a row from before it went along: not one that has found it gone and made another one with its key, before it was known
  /// to be gone.
  /// - Parameter serial: The last edit that is concerned.
  mutating func lastEdit(ofGone key: DraftKey, upTo serial: UInt64) -> UInt64 {
    var last = serial
    for path in DraftDirection.allCases.flatMap({ paths(of: key, in: $0) }) where self[path].makesRow {
      let number = self.serial(at: path)
      if number <= serial, !isSaved(key, number) { last = min(last, number - 1) }
    }
    return last
  }

  /// Does the same where not undo of the deletion takes it back, but another step, with which a row comes back that had gone along.
  mutating func noteEffect(on effect: OwnEffect, takenBackAt path: StepPath) {
    let serial = serial(at: path)
    if isSaved(effect.key, serial) { return }
    noteEffect(effect.key, upTo: serial, from: effect.found, left: effect.after, isPending: true)
  }

  /// Whether undo of the deletion that has led to an effect takes it back: not where that was the undo of an insertion, also of a row that an
  /// earlier save had deleted.
  mutating func canUndo(_ effect: OwnEffect, upTo serial: UInt64) -> Bool {
    guard let path = deletion(of: effect.cause, in: .undo, upTo: serial) else { return false }
    return self.serial(at: path) > savedSerial(effect.cause)
  }

  /// Takes edits of a row that goes along out of what is pending of it, where their own save is still to come: one that sets columns of the
  /// row, or makes it, fails then.
  /// - Parameter pending: The row as it is pending.
  /// - Returns: The row without them; nil where nothing else is pending.
  mutating func removeHeld(_ key: DraftKey, from pending: PendingRow) -> PendingRow? {
    if held.isEmpty { return pending }
    var kept: PendingRow? = pending
    for groups in [\Self.undo, \Self.withheld] as [WritableKeyPath<Self, [HistoryGroup]>] {
      for position in self[keyPath: groups].indices.reversed() {
        let (edit, serial) = (self[keyPath: groups][position].edit, self[keyPath: groups][position].serial)
        guard held.contains(edit), serial > savedSerial(key),
          let step = self[keyPath: groups][position].take([key]).first
        else { continue }
        // A row that is to be deleted and is gone is as it should be.
        if step.shownAfter != nil { lost[edit] = key }
        guard let columns = step.columnsSet else {
          kept = step.before
          continue
        }
        withdraw(columns, of: step, serial: serial, base: pending.base)
        kept = PendingRow.withdraw(columns, of: step, from: kept, base: pending.base)
      }
    }
    return kept
  }

  /// Has what was edited of rows since the deletions with which they go be undone after these: it counts as made before.
  /// - Parameter serial: The last edit that the save has taken.
  mutating func moveSteps(of effects: [OwnEffect], upTo serial: UInt64) {
    var keys: [Int: Set<DraftKey>] = [:]
    for effect in effects {
      guard let deletion = deletion(of: effect.cause, in: .undo, upTo: serial) else { continue }
      keys[deletion.group, default: []].insert(effect.key)
    }
    // From the last on, so that the others stay where they are.
    for (deletion, var keys) in keys.sorted(by: { $0.key > $1.key }) {
      var moved: [HistoryGroup] = []
      for position in undo.indices[(deletion + 1)...].reversed() {
        // A row that an earlier save had taken along comes back with the deletion of that save.
        for step in undo[position].steps where step.isEffect && keys.contains(step.key) {
          if step.isDeletion { keys.remove(step.key) } else { Self.move(&moved, before: step) }
        }
        let (group, steps) = (undo[position], undo[position].take(keys))
        if steps.isEmpty { continue }
        moved.append(group.part(steps, serial: undo[deletion].serial))
        if undo[position].steps.isEmpty { undo.remove(at: position) }
      }
      // The edit that has deleted the other row may have changed this one, too: before all that is moved.
      let earlier = undo[deletion].take(keys.intersection(moved.flatMap { $0.steps.map(\.key) }))
      if !earlier.isEmpty { moved.append(undo[deletion].part(earlier, serial: undo[deletion].serial)) }
      undo.insert(contentsOf: moved.reversed(), at: deletion)
    }
  }

  /// Has the edits of a row come before what a save has done to it, up to the first that has set the same.
  private static func move(_ groups: inout [HistoryGroup], before effect: HistoryStep) {
    guard let former = effect.shownBefore, let left = effect.shownAfter else { return }
    var changes = OwnChange.between(former, left) { _ in true }
    for position in groups.indices.reversed() where !changes.isEmpty {
      guard let step = groups[position].position(of: effect.key) else { continue }
      changes = groups[position].steps[step].move(before: changes)
    }
  }
}
