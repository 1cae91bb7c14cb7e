#if SQLite
  import Foundation
  import GRDB
  @testable import LiveDrafts
  import LiveFetch
  import LiveFetchSQLite
  import LiveListsTestSupport
  import Snapshots
  import Synchronization
  import _TestTools

  /// A history of a draft in which much happens in the midst of saves.
  struct Storm: Sendable {
    /// A table of which each row may refer to two others.
    enum Table: Int, CaseIterable, Sendable {
      case owner, shelf, photo
      /// The tables that the columns `parent` and `other` refer to.
      var references: (parent: Table, other: Table) {
        switch self {
        case .owner: (.owner, .owner)
        case .shelf: (.owner, .shelf)
        case .photo: (.shelf, .owner)
        }
      }
    }

    struct Change: Sendable, CustomStringConvertible {
      var table: Table
      var id: Int
      /// nil where the row is deleted.
      var columns: [String: Int?]?
      var description: String {
        let values = columns?.sorted { $0.key < $1.key }.map { "\($0)=\($1.map(String.init) ?? "nil")" }
        return "\(table) \(id) \(values?.joined(separator: " ") ?? "gone")"
      }
    }

    enum Act: Sendable, CustomStringConvertible {
      /// - spans: Whether the edit has seen its rows at one moment, and sets them at the next.
      case edit([Change], spans: Bool)
      case undo, redo, discard
      case discardRows(Table, [Int])

      var description: String {
        switch self {
        case .edit(let changes, let spans):
          "edit\(spans ? "…" : "")(\(changes.map(\.description).joined(separator: "; ")))"
        case .undo: "undo"
        case .redo: "redo"
        case .discard: "discard"
        case .discardRows(let table, let ids): "discard \(table) \(ids)"
        }
      }
    }

    enum Step: Sendable, CustomStringConvertible {
      case act(Act)
      /// A save, and what is done at certain moments of it.
      case save(DraftPolicy, only: (Table, [Int])?, [(moment: Int, act: Act)])

      var description: String {
        switch self {
        case .act(let act): "\(act)"
        case .save(_, let only, let acts):
          "save\(only.map { " \($0) \($1)" } ?? "")\(acts.map { "\n    \($0): \($1)" }.joined())"
        }
      }
    }

    var isTold: Bool
    var cascades: Bool
    var steps: [Step]
  }

  extension Storm {
    init(seed: UInt64, count: Int, isTold: Bool) {
      var random = SplitMix(seed: seed)
      self.isTold = isTold
      cascades = Bool.random(using: &random)
      func change() -> Change {
        let table = Table.allCases.randomElement(using: &random)!
        let id = Int.random(in: 0..<4, using: &random)
        if Int.random(in: 0..<4, using: &random) == 0 { return Change(table: table, id: id) }
        var columns: [String: Int?] = [:]
        for name in ["name", "parent", "other"] where Bool.random(using: &random) {
          let isNull = name == "other" && Int.random(in: 0..<4, using: &random) == 0
          columns.updateValue(isNull ? nil : Int.random(in: 0..<4, using: &random), forKey: name)
        }
        return Change(table: table, id: id, columns: columns)
      }
      func ids() -> (Table, [Int]) {
        (Table.allCases.randomElement(using: &random)!, (0..<4).filter { _ in Bool.random(using: &random) })
      }
      func act() -> Act {
        switch Int.random(in: 0..<12, using: &random) {
        case 0..<6:
          let changes = (0..<Int.random(in: 1...3, using: &random)).map { _ in change() }
          return .edit(changes, spans: Int.random(in: 0..<3, using: &random) == 0)
        case 6..<9: return .undo
        case 9, 10: return .redo
        default:
          if Bool.random(using: &random) { return .discard }
          let (table, ids) = ids()
          return .discardRows(table, ids)
        }
      }
      steps = (0..<count).map { _ in
        if Int.random(in: 0..<5, using: &random) < 3 { return .act(act()) }
        let acts = (0..<Int.random(in: 0..<5, using: &random)).map { _ in
          (moment: Int.random(in: 0..<12, using: &random), act: act())
        }
        let only = Int.random(in: 0..<3, using: &random) == 0 ? ids() : nil
        return .save(.mergeColumns, only: only, acts.sorted { $0.moment < $1.moment })
      }
    }

    /// The histories that have a little less than this one.
    var simpler: [Storm] {
      var all: [Storm] = []
      func replace(_ position: Int, by others: [Step]) {
        var other = self
        other.steps.replaceSubrange(position...position, with: others)
        all.append(other)
      }
      for (position, step) in steps.enumerated().reversed() {
        replace(position, by: [])
        switch step {
        case .act(let act): for act in act.simpler { replace(position, by: [.act(act)]) }
        case .save(let policy, let only, let acts):
          replace(position, by: acts.map { .act($0.act) })
          if only != nil { replace(position, by: [.save(policy, only: nil, acts)]) }
          for number in acts.indices.reversed() {
            var fewer = acts
            let act = fewer.remove(at: number).act
            replace(position, by: [.save(policy, only: only, fewer)])
            replace(position, by: [.save(policy, only: only, fewer), .act(act)])
            for act in act.simpler {
              var others = acts
              others[number].act = act
              replace(position, by: [.save(policy, only: only, others)])
            }
          }
        }
      }
      return all
    }

    /// Leaves out what is not needed for it to fail.
    func shrunk() async throws -> (Storm, String) {
      var best = self
      var last = ""
      var isShorter = true
      while isShorter {
        isShorter = false
        for simpler in best.simpler {
          guard let failure = try? await Storm.failure(simpler) else { continue }
          (best, last, isShorter) = (simpler, failure, true)
          break
        }
      }
      return (best, last)
    }
  }

  extension Storm.Act {
    /// The acts that do a little less.
    var simpler: [Self] {
      guard case .edit(let changes, let spans) = self else { return [] }
      var all: [Self] = spans ? [.edit(changes, spans: false)] : []
      for position in changes.indices.reversed() {
        var fewer = changes
        let change = fewer.remove(at: position)
        if !fewer.isEmpty { all.append(.edit(fewer, spans: spans)) }
        for column in change.columns?.keys.sorted() ?? [] {
          var others = changes
          others[position].columns?.removeValue(forKey: column)
          if others[position].columns?.isEmpty == false { all.append(.edit(others, spans: spans)) }
        }
      }
      return all
    }
  }

  extension Storm: CustomStringConvertible {
    var description: String {
      "isTold \(isTold) cascades \(cascades)\n" + steps.map { "  \($0)" }.joined(separator: "\n")
    }
  }

  // MARK: The rows

  protocol StormTable: Sendable { static var table: Storm.Table { get } }
  enum Owners: StormTable { static let table = Storm.Table.owner }
  enum Shelves: StormTable { static let table = Storm.Table.shelf }
  enum Photos: StormTable { static let table = Storm.Table.photo }

  struct StormRow<Kind: StormTable>: DraftModel, Hashable {
    var id: Int
    var name: Int
    var parent: Int?
    var other: Int?

    static var fetchTable: FetchTable<Self> {
      FetchTable(
        "\(Kind.table)", id: .column("id", \.id),
        columns: [.column("name", \.name), .column("parent", \.parent), .column("other", \.other)])
    }

    init(id: Int) { (self.id, name) = (id, 0) }

    init(fetchRow row: FetchRow) throws {
      id = try row["id"]
      name = try row["name"]
      parent = try row["parent"]
      other = try row["other"]
    }

    mutating func set(_ columns: [String: Int?]) {
      for (column, value) in columns {
        switch column {
        case "name": name = value ?? 0
        case "parent": parent = value
        default: other = value
        }
      }
    }
  }

  extension DraftEdit {
    func exists(_ table: Storm.Table, _ id: Int) throws -> Bool {
      switch table {
      case .owner: try find(StormRow<Owners>.self, id: id) != nil
      case .shelf: try find(StormRow<Shelves>.self, id: id) != nil
      case .photo: try find(StormRow<Photos>.self, id: id) != nil
      }
    }

    func make(_ change: Storm.Change) throws {
      switch change.table {
      case .owner: try make(change, StormRow<Owners>.self)
      case .shelf: try make(change, StormRow<Shelves>.self)
      case .photo: try make(change, StormRow<Photos>.self)
      }
    }

    private func make<Kind>(_ change: Storm.Change, _ type: StormRow<Kind>.Type) throws {
      let isThere = try find(type, id: change.id) != nil
      guard var columns = change.columns else {
        if isThere { try delete(type, id: change.id) }
        return
      }
      let references = change.table.references
      // Mostly what foreign keys allow.
      for (name, table) in [("parent", references.parent), ("other", references.other)] {
        if let id = columns[name] ?? nil, try !exists(table, id) { columns.removeValue(forKey: name) }
      }
      if isThere {
        try update(type, id: change.id) { $0.set(columns) }
      } else {
        if change.table != .owner, (columns["parent"] ?? nil) == nil { return }
        var row = type.init(id: change.id)
        row.set(columns)
        try insert(row)
      }
    }
  }

  // MARK: Its moments

  /// A store that says at which moment of a save it is: before the write, as it asks for tables and reports effects, before and after each
  /// notification, and when the save ends.
  final class MomentStore: ForwardingStore {
    let base: any DraftSaving
    private let moment = Mutex<(@Sendable () -> Void)?>(nil)

    init(_ base: any DraftSaving) { self.base = base }

    func atEachMoment(_ body: (@Sendable () -> Void)?) { moment.withLock { $0 = body } }

    private func pass() { moment.withLock { $0 }?() }

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

  /// Does what is to be done at moments, on a thread of its own.
  final class StormDriver: @unchecked Sendable {
    let draft: FetchDraft
    private var left: [(moment: Int, act: Storm.Act)] = []
    private var number = 0
    private var open: (go: DispatchSemaphore, done: DispatchSemaphore)?
    private let queue = DispatchQueue(label: "storm")
    private(set) var log: [String] = []

    init(_ draft: FetchDraft) { self.draft = draft }

    func begin(_ acts: [(moment: Int, act: Storm.Act)]) { queue.sync { (left, number) = (acts, 0) } }

    func pass() {
      queue.sync {
        endOpen()
        while let next = left.first, next.moment <= number {
          left.removeFirst()
          perform(next.act)
        }
        number += 1
      }
    }

    func end() {
      queue.sync {
        endOpen()
        for next in left {
          perform(next.act)
          endOpen()
        }
        left = []
      }
    }

    func act(_ act: Storm.Act) {
      queue.sync {
        perform(act)
        endOpen()
      }
    }

    private func endOpen() {
      guard let open else { return }
      open.go.signal()
      open.done.wait()
      self.open = nil
    }

    private func perform(_ act: Storm.Act) {
      endOpen()
      switch act {
      case .edit(let changes, let spans):
        let (seen, go, done) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let thread = Thread { [draft] in
          _ = try? draft.edit("edit") { edit in
            for change in changes { _ = try edit.exists(change.table, change.id) }
            seen.signal()
            if spans { go.wait() }
            for change in changes { try edit.make(change) }
          }
          seen.signal()
          done.signal()
        }
        thread.start()
        seen.wait()
        if spans { open = (go, done) } else { done.wait() }
      case .undo: _ = try? draft.undo()
      case .redo: _ = try? draft.redo()
      case .discard: draft.discard()
      case .discardRows(let table, let ids):
        switch table {
        case .owner: draft.discard(StormRow<Owners>.self, ids)
        case .shelf: draft.discard(StormRow<Shelves>.self, ids)
        case .photo: draft.discard(StormRow<Photos>.self, ids)
        }
      }
    }
  }

  // MARK: What must hold

  extension Storm {
    var schema: String {
      """
      DROP TABLE item;
      CREATE TABLE owner (id INTEGER PRIMARY KEY, name INTEGER, parent INTEGER REFERENCES owner ON DELETE \(cascades ? "CASCADE" : "SET NULL"),
        other INTEGER REFERENCES owner ON DELETE SET NULL);
      CREATE TABLE shelf (id INTEGER PRIMARY KEY, name INTEGER, parent INTEGER NOT NULL REFERENCES owner ON DELETE CASCADE,
        other INTEGER REFERENCES shelf ON DELETE \(cascades ? "SET NULL" : "CASCADE"));
      CREATE TABLE photo (id INTEGER PRIMARY KEY, name INTEGER, parent INTEGER NOT NULL REFERENCES shelf ON DELETE CASCADE,
        other INTEGER REFERENCES owner ON DELETE SET NULL);
      INSERT INTO owner VALUES (0, 0, NULL, NULL), (1, 0, NULL, 0), (2, 0, 1, NULL);
      INSERT INTO shelf VALUES (0, 0, 0, NULL), (1, 0, 1, 0), (2, 0, 1, NULL);
      INSERT INTO photo VALUES (0, 0, 0, 0), (1, 0, 1, 1), (2, 0, 2, NULL), (3, 0, 0, 2);
      """
    }

    static func rows(_ store: SQLiteStore) async throws -> [String] {
      try await store.read { db in
        try Table.allCases.flatMap { table in
          try Row.fetchAll(db, sql: "SELECT * FROM \(table) ORDER BY id").map { row in
            "\(table) \(row["id"] as Int) name=\(row["name"] as Int) parent=\((row["parent"] as Int?).map(String.init) ?? "nil") other=\((row["other"] as Int?).map(String.init) ?? "nil")"
          }
        }
      }
    }

    static func short(_ r: [String: FetchValue]) -> String { r.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }.joined(separator: " ") }
    /// Plays a history.
    /// - Returns: What is wrong; nil where nothing is.
    static func failure(_ storm: Storm) async throws -> String? {
      if ProcessInfo.processInfo.environment["TRACE"] != nil { print("BEGIN", storm) }
      let subject = try SQLiteSubject(SQLiteStoreOptions(isTold: storm.isTold), sql: storm.schema)
      let store = MomentStore(subject.sqlite)
      let draft = FetchDraft(of: store)
      let driver = StormDriver(draft)
      let owners = FetchController(FetchDescriptor<StormRow<Owners>>().ordered(by: .ascending(\.name)), in: draft)
      let shelves = FetchController(FetchDescriptor<StormRow<Shelves>>().ordered(by: .ascending(\.name)), in: draft)
      let photos = FetchController(FetchDescriptor<StormRow<Photos>>().ordered(by: .ascending(\.name)), in: draft)
      try await owners.performFetch()
      try await shelves.performFetch()
      try await photos.performFetch()
      let beginning = try await rows(subject.sqlite)

      func list<Kind>(_ controller: FetchController<StormRow<Kind>>) async -> [String] {
        await controller.waitUntilCurrent()
        return (controller.snapshot?.itemIdentifiers ?? []).sorted().map { id in
          let row = controller.object(for: id)
          return "\(Kind.table) \(id) name=\(row?.name ?? -1) parent=\((row?.parent).map(String.init) ?? "nil") other=\((row?.other).map(String.init) ?? "nil")"
        }
      }
      func shown() async -> [String] {
        await draft.waitUntilCurrent()
        return await list(owners) + list(shelves) + list(photos)
      }
      func difference(_ found: [String], _ expected: [String]) -> String {
        "has \(found.filter { !expected.contains($0) }), lacks \(expected.filter { !found.contains($0) })"
      }
      /// Saves all, and compares what is stored with what was shown.
      func save() async throws -> String? {
        let before = await shown()
        do { try await draft.save() } catch { return "the save failed: \(error)" }
        let stored = try await rows(subject.sqlite)
        let after = await shown()
        if after != stored { return "shown after the save: \(difference(after, stored))" }
        _ = before
        return nil
      }

      for (number, step) in storm.steps.enumerated() {
        switch step {
        case .act(let act): driver.act(act)
        case .save(let policy, let only, let acts):
          driver.begin(acts)
          store.atEachMoment { driver.pass() }
          do {
            switch only {
            case (.owner, let ids)?: try await draft.save(StormRow<Owners>.self, ids, policy: policy)
            case (.shelf, let ids)?: try await draft.save(StormRow<Shelves>.self, ids, policy: policy)
            case (.photo, let ids)?: try await draft.save(StormRow<Photos>.self, ids, policy: policy)
            case nil: try await draft.save(policy: policy)
            }
          } catch let conflict as DraftConflict {
            return "step \(number): in conflict \(conflict)"
          } catch {}
          store.atEachMoment(nil)
          driver.end()
        }
        await draft.waitUntilCurrent()
        if ProcessInfo.processInfo.environment["TRACE"] != nil { print("STEP", step, difference(await shown(), beginning), draft.changes) }
        if !draft.conflicts.isEmpty { return "step \(number): in conflict \(draft.conflicts)" }
      }
      while try draft.redo() {}
      let end = await shown()
      if ProcessInfo.processInfo.environment["TRACE"] != nil { draft.core.withLock { core in for g in core.layer.history.undo { print("  GROUP", g.serial, g.edit); for st in g.steps { print("      ", st.key.table, st.key.id, "effect", st.isEffect, "saved", st.isSaved, "\n         before", st.before.map { "base \($0.base.map(short) ?? "nil") orig \($0.original.map(short) ?? "nil") mine \(short($0.mine)) del \($0.isDeleted)" } ?? "nil", "\n         after", st.after.map { "base \($0.base.map(short) ?? "nil") orig \($0.original.map(short) ?? "nil") mine \(short($0.mine)) del \($0.isDeleted)" } ?? "nil", "\n         base", st.base.map(short) ?? "nil") } } }; print("END", draft.undoNames, difference(await shown(), beginning), draft.changes) }
      while try draft.undo() { if ProcessInfo.processInfo.environment["TRACE"] != nil { print("UNDO", draft.undoNames, difference(await shown(), beginning), draft.changes) } }
      await draft.waitUntilCurrent()
      if !draft.conflicts.isEmpty { return "in conflict after undo: \(draft.conflicts)" }
      let back = await shown()
      if back != beginning { return "undo leads to: \(difference(back, beginning))" }
      if let failure = try await save() { return "after undo of all: \(failure)" }
      let saved = try await rows(subject.sqlite)
      if saved != beginning { return "saved after undo: \(difference(saved, beginning))" }
      while try draft.redo() {}
      let again = await shown()
      if again != end { return "redo leads to: \(difference(again, end))" }
      return nil
    }
  }
#endif
