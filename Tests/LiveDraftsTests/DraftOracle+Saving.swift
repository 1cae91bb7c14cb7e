import LiveDrafts
import LiveListsTestSupport

// Saves, with their outcome for the rows and for the edits that led to them.
extension DraftOracle {
  /// The answer of ``save(_:only:)`` where no row is in the way, and the database takes no such rows.
  static let refused: Set<Int> = [-1]

  /// Saves; the ids of the rows that are in the way, in which case nothing is written.
  /// - Parameter wanted: The only rows to be saved; nil for all.
  mutating func save(_ policy: DraftPolicy, only wanted: Set<Int>? = nil) -> Set<Int> {
    var statements: [LawDatabase.Statement] = []
    var conflicts: Set<Int> = []
    // The fields of which theirs count; all of a row of which nothing is written.
    var dropped: [Int: Set<String>] = [:]
    let all = Set(Self.fields(Item(id: 0, section: "", key: 0)).keys)
    let saved = pending.filter { wanted?.contains($0.key) ?? true }
    for (id, row) in saved.sorted(by: { $0.value.order < $1.value.order }) {
      let now = store[id].map(Self.fields)
      let theirs = now.map { now in Set((row.seen ?? [:]).filter { now[$0.key] != $0.value }.keys) } ?? []
      var statement = LawDatabase.Statement(
        id: id, kind: row.isDeleted ? .remove : row.seen == nil ? .insert : .update)
      defer { statements.append(statement) }
      if row.isDeleted {
        if now != nil, theirs.isEmpty || policy == .mine { statement.write = .remove }
        if now != nil, !theirs.isEmpty, policy == .fail || policy == .mergeColumns { conflicts.insert(id) }
        if now != nil, !theirs.isEmpty, policy == .theirs { dropped[id] = all }
        continue
      }
      guard let now else {
        if row.seen == nil || policy == .mine {
          statement.write = shown(id).map { .insert($0) }
        } else if policy != .theirs {
          conflicts.insert(id)
        } else {
          dropped[id] = all
        }
        continue
      }
      let both = row.seen == nil ? Set(row.mine.keys) : theirs.intersection(row.mine.keys)
      switch policy {
      case .fail where row.seen == nil || !theirs.isEmpty: conflicts.insert(id)
      case .mergeColumns where !both.isEmpty: conflicts.insert(id)
      default: break
      }
      if policy == .theirs { dropped[id] = row.seen == nil ? all : both }
      if row.seen == nil, policy == .theirs { continue }
      let set = row.mine.filter { (policy != .theirs || !both.contains($0.key)) && now[$0.key] != $0.value }
      if !set.isEmpty { statement.write = .update(set) }
    }
    if !conflicts.isEmpty { return conflicts }
    guard let database = LawDatabase(rules: rules, rows: store).performing(statements) else {
      return Self.refused
    }
    let written = database.rows
    var effects = database.effects
    let stacks = [\Self.undo, \Self.redo]
    let later = stacks.map { steps in
      Set(
        effects.filter { saved[$0.id] != nil && isUndoneLater($0, in: steps) }.map {
          EffectKey(id: $0.id, isGone: $0.after == nil)
        })
    }
    let inserted = Set(statements.filter { if case .insert = $0.write { true } else { false } }.map(\.id))
    func isGone(_ id: Int) -> Bool { written[id] == nil && (store[id] != nil || inserted.contains(id)) }
    // A row that has gone along is known as it was right before.
    func last(_ id: Int) -> Fields? {
      (written[id] ?? effects.last { $0.id == id && $0.after == nil }?.before).map(Self.fields)
    }
    for (id, row) in saved {
      if row.seen != nil { forgetConceded(id, row) }
      stand(on: store[id], id, isSaving: true)
      leadBack(id, row, isGone(id) ? [] : dropped[id] ?? [])
    }
    for (id, row) in saved where !row.isDeleted {
      guard let now = last(id) else { continue }
      for (name, sent) in row.mine where now[name] != sent && dropped[id]?.contains(name) != true {
        for (steps, later) in zip(stacks, later) {
          // It is undone with the deletion that led to it; what was edited later shows it.
          let isLater = name == "note" && later.contains(EffectKey(id: id, isGone: false))
          let cause = isLater ? effects.last { $0.id == id && $0.after != nil }?.cause : nil
          let deletion = cause.flatMap { deletions(of: $0).first { $0.steps == steps }?.step }
          note(name, of: id, sent: sent, left: now[name], in: steps, after: deletion)
        }
      }
    }
    for (id, row) in saved where isGone(id) && !row.isDeleted {
      // It comes back with the values that a trigger had given it by then.
      guard let was = store[id].map(Self.fields), let now = last(id) else { continue }
      let isSet = effects.contains { $0.id == id && $0.after != nil }
      for (name, left) in now where was[name] != left && row.mine[name] == nil && !(isSet && name == "note") {
        for steps in stacks { replace(name, of: id, was[name] ?? "", by: left, in: steps) }
      }
    }
    for (id, row) in saved where isGone(id) {
      // A row that is gone is gone, though others' changes of it were to stay.
      for (steps, later) in zip(stacks, later) where !row.isDeleted {
        if !later.contains(EffectKey(id: id, isGone: true)) { noteRemoved(id, in: steps) }
      }
      dropped[id] = nil
    }
    for (id, fields) in dropped { drop(fields, of: id) }
    let ids = Set(saved.keys)
    for id in Set(store.keys).intersection(written.keys) {
      guard let was = store[id].map(Self.fields), let now = written[id].map(Self.fields) else { continue }
      for (name, left) in now where was[name] != left && saved[id]?.mine[name] == nil {
        guard let before = was[name] else { continue }
        if ids.contains(id) {
          for (steps, later) in zip(stacks, later) where saved[id]?.isDeleted == false {
            if name == "note", later.contains(EffectKey(id: id, isGone: false)) { continue }
            replace(name, of: id, before, by: left, in: steps)
          }
        } else if isTold || effects.contains(where: { $0.id == id && $0.after != nil }) && name == "note" {
          if pending[id] != nil || !unsure.contains(id) { adopt(name, of: id, before, as: left) }
          // A foreign key's change is undone with the deletion that led to it.
          let isEffect = name == "note" && effects.contains { $0.id == id && $0.after != nil }
          if isTold, !isEffect, !unsure.contains(id), self.left[id]?[name] == before {
            // Others have not changed it since a save has taken the row.
            for steps in stacks { replace(name, of: id, before, by: left, in: steps) }
            self.left[id]?[name] = left
          }
        }
      }
    }
    for (id, row) in saved where row.seen != nil && inserted.contains(id) {
      // A row that others had removed was sent as a whole.
      guard let sent = shown(id).map(Self.fields), let now = written[id].map(Self.fields) else { continue }
      for (name, left) in now where sent[name] != left && row.mine[name] == nil {
        for steps in stacks { replace(name, of: id, sent[name] ?? "", by: left, in: steps) }
      }
    }
    var deletedBefore: Set<Int> = []
    for position in effects.indices where !ids.contains(effects[position].id) {
      let id = effects[position].id
      guard let row = pending[id] else {
        // Earlier edits of it, of which nothing is left, are undone by their values: it comes back by its values, too.
        stand(on: effects[position].before, id)
        if markSaved(id) { left[id] = effects[position].after.map(Self.fields) }
        found[id] = nil
        continue
      }
      let (found, isGone) = (effects[position].before, effects[position].after == nil)
      // Its pending edits are undone after the deletion, by their values.
      if let deletion = deletions(of: effects[position].cause).first(where: { $0.steps == \.undo })?.step {
        let number = undo[deletion].number
        if isGone { move(id, below: deletion) }
        stand(on: found, id, upTo: number)
        if markSaved(id, upTo: number, isPending: !isGone) {
          left[id] = effects[position].after.map(Self.fields)
        }
        if let after = effects[position].after.map(Self.fields) {
          // Undo of the deletion leads to the value that was pending.
          let former = undo[(deletion + 1)...].lazy.compactMap { $0.before[id] }.first ?? row
          if let note = former?.mine["note"],
            let shown = Self.item(Self.fields(found).merging(["note": note]) { $1 })
          {
            effects[position].before = shown
          }
          let changed = Self.fields(found).filter { after[$0.key] != $0.value }
          self.found[id, default: [:]].merge(changed) { first, _ in first }
        } else {
          self.found[id] = nil
        }
        let last = undo.last { $0.shownBefore[id] != nil }
        if isGone, row.isDeleted, last?.saved.contains(id) == true { deletedBefore.insert(id) }
      }
      if !isGone { continue }
      if !row.isDeleted, let before = Self.item(Self.fields(found).merging(row.mine) { $1 }) {
        effects[position].before = before
      }
      pending[id] = nil
      forgetUnsaved(id)
    }
    for steps in stacks {
      for step in self[keyPath: steps].indices {
        self[keyPath: steps][step].saved.formUnion(ids)
        self[keyPath: steps][step].taken.formUnion(ids)
      }
    }
    unsure.subtract(ids)
    for id in ids {
      found[id] = nil
      left[id] = written[id].map(Self.fields)
      pending[id] = nil
    }
    // What is not told cannot be told from what others did.
    replaceStore(by: written, isOthers: !isTold)
    while let cause = effects.first?.cause {
      // Of each deletion the last first, so that rows come back in the order in which they went.
      for effect in effects.prefix(while: { $0.cause == cause }).reversed() {
        let deletions = deletions(of: cause)
        if !ids.contains(effect.id), effect.after == nil, deletions.count == 1 {
          // On the other side its last edit is taken back from a row that is gone.
          noteGone(effect.id, in: deletions[0].steps == \.undo ? \.redo : \.undo)
        }
        for (steps, position) in deletions where steps != \.undo || !deletedBefore.contains(effect.id) {
          // As it was before the row's edits led to what came of it.
          let key = EffectKey(id: effect.id, isGone: effect.after == nil)
          let isLater =
            saved[effect.id] == nil
            ? isUndoneLater(effect, in: steps) : later[steps == stacks[0] ? 0 : 1].contains(key)
          if isLater || effect.after != nil && !ids.contains(effect.id) {
            record(effect, ids, steps, position)
          } else if !ids.contains(effect.id) {
            noteGone(effect.id, in: steps)
          }
        }
      }
      effects.removeAll { $0.cause == cause }
    }
    return []
  }

