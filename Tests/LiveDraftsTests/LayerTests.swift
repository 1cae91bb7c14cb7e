import LiveFetch
import LiveListsTestSupport
import Testing
import _TestTools

@testable import LiveDrafts

@Suite("The layer of a draft, a value")
struct LayerTests {
  /// A layer beside the plain model, over a store that is a dictionary.
  struct World {
    var layer = DraftLayer()
    var oracle = DraftOracle()

    func stored(_ id: Int) -> StoredRow? { oracle.store[id]?.values }

    func key(_ id: Int) -> DraftKey { DraftKey("item", .integer(Int64(id))) }

    func shown(_ id: Int) -> StoredRow? {
      if let pending = layer[key(id)] { return pending.shown }
      return stored(id)
    }

    mutating func perform(_ step: DraftStep) throws {
      let ids = 0..<2
      let bases = Dictionary(uniqueKeysWithValues: ids.compactMap { id in stored(id).map { (key(id), $0) } })
      let before = ids.map { shown($0) }
      var effects: [RowEffect] = []
      switch step {
      case .commit(let writes):
        oracle.commit(writes)
        effects = writes.compactMap { write in layer.follow(key(write.id), stored(write.id), isOwn: false) }
        // Rows that are not pending pass by the layer.
        let passed = Set(writes.map(\.id)).subtracting(effects.map(\.key).compactMap(id))
        for id in passed { effects.append(RowEffect(key: key(id), before: before[id], after: stored(id))) }
      case .edit, .undo, .redo, .discard:
        effects = try edit(step, bases)
        follow(step)
      case .save(let policy): effects = try save(policy, [])
      case .saving(let policy, let steps, _): effects = try save(policy, steps)
      case .write, .reset, .open: break
      }
      // The effects say what was shown before, and what is shown after.
      for effect in effects {
        guard let id = id(effect.key) else { continue }
        #expect(effect.before == before[id] && effect.after == shown(id), "effect of \(step) on \(id)")
      }
      for id in ids where before[id] != shown(id) {
        #expect(effects.contains { $0.key == key(id) }, "\(step) changes \(id) without a word")
      }
    }

    /// A step that concerns the layer alone.
    private mutating func edit(_ step: DraftStep, _ bases: [DraftKey: StoredRow]) throws -> [RowEffect] {
      switch step {
      case .edit(let writes):
        var edits: [(key: DraftKey, edit: RowEdit)] = []
        var there = Set((0..<2).filter { shown($0) != nil })
        for write in writes {
          switch write {
          case .put(let item):
            edits.append(
              (key(item.id), there.insert(item.id).inserted ? .insert(item.values) : .set(item.values)))
          case .remove(let id):
            there.remove(id)
            edits.append((key(id), .delete))
          }
        }
        return try layer.apply(edits, named: "edit", bases: bases)
      case .undo: return layer.restore(.undo, bases: bases)
      case .redo: return layer.restore(.redo, bases: bases)
      case .discard(let some):
        let keys = layer.inOrder { some?.contains(self.id($0) ?? -1) ?? true }.map(\.key)
        return layer.discard(keys, named: "discard")
      default: return []
      }
    }

    private mutating func follow(_ step: DraftStep) {
      switch step {
      case .edit(let writes): oracle.edit(writes)
      case .undo: oracle.undoLast()
      case .redo: oracle.redoLast()
      case .discard(let some): oracle.discard(some.map(Set.init))
      default: break
      }
    }

    private func id(_ key: DraftKey) -> Int? {
      if case .integer(let id) = key.id { Int(id) } else { nil }
    }

