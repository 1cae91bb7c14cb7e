import LiveDrafts
import LiveFetch
import LiveListsTestSupport
import Snapshots
import Synchronization
import Testing
import _TestTools

/// Others write before, during and after a save, and the draft goes on meanwhile: each time all is to be as if it had happened one after
/// the other, in the order in which it came to the store.
@Suite("A save that is under way against one after the other")
struct InterleavingTests {
  /// The edits of the draft.
  enum Mine: CaseIterable {
    case update, updateTwice, twoColumns, inOneEdit, delete, updateAndDelete, replace, insert

    func perform(_ draft: FetchDraft) throws {
      func edit(_ body: (DraftEdit) throws -> Void) throws { try draft.edit("mine", body) }
      switch self {
      case .update: try edit { try $0.update(Item.self, id: 1) { $0.key = 5 } }
      case .updateTwice:
        try edit { try $0.update(Item.self, id: 1) { $0.key = 3 } }
        try edit { try $0.update(Item.self, id: 1) { $0.key = 5 } }
      case .twoColumns:
        try edit { try $0.update(Item.self, id: 1) { $0.note = "mine" } }
        try edit { try $0.update(Item.self, id: 1) { $0.key = 5 } }
      case .inOneEdit: try edit { try $0.update(Item.self, id: 1) { ($0.key, $0.note) = (5, "mine") } }
      case .delete: try edit { try $0.delete(Item.self, id: 1) }
      case .updateAndDelete:
        try edit { try $0.update(Item.self, id: 1) { $0.note = "mine" } }
        try edit { try $0.delete(Item.self, id: 1) }
      case .replace:
        try edit { try $0.delete(Item.self, id: 1) }
        try edit { try $0.insert(Item(id: 1, section: "a", key: 5, note: "mine")) }
      case .insert:
        try edit { try $0.insert(Item(id: 9, section: "a", key: 5)) }
        try edit { try $0.update(Item.self, id: 2) { $0.note = "mine" } }
      }
    }
  }

  /// The write of somebody else.
  enum Others: CaseIterable {
    case sameValue, sameValueAndMore, otherValue, otherColumn, gone, sameRow, keyTaken

    var writes: [ConformanceWrite] {
      switch self {
      case .sameValue: [.put(Item(id: 1, section: "a", key: 5))]
      case .sameValueAndMore: [.put(Item(id: 1, section: "z", key: 5))]
      case .otherValue: [.put(Item(id: 1, section: "a", key: 7))]
      case .otherColumn: [.put(Item(id: 1, section: "z", key: 1))]
      case .gone: [.remove(1)]
      case .sameRow:
        [.put(Item(id: 9, section: "a", key: 5)), .put(Item(id: 1, section: "a", key: 5, note: "mine"))]
      case .keyTaken: [.put(Item(id: 9, section: "a", key: 8))]
      }
    }

    /// The rules by which a save may come out differently.
    var policies: [DraftPolicy] {
      switch self {
      case .sameValue, .sameValueAndMore, .sameRow: [.mergeColumns, .theirs]
      case .otherValue, .gone, .keyTaken: [.mergeColumns, .mine, .theirs]
      case .otherColumn: [.fail, .mergeColumns, .theirs]
      }
    }
  }

  /// The next event in the draft.
  enum Later: CaseIterable {
    case undo, undoAll, undoAndRedo, editSame, editOther, setBack, delete, deleteAndInsert, discard

    /// Whether it is no edit.
    var isOfHistory: Bool { [.undo, .undoAll, .undoAndRedo, .discard].contains(self) }

    func perform(_ draft: FetchDraft) throws {
      func edit(_ body: (DraftEdit) throws -> Void) throws {
        // A row that is not there cannot be changed: in any order.
        do { try draft.edit("later", body) } catch is DraftError {}
      }
      switch self {
      case .undo: try draft.undo()
      case .undoAll: while try draft.undo() {}
      case .undoAndRedo:
        try draft.undo()
        try draft.redo()
      case .editSame: try edit { try $0.update(Item.self, id: 1) { $0.key = 6 } }
      case .editOther: try edit { try $0.update(Item.self, id: 1) { $0.section = "later" } }
      case .setBack: try edit { try $0.update(Item.self, id: 1) { ($0.key, $0.note) = (1, nil) } }
      case .delete: try edit { try $0.delete(Item.self, id: 1) }
      case .deleteAndInsert:
        try edit {
          try $0.delete(Item.self, id: 1)
          try $0.insert(Item(id: 1, section: "later", key: 4))
        }
      case .discard: draft.discard()
      }
    }
  }

