#if SQLite
  import LiveFetch
  import LiveFetchSQLite
  import LiveListsTestSupport
  import Testing

  @testable import LiveDrafts

  // A deletion is undone while it is being saved, and something else is done before the save has ended.
  extension CascadeTests {
    static let withoutAlbum = [Item(id: 6, section: "a", key: 1)]

    /// Steps after an edit of items and the deletion of album 0.
    static let ways: [@Sendable (FetchDraft) throws -> Void] = [
      { try $0.undo() },
      { draft in while try draft.undo() {} },
      { draft in
        while try draft.undo() {}
        while try draft.redo() {}
      },
      { draft in
        while try draft.undo() {}
        try draft.redo()
      },
      { draft in
        try draft.undo()
        draft.discard()
      },
      { draft in
        try draft.undo()
        draft.discard(Album.self, [0])
      },
      { draft in
        try draft.undo()
        try draft.edit("Again") { try $0.delete(Album.self, id: 0) }
      },
      { draft in
        try draft.undo()
        try draft.edit("Section") { try $0.update(Item.self, id: 6) { $0.section = "y" } }
        draft.discard()
        try draft.undo()
      },
      { draft in
        try draft.undo()
        try draft.edit("Item") { edit in
          try edit.delete(Item.self, id: 5)
          try edit.update(Item.self, id: 6) { $0.note = "n1" }
        }
        try draft.undo()
        try draft.undo()
      },
    ]

    /// A draft as it can be seen.
    private func state(_ world: World) async throws -> String {
      let changes = world.draft.changes.map { "\($0.kind) \($0.id)" }.sorted()
      return
        "\(try await world.shown()), \(changes), in conflict \(world.draft.conflicts.map(\.id)), \(world.draft.undoNames), \(world.draft.redoNames)"
    }

    @Test(
      "What is done while a deletion is being saved is as if it had been done afterwards",
      arguments: ways.indices, 0..<6)
    func meanwhile(_ way: Int, _ number: Int) async throws {
      let (isTold, edited) = (number % 2 == 0, [[], [4], [4, 6]][number / 2])
      var states: [[String]] = []
      for isAfterwards in [true, false] {
        let world = try await World(isTold: isTold)
        let draft = world.draft
        for id in edited {
          try draft.edit("Edit") { try $0.update(Item.self, id: id) { $0.section = "x" } }
        }
        try draft.edit("Delete") { try $0.delete(Album.self, id: 0) }
        if !isAfterwards { world.store.interrupt { try Self.ways[way](draft) } }
        try await draft.save()
        if isAfterwards { try Self.ways[way](draft) }
        var seen = [try await state(world)]
        while try draft.undo() { seen.append(try await state(world)) }
        #expect(try await world.shown() == Self.items && draft.conflicts.isEmpty)
        while try draft.redo() { seen.append(try await state(world)) }
        states.append(seen)
      }
      #expect(states[1] == states[0])
    }

    @Test(
      "A row keeps the reference that was set to NULL, whatever of its edits is undone after the deletion",
      arguments: [true, false], [true, false])
    func editedBesideReference(_ isTold: Bool, _ isSavedBefore: Bool) async throws {
      let world = try await World(isTold: isTold)
      let draft = world.draft
      if isSavedBefore { try draft.edit("Note") { try $0.update(Item.self, id: 6) { $0.section = "z" } } }
      try draft.edit("Delete") { try $0.delete(Album.self, id: 0) }
      world.store.interrupt {
        try draft.undo()
        try draft.edit("Edit") { try $0.update(Item.self, id: 6) { $0.section = "b" } }
      }
      try await draft.save()
      var before = Self.items
      if isSavedBefore { before[2].section = "z" }
      var edited = before
      edited[2].section = "b"
      #expect(try await world.shown() == edited && draft.conflicts.isEmpty)
      for _ in 0..<2 {
        try draft.undo()
        #expect(try await world.shown() == before && draft.conflicts.isEmpty)
        try draft.redo()
        try await world.expectSaved(edited)
        try draft.undo()
        try await draft.save()
        #expect(try await world.stored() == before)
        try draft.redo()
      }
    }

    @Test(
      "An edit of it during the save is undone before the deletion, and leaves nothing",
      arguments: [true, false])
    func referredMeanwhile(_ isTold: Bool) async throws {
      let world = try await World(isTold: isTold)
      let draft = world.draft
      try draft.edit("Delete") { try $0.delete(Album.self, id: 0) }
      world.store.interrupt {
        try draft.edit("Refer") { try $0.update(Item.self, id: 6) { $0.note = "n1" } }
        draft.discard()
      }
      try await draft.save()
      let referring = [Item(id: 6, section: "a", key: 1, note: "n1")]
      let states = [Self.withoutAlbum, referring, Self.withoutAlbum, Self.items]
      #expect(try await world.shown() == states[0] && !draft.hasChanges)
      for _ in 0..<2 {
        for state in states[1...] {
          try draft.undo()
          #expect(try await world.shown() == state && draft.conflicts.isEmpty)
        }
        for state in states.dropLast().reversed() {
          try draft.redo()
          #expect(try await world.shown() == state && draft.conflicts.isEmpty)
        }
      }
      while try draft.undo() {}
      try await draft.save()
      #expect(try await world.stored() == Self.items)
    }

    @Test(
      "So does one whose edit was pending before, and was undone as well",
      arguments: [true, false], [1, 2])
    func pendingBesideReference(_ isTold: Bool, _ undos: Int) async throws {
      let world = try await World(isTold: isTold)
      let draft = world.draft
      var (first, second) = (Self.items, Self.items)
      try draft.edit("First") { try $0.update(Item.self, id: 6) { $0.section = "b" } }
      first[2].section = "b"
      try draft.edit("Second") { try $0.update(Item.self, id: 6) { $0.section = "c" } }
      second[2].section = "c"
      try draft.edit("Delete") { try $0.delete(Album.self, id: 0) }
      world.store.interrupt {
        for _ in 0...undos { try draft.undo() }
      }
      try await draft.save(Album.self, [0])
      let states = [Self.items, first, second, [Item(id: 6, section: "c", key: 1)]]
      var position = 2 - undos
      #expect(try await world.shown() == states[position] && draft.conflicts.isEmpty)
      for _ in 0..<2 {
        while try draft.undo() {
          position -= 1
          #expect(try await world.shown() == states[position] && draft.conflicts.isEmpty)
        }
        while try draft.redo() {
          position += 1
          #expect(try await world.shown() == states[position] && draft.conflicts.isEmpty)
        }
        #expect(position == 3)
      }
      try await draft.save()
      #expect(try await world.stored() == states[3])
    }

    @Test(
      "A reference that was set again meanwhile is not taken back, nor one whose own edit was undone as well",
      arguments: [true, false], [0, 1, 2])
    func setMeanwhile(_ isTold: Bool, _ way: Int) async throws {
      let world = try await World(isTold: isTold)
      let draft = world.draft
      var before = Self.items
      if way == 2 {
        before[2].note = nil
        try await world.subject.writeWithKeys([.put(before[2])])
        try draft.edit("Refer") { try $0.update(Item.self, id: 6) { $0.note = "n0" } }
      }
      try draft.edit("Delete") { try $0.delete(Album.self, id: 0) }
      let note = ["n1", nil, "n0"][way]
      world.store.interrupt {
        try draft.undo()
        if way == 2 {
          try draft.undo()
        } else {
          try draft.edit("Refer") { try $0.update(Item.self, id: 6) { $0.note = note } }
        }
      }
      try await draft.save()
      var referring = before
      referring[2].note = note
      #expect(try await world.shown() == (way == 2 ? before : referring) && draft.conflicts.isEmpty)
      if way == 2 { try draft.redo() }
      for _ in 0..<2 {
        #expect(try await world.shown() == referring && draft.conflicts.isEmpty)
        try draft.undo()
        try await world.expectSaved(before)
        try draft.redo()
      }
      try await draft.save()
      #expect(try await world.stored() == referring)
    }

    @Test(
      "What went along comes back also where all that can be undone was forgotten", arguments: [true, false])
    func forgottenMeanwhile(_ isTold: Bool) async throws {
      let world = try await World(isTold: isTold)
      let draft = world.draft
      try draft.edit("Delete") { try $0.delete(Album.self, id: 0) }
      world.store.interrupt {
        try draft.undo()
        draft.forgetHistory()
      }
      try await draft.save()
      try await world.expectSaved(Self.items)
    }

    @Test(
      "A new row that a save has written, and a deletion of that has taken along, is new again by undo",
      arguments: [true, false])
    func insertedBeforeUndoneDeletion(_ isTold: Bool) async throws {
      let world = try await World(isTold: isTold)
      let draft = world.draft
      let new = Item(id: 9, section: "a", key: 1)
      try draft.edit("Insert") { try $0.insert(new) }
      try draft.edit("Move and delete") { edit in
        try edit.update(Item.self, id: 9) { $0.key = 0 }
        try edit.delete(Album.self, id: 0)
      }
      world.store.interrupt { try draft.undo() }
      try await draft.save()
      #expect(try await world.stored() == Self.withoutAlbum)
      #expect(try await world.shown() == Self.items + [new] && draft.conflicts.isEmpty)
      try await draft.save()
      #expect(try await world.stored() == Self.items + [new])
      try draft.undo()
      #expect(try await world.shown() == Self.items && draft.conflicts.isEmpty)
      while try draft.redo() {}
      #expect(try await world.shown() == Self.withoutAlbum && draft.conflicts.isEmpty)
    }
  }
#endif
