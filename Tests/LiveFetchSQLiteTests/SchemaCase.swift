#if SQLite
  import Foundation
  import GRDB
  import LiveFetch
  import LiveFetchSQLite
  import Snapshots

  /// A model on a table `x` of whatever form, with the columns that requests need.
  struct Thing: FetchModel, Hashable {
    var id: Int
    var a: Int?
    var t: String?

    static let fetchTable = FetchTable<Thing>(
      "x", id: .column("id", \.id), columns: [.column("a", \.a), .column("t", \.t)])

    init(fetchRow row: FetchRow) throws {
      id = try row["id"]
      a = try row["a"]
      t = try row["t"]
    }
  }

  /// A schema, and writes after each of which all lists are what the rows say.
  struct SchemaCase: Sendable, CustomStringConvertible {
    var name: String
    var schema: String
    var steps: [String]
    /// How many steps may be read anew; all others are followed row by row. A newer SQLite needs fewer.
    var rereads = 0
    var description: String { name }

    struct List: Sendable {
      var request: FetchDescriptor<Thing>
      var isListed: @Sendable (Thing) -> Bool
      var precedes: @Sendable (Thing, Thing) -> Bool = { $0.id < $1.id }
      var limit = Int.max
    }

    static let lists: [List] = [
      List(request: FetchDescriptor().ordered(by: .ascending(\.id)), isListed: { _ in true }),
      List(
        request: FetchDescriptor().filter(#Predicate { $0.a == 0 }).ordered(by: .ascending(\.id)),
        isListed: { $0.a == 0 }),
      List(
        request: FetchDescriptor().filter(#Predicate { $0.a == 1 }).ordered(by: .ascending(\.id)),
        isListed: { $0.a == 1 }),
      List(
        request: FetchDescriptor().filter(#Predicate { $0.t == "bob" }).ordered(by: .ascending(\.id)),
        isListed: { $0.t == "bob" }),
      List(
        request: FetchDescriptor().filter(#Predicate { ["bob", "Ann"].contains($0.t) }).ordered(
          by: .ascending(\.id)),
        isListed: { $0.t == "bob" || $0.t == "Ann" }),
      List(
        request: FetchDescriptor().ordered(by: .descending(\.t, nulls: .first)).limit(2),
        isListed: { _ in true },
        precedes: { a, b in
          let (left, right) = (a.t.map { Array($0.utf8) }, b.t.map { Array($0.utf8) })
          if left == right { return a.id < b.id }
          guard let left, let right else { return left == nil }
          return right.lexicographicallyPrecedes(left)
        }, limit: 2),
    ]

    /// Runs the case, each step by a connection of the store's or by another one.
    func run(options: SQLiteStoreOptions = .init(), byOther: Bool = false) async throws -> [String] {
      let schema = schema
      let temporary = try TemporaryStore(options: options) { db in try db.execute(sql: schema) }
      let store = temporary.store
      let other =
        byOther
        ? try DatabaseQueue(path: temporary.directory.appendingPathComponent("test.sqlite").path) : nil
      let controllers = Self.lists.map { FetchController($0.request, in: store) }
      for controller in controllers { try await controller.performFetch() }
      await store.checkForExternalChanges()
      for controller in controllers { await controller.waitUntilCurrent() }
      let fetches = controllers[0].statistics.fetches
      var failures: [String] = []
      for step in steps {
        if let other {
          try await other.write { db in try db.execute(sql: step) }
          await store.checkForExternalChanges()
        } else {
          try await store.write { db in try db.execute(sql: step) }
        }
        // By GRDB alone, and on a connection that has no objects of its own.
        let rows = try await store.pool.read { db in
          try Row.fetchAll(db, sql: "SELECT id, a, t FROM main.x").map { Thing($0[0], $0[1], $0[2]) }
        }
        for (number, (list, controller)) in zip(Self.lists, controllers).enumerated() {
          await controller.waitUntilCurrent()
          let expected = rows.filter(list.isListed).sorted(by: list.precedes).prefix(list.limit).map(\.id)
          let found = controller.snapshot?.itemIdentifiers ?? []
          if found != expected {
            failures.append("list \(number) after “\(step)” is \(found), and a fresh query gives \(expected)")
          }
          let objects = try await controller.objects(for: expected)
          for row in rows where expected.contains(row.id) && objects[row.id] != row {
            failures.append(
              "list \(number) after “\(step)” has the object \(String(describing: objects[row.id]))")
          }
        }
      }
      // The limited list reads again when a row leaves it; the first one has no reason to.
      let read = controllers[0].statistics.fetches - fetches
      if read > rereads { failures.append("\(read) reads where \(rereads) are needed") }
      return failures
    }
  }

  extension Thing {
    init(_ id: Int, _ a: Int?, _ t: String?) {
      self.id = id
      self.a = a
      self.t = t
    }
  }
#endif
