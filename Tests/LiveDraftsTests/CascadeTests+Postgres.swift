#if PostgreSQL && SQLite
  import LiveFetch
  import LiveFetchPostgres
  import LiveListsTestSupport
  import LiveStore
  import Snapshots
  import Testing

  @testable import LiveDrafts

  extension CascadeTests {
    /// Albums can be in albums, which go with them; keys are checked at once.
    @Suite(
      "Undo of a saved deletion that took other rows along, over PostgreSQL",
      .needsPostgres)
    struct OverPostgres {
      static let schema = [
        "DROP TABLE item",
        """
        CREATE TABLE album (id bigint PRIMARY KEY, section text NOT NULL,
          key bigint NOT NULL REFERENCES album ON DELETE CASCADE, note text UNIQUE)
        """,
        """
        CREATE TABLE item (id bigint PRIMARY KEY, section text NOT NULL, key bigint NOT NULL REFERENCES album ON DELETE CASCADE,
          note text REFERENCES album (note) ON DELETE SET NULL)
        """,
        "INSERT INTO album VALUES (0, 'a', 0, 'n0'), (1, 'a', 0, 'n1'), (2, 'a', 2, NULL), (3, 'a', 3, 'n3')",
        "INSERT INTO item VALUES (4, 'a', 0, 'n3'), (5, 'a', 1, NULL), (6, 'a', 2, 'n1'), (7, 'a', 3, NULL)",
      ]

      static let items = [
        Item(id: 4, section: "a", key: 0, note: "n3"), Item(id: 5, section: "a", key: 1),
        Item(id: 6, section: "a", key: 2, note: "n1"), Item(id: 7, section: "a", key: 3),
      ]

      var subject: PostgresSubject
      var draft: FetchDraft
      var albums: FetchController<Album>
      var list: FetchController<Item>

      init() async throws {
        subject = try await PostgresSubject()
        try await subject.postgres.write { for sql in Self.schema { try $0.execute(sql) } }
        draft = FetchDraft(of: subject.postgres)
        list = FetchController(.byKey, in: draft)
        albums = FetchController(FetchDescriptor<Album>().ordered(by: .ascending(\.id)), in: draft)
        try await list.performFetch()
        try await albums.performFetch()
      }

      func shown() async throws -> [Item] {
        await draft.waitUntilCurrent()
        await list.waitUntilCurrent()
        return try list.objects(in: 0..<(list.snapshot?.itemIdentifiers.count ?? 0)).sorted { $0.id < $1.id }
      }

      func shownAlbums() async -> [Int] {
        await albums.waitUntilCurrent()
        return albums.snapshot?.itemIdentifiers ?? []
      }

      func storedItems() async throws -> Int {
        try await subject.postgres.read { try $0.query("SELECT 1 FROM item").count }
      }

      @Test(
        "Rows come back parents first, several deep, and go again",
        arguments: [[0], [3, 0], [0, 3], [2, 3, 1, 0]])
      func undone(_ ids: [Int]) async throws {
        try draft.edit("Delete") { edit in for id in ids { try edit.delete(Album.self, id: id) } }
        try await draft.save()
        let left = try await shown()
        let albums = await shownAlbums()
        #expect(try await storedItems() == left.count && left.count < 4)
        for _ in 0..<2 {
          try draft.undo()
          #expect(try await shown() == Self.items && draft.conflicts.isEmpty)
          #expect(await shownAlbums() == [0, 1, 2, 3])
          try await draft.save()
          #expect(try await storedItems() == 4)
          try draft.redo()
          #expect(try await shown() == left && draft.conflicts.isEmpty)
          #expect(await shownAlbums() == albums)
          try await draft.save()
          #expect(try await storedItems() == left.count)
        }
      }

      @Test("Undo leads from a row to another one with its key, and computed columns follow")
      func computedColumns() async throws {
        try await subject.postgres.write {
          try $0.execute("ALTER TABLE item ADD loud text GENERATED ALWAYS AS (upper(section)) STORED")
        }
        let other = Item(id: 7, section: "b", key: 2)
        try draft.edit { try $0.delete(Item.self, id: 7) }
        try await draft.save()
        try draft.edit { try $0.insert(other) }
        try await draft.save()
        #expect(try await shown().last == other)
        try draft.undo()
        try draft.undo()
        try await draft.save()
        #expect(try await shown() == Self.items && !draft.hasChanges)
        let rows = try await subject.postgres.read {
          try $0.query("SELECT 1 FROM item WHERE loud = 'A'").count
        }
        #expect(rows == 4)
      }

      @Test("A save of a task that was cancelled throws, and all stays pending")
      func cancelled() async throws {
        try await FetchDraftTests.savesNothingWhenCancelled(draft) { try $0.delete(Item.self, id: 7) }
        #expect(try await storedItems() == 4)
      }

      @Test("So they do where the rows were edited in the same save")
      func edited() async throws {
        try draft.edit("Before") { edit in
          for id in [4, 6] { try edit.update(Item.self, id: id) { $0.section = "b" } }
        }
        try draft.edit("Delete") { edit in for id in [0, 1] { try edit.delete(Album.self, id: id) } }
        try draft.edit("After") { edit in try edit.update(Item.self, id: 6) { $0.section = "c" } }
        try await draft.save()
        #expect(try await shown().map(\.note) == [nil, nil])
        try draft.undo()
        try draft.undo()
        var expected = Self.items
        (expected[0].section, expected[2].section) = ("b", "b")
        #expect(try await shown() == expected && draft.conflicts.isEmpty)
        try draft.undo()
        #expect(try await shown() == Self.items && draft.conflicts.isEmpty)
        try await draft.save()
        #expect(try await storedItems() == 4)
      }

      /// Edits after which undo has a row written before the one that it refers to.
      static let orders: [@Sendable (FetchDraft) throws -> Void] = [
        { draft in
          try draft.edit { try $0.delete(Album.self, id: 1) }
          try draft.edit { try $0.delete(Item.self, id: 6) }
        },
        { draft in
          try draft.edit { edit in
            try edit.delete(Album.self, id: 2)
            try edit.update(Item.self, id: 6) { $0.key = 3 }
          }
        },
        { draft in
          try draft.edit { try $0.delete(Album.self, id: 2) }
          try draft.edit { try $0.update(Item.self, id: 6) { $0.key = 3 } }
        },
        { draft in
          try draft.edit { edit in
            try edit.insert(Item(id: 9, section: "a", key: 9))
            try edit.insert(Album(Item(id: 9, section: "a", key: 8)))
            try edit.insert(Album(Item(id: 8, section: "a", key: 8)))
          }
        },
      ]

      @Test(
        "Rows are saved after those that they refer to, as keys are checked at once",
        arguments: orders.indices)
      func order(_ number: Int) async throws {
        try Self.orders[number](draft)
        try await draft.save()
        let left = try await shown()
        for _ in 0..<2 {
          while try draft.undo() {}
          #expect(try await shown() == Self.items && draft.conflicts.isEmpty)
          try await draft.save()
          #expect(try await storedItems() == 4)
          #expect(await shownAlbums() == [0, 1, 2, 3])
          while try draft.redo() {}
          try await draft.save()
          #expect(try await shown() == left && draft.conflicts.isEmpty)
        }
      }

      @Test("So do those of an album that is moved to one which a later edit inserts")
      func moved() async throws {
        try draft.edit("Move") { edit in try edit.update(Album.self, id: 3) { $0.key = 8 } }
        try draft.edit("Insert") { edit in try edit.insert(Album(Item(id: 8, section: "a", key: 8))) }
        try await draft.save()
        try draft.undo()
        try await draft.save()
        // Both albums have gone, and what was in them.
        #expect(await shownAlbums() == [0, 1, 2])
        #expect(try await storedItems() == 3)
        try draft.undo()
        #expect(try await shown() == Self.items && draft.conflicts.isEmpty)
        try await draft.save()
        #expect(await shownAlbums() == [0, 1, 2, 3])
        #expect(try await storedItems() == 4)
        for _ in 0..<2 { try draft.redo() }
        try await draft.save()
        #expect(await shownAlbums() == [0, 1, 2, 3, 8])
        #expect(try await shown() == Self.items)
      }
    }
  }
#endif
