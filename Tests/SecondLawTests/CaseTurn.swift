#if SQLite
  /// One case at a time in the process, as there is one `Naming.current` for all: rows are decoded by threads of the store's,
  /// which know nothing of the task that reads.
  actor CaseTurn {
    static let shared = CaseTurn()

    private var isTaken = false
    private var waiting: [CheckedContinuation<Void, Never>] = []

    /// Calls `body` when no other case runs.
    static func take<Result: Sendable>(_ body: () async throws -> Result) async rethrows -> Result {
      await shared.begin()
      do {
        let result = try await body()
        await shared.end()
        return result
      } catch {
        await shared.end()
        throw error
      }
    }

    private func begin() async {
      guard isTaken else {
        isTaken = true
        return
      }
      await withCheckedContinuation { waiting.append($0) }
    }

    /// Hands the turn to the case that has waited longest.
    private func end() {
      if waiting.isEmpty { isTaken = false } else { waiting.removeFirst().resume() }
    }
  }
#endif
