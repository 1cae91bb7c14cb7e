import LiveDrafts
import LiveFetch
import LiveListsTestSupport
import Testing

/// After a save undo goes by values. Where nothing was pending, these are those of the row as the save found it: undo of everything leads
/// to what others alone have left, and not to what there was when one began.
@Suite("Undo of everything after a save leads to what others have left")
struct UndoGroundTests {
  /// An action of a history with one row: an edit, or a commit of somebody else's.
  enum Action: Sendable {
    case key(Int)
    case note(String)
    case insert(Item)
    case delete
    /// Deletes and inserts the row in one edit.
    case replace(Item)
    case discard
    case undo
    case redo
    case save
    case theirs(Item)
    case theirDeletion

    func perform(_ draft: FetchDraft, _ store: InMemoryStore) async throws {
      switch self {
      case .key(let key): try draft.edit { try $0.update(Item.self, id: 1) { $0.key = key } }
      case .note(let note): try draft.edit { try $0.update(Item.self, id: 1) { $0.note = note } }
      case .insert(let item): try draft.edit { try $0.insert(item) }
      case .delete: try draft.edit { try $0.delete(Item.self, id: 1) }
      case .replace(let item):
        try draft.edit { edit in
          try edit.delete(Item.self, id: 1)
          try edit.insert(item)
        }
      case .discard: draft.discard()
      case .undo: try draft.undo()
      case .redo: try draft.redo()
      case .save: try await draft.save()
      case .theirs(let item): store.put(item)
      case .theirDeletion: store.remove(1)
      }
      await draft.waitUntilCurrent()
    }
  }

