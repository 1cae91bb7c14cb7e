import LiveDrafts
import LiveFetch
import LiveListsTestSupport
import Snapshots
import Synchronization
import Testing

/// A store into which somebody writes between a draft's taking of its changes and the transaction that saves them, or between that and
/// the draft's next step.
final class InterruptedStore: ForwardingStore {
  let base: any DraftSaving
  private struct Interruption {
    var before: @Sendable () async throws -> Void
    var after: @Sendable () async throws -> Void
  }
  private let interruption = Mutex<Interruption?>(nil)

  /// Whether it says which columns its tables have.
  let namesColumns: Bool

  init(_ base: any DraftSaving, namesColumns: Bool = true) {
    (self.base, self.namesColumns) = (base, namesColumns)
  }

  func columnNames(of table: String) throws -> [String]? {
    try namesColumns ? base.columnNames(of: table) : nil
  }

  /// Has something happen at the next save.
  func interrupt(
    _ before: @escaping @Sendable () async throws -> Void,
    after: @escaping @Sendable () async throws -> Void = {}
  ) {
    interruption.withLock { $0 = Interruption(before: before, after: after) }
  }

  private func interrupted(_ save: () async throws -> Void) async throws {
    let interruption = interruption.withLock { interruption in
      defer { interruption = nil }
      return interruption
    }
    try await interruption?.before()
    do {
      try await save()
    } catch {
      // The draft may try another order of the rows.
      if let interruption {
        self.interruption.withLock { $0 = Interruption(before: {}, after: interruption.after) }
      }
      throw error
    }
    try await interruption?.after()
  }

  func save(_ changes: [DraftChange], policy: DraftPolicy, origins: [String]) async throws {
    try await interrupted { try await base.save(changes, policy: policy, origins: origins) }
  }

  func save(
    _ changes: [DraftChange], policy: DraftPolicy, origins: [String],
    tables: @escaping @Sendable () -> [String: FetchPlan.Column],
    report: @escaping @Sendable ([DraftEffect]) -> Void
  ) async throws {
    try await interrupted {
      try await base.save(changes, policy: policy, origins: origins, tables: tables, report: report)
    }
  }
}

@Suite("Saving a draft where somebody else was there first")
struct PolicyTests {
  enum Mine: CaseIterable { case update, delete, insert }
  enum Theirs: CaseIterable { case otherColumn, sameColumn, sameValue, gone, keyTaken, sameRow }
  /// When the others write: before the save, so that the draft knows of it, or right before its transaction.
  enum When: CaseIterable { case known, unknown }

  struct Case: Sendable, CustomTestStringConvertible {
    var mine: Mine
    var theirs: Theirs
    var policy: DraftPolicy
    var when: When
    var testDescription: String { "\(mine), theirs \(theirs), \(policy), \(when)" }

    /// The row afterwards; nil where the save is refused.
    var result: Item?? {
      switch (mine, theirs, policy) {
      case (.update, .otherColumn, .fail): nil
      case (.update, .otherColumn, _): Item(id: 1, section: "z", key: 5)
      case (.update, .sameColumn, .fail), (.update, .sameColumn, .mergeColumns): nil
      case (.update, .sameColumn, .mine): Item(id: 1, section: "a", key: 5)
      case (.update, .sameColumn, .theirs): Item(id: 1, section: "a", key: 7)
      case (.update, .sameValue, _): Item(id: 1, section: "a", key: 5)
      case (.update, .gone, .fail), (.update, .gone, .mergeColumns): nil
      case (.update, .gone, .mine): Item(id: 1, section: "a", key: 5)
      case (.update, .gone, .theirs): .some(nil)
      case (.delete, .gone, _): .some(nil)
      case (.delete, _, .fail), (.delete, _, .mergeColumns): nil
      case (.delete, _, .mine): .some(nil)
      case (.delete, _, .theirs): write
      case (.insert, .sameRow, _): Item(id: 2, section: "b", key: 9)
      case (.insert, _, .fail), (.insert, _, .mergeColumns): nil
      case (.insert, _, .mine): Item(id: 2, section: "b", key: 9)
      case (.insert, _, .theirs): write
      // Not among the cases: keys are taken from those who insert.
      case (.update, .keyTaken, _), (.update, .sameRow, _): nil
      }
    }

