import LiveListsTestSupport
#if SQLite
  import Foundation
  import GRDB
  import LiveFetch
  import LiveFetchSQLite
  import LiveStore
  import Snapshots
  import Testing
  import _TestTools

  @Suite("The store and its listeners")
  struct StoreTests {
    static let request = FetchDescriptor<Note>().ordered(by: .ascending(\.position))

    static func note(_ position: Int, title: String? = nil) -> Note {
      Note(
        id: UUID(), album: "a", title: title, position: position, weight: nil,
        created: Date(timeIntervalSince1970: 0), rank: .middle)
    }

    @Test("A change of columns that are declared as not shown is silence; with another it is an update")
    func hidden() async throws {
      let temporary = try TemporaryStore()
      let store = temporary.store
      let note = Self.note(1)
      try await store.write { db in try note.insert(db) }
      let controller = FetchController(Self.request.ignoringChanges(to: \.views, \.weight), in: store)
      try await controller.performFetch()
      let changes = controller.changes.makeAsyncIterator()
      _ = try await changes.next()
      try await store.write { db in try db.execute(sql: "UPDATE note SET views = views + 1, weight = 3") }
      #expect(controller.statistics.effectiveCommits == 0)
      try await store.write(origin: "seen") { db in
        try db.execute(sql: "UPDATE note SET views = views + 1, title = 'x'")
      }
      let change = try #require(try await changes.next())
      #expect(change.updated == [note.id] && change.origins == ["seen"] && change.cost.commits == 1)
      try await store.write { db in
        try db.execute(
          sql: "UPDATE note SET views = 9; UPDATE note SET title = 'y'; UPDATE note SET weight = 4")
      }
      #expect(try #require(try await changes.next()).updated == [note.id])
    }

    @Test("An observer may hold the last reference to its store", arguments: [true, false])
    func lastReference(_ isInMemory: Bool) throws {
      let plan = FetchPlan(
        table: "note", columns: [FetchPlan.Column(name: "id", type: .integer)], filter: .yes, order: [])
      let folder = try TemporaryFolder()
      var store: (any FetchStore)?
      store = isInMemory ? InMemoryStore() : try SQLiteStore(path: folder.path + "/test.sqlite")
      weak let former = store
      let observation = try #require(store).observe(plan) { [store] _ in _ = store }
      store = nil
      #expect(former != nil)
      observation.cancel()
      #expect(former == nil)
    }

    @Test(
      "Objects have what is not shown as it is, and a request that shows it again has all told as changed")
    func hiddenObjects() async throws {
      let temporary = try TemporaryStore()
      let store = temporary.store
      let note = Self.note(1)
      try await store.write { db in try note.insert(db) }
      let controller = FetchController(Self.request.ignoringChanges(to: \.views), in: store)
      try await controller.performFetch()
      let changes = controller.changes.makeAsyncIterator()
      _ = try await changes.next()
      #expect(controller.object(for: note.id)?.views == 0)
      try await store.write { db in try db.execute(sql: "UPDATE note SET views = 7") }
      #expect(controller.object(for: note.id)?.views == 7)
      #expect(try await controller.objects(for: [note.id])[note.id]?.views == 7)
      try await controller.update(request: Self.request)
      #expect(try #require(try await changes.next()).updated == [note.id])
    }

    @Test("A controller that is made on a closed store is told so, and its streams end")
    func afterClosing() async throws {
      let temporary = try TemporaryStore()
      try temporary.store.close()
      let controller = FetchController(Self.request, in: temporary.store)
      let changes = controller.changes.makeAsyncIterator()
      let error = await #expect(throws: FetchError.self) { try await controller.performFetch() }
      #expect(error?.kind == .closed)
      #expect(try await changes.next() == nil)
      let again = await #expect(throws: FetchError.self) { try await controller.performFetch() }
      #expect(again?.kind == .closed)
    }

    @Test("A task that is cancelled while it waits ends its loop; others go on")
    func cancellation() async throws {
      let temporary = try TemporaryStore()
      let controller = FetchController(Self.request, in: temporary.store)
      try await controller.performFetch()
      let other = controller.changes.makeAsyncIterator()
      _ = try await other.next()
      for _ in 0..<50 {
        let (begun, continuation) = AsyncStream<Void>.makeStream()
        let changes = controller.changes
        let task = Task {
          var count = 0
          for try await _ in changes {
            count += 1
            continuation.finish()
          }
          return count
        }
        for await _ in begun {}
        task.cancel()
        #expect(try await task.value == 1)
      }
      #expect(controller.statistics.listeners == 1)
      let note = Self.note(1)
      try await temporary.store.write { db in try note.insert(db) }
      #expect(try await other.next()?.inserted == [note.id])
    }

    @Test(
      "When the controller goes, those who wait for a delegate's call are let go, and the list is followed no longer"
    )
    func release() async throws {
      let temporary = try TemporaryStore()
      weak var released: FetchController<Note>?
      do {
        let controller = FetchController(Self.request, in: temporary.store)
        try await controller.performFetch()
        released = controller
        #expect(FetchLists.count(in: temporary.store) == 1)
      }
      #expect(released == nil && FetchLists.count(in: temporary.store) == 0)
      let note = Self.note(1)
      try await temporary.store.write { db in try note.insert(db) }
    }

    @Test("Statistics count what was done: statements, rows, snapshots, differences, latency and delay")
    func statistics() async throws {
      let temporary = try TemporaryStore()
      let store = temporary.store
      let controller = FetchController(Self.request, in: store)
      try await controller.performFetch()
      let changes = controller.changes.makeAsyncIterator()
      _ = try await changes.next()
      let before = controller.statistics
      let rows = [Self.note(1), Self.note(2)]
      try await store.write { db in for row in rows { try row.insert(db) } }
      let change = try #require(try await changes.next())
      let after = controller.statistics
      #expect(after.statements - before.statements == 1 && after.rowsRead - before.rowsRead == 2)
      #expect(after.snapshots - before.snapshots == 1)
      #expect(after.deliveries - before.deliveries == 1 && after.listeners == 1)
      #expect(change.cost.latency > .zero && change.cost.queueDelay > .zero)
      #expect(change.cost.latency >= change.cost.queueDelay)
      #expect(after.maximumQueueDelay >= change.cost.queueDelay)
      // What a commit does is known by its rows, whether there is one or there are several.
      try await store.write { db in try Self.note(3).insert(db) }
      let single = try #require(try await changes.next())
      #expect(single.inserted.count == 1 && single.difference.insertedItems.map(\.path.item) == [2])
      #expect(controller.statistics.differences == before.differences)
      // What two of them did together is not.
      for position in 4...5 { try await store.write { db in try Self.note(position).insert(db) } }
      let both = try #require(try await changes.next())
      #expect(both.inserted.count == 2 && both.cost.commits == 2)
      #expect(controller.statistics.differences == before.differences + 1)
    }

    @Test("More objects than one statement asks for are had by several")
    func manyObjects() async throws {
      let temporary = try TemporaryStore()
      let notes = (0..<4_100).map { Self.note($0) }
      try await temporary.store.write { db in for note in notes { try note.insert(db) } }
      let controller = FetchController(Self.request, in: temporary.store)
      try await controller.performFetch()
      #expect(try controller.objects(in: 0..<5_000).map(\.position) == Array(0..<4_100))
    }

    @Test(
      "Objects are read together with their neighbours, each once, and what a commit touches is read again")
    func objects() async throws {
      let temporary = try TemporaryStore()
      let store = temporary.store
      let notes = (0..<200).map { Self.note($0) }
      try await store.write { db in for note in notes { try note.insert(db) } }
      let controller = FetchController(Self.request, in: store)
      let snapshot = try await controller.performFetch()
      #expect(snapshot.items.map { controller.object(for: $0)?.position } == Array(0..<200))
      #expect(controller.statistics.cacheMisses == 3 && controller.statistics.objectsRead == 200)
      try await store.write { db in try db.execute(sql: "UPDATE note SET title = 'new' WHERE position = 7") }
      #expect(controller.object(for: notes[7].id)?.title == "new")
      #expect(controller.statistics.cacheMisses == 4 && controller.statistics.objectsRead == 201)
      #expect(try controller.objects(in: 190..<300).map(\.position) == Array(190..<200))
    }
  }
#endif
