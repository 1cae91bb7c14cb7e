public import LiveDraftStore
public import LiveStore
import Synchronization

extension FetchDraft {
  /// Saves all pending changes in one transaction.
  ///
  /// Rows are written in the order in which they were last edited, new ones in that in which they were inserted. Where the store cannot write
  /// a row in that order, as the deletion of another one has taken it along, all updates are tried before the deletions.
  ///
  /// Each row stays pending until its commit comes round, so that lists show no other values in between. Saves of one draft are
  /// made one after another. What is edited, deleted, discarded or undone while a save is under way is as if it had been done right
  /// after it; where the save fails, all is as if it had not been tried.
  /// - Parameters:
  ///   - policy: The rule for rows that somebody else has changed.
  ///   - origin: An identifier that travels with the commit to every listener.
  /// - Throws: ``DraftConflict``, the store's error, or `CancellationError` before the store begins to write. Nothing was then written, and
  ///   all is pending as before; but for an error that says so, as that of a connection which was lost during the commit. Where the store finds that
  ///   commit, the rows are saved all the same.
  /// - Complexity: O(*k* log *n*) for *k* pending rows in a table of *n*.
  public func save(policy: DraftPolicy = .mergeColumns, origin: String? = nil) async throws {
    try await save(policy, origin) { _ in true }
  }

  /// Saves the pending changes of some rows in one transaction.
  /// - Parameters:
  ///   - type: The rows' model.
  ///   - ids: The primary keys. Those of rows that are not pending are left out.
  ///   - policy: The rule for rows that somebody else has changed.
  ///   - origin: An identifier that travels with the commit to every listener.
  /// - Throws: As ``save(policy:origin:)``.
  /// - Complexity: O(*p* + *k* log *n*) for *k* of *p* pending rows in a table of *n*.
  public func save<Model: FetchModel>(
    _ type: Model.Type, _ ids: [Model.ID], policy: DraftPolicy = .mergeColumns, origin: String? = nil
  ) async throws {
    let table = type.fetchTable
    let keys = Set(ids.compactMap { $0.fetchValue(as: table.id.type) }.map { DraftKey(table.name, $0) })
    try await save(policy, origin, keys.contains)
  }

  /// Makes edits, shows them at once, and saves them. When that fails they are taken back.
  ///
  /// The edits are made on the caller's actor. When they are taken back, what was pending before is pending again. Of a row that was
  /// edited again meanwhile only these edits are taken back; a new row of which that is so stays pending. Other pending rows are not saved.
  /// A row that was pending before is saved with all of its changes, so that a value which the store refuses fails the save of whoever edits
  /// the row again before it was taken back. A row that another save has written meanwhile, with these edits, stays so.
  /// - Parameters:
  ///   - name: A name for the step of undo.
  ///   - policy: The rule for rows that somebody else has changed.
  ///   - origin: An identifier that travels with the change to every listener.
  ///   - body: Makes the edits. When it throws, none is made.
  /// - Returns: What `body` returns.
  /// - Throws: As ``edit(_:origin:_:)`` and ``save(policy:origin:)``, and ``DraftError`` of the kind ``DraftError/Kind/rowMissing`` where
  ///   the deletion of another row has taken one of the rows along meanwhile.
  /// - Complexity: As these.
  @discardableResult
  public nonisolated(nonsending) func write<Result>(
    _ name: String = "", policy: DraftPolicy = .mergeColumns, origin: String? = nil,
    _ body: (DraftEdit) throws -> Result
  ) async throws -> Result {
    let (result, edit) = try makeEdit(name, origin, isHeld: true, body)
    if let edit { try await save(policy, origin, reverting: edit.serial, edit.keys.contains) }
    return result
  }

  /// - Parameter reverted: The number of an edit that is held until then, and taken back where the save fails.
  private func save(
    _ policy: DraftPolicy, _ origin: String?, reverting reverted: UInt64? = nil,
    _ isWanted: @escaping @Sendable (DraftKey) -> Bool
  ) async throws {
    await saves.begin()
    defer {
      // Before the next save begins, which else takes the edit for one that is still to be saved.
      if let reverted { core.withLock { $0.release(edit: reverted) } }
      saves.end()
    }
    let session = beginSession()
    defer { endSession(session) }
    observeKnownTables()
    // So that the store reports the save row by row, also of a table that no list has read. Without that it is saved all the same.
    for table in core.withLock({ Array($0.layer.tables.keys) }) { try? await refresh(table) }
    let origins = origin.map { [$0] } ?? []
    if let reverted, let key = core.withLock({ $0.layer.history.lost[reverted] }) {
      takeBack(reverted, origins, hasBegun: false)
      throw DraftError(.rowMissing, key)
    }
    let (changes, origin) = core.withLock { core -> ([DraftChange], String) in
      let origin = "draft \(ObjectIdentifier(self).hashValue) \(core.makeNumber())"
      // Rows that an earlier save has taken along need no other.
      let saved = reverted.map(core.layer.history.savedKeys(of:)) ?? []
      return (
        core.beginSaving(as: origin, besides: origins, policy) { isWanted($0) && !saved.contains($0) }, origin
      )
    }
    if changes.isEmpty { return }
    do {
      // Not every store asks.
      try Task.checkCancellation()
      try await write(changes, policy, origins + [origin])
    } catch {
      // The commit may have been made all the same, as where its answer was lost, and not have come round yet.
      if !(error is DraftConflict || error is FetchError) { await base.waitUntilCurrent() }
      // Once the store has notified of it, only something after it can have failed.
      if core.withLock({ $0.attempt?.fallback == nil }) {
        await finishSave()
      } else {
        takeBack(reverted, origins)
      }
      throw error
    }
    await finishSave()
  }

