#if SQLite
  import Foundation
  import GRDB
  import LiveFetch
  import LiveFetchSQLite
  import Snapshots
  import Synchronization

  /// A case with many tasks at once: some write, others read objects and follow the changes meanwhile. What each
  /// commit was to bring nobody knows then; what is there in the end is compared.
  enum TaskRun<Key: LawKey> {
    /// The case of a seed without what cannot be done beside other writers.
    static func makeCase(_ seed: Int, _ keyType: FetchColumnType) -> LawCase? {
      let serial: Set<Feature> = [
        .otherConnection, .otherReplace, .sqliteProgram, .addColumnByOthers, .remadeByOthers, .backup,
        .vacuum,
        .attached, .temporary, .temporaryOfSameName, .view, .compositeRefused,
      ]
      var generator = SchemaGenerator(
        seed: seed, forbidden: serial.union(KnownOpen.features.keys), observesOthers: false)
      let law = generator.make()
      return law.keyType == keyType ? law : nil
    }

    static func run(_ law: LawCase) async throws -> Outcome {
      try await CaseTurn.take { try await runAlone(law) }
    }

    private static func runAlone(_ law: LawCase) async throws -> Outcome {
      let run: CaseRun<Key>
      do { run = try CaseRun<Key>(law, Counter()) } catch { return Outcome(invalid: "\(error)") }
      guard let oracle = try run.oracle() else { return Outcome(invalid: "no table") }
      let store = run.store
      let specs = law.lists.filter {
        oracle.has($0.roles) && $0.section?.order != .bySortKeys && !law.mustRefuse($0)
      }
      let lists = specs.map { FetchController($0.request(Key.self), in: store) }
      for list in lists {
        do { try await list.performFetch() } catch { return Outcome(refusal: "\(error)") }
      }
      let steps = law.steps.filter { $0.means == .write || $0.means == .undone }
      let isEnded = Counter()
      let commits = Counter()
      let shown = lists.map { _ in Shown() }
      let readers = lists.map { list in Task { try await read(list, until: isEnded) } }
      let followers = lists.enumerated().map { number, list in Task { try await follow(list, shown[number]) }
      }
      await withTaskGroup(of: Void.self) { writers in
        for writer in 0..<3 {
          let mine = steps.indices.filter { $0 % 3 == writer }.map { steps[$0] }
          writers.addTask { await write(mine, in: store, commits) }
        }
      }
      isEnded.add()
      for (number, list) in lists.enumerated() {
        await list.waitUntilCurrent()
        guard let last = list.snapshot.map({ [ListSection<Key>]($0) }) else { continue }
        if await !shown[number].becomes(last) {
          throw Difference(
            kind: .silence, step: nil, list: number, text: "the last change was not delivered: \(last)")
        }
      }
      for task in readers { try await task.value }
      for task in followers {
        task.cancel()
        try await task.value
      }
      var outcome = Outcome(commits: commits.value, features: Set(law.features))
      guard let oracle = try run.oracle() else { return outcome }
      for (number, list) in lists.enumerated() {
        await list.waitUntilCurrent()
        outcome.comparisons += 1
        if let text = try await compare(list, specs[number], oracle) {
          outcome.difference = Difference(kind: .list, step: nil, list: number, text: text)
          return outcome
        }
      }
      return outcome
    }

    private struct Undone: Error {}

    private static func write(_ steps: [Step], in store: SQLiteStore, _ commits: Counter) async {
      for step in steps {
        _ =
          _ = try? await store.write { db in
            for statement in step.statements {
              do { try db.execute(sql: statement.sql) } catch {
                guard db.isInsideTransaction else { throw error }
              }
            }
            if step.means == .undone { throw Undone() }
          }
        commits.add()
      }
    }

    /// Reads objects, in list order and one by one, for as long as there are writers.
    private static func read(_ list: FetchController<Item<Key>>, until isEnded: Counter) async throws {
      while isEnded.value == 0 {
        let listed = list.snapshot?.itemIdentifiers ?? []
        _ = try await list.objects(for: listed)
        if let key = listed.first { _ = list.object(for: key) }
        await Task.yield()
      }
    }

    /// The change that a listener was given last.
    private final class Shown: Sendable {
      private let sections = Mutex<[ListSection<Key>]>([])

      func set(_ new: [ListSection<Key>]) { sections.withLock { $0 = new } }

      /// Waits until the listener has a list; the limit is there for one that has missed it.
      func becomes(_ last: [ListSection<Key>]) async -> Bool {
        let end = ContinuousClock.now + .seconds(1200)
        while !sections.withLock({ $0 == last }) {
          if .now > end { return false }
          await Task.yield()
        }
        return true
      }
    }

    /// Replays what is delivered.
    private static func follow(_ list: FetchController<Item<Key>>, _ shown: Shown) async throws {
      var last: [ListSection<Key>] = []
      let changes = list.changes.makeAsyncIterator()
      while let change = try await changes.next() {
        let new = [ListSection<Key>](change.snapshot)
        let replayed = Replay.apply(change.difference, to: last)
        if change.previousSnapshot != nil, replayed != new {
          throw Difference(kind: .replay, step: nil, list: 0, text: "\(last) became \(replayed), not \(new)")
        }
        last = new
        shown.set(new)
      }
    }

    private static func compare(_ list: FetchController<Item<Key>>, _ spec: ListSpec, _ oracle: Oracle)
      async throws -> String?
    {
      let expected = oracle.expected(spec, Key.self)
      if expected.isOutOfOrder || !oracle.has(spec.roles) { return nil }
      let found = list.snapshot.map { [ListSection<Key>]($0) } ?? []
      if found != [ListSection<Key>](expected) { return "is \(found), but the rows are \(expected.sections)" }
      let objects = try await list.objects(for: expected.keys)
      for (key, row) in expected.rowOfKey {
        for (column, cell) in zip(oracle.table.columns, oracle.table.rows[row])
        where objects[key]?.values[column] != cell.fetchValue {
          return "\(key): \(column) is \(cell), the object has \(objects[key]?.values[column] as Any)"
        }
      }
      return nil
    }
  }
#endif
