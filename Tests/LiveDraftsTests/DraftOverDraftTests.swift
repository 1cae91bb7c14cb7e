import LiveDrafts
import LiveFetch
import LiveListsTestSupport
import Snapshots
import Testing

@Suite("A draft over a draft")
struct DraftOverDraftTests {
  /// A draft as the store of another: others write by editing it.
  final class Subject: DraftLawStore {
    let memory = InMemoryStore()
    let draft: FetchDraft
    var store: any FetchStore { draft }
    var saving: any DraftSaving { draft }

    init() { draft = FetchDraft(of: memory) }

    func write(_ writes: [ConformanceWrite], origin: String?) async throws {
      try draft.edit(origin: origin) { edit in try edit.perform(writes) }
    }
    func write(_ samples: [ConformanceSample]) async throws {
      try draft.edit { edit in try edit.perform(samples) }
    }
    func writeAndRollBack(_ writes: [ConformanceWrite]) async throws {}
    func close() async throws { memory.close() }
    func reset() async throws { memory.reset() }
  }

  @Test(
    "A list over it, its objects and differences are right after each edit below",
    arguments: [1, 2, 3] as [UInt64])
  func lists(_ seed: UInt64) async throws {
    try await FetchStoreConformance(seed: seed).listsFollow(Subject())
    try await FetchStoreConformance(seed: seed).sectionsAreOfValues(Subject())
    try await FetchStoreConformance(seed: seed).objectsFollow(Subject())
  }

  @Test("Saving the upper one is an edit of the lower one, which is saved and undone by itself")
  func savingUp() async throws {
    let subject = Subject()
    subject.memory.put(Item(id: 1, section: "a", key: 1), Item(id: 2, section: "a", key: 2))
    let (lower, upper) = (subject.draft, FetchDraft(of: subject.draft))
    let (below, above) = (FetchController(.byKey, in: lower), FetchController(.byKey, in: upper))
    try await below.performFetch()
    try await above.performFetch()
    try upper.edit("Above") { edit in try edit.update(Item.self, id: 1) { $0.key = 5 } }
    #expect(above.snapshot?.itemIdentifiers == [2, 1] && below.snapshot?.itemIdentifiers == [1, 2])
    try lower.edit("Below") { edit in try edit.update(Item.self, id: 1) { $0.key = 4 } }
    #expect(upper.conflicts.count == 1)
    await #expect(throws: DraftConflict.self) { try await upper.save() }
    try await upper.save(policy: .mine)
    #expect(!upper.hasChanges && below.snapshot?.itemIdentifiers == [2, 1])
    #expect(try subject.memory.items[1]?.key == 1)
    try lower.undo()
    #expect(above.snapshot?.itemIdentifiers == [2, 1] && above.object(for: 1)?.key == 4)
    try lower.redo()
    try await lower.save()
    #expect(try subject.memory.items[1]?.key == 5)
  }
}

extension DraftLawTests {
  @Test("The same over another draft", arguments: seeds.prefix(max(4, seeds.count / 4)))
  func overDraft(_ seed: UInt64) async throws { try await Self.holds(seed) { DraftOverDraftTests.Subject() } }

  @Test("Histories that were found over another draft")
  func againOverDraft() async throws {
    for steps in Self.foundOverDraft {
      // The lists are opened at the end, so that the draft starts without any.
      let late = steps + DraftLaw.lists.indices.map { DraftStep.open($0) }
      for namesColumns in [true, false] {
        let failure = try await DraftLaw.failure(
          of: late, on: DraftOverDraftTests.Subject(), namesColumns: namesColumns)
        #expect(failure == nil)
      }
    }
  }
}
