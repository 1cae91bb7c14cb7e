import LiveDrafts
import LiveFetch
import LiveListsTestSupport
import Snapshots
import Synchronization

extension DraftLaw {
  private static func perform(
    _ step: DraftStep, _ draft: FetchDraft, _ writeTheirs: ([ConformanceWrite]) async throws -> Void
  ) async throws {
    switch step {
    case .edit(let writes): try draft.edit("edit") { edit in try edit.perform(writes) }
    case .undo: try draft.undo()
    case .redo: try draft.redo()
    case .discard(let ids): if let ids { draft.discard(Item.self, ids) } else { draft.discard() }
    case .commit(let writes):
      try await writeTheirs(writes)
      await draft.waitUntilCurrent()
    default: break
    }
  }

  /// A step in the model of the draft if the save succeeds, and in that if it fails: the same edits are made to both, and the same
  /// event is undone, where it is one in both.
  static func perform(
    _ step: DraftStep, _ saved: inout DraftOracle, _ unsaved: inout DraftOracle
  ) {
    saved.number = max(saved.number, unsaved.number)
    unsaved.number = saved.number
    switch step {
    case .edit(let writes):
      let edits = saved.edit(writes)
      // What changes nothing is no edit, also if the save fails.
      if saved.undoNumber == saved.number { unsaved.repeat(edits) }
    case .undo:
      if let number = saved.undoNumber, number == unsaved.undoNumber { unsaved.undoLast() }
      saved.undoLast()
    case .redo:
      if let number = saved.redoNumber, number == unsaved.redoNumber { unsaved.redoLast() }
      saved.redoLast()
    case .discard(let ids):
      saved.discard(ids.map(Set.init))
      unsaved.discard(ids.map(Set.init))
    case .commit(let writes):
      saved.commit(writes)
      unsaved.commit(writes)
    default: break
    }
  }

  /// Saves, with steps while the save is under way. All is to be as if these came after it, or, where it fails, as if it had not
  /// been tried; and lists are to show no other values meanwhile. A commit of others, the first of the steps, is before it. Later
  /// ones are of rows that the save does not write: with these it makes no difference which of the two was first.
  static func save(
    _ policy: DraftPolicy, _ steps: [DraftStep], _ fails: Bool, _ draft: FetchDraft,
    _ store: InterruptedStore, _ lists: [(List, FetchController<Item>)], _ oracle: inout DraftOracle,
    writeTheirs: @escaping @Sendable ([ConformanceWrite]) async throws -> Void
  ) async throws -> String? {
    struct Failing: Error {}
    var steps = steps
    var theirs: [ConformanceWrite] = []
    let taken = Set(oracle.pending.keys)
    if case .commit(let writes)? = steps.first {
      theirs = writes
      steps.removeFirst()
      oracle.commit(writes)
    }
    steps = steps.map { step in
      guard case .commit(let writes) = step else { return step }
      return .commit(writes.filter { !taken.contains($0.id) })
    }
    var saved = oracle
    let conflicts = saved.save(policy)
    // Until it fails, a draft shows what it is to save.
    if !conflicts.isEmpty { _ = saved.save(.mine) }
    var states: [[Int: Item]] = []
    for step in steps {
      perform(step, &saved, &oracle)
      states.append(saved.rows)
    }
    if !draft.hasChanges {
      oracle = saved
      try await writeTheirs(theirs)
      await draft.waitUntilCurrent()
      for step in steps { try await perform(step, draft, writeTheirs) }
      return nil
    }
    let found = Finding()
    let expected = states
    let meanwhile = (theirs, steps)
    store.interrupt {
      let (theirs, steps) = meanwhile
      try await writeTheirs(theirs)
      await draft.waitUntilCurrent()
      for (number, step) in steps.enumerated() {
        try await perform(step, draft, writeTheirs)
        for (list, controller) in lists where conflicts.isEmpty {
          await controller.waitUntilCurrent()
          let rows = try list.expected(expected[number])
          if controller.snapshot != rows {
            found.note("while saving, after \(step), “\(list.name)” is not \(rows)")
          }
          for id in rows.itemIdentifiers where controller.object(for: id) != expected[number][id] {
            let object = String(describing: controller.object(for: id))
            found.note("while saving, after \(step), the object \(id) is \(object)")
          }
        }
      }
      if fails { throw Failing() }
    }
    do {
      try await draft.save(policy: policy)
      if fails || !conflicts.isEmpty { return "the save did not fail" }
      oracle = saved
    } catch is Failing {
      if !fails { return "it fails" }
    } catch is DraftConflict {
      if conflicts.isEmpty { return "there is a conflict" }
    }
    return found.text
  }

  /// Writes, with a commit of others and edits of other rows meanwhile. Where it fails all is as if it had not been tried.
  static func write(
    _ policy: DraftPolicy, _ writes: [ConformanceWrite], _ steps: [DraftStep], _ fails: Bool,
    _ draft: FetchDraft, _ store: InterruptedStore, _ oracle: inout DraftOracle,
    writeTheirs: @escaping @Sendable ([ConformanceWrite]) async throws -> Void
  ) async throws -> String? {
    struct Failing: Error {}
    var unwritten = oracle
    let ids = oracle.write(writes)
    let isSaved = !ids.isDisjoint(with: oracle.pending.keys)
    // What is said to happen while nothing is saved does not.
    let steps: [DraftStep] = steps.compactMap { step in
      if !isSaved { return nil }
      guard case .edit(let writes) = step else { return step }
      return .edit(writes.filter { !ids.contains($0.id) })
    }
    func follow(_ oracle: inout DraftOracle, _ isWanted: (DraftStep) -> Bool) {
      for step in steps where isWanted(step) {
        if case .edit(let writes) = step { oracle.edit(writes) }
        if case .commit(let writes) = step { oracle.commit(writes) }
      }
    }
    follow(&oracle) { if case .commit = $0 { true } else { false } }
    let conflicts = oracle.save(policy, only: ids)
    follow(&oracle) { if case .edit = $0 { true } else { false } }
    if isSaved {
      store.interrupt {
        for step in steps { try await perform(step, draft, writeTheirs) }
        if fails { throw Failing() }
      }
    }
    do {
      try await draft.write("edit", policy: policy) { edit in try edit.perform(writes) }
      if isSaved, fails || !conflicts.isEmpty { return "the write did not fail" }
      return nil
    } catch is Failing {
      if !fails || !isSaved { return "it fails" }
    } catch is DraftConflict {
      if conflicts.isEmpty { return "there is a conflict" }
    }
    follow(&unwritten) { _ in true }
    oracle = unwritten
    return nil
  }

  private final class Finding: Sendable {
    private let first = Mutex<String?>(nil)
    func note(_ text: String) { first.withLock { $0 = $0 ?? text } }
    var text: String? { first.withLock { $0 } }
  }
}
