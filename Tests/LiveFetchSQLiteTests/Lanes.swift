import Synchronization

/// Lets only so many tasks at once do something: a test with thousands of arguments begins them all, and each case that
/// has a database open needs files.
final class Lanes: Sendable {
  private struct State {
    var free: Int
    var waiting: [CheckedContinuation<Void, Never>] = []
  }

  private let state: Mutex<State>

  init(_ count: Int) { state = Mutex(State(free: count)) }

  func run<Value>(
    isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> sending Value
  ) async rethrows -> sending Value {
    await withCheckedContinuation { continuation in
      let isFree = state.withLock { state in
        if state.free == 0 {
          state.waiting.append(continuation)
          return false
        }
        state.free -= 1
        return true
      }
      if isFree { continuation.resume() }
    }
    defer { leave() }
    return try await body()
  }

  private func leave() {
    let next = state.withLock { state -> CheckedContinuation<Void, Never>? in
      let next = state.waiting.popLast()
      if next == nil { state.free += 1 }
      return next
    }
    next?.resume()
  }
}
