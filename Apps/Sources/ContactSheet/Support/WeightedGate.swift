/// Lets tasks through as long as what they take together stays below a limit; the others wait in the order in which
/// they came.
actor WeightedGate {
  private struct Waiter {
    let weight: Int
    let continuation: CheckedContinuation<Void, Never>
  }

  /// The most that all may take together.
  nonisolated let limit: Int
  private var taken = 0
  private var waiters: [Waiter] = []

  /// The number of tasks that wait.
  var waiterCount: Int { waiters.count }

  /// Creates a gate.
  ///
  /// - Parameter limit: The most that all may take together; at least 1.
  init(limit: Int) { self.limit = max(1, limit) }

  /// Runs `body` once there is room for its weight. Whoever wants more than the limit gets the whole of it, alone.
  ///
  /// - Parameter body: Called with what was granted.
  nonisolated func pass<Result: Sendable>(
    _ weight: Int, _ body: @Sendable (Int) async throws -> Result
  ) async throws -> Result {
    let granted = min(max(0, weight), limit)
    await enter(granted)
    do {
      let result = try await body(granted)
      await leave(granted)
      return result
    } catch {
      await leave(granted)
      throw error
    }
  }

  private func enter(_ weight: Int) async {
    if waiters.isEmpty, weight <= limit - taken {
      taken += weight
      return
    }
    await withCheckedContinuation { waiters.append(Waiter(weight: weight, continuation: $0)) }
  }

  private func leave(_ weight: Int) {
    taken -= weight
    while let next = waiters.first, next.weight <= limit - taken {
      taken += next.weight
      waiters.removeFirst()
      next.continuation.resume()
    }
  }
}