    /// Saves, and makes edits between the taking of the rows and the commit.
    private mutating func save(_ policy: DraftPolicy, _ steps: [DraftStep]) throws -> [RowEffect] {
      let fallback = layer
      let taken = layer.beginSaving(policy) { _ in true }
      let bases = Dictionary(
        uniqueKeysWithValues: (0..<2).compactMap { id in stored(id).map { (key(id), $0) } })
      var effects: [RowEffect] = []
      func add(_ more: [RowEffect]) {
        for effect in more {
          if let position = effects.firstIndex(where: { $0.key == effect.key }) {
            effects[position] = effects[position].merged(with: effect)
          } else {
            effects.append(effect)
          }
        }
      }
      let core = DraftCore()
      let decisions = taken.map { key, row in
        core.change(key, row).decision(
          for: stored(id(key) ?? -1).map { FetchRow(DictionaryRow($0)) }, policy: policy)
      }
      let conflicts = Set(
        zip(taken, decisions).filter { $1 == .conflict }.compactMap { taken, _ in id(taken.key) })
      #expect(oracle.save(policy) == conflicts)
      if !conflicts.isEmpty { return layer.fallBack(to: fallback) }
      for step in steps { add(try edit(step, bases)) }
      for ((key, _), decision) in zip(taken, decisions) where decision != .nothing {
        if let effect = layer.follow(key, stored(id(key) ?? -1), isOwn: true) { add([effect]) }
      }
      add(layer.finishSaving())
      add(layer.recordEffects())
      #expect(layer.save.rows.isEmpty)
      // All is as if it had come after the save.
      for step in steps { follow(step) }
      return effects
    }

