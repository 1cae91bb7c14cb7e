import LiveFetch
import LiveListsTestSupport
import Testing
import _TestTools

@testable import LiveDrafts

@Suite("An edit that is taken back below later ones")
struct RevertTests {
  static let key = DraftKey("item", .integer(1))
  static let stored: StoredRow = ["a": .integer(0), "b": .integer(0), "c": .integer(0)]

  /// Sets columns of the row, and returns the number of the edit.
  static func set(_ columns: StoredRow, in layer: inout DraftLayer) throws -> UInt64 {
    _ = try layer.apply([(key, .set(columns))], named: "", bases: [key: stored])
    return layer.serial
  }

  @Test(
    "All is as if it had not been made, also what can be undone", arguments: 0..<300 as Range<UInt64>,
    [false, true])
  func law(_ seed: UInt64, _ isNew: Bool) throws {
    var random = SplitMix(seed: seed)
    // Each value is new, so that no edit sets what is there.
    let edits = (1...Int.random(in: 2...5, using: &random)).map { number -> StoredRow in
      let columns = ["a", "b", "c"].shuffled(using: &random).prefix(Int.random(in: 1...3, using: &random))
      return Dictionary(uniqueKeysWithValues: columns.map { ($0, .integer(Int64(number))) })
    }
    let reverted = Int.random(in: edits.indices, using: &random)
    let undone = Int.random(in: 0..<edits.count - reverted, using: &random)
    var (layer, expected) = (DraftLayer(), DraftLayer())
    if isNew {
      _ = try layer.apply([(Self.key, .insert(Self.stored))], named: "", bases: [:])
      expected = layer
    }
    var serials: [UInt64] = []
    for (number, edit) in edits.enumerated() {
      serials.append(try Self.set(edit, in: &layer))
      if number != reverted { _ = try Self.set(edit, in: &expected) }
    }
    let bases = isNew ? [:] : [Self.key: Self.stored]
    for _ in 0..<undone {
      _ = layer.restore(.undo, bases: bases)
      _ = expected.restore(.undo, bases: bases)
    }
    let before = layer[Self.key].map(\.shown) ?? bases[Self.key]
    let effects = layer.revert(edit: serials[reverted], bases: bases)
    let after = layer[Self.key].map(\.shown) ?? bases[Self.key]
    #expect(effects.allSatisfy { $0.before == before && $0.after == after }, "seed \(seed)")
    #expect(!effects.isEmpty || before == after, "seed \(seed)")
    func compare(_ when: String) {
      let (row, other) = (layer[Self.key], expected[Self.key])
      #expect(row?.mine == other?.mine && row?.original == other?.original, "seed \(seed), \(when)")
      #expect(row?.isConflicting == other?.isConflicting, "seed \(seed), \(when)")
    }
    compare("taken back")
    for direction in [DraftDirection.redo, .undo, .redo] {
      for number in 0..<6 {
        _ = layer.restore(direction, bases: bases)
        _ = expected.restore(direction, bases: bases)
        compare("\(direction) \(number)")
      }
    }
  }

  @Test("Of a new row that was edited since, both are undone together")
  func inserted() throws {
    var layer = DraftLayer()
    _ = try layer.apply([(Self.key, .insert(Self.stored))], named: "", bases: [:])
    let serial = layer.serial
    _ = try layer.apply([(Self.key, .set(["a": .integer(2)]))], named: "", bases: [:])
    #expect(layer.revert(edit: serial, bases: [:]).isEmpty)
    #expect(layer[Self.key]?.shown?["a"] == .integer(2) && layer.history.undo.count == 1)
    _ = layer.restore(.undo, bases: [:])
    #expect(layer.isEmpty)
    _ = layer.restore(.redo, bases: [:])
    #expect(layer[Self.key]?.shown?["a"] == .integer(2) && layer[Self.key]?.kind == .insert)
  }

