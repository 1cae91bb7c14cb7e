import Foundation
public import LiveDraftStore
public import LiveStore
import Synchronization

/// Changes of a store that are not saved yet, shown in its lists at once.
///
/// ```swift
/// let draft = FetchDraft(of: store)
/// let photos = FetchController(request, in: draft)
/// try draft.edit("Rename") { edit in try edit.update(photo) { $0.title = "Fjord" } }
/// try await draft.save()
/// ```
///
/// A draft is a store: lists over it are made like any other, and show its pending rows in their filters, orders, sections and
/// limits. What others commit meanwhile comes in under the pending changes. Any number of drafts may be over one store.
///
/// A draft is used from any task. Edits read rows from the store, so that they wait for it; they are not made from within a write
/// to the store. Requests in SQL of their own see the store alone.
public final class FetchDraft: FetchStore, OwnPositions {
  /// The store that is edited.
  public let base: any DraftSaving
  let core = Mutex(DraftCore())
  /// Held from a transition until its notifications have been made, so that they are made in order. The store is
  /// never called while it is held, nor a lock of the store's awaited; who is notified does not call back.
  let delivery = Mutex(())
  let saves = SaveQueue()
  /// Held while an edit, undo, redo or a discard is being made, so that each stands on those before it. An edit's closure may make others.
  let editing = NSRecursiveLock()

  /// Creates a draft with nothing pending.
  /// - Parameter store: The store that is edited.
  public init(of store: any DraftSaving) { base = store }

  /// Makes a transition, and the notifications that it asks for.
  func perform<Result: Sendable, Failure: Error>(
    _ transition: (inout DraftCore) throws(Failure) -> (Result, [DraftNotice])
  ) throws(Failure) -> Result {
    try delivery.withLock { (_) throws(Failure) in
      let (result, notices) = try core.withLock { (core) throws(Failure) in try transition(&core) }
      for notice in notices { notice.receive(notice.event) }
      return result
    }
  }

  // MARK: Observing

  /// Begins to notify an observer: of the store's commits, and of the draft's edits.
  public func observe(
    _ plan: FetchPlan, receive: @escaping @Sendable (FetchStoreEvent) -> Void
  ) -> FetchObservation {
    if plan.raw != nil { return base.observe(plan, receive: receive) }
    let columns = plan.columns.map(\.name)
    let number = core.withLock { core in
      let number = core.makeNumber()
      core.channels[plan.table, default: DraftChannel(key: plan.columns[0])].observers[number] =
        .init(columns: columns, receive: receive)
      for column in plan.columns { core.channels[plan.table]?.types[column.name] = column.type }
      return number
    }
    observeBase(plan.table, plan.columns[0], columns)
    return FetchObservation { [weak self] in self?.remove(number, plan.table) }
  }

  private func remove(_ number: Int, _ table: String) {
    // What is released may call the store: not within the lock.
    let observer = core.withLock { $0.channels[table]?.observers.removeValue(forKey: number) }
    withExtendedLifetime(observer) { releaseIdleChannels() }
  }

  /// Ends the observations of tables that no list is over, and of which nothing is pending.
  func releaseIdleChannels() {
    for observation in core.withLock({ $0.takeIdleObservations() }) { observation.cancel() }
  }

  /// Sees to it that the store notifies the draft of a table's commits, with at least these columns.
  func observeBase(_ table: String, _ key: FetchPlan.Column, _ columns: [String]) {
    while true {
      let wanted = core.withLock { core -> (plan: FetchPlan, generation: Int)? in
        var channel = core.channels[table] ?? DraftChannel(key: key)
        defer { core.channels[table] = channel }
        let known = channel.isOutdated ? channel.observers.values.flatMap(\.columns) : channel.columns
        let missing = columns.filter { !known.contains($0) }
        guard channel.observation == nil || channel.isOutdated || !missing.isEmpty else { return nil }
        channel.generation += 1
        let names = [channel.key.name] + Set(known + missing).subtracting([channel.key.name]).sorted()
        // Nothing is read by this plan: where no request says a column's type, any will do.
        let all = names.map { FetchPlan.Column(name: $0, type: channel.types[$0] ?? .blob) }
        return (.all(of: table, [channel.key] + all.dropFirst()), channel.generation)
      }
      guard let (plan, generation) = wanted else { return }
      let observation = base.observe(plan) { [weak self] event in
        guard let self else { return }
        perform { core in ((), core.receive(table, event)) }
        refreshIfStale(table)
      }
      let former = core.withLock { core -> FetchObservation? in
        guard core.channels[table]?.generation == generation else { return observation }
        defer {
          core.channels[table]?.observation = observation
          core.channels[table]?.columns = plan.columns.map(\.name)
          core.channels[table]?.isOutdated = false
        }
        return core.channels[table]?.observation
      }
      former?.cancel()
    }
  }

  // MARK: The state

  /// Whether anything is pending.
  public var hasChanges: Bool { core.withLock { !$0.layer.isEmpty } }

  /// The pending changes, in the order in which their rows were last edited.
  /// - Complexity: O(*k* log *k* + *k c*) for *k* pending rows of *c* columns.
  public var changes: [DraftChange] {
    core.withLock { core in core.layer.inOrder { _ in true }.map { core.change($0.key, $0.row) } }
  }

  /// The pending rows that somebody else has changed in the meantime as well, as far as it is known.
  ///
  /// A list shows such a row as updated when it comes to be one.
  /// - Complexity: O(*k* log *k* + *k c*) for *k* pending rows of *c* columns.
  public var conflicts: [DraftConflict.Row] {
    core.withLock { core in core.layer.inOrder { _ in true }.compactMap { core.conflict($0.key, $0.row) } }
  }

  /// Returns the state of a row in the draft.
  /// - Parameters:
  ///   - type: The row's model.
  ///   - id: The primary key.
  /// - Complexity: O(1), and O(*c*) for *c* columns of a pending row.
  public func state<Model: FetchModel>(of type: Model.Type, _ id: Model.ID) -> DraftRowState {
    guard let value = id.fetchValue(as: type.fetchTable.id.type) else { return .saved }
    let key = DraftKey(type.fetchTable.name, value)
    return core.withLock { core in
      guard let row = core.layer[key] else { return .saved }
      if let conflict = core.conflict(key, row) { return .conflicting(conflict) }
      return switch row.kind {
      case .insert: .inserted
      case .update: .updated(Set(row.mine.keys))
      case .delete: .deleted
      }
    }
  }
}
