#if SQLite
  import LiveFetch
  import LiveFetchSQLite
  import LiveListsTestSupport
  import Testing

  @testable import LiveDrafts

  // Rows that went along come back with the right step, whatever was edited before and meanwhile.
  extension CascadeTests {
    @Test(
      "What went along comes back where its deletion was undone while it was being saved, and another edit was made then",
      arguments: [true, false], [true, false])
    func undoneForGood(_ isTold: Bool, _ isEditedBefore: Bool) async throws {
      let world = try await World(isTold: isTold)
      let draft = world.draft
      // An edit of the column that the deletion sets to NULL stays as it is.
      if isEditedBefore {
        try draft.edit("Item") { try $0.update(Item.self, id: 6) { $0.note = "n1" } }
        try draft.edit("Item") { try $0.update(Item.self, id: 6) { $0.note = "n0" } }
        try draft.edit("Item") { try $0.update(Item.self, id: 5) { $0.section = "b" } }
        try await draft.save()
      }
      let before = try await world.stored()
      try draft.edit("Delete") { try $0.delete(Album.self, id: 0) }
      world.store.interrupt {
        try draft.undo()
        try draft.edit("Album") { try $0.update(Album.self, id: 1) { $0.section = "b" } }
      }
      try await draft.save()
      #expect(try await world.shown() == before && draft.conflicts.isEmpty)
      #expect(draft.redoNames.isEmpty)
      try await draft.save()
      #expect(try await world.stored() == before)
      while try draft.undo() {}
      try await draft.save()
      #expect(try await world.stored() == Self.items && draft.conflicts.isEmpty)
    }

    @Test(
      "So it does where the row was made again while its deletion was being saved", arguments: [true, false])
    func madeAgainMeanwhile(_ isTold: Bool) async throws {
      let world = try await World(isTold: isTold)
      let draft = world.draft
      try draft.edit("Delete") { try $0.delete(Album.self, id: 0) }
      var again = Self.albums[0]
      again.section = "again"
      let made = Album(again)
      world.store.interrupt { try draft.edit("Insert") { try $0.insert(made) } }
      try await draft.save()
      try await draft.save()
      let left = [Item(id: 6, section: "a", key: 1)]
      #expect(try await world.stored() == left)
      try draft.undo()
      #expect(try await world.shown() == left)
      try draft.undo()
      try await world.expectSaved(Self.items)
      for _ in 0..<2 { try draft.redo() }
      try await draft.save()
      #expect(try await world.stored() == left && draft.conflicts.isEmpty)
    }

    /// Albums are in albums.
    private static let nested = """
      DROP TABLE item;
      CREATE TABLE album (id INTEGER PRIMARY KEY, section TEXT NOT NULL, key INTEGER NOT NULL REFERENCES album ON DELETE CASCADE, note TEXT UNIQUE);
      CREATE TABLE item (id INTEGER PRIMARY KEY, section TEXT NOT NULL,
        key INTEGER NOT NULL REFERENCES album ON DELETE CASCADE, note TEXT REFERENCES album (note) ON DELETE SET NULL);
      """

    @Test(
      "A row that was edited before comes back with the one by which it went, and not with its own older edit",
      arguments: [true, false])
    func editedBefore(_ isInsertion: Bool) async throws {
      let world = try await World(isTold: true, schema: Self.nested)
      let draft = world.draft
      var expected = Self.items
      if isInsertion {
        let new = Item(id: 7, section: "new", key: 1)
        expected.append(new)
        try draft.edit("Item") { try $0.insert(new) }
      } else {
        expected[2].section = "b"
        try draft.edit("Item") { try $0.update(Item.self, id: 6) { $0.section = "b" } }
      }
      try await draft.save()
      try draft.edit("Move") { try $0.update(Album.self, id: 1) { $0.key = 8 } }
      try draft.edit("Insert") { try $0.insert(Album(Item(id: 8, section: "a", key: 8))) }
      try await draft.save()
      for _ in 0..<2 {
        try draft.undo()
        try await draft.save()
        // Album 1 has gone along with album 8, and what was in it.
        #expect(try await world.stored() == Array(Self.items.prefix(2)))
        try draft.undo()
        try await world.expectSaved(expected)
        for _ in 0..<2 { try draft.redo() }
        try await draft.save()
        #expect(try await world.stored() == expected)
      }
      for _ in 0..<3 { try draft.undo() }
      try await draft.save()
      #expect(try await world.stored() == Self.items && draft.conflicts.isEmpty)
    }

    @Test("A row that comes back with its own edit has what others have committed since")
    func withOthersValue() async throws {
      let world = try await World(isTold: true)
      let draft = world.draft
      try draft.edit("Move") { try $0.update(Item.self, id: 6) { $0.key = 8 } }
      try draft.edit("Insert") { try $0.insert(Album(Item(id: 8, section: "a", key: 0))) }
      try await draft.save()
      try await world.subject.writeWithKeys([.put(Item(id: 6, section: "theirs", key: 8, note: "n0"))])
      await draft.waitUntilCurrent()
      try draft.undo()
      try await draft.save()
      #expect(try await world.stored() == Array(Self.items.prefix(2)))
      try draft.undo()
      var expected = Self.items
      expected[2].section = "theirs"
      try await world.expectSaved(expected)
    }

    @Test(
      "A row that one key would delete, and another one spares by setting a column first, has its value again",
      arguments: [true, false], [true, false])
    func spared(_ isFirst: Bool, _ isTold: Bool) async throws {
      // SQLite goes from the last one to the first.
      let spares = "FOREIGN KEY (note) REFERENCES album (note) ON DELETE SET NULL"
      let deletes = "FOREIGN KEY (note, section) REFERENCES album (note, section) ON DELETE CASCADE"
      let keys = isFirst ? [spares, deletes] : [deletes, spares]
      let world = try await World(
        isTold: isTold,
        schema: """
          DROP TABLE item;
          CREATE TABLE album (id INTEGER PRIMARY KEY, section TEXT NOT NULL, key INTEGER NOT NULL, note TEXT UNIQUE,
            UNIQUE (note, section));
          CREATE TABLE item (id INTEGER PRIMARY KEY, section TEXT NOT NULL, key INTEGER NOT NULL, note TEXT,
            \(keys.joined(separator: ", ")));
          """)
      let draft = world.draft
      try draft.edit("Delete") { try $0.delete(Album.self, id: 0) }
      try await draft.save()
      let left = try await world.stored()
      #expect(left.map(\.id) == (isFirst ? [5] : [4, 5, 6]) && left.allSatisfy { $0.note == nil })
      for _ in 0..<2 {
        try draft.undo()
        try await world.expectSaved(Self.items)
        try draft.redo()
        try await draft.save()
        #expect(try await world.stored() == left)
      }
    }

    @Test(
      "What is edited while a deletion is being saved that was undone can be undone, though its rows went along",
      arguments: [true, false])
    func editedBesideUndoneDeletion(_ isTold: Bool) async throws {
      let world = try await World(isTold: isTold)
      let draft = world.draft
      try draft.edit("Delete") { try $0.delete(Album.self, id: 0) }
      world.store.interrupt {
        try draft.undo()
        try draft.edit("Edit") { edit in
          try edit.update(Item.self, id: 4) { $0.section = "z" }
          try edit.delete(Item.self, id: 5)
        }
      }
      try await draft.save()
      var edited = [Self.items[0], Self.items[2]]
      edited[0].section = "z"
      #expect(try await world.stored() == [Item(id: 6, section: "a", key: 1)])
      #expect(try await world.shown() == edited && draft.conflicts.isEmpty)
      for _ in 0..<2 {
        #expect(draft.undoNames == ["Edit"])
        try draft.undo()
        #expect(try await world.shown() == Self.items && draft.conflicts.isEmpty)
        try draft.redo()
        try await world.expectSaved(edited)
        try draft.undo()
        try await draft.save()
        #expect(try await world.stored() == Self.items)
        try draft.redo()
      }
    }

    @Test(
      "A row that was edited together with the deletion comes back with what others have committed since",
      arguments: [true, false])
    func withOthersValueBesideDeletion(_ isTold: Bool) async throws {
      let world = try await World(isTold: isTold)
      let draft = world.draft
      try draft.edit("Edit and delete") { edit in
        try edit.update(Item.self, id: 5) { $0.section = "y" }
        try edit.delete(Album.self, id: 0)
      }
      try draft.edit("Insert") { try $0.insert(Album(Self.albums[0])) }
      try await draft.save()
      try await world.subject.writeWithKeys([.put(Item(id: 5, section: "y", key: 0, note: "n1"))])
      await draft.waitUntilCurrent()
      try draft.undo()
      try await draft.save()
      #expect(try await world.stored() == [Item(id: 6, section: "a", key: 1)])
      try draft.undo()
      try await draft.save()
      var expected = Self.items
      expected[1].note = "n1"
      #expect(try await world.stored() == expected && draft.conflicts.isEmpty)
    }

    @Test(
      "A deletion that was discarded has seen what the save has made of the row", arguments: [true, false],
      [true, false])
    func discardedDeletion(_ isTold: Bool, _ isDiscardedBefore: Bool) async throws {
      let world = try await World(isTold: isTold)
      let draft = world.draft
      try draft.edit("Delete the item") { try $0.delete(Item.self, id: 6) }
      try draft.edit("Delete the album") { try $0.delete(Album.self, id: 0) }
      if isDiscardedBefore { draft.discard(Item.self, [6]) }
      try await draft.save(Album.self, [0])
      if !isDiscardedBefore { draft.discard(Item.self, [6]) }
      #expect(try await world.stored() == [Item(id: 6, section: "a", key: 1)])
      for _ in 0..<3 { try draft.undo() }
      try await world.expectSaved(Self.items)
    }

    @Test(
      "A row whose insertion was undone does not come back with what it went along with",
      arguments: [true, false])
    func undoneInsertion(_ isTold: Bool) async throws {
      let world = try await World(isTold: isTold)
      let draft = world.draft
      try await draft.write("Insert") { try $0.insert(Item(id: 9, section: "a", key: 0)) }
      try draft.undo()
      try await draft.write("Delete") { try $0.delete(Album.self, id: 0) }
      #expect(try await world.stored() == Self.withoutAlbum)
      for _ in 0..<2 {
        try draft.undo()
        try await world.expectSaved(Self.items)
        try draft.redo()
      }
    }

    @Test(
      "A row that went along twice has what others have set in between, also before it went first",
      arguments: [true, false])
    func wentAlongTwice(_ isTold: Bool) async throws {
      let world = try await World(isTold: isTold)
      let draft = world.draft
      for _ in 0..<2 {
        try draft.edit("Delete") { try $0.delete(Album.self, id: 0) }
        try draft.edit("Insert") { try $0.insert(Album(Self.albums[0])) }
      }
      while try draft.undo() {}
      for _ in 0..<2 {
        try draft.redo()
        try await draft.save()
      }
      #expect(try await world.stored() == Self.items)
      try draft.redo()
      try await world.subject.writeWithKeys([.put(Item(id: 5, section: "theirs", key: 0))])
      await draft.waitUntilCurrent()
      try await draft.save()
      #expect(try await world.stored() == [Item(id: 6, section: "a", key: 1)])
      while try draft.undo() {}
      var expected = Self.items
      expected[1].section = "theirs"
      try await world.expectSaved(expected)
    }

    @Test(
      "The insertion of a row that went along, came back and was removed can still be undone",
      arguments: [true, false])
    func insertedBeforeItWent(_ isTold: Bool) async throws {
      let world = try await World(
        isTold: isTold,
        schema: """
          DROP TABLE item;
          CREATE TABLE album (id INTEGER PRIMARY KEY, section TEXT NOT NULL, key INTEGER NOT NULL, note TEXT UNIQUE);
          CREATE TABLE item (id INTEGER PRIMARY KEY, section TEXT NOT NULL, key INTEGER NOT NULL REFERENCES album ON DELETE CASCADE,
            note TEXT REFERENCES album (note) ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED);
          """)
      let draft = world.draft
      try draft.edit("Item") { try $0.insert(Item(id: 8, section: "a", key: 1, note: "n2")) }
      try draft.edit("Delete") { try $0.delete(Album.self, id: 1) }
      try draft.edit("Albums") { edit in
        try edit.insert(Album(Self.albums[1]))
        try edit.insert(Album(Item(id: 2, section: "a", key: 0, note: "n2")))
      }
      try draft.undo()
      try await draft.save()
      #expect(try await world.stored() == Array(Self.items.prefix(2)))
      try draft.redo()
      try await draft.save()
      #expect(try await world.stored().map(\.id) == [4, 5, 6, 8])
      try draft.undo()
      try await draft.save()
      #expect(try await world.stored() == Array(Self.items.prefix(2)))
      while try draft.undo() {}
      try await world.expectSaved(Self.items)
    }

    /// Edits of items that are pending while the album is deleted: items 4 and 5 go along, item 6 loses its note.
    static let pending: [@Sendable (DraftEdit) throws -> Void] = [
      { edit in try edit.update(Item.self, id: 5) { $0.section = "mine" } },
      { edit in for id in [5, 6] { try edit.update(Item.self, id: id) { $0.section = "mine" } } },
      { edit in try edit.update(Item.self, id: 6) { $0.section = "mine" } },
      { edit in try edit.update(Item.self, id: 6) { $0.note = "n1" } },
      { edit in try edit.delete(Item.self, id: 5) },
      { edit in try edit.insert(Item(id: 8, section: "new", key: 0, note: "n0")) },
    ]

    @Test(
      "What was pending of rows when a deletion was saved that takes them along can be undone after it",
      arguments: pending.indices,
      [true, false])
    func pendingWhenItWent(_ index: Int, _ isTold: Bool) async throws {
      let world = try await World(isTold: isTold)
      let draft = world.draft
      try draft.edit("Edit", Self.pending[index])
      let edited = try await world.shown()
      try await draft.write("Delete") { try $0.delete(Album.self, id: 0) }
      #expect(draft.undoNames == ["Delete", "Edit"])
      for _ in 0..<2 {
        try draft.undo()
        #expect(try await world.shown() == edited && draft.conflicts.isEmpty)
        try draft.undo()
        try await world.expectSaved(Self.items)
        try draft.redo()
        #expect(try await world.shown() == edited && draft.conflicts.isEmpty)
        try draft.redo()
        try await draft.save(Album.self, [0])
      }
      while try draft.undo() {}
      try await draft.save()
      #expect(try await world.stored() == Self.items && draft.conflicts.isEmpty)
    }

    @Test(
      "So can what was edited of them while the deletion was being saved", arguments: [0, 1, 4],
      [true, false])
    func editedWhileItWent(_ index: Int, _ isTold: Bool) async throws {
      let world = try await World(isTold: isTold)
      let draft = world.draft
      try draft.edit("Delete") { try $0.delete(Album.self, id: 0) }
      world.store.interrupt { try draft.edit("Edit", Self.pending[index]) }
      try await draft.save()
      // Of the edit of two rows the part stays on top that is about the other one.
      #expect(draft.undoNames == (index == 1 ? ["Edit", "Delete", "Edit"] : ["Delete", "Edit"]))
      if index == 1 { try draft.undo() }
      try draft.undo()
      var edited = Self.items
      if index == 4 { edited.remove(at: 1) } else { edited[1].section = "mine" }
      for _ in 0..<2 {
        #expect(try await world.shown() == edited && draft.conflicts.isEmpty)
        try draft.undo()
        try await world.expectSaved(Self.items)
        try draft.redo()
      }
    }

    @Test(
      "A write to a row that goes along before it is saved fails, and is taken back",
      arguments: [true, false])
    func writtenWhileItWent(_ isTold: Bool) async throws {
      let world = try await World(isTold: isTold)
      let draft = world.draft
      let result = try await write(in: world) { edit in
        for id in [5, 6] { try edit.update(Item.self, id: id) { $0.section = "mine" } }
      }
      let error = #expect(throws: DraftError.self) { try result.get() }
      #expect(error?.kind == .rowMissing && error?.id == "5")
      #expect(draft.undoNames == ["Delete"] && !draft.hasChanges)
      try draft.undo()
      #expect(try await world.shown() == Self.items && draft.conflicts.isEmpty)
    }

    @Test(
      "Rows that refer to one another in a ring come back with the step that takes the first of them back",
      arguments: [true, false])
    func ring(_ isTold: Bool) async throws {
      let options = SQLiteStoreOptions(isTold: isTold)
      // An item belongs to the one with its key, and to the one that its note names.
      let subject = try SQLiteSubject(
        options,
        sql: """
          DROP TABLE item;
          CREATE TABLE item (id INTEGER PRIMARY KEY, section TEXT NOT NULL UNIQUE,
            key INTEGER NOT NULL REFERENCES item ON DELETE CASCADE,
            note TEXT REFERENCES item (section) ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED);
          """)
      let items = [
        Item(id: 1, section: "a", key: 1), Item(id: 2, section: "b", key: 1),
        Item(id: 3, section: "c", key: 2, note: "a"),
      ]
      try await subject.write(items.map { .put($0) }, origin: nil)
      let draft = FetchDraft(of: subject.sqlite)
      try draft.edit("Ring") { try $0.update(Item.self, id: 1) { $0.note = "c" } }
      try draft.edit("Move") { try $0.update(Item.self, id: 2) { $0.note = "d" } }
      try draft.edit("Insert") { try $0.insert(Item(id: 4, section: "d", key: 4)) }
      try await draft.save()
      try draft.undo()
      try await draft.save()
      #expect(try await subject.items().isEmpty)
      for _ in 0..<2 {
        try draft.undo()
        try await draft.save()
        var ring = items
        ring[0].note = "c"
        #expect(try await subject.items().values.sorted { $0.id < $1.id } == ring && draft.conflicts.isEmpty)
        try draft.redo()
        try await draft.save()
        #expect(try await subject.items().isEmpty)
      }
      while try draft.undo() {}
      try await draft.save()
      #expect(try await subject.items().values.sorted { $0.id < $1.id } == items && draft.conflicts.isEmpty)
    }

    @Test(
      "What goes along with a row comes back with it, also where another deletion had changed the row before it went",
      arguments: [true, false])
    func changedBeforeItWent(_ isTold: Bool) async throws {
      let options = SQLiteStoreOptions(isTold: isTold)
      let subject = try SQLiteSubject(
        options,
        sql: """
          DROP TABLE item;
          CREATE TABLE item (id INTEGER PRIMARY KEY, section TEXT NOT NULL UNIQUE,
            key INTEGER NOT NULL REFERENCES item ON DELETE CASCADE,
            note TEXT REFERENCES item (section) ON DELETE SET NULL);
          """)
      let items = [
        Item(id: 1, section: "a", key: 1), Item(id: 2, section: "b", key: 2, note: "a"),
        Item(id: 3, section: "c", key: 2),
      ]
      try await subject.write(items.map { .put($0) }, origin: nil)
      let draft = FetchDraft(of: subject.sqlite)
      try draft.edit("Delete") { try $0.delete(Item.self, id: 2) }
      try await draft.write("Delete another") { try $0.delete(Item.self, id: 1) }
      try await draft.save()
      #expect(try await subject.items().isEmpty)
      while try draft.undo() {}
      try await draft.save()
      #expect(try await subject.items().values.sorted { $0.id < $1.id } == items && draft.conflicts.isEmpty)
    }
  }
#endif
