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

  private subscript(path: StepPath) -> HistoryStep {
    get { self[keyPath: path.direction.stack][path.group].steps[path.step] }
    set { self[keyPath: path.direction.stack][path.group].steps[path.step] = newValue }
  }

  /// The number of the edit that a step belongs to.
  private func serial(at path: StepPath) -> UInt64 { self[keyPath: path.direction.stack][path.group].serial }

  /// The steps of a row in a stack, the last first.
  private mutating func paths(
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
  private mutating func deletions(of key: DraftKey, upTo serial: UInt64) -> [StepPath] {
    let last = DraftDirection.allCases.compactMap { lastPath(of: key, in: $0, upTo: serial) }
      .sorted { self.serial(at: $0) > self.serial(at: $1) }
    guard let first = last.first, self[first].isDeletion else { return [] }
    return last.filter { self[$0].isDeletion }
  }

  /// The one of these that is in a stack.
  private mutating func deletion(
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
  private mutating func takeOver(_ key: DraftKey, _ theirs: [String: OwnChange], from last: StepPath) {
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

  /// Whether undo of the deletion that has led to an effect takes it back: not where that was the undo of an insertion.
  mutating func canUndo(_ effect: OwnEffect, upTo serial: UInt64) -> Bool {
    deletion(of: effect.cause, in: .undo, upTo: serial) != nil
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

  // MARK: Recording

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
          returns.note(effect.key, lastDeletion(of: effect.key, in: direction, upTo: serial))
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

  /// Adds to rows that come back with a deletion what earlier saves have changed of them.
  private mutating func absorbEarlierEffects(
    into joining: inout [(effect: OwnEffect, left: StoredRow?)], at deletion: StepPath
  ) {
    for position in joining.indices where joining[position].effect.after == nil {
      let found = forgetEarlierEffects(on: joining[position].effect.key, after: deletion)
      joining[position].effect.before.merge(found) { $1 }
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
