#if SQLite
  import Foundation
  import GRDB
  import LiveFetch
  import LiveFetchSQLite
  import _TestTools
  import Synchronization
  import Testing

  /// The changes of rows that the store reports, beside those that commits made.
  @Suite("The change of a row that a commit reports")
  struct RowChangeTests {
    struct Item: FetchModel {
      var id: Int64
      var a: Int64?
      static let fetchTable = FetchTable<Item>("item", id: .column("id", \.id), columns: [.column("a", \.a)])
      init(fetchRow row: FetchRow) throws {
        id = try row["id"]
        a = try row["a"]
      }
    }

    static let request = FetchDescriptor<Item>().ordered(by: .ascending(\.id))

    @Test(
      "Is true, with savepoints that are taken back, replaced rows, upserts and new keys, also where others write",
      arguments: 1...12, [false, true])
    func law(seed: Int, isShared: Bool) async throws {
      let columns = seed % 3 == 0 ? 68 : 4
      let names = ["id", "a"] + (2..<columns).map { "c\($0)" }
      let temporary = try TemporaryStore(options: isShared ? OtherProcessTests.options : .init()) { db in
        let rest = names.dropFirst(2).map { "\($0) INTEGER DEFAULT 0" }.joined(separator: ", ")
        try db.execute(
          sql:
            "CREATE TABLE item (id INTEGER PRIMARY KEY, a INTEGER UNIQUE, \(rest))\(seed % 2 == 0 ? " WITHOUT ROWID" : "")"
        )
        for id in 0..<6 {
          try db.execute(sql: "INSERT INTO item (id, a) VALUES (?, ?)", arguments: [id, id])
        }
      }
      let store = temporary.store
      let events = Mutex<[FetchStoreEvent]>([])
      let plan = try Self.request.plan()
      let observation = store.observe(plan) { event in events.withLock { $0.append(event) } }
      defer { observation.cancel() }
      _ = try await store.read(plan) { cursor in while try cursor.next() != nil {} }
      let other = try DatabaseQueue(path: temporary.directory.appendingPathComponent("test.sqlite").path)
      var random = SplitMix(seed: UInt64(seed))
      var exact = 0
      for step in 0..<40 {
        let before = try await table(store)
        let script = Self.script(names, using: &random)
        // Others write before the store does, or between its commit and the end of what it does.
        let others = isShared && step % 3 == 0 ? Self.script(names, using: &random) : []
        let isBetween = step % 2 == 0
        if !others.isEmpty, !isBetween { try await other.write { try Self.run(others, $0) } }
        do {
          try await store.write { db in
            try Self.run(script, db)
            if others.isEmpty || !isBetween { return }
            try db.execute(sql: "COMMIT")
            try other.write { try Self.run(others, $0) }
          }
        } catch let error as DatabaseError where error.resultCode == .SQLITE_ABORT {
          // GRDB refuses it after the fact, and has the rows not read: lists are read anew.
        }
        if isBetween, !others.isEmpty { await store.checkForExternalChanges() }
        let after = try await table(store)
        let context =
          "seed \(seed), step \(step): \(script.joined(separator: "; ")), others: \(others.joined(separator: "; "))"
        var touched = TouchedRows<FetchValue>(columns: names)
        let told = events.withLock { events in
          defer { events = [] }
          return events
        }
        if isBetween, !others.isEmpty, told.contains(where: { if case .reset = $0 { true } else { false } }) {
          continue
        }
        for event in told {
          guard case .changes(let changes) = event else { Issue.record("\(context): \(event)"); continue }
          #expect(changes.tableColumns == names)
          if others.isEmpty { #expect(changes.writers == .thisStore, "\(context)") }
          for row in changes.rows { touched.append(row.id, row.change) }
        }
        for id in Set(before.keys).union(after.keys).union(touched.rows.map { $0.id.number }) {
          let change = touched.change(of: .integer(id))
          let (old, new) = (before[id], after[id])
          let isTrue =
            switch change {
            case nil: old == new
            case .inserted: old == nil && new != nil
            case .deleted: old != nil && new == nil
            case .insertedAndDeleted: old == nil && new == nil
            case .updated(let set):
              old != nil && new != nil
                && names.indices.allSatisfy { old?[$0] == new?[$0] || set.mayContain(column: $0) }
            case .unknown: true
            }
          #expect(isTrue, "\(context): row \(id) is said to be \(String(describing: change))")
          if let change, change != .unknown { exact += 1 }
        }
      }
      // It would be true of everything that nothing is known of it.
      #expect(exact > 20, "seed \(seed)")
    }

    private static func run(_ script: [String], _ db: Database) throws {
      for statement in script {
        do { try db.execute(sql: statement) } catch let error as DatabaseError
          where error.resultCode == .SQLITE_CONSTRAINT
        {}
      }
    }

    private func table(_ store: SQLiteStore) async throws -> [Int64: [DatabaseValue]] {
      try await store.read { db in
        let rows = try Row.fetchAll(db, sql: "SELECT * FROM item")
        return Dictionary(uniqueKeysWithValues: rows.map { ($0["id"], Array($0.databaseValues)) })
      }
    }

    private static func script(_ names: [String], using random: inout SplitMix) -> [String] {
      var script: [String] = []
      var depth = 0
      for _ in 0..<Int.random(in: 1...7, using: &random) {
        let (id, other) = (Int.random(in: 0..<9, using: &random), Int.random(in: 0..<9, using: &random))
        let column = names.dropFirst(2).randomElement(using: &random) ?? "a"
        switch Int.random(in: 0..<10, using: &random) {
        case 0: script.append("INSERT INTO item (id, a) VALUES (\(id), \(other))")
        case 1: script.append("REPLACE INTO item (id, a) VALUES (\(id), \(other))")
        case 2: script.append("DELETE FROM item WHERE id = \(id)")
        case 3, 4: script.append("UPDATE item SET \(column) = \(other) WHERE id = \(id)")
        case 5: script.append("UPDATE OR REPLACE item SET id = \(other) WHERE id = \(id)")
        case 6:
          script.append(
            "INSERT INTO item (id, a) VALUES (\(id), \(other)) ON CONFLICT (id) DO UPDATE SET \(column) = \(other + 1)"
          )
        case 7, 8:
          script.append("SAVEPOINT s")
          depth += 1
        default:
          if depth > 0 { script.append("ROLLBACK TO s") }
        }
      }
      return script + (depth > 0 ? ["ROLLBACK TO s"] : []) + repeatElement("RELEASE s", count: depth)
    }

    @Test("A row that others have written too before a commit of one's own may be any, and is theirs as well")
    func shared() async throws {
      let temporary = try TemporaryStore(options: OtherProcessTests.options) { db in
        try db.execute(sql: "CREATE TABLE item (id INTEGER PRIMARY KEY, a INTEGER, b TEXT)")
        try db.execute(sql: "INSERT INTO item VALUES (1, 1, 'x'), (2, 2, 'x')")
      }
      let store = temporary.store
      let other = try DatabaseQueue(path: temporary.directory.appendingPathComponent("test.sqlite").path)
      let commits = Mutex<[ChangeSet]>([])
      let plan = try Self.request.plan()
      let observation = store.observe(plan) { event in
        if case .changes(let changes) = event { commits.withLock { $0.append(changes) } }
      }
      defer { observation.cancel() }
      _ = try await store.read(plan) { cursor in while try cursor.next() != nil {} }
      try await store.write { db in try db.execute(sql: "UPDATE item SET a = 3 WHERE id = 1") }
      try await other.write { db in try db.execute(sql: "UPDATE item SET b = 'y' WHERE id = 1") }
      try await store.write { db in try db.execute(sql: "UPDATE item SET a = 4") }
      let (first, second) = try commits.withLock { commits in
        (try #require(commits.first), try #require(commits.last))
      }
      #expect(first.writers == .thisStore && first.rows.map(\.change) == [.updated(ColumnSet(column: 1))])
      #expect(second.writers == .all)
      let changes = Dictionary(uniqueKeysWithValues: second.rows.map { ($0.id, $0.change) })
      #expect(changes == [.integer(1): .unknown, .integer(2): .updated(ColumnSet(column: 1))])
    }

    @Test("A change of a list says which columns of a row differ")
    func columnsOfAChange() async throws {
      let temporary = try TemporaryStore { db in
        try db.execute(sql: "CREATE TABLE item (id INTEGER PRIMARY KEY, a INTEGER, b TEXT, c TEXT)")
        try db.execute(sql: "INSERT INTO item VALUES (1, 1, 'x', 'x'), (2, 2, 'x', 'x'), (3, -3, 'x', 'x')")
      }
      let store = temporary.store
      let request = FetchDescriptor<Item>().filter(#Predicate { ($0.a ?? 0) > 0 }).ordered(
        by: .ascending(\.a))
      let controller = FetchController(request, in: store)
      try await controller.performFetch()
      let changes = controller.changes.makeAsyncIterator()
      #expect(try #require(try await changes.next()).touched.isEmpty)
      try await store.write { db in try db.execute(sql: "UPDATE item SET b = 'y' WHERE id = 1") }
      try await store.write { db in try db.execute(sql: "UPDATE item SET a = 9, c = 'y' WHERE id = 1") }
      try await store.write { db in
        try db.execute(sql: "UPDATE item SET a = 3 WHERE id = 3; DELETE FROM item WHERE id = 2")
        try db.execute(sql: "INSERT INTO item (id, a) VALUES (4, 4)")
      }
      let change = try #require(try await changes.next())
      #expect(change.updated == [1] && change.inserted == [3, 4] && change.deleted == [2])
      #expect(change.touched.changedColumns(of: 1) == ["a", "b", "c"])
      #expect(change.touched.change(of: 2) == .deleted && change.touched.change(of: 4) == .inserted)
      // It was there before, and only came into the list.
      #expect(change.touched.change(of: 3) == .unknown)
    }
  }

  extension FetchValue {
    fileprivate var number: Int64 { if case .integer(let number) = self { number } else { .min } }
  }
#endif
