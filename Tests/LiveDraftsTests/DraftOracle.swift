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
    /// The number of the event that edited it last.
    var number = 0

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
  var undo: [Step] = []
  var redo: [Step] = []
  /// The number of the last event that can be undone. While a save is under way there are two models, which number alike.
  var number = 0
  /// The rows as saves have left them.
  var left: [Int: Fields] = [:]
  /// The rows of which nobody knows since a reset whether others have changed them: what a trigger then makes of those that are not pending counts
  /// as others' change.
  var unsure: Set<Int> = []
  /// The values that foreign keys have changed of pending rows since, as they were before.
  var found: [Int: Fields] = [:]
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
    /// The rows that go by their values: a save has taken them, or a foreign key has changed them since.
    var saved: Set<Int> = []
    /// The rows that a save has taken.
    var taken: Set<Int> = []
    /// The rows that foreign keys have deleted or changed, and the step itself has not.
    var effects: Set<Int> = []
    /// The rows that others have made or removed as well as the draft, and the events in which the draft did.
    var conceded: [Int: Set<Int>] = [:]
    var number = 0
    /// The rows, in the order in which they were first edited.
    var ids: [Int] = []
  }

  /// The number of the event that is undone, or redone, next.
  var undoNumber: Int? { undo.last?.number }
  var redoNumber: Int? { redo.last?.number }

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

  /// Nobody knows what others have changed.
  mutating func reset() { unsure = Set(0..<8) }

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
  mutating func replaceStore(by rows: [Int: Item], isOthers: Bool) {
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
    // Undo was to remove it, as they have done: the deletion before brings nothing back.
    if row.isDeleted, let last = lastDeletion(id, \.undo) { leave(id, last, \.undo) }
    func conceded(_ item: Item?) -> Item? {
      if isWhole { return now.flatMap(Self.item) }
      return item.flatMap { item in
        Self.item(Self.fields(item).merging(row.mine.filter { same.contains($0.key) }) { $1 })
      }
    }
    for steps in [\Self.undo, \Self.redo] {
      for step in self[keyPath: steps].indices where !self[keyPath: steps][step].taken.contains(id) {
        guard let before = self[keyPath: steps][step].before[id] else { continue }
        let after = self[keyPath: steps][step].after[id] ?? nil
        if isWhole {
          self[keyPath: steps][step].conceded[id, default: []].insert(row.number)
        }
        if before == nil {
          self[keyPath: steps][step].shownBefore[id] = .some(
            conceded(self[keyPath: steps][step].shownBefore[id] ?? nil))
        }
        if after == nil {
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

  /// The draft writes, to save it at once.
  /// - Returns: The rows that it has changed.
  mutating func write(_ writes: [ConformanceWrite]) -> Set<Int> {
    let before = number
    edit(writes)
    guard let last = undo.last, last.number > before else { return [] }
    return Set(last.ids)
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
      let former = pending[id]
      pending[id] = row
      noteEdit(id, after: former)
    case .remove(let id):
      if shown(id) != nil { touched.append(id) }
      remove(id)
    }
    dropWhatIsThere()
    return true
  }

  /// Has a row written after those that were edited before; one that is new is still written when it was to be.
  private mutating func noteOrder(_ id: Int, after former: Pending?) {
    lastOrder += 1
    let isNew = former.map { $0.seen == nil && !$0.isDeleted } ?? false
    pending[id]?.order = isNew ? former?.order ?? lastOrder : lastOrder
  }

  private mutating func noteEdit(_ id: Int, after former: Pending? = nil) {
    touched.append(id)
    noteOrder(id, after: former)
    pending[id]?.number = number
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
        // The row as it was before it was deleted, if the step that is taken back next has deleted it.
        let former = oracle[keyPath: from].last { $0.before[id] != nil }
        let isDeletion =
          former.map { ($0.shownBefore[id] ?? nil) != nil && ($0.shownAfter[id] ?? nil) == nil } ?? false
        if isDeletion { oracle.concedeDeletion(id, step, from) } else { oracle.concedeEdits(id, step, from) }
        let pendingBefore = oracle.pending[id]
        if step.saved.contains(id) {
          oracle.takeBack(id, step, isDeletion ? former?.shownBefore[id] ?? nil : nil)
          oracle.noteOrder(id, after: pendingBefore)
          oracle.pending[id]?.number = oracle.number
        } else {
          for steps in [\Self.undo, \Self.redo] {
            for position in oracle[keyPath: steps].indices
            where !oracle[keyPath: steps][position].taken.contains(id) {
              oracle[keyPath: steps][position].conceded[id]?.remove(step.number)
            }
          }
          let stood = oracle.pending[id]?.gone.flatMap(Self.item) ?? step.stored[id] ?? nil
          oracle.pending[id] = before
          oracle.pending[id]?.number = oracle.number
          oracle.pending[id]?.follow(oracle.store[id], stood: stood)
        }
      }
      oracle.dropWhatIsThere()
    } push: {
      $0[keyPath: to].append($1)
    }
  }

  /// Leaves to others that a row is gone, where undo was to remove it as well: then it does not come back with the deletion before, unless
  /// that has others come back.
  private mutating func concedeDeletion(_ id: Int, _ step: Step, _ from: WritableKeyPath<Self, [Step]>) {
    guard store[id] == nil, pending[id] == nil || pending[id]?.seen != nil,
      (step.shownBefore[id] ?? nil) == nil, (step.shownAfter[id] ?? nil) != nil,
      let position = lastDeletion(id, from)
    else { return }
    leave(id, position, from)
  }

  /// The position of the last step of a row where that is a saved deletion with which no others come back.
  private func lastDeletion(_ id: Int, _ from: WritableKeyPath<Self, [Step]>) -> Int? {
    guard let position = self[keyPath: from].lastIndex(where: { $0.before[id] != nil }) else { return nil }
    let step = self[keyPath: from][position]
    guard step.saved.contains(id), (step.shownAfter[id] ?? nil) == nil else { return nil }
    let isAlone =
      step.effects.contains(id)
      ? step.effects.allSatisfy { LawDatabase.isAlbum($0) == LawDatabase.isAlbum(id) } : step.effects.isEmpty
    return isAlone ? position : nil
  }

  private mutating func leave(_ id: Int, _ position: Int, _ from: WritableKeyPath<Self, [Step]>) {
    self[keyPath: from][position].shownBefore[id] = .some(nil)
    self[keyPath: from][position].shownAfter[id] = .some(nil)
  }

  /// Leaves to others that a row was gone before a step made it anew.
  private mutating func concedeEdits(_ id: Int, _ step: Step, _ from: WritableKeyPath<Self, [Step]>) {
    guard from == \Self.undo, store[id] != nil, pending[id] == nil || pending[id]?.seen != nil,
      (step.shownBefore[id] ?? nil) == nil, (step.shownAfter[id] ?? nil) != nil
    else { return }
    for position in undo.indices.reversed() where undo[position].before[id] != nil {
      guard undo[position].saved.contains(id), (undo[position].shownAfter[id] ?? nil) != nil else { return }
      undo[position].shownBefore[id] = .some(nil)
      undo[position].shownAfter[id] = .some(nil)
    }
  }

  private mutating func takeBack(_ id: Int, _ step: Step, _ deleted: Item?) {
    let (before, after) = (step.shownBefore[id] ?? nil, step.shownAfter[id] ?? nil)
    switch (before.map(Self.fields), after.map(Self.fields)) {
    case (nil, nil): break
    case (nil, let left?):
      if let row = pending[id], row.seen == nil, !row.isDeleted {
        pending[id] = nil
        return
      }
      var seen = left
      // The deletion before had not seen what others had changed when the row was made again.
      if let deleted = deleted.map(Self.fields), let former = step.before[id] ?? nil, former.isDeleted {
        let own = (step.after[id] ?? nil)?.mine ?? [:]
        for (name, value) in deleted where own[name] == nil && former.seen?[name] != left[name] {
          seen[name] = value
        }
      }
      // The editor saw each pending column as it was when it was set.
      if let row = pending[id], !row.isDeleted {
        for name in row.mine.keys { seen[name] = (row.seen ?? row.mine)[name] }
      }
      pending[id] = store[id] == nil ? nil : Pending(seen: seen, isDeleted: true)
    case (let values?, nil):
      guard let row = pending[id], row.isDeleted, let seen = row.seen else {
        pending[id] = Pending(seen: nil, mine: values)
        return
      }
      // Values that the deletion has seen were not changed.
      pending[id] = Pending(seen: seen, mine: values.filter { seen[$0.key] != $0.value })
    case (let values?, let left?):
      var row = pending[id] ?? Pending(seen: store[id].map(Self.fields) ?? self.left[id] ?? left)
      // Whoever deleted the row has seen all of it.
      let hasSeenAll = row.isDeleted
      if row.isDeleted { row = Pending(seen: row.seen) }
      if values == left { return }
      for (name, value) in values where left[name] != value {
        // Others have set it between this edit and a later one that was undone.
        if !hasSeenAll, let mine = row.mine[name], mine != left[name] { continue }
        if !hasSeenAll, row.seen != nil, row.mine[name] == nil { row.seen?[name] = left[name] }
        row.mine[name] = value
      }
      pending[id] = row
    }
  }

  /// Sets that are what the store has are none.
  mutating func dropWhatIsThere() {
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
    for id in changed where pending[id] == nil && left[id] == nil { unsure.remove(id) }
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