  /// Has the steps of a saved row show what the save has made of a field that it was not told to set.
  private mutating func replace(
    _ name: String, of id: Int, _ before: String, by left: String, in steps: WritableKeyPath<Self, [Step]>
  ) {
    // Whether the next step has taken a deletion back, and not set the field.
    var isUnset = false
    for position in self[keyPath: steps].indices.reversed() {
      let step = self[keyPath: steps][position]
      guard let edited = step.shownAfter[id] else { continue }
      let former = (step.shownBefore[id] ?? nil).map(Self.fields)
      let later = edited.map(Self.fields)
      if later?[name] == before || later == nil && isUnset, var former, former[name] == before {
        former[name] = left
        self[keyPath: steps][position].shownBefore[id] = Self.item(former)
      }
      if var later, later[name] == before {
        later[name] = left
        self[keyPath: steps][position].shownAfter[id] = Self.item(later)
      }
      let wasDeleted = (step.before[id] ?? nil)?.isDeleted ?? false
      isUnset = wasDeleted && later != nil && (step.after[id] ?? nil)?.mine[name] == nil
    }
  }

  /// Has the edits of a row that was not saved be made to what a save of other rows has made of a field.
  private mutating func adopt(_ name: String, of id: Int, _ before: String, as left: String) {
    if pending[id]?.seen?[name] == before { pending[id]?.seen?[name] = left }
    for steps in [\Self.undo, \Self.redo] {
      for step in self[keyPath: steps].indices where !self[keyPath: steps][step].taken.contains(id) {
        guard var row = self[keyPath: steps][step].before[id] ?? nil, row.seen?[name] == before else {
          continue
        }
        row.seen?[name] = left
        self[keyPath: steps][step].before[id] = row
      }
    }
  }

