#if SQLite
  import Synchronization

  /// Holds reads back that would begin.
  ///
  /// A list is begun to be read in the writer's queue, where it asks GRDB for a reader. Barriers of GRDB's keep readers out
  /// while they wait for that queue: each would wait for the other.
  final class ReadGate: Sendable {
    private struct Core {
      var holders = 0
      var waiting: [@Sendable () -> Void] = []
    }
    private let core = Mutex(Core())

    func hold() { core.withLock { $0.holders += 1 } }

    /// Lets reads begin again, those that wait at once.
    func release() {
      let waiting = core.withLock { core in
        core.holders -= 1
        guard core.holders == 0 else { return [] as [@Sendable () -> Void] }
        defer { core.waiting = [] }
        return core.waiting
      }
      for begin in waiting { begin() }
    }

    /// Whether a read has to wait. If so, it is begun by what is handed over.
    func isHeld(until begin: @escaping @Sendable () -> Void) -> Bool {
      core.withLock { core in
        if core.holders > 0 { core.waiting.append(begin) }
        return core.holders > 0
      }
    }
  }
#endif
