import LiveDraftStore
public import LiveStore
import Synchronization

extension FetchDraft {
  /// Waits until all commits of the store made before the call have been notified, and ``conflicts`` and ``changes`` know of them.
  ///
  /// Mostly they do when the commit returns. Where the store cannot notify of a row as a whole, as of a table of which it has not read
  /// anything yet, the draft reads the row right after it. If that fails, they know when the next read succeeds. Of commits of other
  /// processes a store knows once it has looked for them.
  public func waitUntilCurrent() async {
    await base.waitUntilCurrent()
    for table in core.withLock({ Array($0.channels.keys) }) { await refreshWhileStale(table) }
  }

  /// Reads pending rows of a table again until they are as the store has them.
  private func refreshWhileStale(_ table: String) async {
    // A failure is that of the next read as well.
    while core.withLock({ $0.channels[table]?.needsReading ?? false }), (try? await refresh(table)) != nil {}
  }

  /// Begins to read pending rows again, where a commit was not reported row by row, without waiting for a list to ask for it.
  func refreshIfStale(_ table: String) {
    let isStale = core.withLock { core in core.channels[table]?.isStale ?? false }
    // Also commits that come while they are read may not be reported row by row.
    if isStale { Task { [weak self] in await self?.refreshWhileStale(table) } }
  }

  /// Reads the rows of a plan, with the pending rows in it.
  /// - Complexity: With *k* pending rows of the table and *n* rows of the store, O(*k* log *k* + *n*) more than the store's
  ///   read; with none, nothing.
  public func read<Result: Sendable>(
    _ plan: FetchPlan, _ body: @escaping @Sendable (any FetchRowCursor) throws -> Result
  ) async throws -> (Result, FetchPosition) {
    if plan.raw != nil { return try await base.read(plan, body) }
    if let known = otherKey(of: plan.table, than: plan.columns[0].name) {
      throw FetchError(
        .request,
        "The list of “\(plan.table)” knows rows by the column “\(plan.columns[0].name)”, and this draft by “\(known)”. Use one of them, or "
          + "another draft for the other.")
    }
    try await refresh(plan.table)
    let (pending, number) = core.withLock { core in
      let pending = core.layer.tables[plan.table] ?? [:]
      return (pending, core.positions.beginRead(hasPending: !pending.isEmpty))
    }
    do {
      let (result, position): (Result, FetchPosition)
      if pending.isEmpty {
        (result, position) = try await base.read(plan, body)
      } else {
        let hidden = pending.values.count { $0.base != nil || $0.original != nil || $0.isAhead }
        (result, position) = try await base.read(plan.widened(by: hidden)) { rows in
          try body(DraftCursor(rows, plan, pending))
        }
      }
      return (
        result,
        core.withLock { core in
          core.channels[plan.table]?.isKnown = true
          return core.positions.endRead(number, at: position.value)
        }
      )
    } catch {
      _ = core.withLock { $0.positions.endRead(number, at: nil) }
      throw error
    }
  }

  /// Reads pending rows of a table again, where a commit was not reported row by row, or waits until that was done.
  func refresh(_ table: String) async throws {
    let task = core.withLock { core -> Task<Void, any Error>? in
      guard let channel = core.channels[table] else { return nil }
      if let task = channel.refreshing { return task }
      guard channel.isStale || channel.isOutdated else { return nil }
      let task = Task { [self] in
        defer { endRefreshing(table) }
        try await readPendingRows(
          table, channel.key, isOutdated: channel.isOutdated, isKnown: channel.isKnown)
      }
      core.channels[table]?.refreshing = task
      return task
    }
    try await task?.value
  }

  private func endRefreshing(_ table: String) {
    core.withLock { $0.channels[table]?.refreshing = nil }
    releaseIdleChannels()
  }

