#if SQLite
  import GRDB
  import LiveDrafts
  import LiveFetch
  import LiveFetchSQLite
  import LiveListsTestSupport
  import Testing

  @Suite("Names of columns that differ in case from the table's, and other keys")
  struct NamesTests {
    private struct Entry: Codable, Hashable, FetchableRecord, PersistableRecord, DraftModel {
      var id: Int
      var albumID: Int?

      static let databaseTableName = "entry"
      static let fetchTable = FetchTable<Entry>(
        "entry", id: .column("id", \.id), columns: [.column("albumID", \.albumID)])
    }

    private struct Numbered: Codable, Hashable, Identifiable, FetchableRecord, PersistableRecord, DraftModel {
      var number: Int
      var title: String

      var id: Int { number }
      static let databaseTableName = "entry"
      static let fetchTable = FetchTable<Numbered>(
        "entry", id: .column("number", \.id), columns: [.column("title", \.title)])
    }

    private struct Titled: Codable, Hashable, FetchableRecord, PersistableRecord, DraftModel {
      var id: Int
      var title: String

      static let databaseTableName = "entry"
      static let fetchTable = FetchTable<Titled>(
        "entry", id: .column("id", \.id), columns: [.column("title", \.title)])
    }

    private static func world() throws -> (SQLiteSubject, FetchDraft) {
      let subject = try SQLiteSubject(
        sql: """
          CREATE TABLE entry (id INTEGER PRIMARY KEY, number INTEGER UNIQUE, albumid INTEGER, title TEXT);
          INSERT INTO entry VALUES (1, 2, 5, 'A'), (2, 1, 6, 'B');
          """)
      return (subject, FetchDraft(of: subject.sqlite))
    }

    @Test("A column that the model writes in other letters than the table is refused, with both names")
    func columns() async throws {
      let (subject, draft) = try Self.world()
      defer { withExtendedLifetime(subject) {} }
      for edit in [
        { try $0.update(Entry.self, id: 1) { $0.albumID = 7 } }, { try $0.insert(Entry(id: 3, albumID: 1)) },
      ] as [(DraftEdit) throws -> Void] {
        let error = #expect(throws: DraftError.self) { try draft.edit("", edit) }
        #expect(error?.kind == .columnName)
        #expect(error?.description.contains("“albumid” “albumID”") == true)
      }
      #expect(!draft.hasChanges)
      // A deletion writes no column.
      try draft.edit { try $0.delete(Entry.self, id: 1) }
      #expect(draft.changes.count == 1)
    }

    @Test("A table is known by one key: an edit, or a list, by another one is refused")
    func keys() async throws {
      let (subject, draft) = try Self.world()
      defer { withExtendedLifetime(subject) {} }
      let list = FetchController(FetchDescriptor<Titled>().ordered(by: .ascending(\.id)), in: draft)
      try await list.performFetch()
      let error = #expect(throws: DraftError.self) {
        try draft.edit { try $0.update(Numbered.self, id: 1) { $0.title = "wrong" } }
      }
      #expect(error?.kind == .keyColumn && error?.description.contains("“number”") == true)
      let other = FetchController(FetchDescriptor<Numbered>().ordered(by: .ascending(\.id)), in: draft)
      let refusal = await #expect(throws: FetchError.self) { try await other.performFetch() }
      #expect(refusal?.kind == .request)
      try draft.edit { try $0.update(Titled.self, id: 1) { $0.title = "right" } }
      try await draft.save()
      await list.waitUntilCurrent()
      #expect(list.object(for: 1)?.title == "right" && list.object(for: 2)?.title == "B")
    }
  }
#endif
