/// Lets a limited number of tasks through at a time; the others wait in the order in which they came.
actor Gate {
  private var free: Int
  private var waiting: [CheckedContinuation<Void, Never>] = []
  private var next = 0

  init(limit: Int) { free = max(1, limit) }

  /// Runs `body` once there is room.
  nonisolated func pass<Result: Sendable>(
    _ body: @Sendable () async throws -> Result
  ) async throws -> Result {
    await enter()
    do {
      let result = try await body()
      await leave()
      return result
    } catch {
      await leave()
      throw error
    }
  }

  private func enter() async {
    if free > 0 {
      free -= 1
      return
    }
    await withCheckedContinuation { waiting.append($0) }
  }

  private func leave() {
    guard next < waiting.count else {
      free += 1
      return
    }
    let continuation = waiting[next]
    next += 1
    if next == waiting.count {
      waiting.removeAll(keepingCapacity: true)
      next = 0
    }
    continuation.resume()
  }
}

/// Lets one task at a time through for each key.
actor KeyedGate<Key: Hashable & Sendable> {
  private var waiting: [Key: [CheckedContinuation<Void, Never>]] = [:]

  /// Runs `body` once no other task is inside with the same key.
  nonisolated func pass<Result: Sendable>(
    _ key: Key, _ body: @Sendable () async throws -> Result
  ) async throws -> Result {
    await enter(key)
    do {
      let result = try await body()
      await leave(key)
      return result
    } catch {
      await leave(key)
      throw error
    }
  }

  private func enter(_ key: Key) async {
    guard waiting[key] != nil else {
      waiting[key] = []
      return
    }
    await withCheckedContinuation { waiting[key, default: []].append($0) }
  }

  private func leave(_ key: Key) {
    guard var queue = waiting[key], !queue.isEmpty else {
      waiting[key] = nil
      return
    }
    let first = queue.removeFirst()
    waiting[key] = queue
    first.resume()
  }
}
