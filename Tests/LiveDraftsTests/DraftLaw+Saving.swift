import LiveDrafts
import LiveFetch
import LiveListsTestSupport
import Synchronization

extension DraftLaw {
  /// A step that needs the draft alone.
  private static func perform(_ step: DraftStep, _ draft: FetchDraft) throws {
    switch step {
    case .edit(let writes): try draft.edit("edit") { edit in try edit.carryOut(writes) }
    case .undo: try draft.undo()
    case .redo: try draft.redo()
    case .discard(let ids): if let ids { draft.discard(Item.self, ids) } else { draft.discard() }
    default: break
    }
  }

  private static func perform(_ step: DraftStep, _ oracle: inout DraftOracle) {
    switch step {
    case .edit(let writes): oracle.edit(writes)
    case .undo: oracle.undoLast()
    case .redo: oracle.redoLast()
    case .discard(let ids): oracle.discard(ids.map(Set.init))
    default: break
    }
  }

  /// Saves, with steps while the save is under way. All is to be as if these came after it, or, where it fails, as if it had not
  /// been tried; and lists are to show no other values meanwhile.
  static func save(
    _ policy: DraftPolicy, _ steps: [DraftStep], _ fails: Bool, _ draft: FetchDraft,
    _ store: InterruptedStore, _ lists: [(List, FetchController<Item>)], _ oracle: inout DraftOracle
  ) async throws -> String? {
    struct Failing: Error {}
    var saved = oracle
    let conflicts = saved.save(policy)
    var states: [[Int: Item]] = []
    for step in steps {
      perform(step, &saved)
      perform(step, &oracle)
      states.append(saved.rows)
    }
    if !draft.hasChanges {
      for step in steps { try perform(step, draft) }
      return nil
    }
    let found = Finding()
    let expected = states
    store.interrupt {
      for (number, step) in steps.enumerated() {
        try perform(step, draft)
        for (list, controller) in lists where conflicts.isEmpty {
          await controller.waitUntilCurrent()
          let rows = try list.expected(expected[number])
          if controller.snapshot != rows {
            found.note("while saving, after \(step), “\(list.name)” is not \(rows)")
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

  private final class Finding: Sendable {
    private let first = Mutex<String?>(nil)
    func note(_ text: String) { first.withLock { $0 = $0 ?? text } }
    var text: String? { first.withLock { $0 } }
  }
}
