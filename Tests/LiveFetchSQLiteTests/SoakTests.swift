import LiveListsTestSupport
#if SQLite
  import Foundation
  import GRDB
  import LiveFetch
  import LiveFetchSQLite
  import Snapshots
  import Testing

  enum Soak {
    static let environment = ProcessInfo.processInfo.environment
    static let seconds = environment["SOAK_SECONDS"].flatMap(Double.init) ?? 0
    static let seed = environment["SOAK_SEED"].flatMap(UInt64.init) ?? 1
  }

  /// Many minutes of writers, listeners and faults. `SOAK_SECONDS` says how long; without it nothing is run.
  ///
  /// The faults: tables that go and come back, rows that cannot be listed, rollbacks, transactions so large that the list
  /// is read anew, readers that sleep, listeners that leave.
  @Suite("Soak", .enabled(if: Soak.seconds > 0))
  struct SoakTests {

    @Test("The list is right whatever happens, for as long as it is told to be")
    func soak() async throws {
      var options = SQLiteStoreOptions()
      options.maximumTouchedRows = 60
      let temporary = try TemporaryStore(options: options)
      let store = temporary.store
      let questions = LawTests.questions
      let controllers = questions.map { FetchController($0.request, in: store) }
      for controller in controllers { try await controller.performFetch() }
      let listeners = Self.listen(to: controllers)
      defer { for listener in listeners { listener.cancel() } }
      var history = History(seed: Soak.seed)
      let end = ContinuousClock.now + .seconds(Soak.seconds)
      var step = 0
      while ContinuousClock.now < end {
        step += 1
        // A burst of writers at once, then a look.
        let acts = (0..<Int.random(in: 1...6, using: &history.random)).map { _ in history.act() }
        await withTaskGroup(of: Void.self) { group in
          for act in acts {
            group.addTask {
              _ = try? await store.write(origin: "\(act)".prefix(20).description) { try act.run($0) }
            }
          }
        }
        if step % 50 == 0 { try await Self.fault(store, &history) }
        if history.known.count > 400 { history.known.removeFirst(200) }
        for (question, controller) in zip(questions, controllers) {
          await controller.waitUntilCurrent()
          let fresh = try await LawTests.fresh(question, store)
          try #require(controller.snapshot == fresh, "seed \(Soak.seed), step \(step): \(question.name)")
        }
      }
      for controller in controllers { controller.stop() }
      for listener in listeners {
        let isRight = try await listener.value
        #expect(isRight, "seed \(Soak.seed): a listener's differences lead elsewhere")
      }
      #expect(step > 0)
      print("Soak: \(step) bursts of writes, each with \(questions.count) lists compared, seed \(Soak.seed)")
    }

    /// Listeners that replay what they are given; every other one is slow.
    static func listen(to controllers: [FetchController<Note>]) -> [Task<Bool, any Error>] {
      controllers.enumerated().map { number, controller in
        let changes = controller.changes
        return Task {
          var replayed: DiffableSnapshot<FetchSectionID, UUID>?
          for try await change in changes {
            replayed = try replayed.map { try $0.applying(change.difference) } ?? change.snapshot
            if replayed != change.snapshot { return false }
            if number % 2 == 0 { for _ in 0..<200 { await Task.yield() } }
          }
          return true
        }
      }
    }

    static func fault(_ store: SQLiteStore, _ history: inout History) async throws {
      switch Int.random(in: 0..<3, using: &history.random) {
      case 0:
        try await store.write { db in try db.execute(sql: "ALTER TABLE note RENAME TO gone") }
        try await store.write { db in try db.execute(sql: "ALTER TABLE gone RENAME TO note") }
      case 1:
        let rows = (0..<120).map { _ in history.row() }
        try await store.write { db in for row in rows { try row.save(db) } }
      default:
        try await store.write { db in
          try db.execute(sql: "DELETE FROM note; CREATE INDEX IF NOT EXISTS temporary_index ON note (title)")
        }
      }
    }
  }
#endif
