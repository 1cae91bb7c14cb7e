import LiveStore
import Snapshots

// A store that is cut off from its database for a while. That stands beside the machine's state: the list is read, follows and
// fails as before. All of it is rare, and compiled once for all kinds of identifiers (decision 0007).
extension ListMachine {
  /// Notes that the store does not know of commits at present. The last good list stays.
  @inline(never) @_semantics("optimize.sil.specialize.generic.never")
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
  @inline(never) @_semantics("optimize.sil.specialize.generic.never")
  mutating func resume() -> Action {
    endInterruption()
    noteResumption()
    // A read may have failed for the same reason. Nothing else would have the list read again.
    if case .failed = state {
      return .read(ReadRequest(touched: .all, reset: .retry(at: list.position)))
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
  @inline(never) @_semantics("optimize.sil.specialize.generic.never")
  mutating func resumed(hiding rows: TouchedRows<ID> = []) -> Action {
    guard case .live = state else { return .none }
    var update = whole(FetchCost())
    (update.isFetch, update.failures, update.hidden) = (false, [], rows)
    takeResumption(&update)
    return .notify(.update(update))
  }

  /// Returns the action of an event that ends an interruption, with the notification that the list is current again.
  @inline(never) @_semantics("optimize.sil.specialize.generic.never")
  mutating func resumed(with action: Action) -> Action {
    switch action {
    case .none: return resumed()
    case .notify(.hidden(let rows)): return resumed(hiding: rows)
    case .notify(.update(var update)):
      takeResumption(&update)
      return .notify(.update(update))
    case .notify, .read, .close: return action
    }
  }
}
