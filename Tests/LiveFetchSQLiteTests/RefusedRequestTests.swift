#if SQLite
  import Foundation
  import GRDB
  import LiveFetch
  import LiveFetchSQLite
  import Snapshots
  import Testing

  @Suite("Requests that a database cannot be asked are refused with the cure")
  struct RefusedRequestTests {
    private func store() throws -> TemporaryStore {
      try TemporaryStore { db in
        try db.execute(
          sql: "CREATE TABLE x (id INTEGER PRIMARY KEY, a, t); INSERT INTO x VALUES (1, 1, 'bob')")
      }
    }

    @Test("SQL of a request's own with more or fewer values than it has parameters", arguments: 0...3)
    func values(_ count: Int) async throws {
      let temporary = try store()
      let request = FetchDescriptor<Thing>.sql(
        "SELECT id FROM x WHERE a = ?", Array(repeating: .integer(1), count: count), reading: ["x"])
      let controller = FetchController(request, in: temporary.store)
      if count == 1 {
        #expect(try await controller.performFetch().itemIdentifiers == [1])
        return
      }
      let error = await #expect(throws: FetchError.self) { try await controller.performFetch() }
      #expect(error?.kind == .request && error?.description.contains("\(count)") == true)
      #expect((error?.underlying as? FetchDescriptorError)?.kind == .parameterCount)
      // Whoever asks later learns why there is no list, until there is one.
      #expect(controller.failures.map(\.kind) == [.request])
      try await controller.update(request: FetchDescriptor<Thing>().ordered(by: .ascending(\.id)))
      #expect(controller.failures.isEmpty)
    }

    @Test("A filter of more parts, or more values, than SQLite takes in a statement")
    func tooLarge() async throws {
      let temporary = try store()
      var request = FetchDescriptor<Thing>().ordered(by: .ascending(\.id))
      for number in 10..<3_010 { request = request.filter(#Predicate { $0.a != number }) }
      let numbers = Array(0..<300_000)
      let among = FetchDescriptor<Thing>().filter(#Predicate { numbers.contains($0.id) })
        .ordered(by: .ascending(\.id))
      for request in [request, among] {
        let controller = FetchController(request, in: temporary.store)
        let error = await #expect(throws: FetchError.self) { try await controller.performFetch() }
        #expect(error?.kind == .request, "\(error?.description ?? "")")
        #expect((error?.underlying as? FetchDescriptorError)?.kind == .tooLarge)
        #expect(error?.description.contains(".sql") == true)
      }
    }

    @Test("Two rows with one identifier are told in words")
    func duplicates() async throws {
      let temporary = try store()
      let controller = FetchController(
        FetchDescriptor<Thing>.sql("SELECT id FROM x UNION ALL SELECT id FROM x", reading: ["x"]),
        in: temporary.store)
      let error = await #expect(throws: FetchError.self) { try await controller.performFetch() }
      #expect(
        error?.description.hasPrefix("Two rows have the identifier 1. Make the table's key unique") == true)
    }

    /// A record that stores its date as one of GRDB's strategies says.
    struct Milliseconds: DatedRecord {
      var (id, at) = (Int64(0), Date())
      static let fetchTable = table
      static func databaseDateEncodingStrategy(for column: String) -> DatabaseDateEncodingStrategy {
        .millisecondsSince1970
      }
    }
    struct SinceReference: DatedRecord {
      var (id, at) = (Int64(0), Date())
      static let fetchTable = table
      static func databaseDateEncodingStrategy(for column: String) -> DatabaseDateEncodingStrategy {
        .timeIntervalSinceReferenceDate
      }
    }
    struct ISO: DatedRecord {
      var (id, at) = (Int64(0), Date())
      static let fetchTable = table
      static func databaseDateEncodingStrategy(for column: String) -> DatabaseDateEncodingStrategy {
        .iso8601
      }
    }

    @Test("A date in a form of GRDB's that lists do not have, wherever a request reads it")
    func dateForms() async throws {
      try await Self.refuses(Milliseconds.self)
      try await Self.refuses(SinceReference.self)
      try await Self.refuses(ISO.self)
    }

    private static func refuses<Model: DatedRecord>(_: Model.Type) async throws {
      let temporary = try TemporaryStore { db in
        try db.execute(
          sql: "CREATE TABLE dated (id INTEGER PRIMARY KEY, at); INSERT INTO dated VALUES (1, 1)")
      }
      let now = Date()
      let byID = FetchDescriptor<Model>().ordered(by: .ascending(\.id))
      for request in [
        byID.filter(#Predicate { $0.at < now }), byID.sectioned(by: .day(\.at)),
        FetchDescriptor<Model>().ordered(by: .ascending(\.at)),
      ] {
        let controller = FetchController(request, in: temporary.store)
        let error = await #expect(throws: FetchError.self) { try await controller.performFetch() }
        #expect((error?.underlying as? FetchDescriptorError)?.kind == .storedForm)
        #expect(
          error?.description.contains("“at”") == true && error?.description.contains("stored: .date") == false
        )
      }
      // Nothing is wrong with a list that does not read it.
      try await FetchController(byID, in: temporary.store).performFetch()
    }

    struct Identified: FetchModel {
      var id: UUID
      static let fetchTable = FetchTable<Identified>(
        "identified", id: .column("id", \.id, stored: .uuidText), columns: [])
      init(fetchRow row: FetchRow) throws { id = try row["id"] }
    }

    @Test("UUIDs that all rows store as text in lower case; of some they are bad rows")
    func lowerCase() async throws {
      let ids = (0..<3).map { _ in UUID().uuidString }
      let temporary = try TemporaryStore { db in
        try db.execute(sql: "CREATE TABLE identified (id TEXT PRIMARY KEY)")
        for id in ids {
          try db.execute(sql: "INSERT INTO identified VALUES (?)", arguments: [id.lowercased()])
        }
      }
      for request in [
        FetchDescriptor<Identified>().ordered(by: .ascending(\.id)),
        FetchDescriptor<Identified>.sql("SELECT id FROM identified", reading: ["identified"]),
      ] {
        let controller = FetchController(request, in: temporary.store)
        let error = await #expect(throws: FetchError.self) { try await controller.performFetch() }
        #expect((error?.underlying as? FetchDescriptorError)?.kind == .storedForm)
        #expect(error?.description.contains("upper(") == true, "\(error?.description ?? "")")
      }
      let upper = UUID()
      try await temporary.store.write { db in
        try db.execute(sql: "INSERT INTO identified VALUES (?)", arguments: [upper.uuidString])
      }
      let controller = FetchController(
        FetchDescriptor<Identified>().ordered(by: .ascending(\.id)), in: temporary.store)
      #expect(try await controller.performFetch().itemIdentifiers == [upper])
      #expect(controller.failures.count == 3)
    }
  }

  extension RefusedRequestTests {
    private struct Named: FetchModel {
      var id: Int64
      var name: UUID
      static let fetchTable = FetchTable<Named>(
        "named", id: .column("id", \.id), columns: [.column("name", \.name)])

      init(fetchRow row: FetchRow) throws {
        id = try row.value("id", as: .integer)
        name = try row.value("name", as: .uuid)
      }
    }

    @Test(
      "UUIDs as text in a column that is declared as one of bytes are refused with the cure",
      arguments: [
        (UUID().uuidString, ".uuidText`"), (UUID().uuidString.lowercased(), "upper("),
      ])
    func otherForm(_ name: String, _ cure: String) async throws {
      let temporary = try TemporaryStore { db in
        try db.execute(sql: "CREATE TABLE named (id INTEGER PRIMARY KEY, name TEXT)")
        try db.execute(sql: "INSERT INTO named VALUES (1, ?), (2, ?)", arguments: [name, name])
      }
      let controller = FetchController(
        FetchDescriptor<Named>().ordered(by: .ascending(\.name)), in: temporary.store)
      let error = await #expect(throws: FetchError.self) { try await controller.performFetch() }
      #expect((error?.underlying as? FetchDescriptorError)?.kind == .storedForm)
      #expect(error?.description.contains(cure) == true, "\(error?.description ?? "")")
      #expect(error?.description.contains("UUIDs") == true)
    }
  }

  protocol DatedRecord: Codable, FetchableRecord, PersistableRecord, FetchModel where ID == Int64 {
    var id: Int64 { get set }
    var at: Date { get set }
  }

  extension DatedRecord {
    static var table: FetchTable<Self> {
      FetchTable("dated", id: .column("id", \Self.id), columns: [.column("at", \Self.at)])
    }
  }
#endif
