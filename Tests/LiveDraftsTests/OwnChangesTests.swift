#if SQLite
  import GRDB
  import LiveFetch
  import LiveFetchSQLite
  import LiveListsTestSupport
  import LiveStore
  import Testing

  @testable import LiveDrafts

  /// Triggers and foreign keys change rows that a draft has not told the store to change.
  @Suite("What a save changes without being told to is nobody else's change")
  struct OwnChangesTests {
    /// A trigger that counts up the key of a row of which the section is set.
    static let stamp = """
      CREATE TRIGGER stamped AFTER UPDATE OF section ON item
        BEGIN UPDATE item SET key = key + 1 WHERE id = NEW.id; END;
      """

    static func world(_ sql: String, isTold: Bool = true) async throws -> (
      SQLiteSubject, InterruptedStore, FetchDraft
    ) {
      let options = SQLiteStoreOptions(isTold: isTold)
      let subject = try SQLiteSubject(options, sql: sql)
      let interrupted = InterruptedStore(subject.sqlite)
      return (subject, interrupted, FetchDraft(of: interrupted))
    }

    @Test(
      "A row that is deleted while a save is under way may be changed by a trigger of the save",
      arguments: [true, false])
    func deletedMeanwhile(_ isTold: Bool) async throws {
      let (subject, interrupted, draft) = try await Self.world(Self.stamp, isTold: isTold)
      try await subject.write([.put(Item(id: 1, section: "a", key: 1))], origin: nil)
      try draft.edit { try $0.update(Item.self, id: 1) { $0.section = "b" } }
      interrupted.interrupt { try draft.edit { try $0.delete(Item.self, id: 1) } }
      try await draft.save()
      await draft.waitUntilCurrent()
      #expect(draft.conflicts.isEmpty && draft.changes.count == 1)
      try await draft.save()
      #expect(try await subject.items().isEmpty)
    }

    @Test("What others have changed of it meanwhile is a conflict")
    func deletedMeanwhileAndChanged() async throws {
      let (subject, interrupted, draft) = try await Self.world(Self.stamp)
      try await subject.write([.put(Item(id: 1, section: "a", key: 1))], origin: nil)
      try draft.edit { try $0.update(Item.self, id: 1) { $0.section = "b" } }
      interrupted.interrupt {
        try draft.edit { try $0.delete(Item.self, id: 1) }
        try await subject.sqlite.write { db in try db.execute(sql: "UPDATE item SET note = 'theirs'") }
      }
      try await draft.save()
      await draft.waitUntilCurrent()
      #expect(draft.conflicts.count == 1)
    }

    @Test("An insertion is undone after an edit of which a trigger was counting", arguments: [true, false])
    func insertionAfterEdit(_ isTold: Bool) async throws {
      let (subject, _, draft) = try await Self.world(Self.stamp, isTold: isTold)
      try draft.edit { try $0.insert(Item(id: 5, section: "a", key: 1)) }
      try await draft.save()
      try draft.edit { try $0.update(Item.self, id: 5) { $0.section = "b" } }
      try await draft.save()
      for _ in 0..<2 {
        try draft.undo()
        await draft.waitUntilCurrent()
        #expect(draft.conflicts.isEmpty)
        try await draft.save()
      }
      #expect(try await subject.items().isEmpty)
    }

    @Test("So it is where it was undone and redone before the edit", arguments: [true, false])
    func insertionRedone(_ isTold: Bool) async throws {
      let (subject, _, draft) = try await Self.world(Self.stamp, isTold: isTold)
      try draft.edit { try $0.insert(Item(id: 5, section: "a", key: 1)) }
      try await draft.save()
      try draft.undo()
      try draft.redo()
      try draft.edit { try $0.update(Item.self, id: 5) { $0.section = "b" } }
      try await draft.save()
      for _ in 0..<2 { try draft.undo() }
      await draft.waitUntilCurrent()
      #expect(draft.conflicts.isEmpty)
      try await draft.save()
      #expect(try await subject.items().isEmpty)
    }

    /// A trigger that keeps the sections of items in capitals.
    private static let capitals = """
      CREATE TRIGGER written AFTER UPDATE OF section ON item WHEN NEW.section <> upper(NEW.section)
        BEGIN UPDATE item SET section = upper(section) WHERE id = NEW.id; END;
      """

    @Test(
      "An edit in the middle of a save by theirs is in no conflict with what a trigger makes of the save",
      arguments: [true, false])
    func editedBesideTheirs(_ isTold: Bool) async throws {
      let (subject, interrupted, draft) = try await Self.world(Self.capitals, isTold: isTold)
      try await subject.write([.put(Item(id: 1, section: "A", key: 1))], origin: nil)
      try draft.edit { try $0.update(Item.self, id: 1) { $0.section = "first" } }
      interrupted.interrupt { try draft.edit { try $0.update(Item.self, id: 1) { $0.section = "second" } } }
      try await draft.save(policy: .theirs)
      await draft.waitUntilCurrent()
      #expect(draft.conflicts.isEmpty)
      try await draft.save(policy: .theirs)
      #expect(try await subject.items()[1]?.section == "SECOND")
    }

    /// Albums that triggers count the items of.
    private static let counted = """
      CREATE TABLE album (id INTEGER PRIMARY KEY, section TEXT NOT NULL, key INTEGER NOT NULL, note TEXT);
      CREATE TRIGGER counted AFTER INSERT ON item BEGIN UPDATE album SET key = key + 1 WHERE id = NEW.key; END;
      CREATE TRIGGER forgotten AFTER DELETE ON item BEGIN UPDATE album SET key = key - 1 WHERE id = OLD.key; END;
      """

    @Test(
      "The insertion of a row is undone that a trigger of a later save has changed",
      arguments: [true, false], [true, false])
    func insertedBeforeTrigger(_ isEachSaved: Bool, _ isOpen: Bool) async throws {
      let (subject, _, draft) = try await Self.world(Self.counted)
      let list =
        isOpen ? FetchController(FetchDescriptor<Album>().ordered(by: .ascending(\.key)), in: draft) : nil
      try await list?.performFetch()
      try draft.edit { try $0.insert(Album(Item(id: 1, section: "a", key: 0))) }
      try await draft.save()
      for id in 4..<7 {
        try draft.edit { try $0.insert(Item(id: id, section: "a", key: 1)) }
        try await draft.save()
      }
      while try draft.undo() {
        await draft.waitUntilCurrent()
        #expect(draft.conflicts.isEmpty)
        if isEachSaved { try await draft.save() }
      }
      try await draft.save()
      let left = try await subject.sqlite.read {
        try Int.fetchAll($0, sql: "SELECT id FROM album UNION ALL SELECT id FROM item")
      }
      #expect(left.isEmpty)
    }

    @Test("What others have changed of such a row is a conflict")
    func insertedBeforeTriggerAndOthers() async throws {
      let (subject, _, draft) = try await Self.world(Self.counted)
      try draft.edit { try $0.insert(Album(Item(id: 1, section: "a", key: 0))) }
      try await draft.save()
      try await subject.sqlite.write { try $0.execute(sql: "UPDATE album SET key = 7") }
      try draft.edit { try $0.insert(Item(id: 4, section: "a", key: 1)) }
      try await draft.save()
      while try draft.undo() {}
      await draft.waitUntilCurrent()
      #expect(draft.conflicts.map(\.table) == ["album"])
    }

    @Test(
      "A reference comes back that a deletion has set to NULL, of a row that was to be deleted and was spared by theirs"
    )
    func sparedReference() async throws {
      let (subject, _, draft) = try await Self.world(SQLiteSubject.keys)
      try await subject.writeWithKeys([
        .put(Item(id: 0, section: "a", key: 0, note: "n0")), .put(Item(id: 1, section: "a", key: 0)),
        .put(Item(id: 5, section: "a", key: 1, note: "n0")),
      ])
      try draft.edit { try $0.delete(Item.self, id: 5) }
      try await subject.sqlite.write { try $0.execute(sql: "UPDATE item SET section = 'theirs'") }
      try draft.edit { try $0.delete(Album.self, id: 0) }
      try await draft.save(policy: .theirs)
      #expect(try await subject.items()[5]?.note == nil)
      while try draft.undo() {}
      try await draft.save()
      #expect(try await subject.items() == [5: Item(id: 5, section: "theirs", key: 1, note: "n0")])
    }

    @Test("A pending row of which another row's save sets a foreign key to NULL is in no conflict")
    func pendingRow() async throws {
      let (subject, _, draft) = try await Self.world(SQLiteSubject.keys)
      try await subject.writeWithKeys([
        .put(Item(id: 0, section: "a", key: 0, note: "n0")), .put(Item(id: 1, section: "a", key: 0)),
        .put(Item(id: 5, section: "a", key: 1, note: "n0")),
        .put(Item(id: 6, section: "a", key: 1, note: "n0")),
      ])
      try draft.edit("Album") { try $0.delete(Album.self, id: 0) }
      try draft.edit("Items") { edit in
        try edit.delete(Item.self, id: 5)
        try edit.update(Item.self, id: 6) { $0.section = "b" }
      }
      try await draft.save(Album.self, [0])
      await draft.waitUntilCurrent()
      #expect(draft.conflicts.isEmpty && draft.changes.count == 2)
      try draft.undo()
      try draft.redo()
      #expect(draft.conflicts.isEmpty && draft.changes.count == 2)
      try await draft.save()
      #expect(try await subject.items() == [6: Item(id: 6, section: "b", key: 1)])
    }
  }
#endif
