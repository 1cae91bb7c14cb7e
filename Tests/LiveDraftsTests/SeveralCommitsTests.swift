import Foundation
import LiveFetch
import LiveListsTestSupport
import Snapshots
import Synchronization
import Testing

@testable import LiveDrafts

/// A store that looks for commits finds several at once, and tells them as one.
@Suite("A save and others' commits that are told as one")
struct SeveralCommitsTests {
  /// Joins the commits during a save, and right after it, to one.
  private final class JoiningStore: ForwardingStore {
    private struct State {
      var isJoining = false
      var held: [Int: (receive: @Sendable (FetchStoreEvent) -> Void, changes: ChangeSet)] = [:]
      var last = 0
    }

    private let memory: InMemoryStore
    var base: any DraftSaving { memory }
    private let state = Mutex(State())
    private let (before, after): (Others, Others)
    private let isReset: Bool

    typealias Others = @Sendable (InMemoryStore) -> Void

    /// - Parameters:
    ///   - before: The writes of others that the save finds.
    ///   - after: Their writes right after it.
    ///   - isReset: Whether all of it is told as a reset.
    init(
      _ memory: InMemoryStore, before: @escaping Others = { _ in }, after: @escaping Others = { _ in },
      isReset: Bool = false
    ) {
      (self.memory, self.before, self.after, self.isReset) = (memory, before, after, isReset)
    }

    func observe(_ plan: FetchPlan, receive: @escaping @Sendable (FetchStoreEvent) -> Void)
      -> FetchObservation
    {
      let number = state.withLock { state in
        state.last += 1
        return state.last
      }
      return base.observe(plan) { [self] event in
        if !isHeld(event, number, receive) { receive(event) }
      }
    }

    /// Keeps an event for later, together with the one before, while a save is made.
    private func isHeld(
      _ event: FetchStoreEvent, _ number: Int, _ receive: @escaping @Sendable (FetchStoreEvent) -> Void
    ) -> Bool {
      state.withLock { state in
        guard state.isJoining, case .changes(var changes) = event else { return false }
        if let former = state.held[number]?.changes {
          let known = Dictionary(uniqueKeysWithValues: former.rows.map { ($0.id, $0) })
          let new = changes.rows.map { row in
            var row = row
            row.change = known[row.id]?.change.merged(with: row.change) ?? row.change
            row.lastOrigins = changes.origins
            return row
          }
          let ids = Set(new.map(\.id))
          let old = former.rows.filter { !ids.contains($0.id) }.map { row in
            var row = row
            row.lastOrigins = row.lastOrigins ?? former.origins
            return row
          }
          changes.rows = old + new
          changes.origins = former.origins + changes.origins
        }
        state.held[number] = (receive, changes)
        return true
      }
    }

    func save(_ changes: [DraftChange], policy: DraftPolicy, origins: [String]) async throws {
      state.withLock { $0.isJoining = true }
      before(memory)
      let result = await Result { try await base.save(changes, policy: policy, origins: origins) }
      after(memory)
      let held = state.withLock { state in
        defer { (state.isJoining, state.held) = (false, [:]) }
        return state.held.values
      }
      for (receive, changes) in held {
        if isReset {
          receive(
            .reset(
              FetchReset(
                position: changes.position, reason: .manyRows, origins: changes.origins, writers: .all)))
        } else {
          receive(.changes(changes))
        }
      }
      try result.get()
    }
  }

  private static let before = Item(id: 1, section: "a", key: 1)
  private static let theirs = Item(id: 1, section: "theirs", key: 1)

  private static func world(
    isBefore: Bool, isReset: Bool = false, _ others: @escaping @Sendable (InMemoryStore) -> Void
  ) async throws -> (InMemoryStore, FetchDraft, FetchController<Item>) {
    let store = InMemoryStore()
    store.put(before)
    let joining =
      isBefore ? JoiningStore(store, before: others) : JoiningStore(store, after: others, isReset: isReset)
    let draft = FetchDraft(of: joining)
    let list = FetchController(.byKey, in: draft)
    try await list.performFetch()
    return (store, draft, list)
  }

  @Test(
    "Others' value right after a save is theirs: it shows, and undo is in conflict with it",
    arguments: [false, true])
  func after(_ isEdited: Bool) async throws {
    let (store, draft, list) = try await Self.world(isBefore: false) { $0.put(Self.theirs, origin: "theirs") }
    try draft.edit { try $0.update(Item.self, id: 1) { $0.section = "mine" } }
    if isEdited { try draft.edit { try $0.update(Item.self, id: 1) { $0.note = "n" } } }
    try await draft.save()
    await list.waitUntilCurrent()
    #expect(list.object(for: 1)?.section == "theirs" && !draft.hasChanges)
    while try draft.undo() {}
    #expect(draft.conflicts.map(\.columns).contains(["section"]))
    await #expect(throws: DraftConflict.self) { try await draft.save() }
    #expect(try store.items[1]?.section == "theirs")
  }

