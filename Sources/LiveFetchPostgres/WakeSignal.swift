#if PostgreSQL
  import Synchronization

  /// Ends a pause early.
  final class WakeSignal: Sendable {
    private struct State {
      var isSignalled = false
      var waiting: CheckedContinuation<Void, Never>?
    }
    private let state = Mutex(State())

    /// Ends the pause, or the next one where there is none.
    func signal() {
      let waiting = state.withLock { state in
        defer { state.waiting = nil }
        state.isSignalled = state.waiting == nil
        return state.waiting
      }
      waiting?.resume()
    }

    /// Waits for a signal, but no longer than a time.
    func wait(upTo pause: Duration, _ clock: any Clock<Duration>) async {
      await withTaskGroup(of: Void.self) { group in
        group.addTask { try? await clock.sleep(for: pause) }
        group.addTask { await self.waitForSignal() }
        await group.next()
        group.cancelAll()
      }
    }

    private func waitForSignal() async {
      await withTaskCancellationHandler {
        await withCheckedContinuation { continuation in
          let resumed = state.withLock { state -> CheckedContinuation<Void, Never>? in
            if state.isSignalled || Task.isCancelled {
              state.isSignalled = false
              return continuation
            }
            state.waiting = continuation
            return nil
          }
          resumed?.resume()
        }
      } onCancel: {
        let waiting = state.withLock { state in
          defer { state.waiting = nil }
          return state.waiting
        }
        waiting?.resume()
      }
    }
  }
#endif
