#if SQLite
  import Foundation
  import GRDB
  import LiveDrafts
  import LiveFetch
  import LiveListsTestSupport
  import Snapshots
  import _TestTools

  /// The table that items belong to in the law of drafts over foreign keys. Its ids are 0 to 3, those of items 4 to 7.
  struct Album: DraftModel, Hashable {
    var id: Int
    var section: String
    var key: Int
    var note: String?

    static let fetchTable = FetchTable<Album>(
      "album", id: .column("id", \.id),
      columns: [.column("section", \.section), .column("key", \.key), .column("note", \.note)])

    init(_ item: Item) { (id, section, key, note) = (item.id, item.section, item.key, item.note) }

    init(fetchRow row: FetchRow) throws { self.init(try Item(fetchRow: row)) }

    var item: Item { Item(id: id, section: section, key: key, note: note) }
  }

  /// The law over two tables with foreign keys and triggers between them: what a save writes deletes and changes other rows, which
  /// may be pending, be written by the same save, or have been written by one that can be undone.
  struct KeyLaw {
    /// A list over the draft of either table.
    private struct Watched {
      var expected: @Sendable ([Int: Item]) throws -> DiffableSnapshot<FetchSectionID, Int>
      var snapshot: () async -> DiffableSnapshot<FetchSectionID, Int>?
      var object: (Int) -> Item?
      var read: () async throws -> DiffableSnapshot<FetchSectionID, Int>
      var changes: FetchChanges<Int>.Iterator
      var replayed: DiffableSnapshot<FetchSectionID, Int>

      init<Model: FetchModel>(
        _ list: DraftLaw.List, _ request: FetchDescriptor<Model>, fresh: FetchDescriptor<Model>,
        isOfAlbums: Bool, in draft: FetchDraft, _ item: @escaping (Model) -> Item
      ) async throws where Model.ID == Int {
        let controller = FetchController(request, in: draft)
        replayed = try await controller.performFetch()
        changes = controller.changes.makeAsyncIterator()
        _ = try await changes.next()
        expected = { rows in
          try list.expected(rows.filter { LawDatabase.isAlbum($0.key) == isOfAlbums })
        }
        snapshot = {
          await controller.waitUntilCurrent()
          return controller.snapshot
        }
        object = { controller.object(for: $0).map(item) }
        read = { try await FetchController(fresh, in: draft).performFetch() }
      }
    }

    /// Plays steps.
    /// - Returns: What is wrong, and after which step; nil when the law holds.
    /// - Parameter isTold: Whether commits say which rows they have touched.
    static func failure(
      of steps: [DraftStep], on subject: SQLiteSubject, isTold: Bool = true
    ) async throws -> String? {
      let interrupted = InterruptedStore(subject.sqlite)
      let draft = FetchDraft(of: interrupted)
      var oracle = DraftOracle()
      (oracle.rules, oracle.isTold) = (.keys, isTold)
      var watched: [Watched] = []
      for list in DraftLaw.lists.prefix(5) {
        let fresh = list.request.filter(#Predicate { $0.id > -1 })
        watched.append(
          try await Watched(list, list.request, fresh: fresh, isOfAlbums: false, in: draft) { $0 })
      }
      let albums = FetchDescriptor<Album>().ordered(by: .ascending(\.key))
      watched.append(
        try await Watched(
          DraftLaw.lists[0], albums, fresh: albums.filter(#Predicate { $0.id > -1 }), isOfAlbums: true,
          in: draft
        ) { $0.item })
      for (number, step) in steps.enumerated() {
        func at(_ text: String) -> String { "step \(number), \(step): \(text)" }
        if let failure = try await perform(step, draft, interrupted, subject, &oracle) { return at(failure) }
        await draft.waitUntilCurrent()
        let rows = oracle.rows
        for position in watched.indices {
          let expected = try watched[position].expected(rows)
          let snapshot = await watched[position].snapshot()
          guard let snapshot, snapshot == expected else {
            return at("list \(position) is \(snapshot.map { "\($0)" } ?? "nil"), not \(expected)")
          }
          while watched[position].replayed != expected {
            guard let change = try await watched[position].changes.next() else { return at("a stream ended") }
            watched[position].replayed = try watched[position].replayed.applying(change.difference)
          }
          for id in snapshot.itemIdentifiers where watched[position].object(id) != rows[id] {
            return at(
              "the object \(id) is \(String(describing: watched[position].object(id))), not \(rows[id]!)")
          }
          let read = try await watched[position].read()
          if read != expected { return at("list \(position) is read as \(read), not \(expected)") }
        }
        if let failure = compare(draft, oracle) { return at(failure) }
      }
      return nil
    }

    static func compare(_ draft: FetchDraft, _ oracle: DraftOracle) -> String? {
      if draft.hasChanges != !oracle.pending.isEmpty { return "hasChanges is \(draft.hasChanges)" }
      for id in 0..<8 {
        let state =
          LawDatabase.isAlbum(id) ? draft.state(of: Album.self, id) : draft.state(of: Item.self, id)
        if !oracle.agrees(with: state, id) {
          return
            "the state of \(id) is \(state), not \(String(describing: oracle.pending[id])) over \(String(describing: oracle.store[id]))"
        }
      }
      return nil
    }

    private static func perform(
      _ step: DraftStep, _ draft: FetchDraft, _ store: InterruptedStore, _ subject: SQLiteSubject,
      _ oracle: inout DraftOracle
    ) async throws -> String? {
      switch step {
      case .commit(let writes): return try await commit(writes, subject, oracle.commit(writes))
      case .edit(let writes):
        try draft.edit("edit") { edit in try edit.performWithKeys(writes) }
        oracle.edit(writes)
      case .undo:
        try draft.undo()
        oracle.undoLast()
      case .redo:
        try draft.redo()
        oracle.redoLast()
      case .discard(let ids):
        // One call is of one table.
        if let id = ids?.first {
          if LawDatabase.isAlbum(id) {
            draft.discard(Album.self, [id])
          } else {
            draft.discard(Item.self, [id])
          }
        } else {
          draft.discard()
        }
        oracle.discard(ids.map(Set.init))
      case .save(let policy):
        let expected = oracle.save(policy)
        return try await compare(expected) { try await draft.save(policy: policy) }
      case .write(let policy, let writes, let steps, let fails):
        return try await write(policy, writes, steps, fails, draft, store, subject, &oracle)
      case .saving(let policy, let steps, let fails):
        return try await save(policy, steps, fails, draft, store, subject, &oracle)
      case .reset:
        try await subject.reset()
        oracle.reset()
      case .open: break
      }
      return nil
    }

    static func commit(
      _ writes: [ConformanceWrite], _ subject: SQLiteSubject, _ isValid: Bool
    ) async throws -> String? {
      do {
        try await subject.writeWithKeys(writes)
        return isValid ? nil : "the commit was not refused"
      } catch let error as DatabaseError where error.resultCode == .SQLITE_CONSTRAINT {
        return isValid ? "the commit was refused" : nil
      }
    }

    /// Compares what comes of a save.
    static func compare(
      _ expected: Set<Int>, _ save: () async throws -> Void
    ) async throws -> String? {
      do {
        try await save()
        if !expected.isEmpty { return "the save did not fail for \(expected.sorted())" }
      } catch let conflict as DraftConflict {
        let ids = Set(conflict.rows.map(\.id))
        if ids != Set(expected.map { .integer(Int64($0)) }) || expected.isEmpty {
          return "the conflict is about \(ids), not \(expected.sorted())"
        }
      } catch let error where error is DatabaseError || (error as? FetchError)?.kind == .row {
        if expected != DraftOracle.refused { return "the save was refused: \(error)" }
      }
      return nil
    }

    /// Writes beside what is pending, with a commit of others before it. Where it fails all is as if it had not been tried.
    private static func write(
      _ policy: DraftPolicy, _ writes: [ConformanceWrite], _ steps: [DraftStep], _ fails: Bool,
      _ draft: FetchDraft, _ store: InterruptedStore, _ subject: SQLiteSubject, _ oracle: inout DraftOracle
    ) async throws -> String? {
      struct Failing: Error {}
      var unwritten = oracle
      let ids = oracle.write(writes)
      let isSaved = !ids.isDisjoint(with: oracle.pending.keys)
      var theirs: (writes: [ConformanceWrite], isValid: Bool)?
      if isSaved, case .commit(let writes)? = steps.first {
        theirs = (writes, oracle.commit(writes))
        unwritten.commit(writes)
      }
      let expected = oracle.save(policy, only: ids)
      if isSaved {
        store.interrupt { [theirs] in
          if let theirs { _ = try await commit(theirs.writes, subject, theirs.isValid) }
          await draft.waitUntilCurrent()
          if fails { throw Failing() }
        }
      }
      var failure: String?
      do {
        failure = try await compare(expected) {
          try await draft.write("edit", policy: policy) { edit in try edit.performWithKeys(writes) }
        }
        if failure == nil, isSaved, fails { failure = "the write did not fail" }
      } catch is Failing {
        if !fails || !isSaved { return "it fails" }
        oracle = unwritten
        return nil
      }
      if !expected.isEmpty { oracle = unwritten }
      return failure
    }

    /// Leaves out steps as long as the law does not hold.
    static func shrink(
      _ steps: [DraftStep], isTold: Bool, _ subject: () throws -> SQLiteSubject
    ) async throws -> [DraftStep] {
      var steps = steps
      var isShorter = true
      while isShorter {
        isShorter = false
        for position in steps.indices.reversed() {
          var fewer = steps
          fewer.remove(at: position)
          if await (try? failure(of: fewer, on: subject(), isTold: isTold)) ?? nil != nil {
            steps = fewer
            isShorter = true
          }
        }
      }
      return steps
    }
  }

  extension DraftEdit {
    /// Makes writes as edits of the two tables.
    func performWithKeys(_ writes: [ConformanceWrite]) throws {
      for write in writes {
        switch write {
        case .put(let item) where LawDatabase.isAlbum(item.id):
          if try find(Album.self, id: item.id) == nil {
            try insert(Album(item))
          } else {
            try update(Album(item)) { $0 = Album(item) }
          }
        case .remove(let id) where LawDatabase.isAlbum(id): try delete(Album.self, id: id)
        default: try perform([write])
        }
      }
    }
  }

  extension DraftStep {
    /// Random steps over the two tables, mostly such as foreign keys allow.
    static func randomWithKeys(_ seed: UInt64, count: Int) -> [DraftStep] {
      var random = SplitMix(seed: seed)
      func note(ofAlbum id: Int) -> String { (Bool.random(using: &random) ? "m" : "n") + "\(id)" }
      func put(_ id: Int) -> ConformanceWrite {
        let section = ["a", "b", "c"][Int.random(in: 0..<3, using: &random)]
        let key = Int.random(in: 0..<4, using: &random)
        if LawDatabase.isAlbum(id) {
          let hasNote = Int.random(in: 0..<4, using: &random) > 0
          return .put(Item(id: id, section: section, key: key, note: hasNote ? note(ofAlbum: id) : nil))
        }
        let hasNote = Int.random(in: 0..<3, using: &random) == 0
        let album = Int.random(in: 0..<4, using: &random)
        return .put(Item(id: id, section: section, key: key, note: hasNote ? note(ofAlbum: album) : nil))
      }
      func writes(_ most: Int) -> [ConformanceWrite] {
        (0..<Int.random(in: 1...most, using: &random)).map { _ in
          let id = Int.random(in: 0..<8, using: &random)
          return Int.random(in: 0..<4, using: &random) == 0 ? .remove(id) : put(id)
        }
      }
      func policy() -> DraftPolicy { DraftPolicy.allCases[Int.random(in: 0..<4, using: &random)] }
      let first: DraftStep = .commit(
        (0..<4).map { .put(Item(id: $0, section: "a", key: $0, note: "n\($0)")) } + (4..<8).map { put($0) }
          + (4..<8).map { .put(Item(id: $0, section: "a", key: $0 - 4)) })
      return [first]
        + (0..<count).map { _ in
          switch Int.random(in: 0..<20, using: &random) {
          case 0..<3: .commit(writes(2))
          case 3..<8: .edit(writes(3))
          case 8, 9, 10: .undo
          case 11: .redo
          case 12: .discard(Bool.random(using: &random) ? nil : [Int.random(in: 0..<8, using: &random)])
          case 13, 14: .save(policy())
          case 15, 16:
            .saving(
              [.fail, .mergeColumns, .mine][Int.random(in: 0..<3, using: &random)],
              (Int.random(in: 0..<3, using: &random) == 0 ? [.commit(writes(2))] : [])
                + (Bool.random(using: &random) ? [.edit(writes(2))] : [])
                + Array(repeating: .undo, count: Int.random(in: 0..<4, using: &random))
                + Array(repeating: .redo, count: max(0, Int.random(in: -3..<3, using: &random)))
                + (Int.random(in: 0..<4, using: &random) == 0 ? [.discard(nil)] : [])
                + (Int.random(in: 0..<3, using: &random) == 0 ? [.edit(writes(2))] : [])
                + (Int.random(in: 0..<3, using: &random) == 0 ? [.undo] : []),
              fails: Int.random(in: 0..<4, using: &random) == 0)
          case 17: .reset
          default:
            .write(
              policy(), writes(2), Int.random(in: 0..<3, using: &random) == 0 ? [.commit(writes(2))] : [],
              fails: Int.random(in: 0..<3, using: &random) == 0)
          }
        }
    }
  }
#endif
