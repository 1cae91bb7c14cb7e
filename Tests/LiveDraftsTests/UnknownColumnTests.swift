#if SQLite
  import GRDB
  import LiveDrafts
  import LiveFetch
  import LiveFetchSQLite
  import LiveListsTestSupport
  import Snapshots
  import Testing

  /// A record of a table that has a column more.
  private struct Track: Codable, Hashable, FetchableRecord, PersistableRecord, DraftModel {
    var id: Int
    var title: String

    static let databaseTableName = "track"
    static let fetchTable = FetchTable<Track>(
      "track", id: .column("id", \.id), columns: [.column("title", \.title)])
  }

  @Suite("Columns that the model of a draft over a draft lacks")
  struct UnknownColumnTests {
    enum Order: CaseIterable { case saveThenUndo, undoThenSave, editThenSave }

    @Test(
      "The value that the database gives them is no conflict",
      arguments: ["note TEXT DEFAULT 'x'", "note TEXT AS (title || id) STORED", "note TEXT"], Order.allCases)
    func given(_ column: String, _ order: Order) async throws {
      let subject = try SQLiteSubject(
        sql: "CREATE TABLE track (id INTEGER PRIMARY KEY, title TEXT NOT NULL, \(column))")
      try await subject.sqlite.write { db in try Track(id: 1, title: "a").insert(db) }
      let lower = FetchDraft(of: subject.sqlite)
      let upper = FetchDraft(of: lower)
      let list = FetchController(FetchDescriptor<Track>().ordered(by: .ascending(\.title)), in: upper)
      try await list.performFetch()
      try upper.edit("Insert") { edit in try edit.insert(Track(id: 2, title: "b")) }
      try await upper.save()
      #expect(!upper.hasChanges)
      switch order {
      case .saveThenUndo:
        try await lower.save()
        try upper.undo()
      case .undoThenSave:
        try upper.undo()
        try await lower.save()
      case .editThenSave:
        try upper.edit { edit in try edit.update(Track.self, id: 2) { $0.title = "c" } }
        try await lower.save()
        await upper.waitUntilCurrent()
        #expect(upper.conflicts.isEmpty && upper.changes.count == 1)
        try await upper.save()
        try upper.undo()
        try upper.undo()
      }
      await upper.waitUntilCurrent()
      #expect(upper.conflicts.isEmpty)
      #expect(upper.changes.map(\.kind) == [.delete])
      try await upper.save()
      try await lower.save()
      #expect(try await subject.sqlite.read { db in try Track.fetchAll(db) } == [Track(id: 1, title: "a")])
      // And back, with the value that the database has given them.
      try upper.redo()
      try await upper.save()
      try await lower.save()
      await upper.waitUntilCurrent()
      #expect(list.snapshot?.itemIdentifiers == [1, 2] && upper.conflicts.isEmpty)
    }
  }
#endif
