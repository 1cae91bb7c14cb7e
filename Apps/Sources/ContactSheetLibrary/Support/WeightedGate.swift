/// Lets tasks through as long as what they take together stays below a limit; the others wait in the order in which
/// they came. A task that is cancelled while it waits leaves the queue.
package actor WeightedGate {
  /// The most that all may take together.
  nonisolated let limit: Int
  private var taken = 0
  private var waiters = WaiterQueue<Int>()
  private var nextNumber = 0

  /// The number of tasks that wait.
  package var waiterCount: Int { waiters.count }

  /// Creates a gate.
  ///
  /// - Parameter limit: The most that all may take together; at least 1.
  package init(limit: Int) { self.limit = max(1, limit) }

  /// Runs `body` once there is room for its weight. Whoever wants more than the limit gets the whole of it, alone.
  ///
  /// - Parameter body: Called with what was granted.
  /// - Throws: `CancellationError` where the task is cancelled before there is room; `body` is not called then.
  package nonisolated func pass<Result: Sendable>(
    _ weight: Int, _ body: @Sendable (Int) async throws -> Result
  ) async throws -> Result {
    let granted = min(max(0, weight), limit)
    try await enter(granted)
    do {
      let result = try await body(granted)
      await leave(granted)
      return result
    } catch {
      await leave(granted)
      throw error
    }
  }

  /// Takes a weight, waiting until there is room. Whoever has taken one gives it back by `leave`.
  package func enter(_ weight: Int) async throws {
    try Task.checkCancellation()
    if waiters.isEmpty, weight <= limit - taken {
      taken += weight
      return
    }
    let number = nextNumber
    nextNumber += 1
    let mayPass = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        if Task.isCancelled { return continuation.resume(returning: false) }
        waiters.append(weight, number: number, continuation)
      }
    } onCancel: {
      Task { await self.giveUp(number) }
    }
    guard mayPass else { throw CancellationError() }
  }

  /// Gives a weight back.
  package func leave(_ weight: Int) {
    taken -= weight
    letThrough()
  }

  /// Lighter ones may have waited behind the one that leaves.
  private func giveUp(_ number: Int) {
    waiters.remove(number)?.resume(returning: false)
    letThrough()
  }

  private func letThrough() {
    while let weight = waiters.first, weight <= limit - taken {
      taken += weight
      waiters.removeFirst()?.resume(returning: true)
    }
  }
}
