import LiveStore
import Snapshots

// A store that is cut off from its database for a while. That stands beside the machine's state: the list is read, follows and
// fails as before.
extension ListMachine {
  /// Notes that the store does not know of commits at present. The last good list stays.
  mutating func interrupt(_ error: FetchError) -> Action {
    if case .closed = state { return .none }
    interruption = error
    guard case .live = state else { return .none }
    return .notify(
      .update(
        FetchUpdate(
          snapshot: DiffableSnapshot(), position: list.position, touched: [], isInterruption: true,
          failures: [error], cost: FetchCost(hasFailed: true))))
  }

  /// Notes that the store knows of all commits again.
  mutating func resume() -> Action {
    endInterruption()
    // A read may have failed for the same reason. Nothing else would have the list read again.
    if case .failed = state {
      return .read(
        ReadRequest(
          touched: .all, reset: FetchReset(position: list.position, reason: .unresumable, writers: [])))
    }
    return owesResumption ? resumed() : .none
  }

  mutating func endInterruption() {
    if interruption != nil { owesResumption = true }
    interruption = nil
  }

  mutating func takeResumption(_ update: inout FetchUpdate<ID>) {
    if interruption != nil { return }
    update.isResumption = owesResumption
    owesResumption = false
  }

  /// Returns a notification that the list is current again, as it is; none while it is read.
  /// - Parameter rows: The rows that the event that says so has changed in columns that the list does not show.
  mutating func resumed(hiding rows: TouchedRows<ID> = []) -> Action {
    guard case .live = state else { return .none }
    var update = whole(FetchCost())
    (update.isFetch, update.failures, update.hidden) = (false, [], rows)
    takeResumption(&update)
    return .notify(.update(update))
  }
}
