import LiveListsTestSupport
#if SQLite
  import Foundation
  import GRDB
  import LiveFetch
  import LiveFetchSQLite
  import Snapshots
  import Testing

  /// Everything that may be done to a store, by many tasks at once. `scripts/test-races` runs these under the thread
  /// sanitizer.
  @Suite("A store that many tasks use at once")
  struct StoreRaceTests {
    static func replay(_ changes: FetchChanges<UUID>) async throws -> Bool {
      var replayed: DiffableSnapshot<FetchSectionID, UUID>?
      for try await change in changes {
        replayed = try replayed.map { try $0.applying(change.difference) } ?? change.snapshot
        if replayed != change.snapshot { return false }
      }
      return true
    }

    /// Writes until it is enough, or the store is closed.
    static func write(_ store: SQLiteStore, _ acts: [History.Act]) async {
      for act in acts {
        do { try await store.write { db in try act.run(db) } } catch is RolledBack {} catch { return }
      }
    }

    static func use(_ controller: FetchController<Note>, _ count: Int) async {
      for number in 0..<count {
        if let id = controller.snapshot?.items.first { _ = controller.object(for: id) }
        _ = try? controller.objects(in: number..<number + 9)
        _ = try? await controller.objects(for: controller.snapshot.map { Array($0.items.prefix(6)) } ?? [])
        _ = controller.statistics
      }
    }

    @Test(
      "Writers, schemas that change, new requests, pauses and readers: the lists end right",
      arguments: [1, 2] as [UInt64])
    func all(_ seed: UInt64) async throws {
      var history = History(seed: seed)
      var options = SQLiteStoreOptions()
      options.maximumTouchedRows = 8
      let temporary = try TemporaryStore(options: options)
      let store = temporary.store
      let questions = LawTests.questions
      let controllers = questions.map { FetchController($0.request, in: store) }
      for controller in controllers { try await controller.performFetch() }
      let changing = FetchController(questions[0].request, in: store)
      try await changing.performFetch()
      let listeners = (controllers + [changing, changing]).map { controller in
        let changes = controller.changes
        return Task { try await Self.replay(changes) }
      }
      let acts = (0..<3).map { _ in (0..<25).map { _ in history.act() } }
      await withTaskGroup(of: Void.self) { group in
        for acts in acts { group.addTask { await Self.write(store, acts) } }
        group.addTask {
          for number in 0..<6 {
            let sql = number % 2 == 0 ? "CREATE INDEX raced ON note (position)" : "DROP INDEX raced"
            _ = try? await store.write { db in try db.execute(sql: sql) }
          }
        }
        for controller in [controllers[0], controllers[4], changing] {
          group.addTask { await Self.use(controller, 15) }
        }
        group.addTask {
          for number in 0..<15 {
            _ = try? await changing.update(request: questions[number % questions.count].request)
            changing.pause()
            await Task.yield()
            changing.resume()
          }
        }
        group.addTask {
          for number in 0..<10 {
            let other = FetchController(questions[number % questions.count].request, in: store)
            let changes = other.changes.makeAsyncIterator()
            _ = try? await other.performFetch()
            _ = try? await changes.next()
          }
        }
      }
      for (question, controller) in zip(questions, controllers) {
        await controller.waitUntilCurrent()
        #expect(
          controller.snapshot == (try await LawTests.fresh(question, store)), "seed \(seed): \(question.name)"
        )
      }
      try store.close()
      for listener in listeners {
        let isRight = try await listener.value
        #expect(isRight, "seed \(seed): differences lead elsewhere")
      }
    }

    @Test(
      "A store that is closed in the middle of it all ends every stream",
      arguments: 1...3 as ClosedRange<UInt64>)
    func closing(_ seed: UInt64) async throws {
      var history = History(seed: seed)
      let temporary = try TemporaryStore()
      let store = temporary.store
      let controllers = LawTests.questions.prefix(3).map { FetchController($0.request, in: store) }
      for controller in controllers { try await controller.performFetch() }
      let listeners = controllers.map { controller in
        let changes = controller.changes
        return Task { try await Self.replay(changes) }
      }
      let acts = (0..<2).map { _ in (0..<40).map { _ in history.act() } }
      await withTaskGroup(of: Void.self) { group in
        for acts in acts { group.addTask { await Self.write(store, acts) } }
        for controller in controllers { group.addTask { await Self.use(controller, 5) } }
        group.addTask {
          for _ in 0..<Int(seed) * 3 { _ = try? await store.read { _ in 0 } }
          // A connection that is in use is not closed; the streams end even so.
          try? store.close()
        }
      }
      for listener in listeners {
        let isRight = try await listener.value
        #expect(isRight, "seed \(seed)")
      }
    }

    @Test("A store that is closed just as lists begin to be read does not hang", .timeLimit(.minutes(20)))
    func closingAsReadsBegin() async throws {
      for round in 0..<60 {
        let temporary = try TemporaryStore()
        let store = temporary.store
        let controllers = LawTests.questions.prefix(4).map { FetchController($0.request, in: store) }
        await withTaskGroup(of: Void.self) { group in
          for controller in controllers {
            group.addTask {
              do { _ = try await controller.performFetch() } catch {
                #expect((error as? FetchError)?.kind == .closed, "round \(round): \(error)")
              }
            }
          }
          // A connection that is in use is not closed.
          group.addTask { try? store.close() }
        }
        await #expect(throws: FetchError.self) { try await controllers[0].performFetch() }
      }
    }

    @Test(
      "Lists of more stores than there are threads begin to be read at one time", .timeLimit(.minutes(20)))
    func moreStoresThanThreads() async throws {
      let stores = try (0..<300).map { _ in try TemporaryStore() }
      let controllers = stores.map { FetchController(ObjectReadTests.request, in: $0.store) }
      try await withThrowingTaskGroup(of: Void.self) { group in
        for controller in controllers { group.addTask { try await controller.performFetch() } }
        try await group.waitForAll()
      }
      #expect(controllers.allSatisfy { $0.snapshot?.numberOfItems == 0 })
    }

    @Test(
      "What keeps readers out and lists that begin to be read wait for each other in turn",
      .timeLimit(.minutes(20)))
    func barriersAsReadsBegin() async throws {
      for round in 0..<40 {
        let temporary = try TemporaryStore()
        let store = temporary.store
        try await store.write { db in for number in 0..<20 { try StoreTests.note(number).insert(db) } }
        let controllers = LawTests.questions.prefix(4).map { FetchController($0.request, in: store) }
        await withTaskGroup(of: Void.self) { group in
          for controller in controllers {
            group.addTask { for _ in 0..<3 { _ = try? await controller.performFetch() } }
          }
          group.addTask {
            var migrator = DatabaseMigrator()
            migrator.registerMigration("one") { try $0.execute(sql: "CREATE INDEX one ON note (position)") }
            try? store.migrate(migrator)
            try? store.withExclusiveAccess { pool in
              try pool.barrierWriteWithoutTransaction { try $0.execute(sql: "DELETE FROM note") }
            }
          }
        }
        for controller in controllers {
          try await controller.performFetch()
          #expect(controller.snapshot?.numberOfItems == 0, "round \(round)")
        }
      }
    }

    @Test("Several stores on one file, each of which looks for what the others wrote, end at the same list")
    func severalStores() async throws {
      var options = SQLiteStoreOptions()
      options.observesOtherProcesses = true
      options.pollingInterval = .milliseconds(2)
      let temporary = try TemporaryStore(options: options)
      let path = temporary.directory.appendingPathComponent("test.sqlite").path
      let stores = [temporary.store, try SQLiteStore(path: path, options: options)]
      let request = FetchDescriptor<Note>().ordered(by: .ascending(\.position))
      let controllers = stores.map { FetchController(request, in: $0) }
      for controller in controllers { try await controller.performFetch() }
      await withTaskGroup(of: Void.self) { group in
        for (number, store) in stores.enumerated() {
          group.addTask {
            for position in 0..<20 {
              _ = try? await store.write { db in try StoreTests.note(position * 2 + number).insert(db) }
            }
          }
        }
      }
      for (store, controller) in zip(stores, controllers) {
        await store.checkForExternalChanges()
        await controller.waitUntilCurrent()
      }
      let count = try await stores[0].read { db in try Note.fetchCount(db) }
      #expect(controllers[0].snapshot == controllers[1].snapshot)
      #expect(controllers[0].snapshot?.numberOfItems == count)
      try stores[1].close()
    }
  }
#endif