  /// Forgets the edits of a row that were not saved, and events of which nothing is left.
  private mutating func forgetUnsaved(_ id: Int) {
    for steps in [\Self.undo, \Self.redo] {
      for step in self[keyPath: steps].indices.reversed() {
        guard self[keyPath: steps][step].before[id] != nil, !self[keyPath: steps][step].taken.contains(id)
        else { continue }
        remove(id, from: step, in: steps)
      }
    }
  }

  /// Removes a row from an event, and that if nothing is left of it.
  private mutating func remove(_ id: Int, from step: Int, in steps: WritableKeyPath<Self, [Step]>) {
    self[keyPath: steps][step].before[id] = nil
    self[keyPath: steps][step].after[id] = nil
    self[keyPath: steps][step].shownBefore[id] = nil
    self[keyPath: steps][step].shownAfter[id] = nil
    self[keyPath: steps][step].stored[id] = nil
    self[keyPath: steps][step].ids.removeAll { $0 == id }
    if self[keyPath: steps][step].ids.isEmpty { self[keyPath: steps].remove(at: step) }
  }

  /// Has what was edited of a row after a deletion be undone after it.
  private mutating func move(_ id: Int, below deletion: Int) {
    var moved: [Step] = []
    for position in undo.indices[(deletion + 1)...].reversed() {
      let step = undo[position]
      guard let before = step.before[id], let after = step.after[id] else { continue }
      var part = Step(
        before: [id: before], after: [id: after], shownBefore: step.shownBefore.filter { $0.key == id },
        shownAfter: step.shownAfter.filter { $0.key == id }, stored: step.stored.filter { $0.key == id })
      (part.number, part.ids) = (undo[deletion].number, [id])
      part.conceded = step.conceded.filter { $0.key == id }
      moved.append(part)
      remove(id, from: position, in: \.undo)
    }
    undo.insert(contentsOf: moved.reversed(), at: deletion)
  }

