#if SQLite
  import Foundation
  import GRDB
  @testable import LiveDrafts
  import LiveFetch
  import LiveFetchSQLite
  import Snapshots
  import Synchronization

  extension TaskHistory {
    /// Plays the history on SQLite.
    /// - Returns: What is wrong; nil where the law holds.
    func failure() async throws -> String? {
      try await failure(on: SQLiteSubject(SQLiteStoreOptions(telling), sql: schema))
    }

    /// Plays the history.
    /// - Parameter subject: A database with the history's tables.
    func failure(on subject: some TaskSubject) async throws -> String? {
      let world = try await World(self, subject)
      let draft = world.draft
      let beginning = try await world.stored()
      for (number, step) in steps.enumerated() {
        await world.perform(step)
        await draft.waitUntilCurrent()
        // Nobody else writes.
        if !draft.conflicts.isEmpty { return "step \(number), \(step): in conflict \(draft.conflicts)" }
      }
      while try draft.redo() {}
      let end = await world.shown()
      while try draft.undo() {}
      await draft.waitUntilCurrent()
      if !draft.conflicts.isEmpty { return "undo is in conflict: \(draft.conflicts)" }
      if let failure = await world.shown().difference(from: beginning) { return "undo leads to \(failure)" }
      do { try await draft.save() } catch { return "what undo leads to cannot be saved: \(error)" }
      if let failure = try await world.stored().difference(from: beginning) { return "undo saves \(failure)" }
      if let failure = await world.shown().difference(from: beginning) { return "after the save \(failure)" }
      while try draft.redo() {}
      return await world.shown().difference(from: end).map { "redo leads to \($0)" }
    }

    private struct World {
      let subject: any TaskSubject
      let store: MomentStore
      let draft: FetchDraft
      private let lists:
        (owners: FetchController<Owner>, shelves: FetchController<Shelf>, photos: FetchController<Photo>)
      private let tasks: Tasks

      init(_ history: TaskHistory, _ subject: any TaskSubject) async throws {
        self.subject = subject
        store = MomentStore(subject.saving)
        draft = FetchDraft(of: store)
        tasks = Tasks(draft, hasCovers: history.hasCovers)
        lists = (
          FetchController(FetchDescriptor().ordered(by: .ascending(\.name)), in: draft),
          FetchController(FetchDescriptor().ordered(by: .ascending(\.name)), in: draft),
          FetchController(FetchDescriptor().ordered(by: .ascending(\.name)), in: draft)
        )
        try await lists.owners.performFetch()
        try await lists.shelves.performFetch()
        try await lists.photos.performFetch()
      }

      func perform(_ step: Step) async {
        switch step {
        case .act(let act): await tasks.perform(act)
        case .save(let rows, let acts): await perform(acts) { await draft.save(rows) }
        case .write(let changes, let acts): await perform(acts) { await tasks.write(changes) }
        }
      }

      /// Does something at the moments of a save.
      private func perform(_ acts: [Timed], _ save: () async -> Void) async {
        tasks.begin(acts)
        store.atEachMoment { [tasks] in tasks.pass() }
        await save()
        await tasks.finishSaves()
        store.atEachMoment(nil)
        await tasks.end()
      }

      /// The rows of the lists.
      func shown() async -> Set<String> {
        await draft.waitUntilCurrent()
        return await shown(lists.owners).union(await shown(lists.shelves)).union(await shown(lists.photos))
      }

      private func shown<Kind>(_ list: FetchController<TaskRow<Kind>>) async -> Set<String> {
        await list.waitUntilCurrent()
        let ids = list.snapshot?.itemIdentifiers ?? []
        return Set(ids.map { list.object(for: $0)?.description ?? "\(Kind.table) \($0) without an object" })
      }

      /// The rows of the database.
      func stored() async throws -> Set<String> { try await subject.taskRows() }
    }
  }

  /// A database with the tables of the law.
  protocol TaskSubject: Sendable {
    var saving: any DraftSaving { get }

    /// The rows of the three tables, as they are described.
    func taskRows() async throws -> Set<String>
  }

  extension SQLiteSubject: TaskSubject {
    func taskRows() async throws -> Set<String> {
      @Sendable func rows<Kind>(_ db: Database, _ type: TaskRow<Kind>.Type) throws -> [String] {
        try Row.fetchAll(db, sql: "SELECT * FROM \(Kind.table)").map { row in
          var stored = type.init(id: row["id"])
          (stored.name, stored.parent, stored.other) = (row["name"], row["parent"], row["other"])
          stored.code = row["code"]
          return stored.description
        }
      }
      return try await sqlite.read { db in
        Set(try rows(db, Owner.self) + rows(db, Shelf.self) + rows(db, Photo.self))
      }
    }
  }

  extension Set<String> {
    /// Returns what there is too much, and what is missing; nil where it is neither.
    fileprivate func difference(from expected: Self) -> String? {
      if self == expected { return nil }
      return "\(subtracting(expected).sorted()), not \(expected.subtracting(self).sorted())"
    }
  }

  extension FetchDraft {
    /// Saves some rows, or all. A save of some rows alone may be refused.
    fileprivate func save(_ rows: TaskHistory.Rows?) async {
      switch rows?.table {
      case .owner: try? await save(Owner.self, rows!.ids)
      case .shelf: try? await save(Shelf.self, rows!.ids)
      case .photo: try? await save(Photo.self, rows!.ids)
      case nil: try? await save()
      }
    }
  }

  /// Runs tasks while threads of the others wait for them.
  private final class WaitedFor: TaskExecutor {
    static let executor = WaitedFor()
    private let queue = DispatchQueue(label: "waited for", attributes: .concurrent)

    func enqueue(_ job: consuming ExecutorJob) {
      let job = UnownedJob(job)
      queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
  }

  /// A store that tells of the moments of a save: before and after the write, as it asks for the tables, before and after it reports effects, and
  /// before and after each notification.
  private final class MomentStore: ForwardingStore {
    let base: any DraftSaving
    private let moment = Mutex<(@Sendable () -> Void)?>(nil)

    init(_ base: any DraftSaving) { self.base = base }

    func atEachMoment(_ body: (@Sendable () -> Void)?) { moment.withLock { $0 = body } }

    private func pass() { moment.withLock(\.self)?() }

    func observe(_ plan: FetchPlan, receive: @escaping @Sendable (FetchStoreEvent) -> Void)
      -> FetchObservation
    {
      base.observe(plan) { [weak self] event in
        self?.pass()
        receive(event)
        self?.pass()
      }
    }

    func save(_ changes: [DraftChange], policy: DraftPolicy, origins: [String]) async throws {
      pass()
      try await base.save(changes, policy: policy, origins: origins)
      pass()
    }

    func save(
      _ changes: [DraftChange], policy: DraftPolicy, origins: [String],
      tables: @escaping @Sendable () -> [String: FetchPlan.Column],
      report: @escaping @Sendable ([DraftEffect]) -> Void
    ) async throws {
      pass()
      try await base.save(
        changes, policy: policy, origins: origins,
        tables: { [weak self] in
          self?.pass()
          return tables()
        },
        report: { [weak self] effects in
          self?.pass()
          report(effects)
          self?.pass()
        })
      pass()
    }
  }

  /// The tasks that do something at the moments of a save, one after another, while the save waits.
  private final class Tasks: Sendable {
    private struct State {
      var left: [TaskHistory.Timed] = []
      var moment = 0
      /// An edit that has seen its rows, and waits for the next moment.
      var slowEdit: SlowEdit?
      /// Saves that wait for the one under way, or are under way themselves.
      var saves: [Task<Void, Never>] = []
    }
    private struct SlowEdit {
      let hasSeen = DispatchSemaphore(value: 0)
      let mayGoOn = DispatchSemaphore(value: 0)
      let isDone = DispatchSemaphore(value: 0)

      func end() {
        mayGoOn.signal()
        isDone.wait()
      }
    }
    private let draft: FetchDraft
    private let state = Mutex(State())

    private let hasCovers: Bool

    init(_ draft: FetchDraft, hasCovers: Bool) { (self.draft, self.hasCovers) = (draft, hasCovers) }

    func write(_ changes: [TaskHistory.Change]) async {
      try? await draft.write("write") { edit in
        for change in changes { try edit.make(change, hasCovers: hasCovers) }
      }
    }

    func begin(_ acts: [TaskHistory.Timed]) { state.withLock { $0 = State(left: acts) } }

    /// Does what is to be done at this moment.
    func pass() {
      state.withLock { state in
        endSlowEdit(&state)
        while let next = state.left.first, next.moment <= state.moment {
          state.left.removeFirst()
          perform(next.act, &state)
        }
        state.moment += 1
      }
    }

    /// Waits for the saves that have waited for others.
    func finishSaves() async {
      while let save = state.withLock({ $0.saves.isEmpty ? nil : $0.saves.removeFirst() }) {
        await save.value
      }
    }

    /// Does what is left, at the end of the save.
    func end() async {
      while let next = state.withLock({ $0.left.isEmpty ? nil : $0.left.removeFirst() }) {
        switch next.act {
        case .save, .write: await perform(next.act)
        default: state.withLock { perform(next.act, &$0) }
        }
      }
      state.withLock { endSlowEdit(&$0) }
    }

    func perform(_ act: TaskHistory.Act) async {
      state.withLock { endSlowEdit(&$0) }
      switch act {
      case .save(let rows): await draft.save(rows)
      case .write(let changes): await write(changes)
      default:
        state.withLock { state in
          perform(act, &state)
          endSlowEdit(&state)
        }
      }
    }

    /// Begins a save, which waits for the one under way.
    private func beginSave(_ state: inout State, _ save: @escaping @Sendable () async -> Void) {
      let number = draft.saves.waiterCount
      let end = DispatchSemaphore(value: 0)
      let task = Task.detached(executorPreference: WaitedFor.executor) {
        await save()
        end.signal()
      }
      state.saves.append(task)
      while draft.saves.waiterCount == number, end.wait(timeout: .now()) == .timedOut { sched_yield() }
    }

    private func endSlowEdit(_ state: inout State) {
      state.slowEdit?.end()
      state.slowEdit = nil
    }

    private func perform(_ act: TaskHistory.Act, _ state: inout State) {
      endSlowEdit(&state)
      switch act {
      case .edit(let changes): edit(changes)
      case .slowEdit(let changes):
        let slow = SlowEdit()
        Thread.detachNewThread { [self] in
          edit(changes) {
            slow.hasSeen.signal()
            slow.mayGoOn.wait()
          }
          slow.isDone.signal()
        }
        slow.hasSeen.wait()
        state.slowEdit = slow
      case .undo: _ = try? draft.undo()
      case .redo: _ = try? draft.redo()
      case .discard: draft.discard()
      case .discardRows(.owner, let ids): draft.discard(Owner.self, ids)
      case .discardRows(.shelf, let ids): draft.discard(Shelf.self, ids)
      case .discardRows(.photo, let ids): draft.discard(Photo.self, ids)
      case .save(let rows): beginSave(&state) { [draft] in await draft.save(rows) }
      case .write(let changes): beginSave(&state) { [self] in await write(changes) }
      }
    }

    /// - Parameter pause: Is called between seeing the rows and changing them.
    private func edit(_ changes: [TaskHistory.Change], pause: () -> Void = {}) {
      // A row that went along while it was seen is a `DraftError`.
      try? draft.edit("edit") { edit in
        for change in changes { _ = try edit.exists(change.table, change.id) }
        pause()
        for change in changes { try edit.make(change, hasCovers: hasCovers) }
      }
    }
  }
#endif