  private func readPendingRows(
    _ table: String, _ key: FetchPlan.Column, isOutdated: Bool, isKnown: Bool
  ) async throws {
    if isOutdated { observeBase(table, key, []) }
    if !isKnown {
      // So that the store learns what the table is like, and notifies of its rows.
      let none = FetchPlan(table: table, columns: [key], filter: .yes, order: [], limit: 0)
      _ = try await base.read(none) { _ in 0 }
      core.withLock { $0.channels[table]?.isKnown = true }
    }
    let session = beginSession()
    defer { endSession(session) }
    let ids = core.withLock { core -> [FetchValue] in
      guard core.channels[table]?.isStale == true else { return [] }
      core.channels[table]?.isStale = false
      return core.layer.tables[table].map { Array($0.keys) } ?? []
    }
    if ids.isEmpty { return }
    do {
      let rows = try await base.loadRows(ids, of: .all(of: table, [key])) { id, row in
        (id.normalized, row.storedValues)
      }
      // What a save has written must not be taken for what others have done: its commit is notified first.
      if core.withLock({ !$0.layer.save.rows.isEmpty }) { await base.waitUntilCurrent() }
      if let row = rows.first?.1 {
        observeWhole(table, key, Array(row.keys))
      } else {
        try observeWhole(table, key)
      }
      perform { core in
        // What commits have touched meanwhile is newer than what was read.
        let touches = core.touches[session.number]
        // After a reset that is any row, and all are read once more.
        if touches?.tables.contains(table) == true { return ((), []) }
        let known = ids.filter { !(touches?.keys.contains(DraftKey(table, $0)) ?? false) }
        let found = Dictionary(rows) { first, _ in first }
        return ((), core.refresh(table, known, found))
      }
    } catch {
      core.withLock { $0.channels[table]?.isStale = true }
      throw error
    }
  }

  // MARK: Single rows

  /// The pending rows among those with certain keys.
  private func pending(_ ids: [FetchValue], _ plan: FetchPlan) -> [FetchValue: PendingRow] {
    if plan.raw != nil { return [:] }
    return core.withLock { core in
      guard let rows = core.layer.tables[plan.table] else { return [:] }
      var found: [FetchValue: PendingRow] = [:]
      for id in ids {
        let id = id.normalized
        found[id] = rows[id]
      }
      return found
    }
  }

  /// Reads whole rows by their primary keys, with what the draft has set.
  public func rows<Made>(
    _ ids: [FetchValue], of plan: FetchPlan, _ make: (FetchValue, FetchRow) -> Made
  ) throws -> [Made] {
    // Taken before the store is read: what is saved in between is the same in both.
    var pending = pending(ids, plan)
    if pending.isEmpty { return try base.rows(ids, of: plan, make) }
    var made: [Made] = []
    made.reserveCapacity(ids.count)
    let found = try base.rows(ids, of: plan) { id, row -> Made? in
      guard let mine = pending.removeValue(forKey: id.normalized) else { return make(id, row) }
      return mine.row(over: row).map { make(id, $0) }
    }
    made += found.compactMap(\.self)
    for (id, row) in pending { if let row = row.row(over: nil) { made.append(make(id, row)) } }
    return made
  }

  /// Like ``rows(_:of:_:)``, without keeping a thread waiting.
  public func loadRows<Made: Sendable>(
    _ ids: [FetchValue], of plan: FetchPlan, _ make: @escaping @Sendable (FetchValue, FetchRow) -> Made
  ) async throws -> [Made] {
    let pending = pending(ids, plan)
    if pending.isEmpty { return try await base.loadRows(ids, of: plan, make) }
    let found = try await base.loadRows(ids, of: plan) { id, row -> (FetchValue, Made?) in
      let id = id.normalized
      guard let mine = pending[id] else { return (id, make(id, row)) }
      return (id, mine.row(over: row).map { make(id, $0) })
    }
    let known = Set(found.map(\.0))
    return found.compactMap(\.1)
      + pending.compactMap { id, row in known.contains(id) ? nil : row.row(over: nil).map { make(id, $0) } }
  }

  private func hasPending(_ plan: FetchPlan) -> Bool {
    plan.raw == nil && core.withLock { $0.layer.tables[plan.table] != nil }
  }

  /// Reads whole rows that are in a run of the list, as the store does; not while rows of the table are pending.
  public func rows(
    in range: FetchOrderRange, of plan: FetchPlan, _ take: (FetchRawValue, FetchRow) -> Bool
  ) throws -> Bool {
    if hasPending(plan) { return false }
    return try base.rows(in: range, of: plan, take)
  }

  /// Reads rows that are neighbours: by their run, or by their keys while rows of the table are pending.
  public func loadRows<Made: Sendable>(
    _ ids: [FetchValue], in range: FetchOrderRange, of plan: FetchPlan,
    _ make: @escaping @Sendable (FetchValue, FetchRow) -> Made
  ) async throws -> [Made] {
    if hasPending(plan) { return try await loadRows(ids, of: plan, make) }
    return try await base.loadRows(ids, in: range, of: plan, make)
  }
}
