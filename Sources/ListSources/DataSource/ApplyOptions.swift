/// How a snapshot is applied.
public struct ApplyOptions<ItemID: Hashable & Sendable>: Sendable {
  /// Whether the changes are animated. Contents are shown either way.
  public var animatingDifferences: Bool
  /// The origins of the mutations that lead to the snapshot; they travel with the update to the target.
  public var origins: [String]
  /// The items to find again after the change, if any: selected items, and the item at the top of the view.
  public var tracking: ListTracking<ItemID>?

  /// Creates options.
  @inlinable
  public init(
    animatingDifferences: Bool = true, origins: [String] = [], tracking: ListTracking<ItemID>? = nil
  ) {
    self.animatingDifferences = animatingDifferences
    self.origins = origins
    self.tracking = tracking
  }
}

/// The way in which a data source treats snapshots that wait while another is being shown.
public enum ApplyQueueing: Sendable, Hashable {
  /// Each is shown, in the order of the calls.
  case everySnapshot
  /// Of snapshots that wait next to each other only the last is shown. The others' calls return all the same, in order
  /// and after it, and their marks on items that are still there are applied with it.
  case latestSnapshot
}

/// The result of a call to apply.
public struct ApplyReport<ItemID: Hashable & Sendable>: Sendable {
  /// The ways in which a call to apply ends.
  public enum Outcome: Sendable {
    /// The snapshot is what the target showed already.
    case unchanged
    /// The target showed the whole list anew.
    case reloaded
    /// The target showed the change.
    case updated
    /// The call came from inside another one, from its provider, its target or a handler. It can't be awaited from
    /// there: it waits its turn, and is performed before the queue is idle.
    ///
    /// It is the same for a call from any task that was started inside: a child task, or one made by `Task { }`, also
    /// later on if the data source is busy then; and for a call to a second data source whose own work waits for the
    /// first. A detached task is not recognised, since nothing ties it to the one that started it, nor is a task that
    /// was started elsewhere: their calls wait their turn. So the work of a data source must not await a detached task
    /// that applies to it: whether it does cannot be known, and both would wait for ever.
    case queued
    /// A later snapshot was shown instead of this one.
    case superseded
    /// The target could not show the change and reloaded the whole list instead.
    case recovered(any Error)
    /// The target could not show the list at all. The data source has it, and reloads with the next apply.
    case failed(any Error)
    /// There is no view any more. The data source keeps its state.
    case targetGone
    /// The request is not possible in the present state: the item or section to act on is not there, or a handler
    /// refused.
    case refused
  }

  /// The outcome of the call.
  public var outcome: Outcome
  /// The selection and the anchor after the change, if the options asked for them.
  public var trackedSelection: TrackedSelection<ItemID>?

  init(_ outcome: Outcome, trackedSelection: TrackedSelection<ItemID>? = nil) {
    self.outcome = outcome
    self.trackedSelection = trackedSelection
  }
}
