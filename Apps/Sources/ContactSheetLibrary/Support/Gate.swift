/// Lets a limited number of tasks through at a time; the others wait in the order in which they came. A task that is
/// cancelled while it waits leaves the queue.
struct Gate: Sendable {
  private let gate: WeightedGate

  /// The number of tasks that wait.
  var waiterCount: Int { get async { await gate.waiterCount } }

  init(limit: Int) { gate = WeightedGate(limit: limit) }

  /// Runs `body` once there is room.
  ///
  /// - Throws: `CancellationError` where the task is cancelled before there is room; `body` is not called then.
  func pass<Result: Sendable>(_ body: @Sendable () async throws -> Result) async throws -> Result {
    try await gate.pass(1) { _ in try await body() }
  }
}

/// Lets one task at a time through for each key. A task that is cancelled while it waits leaves the queue.
actor KeyedGate<Key: Hashable & Sendable> {
  private var waiting: [Key: WaiterQueue<Void>] = [:]
  /// Numbers are the gate's and not a queue's: whoever gives up late must not meet a stranger.
  private var nextNumber = 0

  /// The number of tasks that wait, whatever for.
  var waiterCount: Int { waiting.values.reduce(0) { $0 + $1.count } }

  /// Runs `body` once no other task is inside with the same key.
  ///
  /// - Throws: `CancellationError` where the task is cancelled before that; `body` is not called then.
  nonisolated func pass<Result: Sendable>(
    _ key: Key, _ body: @Sendable () async throws -> Result
  ) async throws -> Result {
    try await enter(key)
    do {
      let result = try await body()
      await leave(key)
      return result
    } catch {
      await leave(key)
      throw error
    }
  }

  private func enter(_ key: Key) async throws {
    try Task.checkCancellation()
    guard waiting[key] != nil else {
      waiting[key] = WaiterQueue()
      return
    }
    let number = nextNumber
    nextNumber += 1
    let mayPass = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        if Task.isCancelled { return continuation.resume(returning: false) }
        waiting[key, default: WaiterQueue()].append((), number: number, continuation)
      }
    } onCancel: {
      Task { await self.giveUp(key, number) }
    }
    guard mayPass else { throw CancellationError() }
  }

  private func giveUp(_ key: Key, _ number: Int) {
    // Whoever is inside keeps the queue.
    waiting[key]?.remove(number)?.resume(returning: false)
  }

  private func leave(_ key: Key) {
    guard let first = waiting[key]?.removeFirst() else {
      waiting[key] = nil
      return
    }
    first.resume(returning: true)
  }
}