  /// Changes that are pending before a write, and the writes that undo them.
  static let losses: [(String, ConformanceWrite, ConformanceWrite)] = [
    ("an insertion that it deletes", .put(Item(id: 7, section: "a", key: 7)), .remove(7)),
    ("an edit that it deletes", .put(Item(id: 1, section: "a", key: 1, note: "mine")), .remove(1)),
    (
      "an edit that it sets back", .put(Item(id: 1, section: "a", key: 1, note: "mine")),
      .put(Item(id: 1, section: "a", key: 1))
    ),
    ("a deletion that it takes back", .remove(1), .put(Item(id: 1, section: "a", key: 1))),
  ]

  @Test(
    "A write that fails loses nothing that was pending before", arguments: losses.indices,
    [nil, "theirs", "mine"])
  func pendingBefore(_ number: Int, _ meanwhile: String?) async throws {
    struct Refused: Error {}
    let (_, first, write) = Self.losses[number]
    let store = InMemoryStore()
    store.put(Item(id: 1, section: "a", key: 1), Item(id: 2, section: "a", key: 2))
    let interrupted = InterruptedStore(store)
    let draft = FetchDraft(of: interrupted)
    let list = FetchController(.byKey, in: draft)
    try await list.performFetch()
    try draft.edit("first") { edit in try edit.perform([first]) }
    let changes = draft.changes
    interrupted.interrupt {
      // Of the same row another column, by somebody else or by the draft.
      if number < 3, case .put(var item) = first {
        item.section = "z"
        if meanwhile == "theirs", number > 0 { store.put(Item(id: 1, section: "z", key: 1)) }
        if meanwhile == "mine", number == 2 {
          try draft.edit("later") { try $0.update(Item.self, id: 1) { $0.section = "z" } }
        }
      }
      throw Refused()
    }
    await #expect(throws: Refused.self) {
      try await draft.write("write") { edit in
        try edit.perform([write])
        try edit.update(Item.self, id: 2) { $0.note = "with it" }
      }
    }
    await list.waitUntilCurrent()
    let isEdited = meanwhile == "mine" && number == 2
    #expect(draft.undoNames == (isEdited ? ["later", "first"] : ["first"]) && draft.redoNames.isEmpty)
    #expect(draft.changes.map(\.kind) == changes.map(\.kind) && draft.changes.map(\.id) == changes.map(\.id))
    #expect(draft.changes.first?.columns == (isEdited ? ["note", "section"] : changes[0].columns))
    #expect(draft.conflicts.isEmpty)
    let id = number == 0 ? 7 : 1
    #expect((list.object(for: id)?.note == "mine") == (number == 1 || number == 2))
    #expect((list.object(for: id) == nil) == (number == 3))
    if isEdited {
      try draft.undo()
      #expect(draft.changes == changes)
    }
    try draft.undo()
    #expect(!draft.hasChanges)
    try draft.redo()
    if meanwhile != "theirs" { #expect(draft.changes == changes) }
    await list.waitUntilCurrent()
    #expect((list.object(for: id)?.note == "mine") == (number == 1 || number == 2))
  }

  @Test("Of two writes of a row that wait, the one that is refused leaves nothing and the other is saved")
  func beside() async throws {
    struct Refused: Error {}
    let (store, _, _) = try await FetchDraftTests.world()
    let interrupted = InterruptedStore(store)
    let draft = FetchDraft(of: interrupted)
    let list = FetchController(.byKey, in: draft)
    try await list.performFetch()
    await draft.saves.begin()
    let refused = Task {
      try await draft.write("A") { edit in try edit.update(Item.self, id: 1) { $0.key = 7 } }
    }
    while draft.saves.waiterCount < 1 { await Task.yield() }
    let saved = Task {
      try await draft.write("B") { edit in try edit.update(Item.self, id: 1) { $0.note = "B" } }
    }
    while draft.saves.waiterCount < 2 { await Task.yield() }
    interrupted.interrupt { throw Refused() }
    draft.saves.end()
    await #expect(throws: Refused.self) { try await refused.value }
    try await saved.value
    #expect(!draft.hasChanges && draft.undoNames == ["B"])
    #expect(try store.items[1]?.key == 1 && store.items[1]?.note == "B")
    #expect(list.object(for: 1)?.key == 1 && list.object(for: 1)?.note == "B")
  }
}
