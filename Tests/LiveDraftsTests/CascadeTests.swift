#if SQLite
  import GRDB
  import LiveFetch
  import LiveFetchSQLite
  import LiveListsTestSupport
  import LiveStore
  import Snapshots
  import Synchronization
  import Testing

  @testable import LiveDrafts

  /// Items belong to albums; the deletion of an album deletes those with its id as key, and sets the notes of others to NULL.
  @Suite("Undo of a saved deletion that took other rows along")
  struct CascadeTests {
    static let albums = [
      Item(id: 0, section: "a", key: 0, note: "n0"), Item(id: 1, section: "a", key: 0, note: "n1"),
    ]
    static let items = [
      Item(id: 4, section: "a", key: 0, note: "n0"), Item(id: 5, section: "a", key: 0),
      Item(id: 6, section: "a", key: 1, note: "n0"),
    ]

    struct World: Sendable {
      var subject: SQLiteSubject
      var store: InterruptedStore
      var draft: FetchDraft
      var list: FetchController<Item>

      init(isTold: Bool, schema: String = CascadeTests.schema) async throws {
        let options = SQLiteStoreOptions(isTold: isTold)
        subject = try SQLiteSubject(options, sql: schema)
        try await subject.writeWithKeys((CascadeTests.albums + CascadeTests.items).map { .put($0) })
        store = InterruptedStore(subject.sqlite)
        draft = FetchDraft(of: store)
        list = FetchController(.byKey, in: draft)
        try await list.performFetch()
      }

      func shown() async throws -> [Item] {
        await draft.waitUntilCurrent()
        await list.waitUntilCurrent()
        return try list.objects(in: 0..<(list.snapshot?.itemIdentifiers.count ?? 0)).sorted { $0.id < $1.id }
      }

      func stored() async throws -> [Item] { try await subject.items().values.sorted { $0.id < $1.id } }

      /// Expects the draft to show items, in conflict with nobody, and to save them so.
      func expectSaved(_ items: [Item], sourceLocation: SourceLocation = #_sourceLocation) async throws {
        #expect(try await shown() == items && draft.conflicts.isEmpty, sourceLocation: sourceLocation)
        try await draft.save()
        #expect(try await stored() == items, sourceLocation: sourceLocation)
      }
    }

    static let schema = """
      DROP TABLE item;
      CREATE TABLE album (id INTEGER PRIMARY KEY, section TEXT NOT NULL, key INTEGER NOT NULL, note TEXT UNIQUE);
      CREATE TABLE item (id INTEGER PRIMARY KEY, section TEXT NOT NULL,
        key INTEGER NOT NULL REFERENCES album ON DELETE CASCADE, note TEXT REFERENCES album (note) ON DELETE SET NULL);
      """

    @Test("Its rows come back with their references, parents first, and go again", arguments: [true, false])
    func undone(_ isTold: Bool) async throws {
      let world = try await World(isTold: isTold)
      let draft = world.draft
      try draft.edit("Delete") { try $0.delete(Album.self, id: 0) }
      try await draft.save()
      let left = [Item(id: 6, section: "a", key: 1)]
      #expect(try await world.stored() == left)
      #expect(try await world.shown() == left)
      for _ in 0..<2 {
        try draft.undo()
        #expect(try await world.shown() == Self.items && draft.conflicts.isEmpty)
        #expect(draft.changes.first?.table == "album" && draft.changes.count == 4)
        try await draft.save()
        #expect(try await world.stored() == Self.items)
        try draft.redo()
        try await world.expectSaved(left)
      }
    }

    /// Ways to the deletion of album 0 by steps of which nothing else is left, as they are made and undone.
    static let detours: [@Sendable (FetchDraft) throws -> Void] = [
      { draft in
        try draft.edit { try $0.delete(Album.self, id: 0) }
        draft.discard()
        try draft.undo()
      },
      { draft in
        try draft.edit { try $0.delete(Album.self, id: 0) }
        try draft.edit { try $0.insert(Album(albums[0])) }
        try draft.undo()
      },
      { draft in
        try draft.edit { try $0.update(Item.self, id: 5) { $0.section = "z" } }
        draft.discard()
        try draft.edit { try $0.delete(Album.self, id: 0) }
      },
      { draft in
        try draft.edit { try $0.update(Item.self, id: 6) { $0.section = "z" } }
        try draft.edit { try $0.update(Item.self, id: 6) { $0.section = "a" } }
        try draft.edit { try $0.delete(Album.self, id: 0) }
      },
      { draft in
        try draft.edit { try $0.delete(Item.self, id: 4) }
        draft.discard()
        try draft.edit { try $0.delete(Album.self, id: 0) }
      },
    ]

    @Test("So they do whatever was edited and taken back before", arguments: detours.indices, [true, false])
    func detour(_ detour: Int, _ isTold: Bool) async throws {
      let world = try await World(isTold: isTold)
      let draft = world.draft
      try Self.detours[detour](draft)
      try await draft.save()
      let left = [Item(id: 6, section: "a", key: 1)]
      #expect(try await world.stored() == left)
      while try draft.undo() {}
      try await world.expectSaved(Self.items)
    }

    @Test("So they do where the row was edited in the same save, before and after", arguments: [true, false])
    func edited(_ isTold: Bool) async throws {
      let world = try await World(isTold: isTold)
      let draft = world.draft
      try draft.edit("Before") { edit in
        try edit.update(Item.self, id: 4) { $0.section = "b" }
        try edit.update(Item.self, id: 6) { $0.section = "b" }
      }
      try draft.edit("Delete") { try $0.delete(Album.self, id: 0) }
      try draft.edit("After") { edit in
        try edit.update(Item.self, id: 5) { $0.section = "c" }
        try edit.update(Item.self, id: 6) { $0.section = "c" }
      }
      try await draft.save()
      #expect(try await world.shown() == [Item(id: 6, section: "c", key: 1)])
      try draft.undo()
      try draft.undo()
      var expected = Self.items
      (expected[0].section, expected[2].section) = ("b", "b")
      #expect(try await world.shown() == expected && draft.conflicts.isEmpty)
      try draft.undo()
      try await world.expectSaved(Self.items)
    }

    @Test(
      "So they do where it is undone while the save is under way", arguments: [true, false], [false, true])
    func undoneMeanwhile(_ isTold: Bool, _ isRedone: Bool) async throws {
      let world = try await World(isTold: isTold)
      let draft = world.draft
      try draft.edit("Delete") { try $0.delete(Album.self, id: 0) }
      world.store.interrupt {
        try draft.undo()
        if isRedone { try draft.redo() }
      }
      try await draft.save()
      let left = [Item(id: 6, section: "a", key: 1)]
      #expect(try await world.shown() == (isRedone ? left : Self.items))
      if isRedone { try draft.undo() }
      #expect(try await world.shown() == Self.items && draft.conflicts.isEmpty)
      try draft.redo()
      #expect(try await world.shown() == left && draft.conflicts.isEmpty)
      try draft.undo()
      try await draft.save()
      #expect(try await world.stored() == Self.items && draft.conflicts.isEmpty)
    }

    @Test(
      "Rows that went along come back where the same save wrote one of them, and the deletion was undone and redone meanwhile",
      arguments: [true, false])
    func writtenMeanwhile(_ isTold: Bool) async throws {
      let world = try await World(isTold: isTold)
      let draft = world.draft
      try draft.edit("Items") { edit in
        try edit.update(Item.self, id: 4) { $0.section = "b" }
        try edit.update(Item.self, id: 6) { $0.section = "b" }
      }
      try draft.edit("Delete") { try $0.delete(Album.self, id: 0) }
      world.store.interrupt {
        try draft.undo()
        try draft.redo()
      }
      try await draft.save()
      #expect(try await world.shown() == [Item(id: 6, section: "b", key: 1)])
      try draft.undo()
      try draft.undo()
      try await world.expectSaved(Self.items)
    }

    @Test(
      "An edit of such a row that is younger is undone right after the commit as it is later",
      arguments: [true, false])
    func youngerEdit(_ isTold: Bool) async throws {
      let world = try await World(isTold: isTold)
      let draft = world.draft
      try draft.edit("Delete") { try $0.delete(Album.self, id: 0) }
      try draft.edit("Items") { edit in
        try edit.update(Item.self, id: 4) { $0.section = "b" }
        try edit.update(Item.self, id: 6) { $0.note = nil }
      }
      world.store.interrupt {
      } after: {
        await draft.waitUntilCurrent()
        try draft.undo()
      }
      try await draft.save()
      try draft.undo()
      try await world.expectSaved(Self.items)
    }

    @Test("So they do at once where it is undone before or right after the commit", arguments: [true, false])
    func undoneAroundCommit(_ isBefore: Bool) async throws {
      let world = try await World(isTold: true)
      let draft = world.draft
      try draft.edit("Delete") { try $0.delete(Album.self, id: 0) }
      let shown = Mutex<[Item]>([])
      world.store.interrupt {
        if isBefore { try draft.undo() }
      } after: {
        if !isBefore { try draft.undo() }
        let items = try await world.shown()
        shown.withLock { $0 = items }
      }
      try await draft.save()
      #expect(shown.withLock { $0 } == Self.items)
      #expect(try await world.shown() == Self.items && draft.conflicts.isEmpty)
      try draft.redo()
      #expect(try await world.shown() == [Item(id: 6, section: "a", key: 1)])
      try draft.undo()
      try await draft.save()
      #expect(try await world.stored() == Self.items && draft.conflicts.isEmpty)
    }

    @Test(
      "What was pending of such a row goes and comes back with it", arguments: [true, false], [true, false])
    func pending(_ isTold: Bool, _ isMeanwhile: Bool) async throws {
      let world = try await World(isTold: isTold)
      let draft = world.draft
      if !isMeanwhile { try draft.edit("Item") { try $0.update(Item.self, id: 4) { $0.section = "b" } } }
      try draft.edit("Delete") { try $0.delete(Album.self, id: 0) }
      if isMeanwhile {
        world.store.interrupt {
          try draft.edit("Item") { try $0.update(Item.self, id: 4) { $0.section = "b" } }
        }
      }
      try await draft.save(Album.self, [0])
      #expect(try await world.shown() == [Item(id: 6, section: "a", key: 1)])
      #expect(!draft.hasChanges && draft.undoNames == ["Delete", "Item"])
      try draft.undo()
      var expected = Self.items
      expected[0].section = "b"
      try await world.expectSaved(expected)
    }

    @Test("So it does where the deletion is written beside it, and a new row stays pending")
    func written() async throws {
      let world = try await World(isTold: true)
      let draft = world.draft
      let new = Item(id: 7, section: "a", key: 0)
      try draft.edit("Items") { edit in
        try edit.update(Item.self, id: 4) { $0.section = "b" }
        try edit.insert(new)
      }
      try await draft.write("Delete") { try $0.delete(Album.self, id: 0) }
      #expect(try await world.shown() == [Item(id: 6, section: "a", key: 1), new])
      #expect(draft.changes.map(\.id) == [.integer(7)] && draft.conflicts.isEmpty)
      // The album of the new row is gone.
      await #expect(throws: DatabaseError.self) { try await draft.save() }
      try draft.undo()
      var expected = Self.items + [new]
      expected[0].section = "b"
      try await world.expectSaved(expected)
    }

    @Test(
      "So they do where several deletions have concerned one row", arguments: [[0, 1], [1, 0]], [true, false])
    func severalDeletions(_ order: [Int], _ isOneEdit: Bool) async throws {
      let world = try await World(isTold: true)
      let draft = world.draft
      for ids in isOneEdit ? [order] : order.map({ [$0] }) {
        try draft.edit("Delete") { edit in for id in ids { try edit.delete(Album.self, id: id) } }
      }
      // Item 6 belongs to the one and has its note of the other.
      try await draft.save()
      #expect(try await world.shown() == [])
      for _ in 0..<2 {
        while try draft.undo() {}
        try await world.expectSaved(Self.items)
        while try draft.redo() {}
        try await world.expectSaved([])
      }
    }

    @Test(
      "So does a row that was edited in the same save, where two deletions have each set a column",
      arguments: [true, false])
    func severalColumns(_ isTold: Bool) async throws {
      let world = try await World(
        isTold: isTold,
        schema: """
          DROP TABLE item;
          CREATE TABLE album (id INTEGER PRIMARY KEY, section TEXT NOT NULL, key INTEGER NOT NULL, note TEXT UNIQUE);
          CREATE TABLE item (id INTEGER PRIMARY KEY, section TEXT NOT NULL,
            key INTEGER NOT NULL DEFAULT 9 REFERENCES album ON DELETE SET DEFAULT, note TEXT REFERENCES album (note) ON DELETE SET NULL);
          INSERT INTO album VALUES (9, 'a', 0, NULL);
          """)
      let draft = world.draft
      try draft.edit("Item") { edit in
        try edit.update(Item.self, id: 6) { ($0.section, $0.key, $0.note) = ("b", 0, "n1") }
      }
      for id in [0, 1] { try draft.edit("Delete") { try $0.delete(Album.self, id: id) } }
      try await draft.save()
      let left = [
        Item(id: 4, section: "a", key: 9), Item(id: 5, section: "a", key: 9),
        Item(id: 6, section: "b", key: 9),
      ]
      #expect(try await world.shown() == left)
      var expected = Self.items
      expected[2] = Item(id: 6, section: "b", key: 0, note: "n1")
      try draft.undo()
      try draft.undo()
      #expect(try await world.shown() == expected && draft.conflicts.isEmpty)
      try draft.undo()
      try await world.expectSaved(Self.items)
      while try draft.redo() {}
      #expect(try await world.shown() == left && draft.conflicts.isEmpty)
    }

    @Test("Others' change of a reference that was set to NULL is a conflict")
    func others() async throws {
      let world = try await World(isTold: true)
      try world.draft.edit("Delete") { try $0.delete(Album.self, id: 0) }
      try await world.draft.save()
      try await world.subject.sqlite.write { try $0.execute(sql: "UPDATE item SET note = 'n1' WHERE id = 6") }
      try world.draft.undo()
      await world.draft.waitUntilCurrent()
      #expect(world.draft.conflicts.map(\.id) == [.integer(6)])
    }

    @Test(
      "Whoever edits such a row first while the save is under way is in no conflict with it",
      arguments: [true, false])
    func unknownBefore(_ isTold: Bool) async throws {
      let world = try await World(isTold: isTold)
      let store = InterruptedStore(world.subject.sqlite)
      let draft = FetchDraft(of: store)
      try draft.edit("Album") { try $0.delete(Album.self, id: 0) }
      store.interrupt { try draft.edit("Item") { try $0.delete(Item.self, id: 6) } }
      try await draft.save()
      await draft.waitUntilCurrent()
      #expect(draft.conflicts.isEmpty && draft.changes.count == 1)
      try await draft.save()
      #expect(try await world.stored() == [])
      while try draft.undo() {}
      await draft.waitUntilCurrent()
      try await draft.save()
      #expect(try await world.stored() == Self.items)
    }

    @Test(
      "What is set of a row comes back, also where the same edits have set another column that refers to the deleted one",
      arguments: [true, false], [true, false])
    func setBesideAnother(_ isTold: Bool, _ isLater: Bool) async throws {
      let schema = Self.schema.replacing(
        "REFERENCES album ON DELETE CASCADE", with: "DEFAULT 1 REFERENCES album ON DELETE SET DEFAULT")
      let world = try await World(isTold: isTold, schema: schema)
      let draft = world.draft
      try await world.subject.sqlite.write { try $0.execute(sql: "UPDATE item SET note = 'n1' WHERE id = 5") }
      var before = Self.items
      before[1].note = "n1"
      try draft.edit("Both") { edit in
        if !isLater { try edit.update(Item.self, id: 5) { $0.note = "n0" } }
        try edit.delete(Album.self, id: 0)
        if isLater { try edit.update(Item.self, id: 5) { $0.section = "b" } }
      }
      try await draft.save()
      let left = [
        Item(id: 4, section: "a", key: 1),
        Item(id: 5, section: isLater ? "b" : "a", key: 1, note: isLater ? "n1" : nil),
        Item(id: 6, section: "a", key: 1),
      ]
      #expect(try await world.shown() == left)
      for _ in 0..<2 {
        try draft.undo()
        try await world.expectSaved(before)
        try draft.redo()
        try await world.expectSaved(left)
      }
    }

    @Test("A save that deletes nothing looks for no foreign keys", arguments: [true, false])
    func withoutDeletions(_ deletes: Bool) async throws {
      let world = try await World(isTold: true)
      try world.draft.edit { edit in
        try edit.update(Item.self, id: 4) { $0.section = "b" }
        if deletes { try edit.delete(Item.self, id: 5) }
      }
      let isAsked = Mutex(false)
      try await world.subject.sqlite.save(
        world.draft.changes, policy: .fail, origins: [],
        tables: {
          isAsked.withLock { $0 = true }
          return [:]
        },
        report: { #expect($0.isEmpty) })
      #expect(isAsked.withLock { $0 } == deletes)
    }

    @Test("Rows of a table that the draft knows nothing of do not come back")
    func unknownTable() async throws {
      let world = try await World(isTold: true)
      let draft = FetchDraft(of: world.subject.sqlite)
      try draft.edit("Delete") { try $0.delete(Album.self, id: 0) }
      try await draft.save()
      try draft.undo()
      #expect(draft.changes.map(\.table) == ["album"])
      try await draft.save()
      #expect(try await world.stored() == [Item(id: 6, section: "a", key: 1)])
    }
  }
#endif
