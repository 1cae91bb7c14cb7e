public import LiveStore
import Synchronization

extension FetchDraft {
  /// Saves all pending changes in one transaction.
  ///
  /// Each row stays pending until its commit comes round, so that lists show no other values in between. Saves of one draft are
  /// made one after another. What is edited while a save is under way is pending after it.
  /// - Parameters:
  ///   - policy: The rule for rows that somebody else has changed.
  ///   - origin: A tag that travels with the commit to every listener.
  /// - Throws: ``DraftConflict``, or the store's error. Nothing was then written, and all is pending as before.
  /// - Complexity: O(*k* log *n*) for *k* pending rows in a table of *n*.
  public func save(policy: DraftPolicy = .mergeColumns, origin: String? = nil) async throws {
    try await save(policy, origin) { _ in true }
  }

  /// Saves the pending changes of some rows in one transaction.
  /// - Parameters:
  ///   - type: The rows' model.
  ///   - ids: The primary keys.
  ///   - policy: The rule for rows that somebody else has changed.
  ///   - origin: A tag that travels with the commit to every listener.
  /// - Throws: As ``save(policy:origin:)``.
  public func save<Model: FetchModel>(
    _ type: Model.Type, _ ids: [Model.ID], policy: DraftPolicy = .mergeColumns, origin: String? = nil
  ) async throws {
    let table = type.fetchTable
    let keys = Set(ids.compactMap { $0.fetchValue(as: table.id.type) }.map { DraftKey(table.name, $0) })
    try await save(policy, origin, keys.contains)
  }

  /// Makes edits, shows them at once, and saves them. When that fails they are taken back.
  ///
  /// Rows that were edited again meanwhile stay as they are; other pending rows are not saved. A row that was pending before
  /// is saved with all of its changes.
  /// - Parameters:
  ///   - name: A name for the step of undo.
  ///   - policy: The rule for rows that somebody else has changed.
  ///   - origin: A tag that travels with the change to every listener.
  ///   - body: Makes the edits. When it throws, none is made.
  /// - Returns: What `body` returns.
  /// - Throws: As ``edit(_:origin:_:)`` and ``save(policy:origin:)``.
  @discardableResult
  public func write<Result>(
    _ name: String = "", policy: DraftPolicy = .mergeColumns, origin: String? = nil,
    _ body: (DraftEdit) throws -> Result
  ) async throws -> Result {
    let (result, edit) = try makeEdit(name, origin, body)
    do {
      try await save(policy, origin, edit.keys.contains)
    } catch {
      if edit.isEmpty { throw error }
      perform { core in
        let effects = core.layer.revert(serial: edit.serial)
        return ((), core.notices(of: effects, origins: origin.map { [$0] } ?? []))
      }
      throw error
    }
    return result
  }

  private func save(
    _ policy: DraftPolicy, _ origin: String?, _ isWanted: @escaping @Sendable (DraftKey) -> Bool
  ) async throws {
    await saves.begin()
    defer { saves.end() }
    let (changes, tag) = core.withLock { core -> ([DraftChange], String) in
      let tag = "draft \(ObjectIdentifier(self).hashValue) \(core.makeNumber())"
      core.savingTag = tag
      return (core.layer.beginSaving(isWanted).map { core.change($0.key, $0.row) }, tag)
    }
    if changes.isEmpty { return core.withLock { $0.savingTag = nil } }
    do {
      try await base.save(changes, policy: policy, origins: (origin.map { [$0] } ?? []) + [tag])
    } catch {
      core.withLock { core in
        core.savingTag = nil
        core.layer.saveFailed()
      }
      throw error
    }
    // After this all commits have come round. Rows that none has named were not written.
    await base.settle()
    perform { core in
      core.savingTag = nil
      let effects = core.layer.finishSaving()
      return ((), core.notices(of: effects, origins: []))
    }
  }
}

/// Lets one save after another through, in their order.
final class SaveQueue: Sendable {
  private struct State {
    var isBusy = false
    var waiting: [CheckedContinuation<Void, Never>] = []
  }
  private let state = Mutex(State())

  func begin() async {
    await withCheckedContinuation { continuation in
      let isFree = state.withLock { state in
        if state.isBusy {
          state.waiting.append(continuation)
          return false
        }
        state.isBusy = true
        return true
      }
      if isFree { continuation.resume() }
    }
  }

  func end() {
    let next = state.withLock { state -> CheckedContinuation<Void, Never>? in
      if state.waiting.isEmpty {
        state.isBusy = false
        return nil
      }
      return state.waiting.removeFirst()
    }
    next?.resume()
  }
}
