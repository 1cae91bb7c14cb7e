import LiveDrafts
import LiveFetch
import LiveListsTestSupport
import Snapshots

/// A draft the plain way: rows as Swift values, every state of them kept whole, nothing of the layer used.
///
/// Of each row it is known how the store has it, which properties the draft has set, and on what they were set.
struct DraftOracle {
  /// A property of a row, by its name, as text: what is compared has no part of the product in it.
  typealias Fields = [String: String]

  struct Pending: Equatable {
    /// The values that were there when each field was set; nil for a row that the draft has made.
    var seen: Fields?
    var mine: Fields = [:]
    var isDeleted = false
    /// The row as it last stood, where others have removed it since.
    var gone: Fields?
    /// The number of the last edit of the row: rows are written in this order.
    var order = 0

    /// Whether the same is pending, whenever it was edited.
    static func == (a: Self, b: Self) -> Bool {
      a.seen == b.seen && a.mine == b.mine && a.isDeleted == b.isDeleted && a.gone == b.gone
    }

    /// Follows the store's row.
    mutating func follow(_ now: Item?, stood: Item?) {
      gone = now == nil ? stood.map(DraftOracle.fields) ?? gone : nil
    }
  }

  var store: [Int: Item] = [:]
  var pending: [Int: Pending] = [:]
  private var undo: [Step] = []
  private var redo: [Step] = []
  /// The number of the last event that can be undone. While a save is under way there are two models, which number alike.
  var number = 0
  /// The rows as saves have left them.
  private var left: [Int: Fields] = [:]
  /// The rules of the database, by which it does more than it is told.
  var rules = LawDatabase.Rules.none
  /// Whether the database tells which columns of which rows a save has changed.
  var isTold = true
  /// The number of the last edit of a row.
  private var lastOrder = 0
  /// The rows that the event under way has edited, in their order.
  private var touched: [Int] = []

  /// A step: the pending rows around it, the rows that were shown around it, and the rows that were saved since.
  struct Step: Equatable {
    var before: [Int: Pending?]
    var after: [Int: Pending?]
    var shownBefore: [Int: Item?]
    var shownAfter: [Int: Item?]
    /// The rows as the store had them.
    var stored: [Int: Item?]
    var saved: Set<Int> = []
    /// The rows that foreign keys have deleted or changed, and the step itself has not.
    var effects: Set<Int> = []
    var number = 0
    /// The rows, in the order in which they were first edited.
    var ids: [Int] = []
  }

  /// The number of the event that is undone, or redone, next.
  var undoNumber: Int? { undo.last?.number }
  var redoNumber: Int? { redo.last?.number }

  /// The rows of the event that is undone, or redone, next, besides those that foreign keys have changed.
  var undoIDs: Set<Int>? { undo.last.map { Set($0.before.keys).subtracting($0.effects) } }
  var redoIDs: Set<Int>? { redo.last.map { Set($0.before.keys).subtracting($0.effects) } }

  /// An edit of a row, as it is made to the rows that are shown.
  enum Edit {
    case insert(Int, Fields)
    case set(Int, Fields)
    case remove(Int)

    var id: Int {
      switch self {
      case .insert(let id, _), .set(let id, _), .remove(let id): id
      }
    }
  }

  // MARK: What is shown

  func shown(_ id: Int) -> Item? {
    guard let row = pending[id] else { return store[id] }
    if row.isDeleted { return nil }
    var fields = store[id].map(Self.fields) ?? (row.seen == nil ? nil : row.gone ?? row.seen) ?? [:]
    for (name, value) in row.mine { fields[name] = value }
    return Self.item(fields)
  }

  var rows: [Int: Item] {
    var rows: [Int: Item] = [:]
    for id in Set(store.keys).union(pending.keys) { rows[id] = shown(id) }
    return rows
  }

