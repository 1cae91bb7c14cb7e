public import LiveStore
import Foundation
import Snapshots
import Synchronization

/// The changes of a live list, as an asynchronous sequence.
///
/// Each iteration is a listener of its own. The first element is the whole list, which is read if it is not live yet;
/// each further one leads from what this listener was given to what is newest. A listener that is slow skips
/// what lies in between. The sequence ends when the task is cancelled, the controller is stopped or goes away, or the store
/// is closed.
public struct FetchChanges<ID: FetchIdentifier>: AsyncSequence, Sendable {
  /// The type of the changes that are delivered.
  public typealias Element = FetchChange<ID>
  /// The reason why there is no list: the read that the first listener began has failed. Later failures are delivered with the
  /// changes.
  public typealias Failure = FetchError

  let broadcaster: ChangeBroadcaster<ID>
  let options: FetchOptions
  let statistics: ControllerCounters
  /// The controller: were it released after its last mention, a loop over its changes would end at once.
  let owner: any AnyObject & Sendable
  /// The failures of the list as it is.
  let standing: @Sendable () -> [FetchError]
  /// Reads the list unless it is live.
  let fetch: @Sendable () async throws(FetchError) -> Void

  /// Begins to listen.
  public func makeAsyncIterator() -> Iterator { Iterator(self) }

  /// A listener's position in the changes.
  public final class Iterator: AsyncIteratorProtocol {
    private let broadcaster: ChangeBroadcaster<ID>
    private let options: FetchOptions
    private let statistics: ControllerCounters
    private let number: Int
    private let listener: FetchListener<ID>
    private let owner: any AnyObject & Sendable
    private let standing: @Sendable () -> [FetchError]
    /// Reads the list unless it is live; nil after the first change was asked for.
    private var fetch: (@Sendable () async throws(FetchError) -> Void)?

    init(_ changes: FetchChanges<ID>) {
      owner = changes.owner
      standing = changes.standing
      fetch = changes.fetch
      broadcaster = changes.broadcaster
      options = changes.options
      statistics = changes.statistics
      (number, listener) = broadcaster.addListener()
    }

    deinit { broadcaster.removeListener(number) }

    /// Waits for the next change.
    /// - Returns: The change, or nil when there will be no more.
    /// - Throws: ``FetchError`` where the list is not live and cannot be read; see ``FetchController/performFetch()``.
    public func next() async throws(FetchError) -> FetchChange<ID>? {
      if let fetch {
        self.fetch = nil
        do {
          if !listener.isFinished { try await fetch() }
        } catch {
          // The end of the store is the end of the sequence, and no failure.
          if error.kind != .closed { throw error }
        }
      }
      while await listener.wait() {
        guard let (current, pending, old) = broadcaster.take(listener) else { continue }
        let delay = pending.ready.map { .now - $0 } ?? .zero
        let change = makeChange(current, pending, old, delay)
        if let change { return change }
      }
      return nil
    }

    @_specialize(where ID == UUID)
    @_specialize(where ID == Int64)
    @_specialize(where ID == Int)
    @_specialize(where ID == String)
    private func makeChange(
      _ current: ChangeBroadcaster<ID>.Current, _ pending: FetchListener<ID>.PendingChange,
      _ old: ChangeBroadcaster<ID>.Current?,
      _ queueDelay: Duration
    ) -> FetchChange<ID>? {
      var touched = pending.touched
      touched.removeRepetitions()
      let step = broadcaster.step(from: old, to: current)
      let difference = step.difference
      var change = FetchChange<ID>(
        previousSnapshot: old?.snapshot, snapshot: current.snapshot, difference: difference,
        inserted: difference.insertedItems.map { $0.id }, updated: [],
        deleted: difference.deletedItems.map { $0.id }, moved: [], touched: touched,
        isInitial: old == nil || pending.isFetch,
        origins: pending.origins, writers: pending.writers, position: current.position,
        failures: (old == nil ? standing() : []) + pending.failures,
        cost: pending.cost ?? FetchCost())
      if let old {
        if touched.isAll {
          change.moved = difference.movedItems.map { $0.id }
          change.updated = Self.unmoved(in: current.snapshot, difference)
        } else if touched.storedRows.count == 1, difference.movedItems.count == 1,
          difference.movedItems[0].id == touched.storedRows[0].id
        {
          // The usual case: one row, and it is what moved.
          change.moved = [touched.storedRows[0].id]
        } else {
          let retained =
            step.retained
            ?? ChangeSorting.retained(from: old.snapshot, to: current.snapshot, touched: touched)
          let sorting = ChangeSorting(
            from: old.snapshot, to: current.snapshot, retained: retained, difference: difference)
          change.updated = sorting.updated
          change.moved = sorting.moved
        }
        if difference.isEmpty, change.updated.isEmpty, change.moved.isEmpty, change.failures.isEmpty,
          !change.isInitial, !pending.isResumption, change.origins.isEmpty || old.version == current.version
        {
          return nil
        }
        Self.mark(&change, reloaded: options.marksReloaded)
      }
      change.cost.latency = pending.committed.map { .now - $0 } ?? .zero
      change.cost.queueDelay = queueDelay
      statistics.delivered(change.cost)
      return change
    }

    /// Returns the items of a snapshot, in order, except those that a difference has inserted or moved.
    private static func unmoved(
      in snapshot: DiffableSnapshot<FetchSectionID, ID>, _ difference: SnapshotDifference<FetchSectionID, ID>
    ) -> [ID] {
      // Both are in order: no item needs to be looked up.
      let (inserted, moved) = (difference.insertedItems, difference.movedItems)
      var (nextInserted, nextMoved) = (0, 0)
      var unmoved: [ID] = []
      unmoved.reserveCapacity(snapshot.numberOfItems - inserted.count - moved.count)
      for (number, section) in snapshot.sections.enumerated() {
        var path = ListIndexPath(item: 0, section: number)
        for id in section.items {
          if nextInserted < inserted.count, inserted[nextInserted].path == path {
            nextInserted += 1
          } else if nextMoved < moved.count, moved[nextMoved].to == path {
            nextMoved += 1
          } else {
            unmoved.append(id)
          }
          path.item += 1
        }
      }
      return unmoved
    }

    // Large, and asked for by few: one copy for all kinds of identifiers.
    @inline(never) @_semantics("optimize.sil.specialize.generic.never")
    private static func reload(_ changed: [ID], _ change: inout FetchChange<ID>) {
      try? change.snapshot.reloadItems(changed)
      change.difference.reloadedItems = changed
    }

    /// Marks the changed rows in the snapshot, and in the difference that goes with it.
    private static func mark(_ change: inout FetchChange<ID>, reloaded: Bool) {
      let changed = change.updated + change.moved
      guard !changed.isEmpty else { return }
      if reloaded {
        reload(changed, &change)
      } else {
        change.snapshot.reconfigureStoredItems(changed)
        change.difference.reconfiguredItems = changed
      }
    }
  }
}

@available(*, unavailable)
extension FetchChanges.Iterator: Sendable {}