  @Test("So is their deletion, and their new row")
  func gone() async throws {
    let (store, draft, list) = try await Self.world(isBefore: false) { $0.remove(1) }
    try draft.edit { try $0.update(Item.self, id: 1) { $0.section = "mine" } }
    try await draft.save()
    await list.waitUntilCurrent()
    #expect(list.snapshot?.itemIdentifiers == [] && !draft.hasChanges)
    try draft.undo()
    #expect(draft.conflicts.count == 1)
    #expect(try store.items.isEmpty)

    let (_, other, rows) = try await Self.world(isBefore: false) { $0.put(Self.theirs, origin: "theirs") }
    try other.edit { try $0.delete(Item.self, id: 1) }
    try await other.save()
    await rows.waitUntilCurrent()
    #expect(rows.object(for: 1) == Self.theirs && !other.hasChanges)
    try other.undo()
    #expect(other.conflicts.count == 1)
  }

  @Test(
    "So is their value of a row that the save has not written, and of which something is pending",
    arguments: [true, false])
  func pending(_ isBefore: Bool) async throws {
    let theirs = Item(id: 2, section: "theirs", key: 2)
    let (store, draft, list) = try await Self.world(isBefore: isBefore) { $0.put(theirs, origin: "theirs") }
    store.put(Item(id: 2, section: "a", key: 2))
    try draft.edit { try $0.update(Item.self, id: 1) { $0.section = "saved" } }
    try draft.edit { try $0.update(Item.self, id: 2) { $0.section = "mine" } }
    try await draft.save(Item.self, [1])
    await list.waitUntilCurrent()
    #expect(draft.conflicts.map(\.id) == [.integer(2)] && draft.changes.map(\.id) == [.integer(2)])
    await #expect(throws: DraftConflict.self) { try await draft.save() }
    #expect(try store.items[2] == theirs && store.items[1]?.section == "saved")
    try draft.undo()
    #expect(!draft.hasChanges)
    try draft.undo()
    try await draft.save()
    #expect(try store.items[1] == Self.before && store.items[2] == theirs)
  }

  @Test("So it is where all of it comes round as a reset")
  func afterInReset() async throws {
    let (store, draft, list) = try await Self.world(isBefore: false, isReset: true) {
      $0.put(Self.theirs, origin: "theirs")
    }
    try draft.edit { try $0.update(Item.self, id: 1) { $0.section = "mine" } }
    try await draft.save()
    await draft.waitUntilCurrent()
    await list.waitUntilCurrent()
    #expect(list.object(for: 1) == Self.theirs && !draft.hasChanges)
    try draft.undo()
    #expect(draft.conflicts.map(\.columns) == [["section"]])
    await #expect(throws: DraftConflict.self) { try await draft.save() }
    #expect(try store.items[1] == Self.theirs)
  }

  /// Saves that find others' write, unknown to the draft, and have nothing to change; and others' next write.
  struct Nothing: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var policy = DraftPolicy.mergeColumns
    var edit: @Sendable (DraftEdit) throws -> Void = { edit in
      try edit.update(Item.self, id: 1) { $0.section = "mine" }
    }
    var found: Item?
    var later: Item?
  }

  static let nothings = [
    Nothing(
      testDescription: "their value counts", policy: .theirs, found: theirs,
      later: Item(id: 1, section: "theirs", key: 9)),
    Nothing(
      testDescription: "the same value", found: Item(id: 1, section: "mine", key: 1),
      later: Item(id: 1, section: "mine", key: 9)),
    Nothing(testDescription: "a row that they remove then", policy: .theirs, found: theirs, later: nil),
    Nothing(
      testDescription: "the same deletion", edit: { try $0.delete(Item.self, id: 1) }, found: nil,
      later: Item(id: 1, section: "theirs", key: 9)),
  ]

  @Test("Lists are right after a save that found nothing to change, and others went on", arguments: nothings)
  func nothingToChange(_ example: Nothing) async throws {
    let store = InMemoryStore()
    store.put(Self.before)
    func write(_ item: Item?) -> JoiningStore.Others {
      { store in if let item { store.put(item, origin: "theirs") } else { store.remove(1) } }
    }
    let draft = FetchDraft(
      of: JoiningStore(store, before: write(example.found), after: write(example.later)))
    let list = FetchController(.byKey, in: draft)
    let few = FetchController(.byKey.filter(#Predicate { $0.key < 5 }), in: draft)
    for list in [list, few] { try await list.performFetch() }
    try draft.edit("", example.edit)
    try await draft.save(policy: example.policy)
    for list in [list, few] { await list.waitUntilCurrent() }
    #expect(list.object(for: 1) == example.later && !draft.hasChanges)
    #expect(list.snapshot?.itemIdentifiers == (example.later == nil ? [] : [1]))
    #expect(few.snapshot?.itemIdentifiers == [])
  }

  @Test("What they wrote before a save was overwritten by it, and undo leads to it")
  func overwritten() async throws {
    let (store, draft, _) = try await Self.world(isBefore: true) { $0.put(Self.theirs, origin: "theirs") }
    try draft.edit { try $0.update(Item.self, id: 1) { $0.section = "mine" } }
    try await draft.save(policy: .mine)
    #expect(try store.items[1]?.section == "mine")
    try draft.undo()
    #expect(draft.conflicts.isEmpty)
    try await draft.save()
    #expect(try store.items[1]?.section == "theirs")
  }
}

extension Result where Failure == any Error {
  fileprivate init(_ body: () async throws -> Success) async {
    do { self = .success(try await body()) } catch { self = .failure(error) }
  }
}
