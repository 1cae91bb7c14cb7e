#if SQLite
  import Foundation
  import GRDB
  import LiveFetch
  import LiveFetchSQLite
  import _TestTools
  import Snapshots
  import Testing

  @Suite("Positions and writers of commits")
  struct PositionTests {
    struct Thrown: Error {}

    @Test("Each write returns its own commit's position, also beside others")
    func positions() async throws {
      let temporary = try TemporaryStore()
      let store = temporary.store
      let positions = try await withThrowingTaskGroup(of: (Int, FetchPosition).self) { group in
        for number in 0..<40 {
          group.addTask {
            try await store.write { db in
              try StoreTests.note(number).insert(db)
              return number
            }
          }
        }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      #expect(Set(positions.map(\.0)) == Set(0..<40))
      #expect(Set(positions.map(\.1)).count == 40)
      #expect(positions.map(\.1).max() == store.position)
    }

    @Test("A list has a commit after waiting for its position; a write that is rolled back makes none")
    func waiting() async throws {
      let temporary = try TemporaryStore()
      let store = temporary.store
      let controller = FetchController(FetchDescriptor<Note>().ordered(by: .ascending(\.position)), in: store)
      try await controller.performFetch()
      for number in 0..<20 {
        let note = StoreTests.note(number)
        let (_, position) = try await store.write { db in try note.insert(db) }
        await controller.waitUntil(position)
        #expect(controller.snapshot?.itemIdentifiers.last == note.id)
        #expect(controller.position == position)
      }
      let before = store.position
      await #expect(throws: Thrown.self) {
        try await store.write { db in
          try StoreTests.note(99).insert(db)
          throw Thrown()
        }
      }
      #expect(store.position == before)
      let (nothing, position) = try await store.write { _ in "nothing" }
      #expect(nothing == "nothing" && position >= before && position == store.position)
    }

    @Test("A change names the columns that differ in a row")
    func columns() async throws {
      let temporary = try TemporaryStore()
      let store = temporary.store
      let note = StoreTests.note(1)
      try await store.write { db in try note.insert(db) }
      let controller = FetchController(FetchDescriptor<Note>().ordered(by: .ascending(\.position)), in: store)
      let changes = controller.changes.makeAsyncIterator()
      _ = try await changes.next()
      try await store.write { db in try db.execute(sql: "UPDATE note SET title = 'new', views = 7") }
      #expect(try await changes.next()?.changedColumns(of: note.id) == ["title", "views"])
    }

    @Test("A change says whether this store or another connection made it, or both")
    func writers() async throws {
      let temporary = try TemporaryStore(options: OtherProcessTests.options)
      let store = temporary.store
      let other = try DatabaseQueue(path: temporary.directory.appendingPathComponent("test.sqlite").path)
      let controller = FetchController(FetchDescriptor<Note>().ordered(by: .ascending(\.position)), in: store)
      let changes = controller.changes.makeAsyncIterator()
      #expect(try await changes.next()?.writers.isEmpty == true)
      let note = StoreTests.note(1)
      try await store.write { db in try note.insert(db) }
      #expect(try await changes.next()?.writers == .thisStore)
      try await store.write { db in try db.execute(sql: "UPDATE note SET title = 'new', views = 7") }
      let change = try #require(try await changes.next())
      // The log names the row as well, without columns: that it is of the same commit is known.
      #expect(change.writers == .thisStore && change.changedColumns(of: note.id) == ["title", "views"])
      try await other.write { db in try StoreTests.note(2).insert(db) }
      await store.checkForExternalChanges()
      #expect(try await changes.next()?.writers == .others)
      // The other's row comes with a commit of one's own.
      try await other.write { db in try StoreTests.note(3).insert(db) }
      try await store.write { db in try StoreTests.note(4).insert(db) }
      #expect(try await changes.next()?.writers == .all)
    }
  }
#endif