  /// When something happens.
  enum When: Int, Comparable {
    case before, beforeWriting, afterWriting, afterwards
    static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
  }

  struct Case: Sendable, CustomTestStringConvertible {
    var mine: Mine
    var others: Others
    var testDescription: String { "\(mine), others \(others)" }

    static let all = Mine.allCases.flatMap { mine in Others.allCases.map { Case(mine: mine, others: $0) } }
  }

  /// A store, and its rows as somebody else reads them.
  struct World: Sendable {
    var store: any DraftLawStore
    var items: @Sendable () async throws -> [Int: Item]
  }

  /// Plays a case.
  /// - Parameter isOthersFirst: Whether what others do is before what the draft does at the same time.
  /// - Returns: All that can be seen of the draft, step by step.
  static func play(
    _ example: Case, _ later: Later, _ policy: DraftPolicy, others: When, draft when: When,
    isOthersFirst: Bool = true, in world: World
  ) async throws -> [String] {
    let store = world.store
    try await store.write(
      [.remove(9), .put(Item(id: 1, section: "a", key: 1)), .put(Item(id: 2, section: "b", key: 2))],
      origin: nil)
    let interrupted = InterruptedStore(store.saving)
    let draft = FetchDraft(of: interrupted)
    let list = FetchController(.byKey, in: draft)
    try await list.performFetch()
    try example.mine.perform(draft)

    let done = Mutex<When?>(nil)
    @Sendable func happen(upTo now: When) async throws {
      let former = done.withLock { done in
        defer { done = now }
        return done
      }
      func isDue(_ when: When) -> Bool { when <= now && former.map { when > $0 } ?? true }
      if isDue(when), !isOthersFirst { try later.perform(draft) }
      if isDue(others) {
        try await store.write(example.others.writes, origin: nil)
        await draft.waitUntilCurrent()
      }
      if isDue(when), isOthersFirst { try later.perform(draft) }
    }
    func shown() async -> String {
      await draft.waitUntilCurrent()
      await list.waitUntilCurrent()
      let rows = (list.snapshot?.itemIdentifiers ?? []).map { list.object(for: $0) }
      let changes = draft.changes.map { "\($0) \(String(describing: $0.values?.sorted { $0.key < $1.key }))" }
      return
        "\(rows), \(changes.sorted()), in conflict \(draft.conflicts.map(\.id)), \(draft.undoNames), \(draft.redoNames)"
    }

    var lines: [String] = []
    try await happen(upTo: .before)
    interrupted.interrupt {
      try await happen(upTo: .beforeWriting)
    } after: {
      try await happen(upTo: .afterWriting)
    }
    do {
      try await draft.save(policy: policy)
      lines.append("saved")
    } catch is DraftConflict {
      lines.append("in conflict")
    }
    try await happen(upTo: .afterwards)
    lines.append(await shown())
    while try draft.undo() { lines.append(await shown()) }
    try await draft.save(policy: .mine)
    lines.append("\(try await world.items().sorted { $0.key < $1.key })")
    while try draft.redo() { lines.append(await shown()) }
    try await draft.save(policy: .mine)
    lines.append("\(try await world.items().sorted { $0.key < $1.key })")
    return lines
  }

  /// Compares all orders of a case.
  static func compare(
    _ example: Case, _ laters: [Later] = Later.allCases, in world: World
  ) async throws {
    for later in laters {
      for policy in example.others.policies {
        // What others do before the row is written is before the save, all else after it.
        for (reference, cases) in [
          (
            When.before,
            [
              (When.before, When.beforeWriting), (.before, .afterWriting), (.beforeWriting, .beforeWriting),
              (.beforeWriting, .afterWriting), (.beforeWriting, .afterwards),
            ]
          ), (.afterwards, [(.afterWriting, .afterWriting), (.afterWriting, .afterwards)]),
        ] {
          let expected = try await play(
            example, later, policy, others: reference, draft: .afterwards, in: world)
          for (others, draft) in cases {
            // Whoever edits a row while it is being saved has not seen the values of others that are to count instead.
            if policy == .theirs, draft < .afterwards, !later.isOfHistory { continue }
            let found = try await play(example, later, policy, others: others, draft: draft, in: world)
            guard
              let line = zip(found, expected).first(where: { $0 != $1 })
                ?? (found.count == expected.count ? nil : ("\(found)", "\(expected)"))
            else { continue }
            Issue.record(
              "by \(policy), others \(others), then \(later) \(draft):\n  \(line.0)\n  one after the other:\n  \(line.1)"
            )
          }
        }
      }
    }
  }

