#if SQLite
  import Foundation
  import GRDB
  @testable import LiveFetch
  import LiveFetchSQLite
  import Snapshots
  import Testing

  /// Texts that Swift takes for equal and a database does not, as keys and as names of sections.
  @Suite("Texts that differ in their bytes alone")
  struct TwinTests {
    typealias Named = TextKeyTests.Named

    /// Of each pair Swift says that the two are equal: “é”, “K” and the Kelvin sign, a semicolon and the Greek question mark.
    static let pairs = [
      ["\u{E9}", "e\u{301}"], ["K", "\u{212A}"], [";", "\u{37E}"], ["`", "\u{1FEF}"],
      ["\u{AC00}", "\u{1100}\u{1161}"],
    ]

    private func bytes(_ snapshot: DiffableSnapshot<FetchSectionID, String>?) -> [[UInt8]] {
      snapshot?.itemIdentifiers.map { Array($0.utf8) } ?? []
    }

    private func store(_ pair: [String]) throws -> TemporaryStore {
      try TemporaryStore { db in
        try db.execute(sql: "CREATE TABLE named (id TEXT PRIMARY KEY, a)")
        try db.execute(
          sql: "INSERT INTO named VALUES (?, 1), (?, 2), ('z', 3)", arguments: StatementArguments(pair))
      }
    }

    @Test("Of two keys the second is told as a bad row, also where one of them is ASCII", arguments: pairs)
    func keys(_ pair: [String]) async throws {
      #expect(pair[0] == pair[1])
      let temporary = try store(pair)
      let controller = FetchController(
        FetchDescriptor<Named>().ordered(by: .ascending(\.a)), in: temporary.store)
      #expect(bytes(try await controller.performFetch()) == [Array(pair[0].utf8), [122]])
      #expect(controller.failures.map(\.kind) == [.row])
      try await temporary.store.write { db in
        try db.execute(sql: "UPDATE named SET a = 5 WHERE id = ?", arguments: [pair[0]])
      }
      await controller.waitUntilCurrent()
      #expect(bytes(controller.snapshot) == [Array(pair[1].utf8), [122]])
      #expect(controller.object(for: pair[1])?.a == 2)
    }

    @Test(
      "SQL of a request's own: the second is told as a bad row, and the others are listed", arguments: pairs)
    func rawKeys(_ pair: [String]) async throws {
      let temporary = try store(pair)
      let controller = FetchController(
        FetchDescriptor<Named>.sql("SELECT id FROM named ORDER BY a", reading: ["named"]), in: temporary.store
      )
      #expect(bytes(try await controller.performFetch()) == [Array(pair[0].utf8), [122]])
      #expect(controller.failures.map(\.kind) == [.row] && controller.failures[0].row?.column == "id")
      #expect(controller.object(for: pair[0])?.a == 1)
      let changes = controller.changes.makeAsyncIterator()
      _ = try await changes.next()
      try await temporary.store.write { db in
        try db.execute(sql: "UPDATE named SET a = 9 WHERE id = ?", arguments: [pair[0]])
      }
      await controller.waitUntilCurrent()
      #expect(bytes(controller.snapshot) == [Array(pair[1].utf8), [122]])
      #expect(try #require(try await changes.next()).updated == [pair[1]])
      #expect(controller.object(for: pair[1])?.a == 2)
    }

    @Test("SQL of a request's own that gives one row twice fails with the reason")
    func repetition() async throws {
      let temporary = try store(Self.pairs[0])
      let controller = FetchController(
        FetchDescriptor<Named>.sql(
          "SELECT id FROM named UNION ALL SELECT id FROM named", reading: ["named"]),
        in: temporary.store)
      let error = await #expect(throws: FetchError.self) { try await controller.performFetch() }
      #expect(error?.kind == .duplicateIdentifier)
    }

    @Test(
      "Another request that lists the other of the two tells it as updated, with its own object",
      arguments: pairs)
    func reconfigured(_ pair: [String]) async throws {
      let temporary = try store(pair)
      func request(_ a: Int) -> FetchDescriptor<Named> {
        FetchDescriptor<Named>().filter(#Predicate { $0.a == a }).ordered(by: .ascending(\.a))
      }
      let controller = FetchController(request(1), in: temporary.store)
      try await controller.performFetch()
      let changes = controller.changes.makeAsyncIterator()
      _ = try await changes.next()
      #expect(controller.object(for: pair[0])?.a == 1)
      try await controller.update(request: request(2))
      let change = try #require(try await changes.next())
      #expect(change.updated == [pair[1]] && change.inserted == [] && change.deleted == [])
      #expect(bytes(change.snapshot) == [Array(pair[1].utf8)])
      #expect(controller.object(for: pair[1])?.a == 2)
      // The one that is not listed has its own object, and lends it to nobody.
      #expect(try await controller.objects(for: [pair[0]])[pair[0]]?.a == 1)
      #expect(controller.object(for: pair[1])?.a == 2)
      #expect(try await controller.objects(for: [pair[1]])[pair[1]]?.a == 2)
    }

    @Test("A row that follows its twin behind an offset is notified as updated")
    func window() async throws {
      let temporary = try store(Self.pairs[0])
      let controller = FetchController(
        FetchDescriptor<Named>().ordered(by: .ascending(\.a)).offset(1).limit(1), in: temporary.store)
      #expect(bytes(try await controller.performFetch()) == [Array(Self.pairs[0][1].utf8)])
      let changes = controller.changes.makeAsyncIterator()
      _ = try await changes.next()
      try await temporary.store.write { db in try db.execute(sql: "INSERT INTO named VALUES ('y', 0)") }
      await controller.waitUntilCurrent()
      #expect(bytes(controller.snapshot) == [Array(Self.pairs[0][0].utf8)])
      #expect(try #require(try await changes.next()).updated == [Self.pairs[0][0]])
      #expect(controller.object(for: Self.pairs[0][0])?.a == 1)
    }

    // MARK: Sections

    struct Place: FetchModel {
      var id: Int
      var town: String
      var a: Int?
      static let fetchTable = FetchTable<Place>(
        "place", id: .column("id", \.id), columns: [.column("town", \.town), .column("a", \.a)])
      init(fetchRow row: FetchRow) throws {
        id = try row["id"]
        town = try row["town"]
        a = try row["a"]
      }
    }

    @Test(
      "Two names of sections that Swift takes for one are neither put together nor apart: the list is refused with the reason",
      arguments: pairs, [FetchSectionOrder.automatic, .ascending, .bySortKeys])
    func sections(_ pair: [String], _ order: FetchSectionOrder) async throws {
      let temporary = try TemporaryStore { db in
        try db.execute(sql: "CREATE TABLE place (id INTEGER PRIMARY KEY, town TEXT, a)")
        try db.execute(
          sql: "INSERT INTO place VALUES (1, ?, 1), (2, 'x', 5)", arguments: StatementArguments([pair[0]]))
      }
      let store = temporary.store
      let sort: FetchSortKey<Place> = order == .bySortKeys ? .ascending(\.a) : .ascending(\.town)
      let request = FetchDescriptor<Place>().ordered(by: sort).sectioned(by: .value(\.town), order: order)
      let controller = FetchController(request, in: store)
      let first = try await controller.performFetch()
      let changes = controller.changes.makeAsyncIterator()
      _ = try await changes.next()
      try await store.write { db in
        try db.execute(sql: "INSERT INTO place VALUES (3, ?, 2)", arguments: [pair[1]])
      }
      await controller.waitUntilCurrent()
      let change = try #require(try await changes.next())
      #expect(change.failures.map(\.kind) == [.outOfOrderSection] && change.snapshot == first)
      #expect(change.failures.first?.description.contains("normal forms") == true)
      let other = FetchController(request.offset(0).limit(99), in: store)
      let error = await #expect(throws: FetchError.self) { try await other.performFetch() }
      #expect(error?.kind == .outOfOrderSection)
      // One of them alone is a section, whichever it is.
      try await store.write { db in
        try db.execute(sql: "UPDATE place SET town = ? WHERE id = 1", arguments: [pair[1]])
      }
      await controller.waitUntilCurrent()
      let snapshot = try #require(controller.snapshot)
      let section = try #require(snapshot.sectionIdentifier(containingItem: 3))
      #expect(Array(section.text.utf8) == Array(pair[1].utf8))
      #expect(try snapshot.itemIdentifiers(inSection: section) == [1, 3])
    }

    @Test("The only row of a section gets the other form of its name: the section is named by it")
    func renamedSection() async throws {
      let temporary = try TemporaryStore { db in
        try db.execute(sql: "CREATE TABLE place (id INTEGER PRIMARY KEY, town TEXT, a)")
        try db.execute(sql: "INSERT INTO place VALUES (1, ?, 1), (2, 'x', 5)", arguments: [Self.pairs[0][0]])
      }
      for order in [FetchSectionOrder.ascending, .bySortKeys] {
        let request = FetchDescriptor<Place>().ordered(by: .ascending(\.a)).sectioned(
          by: .value(\.town), order: order)
        let controller = FetchController(request, in: temporary.store)
        try await controller.performFetch()
        for name in [Self.pairs[0][1], Self.pairs[0][0]] {
          try await temporary.store.write { db in
            try db.execute(sql: "UPDATE place SET town = ? WHERE id = 1", arguments: [name])
          }
          await controller.waitUntilCurrent()
          let section = controller.snapshot?.sectionIdentifier(containingItem: 1)
          #expect(section.map { Array($0.text.utf8) } == Array(name.utf8), "\(order)")
        }
      }
    }
  }
#endif
