#if SQLite
  import Foundation
  import GRDB
  import LiveFetch
  import LiveFetchSQLite
  import _TestTools
  import Snapshots
  import Testing

  @Suite("Records without a table of their own")
  struct LiveRecordTests {
    struct Visit: LiveRecord, Hashable {
      var id: UUID
      var place: String
      var date: Date
      var isOver: Bool
      var length: Double?
      var tags: [String]
    }

    struct Snake: LiveRecord {
      static let databaseColumnDecodingStrategy = DatabaseColumnDecodingStrategy.convertFromSnakeCase
      static let databaseColumnEncodingStrategy = DatabaseColumnEncodingStrategy.convertToSnakeCase
      var id: Int
      var firstName: String
    }

    struct Odd: LiveRecord {
      static func databaseUUIDEncodingStrategy(for column: String) -> DatabaseUUIDEncodingStrategy {
        .uppercaseString
      }
      static func databaseDateEncodingStrategy(for column: String) -> DatabaseDateEncodingStrategy {
        column == "odd" ? .iso8601 : .secondsSince1970
      }
      static func databaseDataEncodingStrategy(for column: String) -> DatabaseDataEncodingStrategy { .text }
      var id: UUID
      var usual: Date
      var odd: Date
      var data: Data
    }

    private static func open(_ folder: TemporaryFolder) throws -> SQLiteStore {
      try SQLiteStore(path: folder.path + "/test.sqlite", creating: Visit.self, Odd.self)
    }

    @Test("A record is stored, listed and filtered by its properties; its table is made once")
    func roundTrip() async throws {
      let folder = try TemporaryFolder()
      let day = Date(timeIntervalSince1970: 86_400)
      let visits = (0..<6).map { number in
        Visit(
          id: UUID(), place: "Place \(number)", date: day.addingTimeInterval(Double(-number)),
          isOver: number % 2 == 0,
          length: number == 4 ? nil : 1.5, tags: ["a", "\(number)"])
      }
      var store = try Self.open(folder)
      try await store.write { db in for visit in visits { try visit.insert(db) } }
      try store.close()
      store = try Self.open(folder)
      let over = FetchController(
        FetchDescriptor<Visit>().filter(#Predicate { $0.isOver && $0.date <= day }).ordered(
          by: .ascending(\.date)),
        in: store)
      let changes = over.changes.makeAsyncIterator()
      #expect(try await changes.next()?.snapshot.itemIdentifiers == [4, 2, 0].map { visits[$0].id })
      for visit in visits where visit.isOver { #expect(over.object(for: visit.id) == visit) }
      try await store.write { [visit = visits[1]] db in
        var visit = visit
        visit.isOver = true
        try visit.update(db)
      }
      #expect(try await changes.next()?.inserted == [visits[1].id])
      let columns = try await store.read { db in
        try db.columns(in: "visit").map { "\($0.name) \($0.type)\($0.isNotNull ? " NOT NULL" : "")" }
      }
      #expect(
        columns == [
          "id BLOB NOT NULL", "place TEXT NOT NULL", "date TEXT NOT NULL", "isOver INTEGER NOT NULL",
          "length REAL",
          "tags  NOT NULL",
        ])
      try store.close()
    }

    struct Tally: LiveRecord {
      var id: Int64
      var name: String
      var n: Int
      var share: Double?
    }

    @Test(
      "What is no number is none in a column by which the list is neither ordered nor filtered, too",
      arguments: [("n", "x'01'"), ("n", "'many'"), ("n", "1.5"), ("share", "x''"), ("share", "'half'")])
    func wrongNumbers(_ column: String, _ value: String) async throws {
      let folder = try TemporaryFolder()
      let store = try SQLiteStore(path: folder.path + "/test.sqlite", creating: Tally.self)
      defer { try? store.close() }
      try await store.write { db in
        for id in 1...3 as ClosedRange<Int64> { try Tally(id: id, name: "\(id)", n: 7, share: 2).insert(db) }
        try db.execute(sql: "UPDATE tally SET \(column) = \(value) WHERE id = 2")
      }
      let tallies = FetchController(FetchDescriptor<Tally>().ordered(by: .ascending(\.name)), in: store)
      let changes = tallies.changes.makeAsyncIterator()
      #expect(try await changes.next()?.snapshot.itemIdentifiers == [1, 2, 3])
      #expect(tallies.object(for: 1)?.n == 7 && tallies.object(for: 3)?.share == 2)
      #expect(tallies.object(for: 2) == nil)
      let failures = try #require(try await changes.next()).failures
      #expect(failures.first?.kind == .row && failures.first?.row?.id == "2")
      #expect(failures.first?.row?.column == column, "\(failures)")
    }

    @Test(
      "Columns have the form in which the record stores them; one that lists do not have is refused by name")
    func forms() async throws {
      let folder = try TemporaryFolder()
      let store = try Self.open(folder)
      let odd = Odd(id: UUID(), usual: Date(timeIntervalSince1970: 2), odd: Date(), data: Data([1]))
      try await store.write { db in try odd.insert(db) }
      let list = FetchController(FetchDescriptor<Odd>().ordered(by: .ascending(\.usual)), in: store)
      #expect(try await list.performFetch() == ["": [odd.id]])
      #expect(list.object(for: odd.id)?.usual == odd.usual)
      for request in [
        FetchDescriptor<Odd>().ordered(by: .ascending(\.odd)),
        FetchDescriptor<Odd>().ordered(by: .ascending(\.data)),
      ] {
        let error = #expect(throws: FetchDescriptorError.self) { try request.plan() }
        #expect(error?.kind == .storedForm)
      }
      let snake = #expect(throws: FetchDescriptorError.self) {
        try FetchDescriptor<Snake>().ordered(by: .ascending(\.firstName)).plan()
      }
      #expect(snake?.kind == .storedForm)
      try store.close()
    }
  }
#endif
