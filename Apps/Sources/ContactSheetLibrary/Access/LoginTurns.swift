import Synchronization

/// Lets one try to log in at a time through: each takes 32 MB and a processor for a while.
///
/// There are few seats to wait in, and who has failed least goes first. Where there is no seat left, the try whose networks have failed
/// most leaves, and among equals one that chance picks: so however many tries come from however many networks, none can keep
/// the seats, and a first try from elsewhere goes before theirs.
final class LoginTurns: Sendable {
  fileprivate struct Waiter {
    let number: Int
    let rank: Int
    let continuation: CheckedContinuation<Bool, Never>
  }

  fileprivate struct State {
    var isBusy = false
    /// In the order in which they came.
    var waiters: [Waiter] = []
    var next = 0
  }

  /// The rank of browsers that have logged in before: they go before all others, and nobody takes their seat.
  static let known = -1

  private let seats: Int
  private let state = Mutex(State())

  /// The number of tries that wait.
  var waiterCount: Int { state.withLock { $0.waiters.count } }

  init(seats: Int = 32) { self.seats = seats }

  /// Runs `body` when it is its turn.
  ///
  /// - Parameter rank: How much has failed where it comes from; the least goes first.
  /// - Returns: What `body` gives; `nil` where it was not called since others took the seats.
  /// - Throws: `CancellationError` where the task is cancelled before its turn, or what `body` throws.
  func pass<Result: Sendable>(
    rank: Int, _ body: @Sendable () async throws -> Result
  ) async throws -> Result? {
    guard await enter(rank) else {
      try Task.checkCancellation()
      return nil
    }
    defer { leave() }
    return try await body()
  }

  private func enter(_ rank: Int) async -> Bool {
    let number = state.withLock { state in
      state.next += 1
      return state.next
    }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let resumed: [(CheckedContinuation<Bool, Never>, Bool)] = state.withLock { state in
          // Looked at here: who is cancelled later finds the waiter.
          if Task.isCancelled { return [(continuation, false)] }
          guard state.isBusy else {
            state.isBusy = true
            return [(continuation, true)]
          }
          state.waiters.append(Waiter(number: number, rank: rank, continuation: continuation))
          return state.removeWorst(beyond: seats).map { [($0, false)] } ?? []
        }
        for (continuation, mayPass) in resumed { continuation.resume(returning: mayPass) }
      }
    } onCancel: {
      let waiter = state.withLock { state in
        state.waiters.firstIndex { $0.number == number }.map { state.waiters.remove(at: $0) }
      }
      waiter?.continuation.resume(returning: false)
    }
  }

  private func leave() {
    let next = state.withLock { state -> Waiter? in
      // The first of those with the lowest rank.
      let index = state.waiters.indices.min { state.waiters[$0].rank < state.waiters[$1].rank }
      guard let index else {
        state.isBusy = false
        return nil
      }
      return state.waiters.remove(at: index)
    }
    next?.continuation.resume(returning: true)
  }
}

extension LoginTurns.State {
  /// Removes a waiter of the highest rank where there are more than seats; `nil` where nobody has to leave.
  fileprivate mutating func removeWorst(beyond seats: Int) -> CheckedContinuation<Bool, Never>? {
    guard waiters.count > seats, let worst = waiters.map(\.rank).max(), worst > LoginTurns.known,
      let index = waiters.indices.filter({ waiters[$0].rank == worst }).randomElement()
    else { return nil }
    return waiters.remove(at: index).continuation
  }
}
