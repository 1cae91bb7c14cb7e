#if canImport(ObjectiveC)
  public import Foundation

  extension FetchDraft {
    /// Makes edits, and registers their undo with an undo manager: the menu's Undo and Redo then are the draft's.
    ///
    /// The manager is to be used for the edits of one draft alone: both go through their steps in the same order. A step that
    /// cannot be undone just now, because the store fails, is done by the manager's next one instead.
    /// - Parameters:
    ///   - name: The action's name.
    ///   - manager: The undo manager of the window or the document.
    ///   - body: Makes the edits. When it throws, none is made.
    /// - Returns: What `body` returns.
    /// - Throws: As ``edit(_:origin:_:)``.
    @MainActor
    @discardableResult
    public func edit<Result>(
      _ name: String, registeringWith manager: UndoManager, _ body: (DraftEdit) throws -> Result
    ) throws -> Result {
      try edit(name, body) { [weak manager] perform in
        // The manager does not keep its target, and may outlive the draft: the function keeps one.
        let target = UndoTarget()
        manager?.registerUndo(withTarget: target) { [target] _ in
          withExtendedLifetime(target) { MainActor.assumeIsolated { perform() } }
        }
        if !name.isEmpty { manager?.setActionName(name) }
      }
    }
  }

  /// The target of a registered step.
  private final class UndoTarget: Sendable {}
#endif

extension FetchDraft {
  /// Registers a step with an undo manager: it is given the function that performs the step.
  typealias StepRegistration = @MainActor (_ perform: @escaping @MainActor @Sendable () -> Void) -> Void

  /// Makes edits, and registers their undo unless they set what was there.
  @MainActor
  func edit<Result>(
    _ name: String, _ body: (DraftEdit) throws -> Result, registering register: @escaping StepRegistration
  ) throws -> Result {
    let (result, edit) = try makeEdit(name, nil, body)
    if edit != nil { registerStep(.undo, register) }
    return result
  }

  /// Registers a step, which when it is performed registers the one that takes it back.
  @MainActor
  private func registerStep(_ direction: DraftDirection, _ register: @escaping StepRegistration) {
    register { [weak self] in
      guard let self else { return }
      let isDone = (try? direction == .undo ? undo() : redo()) ?? false
      registerStep(isDone == (direction == .undo) ? .redo : .undo, register)
    }
  }
}