    /// The row as the others leave it.
    var write: Item? {
      switch theirs {
      case .otherColumn: Item(id: 1, section: "z", key: 1)
      case .sameColumn: Item(id: 1, section: "a", key: 7)
      case .sameValue: Item(id: 1, section: "a", key: 5)
      case .gone: nil
      case .keyTaken: Item(id: 2, section: "b", key: 8)
      case .sameRow: Item(id: 2, section: "b", key: 9)
      }
    }

    var id: Int { mine == .insert ? 2 : 1 }

    static let all: [Case] = Mine.allCases.flatMap { mine in
      Theirs.allCases.filter { ($0 == .keyTaken || $0 == .sameRow) == (mine == .insert) }.flatMap { theirs in
        DraftPolicy.allCases.flatMap { policy in
          When.allCases.map { Case(mine: mine, theirs: theirs, policy: policy, when: $0) }
        }
      }
    }
  }

  /// Plays a case.
  /// - Parameters:
  ///   - write: Writes as somebody else.
  ///   - rows: Reads what is in the store.
  static func play(
    _ example: Case, _ subject: any DraftLawStore,
    _ write: @escaping @Sendable ([ConformanceWrite]) async throws -> Void,
    rows: () async throws -> [Int: Item]
  ) async throws {
    let (old, other) = (Item(id: 1, section: "a", key: 1), Item(id: 3, section: "c", key: 3))
    try await subject.write([.put(old), .put(other)], origin: nil)
    let store = InterruptedStore(subject.saving)
    let draft = FetchDraft(of: store)
    let list = FetchController(.byKey, in: draft)
    try await list.performFetch()
    try draft.edit("edit") { edit in
      switch example.mine {
      case .update: try edit.update(old) { $0.key = 5 }
      case .delete: try edit.delete(Item.self, id: 1)
      case .insert: try edit.insert(Item(id: 2, section: "b", key: 9))
      }
      try edit.update(other) { $0.note = "mine" }
    }
    let shown = list.snapshot
    let writes: [ConformanceWrite] = [example.write.map { .put($0) } ?? .remove(1)]
    switch example.when {
    case .known: try await write(writes)
    case .unknown: store.interrupt { try await write(writes) }
    }
    guard let result = example.result else {
      do {
        try await draft.save(policy: example.policy)
        Issue.record("The save was not refused.")
      } catch let conflict as DraftConflict {
        #expect(conflict.rows.map(\.id) == [.integer(Int64(example.id))])
        #expect(conflict.rows.first?.theirs == example.write?.values)
        #expect(conflict.rows.first?.base == (example.mine == .insert ? nil : old.values))
        #expect(
          !conflict.description.contains("changed in ;") && !conflict.description.contains("changed in ."))
      }
      // Nothing was written, nothing is lost, and the list shows what it did.
      #expect(
        try await rows()
          == (example.id == 1 ? [3: other] : [1: old, 3: other]).merging(
            [example.id: example.write].compactMapValues(\.self)
          ) { $1 })
      await list.waitUntilCurrent()
      #expect(list.snapshot == shown)
      #expect(draft.changes.count == 2)
      if example.policy == .mergeColumns {
        #expect(draft.conflicts.map(\.id) == [.integer(Int64(example.id))])
      }
      try await draft.save(policy: .mine)
      #expect(!draft.hasChanges)
      await list.waitUntilCurrent()
      #expect(list.snapshot == shown)
      return
    }
    try await draft.save(policy: example.policy)
    #expect(!draft.hasChanges)
    var expected = [1: old, 3: Item(id: 3, section: "c", key: 3, note: "mine")]
    expected[example.id] = result
    #expect(try await rows() == expected)
    await list.waitUntilCurrent()
    let shownRows = expected.values.sorted { ($0.key, $0.id) < ($1.key, $1.id) }
    #expect(list.snapshot?.itemIdentifiers == shownRows.map(\.id))
    #expect(shownRows.allSatisfy { list.object(for: $0.id) == $0 })
    // Undo leads back to what the save has found, whoever had done that, and redo to what it has left.
    try draft.undo()
    try await draft.save()
    #expect(
      try await rows()
        == [1: old, 3: other].merging([example.id: example.write ?? old]) { $1 }
        .filter { example.write != nil || $0.key != example.id })
    try draft.redo()
    try await draft.save()
    #expect(try await rows() == expected)
  }

  @Test("The four policies in every case, in memory", arguments: Case.all)
  func inMemory(_ example: Case) async throws {
    let store = InMemoryStore()
    try await Self.play(example, store, { try await store.write($0, origin: nil) }) { try store.items }
  }
}