  func isConflicting(_ id: Int) -> Bool {
    guard let row = pending[id] else { return false }
    let now = store[id].map(Self.fields)
    guard let seen = row.seen else { return now != nil }
    guard let now else { return !row.isDeleted }
    return row.isDeleted ? seen != now : row.mine.keys.contains { now[$0] != seen[$0] }
  }

  /// Returns whether a draft says of a row what is so.
  func agrees(with state: DraftRowState, _ id: Int) -> Bool {
    let row = pending[id]
    if case .conflicting(let row) = state { return isConflicting(id) && row.theirs == store[id]?.values }
    if isConflicting(id) { return false }
    return switch state {
    case .saved: row == nil
    case .inserted: row?.seen == nil && row != nil
    case .updated(let columns):
      row.map { !$0.isDeleted && $0.seen != nil && Set($0.mine.keys) == columns } ?? false
    case .deleted: row?.isDeleted ?? false
    case .conflicting: false
    }
  }

  // MARK: What happens

  /// Somebody else writes.
  /// - Returns: Whether the database lets them. If not, nothing was written.
  @discardableResult
  mutating func commit(_ writes: [ConformanceWrite]) -> Bool {
    var database = LawDatabase(rules: rules, rows: store)
    for write in writes { database.perform(write) }
    guard database.isValid else { return false }
    replaceStore(by: database.rows, isOthers: true)
    return true
  }

  /// Has other rows in the store, as a commit left them that is not of the pending rows.
  private mutating func replaceStore(by rows: [Int: Item], isOthers: Bool) {
    let before = store
    store = rows
    for id in pending.keys { pending[id]?.follow(store[id], stood: before[id]) }
    if isOthers { for id in pending.keys { concede(id) } }
    dropWhatIsThere()
  }

  /// Leaves to others what they have done of what is pending of a row: where nothing was pending in the steps that were not saved,
  /// the row stood as they have left it.
  private mutating func concede(_ id: Int) {
    guard let row = pending[id] else { return }
    let now = store[id].map(Self.fields)
    let same = row.mine.keys.filter { now?[$0] == row.mine[$0] }
    if row.isDeleted ? now != nil : same.count < (row.seen == nil ? row.mine.count : 1) { return }
    let isWhole = row.isDeleted || row.seen == nil
    func conceded(_ item: Item?) -> Item? {
      if isWhole { return now.flatMap(Self.item) }
      return item.flatMap { item in
        Self.item(Self.fields(item).merging(row.mine.filter { same.contains($0.key) }) { $1 })
      }
    }
    for steps in [\Self.undo, \Self.redo] {
      for step in self[keyPath: steps].indices where !self[keyPath: steps][step].saved.contains(id) {
        guard let before = self[keyPath: steps][step].before[id] else { continue }
        if before == nil {
          self[keyPath: steps][step].shownBefore[id] = .some(
            conceded(self[keyPath: steps][step].shownBefore[id] ?? nil))
        }
        if (self[keyPath: steps][step].after[id] ?? nil) == nil {
          self[keyPath: steps][step].shownAfter[id] = .some(
            conceded(self[keyPath: steps][step].shownAfter[id] ?? nil))
        }
      }
    }
  }

  /// The draft writes. What is impossible is left out.
  /// - Returns: The edits that it makes.
  @discardableResult
  mutating func edit(_ writes: [ConformanceWrite]) -> [Edit] {
    var edits: [Edit] = []
    perform { oracle in
      for write in writes {
        guard let edit = oracle.edit(for: write) else { continue }
        edits.append(edit)
        _ = oracle.make(edit)
      }
    } push: {
      $0.undo.append($1); $0.redo = []
    }
    return edits
  }

  /// Makes edits that the draft has made to other rows: all or, where one is impossible, none.
  mutating func `repeat`(_ edits: [Edit]) {
    perform { oracle in
      let former = oracle
      for edit in edits where !oracle.make(edit) {
        oracle = former
        return
      }
    } push: {
      $0.undo.append($1); $0.redo = []
    }
  }

