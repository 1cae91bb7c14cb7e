import Foundation
import LiveDrafts
import LiveFetch
import LiveListsTestSupport
import Snapshots
import Synchronization
import Testing

/// From an edit to the saved row a row is touched once, over every store.
@Suite("No list flickers when a draft is saved")
struct FlickerTests {
  /// An observer that keeps its notifications.
  private final class Recorder: Sendable {
    private let seen = Mutex<[FetchStoreEvent]>([])
    func record(_ event: FetchStoreEvent) { seen.withLock { $0.append(event) } }
    var events: [FetchStoreEvent] { seen.withLock { $0 } }

    /// How often each row was named.
    var touches: [FetchValue: Int] {
      var counts: [FetchValue: Int] = [:]
      for event in events {
        if case .changes(let changes) = event { for row in changes.rows { counts[row.id, default: 0] += 1 } }
      }
      return counts
    }

    var hasReset: Bool { events.contains { if case .reset = $0 { true } else { false } } }
  }

  static func isUntouchedBySave(_ subject: any DraftLawStore) async throws {
    try await subject.write((0..<30).map { .put(Item(id: $0, section: "a", key: $0)) }, origin: nil)
    let draft = FetchDraft(of: subject.saving)
    let lists = [
      FetchController(.byKey, in: draft),
      FetchController(.byKey.sectioned(by: \.section), in: draft),
      FetchController(.byKey.limit(5).offset(1), in: draft),
      FetchController(.byKey.filter(#Predicate { $0.section == "a" }), in: draft),
    ]
    var listeners: [FetchChanges<Int>.Iterator] = []
    for list in lists {
      try await list.performFetch()
      listeners.append(list.changes.makeAsyncIterator())
      _ = try await listeners[listeners.count - 1].next()
    }
    let recorder = Recorder()
    let observation = draft.observe(try lists[0].request.plan()) { recorder.record($0) }
    defer { observation.cancel() }
    try draft.edit(origin: "edit") { edit in
      try edit.update(Item.self, id: 1) { $0.key = 100 }
      try edit.update(Item.self, id: 2) { $0.section = "b" }
      try edit.insert(Item(id: 40, section: "a", key: 2))
      try edit.delete(Item.self, id: 3)
    }
    for listener in listeners { #expect(try await listener.next()?.origins == ["edit"]) }
    let shown = lists.map(\.snapshot)
    try await draft.save(origin: "save")
    #expect(!draft.hasChanges)
    #expect(lists.map(\.snapshot) == shown)
    #expect(recorder.touches == [.integer(1): 1, .integer(2): 1, .integer(40): 1, .integer(3): 1])
    #expect(!recorder.hasReset && recorder.events.count == 1)
    // The next change of each list is that of the next commit, and names none of these rows.
    try await subject.write([.put(Item(id: 5, section: "a", key: -5))], origin: "later")
    for (list, listener) in zip(lists, listeners) {
      let change = try #require(try await listener.next())
      #expect(change.origins == ["later"], "\(list.request)")
      #expect(
        Set(change.inserted + change.deleted + change.moved + change.updated).isDisjoint(with: [1, 2, 40, 3]))
    }
    let positions = recorder.events.map(\.position)
    #expect(zip(positions, positions.dropFirst()).allSatisfy { $0 < $1 })
    #expect(try await lists[0].objects(for: [1, 2, 40]).mapValues(\.key) == [1: 100, 2: 2, 40: 2])
  }

  @Test("In memory") func inMemory() async throws { try await Self.isUntouchedBySave(InMemoryStore()) }

  @Test("Over another draft") func overDraft() async throws {
    try await Self.isUntouchedBySave(DraftOverDraftTests.Subject())
  }
}
