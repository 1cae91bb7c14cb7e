import Foundation
import LiveDrafts
import LiveFetch
import LiveListsTestSupport
import Snapshots
import _TestTools

/// An event in the life of a draft, its store or its lists.
enum DraftStep: Sendable, CustomStringConvertible {
  case commit([ConformanceWrite])
  case edit([ConformanceWrite])
  case undo
  case redo
  case discard([Int]?)
  case save(DraftPolicy)
  /// A save, and what happens while it is under way.
  case saving(DraftPolicy, [DraftStep], fails: Bool)
  /// Edits that are saved beside what is pending, and taken back where that fails; and what happens meanwhile.
  case write(DraftPolicy, [ConformanceWrite], [DraftStep], fails: Bool)
  /// The store tells its observers to read again.
  case reset
  /// A list is opened, which the draft did without so far.
  case open(Int)

  var description: String {
    switch self {
    case .commit(let writes): ".commit(\(Self.text(writes)))"
    case .edit(let writes): ".edit(\(Self.text(writes)))"
    case .undo: ".undo"
    case .redo: ".redo"
    case .discard(let ids): ".discard(\(ids.map { "\($0)" } ?? "nil"))"
    case .save(let policy): ".save(.\(policy))"
    case .saving(let policy, let steps, let fails):
      ".saving(.\(policy), [\(steps.map(\.description).joined(separator: ", "))], fails: \(fails))"
    case .write(let policy, let writes, let steps, let fails):
      ".write(.\(policy), \(Self.text(writes)), [\(steps.map(\.description).joined(separator: ", "))], fails: \(fails))"
    case .reset: ".reset"
    case .open(let list): ".open(\(list))"
    }
  }

  private static func text(_ writes: [ConformanceWrite]) -> String {
    let texts = writes.map { write -> String in
      switch write {
      case .put(let item):
        let note = item.note.map { ", note: \"\($0)\"" } ?? ""
        return ".put(Item(id: \(item.id), section: \"\(item.section)\", key: \(item.key)\(note)))"
      case .remove(let id): return ".remove(\(id))"
      }
    }
    return "[\(texts.joined(separator: ", "))]"
  }

  /// Random steps with which a draft starts cold: most lists are opened on the way, so that it has to know of rows with pending changes
  /// what no list has asked for.
  static func randomFromCold(_ seed: UInt64, count: Int) -> [DraftStep] {
    var steps = random(seed, count: count)
    var random = SplitMix(seed: ~seed)
    let first = Int.random(in: 0...DraftLaw.lists.count, using: &random)
    for list in DraftLaw.lists.indices where list != first {
      steps.insert(.open(list), at: .random(in: 1...min(20, steps.count), using: &random))
    }
    return steps
  }

  /// Random steps. A few rows and values, so that the draft and the others meet.
  static func random(_ seed: UInt64, count: Int) -> [DraftStep] {
    var random = SplitMix(seed: seed)
    func writes(_ most: Int) -> [ConformanceWrite] {
      (0..<Int.random(in: 1...most, using: &random)).map { _ in
        let id = Int.random(in: 0..<8, using: &random)
        if Int.random(in: 0..<4, using: &random) == 0 { return .remove(id) }
        return .put(
          Item(
            id: id, section: ["a", "b", "c"][Int.random(in: 0..<3, using: &random)],
            key: .random(in: 0..<4, using: &random), note: [nil, "x"][Int.random(in: 0..<2, using: &random)]))
      }
    }
    return (0..<count).map { _ in
      switch Int.random(in: 0..<22, using: &random) {
      case 0..<4: .commit(writes(3))
      case 4..<9: .edit(writes(3))
      case 9, 10: .undo
      case 11: .redo
      case 12: .discard(Bool.random(using: &random) ? nil : [Int.random(in: 0..<8, using: &random)])
      case 13, 14: .save(DraftPolicy.allCases[Int.random(in: 0..<4, using: &random)])
      case 15: .reset
      case 16, 17, 18:
        .write(
          DraftPolicy.allCases[Int.random(in: 0..<4, using: &random)], writes(3),
          (Int.random(in: 0..<3, using: &random) == 0 ? [.commit(writes(2))] : [])
            + (Int.random(in: 0..<3, using: &random) == 0 ? [.edit(writes(2))] : []),
          fails: Bool.random(using: &random))
      default:
        // Edits first: where the save fails, edits of what was undone meanwhile are edits of something else.
        .saving(
          [.fail, .mergeColumns, .mine][Int.random(in: 0..<3, using: &random)],
          (Int.random(in: 0..<4, using: &random) == 0 ? [.commit(writes(2))] : [])
            + (0..<Int.random(in: 0...2, using: &random)).map { _ in .edit(writes(3)) }
            + (0..<Int.random(in: 0...2, using: &random)).map { _ in
              switch Int.random(in: 0..<7, using: &random) {
              case 0, 1: .redo
              case 2: .commit(writes(3))
              default: .undo
              }
            }
            + (Int.random(in: 0..<4, using: &random) == 0
              ? [.discard(Bool.random(using: &random) ? nil : [Int.random(in: 0..<8, using: &random)])] : []),
          fails: Int.random(in: 0..<3, using: &random) == 0)
      }
    }
  }
}

