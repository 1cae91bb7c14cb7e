#if PostgreSQL
  import Foundation
  import LiveDrafts
  import LiveFetch
  @testable import LiveFetchPostgres
  import LiveListsTestSupport
  import Snapshots
  import Testing

  @Suite("Drafts that save into PostgreSQL", .server)
  struct PostgresDraftTests {
    @Test("With nothing pending it keeps the promises of a store", arguments: [21, 22] as [UInt64])
    func conforms(_ seed: UInt64) async throws {
      try await FetchStoreConformance(seed: seed).run {
        let below = try await PostgresConformanceTests.Subject()
        return DraftSubject(of: below.database.store, below)
      }
    }

    @Test(
      "What is written through it follows as what is written to the store", arguments: [23, 24] as [UInt64])
    func through(_ seed: UInt64) async throws {
      try await FetchStoreConformance(seed: seed).isWrittenThrough {
        let below = try await PostgresConformanceTests.Subject()
        return WrittenThroughSubject(of: below.database.store, below)
      }
    }

    @Test("What is saved on one node is in the lists of another, with all tags, and a conflict names the row")
    func twoNodes() async throws {
      let database = try await TestDatabase(
        TestDatabase.items + "; INSERT INTO item VALUES (1, 'a', 1, 'old')")
      let other = try await database.makeNode()
      defer { other.close() }
      let list = FetchController(
        FetchDescriptor<ConformanceItem>().ordered(by: .ascending(\.key)), in: other)
      try await list.performFetch()
      let changes = list.changes.makeAsyncIterator()
      _ = try await changes.next()
      let draft = FetchDraft(of: database.store)
      try draft.edit { edit in
        try edit.update(ConformanceItem.self, id: 1) { $0.note = "mine" }
        try edit.insert(ConformanceItem(id: 2, section: "b", key: 0, note: nil))
      }
      #expect(list.snapshot?.itemIdentifiers == [1])
      try await draft.save(origin: "\u{1E}\"mutation\" 7")
      try await other.catchUp(to: #require(database.store.token))
      let change = try await changes.next()
      #expect(change?.origins.contains("\u{1E}\"mutation\" 7") == true)
      #expect(list.snapshot?.itemIdentifiers == [2, 1])
      #expect(list.object(for: 1)?.note == "mine")

      // Another node is faster.
      try draft.edit { edit in try edit.update(ConformanceItem.self, id: 1) { $0.note = "again" } }
      try await other.write { try $0.execute("UPDATE item SET note = 'theirs' WHERE id = 1") }
      let conflict = await #expect(throws: DraftConflict.self) { try await draft.save() }
      #expect(conflict?.rows.map(\.id) == [.integer(1)])
      #expect(conflict?.rows.first?.theirs?["note"] == .text("theirs"))
      try await draft.save(policy: .mine)
      #expect(try database.rows()[1]?.note == "again" && !draft.hasChanges)
    }

    @Test(
      "A new row's key that another node takes is a conflict with its whole row, which shows when the new one is deleted"
    )
    func takenKey() async throws {
      let database = try await TestDatabase(TestDatabase.items)
      let other = try await database.makeNode()
      defer { other.close() }
      let draft = FetchDraft(of: database.store)
      // The list needs the column `key` alone.
      let list = FetchController(
        FetchDescriptor<ConformanceItem>().ordered(by: .ascending(\.key)), in: draft)
      try await list.performFetch()
      try draft.edit { edit in
        try edit.insert(ConformanceItem(id: 1, section: "a", key: 1, note: "mine"))
      }
      try await other.write { try $0.execute("INSERT INTO item VALUES (1, 'b', 1, 'theirs')") }
      try await database.store.catchUp(to: #require(other.token))
      await draft.waitUntilCurrent()
      let theirs = ConformanceItem(id: 1, section: "b", key: 1, note: "theirs")
      #expect(draft.conflicts.map(\.theirs) == [theirs.values])
      #expect(draft.conflicts.map(\.columns) == [["section", "note"]])
      try draft.edit { edit in
        try edit.delete(ConformanceItem.self, id: 1)
        #expect(try edit.find(ConformanceItem.self, id: 1) == theirs)
      }
      #expect(!draft.hasChanges && list.object(for: 1) == theirs)
    }

    @Test(
      "A row whose parent is deleted in the same save goes with it, and a moved one outlives its former parent"
    )
    func cascade() async throws {
      let database = try await TestDatabase(
        TestDatabase.items + """
          ; ALTER TABLE item ADD COLUMN parent int REFERENCES item (id) ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED
          ; INSERT INTO item VALUES (1, 'a', 1, NULL, NULL), (2, 'a', 2, NULL, 1), (3, 'a', 3, NULL, 1), (4, 'a', 4, NULL, 1)
          """)
      let draft = FetchDraft(of: database.store)
      try draft.edit { edit in
        try edit.delete(ConformanceItem.self, id: 1)
        try edit.update(ConformanceItem.self, id: 2) { $0.note = "mine" }
        try edit.delete(ConformanceItem.self, id: 3)
      }
      try await draft.save()
      #expect(try database.rows().isEmpty && !draft.hasChanges)
    }

    @Test(
      "Saves that lock the same rows in other orders, or insert the same row, all end in a save or a conflict"
    )
    func atOnce() async throws {
      let database = try await TestDatabase(
        TestDatabase.items + "; INSERT INTO item SELECT i, 'a', i, NULL FROM generate_series(1, 6) i")
      let stores = [database.store, try await database.makeNode(), try await database.makeNode()]
      defer { for store in stores.dropFirst() { store.close() } }
      for round in 0..<8 {
        try await withThrowingTaskGroup(of: Void.self) { group in
          for (number, store) in stores.enumerated() {
            group.addTask {
              let draft = FetchDraft(of: store)
              let ids = number == 1 ? Array((1...6).reversed()) : Array(1...6)
              try draft.edit { edit in
                for id in ids {
                  try edit.update(ConformanceItem.self, id: id) { $0.note = "\(round) \(number)" }
                }
                if try edit.find(ConformanceItem.self, id: 100 + round) == nil {
                  try edit.insert(ConformanceItem(id: 100 + round, section: "\(number)", key: 0, note: nil))
                }
              }
              do { try await draft.save() } catch is DraftConflict { try await draft.save(policy: .theirs) }
            }
          }
          try await group.waitForAll()
        }
        // Rows that were read between two saves of others may be of one each.
        let rows = try database.rows()
        #expect(
          (1...6).allSatisfy { rows[$0]?.note?.hasPrefix("\(round) ") == true } && rows[100 + round] != nil)
      }
    }

    @Test(
      "Records of all kinds of columns are saved as they were edited; what the database computes is left to it"
    )
    func columns() async throws {
      struct Sheet: PostgresRecord, DraftModel, Hashable {
        var id: UUID
        var title: String
        var taken: Date
        var isHidden: Bool
        var ratio: Double
        var data: Data
        var words: [String]
        static let fetchTable = FetchTable<Sheet>(decoding: "sheet")
      }
      let database = try await TestDatabase(
        """
        CREATE TABLE sheet (id uuid PRIMARY KEY, title text NOT NULL, taken timestamptz NOT NULL, "isHidden" boolean NOT NULL,
          ratio float8 NOT NULL, data bytea NOT NULL, words jsonb NOT NULL, length int GENERATED ALWAYS AS (length(title)) STORED,
          number bigint GENERATED ALWAYS AS IDENTITY, price numeric)
        """)
      let draft = FetchDraft(of: database.store)
      let list = FetchController(FetchDescriptor<Sheet>().ordered(by: .ascending(\.title)), in: draft)
      try await list.performFetch()
      var sheet = Sheet(
        id: UUID(), title: "Å", taken: Date(timeIntervalSince1970: 1_700_000_000.5), isHidden: true,
        ratio: -0.1,
        data: Data([0, 1, 255]), words: ["a", "b"])
      try draft.edit { [sheet] in try $0.insert(sheet) }
      try await draft.save()
      #expect(list.object(for: sheet.id) == sheet)
      (sheet.title, sheet.isHidden, sheet.ratio, sheet.words) = ("long", false, .infinity, [])
      (sheet.data, sheet.taken) = (Data(), Date(timeIntervalSince1970: -1.25))
      try draft.edit { [sheet] in try $0.update(sheet) { $0 = sheet } }
      #expect(list.object(for: sheet.id) == sheet)
      try await draft.save()
      #expect(list.object(for: sheet.id) == sheet && !draft.hasChanges)
      let found = try database.other.query("SELECT length, title, words::text FROM sheet")
      #expect(found.integer(0, 0) == 4 && found.text(0, 1) == "long" && found.text(0, 2) == "[]")
      // Deleted and brought back, with the values that only the database knows.
      try database.other.run("UPDATE sheet SET price = 12.50")
      await database.store.waitUntilCurrent()
      try draft.edit { [sheet] in try $0.delete(Sheet.self, id: sheet.id) }
      try await draft.save()
      try draft.undo()
      try await draft.save()
      let back = try database.other.query("SELECT price::text, number FROM sheet")
      #expect(back.text(0, 0) == "12.50" && back.integer(0, 1) == 1)
    }

    @Test("A row that the database passes over is an error, and nothing is saved")
    func passedOver() async throws {
      let database = try await TestDatabase(
        TestDatabase.items + """
          ; INSERT INTO item VALUES (1, 'a', 1), (2, 'a', 2);
          CREATE FUNCTION pass() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NULL; END $$;
          CREATE TRIGGER pass BEFORE UPDATE ON item FOR EACH ROW WHEN (OLD.id = 2) EXECUTE FUNCTION pass()
          """)
      let draft = FetchDraft(of: database.store)
      try draft.edit { edit in
        for id in 1...2 { try edit.update(ConformanceItem.self, id: id) { $0.note = "x" } }
      }
      await #expect(throws: FetchError.self) { try await draft.save() }
      #expect(try database.rows().values.allSatisfy { $0.note == nil } && draft.hasChanges)
    }

    @Test("Tags come back as they were set")
    func tags() {
      for origins in [["a"], ["a", "b"], ["\u{1E}"], ["", "x"], ["\u{1E}[\"a\"]"], ["\"", "\\", "\n"]] {
        #expect(OriginList.origins(OriginList.text(origins)) == origins)
      }
      #expect(OriginList.text(["drag-1"]) == "drag-1")
    }
  }
#endif
