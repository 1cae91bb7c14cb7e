#if SQLite
  import Foundation
  import GRDB
  import LiveFetch
  import LiveFetchSQLite
  import _TestTools
  import Synchronization

  /// A number that tasks share.
  final class Counter: Sendable {
    private let number = Mutex(0)
    var value: Int { number.withLock { $0 } }
    func add() { number.withLock { $0 += 1 } }
  }

  /// Features that were seen, from whatever task.
  final class FeatureSet: Sendable {
    private let features = Mutex<Set<Feature>>([])
    var all: Set<Feature> { features.withLock { $0 } }
    func add(_ feature: Feature?) {
      if let feature { features.withLock { _ = $0.insert(feature) } }
    }
  }

  /// An error of SQLite's in a statement of the schema.
  struct InvalidSchema: Error {
    var error: any Error
  }

  /// Runs one case: makes its schema, keeps its lists live, and holds them to the oracle after every step.
  final class CaseRun<Key: LawKey> {
    let law: LawCase
    private let folder: TemporaryFolder
    let store: SQLiteStore
    /// The connection that the oracle reads by.
    let raw: RawDatabase
    /// The connection that writes as another program would.
    let other: RawDatabase
    var lists: [WatchedList<Key>] = []
    /// The list of the same rows as GRDB's records, in the cases that have one.
    var records: WatchedRecords<Key>?
    var outcome = Outcome()
    /// Moves on with every step, for whoever watches whether the case hangs.
    let progress: Counter
    let ran = FeatureSet()
    /// Whether another connection has written and nobody looked since.
    private var isUnseen = false
    /// Whether a statement of the last transaction was refused.
    private var hasFailed = false

    var path: String { folder.path + "/law.sqlite" }

    init(_ law: LawCase, _ progress: Counter) throws {
      self.law = law
      self.progress = progress
      Naming.current.withLock { $0 = law.naming }
      folder = try TemporaryFolder()
      let path = folder.path + "/law.sqlite"
      var options = SQLiteStoreOptions()
      options.observesOtherProcesses = law.observesOthers
      // Nobody looks by himself: the steps say when.
      options.pollingInterval = .seconds(3_600)
      store = try SQLiteStore(path: path, options: options) { pool in
        try pool.writeWithoutTransaction { db in
          for (sql, mayFail) in law.schema {
            do { try db.execute(sql: sql) } catch { if !mayFail { throw InvalidSchema(error: error) } }
          }
        }
      }
      raw = try RawDatabase(path)
      other = try RawDatabase(path)
    }

    deinit { try? store.close() }

    /// Runs a case to its end, or to the first difference.
    static func run(_ law: LawCase, _ progress: Counter) async -> Outcome {
      let run: CaseRun
      do { run = try CaseRun(law, progress) } catch let error as InvalidSchema {
        return Outcome(invalid: "\(error.error)")
      } catch {
        // Only an error in a statement of the schema makes it invalid; an error of the store is a difference.
        var outcome = Outcome()
        outcome.difference = Difference(kind: .refused, step: nil, list: 0, text: "no store: \(error)")
        return outcome
      }
      do {
        try await run.begin()
        for (number, step) in law.steps.enumerated() {
          try await run.perform(step, number)
          progress.add()
        }
        for list in run.lists { try await run.compareObjects(list, law.steps.count, all: true) }
        try await run.readLate()
      } catch let difference as Difference {
        run.outcome.difference = difference
      } catch {
        run.outcome.difference = Difference(kind: .refused, step: nil, list: 0, text: "\(error)")
      }
      run.outcome.features.formUnion(run.ran.all)
      run.outcome.features.formUnion(law.features.filter { !$0.isStatement })
      return run.outcome
    }

    /// Reads all rows, by the connection that knows nothing of the library.
    func oracle() throws -> Oracle? {
      guard let table = try? raw.rows("SELECT * FROM main.\(law.table.quotedName)") else { return nil }
      var naming = law.naming
      // Those that steps add, too: objects may be made before the next look, by tasks that read meanwhile.
      let added = (1...5).map { "z\($0)" }.filter { !table.columns.contains($0) }
      naming.all = table.columns + added
      Naming.current.withLock { $0 = naming }
      return Oracle(table, naming)
    }

    private func begin() async throws {
      guard let oracle = try oracle() else {
        throw Difference(kind: .refused, step: nil, list: 0, text: "no table")
      }
      for (number, spec) in law.lists.enumerated() where oracle.has(spec.roles) {
        let list = WatchedList<Key>(number, spec, store)
        do {
          let snapshot = try await list.controller.performFetch()
          outcome.comparisons += 1
          if law.mustRefuse(spec) {
            throw list.difference(
              .refused, nil, "a comparison was taken for which SQLite turns a value into another")
          }
          try list.begin(snapshot, oracle)
        } catch let error as FetchError {
          if error.kind == .outOfOrderSection, oracle.expected(spec, Key.self).isOutOfOrder { continue }
          if error.kind == .request, law.mustRefuse(spec) { continue }
          outcome.refusal = "\(error)"
          guard law.features.contains(where: \.mayBeRefused) else {
            throw Difference(kind: .refused, step: nil, list: number, text: "\(error)")
          }
          continue
        }
        lists.append(list)
        try await list.first(oracle)
        try await compareObjects(list, nil, all: false)
      }
      try await beginRecords(oracle)
    }

    // MARK: Steps

    private func perform(_ step: Step, _ number: Int) async throws {
      var did = false
      if isUnseen, step.means != .write { await store.checkForExternalChanges() }
      let wasUnseen = isUnseen
      var isRolledBack = false
      isUnseen = false
      switch step.means {
      case .write:
        did = true
        let before = raw.dataVersion
        isRolledBack = await !write(step.statements, undone: false)
        // A commit brings along what others wrote; what committed nothing does not.
        if wasUnseen, raw.dataVersion == before { await store.checkForExternalChanges() }
      case .undone:
        did = true
        isRolledBack = await !write(step.statements, undone: true)
      case .outside:
        try await outside(step, number)
        return
      case .other, .otherUnseen, .program:
        guard law.observesOthers else { return }
        did = step.means == .program ? try program(step.statements) : runOther(step.statements)
        outcome.commits += 1
        if step.means == .otherUnseen {
          isUnseen = true
          return note(step, did)
        }
        await store.checkForExternalChanges()
      case .backup:
        did = try restore(step.statements)
        // The store looks by itself; GRDB's own way has to be followed by a look.
        if law.seed % 2 == 1 { await store.checkForExternalChanges() }
      case .reconfigure(let index, let spec):
        guard let list = lists.first(where: { $0.number == index }), let oracle = try oracle(),
          oracle.has(spec.roles)
        else { return }
        if oracle.expected(spec, Key.self).isOutOfOrder { return }
        do {
          _ = try await list.controller.update(request: spec.request(Key.self))
          if law.mustRefuse(spec) {
            throw list.difference(
              .refused, number, "a comparison was taken for which SQLite turns a value into another")
          }
        } catch let error as FetchError where error.kind == .request && law.mustRefuse(spec) {
          // The list stays what it was.
          return try await compare(number, isStrict: true)
        } catch let difference as Difference {
          throw difference
        } catch {
          throw Difference(kind: .refused, step: number, list: index, text: "update: \(error)")
        }
        list.spec = spec
        list.isFetched = true
        did = true
      }
      note(step, did)
      let isSingle = step.means == .write && step.statements.count == 1
      // “A transaction that is rolled back leaves nothing”; of what a statement or a savepoint takes back the
      // documentation says that it may be told.
      let isNothing = isRolledBack && !law.observesOthers
      try await compare(
        number,
        isStrict: isNothing
          || isSingle && !hasFailed && !law.observesOthers && !law.hasSideEffects
            && !step.statements[0].touchesTwice
      )
    }

    private func note(_ step: Step, _ did: Bool) {
      if did { ran.add(step.feature) }
    }

    private struct Undone: Error {}

    /// - Returns: Whether the transaction was committed.
    private func write(_ statements: [Statement], undone: Bool) async -> Bool {
      do {
        hasFailed = try await store.write(origin: "law") { [ran] db in
          var hasFailed = false
          for statement in statements {
            do {
              try db.execute(sql: statement.sql)
            } catch {
              hasFailed = true
              // A conflict is what some statements are for. What is left of the transaction goes on.
              guard db.isInsideTransaction else {
                ran.add(statement.feature)
                throw error
              }
              continue
            }
            ran.add(statement.feature)
          }
          if undone { throw Undone() }
          return hasFailed
        }.result
        outcome.commits += 1
        return true
      } catch {
        hasFailed = true
        return false
      }
    }

    /// Each statement by itself, with a comparison after each; in one go where they have a transaction of their own.
    private func outside(_ step: Step, _ number: Int) async throws {
      note(step, true)
      let isTransaction = step.statements.contains { $0.head == "BEGIN" }
      for statements in isTransaction ? [step.statements] : step.statements.map({ [$0] }) {
        try await store.pool.writeWithoutTransaction { db in
          for statement in statements {
            do { try db.execute(sql: statement.sql) } catch {
              if db.isInsideTransaction {
                try? db.execute(sql: "ROLLBACK")
                break
              }
            }
          }
          // A shrunk case may have lost its end.
          if db.isInsideTransaction { try db.execute(sql: "ROLLBACK") }
        }
        outcome.commits += 1
        // A statement that commits and then fails is reported after it has ended.
        try await store.pool.writeWithoutTransaction { _ in }
        try await compare(number, isStrict: false)
      }
    }

    /// As another connection would; a transaction that fails is rolled back, other failures are passed over.
    private func runOther(_ statements: [Statement], on database: RawDatabase? = nil) -> Bool {
      let database = database ?? other
      var isOpen = false
      var did = false
      for statement in statements {
        do {
          try database.run(statement.sql)
          did = true
          if statement.sql == "BEGIN" { isOpen = true }
          if statement.sql == "COMMIT" { isOpen = false }
        } catch {
          if isOpen {
            try? database.run("ROLLBACK")
            return false
          }
        }
      }
      return did
    }

    private func program(_ statements: [Statement]) throws -> Bool {
      let process = Process()
      process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
      process.arguments = ["sqlite3", path]
      // The program is of one version with its own library, whichever this process was given.
      process.environment = ProcessInfo.processInfo.environment.filter { $0.key != "LD_PRELOAD" }
      let input = Pipe()
      process.standardInput = input
      process.standardOutput = FileHandle.nullDevice
      process.standardError = FileHandle.nullDevice
      try process.run()
      let script = ".timeout 10000\n" + statements.map { $0.sql + ";\n" }.joined()
      try input.fileHandleForWriting.write(contentsOf: Data(script.utf8))
      try input.fileHandleForWriting.close()
      process.waitUntilExit()
      return process.terminationStatus != 127
    }

    private func restore(_ statements: [Statement]) throws -> Bool {
      let copy = "\(folder.path)/copy-\(UUID().uuidString).sqlite"
      try raw.run("VACUUM INTO '\(copy)'")
      _ = runOther(statements, on: try RawDatabase(copy))
      outcome.commits += 1
      let source = try DatabaseQueue(path: copy)
      if law.seed % 2 == 0 {
        try store.restore(from: source)
      } else {
        try store.withExclusiveAccess { try source.backup(to: $0) }
      }
      try source.close()
      return true
    }
  }
#endif