    func check(_ path: [DraftStep]) {
      for id in 0..<2 {
        let shown = shown(id)
        let expected = oracle.shown(id)?.values
        let pending = layer[key(id)]
        if let pending {
          // What its documentation says is always so.
          #expect(
            (pending.base == nil || pending.gone == nil) && (!pending.isDeleted || pending.mine.isEmpty))
          #expect((pending.base == nil) == (stored(id) == nil))
          #expect(pending.base?.count ?? 4 == 4 && pending.original?.count ?? 4 == 4)
        }
        if shown != expected || (pending != nil) != (oracle.pending[id] != nil)
          || pending?.isConflicting ?? false != oracle.isConflicting(id)
        {
          Issue.record(
            "after \(path) the row \(id) is \(String(describing: shown)), not \(String(describing: expected)); pending: \(String(describing: pending)), in the model \(String(describing: oracle.pending[id]))"
          )
        }
      }
    }
  }

  private static func item(_ key: Int, _ note: String? = nil) -> ConformanceWrite {
    .put(Item(id: 0, section: "a", key: key, note: note))
  }

  /// The events of one row: enough for two columns to be changed by either side, or by both.
  static let steps: [DraftStep] = [
    .edit([item(1)]), .edit([item(2, "x")]), .edit([.remove(0)]), .commit([item(1)]), .commit([item(3)]),
    .commit([.remove(0)]), .undo, .redo, .discard(nil), .save(.mergeColumns), .save(.mine), .save(.theirs),
    .saving(.mergeColumns, [.edit([item(3)])], fails: false),
    .saving(.mine, [.edit([.remove(0)])], fails: false),
    .saving(.mergeColumns, [.edit([item(2)]), .undo, .undo], fails: false),
    .saving(.mergeColumns, [.undo, .redo], fails: false),
    .saving(.mergeColumns, [.edit([.remove(0)]), .edit([item(1)]), .discard(nil)], fails: false),
  ]

  @Test(
    "All histories of one row up to four steps are those of the plain model",
    arguments: inTurns(Array(steps.indices), of: 3))
  func allHistories(_ first: Int) throws {
    func visit(_ world: World, _ path: [DraftStep]) throws {
      for step in path.isEmpty ? [Self.steps[first]] : Self.steps {
        var next = world
        let path = path + [step]
        try next.perform(step)
        next.check(path)
        if path.count < 4 { try visit(next, path) }
      }
    }
    try visit(World(), [])
    var stored = World()
    try stored.perform(.commit([Self.item(0, "o")]))
    try visit(stored, [])
  }

  @Test("To note that a row was saved costs the same, however many rows were", arguments: [1_000, 16_000])
  func notingSaved(_ count: Int) throws {
    var layer = DraftLayer()
    let keys = (0..<count).map { DraftKey("item", .integer(Int64($0))) }
    _ = try layer.apply(keys.map { ($0, .insert(["id": $0.id])) }, named: "", bases: [:])
    _ = layer.beginSaving(.mergeColumns) { _ in true }
    for key in keys { _ = layer.follow(key, ["id": key.id], isOwn: true) }
    #expect(layer.isEmpty && layer.save.rows.isEmpty)
    #expect(layer.history.examined <= 2 * count)
    // All of them are known to be saved: an undo is an edit that deletes them.
    _ = layer.restore(.undo, bases: Dictionary(uniqueKeysWithValues: keys.map { ($0, ["id": $0.id]) }))
    #expect(layer.tables["item"]?.values.count { $0.isDeleted } == count)
  }

  @Test("Rows of a large save are forgotten when it can no longer be undone")
  func forgettingSaved() throws {
    var layer = DraftLayer()
    let keys = (0..<1_000).map { DraftKey("item", .integer(Int64($0))) }
    _ = try layer.apply(keys.map { ($0, .insert(["id": $0.id])) }, named: "", bases: [:])
    _ = layer.beginSaving(.mergeColumns) { _ in true }
    for key in keys { _ = layer.follow(key, ["id": key.id], isOwn: true) }
    #expect(keys.allSatisfy { layer.history.left($0) != nil })
    let other = DraftKey("item", .integer(-1))
    for number in 0..<layer.history.groupLimit {
      let values: StoredRow = ["id": other.id, "key": .integer(Int64(number))]
      _ = try layer.apply([(other, number == 0 ? .insert(values) : .set(values))], named: "", bases: [:])
    }
    #expect(keys.allSatisfy { layer.history.left($0) == nil })
  }

  @Test("A column that is not known of the store's row is not in conflict", arguments: [true, false])
  func unknownColumn(_ isDeleted: Bool) {
    let seen: StoredRow = ["id": .integer(1), "a": .integer(0), "b": .integer(0)]
    var row = PendingRow(
      base: seen, original: seen, mine: isDeleted ? [:] : ["a": .integer(1)], isDeleted: isDeleted)
    row.rebase(["id": .integer(1), "b": .integer(0)])
    #expect(!row.isConflicting)
    row.rebase(["id": .integer(1), "a": .integer(2), "b": .integer(0)])
    #expect(row.isConflicting)
  }

  @Test("An edit that fails leaves nothing of its group")
  func failingEdit() throws {
    var layer = DraftLayer()
    let (one, two) = (DraftKey("item", .integer(1)), DraftKey("item", .integer(2)))
    #expect(throws: DraftError.self) {
      try layer.apply(
        [(one, .insert(["id": .integer(1)])), (two, .set(["key": .integer(1)]))], named: "", bases: [:])
    }
    #expect(layer.isEmpty && layer.history.undo.isEmpty)
  }

  @Test("The history keeps a hundred edits, or so many rows, and the newest in any case")
  func historyLimits() throws {
    var layer = DraftLayer()
    layer.history.groupLimit = 3
    layer.history.rowLimit = 10
    for number in 0..<5 {
      _ = try layer.apply(
        [(DraftKey("item", .integer(Int64(number))), .insert(["id": .integer(Int64(number))]))],
        named: "\(number)",
        bases: [:])
    }
    #expect(layer.history.undo.map(\.name) == ["2", "3", "4"])
    let many = (10..<30).map {
      (DraftKey("item", .integer(Int64($0))), RowEdit.insert(["id": .integer(Int64($0))]))
    }
    _ = try layer.apply(many, named: "many", bases: [:])
    #expect(layer.history.undo.map(\.name) == ["many"])
  }
}

extension ConformanceWrite {
  var id: Int {
    switch self {
    case .put(let item): item.id
    case .remove(let id): id
    }
  }
}