  /// Whoever writes a row changes what it shows, or inserts one that is not shown.
  private func edit(for write: ConformanceWrite) -> Edit? {
    switch write {
    case .remove(let id): return shown(id).map { _ in .remove(id) }
    case .put(let item):
      guard let shown = shown(item.id).map(Self.fields) else { return .insert(item.id, Self.fields(item)) }
      let set = Self.fields(item).filter { shown[$0.key] != $0.value }
      return set.isEmpty ? nil : .set(item.id, set)
    }
  }

  private mutating func make(_ edit: Edit) -> Bool {
    switch edit {
    case .insert(let id, let fields):
      if let row = pending[id], !row.isDeleted { return false }
      // An insertion over a row that the draft had deleted changes that row; otherwise it makes a new one.
      pending[id] = Pending(seen: pending[id]?.seen, mine: fields)
      noteEdit(id)
    case .set(let id, let fields):
      guard let was = shown(id).map(Self.fields) else { return false }
      var row = pending[id] ?? Pending(seen: was)
      for (name, value) in fields where was[name] != value {
        let now = (store[id].map(Self.fields) ?? row.gone)?[name]
        if row.seen != nil, row.mine[name] == nil, let now { row.seen?[name] = now }
        row.mine[name] = value
      }
      if row.mine.isEmpty { return true }
      pending[id] = row
      noteEdit(id)
    case .remove(let id):
      if shown(id) != nil { touched.append(id) }
      remove(id)
    }
    dropWhatIsThere()
    return true
  }

  private mutating func noteEdit(_ id: Int) {
    touched.append(id)
    lastOrder += 1
    pending[id]?.order = lastOrder
  }

  private mutating func remove(_ id: Int) {
    guard shown(id) != nil else { return }
    // What the draft has made itself leaves nothing, also where others have made a row with the same key.
    if let row = pending[id], row.seen == nil {
      pending[id] = nil
      return
    }
    guard let now = store[id].map(Self.fields) else {
      pending[id] = nil
      return
    }
    var seen = now
    // Whoever deletes a row has seen it with the edits on top.
    if let row = pending[id] { for name in row.mine.keys { seen[name] = (row.seen ?? row.mine)[name] } }
    pending[id] = Pending(seen: seen, isDeleted: true)
    noteEdit(id)
  }

  mutating func discard(_ ids: Set<Int>?) {
    perform { oracle in
      let rows = oracle.pending.sorted { $0.value.order < $1.value.order }
      for (id, _) in rows where ids?.contains(id) ?? true {
        oracle.touched.append(id)
        oracle.pending[id] = nil
      }
    } push: {
      $0.undo.append($1); $0.redo = []
    }
  }

  mutating func undoLast() { restore(from: \.undo, to: \.redo) }
  mutating func redoLast() { restore(from: \.redo, to: \.undo) }

  private mutating func restore(
    from: WritableKeyPath<Self, [Step]>, to: WritableKeyPath<Self, [Step]>
  ) {
    guard let step = self[keyPath: from].popLast() else { return }
    perform(ids: Set(step.before.keys)) { oracle in
      // The last edit is taken back first.
      for id in step.ids.reversed() {
        let before = step.before[id] ?? nil
        oracle.touched.append(id)
        if step.saved.contains(id) {
          oracle.takeBack(id, step.shownBefore[id] ?? nil, step.shownAfter[id] ?? nil)
          oracle.lastOrder += 1
          oracle.pending[id]?.order = oracle.lastOrder
        } else {
          let stood = oracle.pending[id]?.gone.flatMap(Self.item) ?? step.stored[id] ?? nil
          oracle.pending[id] = before
          oracle.pending[id]?.follow(oracle.store[id], stood: stood)
        }
      }
      oracle.dropWhatIsThere()
    } push: {
      $0[keyPath: to].append($1)
    }
  }

