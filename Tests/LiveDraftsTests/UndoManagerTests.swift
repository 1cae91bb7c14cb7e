import LiveFetch
import LiveListsTestSupport
import Snapshots
import Testing

@testable import LiveDrafts

@MainActor
@Suite("The bridge to an undo manager")
struct UndoManagerTests {
  /// A stand-in for Foundation's undo manager: what is registered while it undoes can be redone, and the other way round.
  @MainActor
  final class Manager {
    private(set) var undoSteps: [@MainActor @Sendable () -> Void] = []
    private(set) var redoSteps: [@MainActor @Sendable () -> Void] = []
    private enum Mode { case none, undoing, redoing }
    private var mode = Mode.none

    func register(_ perform: @escaping @MainActor @Sendable () -> Void) {
      switch mode {
      case .undoing: redoSteps.append(perform)
      case .redoing: undoSteps.append(perform)
      case .none:
        undoSteps.append(perform)
        redoSteps = []
      }
    }

    func undo() {
      mode = .undoing
      undoSteps.popLast()?()
      mode = .none
    }

    func redo() {
      mode = .redoing
      redoSteps.popLast()?()
      mode = .none
    }
  }

  @Test(
    "Its undo and redo are the draft's, in their order, and edits that set what was there are not registered")
  func bridge() async throws {
    let (_, draft, list) = try await FetchDraftTests.world()
    let manager = Manager()
    func move(_ id: Int, to key: Int) throws {
      try draft.edit("Move", { edit in try edit.update(Item.self, id: id) { $0.key = key } }) {
        manager.register($0)
      }
    }
    try move(1, to: 8)
    try move(1, to: 8)
    try move(2, to: 9)
    #expect(manager.undoSteps.count == 2)
    #expect(list.snapshot?.itemIdentifiers == [3, 1, 2])
    manager.undo()
    #expect(list.snapshot?.itemIdentifiers == [2, 3, 1])
    manager.undo()
    #expect(list.snapshot?.itemIdentifiers == [1, 2, 3] && !draft.hasChanges)
    manager.redo()
    #expect(list.snapshot?.itemIdentifiers == [2, 3, 1])
    manager.redo()
    #expect(list.snapshot?.itemIdentifiers == [3, 1, 2])
    manager.undo()
    try await draft.save()
    manager.undo()
    #expect(list.snapshot?.itemIdentifiers == [1, 2, 3] && draft.hasChanges)
  }
}