/// A store below a draft, for the law.
protocol DraftLawStore: ConformanceSubject {
  var saving: any DraftSaving { get }
  func reset() async throws
}

extension InMemoryStore: DraftLawStore {
  var saving: any DraftSaving { self }
}

/// The law: after each step every list over the draft is what the plain model gives, and differences lead there.
struct DraftLaw {
  struct List: Sendable {
    var name: String
    var request: FetchDescriptor<Item>
    var isListed: @Sendable (Item) -> Bool = { _ in true }
    var precedes: @Sendable (Item, Item) -> Bool = { ($0.key, $0.id) < ($1.key, $1.id) }
    var isSectioned = false
    var window = 0..<Int.max

    func expected(_ rows: [Int: Item]) throws -> DiffableSnapshot<FetchSectionID, Int> {
      var sections: [(FetchSectionID, [Int])] = isSectioned ? [] : [("", [])]
      let listed = rows.values.filter(isListed).sorted(by: precedes)
      for item in listed.dropFirst(window.lowerBound).prefix(window.count) {
        let name: FetchSectionID = isSectioned ? FetchSectionID(item.section) : ""
        if sections.last?.0 != name { sections.append((name, [])) }
        sections[sections.count - 1].1.append(item.id)
      }
      return try DiffableSnapshot(sections: sections)
    }
  }

