/// How a snapshot is applied.
public struct ApplyOptions<ItemID: Hashable & Sendable>: Sendable {
  /// Whether the user shall see how things change their places. Contents arrive either way.
  public var animatingDifferences: Bool
  /// The tags of the acts that lead to the snapshot; they travel with the update to the target.
  public var origins: [String]
  /// What to find again after the change, if anything: selected items, and the item at the top of the view.
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

/// What a data source does with snapshots that wait while another is being shown.
public enum ApplyQueueing: Sendable, Hashable {
  /// Each is shown, in the order of the calls.
  case everySnapshot
  /// Of snapshots that wait next to each other only the last is shown. The others' calls return all the same, in order
  /// and after it, and their marks on items that are still there are carried out with it.
  case latestSnapshot
}

/// What became of a call to apply.
public struct ApplyReport<ItemID: Hashable & Sendable>: Sendable {
  /// The ways in which a call to apply ends.
  public enum Outcome: Sendable {
    /// The snapshot is what the target showed already.
    case unchanged
    /// The target showed the whole list anew.
    case reloaded
    /// The target showed the change.
    case updated
    /// The call came from inside another one. It waits its turn, and will be carried out before that turn's lane is
    /// free; it can't be awaited from there.
    case queued
    /// A later snapshot was shown in place of this one.
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

  /// What became of the call.
  public var outcome: Outcome
  /// What became of the selection and the anchor, if the options asked for it.
  public var survival: ListSurvival<ItemID>?

  init(_ outcome: Outcome, survival: ListSurvival<ItemID>? = nil) {
    self.outcome = outcome
    self.survival = survival
  }
}
