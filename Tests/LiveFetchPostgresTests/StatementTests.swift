#if PostgreSQL
  import Foundation
  import LiveFetch
  @testable import LiveFetchPostgres
  import LiveListsTestSupport
  import Snapshots
  import Testing

  @Suite("Statements that a transaction refuses, and what they leave to others", .server)
  struct StatementTests {
    @Test(
      "A statement that would end the transaction, or make it another, is refused, and nothing is written",
      arguments: [
        "COMMIT", "rollback", "/* all /* of */ it */ End", "-- now\nABORT", "BEGIN", "START TRANSACTION",
        "ROLLBACK AND CHAIN",
        "PREPARE TRANSACTION 'half'", "SET TRANSACTION READ WRITE",
        "SET SESSION CHARACTERISTICS AS TRANSACTION READ ONLY", "",
        "-- nothing", "COPY item TO STDOUT",
      ])
    func refused(_ sql: String) async throws {
      let database = try await TestDatabase(TestDatabase.items)
      let error = await #expect(throws: PostgresError.self) {
        try await database.store.write {
          try $0.execute("INSERT INTO item VALUES (1, 'a', 1)")
          try $0.execute(sql)
          try $0.execute("INSERT INTO item VALUES (2, 'a', 1)")
        }
      }
      #expect(error?.isConnectionLost == false)
      await #expect(throws: PostgresError.self) { try await database.store.read { try $0.query(sql) } }
      #expect(try database.rows().isEmpty)
    }

    @Test("A part of a transaction can be taken back, and settings made for it")
    func allowed() async throws {
      let database = try await TestDatabase(TestDatabase.items)
      for connection in 0..<6 {
        try await database.store.write {
          try $0.execute("SET LOCAL search_path = public")
          try $0.execute("SET CONSTRAINTS ALL DEFERRED")
          try $0.execute("INSERT INTO item VALUES (?, 'a', 1)", [connection])
          try $0.execute("SAVEPOINT part")
          try $0.execute("INSERT INTO item VALUES (100, 'a', 1)")
          try $0.execute("ROLLBACK TO SAVEPOINT part")
        }
      }
      #expect(try database.rows().keys.sorted() == Array(0..<6))
    }

    struct Dotted: PostgresRecord, Equatable {
      var id: Int
      var title: String
      static let fetchTable = FetchTable<Dotted>(decoding: "old.item")
    }

    @Test(
      "A table with a dot in its name is written as it is listed, and so is one in another schema",
      arguments: [
        "CREATE TABLE \"old.item\" (id int8 PRIMARY KEY, title text)",
        "CREATE SCHEMA old; CREATE TABLE old.item (id int8 PRIMARY KEY, title text)",
      ])
    func dotted(_ sql: String) async throws {
      let database = try await TestDatabase(sql)
      let list = FetchController(
        FetchDescriptor<Dotted>().ordered(by: .ascending(\.title)), in: database.store)
      try await list.performFetch()
      try await database.store.write { transaction in
        for id in 1...3 { try transaction.insert(Dotted(id: id, title: "new")) }
        try transaction.upsert(Dotted(id: 1, title: "again"))
        #expect(try transaction.update(Dotted(id: 2, title: "updated")))
        #expect(try transaction.delete(Dotted(id: 3, title: "")))
      }
      await list.waitUntilCurrent()
      #expect(list.snapshot?.itemIdentifiers == [1, 2])
      #expect(list.object(for: 2) == Dotted(id: 2, title: "updated"))
    }

    @Test("A table that is not there is named by the error, with or without a schema")
    func missing() async throws {
      let database = try await TestDatabase(TestDatabase.items)
      let error = await #expect(throws: PostgresError.self) {
        try await database.store.write { try $0.insert(Dotted(id: 1, title: "new")) }
      }
      #expect(error?.code == "42P01" && error?.message.contains("old.item") == true)
    }

    struct Misspelled: PostgresRecord {
      var id: Int
      var sectoin: String
      static let fetchTable = FetchTable<Misspelled>(decoding: "item")
    }

    @Test("A list says which column of its model the table lacks, once an object is asked for")
    func misspelled() async throws {
      let database = try await TestDatabase(
        TestDatabase.items + "; INSERT INTO item SELECT i, 'a', i FROM generate_series(1, 500) i")
      let list = FetchController(
        FetchDescriptor<Misspelled>().ordered(by: .ascending(\.id)), in: database.store)
      try await list.performFetch()
      #expect(list.failures.isEmpty)
      #expect(list.object(for: 1) == nil)
      let failures = list.failures
      #expect((1...100).contains(failures.count))
      #expect(failures.allSatisfy { $0.kind == .row && "\($0)".contains("sectoin") })
      _ = try await list.objects(for: Array(1...500))
      #expect(list.failures.count == 100)
      try await database.store.write { try $0.execute("DELETE FROM item WHERE id = 1") }
      await list.waitUntilCurrent()
      #expect(list.failures.isEmpty)
    }

    @Test("A read can change nothing, whatever it sets")
    func reading() async throws {
      let database = try await TestDatabase(TestDatabase.items + "; INSERT INTO item VALUES (1, 'a', 1)")
      await #expect(throws: PostgresError.self) {
        try await database.store.read {
          try $0.execute("SELECT set_config('transaction_read_only', 'off', true)")
          try $0.execute("DELETE FROM item")
        }
      }
      #expect(try database.rows().count == 1)
    }

    @Test(
      "Settings of the session are nobody else's, and the write is in the lists when it returns",
      arguments: [
        "SET search_path = pg_catalog", "SET default_transaction_read_only = on",
        "SET client_encoding = 'LATIN1'",
        "CREATE TEMP TABLE item (id bigint)", "SET SESSION statement_timeout = '1ms'",
      ])
    func sessions(_ sql: String) async throws {
      var options = PostgresStoreOptions()
      options.connections = 2
      let database = try await TestDatabase(TestDatabase.items, options: options)
      let list = FetchController(
        FetchDescriptor<ConformanceItem>().ordered(by: .ascending(\.id)), in: database.store)
      try await list.performFetch()
      try await database.store.write {
        try $0.execute("INSERT INTO item VALUES (1, 'ä', 1)")
        try $0.execute(sql)
      }
      await list.waitUntilCurrent()
      #expect(list.snapshot?.itemIdentifiers == [1])
      for id in 2...5 {
        try await database.store.write { try $0.execute("INSERT INTO item VALUES (?, 'ä', 1)", [id]) }
      }
      await list.waitUntilCurrent()
      #expect(list.snapshot?.itemIdentifiers == [1, 2, 3, 4, 5])
    }

    @Test("Too few and too many values are refused with their numbers, and the connection goes on")
    func values() async throws {
      let database = try await TestDatabase(TestDatabase.items)
      for sql in ["DELETE FROM item WHERE id = ? AND key = ?", "DELETE FROM item WHERE id = $1 AND key = $2"]
      {
        for values in [[1], [1, 2, 3]] {
          let error = await #expect(throws: PostgresError.self) {
            try await database.store.write { try $0.execute(sql, values) }
          }
          #expect(error?.isConnectionLost == false && error?.message.contains("takes 2 values") == true)
        }
      }
      for values in [[], [FetchValue.integer(1), .integer(2)]] {
        let request = FetchDescriptor<ConformanceItem>.sql(
          "SELECT id FROM item WHERE key = ?", values, reading: ["item"])
        let list = FetchController(request, in: database.store)
        let error = await #expect(throws: FetchError.self) { try await list.performFetch() }
        #expect(error?.kind == .request)
      }
    }

    @Test(
      "A list in SQL that copies is refused", arguments: ["COPY item TO STDOUT", "", "COPY item FROM STDIN"])
    func copyingList(_ sql: String) async throws {
      let database = try await TestDatabase(TestDatabase.items)
      let list = FetchController(
        FetchDescriptor<ConformanceItem>.sql(sql, reading: ["item"]), in: database.store)
      let error = await #expect(throws: FetchError.self) { try await list.performFetch() }
      #expect(error?.kind == .database)
      try await database.store.write { try $0.execute("INSERT INTO item VALUES (1, 'a', 1)") }
    }

    struct Mark: PostgresRecord {
      var id: Int
      static let fetchTable = FetchTable<Mark>(decoding: "mark")
    }

    @Test("An update of a record that has a key alone says whether its row is there")
    func keyAlone() async throws {
      let database = try await TestDatabase(
        "CREATE TABLE mark (id bigint PRIMARY KEY); INSERT INTO mark VALUES (1)")
      let (found, _) = try await database.store.write { try ($0.update(Mark(id: 1)), $0.update(Mark(id: 2))) }
      #expect(found.0 && !found.1)
    }
  }
#endif
