#if PostgreSQL
  import LiveFetch
  @testable import LiveFetchPostgres
  import LiveListsTestSupport
  import Snapshots
  import Testing

  /// A look at the schema has those lists read anew that it concerns, and no others.
  @Suite("Looks at the schema", .server)
  struct SchemaLookTests {
    private static let function = "CREATE FUNCTION three() RETURNS int LANGUAGE sql AS 'SELECT 3'"
    private static let schema = "\(TestDatabase.items); \(function)"
    private static let byKey = FetchDescriptor<ConformanceItem>().ordered(by: .ascending(\.key))
    private static let byFunction = FetchDescriptor<ConformanceItem>.sql(
      "SELECT id, section, key, note FROM item WHERE key = three() ORDER BY id", reading: ["item"])

    /// Makes a database whose store looks at the schema on demand only, and has looked once: at a table that is observed and was not read yet.
    private static func lookedAtBeforeRead() async throws -> (TestDatabase, FetchObservation) {
      var options = PostgresStoreOptions()
      options.schemaInterval = .seconds(3_600)
      let database = try await TestDatabase(schema, options: options)
      let plan = FetchPlan(
        table: "item", columns: [.init(name: "id", type: .integer)], filter: .yes, order: [])
      let observation = database.store.observe(plan) { _ in }
      try await database.store.lookAtSchema()
      return (database, observation)
    }

    @Test("A list that is being read while its triggers are made is not read anew for them")
    func triggersOfRead() async throws {
      let (database, observation) = try await Self.lookedAtBeforeRead()
      defer { observation.cancel() }
      // As the read of a list does, which notes the table a moment later.
      try database.other.run("SELECT livelists.watch('item', 'id')")
      try await database.store.lookAtSchema()
      let list = FetchController(Self.byKey, in: database.store)
      try await list.performFetch()
      try await database.store.lookAtSchema()
      #expect(database.store.statistics.resets == 0)
      #expect(list.statistics.fetches == 1)
    }

    @Test(
      "A list that fails has no other list of its table read anew, also right after the first read of the table"
    )
    func failureAfterFirstRead() async throws {
      let (database, observation) = try await Self.lookedAtBeforeRead()
      defer { observation.cancel() }
      let lists = [
        FetchController(Self.byFunction, in: database.store), FetchController(Self.byKey, in: database.store),
      ]
      for list in lists { try await list.performFetch() }
      try database.other.run("DROP FUNCTION three")
      try await database.store.write { try $0.execute("INSERT INTO item VALUES (1, 's', 3)") }
      try await eventually { !lists[0].failures.isEmpty }
      try await database.store.lookAtSchema()
      #expect(database.store.statistics.resets == 0)
      try await eventually { lists[1].isCurrent }
    }

    @Test("A list that failed is read again until what it failed for is over, and no other list is")
    func failedLate() async throws {
      var options = PostgresStoreOptions()
      options.schemaInterval = .milliseconds(20)
      let database = try await TestDatabase(
        Self.schema + "; INSERT INTO item SELECT i, 's', i % 7 FROM generate_series(1, 40) i",
        options: options)
      let lists = [
        FetchController(Self.byFunction, in: database.store), FetchController(Self.byKey, in: database.store),
      ]
      for list in lists { try await list.performFetch() }
      try database.other.run("DROP FUNCTION three")
      try await database.store.write { try $0.execute("INSERT INTO item VALUES (200, 's0', 3)") }
      try await eventually { lists[0].statistics.failures >= 4 }
      // Without a commit that concerns the list: its table is what it was all the time.
      try database.other.run(Self.function)
      try await eventually { lists[0].isCurrent && lists[0].failures.isEmpty }
      #expect(lists[0].snapshot?.itemIdentifiers.contains(200) == true)
      #expect(database.store.statistics.resets == 0)
      try await eventually { lists[1].isCurrent }
    }
  }
#endif