  private mutating func takeBack(_ id: Int, _ before: Item?, _ after: Item?) {
    switch (before.map(Self.fields), after.map(Self.fields)) {
    case (nil, nil): break
    case (nil, let left?):
      if let row = pending[id], row.seen == nil, !row.isDeleted {
        pending[id] = nil
        return
      }
      // The editor saw each pending column as it was when it was set.
      var seen = left
      if let row = pending[id], !row.isDeleted {
        for name in row.mine.keys { seen[name] = (row.seen ?? row.mine)[name] }
      }
      pending[id] = store[id] == nil ? nil : Pending(seen: seen, isDeleted: true)
    case (let values?, nil):
      pending[id] = Pending(seen: pending[id]?.isDeleted == true ? pending[id]?.seen : nil, mine: values)
    case (let values?, let left?):
      var row = pending[id] ?? Pending(seen: store[id].map(Self.fields) ?? self.left[id] ?? left)
      // Whoever deleted the row has seen all of it.
      let hasSeenAll = row.isDeleted
      if row.isDeleted { row = Pending(seen: row.seen) }
      if values == left { return }
      for (name, value) in values where left[name] != value {
        if !hasSeenAll, row.seen != nil, row.mine[name] == nil { row.seen?[name] = left[name] }
        row.mine[name] = value
      }
      pending[id] = row
    }
  }

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
    let later = Set(
      effects.filter { saved[$0.id] != nil && isUndoneLater($0) }.map {
        EffectKey(id: $0.id, isGone: $0.after == nil)
      })
    for id in saved.keys where isConflicting(id) { stand(on: store[id], id) }
    let inserted = Set(statements.filter { if case .insert = $0.write { true } else { false } }.map(\.id))
    for (id, row) in saved where written[id] == nil && (store[id] != nil || inserted.contains(id)) {
      // A row that is gone is gone, though others' changes of it were to stay.
      if !row.isDeleted, !later.contains(EffectKey(id: id, isGone: true)) { noteRemoved(id) }
      dropped[id] = nil
    }
    for (id, fields) in dropped { drop(fields, of: id) }
    for (id, row) in saved where !row.isDeleted {
      guard let now = written[id].map(Self.fields) else { continue }
      for (name, sent) in row.mine where now[name] != sent && dropped[id]?.contains(name) != true {
        if name == "note", later.contains(EffectKey(id: id, isGone: false)) { continue }
        note(name, of: id, sent: sent, left: now[name])
      }
    }
    let ids = Set(saved.keys)
    for id in Set(store.keys).intersection(written.keys) {
      guard let was = store[id].map(Self.fields), let now = written[id].map(Self.fields) else { continue }
      for (name, left) in now where was[name] != left && saved[id]?.mine[name] == nil {
        guard let before = was[name] else { continue }
        if ids.contains(id) {
          if name == "note", later.contains(EffectKey(id: id, isGone: false)) { continue }
          if saved[id]?.isDeleted == false { replace(name, of: id, before, by: left) }
        } else if isTold || effects.contains(where: { $0.id == id && $0.after != nil }) && name == "note" {
          adopt(name, of: id, before, as: left)
        }
      }
    }
    for position in effects.indices where !ids.contains(effects[position].id) {
      let id = effects[position].id
      guard let row = pending[id], effects[position].after == nil else { continue }
      if !row.isDeleted,
        let before = Self.item(Self.fields(effects[position].before).merging(row.mine) { $1 })
      {
        effects[position].before = before
      }
      pending[id] = nil
      forgetUnsaved(id)
    }
    for step in undo.indices { undo[step].saved.formUnion(ids) }
    for step in redo.indices { redo[step].saved.formUnion(ids) }
    for id in ids {
      left[id] = written[id].map(Self.fields)
      pending[id] = nil
    }
    // What is not told cannot be told from what others did.
    replaceStore(by: written, isOthers: !isTold)
    while let cause = effects.first?.cause {
      // Of each deletion the last first, so that rows come back in the order in which they went.
      for effect in effects.prefix(while: { $0.cause == cause }).reversed()
      where !saved.keys.contains(effect.id) || isUndoneLater(effect) {
        record(effect, ids)
      }
      effects.removeAll { $0.cause == cause }
    }
    return []
  }

  /// Has the steps of a saved row show what the save has made of a field that it was not told to set.
  private mutating func replace(_ name: String, of id: Int, _ before: String, by left: String) {
    for steps in [\Self.undo, \Self.redo] {
      for step in self[keyPath: steps].indices {
        guard var later = (self[keyPath: steps][step].shownAfter[id] ?? nil).map(Self.fields),
          later[name] == before
        else { continue }
        if var former = (self[keyPath: steps][step].shownBefore[id] ?? nil).map(Self.fields),
          former[name] == before
        {
          former[name] = left
          self[keyPath: steps][step].shownBefore[id] = Self.item(former)
        }
        later[name] = left
        self[keyPath: steps][step].shownAfter[id] = Self.item(later)
      }
    }
  }

  /// Has the edits of a row that was not saved be made to what a save of other rows has made of a field.
  private mutating func adopt(_ name: String, of id: Int, _ before: String, as left: String) {
    guard pending[id] != nil else { return }
    if pending[id]?.seen?[name] == before { pending[id]?.seen?[name] = left }
    for steps in [\Self.undo, \Self.redo] {
      for step in self[keyPath: steps].indices where !self[keyPath: steps][step].saved.contains(id) {
        guard var row = self[keyPath: steps][step].before[id] ?? nil, row.seen?[name] == before else {
          continue
        }
        row.seen?[name] = left
        self[keyPath: steps][step].before[id] = row
      }
    }
  }

  // MARK: Foreign keys

  private struct EffectKey: Hashable {
    var id: Int
    var isGone: Bool
  }

  /// The last deletion of a row, among what can be undone or redone.
  private func deletion(of id: Int) -> (steps: WritableKeyPath<Self, [Step]>, step: Int)? {
    var last: (number: Int, steps: WritableKeyPath<Self, [Step]>, step: Int)?
    for steps in [\Self.undo, \Self.redo] {
      guard let step = self[keyPath: steps].lastIndex(where: { $0.shownBefore[id] != nil }) else { continue }
      let number = self[keyPath: steps][step].number
      if number >= last?.number ?? 0 { last = (number, steps, step) }
    }
    guard let last else { return nil }
    let step = self[keyPath: last.steps][last.step]
    let isDeletion = (step.shownBefore[id] ?? nil) != nil && (step.shownAfter[id] ?? nil) == nil
    return isDeletion ? (last.steps, last.step) : nil
  }

  /// Whether no later edit of a row than the deletion has set what that did to the row.
  private func isUndoneLater(_ effect: LawDatabase.Effect) -> Bool {
    guard let last = deletion(of: effect.cause) else { return false }
    let number = self[keyPath: last.steps][last.step].number
    return !(undo + redo).contains { step in
      guard step.number >= number, let before = step.shownBefore[effect.id],
        !step.effects.contains(effect.id)
      else { return false }
      guard effect.after != nil, let before, let after = step.shownAfter[effect.id] ?? nil else {
        return true
      }
      return before.note != after.note
    }
  }

  /// Makes what a deletion did to a row part of it, so that both are undone together.
  private mutating func record(_ effect: LawDatabase.Effect, _ ids: Set<Int>) {
    guard let (steps, position) = deletion(of: effect.cause) else { return }
    var step = self[keyPath: steps][position]
    if step.shownBefore[effect.id] != nil {
      guard let after = effect.after else {
        // Another deletion of the step has set its note before.
        if step.effects.contains(effect.id) {
          step.shownAfter[effect.id] = .some(nil)
          self[keyPath: steps][position] = step
        }
        return
      }
      if ids.contains(effect.id) || step.effects.contains(effect.id) {
        if var shown = step.shownAfter[effect.id] ?? nil {
          shown.note = after.note
          step.shownAfter[effect.id] = shown
        }
      } else if step.before[effect.id].map({ $0?.seen != nil || $0 == nil }) ?? true {
        // What is not saved leads back to a row that is changed back.
        var row = (step.before[effect.id] ?? nil) ?? Pending(seen: Self.fields(after))
        if !row.isDeleted {
          row.mine["note"] = Self.fields(effect.before)["note"]
          step.before[effect.id] = row
        }
      }
    } else {
      step.before[effect.id] = .some(nil)
      step.shownBefore[effect.id] = effect.before
      step.shownAfter[effect.id] = .some(effect.after)
      step.stored[effect.id] = effect.before
      step.saved.insert(effect.id)
      step.effects.insert(effect.id)
      step.ids.insert(effect.id, at: step.ids.firstIndex(of: effect.cause) ?? 0)
    }
    self[keyPath: steps][position] = step
  }

  /// Forgets the edits of a row that were not saved, and events of which nothing is left.
  private mutating func forgetUnsaved(_ id: Int) {
    for steps in [\Self.undo, \Self.redo] {
      for step in self[keyPath: steps].indices.reversed() {
        guard self[keyPath: steps][step].before[id] != nil, !self[keyPath: steps][step].saved.contains(id)
        else { continue }
        self[keyPath: steps][step].before[id] = nil
        self[keyPath: steps][step].after[id] = nil
        self[keyPath: steps][step].shownBefore[id] = nil
        self[keyPath: steps][step].shownAfter[id] = nil
        self[keyPath: steps][step].stored[id] = nil
        self[keyPath: steps][step].ids.removeAll { $0 == id }
        if self[keyPath: steps][step].ids.isEmpty { self[keyPath: steps].remove(at: step) }
      }
    }
  }

  /// Has the edits since the last save to stand on what a save writes over: undo leads back to it.
  private mutating func stand(on theirs: Item?, _ id: Int) {
    guard let row = pending[id] else { return }
    let now = theirs.map(Self.fields)
    var over: Fields = [:]
    if let seen = row.seen, let now, !row.isDeleted {
      over = now.filter {
        row.mine[$0.key] != nil && row.mine[$0.key] != $0.value && seen[$0.key] != $0.value
      }
    }
    let isWhole = over.isEmpty
    func standing(_ item: Item?, _ pending: Pending?) -> Item? {
      guard let pending else {
        return isWhole ? theirs : item.flatMap { Self.item(Self.fields($0).merging(over) { $1 }) }
      }
      guard let item, !pending.isDeleted else { return nil }
      let beneath = isWhole ? now ?? Self.fields(item) : Self.fields(item).merging(over) { $1 }
      return Self.item(beneath.merging(pending.mine) { $1 })
    }
    for steps in [\Self.undo, \Self.redo] {
      for position in self[keyPath: steps].indices {
        let step = self[keyPath: steps][position]
        guard let before = step.before[id], let after = step.after[id], !step.saved.contains(id) else {
          continue
        }
        self[keyPath: steps][position].shownBefore[id] = .some(standing(step.shownBefore[id] ?? nil, before))
        self[keyPath: steps][position].shownAfter[id] = .some(standing(step.shownAfter[id] ?? nil, after))
      }
    }
  }

  /// Has the last edit since the last save to have removed a row: a deletion in the same save has taken it along.
  private mutating func noteRemoved(_ id: Int) {
    for step in undo.indices.reversed() {
      if undo[step].saved.contains(id) { return }
      guard undo[step].shownAfter[id] != nil else { continue }
      undo[step].shownAfter[id] = .some(nil)
      return
    }
  }

  /// Has edits since the last save not to have set fields: a save has left these as others had them.
  private mutating func drop(_ fields: Set<String>, of id: Int) {
    for steps in [\Self.undo, \Self.redo] {
      for position in self[keyPath: steps].indices {
        let step = self[keyPath: steps][position]
        guard step.shownBefore[id] != nil, !step.saved.contains(id) else { continue }
        let before = (step.shownBefore[id] ?? nil).map(Self.fields)
        let after = (step.shownAfter[id] ?? nil).map(Self.fields)
        if fields.count == 4 {
          self[keyPath: steps][position].shownAfter[id] = step.shownBefore[id]
        } else if let before, let after {
          let kept = before.filter { fields.contains($0.key) }
          self[keyPath: steps][position].shownAfter[id] = Self.item(after.merging(kept) { $1 })
        }
      }
    }
  }

  /// Has the edits that led to a value to have led to another one: what the database has made of it.
  private mutating func note(_ name: String, of id: Int, sent: String, left: String?) {
    for steps in [\Self.undo, \Self.redo] {
      for step in self[keyPath: steps].indices.reversed() {
        guard !self[keyPath: steps][step].saved.contains(id) else { break }
        guard let after = self[keyPath: steps][step].shownAfter[id] else { continue }
        guard var fields = after.map(Self.fields), fields[name] == sent else { break }
        fields[name] = left
        self[keyPath: steps][step].shownAfter[id] = Self.item(fields)
        guard var before = (self[keyPath: steps][step].shownBefore[id] ?? nil).map(Self.fields),
          before[name] == sent
        else { break }
        before[name] = left
        self[keyPath: steps][step].shownBefore[id] = Self.item(before)
      }
    }
  }

  /// Sets that are what the store has are none.
  private mutating func dropWhatIsThere() {
    for (id, row) in pending {
      guard let now = store[id].map(Self.fields) else {
        if row.isDeleted || row.seen != nil && row.mine.isEmpty { pending[id] = nil }
        continue
      }
      if row.isDeleted { continue }
      if row.seen == nil {
        if row.mine.allSatisfy({ now[$0.key] == $0.value }) { pending[id] = nil }
        continue
      }
      pending[id]?.mine = row.mine.filter { now[$0.key] != $0.value }
      if pending[id]?.mine.isEmpty == true { pending[id] = nil }
    }
  }

  private mutating func perform(
    ids: Set<Int>? = nil, _ body: (inout Self) -> Void, push: (inout Self, Step) -> Void
  ) {
    number += 1
    let former = self
    touched = []
    body(&self)
    let changed = Set(former.pending.keys).union(pending.keys).filter { former.pending[$0] != pending[$0] }
    let ids = ids ?? changed
    if ids.isEmpty { return }
    var order: [Int] = []
    for id in touched where ids.contains(id) && !order.contains(id) { order.append(id) }
    func each<Value>(_ value: (Int) -> Value) -> [Int: Value] {
      Dictionary(uniqueKeysWithValues: ids.map { ($0, value($0)) })
    }
    let now = self
    push(
      &self,
      Step(
        before: each { former.pending[$0] }, after: each { now.pending[$0] },
        shownBefore: each { former.shown($0) }, shownAfter: each { now.shown($0) },
        stored: each { now.store[$0] }, number: number, ids: order))
  }

  // MARK: Fields

  static func fields(_ item: Item) -> Fields {
    [
      "id": "\(item.id)", "section": item.section, "key": "\(item.key)",
      "note": item.note.map { "\"\($0)" } ?? "-",
    ]
  }

  static func item(_ fields: Fields) -> Item? {
    guard let id = fields["id"].flatMap(Int.init), let key = fields["key"].flatMap(Int.init),
      let section = fields["section"], let note = fields["note"]
    else { return nil }
    return Item(id: id, section: section, key: key, note: note == "-" ? nil : String(note.dropFirst()))
  }
}