  static let lists: [List] = [
    List(name: "all by key", request: .byKey),
    List(
      name: "sections, the largest key first",
      request: FetchDescriptor().ordered(by: .descending(\.key)).sectioned(by: \.section),
      precedes: { a, b in
        a.section != b.section ? a.section < b.section : a.key != b.key ? a.key > b.key : a.id < b.id
      }, isSectioned: true),
    List(
      name: "section a with notes",
      request: FetchDescriptor().filter(#Predicate { $0.section == "a" && $0.note != nil })
        .ordered(by: .ascending(\.key)),
      isListed: { $0.section == "a" && $0.note != nil }),
    List(
      name: "the first three small keys",
      request: FetchDescriptor().filter(#Predicate { $0.key < 3 }).ordered(by: .ascending(\.key)).limit(3),
      isListed: { $0.key < 3 }, window: 0..<3),
    List(
      name: "two after the first two", request: FetchDescriptor.byKey.limit(2).offset(2), window: 2..<4),
    List(
      name: "all without a word of notes", request: FetchDescriptor.byKey.ignoringChanges(to: \.note)),
  ]

  /// A list, and what a listener has made of its differences.
  private struct Watched {
    var list: List
    var controller: FetchController<Item>
    var changes: FetchChanges<Int>.Iterator
    var replayed: DiffableSnapshot<FetchSectionID, Int>
  }

  /// Plays steps.
  /// - Returns: What is wrong, and after which step; nil when the law holds.
  /// - Parameter namesColumns: Whether the store says which columns its tables have.
  static func failure(
    of steps: [DraftStep], on store: any DraftLawStore, namesColumns: Bool = true,
    rules: LawDatabase.Rules = .none
  ) async throws -> String? {
    let interrupted = InterruptedStore(store.saving, namesColumns: namesColumns)
    let draft = FetchDraft(of: interrupted)
    var oracle = DraftOracle()
    oracle.rules = rules
    var watched: [Watched] = []
    func open(_ list: List) async throws {
      let controller = FetchController(list.request, in: draft)
      let first = try await controller.performFetch()
      let changes = controller.changes.makeAsyncIterator()
      _ = try await changes.next()
      watched.append(Watched(list: list, controller: controller, changes: changes, replayed: first))
    }
    let late = Set(steps.compactMap { step in if case .open(let list) = step { list } else { nil } })
    for list in lists.indices where !late.contains(list) { try await open(lists[list]) }
    for (number, step) in steps.enumerated() {
      func at(_ text: String) -> String { "step \(number), \(step): \(text)" }
      if case .open(let list) = step {
        try await open(lists[list])
      } else if case .saving(let policy, let steps, let fails) = step {
        let shown = watched.map { ($0.list, $0.controller) }
        let failure = try await save(policy, steps, fails, draft, interrupted, shown, &oracle) {
          if !$0.isEmpty { try await store.write($0, origin: nil) }
        }
        if let failure { return at(failure) }
      } else if case .write(let policy, let writes, let steps, let fails) = step {
        let failure = try await write(policy, writes, steps, fails, draft, interrupted, &oracle) {
          if !$0.isEmpty { try await store.write($0, origin: nil) }
        }
        if let failure { return at(failure) }
      } else if let failure = try await perform(step, draft, store, &oracle) {
        return at(failure)
      }
      await draft.waitUntilCurrent()
      let rows = oracle.rows
      for position in watched.indices {
        let (list, controller) = (watched[position].list, watched[position].controller)
        await controller.waitUntilCurrent()
        let expected = try list.expected(rows)
        guard let snapshot = controller.snapshot, snapshot == expected else {
          return at("“\(list.name)” is \(controller.snapshot.map { "\($0)" } ?? "nil"), not \(expected)")
        }
        // One change may bring several steps, and a step that changes nothing none.
        while watched[position].replayed != expected {
          guard let change = try await watched[position].changes.next() else { return at("a stream ended") }
          watched[position].replayed = try watched[position].replayed.applying(change.difference)
        }
        for id in snapshot.itemIdentifiers where controller.object(for: id) != rows[id] {
          return at("the object \(id) is \(String(describing: controller.object(for: id))), not \(rows[id]!)")
        }
        // A list that is read now, with its limit, is the same.
        let fresh = FetchController(list.request.filter(#Predicate { $0.id > -1 }), in: draft)
        let read = try await fresh.performFetch()
        if read != expected { return at("“\(list.name)” is read as \(read), not \(expected)") }
      }
      if let failure = compare(draft, oracle) { return at(failure) }
    }
    return nil
  }

  private static func compare(_ draft: FetchDraft, _ oracle: DraftOracle) -> String? {
    if draft.hasChanges != !oracle.pending.isEmpty { return "hasChanges is \(draft.hasChanges)" }
    for id in 0..<8 {
      let state = draft.state(of: Item.self, id)
      if !oracle.agrees(with: state, id) {
        return "the state of \(id) is \(state), not \(String(describing: oracle.pending[id]))"
      }
    }
    return nil
  }

  private static func perform(
    _ step: DraftStep, _ draft: FetchDraft, _ store: any DraftLawStore, _ oracle: inout DraftOracle
  ) async throws -> String? {
    switch step {
    case .commit(let writes):
      try await store.write(writes, origin: nil)
      oracle.commit(writes)
    case .edit(let writes):
      try draft.edit("edit") { edit in try edit.perform(writes) }
      oracle.edit(writes)
    case .undo:
      try draft.undo()
      oracle.undoLast()
    case .redo:
      try draft.redo()
      oracle.redoLast()
    case .discard(let ids):
      if let ids { draft.discard(Item.self, ids) } else { draft.discard() }
      oracle.discard(ids.map(Set.init))
    case .save(let policy):
      let expected = oracle.save(policy)
      do {
        try await draft.save(policy: policy)
        if !expected.isEmpty { return "there was no conflict about \(expected.sorted())" }
      } catch let conflict as DraftConflict {
        let ids = Set(conflict.rows.map(\.id))
        if ids != Set(expected.map { .integer(Int64($0)) }) || expected.isEmpty {
          return "the conflict is about \(ids), not \(expected.sorted())"
        }
      }
    case .reset: try await store.reset()
    case .saving, .write, .open: break
    }
    return nil
  }

  /// Leaves out steps, and writes of steps, as long as the law does not hold.
  static func shrink(
    _ steps: [DraftStep], namesColumns: Bool, rules: LawDatabase.Rules,
    _ store: () async throws -> any DraftLawStore
  ) async throws -> [DraftStep] {
    var steps = steps
    var isShorter = true
    while isShorter {
      isShorter = false
      var position = 0
      while position < steps.count {
        var fewer = steps
        fewer.remove(at: position)
        let found = try? await failure(
          of: fewer, on: store(), namesColumns: namesColumns, rules: rules)
        if found != nil {
          steps = fewer
          isShorter = true
        } else {
          position += 1
        }
      }
    }
    return steps
  }
}