  @Test("All orders, in memory", arguments: inTurns(Case.all, of: 3))
  func inMemory(_ example: Case) async throws {
    let store = InMemoryStore()
    try await Self.compare(example, in: World(store: store) { try store.items })
  }

  /// Cases in which others do the same.
  static let same = Case.all.filter { example in
    switch (example.mine, example.others) {
    case (.update, .sameValue), (.updateTwice, .sameValue), (.twoColumns, .sameValue), (.delete, .gone),
      (.inOneEdit, .sameRow), (.insert, .sameRow), (.replace, .sameRow):
      true
    default: false
    }
  }

  @Test(
    "What others do as well is theirs where the save finds it, also where it was undone before",
    arguments: same.filter { [.update, .inOneEdit, .delete].contains($0.mine) })
  func undoneFirst(_ example: Case) async throws {
    func play(_ others: When, _ draft: When) async throws -> [String] {
      let store = InMemoryStore()
      return try await Self.play(
        example, .undo, .mergeColumns, others: others, draft: draft, isOthersFirst: false,
        in: World(store: store) { try store.items })
    }
    #expect(try await play(.beforeWriting, .beforeWriting) == play(.before, .afterwards))
    // Otherwise they change nothing.
    let expected = try await play(.afterwards, .afterwards)
    for (others, draft) in [
      (When.afterWriting, When.beforeWriting), (.afterWriting, .afterWriting), (.afterwards, .afterWriting),
    ] {
      let found = try await play(others, draft)
      #expect(found == expected, "others \(others), undone \(draft)")
    }
  }

  @Test(
    "Whoever edits a row while a save is to leave it as others have it is in conflict with what they have not seen"
  )
  func editedOverTheirs() async throws {
    for later in [Later.editSame, .setBack, .delete] {
      let store = InMemoryStore()
      try await store.write([.put(Item(id: 1, section: "a", key: 1))], origin: nil)
      let interrupted = InterruptedStore(store)
      let draft = FetchDraft(of: interrupted)
      try Mine.update.perform(draft)
      interrupted.interrupt {
        try await store.write(Others.otherValue.writes, origin: nil)
        try later.perform(draft)
      }
      try await draft.save(policy: .theirs)
      #expect(draft.conflicts.map { $0.theirs?["key"] } == [.integer(7)], "\(later)")
    }
  }

  @Test(
    "What others have done right before, a save has not changed, and undo leaves alone", arguments: same,
    [When.before, .beforeWriting])
  func alreadyDone(_ example: Case, _ others: When) async throws {
    for policy in DraftPolicy.allCases {
      let store = InMemoryStore()
      try await store.write(
        [.put(Item(id: 1, section: "a", key: 1)), .put(Item(id: 2, section: "b", key: 2))], origin: nil)
      let interrupted = InterruptedStore(store)
      let draft = FetchDraft(of: interrupted)
      try example.mine.perform(draft)
      if others == .before {
        try await store.write(example.others.writes, origin: nil)
        await draft.waitUntilCurrent()
      } else {
        interrupted.interrupt { try await store.write(example.others.writes, origin: nil) }
      }
      // By this rule any change of theirs is in the way of the other column.
      if policy == .fail, example.mine == .twoColumns { continue }
      try await draft.save(policy: policy)
      let row = try store.items[1]
      while try draft.undo() {}
      try await draft.save()
      var expected = row
      if example.mine == .twoColumns { expected?.note = nil }
      #expect(try store.items[1] == expected, "\(policy)")
      if example.mine == .insert { #expect(try store.items[9] != nil && store.items[2]?.note == nil) }
    }
  }
}

#if SQLite
  import LiveFetchSQLite

  extension InterleavingTests {
    @Test("The same of undo, over SQLite", arguments: inTurns(Case.all, of: 3), [true, false])
    func onSQLite(_ example: Case, _ isTold: Bool) async throws {
      let options = SQLiteStoreOptions(isTold: isTold)
      let subject = try SQLiteSubject(options)
      try await Self.compare(
        example, [.undoAll, .undoAndRedo], in: World(store: subject) { try await subject.items() })
    }
  }
#endif