  struct History: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var start: Item? = Item(id: 1, section: "a", key: 0, note: "q")
    var actions: [Action]
    var policy = DraftPolicy.mergeColumns
    /// The row as others make it after the save.
    var later: Item?
    /// The row as others alone would have left it.
    var theirs: Item?
  }

  static func item(_ key: Int, _ note: String?) -> Item { Item(id: 1, section: "a", key: key, note: note) }

  static let histories = [
    History(
      testDescription: "a conflict that was discarded",
      actions: [.key(3), .theirs(item(9, "q")), .discard, .key(4)], theirs: item(9, "q")),
    History(
      testDescription: "a column that no save has written",
      actions: [.note("r"), .theirs(item(0, "t")), .note("t"), .key(5)], theirs: item(0, "t")),
    History(
      testDescription: "a column that others have set as well, and otherwise since",
      actions: [.key(5), .note("t"), .theirs(item(0, "t")), .theirs(item(0, "u"))], later: item(5, "v"),
      theirs: item(0, "v")),
    History(
      testDescription: "the same with another edit in between",
      actions: [.note("t"), .key(4), .key(5), .theirs(item(0, "t")), .theirs(item(0, "u"))],
      later: item(5, "v"), theirs: item(0, "v")),
    History(
      testDescription: "a key that others took, and an edit of their row", start: nil,
      actions: [.insert(item(0, "q")), .theirs(item(9, "t")), .discard, .key(1)], theirs: item(9, "t")),
    History(
      testDescription: "a deletion that was discarded",
      actions: [.delete, .discard, .theirs(item(1, "q")), .note("r")], theirs: item(1, "q")),
    History(
      testDescription: "an edit that was taken back by another",
      actions: [.note("r"), .note("q"), .key(3), .theirs(item(0, "t"))], theirs: item(0, "t")),
    History(
      testDescription: "a row that others deleted, and that was inserted again",
      actions: [.delete, .discard, .theirDeletion, .insert(item(2, "n"))], theirs: nil),
    History(
      testDescription: "a row that others deleted as well, before that deletion was undone",
      actions: [.note("r"), .delete, .theirDeletion, .undo], policy: .mine, theirs: nil),
    History(
      testDescription:
        "a row that was deleted and made again, of which theirs counted, and who went on since",
      actions: [.theirs(item(1, "q")), .delete, .insert(item(5, "n")), .theirs(item(2, "q"))],
      policy: .theirs,
      later: item(3, "n"), theirs: item(3, "q")),
    History(
      testDescription: "a row that was edited and deleted, and that others deleted and made again",
      actions: [.note("r"), .delete, .theirDeletion, .theirs(item(7, "t")), .key(3)], theirs: item(7, "t")),
    History(
      testDescription: "a deletion that was discarded before others went on, twice",
      actions: [.delete, .discard, .theirs(item(0, "t")), .key(2)], later: item(2, "u"),
      theirs: item(0, "u")),
    History(
      testDescription: "a discard of a deletion that was redone after others went on",
      actions: [.delete, .discard, .key(2), .save, .theirs(item(2, "t")), .undo, .undo, .redo],
      theirs: item(0, "t")),
    History(
      testDescription: "a discarded deletion, an edit that was saved, and a deletion after others went on",
      actions: [.delete, .discard, .key(2), .save, .theirs(item(2, "t")), .delete], theirs: item(0, "t")),
    History(
      testDescription:
        "an edit that was undone and redone after its save, before a deletion over which theirs prevailed",
      actions: [.note("r"), .save, .undo, .redo, .delete, .theirs(item(1, "r"))], policy: .theirs,
      theirs: item(1, "q")),
  ]

  @Test("Nothing is pending after it but what takes the save back", arguments: histories)
  func undoingAll(_ history: History) async throws {
    let store = InMemoryStore()
    if let start = history.start { store.put(start) }
    let draft = FetchDraft(of: store)
    let list = FetchController(.byKey, in: draft)
    try await list.performFetch()
    for action in history.actions { try await action.perform(draft, store) }
    try await draft.save(policy: history.policy)
    if let later = history.later { store.put(later) }
    await draft.waitUntilCurrent()
    let saved = try store.items[1]
    var steps = 0
    while try draft.undo() { steps += 1 }
    #expect(draft.conflicts.isEmpty)
    #expect(list.object(for: 1) == history.theirs)
    try await draft.save()
    #expect(try store.items[1] == history.theirs)
    for _ in 0..<steps { try draft.redo() }
    #expect(draft.conflicts.isEmpty)
    try await draft.save()
    #expect(try store.items[1] == saved)
  }

  @Test("Redo of what undo had put back, after others ended that conflict, leads to theirs")
  func redo() async throws {
    let (store, draft, list) = try await FetchDraftTests.world()
    try draft.edit { try $0.update(Item.self, id: 1) { $0.key = 11 } }
    try await draft.save()
    store.put(Item(id: 1, section: "a", key: 19))
    await draft.waitUntilCurrent()
    try draft.undo()
    #expect(draft.conflicts.count == 1)
    store.put(Item(id: 1, section: "a", key: 11))
    await draft.waitUntilCurrent()
    try await draft.save()
    #expect(try store.items[1]?.key == 1)
    try draft.redo()
    #expect(list.object(for: 1)?.key == 11 && draft.conflicts.isEmpty)
  }

  @Test("Undo of two saves leaves alone what others have set between them", arguments: [true, false])
  func betweenSaves(_ isDeleted: Bool) async throws {
    let (store, draft, list) = try await FetchDraftTests.world()
    try draft.edit { try $0.update(Item.self, id: 1) { $0.key = 11 } }
    try await draft.save()
    store.put(Item(id: 1, section: "a", key: 19))
    await draft.waitUntilCurrent()
    try draft.edit { edit in
      if isDeleted {
        try edit.delete(Item.self, id: 1)
      } else {
        try edit.update(Item.self, id: 1) { $0.key = 12 }
      }
    }
    try await draft.save()
    for _ in 0..<2 {
      try draft.undo()
      #expect(list.object(for: 1)?.key == 19 && draft.conflicts.isEmpty)
    }
    try await draft.save()
    #expect(try store.items[1]?.key == 19)
    for _ in 0..<2 { try draft.redo() }
    #expect(list.object(for: 1)?.key == (isDeleted ? nil : 12) && draft.conflicts.isEmpty)
  }

  /// Ways to delete a row and to make it again, with a save at the end.
  static let replacements: [(name: String, actions: [Action], isConflict: Bool)] = [
    ("two edits of one save", [.delete, .insert(item(2, "n"))], false),
    ("two saves", [.delete, .save, .insert(item(2, "n"))], false),
    (
      "two edits of one save, of which one is undone and that discarded",
      [.delete, .insert(item(2, "n")), .save, .undo, .discard], false
    ),
    ("one edit", [.replace(item(2, "n"))], true),
  ]

  @Test(
    "A row that was deleted and made again, and that others delete then, comes back by a conflict or not at all",
    arguments: replacements.indices)
  func deletedByOthers(_ index: Int) async throws {
    let (_, actions, isConflict) = Self.replacements[index]
    let store = InMemoryStore()
    store.put(Self.item(0, "q"))
    let draft = FetchDraft(of: store)
    for action in actions { try await action.perform(draft, store) }
    try await draft.save()
    store.remove(1)
    await draft.waitUntilCurrent()
    while try draft.undo() {}
    #expect(draft.conflicts.count == (isConflict ? 1 : 0) && draft.hasChanges == isConflict)
    while try draft.redo() {}
    #expect(draft.conflicts.isEmpty && !draft.hasChanges)
    #expect(try store.items[1] == nil)
  }

  @Test(
    "A row that was deleted and made again in one save, and that others delete then, does not come back",
    arguments: [true, false])
  func replaced(_ isUndoneBefore: Bool) async throws {
    let store = InMemoryStore()
    try await store.write([.put(Item(id: 1, section: "a", key: 1))], origin: nil)
    let draft = FetchDraft(of: store)
    try draft.edit { try $0.delete(Item.self, id: 1) }
    try draft.edit { try $0.insert(Item(id: 1, section: "a", key: 2)) }
    try await draft.save()
    if isUndoneBefore { try draft.undo() }
    try await store.write([.remove(1)], origin: nil)
    await draft.waitUntilCurrent()
    if !isUndoneBefore {
      try draft.edit { try $0.insert(Item(id: 1, section: "a", key: 3)) }
      try await draft.save()
    }
    while try draft.undo() {}
    #expect(draft.conflicts.isEmpty)
    try await draft.save()
    #expect(try store.items.isEmpty)
  }

  @Test("Edits of a row that others deleted, and that was made anew since, are not undone on the new one")
  func madeAnew() async throws {
    let store = InMemoryStore()
    store.put(Self.item(0, "q"))
    let draft = FetchDraft(of: store)
    try draft.edit { try $0.update(Item.self, id: 1) { $0.key = 3 } }
    try await draft.save()
    store.remove(1)
    await draft.waitUntilCurrent()
    try draft.edit { try $0.insert(Self.item(7, "n")) }
    try await draft.save()
    for _ in 0..<2 {
      try draft.undo()
      #expect(draft.changes.map(\.kind) == [.delete] && draft.conflicts.isEmpty)
    }
    for _ in 0..<2 { try draft.redo() }
    #expect(!draft.hasChanges)
    while try draft.undo() {}
    try await draft.save()
    #expect(try store.items.isEmpty)
  }

  /// Edits that are undone again before others write, and the row as others have it then.
  static let restored: [(name: String, edits: [Action], theirs: Item?)] = [
    ("an edit", [.key(3), .key(4)], item(9, "q")),
    ("an edit of two columns", [.note("r"), .key(3), .key(4)], item(9, "r")),
    ("a row that they have deleted", [.key(3), .key(4)], nil),
    ("a deletion", [.delete, .insert(item(2, "n"))], item(0, "t")),
  ]

  @Test(
    "What undo had led back to, and a save has written over others' change, is undone to theirs",
    arguments: restored.indices)
  func overwritten(_ number: Int) async throws {
    let (_, edits, theirs) = Self.restored[number]
    let store = InMemoryStore()
    store.put(Self.item(0, "q"))
    let draft = FetchDraft(of: store)
    let list = FetchController(.byKey, in: draft)
    try await list.performFetch()
    for edit in edits {
      try await edit.perform(draft, store)
      try await draft.save()
    }
    try draft.undo()
    if let theirs { store.put(theirs) } else { store.remove(1) }
    await draft.waitUntilCurrent()
    let count = draft.undoNames.count
    try await draft.save(policy: .mine)
    #expect(draft.undoNames.count == count)
    while try draft.undo() {}
    var expected = theirs
    if edits.count == 3 { expected?.note = "q" }
    #expect(list.object(for: 1) == expected && draft.conflicts.isEmpty)
    try await draft.save()
    #expect(try store.items[1] == expected)
  }

  struct Refused: Error {}

  @Test(
    "Discards and undo beside a save that fails are what they would have been without it", arguments: 1...3)
  func discardBesideFailing(_ undone: Int) async throws {
    let (store, _, _) = try await FetchDraftTests.world()
    let interrupted = InterruptedStore(store)
    let draft = FetchDraft(of: interrupted)
    try draft.edit("E1") { try $0.update(Item.self, id: 1) { $0.key = 7 } }
    try draft.edit("E2") { try $0.update(Item.self, id: 2) { $0.key = 8 } }
    interrupted.interrupt {
      draft.discard(Item.self, [1], named: "D")
      for _ in 0..<undone { try draft.undo() }
      throw Refused()
    }
    await #expect(throws: Refused.self) { try await draft.save() }
    #expect(draft.undoNames == Array(["E2", "E1"].dropFirst(undone - 1)))
    #expect(draft.redoNames == Array(["E1", "E2", "D"].suffix(undone)))
    #expect(draft.changes.map(\.id) == Array([.integer(1), .integer(2)].prefix(3 - undone)))
  }

  @Test("A discard of what a save is writing leaves no step behind, and redo as it was")
  func discardBesideSave() async throws {
    let (store, _, _) = try await FetchDraftTests.world()
    let interrupted = InterruptedStore(store)
    let draft = FetchDraft(of: interrupted)
    try draft.edit("E1") { try $0.update(Item.self, id: 1) { $0.key = 7 } }
    try draft.edit("E2") { try $0.update(Item.self, id: 2) { $0.key = 8 } }
    try draft.undo()
    interrupted.interrupt { draft.discard(named: "D") }
    try await draft.save()
    #expect(draft.undoNames == ["E1"] && draft.redoNames == ["E2"])
    try draft.redo()
    #expect(draft.changes.map(\.id) == [.integer(2)])
  }
}
