#if SQLite
  import Foundation
  import GRDB
  import LiveFetch
  import LiveFetchSQLite
  import LiveListsTestSupport
  import Snapshots
  import Testing

  @Suite("Objects on SQLite")
  struct ObjectReadTests {
    static let request = FetchDescriptor<Note>().ordered(by: .ascending(\.position))

    @Test("Of two that write at once, many rows and one, every object is new, and views are told of each")
    func twoWriters() async throws {
      let temporary = try TemporaryStore()
      let store = temporary.store
      let notes = (0..<1_000).map { StoreTests.note($0) }
      try await store.write { db in for note in notes { try note.insert(db) } }
      let controller = FetchController(Self.request, in: store)
      try await controller.performFetch()
      let changes = controller.changes.makeAsyncIterator()
      _ = try await changes.next()
      for round in 1...20 {
        // At hand, as a view would have them.
        for id in [notes[5].id, notes[900].id] { _ = controller.object(for: id) }
        async let many = store.write(origin: "many \(round)") { db in
          try db.execute(sql: "UPDATE note SET title = 'many \(round)' WHERE position < 300")
        }
        async let one = store.write(origin: "one \(round)") { db in
          try db.execute(sql: "UPDATE note SET title = 'one \(round)' WHERE position = 900")
        }
        _ = try await (many, one)
        await controller.waitUntilCurrent()
        #expect(controller.object(for: notes[5].id)?.title == "many \(round)")
        #expect(controller.object(for: notes[900].id)?.title == "one \(round)")
        var (updated, origins): (Set<UUID>, Set<String>) = ([], [])
        while !origins.isSuperset(of: ["many \(round)", "one \(round)"]) {
          let change = try #require(try await changes.next())
          updated.formUnion(change.updated)
          origins.formUnion(change.origins)
        }
        #expect(updated.isSuperset(of: notes.prefix(300).map(\.id) + [notes[900].id]))
      }
    }

    @Test("Objects are had within a read and a write of the store, as of these, and are not kept from them")
    func within() async throws {
      let temporary = try TemporaryStore()
      let store = temporary.store
      let notes = (0..<3).map { StoreTests.note($0, title: "old") }
      try await store.write { db in for note in notes { try note.insert(db) } }
      let controller = FetchController(Self.request, in: store)
      try await controller.performFetch()
      let pool = store.pool
      // A read that began before a commit still sees what was before it.
      let titles = try await store.read { [ids = notes.map(\.id)] db in
        _ = try Note.fetchCount(db)
        try pool.writeWithoutTransaction { db in try db.execute(sql: "UPDATE note SET title = 'new'") }
        let all = try controller.objects(in: 0..<3).map(\.title)
        return ids.map { controller.object(for: $0)?.title } + all
      }
      #expect(titles == Array(repeating: "old", count: 6))
      #expect(controller.object(for: notes[0].id)?.title == "new")
      struct Undone: Error {}
      await #expect(throws: Undone.self) {
        try await store.write { [id = notes[1].id] db in
          try db.execute(sql: "UPDATE note SET title = 'never'")
          _ = controller.object(for: id)
          throw Undone()
        }
      }
      for note in notes { #expect(controller.object(for: note.id)?.title == "new") }
      #expect(try await controller.objects(for: notes.map(\.id)).values.allSatisfy { $0.title == "new" })
    }

    @Test("Many objects, more than a statement asks for, are had within a read as well")
    func manyWithin() async throws {
      let temporary = try TemporaryStore()
      let store = temporary.store
      try await store.write { db in for position in 0..<4_200 { try StoreTests.note(position).insert(db) } }
      let controller = FetchController(FetchDescriptor<Note>().ordered(by: .ascending(\.title)), in: store)
      try await controller.performFetch()
      let count = try await store.read { _ in try controller.objects(in: 0..<5_000).count }
      #expect(count == 4_200)
    }

    @Test(
      "Rows whose values are of no form of their column have their share of a limit, as in SQL",
      arguments: [0, 1])
    func undecodableRowsWithin(offset: Int) async throws {
      let temporary = try TemporaryStore { db in
        try db.execute(sql: "CREATE TABLE item (id INTEGER PRIMARY KEY, section TEXT, key, note TEXT)")
      }
      let store = temporary.store
      // Blobs come after all numbers, and NULL, which such a column admits, before.
      let request = FetchDescriptor<ConformanceItem>().ordered(by: .descending(\.key)).limit(2).offset(offset)
      let controller = FetchController(request, in: store)
      try await controller.performFetch()
      for sql in [
        "INSERT INTO item VALUES (1, 'a', 1, NULL), (2, 'a', 2, NULL), (3, 'a', 3, NULL)",
        "INSERT INTO item VALUES (4, 'a', x'00', NULL)", "INSERT INTO item VALUES (5, 'a', 5, NULL)",
        "UPDATE item SET key = 9 WHERE id = 4", "UPDATE item SET key = 'x' WHERE id = 2",
        "DELETE FROM item WHERE id = 2", "UPDATE item SET key = 'x' WHERE id = 1",
        "UPDATE item SET key = 'y' WHERE id = 4", "DELETE FROM item WHERE id IN (1, 4)",
      ] {
        try await store.write { db in try db.execute(sql: sql) }
        await controller.waitUntilCurrent()
        let fresh = try await FetchController(request.ignoringChanges(to: \.note), in: store).performFetch()
        #expect(controller.snapshot == fresh, "\(sql)")
      }
    }
  }

  /// A record with dates, its columns declared like those of the others.
  private struct Visit: Codable, FetchableRecord, PersistableRecord, FetchModel {
    var id: Int64
    var begun: Date
    var ended: Date?

    static let databaseTableName = "visit"
    static let fetchTable = FetchTable<Visit>(
      "visit", id: .column("id", \.id),
      columns: [.column("begun", \.begun), .column("ended", \.ended)])
  }

  /// The same with dates in seconds.
  private struct Call: Codable, FetchableRecord, PersistableRecord, FetchModel {
    var id: Int64
    var begun: Date

    static let databaseTableName = "visit"
    static func databaseDateEncodingStrategy(for column: String) -> DatabaseDateEncodingStrategy {
      .timeIntervalSince1970
    }
    static func databaseDateDecodingStrategy(for column: String) -> DatabaseDateDecodingStrategy {
      .timeIntervalSince1970
    }
    static let fetchTable = FetchTable<Call>(
      "visit", id: .column("id", \.id), columns: [.column("begun", \.begun)])
  }

  @Suite("Dates of GRDB's records")
  struct RecordDateTests {
    private static func store() throws -> TemporaryStore {
      try TemporaryStore { db in
        try db.execute(sql: "CREATE TABLE visit (id INTEGER PRIMARY KEY, begun NOT NULL, ended)")
      }
    }

    @Test("A record with a date is ordered, filtered and divided by it with nothing said of its form")
    func declaredLikeOthers() async throws {
      let temporary = try Self.store()
      let store = temporary.store
      let day = Date(timeIntervalSince1970: 1_709_300_000)
      let visits = (0..<3).map {
        Visit(id: Int64($0), begun: day + Double($0) * 86_400 * 20, ended: $0 == 1 ? nil : day)
      }
      try await store.write { db in for visit in visits { try visit.insert(db) } }
      let controller = FetchController(
        FetchDescriptor<Visit>().filter(#Predicate { $0.begun > day }).ordered(by: .descending(\.begun))
          .sectioned(by: .month(\.begun)), in: store)
      #expect(try await controller.performFetch() == ["2024-04": [2], "2024-03": [1]])
      #expect(controller.failures.isEmpty)
      let ended = FetchController(
        FetchDescriptor<Visit>().filter(#Predicate { $0.ended != nil }).ordered(by: .ascending(\.ended)),
        in: store)
      #expect(try await ended.performFetch() == ["": [0, 2]])
      #expect(ended.object(for: 2)?.begun == visits[2].begun)
    }

    @Test("A comparison of text with a date that two calendars name differently is refused with the cure")
    func beforeTheCalendar() async throws {
      let temporary = try Self.store()
      let store = temporary.store
      let first = Date(timeIntervalSince1970: -12_219_292_800)
      let visit = Visit(id: 1, begun: first, ended: nil)
      try await store.write { db in try visit.insert(db) }
      let controller = FetchController(
        FetchDescriptor<Visit>().filter(#Predicate { $0.begun == first }).ordered(by: .ascending(\.begun)),
        in: store)
      #expect(try await controller.performFetch() == ["": [1]])
      let before = first - 1
      let error = await #expect(throws: FetchError.self) {
        try await FetchController(
          FetchDescriptor<Visit>().filter(#Predicate { $0.begun >= before }).ordered(by: .ascending(\.id)),
          in: store
        ).performFetch()
      }
      #expect(error?.kind == .request)
      #expect(error?.description.contains(".dateSeconds") == true)
      try await store.write { db in try db.execute(sql: "DELETE FROM visit") }
      try await FetchController(
        FetchDescriptor<Call>().filter(#Predicate { $0.begun >= before }).ordered(by: .ascending(\.id)),
        in: store
      ).performFetch()
    }

    @Test("The form is the one that the record says; another is refused with the cure")
    func otherForms() async throws {
      let temporary = try Self.store()
      let store = temporary.store
      let calls = (0..<2).map {
        Call(id: Int64($0), begun: Date(timeIntervalSince1970: 1_700_000_000 + Double($0)))
      }
      try await store.write { db in for call in calls { try call.insert(db) } }
      let controller = FetchController(FetchDescriptor<Call>().ordered(by: .descending(\.begun)), in: store)
      #expect(try await controller.performFetch() == ["": [1, 0]])
      let wrong = FetchController(FetchDescriptor<Visit>().ordered(by: .ascending(\.begun)), in: store)
      let error = await #expect(throws: FetchError.self) { try await wrong.performFetch() }
      #expect(error?.description.contains("stored: .dateSeconds") == true)
    }
  }
#endif
