#if SQLite
  import Foundation
  import GRDB
  import LiveFetch
  import LiveFetchSQLite
  import Snapshots
  import Testing

  @Suite("Text that is no valid UTF-8")
  struct InvalidTextTests {
    typealias Named = TextKeyTests.Named

    /// U+FFFD, which Swift puts where bytes are none of UTF-8.
    static let repaired = "\u{FFFD}a"

    static let requests: [(name: String, request: FetchDescriptor<Thing>, isUsed: Bool)] = [
      ("filtered by it", filtered(#Predicate { $0.t == "\u{FFFD}a" }), false),
      ("filtered by another than it", filtered(#Predicate { $0.t != "b" }), true),
      ("among", filtered(#Predicate { ["\u{FFFD}a", "b"].contains($0.t) }), false),
      ("above", filtered(#Predicate { ($0.t ?? "") > "b" }), true),
      ("ordered", FetchDescriptor<Thing>().ordered(by: .ascending(\.t)), true),
      ("folded", FetchDescriptor<Thing>().ordered(by: .ascending(\.t, folded: true)), true),
      (
        "divided", FetchDescriptor<Thing>().ordered(by: .ascending(\.id)).sectioned(by: \.t), true
      ),
      (
        "divided in the order of the keys",
        FetchDescriptor<Thing>().ordered(by: .ascending(\.id)).sectioned(by: \.t, order: .bySortKeys), true
      ),
      ("not read", FetchDescriptor<Thing>().ordered(by: .ascending(\.id)), false),
    ]

    private static func filtered(_ filter: Predicate<Thing>) -> FetchDescriptor<Thing> {
      FetchDescriptor<Thing>().filter(filter).ordered(by: .ascending(\.id))
    }

    @Test("Where it is read, its row is told as bad with the column; live as by a fetch")
    func columns() async throws {
      let temporary = try TemporaryStore { db in
        try db.execute(sql: "CREATE TABLE x (id INTEGER PRIMARY KEY, a, t); INSERT INTO x VALUES (9, 0, 'c')")
      }
      let store = temporary.store
      let live = Self.requests.map { FetchController($0.request, in: store) }
      for controller in live { try await controller.performFetch() }
      for sql in [
        "INSERT INTO x VALUES (1, 1, CAST(x'ff61' AS TEXT)), (2, 1, CAST(x'fe61' AS TEXT))",
        "UPDATE x SET a = 2 WHERE id = 1", "UPDATE x SET a = 3 WHERE id = 9",
        "INSERT INTO x VALUES (3, 0, char(0xfffd) || 'a')", "UPDATE x SET t = 'd' WHERE id = 1",
        "DELETE FROM x WHERE id = 2",
      ] {
        try await store.write { db in try db.execute(sql: sql) }
        for ((name, request, isUsed), controller) in zip(Self.requests, live) {
          await controller.waitUntilCurrent()
          // A limit that cuts nothing makes another list of it, which is read.
          let fresh = FetchController(request.limit(1_000), in: store)
          let snapshot = try await fresh.performFetch()
          #expect(controller.snapshot == snapshot, "\(name): \(sql)")
          let bad = try await store.read { db in
            try String.fetchAll(db, sql: "SELECT id FROM x WHERE substr(CAST(t AS BLOB), 1, 1) > x'f0'")
          }
          for failures in [controller.failures, fresh.failures] {
            #expect(Set(failures.compactMap(\.row?.id)) == Set(isUsed ? bad : []), "\(name): \(sql)")
            #expect(failures.allSatisfy { $0.row?.column == "t" })
          }
        }
      }
    }

    @Test("In a key it is told as bad, and so is it in SQL of a request's own; two such are no twins")
    func keys() async throws {
      let temporary = try TemporaryStore { db in
        try db.execute(sql: "CREATE TABLE named (id TEXT PRIMARY KEY, a); INSERT INTO named VALUES ('z', 3)")
      }
      let store = temporary.store
      let ordered = FetchDescriptor<Named>().ordered(by: .ascending(\.a))
      let raw = FetchDescriptor<Named>.sql("SELECT id FROM named ORDER BY a", reading: ["named"])
      let live = [ordered, raw].map { FetchController($0, in: store) }
      for controller in live { try await controller.performFetch() }
      for (sql, bad) in [
        ("INSERT INTO named VALUES (CAST(x'ff61' AS TEXT), 1), (CAST(x'fe61' AS TEXT), 2)", 2),
        ("INSERT INTO named VALUES (char(0xfffd) || 'a', 4)", 2),
        ("UPDATE named SET a = a + 1 WHERE a > 3", 2), ("UPDATE named SET a = a - 1 WHERE a < 3", 2),
        ("DELETE FROM named WHERE a = 0", 1), ("UPDATE named SET id = 'y' WHERE a = 1", 0),
      ] {
        try await store.write { db in try db.execute(sql: sql) }
        for (number, controller) in live.enumerated() {
          await controller.waitUntilCurrent()
          let fresh = FetchController(
            number == 0
              ? ordered.limit(1_000)
              : FetchDescriptor<Named>.sql("SELECT id FROM named ORDER BY a ", reading: ["named"]), in: store)
          let snapshot = try await fresh.performFetch()
          #expect(controller.snapshot == snapshot, "\(sql)")
          #expect(controller.failures.count == bad && fresh.failures.count == bad, "\(sql)")
          #expect(controller.failures.allSatisfy { $0.row?.column == "id" })
        }
      }
      #expect(live[0].snapshot?.itemIdentifiers == ["y", "z", Self.repaired])
    }
  }
#endif
