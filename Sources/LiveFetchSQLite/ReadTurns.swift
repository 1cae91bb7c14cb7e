#if SQLite
  import Synchronization

  /// Bounds how many reads begin at the same time, in all stores of the process.
  ///
  /// While a read begins, its store's writer keeps a thread of Dispatch waiting for another thread, on which the reader
  /// runs. Dispatch has some 255: as many stores that begin at once would wait for each other for ever.
  final class ReadTurns: Sendable {
    /// The turns of the process: far fewer than Dispatch has threads.
    static let shared = ReadTurns(limit: 96)

    private struct Core {
      var free: Int
      var waiting: [@Sendable () -> Void] = []
      var next = 0
    }

    private let core: Mutex<Core>

    /// - Parameter limit: How many may begin at the same time.
    init(limit: Int) { core = Mutex(Core(free: limit)) }

    /// Calls `begin` as soon as there is a turn, now or when another is given back. `begin` sees to it that ``giveBack()``
    /// is called.
    func take(_ begin: @escaping @Sendable () -> Void) {
      let isFree = core.withLock { core in
        if core.free == 0 {
          core.waiting.append(begin)
          return false
        }
        core.free -= 1
        return true
      }
      if isFree { begin() }
    }

    /// Gives a turn back, to the one that has waited longest.
    func giveBack() {
      let next = core.withLock { core -> (@Sendable () -> Void)? in
        guard core.next < core.waiting.count else {
          core.free += 1
          return nil
        }
        defer {
          core.next += 1
          if core.next == core.waiting.count {
            core.waiting = []
            core.next = 0
          }
        }
        return core.waiting[core.next]
      }
      next?()
    }
  }
#endif