  /// Marks the edits of a row up to an event as saved.
  /// - Returns: Whether there are any.
  private mutating func markSaved(_ id: Int, upTo number: Int = .max, isPending: Bool = false) -> Bool {
    var isEdited = false
    for steps in [\Self.undo, \Self.redo] {
      for step in self[keyPath: steps].indices
      where self[keyPath: steps][step].shownBefore[id] != nil && self[keyPath: steps][step].number <= number {
        self[keyPath: steps][step].saved.insert(id)
        if !isPending { self[keyPath: steps][step].taken.insert(id) }
        isEdited = true
      }
    }
    return isEdited
  }

  /// Has the edits since the last save not to have set what others have set as well since, where that was not pending before: it was
  /// theirs from then on.
  private mutating func forgetConceded(_ id: Int, _ row: Pending) {
    var next = row.mine
    var conceded: Fields = [:]
    for position in undo.indices.reversed() where !undo[position].taken.contains(id) {
      guard let before = undo[position].before[id] else { continue }
      defer { next = before?.mine ?? [:] }
      guard let after = undo[position].after[id] ?? nil, !after.isDeleted, after.seen != nil else { continue }
      for (name, value) in after.mine where next[name] == nil && conceded[name] == nil {
        conceded[name] = value
      }
      conceded = conceded.filter { after.mine[$0.key] == $0.value }
      if before?.isDeleted == true { continue }
      for name in conceded.keys where before?.mine[name] == nil {
        undo[position].after[id]??.mine[name] = nil
      }
    }
  }

  /// Has the edits since the last save to stand on the row as it is right before a save: undo leads back to it.
  private mutating func stand(
    on theirs: Item?, _ id: Int, upTo number: Int = .max, isSaving: Bool = false
  ) {
    func standing(_ item: Item?, _ pending: Pending?, on theirs: Item?) -> Item? {
      guard let pending else { return theirs }
      guard let item, !pending.isDeleted else { return nil }
      return Self.item((theirs.map(Self.fields) ?? Self.fields(item)).merging(pending.mine) { $1 })
    }
    for steps in [\Self.undo, \Self.redo] {
      for position in self[keyPath: steps].indices {
        let step = self[keyPath: steps][position]
        guard let before = step.before[id], let after = step.after[id], !step.taken.contains(id),
          step.number <= number, isSaving || !step.saved.contains(id)
        else { continue }
        // A foreign key's change is undone before the step.
        let former = step.saved.contains(id) ? found[id] ?? [:] : [:]
        let theirs = theirs.flatMap { Self.item(Self.fields($0).merging(former) { $1 }) }
        if step.conceded[id]?.isEmpty == false {
          // It was made or removed by others as well, and is theirs, whatever they have made of it since.
          self[keyPath: steps][position].shownBefore[id] = .some(theirs)
          self[keyPath: steps][position].shownAfter[id] = .some(theirs)
          continue
        }
        self[keyPath: steps][position].shownBefore[id] = .some(
          standing(step.shownBefore[id] ?? nil, before, on: theirs))
        self[keyPath: steps][position].shownAfter[id] = .some(
          standing(step.shownAfter[id] ?? nil, after, on: theirs))
      }
    }
  }