  /// Has the store notify of all tables that the draft knows, where rows are to be deleted: foreign keys may act in each.
  private func observeKnownTables() {
    let tables = core.withLock { core -> [(String, FetchPlan.Column)] in
      let hasDeletions = core.layer.tables.values.contains { $0.values.contains(where: \.isDeleted) }
      return hasDeletions ? core.channels.filter { $1.observation == nil }.map { ($0, $1.key) } : []
    }
    for (table, key) in tables { observeBase(table, key, [key.name]) }
  }

  private func finishSave() async {
    // After this all commits have come round. Rows that none has named were not written.
    await base.waitUntilCurrent()
    perform { core in ((), core.endSaving()) }
    for table in core.withLock({ Array($0.layer.tables.keys) }) {
      // So that lists have the next edit at once: otherwise they have to look whether others have changed its rows.
      try? await refresh(table)
      refreshIfStale(table)
    }
  }

  /// Ends a save that has failed.
  /// - Parameters:
  ///   - reverted: The number of an edit that is taken back as well. Where it has set a pending row to what the store has, that row is
  ///     pending again as it was, over the store's row of now.
  ///   - hasBegun: Whether the save has taken any row.
  private func takeBack(_ reverted: UInt64?, _ origins: [String], hasBegun: Bool = true) {
    let session = beginSession()
    defer { endSession(session) }
    let keys = core.withLock { core in
      let layer = hasBegun ? core.attempt?.fallback : core.layer
      return Set(reverted.flatMap { layer?.history.keys(of: $0) } ?? [])
    }
    func end(_ core: inout DraftCore, _ bases: [DraftKey: StoredRow]?) -> [DraftNotice] {
      if hasBegun { return core.saveFailed(reverting: reverted, bases: bases, origins: origins) }
      return reverted.map { core.revert(edit: $0, bases: bases, origins: origins) } ?? []
    }
    do {
      try install(keys, [:], session) { core, bases in ((), end(&core, bases)) }
    } catch {
      // The rows cannot be read: they are taken to be as they were when they were edited.
      perform { core in ((), end(&core, nil)) }
    }
    for table in core.withLock({ Array($0.layer.tables.keys) }) { refreshIfStale(table) }
  }

  /// Writes changes in the order of their edits, as unique values ask for: one row gives up what another takes.
  ///
  /// Tries updates before deletions where that order fails. A foreign key that cascades may have deleted a row that is still to be
  /// updated: a row that was moved to another parent, and should outlive the former one.
  private func write(_ changes: [DraftChange], _ policy: DraftPolicy, _ origins: [String]) async throws {
    func save(_ changes: [DraftChange]) async throws {
      try await base.save(
        changes, policy: policy, origins: origins,
        tables: { [weak self] in self?.core.withLock { $0.channels.mapValues(\.key) } ?? [:] },
        report: { [weak self] effects in
          self?.core.withLock { core in
            core.layer.noteEffects(effects.filter { core.channels[$0.key.table] != nil })
          }
        })
    }
    do {
      try await save(changes)
    } catch let error as FetchError where error.kind == .row {
      guard let reordered = changes.withUpdatesBeforeDeletions else { throw error }
      do {
        try await save(reordered)
      } catch let second as FetchError where second.kind == .row {
        throw error
      }
    }
  }
}

extension [DraftChange] {
  /// The same with all updates before the first deletion; nil where they are so already.
  fileprivate var withUpdatesBeforeDeletions: Self? {
    guard let first = firstIndex(where: { $0.kind == .delete }) else { return nil }
    let later = self[first...].filter { $0.kind == .update }
    if later.isEmpty { return nil }
    return self[..<first] + later + self[first...].filter { $0.kind != .update }
  }
}
