#if SQLite
  import GRDB
  import LiveFetch
  import LiveFetchSQLite
  import LiveListsTestSupport
  import LiveDraftStore
  import LiveStore
  import Synchronization
  import Testing

  @testable import LiveDrafts

  extension CascadeTests {
    /// Saves of an edit which was pending as a foreign key set another column of its row: others' row before it, the rule, and the row's
    /// section after undo of the edit.
    static let laterSaves: [(theirs: String, policy: DraftPolicy, section: String)] = [
      ("x", .mine, "x"), ("x", .theirs, "x"), ("b", .mergeColumns, "b"), ("a", .mergeColumns, "a"),
    ]

    @Test(
      "What stays pending of a row while a foreign key changes it is saved, and undone, as without that",
      arguments: laterSaves.indices, [true, false])
    func savedAfterEffect(_ index: Int, _ isTold: Bool) async throws {
      let (theirs, policy, section) = Self.laterSaves[index]
      let world = try await World(isTold: isTold)
      let draft = world.draft
      try draft.edit("Edit") { try $0.update(Item.self, id: 6) { $0.section = "b" } }
      try await draft.write("Delete") { try $0.delete(Album.self, id: 0) }
      try await world.subject.sqlite.write { db in
        try db.execute(sql: "UPDATE item SET section = ? WHERE id = 6", arguments: [theirs])
      }
      _ = try await world.shown()
      try await draft.save(policy: policy)
      var items = Self.items
      items[2].section = section
      for _ in 0..<2 {
        try draft.undo()
        #expect(draft.conflicts.isEmpty)
        try draft.undo()
        try await world.expectSaved(items)
        try draft.redo()
        try draft.redo()
        #expect(draft.conflicts.isEmpty)
        try await draft.save()
      }
    }

    @Test(
      "What a trigger makes of it at that save is undone to what was there before", arguments: [true, false])
    func triggeredAfterEffect(_ isTold: Bool) async throws {
      let trigger =
        "CREATE TRIGGER marked AFTER UPDATE OF section ON item WHEN NEW.section = 'b' BEGIN UPDATE item SET section = 'B' WHERE id = NEW.id; END;"
      let world = try await World(isTold: isTold, schema: Self.schema + trigger)
      let draft = world.draft
      try draft.edit("Edit") { try $0.update(Item.self, id: 6) { $0.section = "b" } }
      try await draft.write("Delete") { try $0.delete(Album.self, id: 0) }
      try await draft.save()
      #expect(try await world.stored().map(\.section) == ["B"])
      try draft.undo()
      try draft.undo()
      try await world.expectSaved(Self.items)
    }

    @Test(
      "A row that is to be deleted, or whose reference is to be another one, while a foreign key takes that away is undone as without it",
      arguments: [true, false], [true, false])
    func pendingReference(_ isTold: Bool, _ isDeleted: Bool) async throws {
      let world = try await World(isTold: isTold)
      let draft = world.draft
      try draft.edit("Edit") { edit in
        if isDeleted {
          try edit.delete(Item.self, id: 6)
        } else {
          try edit.update(Item.self, id: 6) { $0.note = "n1" }
        }
      }
      var edited = Self.items
      if isDeleted { edited.removeLast() } else { edited[2].note = "n1" }
      try await draft.write("Delete") { try $0.delete(Album.self, id: 0) }
      for isSaved in [false, true] {
        if isSaved { try await draft.save() }
        try draft.undo()
        #expect(try await world.shown() == edited && draft.conflicts.isEmpty)
        try draft.undo()
        try await world.expectSaved(Self.items)
        try draft.redo()
        try draft.redo()
        #expect(draft.conflicts.isEmpty)
      }
    }

    @Test(
      "A reference that undo had taken away when a foreign key did so stays away until that is undone, too",
      arguments: [true, false])
    func sameReference(_ isTold: Bool) async throws {
      let world = try await World(isTold: isTold)
      let draft = world.draft
      try await world.subject.writeWithKeys([.put(Item(id: 2, section: "a", key: 0, note: "n2"))])
      try draft.edit("Take away") { try $0.update(Item.self, id: 6) { $0.note = nil } }
      try draft.edit("Refer") { try $0.update(Item.self, id: 6) { $0.note = "n2" } }
      try await draft.save()
      try draft.undo()
      var without = Self.items
      without[2].note = nil
      try await draft.write("Delete") { try $0.delete(Album.self, id: 2) }
      for _ in 0..<2 {
        try draft.undo()
        #expect(try await world.shown() == without && draft.conflicts.isEmpty)
        try draft.undo()
        #expect(try await world.shown() == Self.items && draft.conflicts.isEmpty)
        try draft.redo()
        try draft.redo()
      }
    }

    @Test(
      "An edit of many rows that go along while it is pending stays one step", arguments: [true, false])
    func editOfMany(_ isTold: Bool) async throws {
      let world = try await World(isTold: isTold)
      let draft = world.draft
      let more = (10..<200).map { Item(id: $0, section: "a", key: 0) }
      try await world.subject.writeWithKeys(more.map { .put($0) })
      try draft.edit("Delete") { try $0.delete(Album.self, id: 0) }
      try draft.edit("Rename") { edit in
        for item in more { try edit.update(Item.self, id: item.id) { $0.section = "mine" } }
      }
      try draft.edit("Note") { edit in
        for item in more { try edit.update(Item.self, id: item.id) { $0.note = "n1" } }
      }
      try await draft.save(Album.self, [0])
      #expect(draft.undoNames == ["Delete", "Note", "Rename"])
      for (count, section, note) in [(193, "mine", "n1"), (193, "mine", nil), (193, "a", nil)]
        as [(Int, String, String?)]
      {
        try draft.undo()
        let shown = try await world.shown()
        #expect(shown.count == count && draft.conflicts.isEmpty)
        #expect(shown.filter { $0.id >= 10 }.allSatisfy { $0.section == section && $0.note == note })
      }
      for _ in 0..<3 { try draft.redo() }
      #expect(try await world.shown() == [Item(id: 6, section: "a", key: 1)])
    }

    @Test(
      "A row that undo moves back stays, where the row that it was moved to, whose insertion was undone, is saved alone",
      arguments: [true, false], [true, false])
    func movedBack(_ isTold: Bool, _ isEdited: Bool) async throws {
      let world = try await World(isTold: isTold)
      let draft = world.draft
      try draft.edit("Insert") { try $0.insert(Album(Item(id: 2, section: "a", key: 0))) }
      try draft.edit("Title") { try $0.update(Item.self, id: 4) { $0.section = "t" } }
      try draft.edit("Move") { try $0.update(Item.self, id: 4) { $0.key = 2 } }
      try await draft.save()
      for _ in 0..<3 { try draft.undo() }
      #expect(try await world.shown() == Self.items)
      if isEdited { try draft.edit("Other") { try $0.update(Item.self, id: 6) { $0.section = "o" } } }
      try await draft.save(Album.self, [2])
      #expect(try await world.shown().prefix(2) == Self.items.prefix(2) && draft.conflicts.isEmpty)
      if !isEdited {
        while try draft.redo() {}
        #expect(try await world.shown().first == Item(id: 4, section: "t", key: 2, note: "n0"))
      }
      while try draft.undo() {}
      try await world.expectSaved(Self.items)
    }

    @Test(
      "A row that an edit changes as it deletes another one, and that is to be deleted when it goes along, comes back in turn",
      arguments: [true, false])
    func deletedBesideDeletion(_ isTold: Bool) async throws {
      let world = try await World(isTold: isTold)
      let draft = world.draft
      try draft.edit("Delete and edit") { edit in
        try edit.delete(Album.self, id: 0)
        try edit.update(Item.self, id: 5) { $0.section = "z" }
      }
      world.store.interrupt { try draft.edit("Delete the item") { try $0.delete(Item.self, id: 5) } }
      try await draft.save(Album.self, [0])
      for _ in 0..<2 {
        #expect(try await world.shown() == Self.withoutAlbum && draft.conflicts.isEmpty)
        while try draft.undo() { #expect(draft.conflicts.isEmpty) }
        #expect(try await world.shown() == Self.items)
        try await draft.save()
        #expect(try await world.stored() == Self.items)
        while try draft.redo() { #expect(draft.conflicts.isEmpty) }
        try await draft.save()
      }
    }

    @Test("A row comes back before those that refer to it, whatever else is undone of it")
    func order() async throws {
      let world = try await World(isTold: true)
      let draft = world.draft
      try draft.edit { try $0.update(Album.self, id: 0) { $0.section = "b" } }
      try draft.edit { try $0.delete(Album.self, id: 0) }
      try await draft.save()
      while try draft.undo() {}
      #expect(draft.changes.map(\.table) == ["album", "item", "item", "item"])
      draft.discard()
      try draft.edit { try $0.insert(Album(Item(id: 2, section: "a", key: 0))) }
      try draft.edit { try $0.insert(Item(id: 9, section: "a", key: 2)) }
      try draft.edit { try $0.update(Album.self, id: 2) { $0.section = "b" } }
      #expect(draft.changes.map(\.table) == ["album", "item"])
      try await draft.save()
    }

    @Test(
      "A row that went along, was made again, and is deleted by others does not come back",
      arguments: [true, false])
    func deletedByOthers(_ isTold: Bool) async throws {
      let world = try await World(isTold: isTold)
      let draft = world.draft
      try draft.edit { try $0.delete(Album.self, id: 0) }
      try await draft.save()
      try draft.edit { try $0.insert(Item(id: 5, section: "z", key: 1)) }
      try await draft.save()
      try await world.subject.writeWithKeys([.remove(5)])
      _ = try await world.shown()
      while try draft.undo() {}
      #expect(try await world.shown() == [Self.items[0], Self.items[2]] && draft.conflicts.isEmpty)
      try await draft.save()
      #expect(try await world.stored() == [Self.items[0], Self.items[2]])
    }

    /// Begins a write while a deletion is being saved that takes its row along, and ends both.
    func write(
      in world: World, forgets: Bool = false, _ body: @escaping @Sendable (DraftEdit) throws -> Void
    ) async throws -> Result<Void, any Error> {
      let draft = world.draft
      try draft.edit("Delete") { try $0.delete(Album.self, id: 0) }
      let (tasks, task) = AsyncStream.makeStream(of: Task<Void, any Error>.self)
      world.store.interrupt {
        task.yield(Task { try await draft.write("Write", body) })
        while draft.saves.waiterCount == 0 { await Task.yield() }
        if forgets { draft.forgetHistory() }
      }
      try await draft.save()
      return await (try #require(await tasks.first { _ in true })).result
    }

    @Test(
      "A write to a row that goes along fails also where what can be undone was forgotten",
      arguments: [true, false])
    func forgottenWhileItWent(_ isTold: Bool) async throws {
      let world = try await World(isTold: isTold)
      let result = try await write(in: world, forgets: true) { edit in
        for id in [5, 6] { try edit.update(Item.self, id: id) { $0.section = "mine" } }
      }
      let error = #expect(throws: DraftError.self) { try result.get() }
      #expect(error?.kind == .rowMissing && error?.id == "5")
      #expect(try await world.shown() == [Item(id: 6, section: "a", key: 1)] && !world.draft.hasChanges)
    }

    @Test("A write that deletes a row which goes along has what it wants", arguments: [true, false])
    func deletedWhileItWent(_ isTold: Bool) async throws {
      let world = try await World(isTold: isTold)
      let draft = world.draft
      try await write(in: world) { edit in
        for id in [5, 6] { try edit.delete(Item.self, id: id) }
      }.get()
      #expect(try await world.stored().isEmpty && !draft.hasChanges)
      #expect(draft.undoNames == ["Write", "Delete"])
      try draft.undo()
      #expect(try await world.shown() == [Item(id: 6, section: "a", key: 1)])
      try draft.undo()
      try await world.expectSaved(Self.items)
    }
  }
#endif