  /// Has edits of earlier saves, to which undo has led back, lead to what others had left and the save writes over.
  private mutating func leadBack(_ id: Int, _ row: Pending, _ dropped: Set<String>) {
    guard isConflicting(id), dropped.count < 4 else { return }
    let theirs = store[id].map(Self.fields)
    var names = Set(row.seen.map { seen in seen.keys.filter { theirs?[$0] != seen[$0] } } ?? []).subtracting(
      dropped)
    var isFirst = true
    for position in undo.indices.reversed() where undo[position].shownBefore[id] != nil {
      let step = undo[position]
      if !step.taken.contains(id) { continue }
      guard let before = (step.shownBefore[id] ?? nil).map(Self.fields) else {
        if row.seen == nil, step.shownAfter[id] ?? nil != nil {
          undo[position].shownBefore[id] = .some(store[id])
        } else if row.seen != nil, !row.isDeleted, theirs == nil {
          undo[position].shownAfter[id] = isFirst ? step.shownAfter[id] : .some(nil)
          isFirst = false
          continue
        }
        return
      }
      let after = (step.shownAfter[id] ?? nil).map(Self.fields)
      if row.seen == nil {
        if after == nil { return }
        continue
      }
      if row.isDeleted {
        if after == nil, let theirs {
          undo[position].shownBefore[id] = .some(
            Self.item(before.merging(theirs.filter { names.contains($0.key) }) { $1 }))
        }
        return
      }
      guard let theirs else {
        undo[position].shownBefore[id] = .some(nil)
        if !isFirst { undo[position].shownAfter[id] = .some(nil) }
        isFirst = false
        continue
      }
      guard let after else { return }
      names.formIntersection(row.mine.keys)
      for name in names {
        if after[name] == row.mine[name] {
          if before[name] == after[name] { continue }
          var former = (undo[position].shownBefore[id] ?? nil).map(Self.fields) ?? before
          former[name] = theirs[name]
          undo[position].shownBefore[id] = .some(Self.item(former))
        }
        names.remove(name)
      }
      if names.isEmpty { return }
    }
  }

  /// Has the last edit of a row to have removed it: a deletion in the same save has taken it along. That may be an edit of an earlier save, to
  /// which undo has led back.
  private mutating func noteRemoved(_ id: Int, in steps: WritableKeyPath<Self, [Step]>) {
    let last = self[keyPath: steps].lastIndex { $0.shownAfter[id] != nil }
    if let last { self[keyPath: steps][last].shownAfter[id] = .some(nil) }
  }

  /// Has the last edit of a row to have removed it: a deletion in a later save has taken it along.
  private mutating func noteGone(_ id: Int, in steps: WritableKeyPath<Self, [Step]>) {
    let last = self[keyPath: steps].lastIndex { $0.shownBefore[id] != nil && !$0.effects.contains(id) }
    if let last { self[keyPath: steps][last].shownAfter[id] = .some(nil) }
  }

  /// Has edits since the last save not to have set fields: a save has left these as others had them.
  private mutating func drop(_ fields: Set<String>, of id: Int) {
    for steps in [\Self.undo, \Self.redo] {
      for position in self[keyPath: steps].indices {
        let step = self[keyPath: steps][position]
        guard step.shownBefore[id] != nil, !step.taken.contains(id) else { continue }
        let before = (step.shownBefore[id] ?? nil).map(Self.fields)
        let after = (step.shownAfter[id] ?? nil).map(Self.fields)
        if fields.count == 4 {
          self[keyPath: steps][position].shownAfter[id] = step.shownBefore[id]
        } else if let after, let former = before ?? store[id].map(Self.fields) {
          // A row that was removed before was made again with the values of others.
          let kept = former.filter { fields.contains($0.key) }
          self[keyPath: steps][position].shownAfter[id] = Self.item(after.merging(kept) { $1 })
        } else if let before, let now = store[id].map(Self.fields), let row = step.before[id] ?? nil {
          // Removed and made again: it comes back without what was not written.
          let kept = now.filter { fields.contains($0.key) && row.mine[$0.key] != nil }
          self[keyPath: steps][position].shownBefore[id] = Self.item(before.merging(kept) { $1 })
        }
      }
    }
  }

  /// Has the edits that led to a value to have led to another one: what the database has made of it.
  private mutating func note(
    _ name: String, of id: Int, sent: String, left: String?, in steps: WritableKeyPath<Self, [Step]>,
    after first: Int? = nil
  ) {
    for step in self[keyPath: steps].indices.reversed() where first.map({ step > $0 }) ?? true {
      guard let after = self[keyPath: steps][step].shownAfter[id] else { continue }
      guard var fields = after.map(Self.fields), fields[name] == sent else { return }
      fields[name] = left
      self[keyPath: steps][step].shownAfter[id] = Self.item(fields)
      guard var before = (self[keyPath: steps][step].shownBefore[id] ?? nil).map(Self.fields),
        before[name] == sent
      else { return }
      before[name] = left
      self[keyPath: steps][step].shownBefore[id] = Self.item(before)
    }
  }
}
