import LiveStore
import Snapshots
import Synchronization

/// One who listens: what it has, and what was touched since.
final class FetchListener<ID: FetchIdentifier>: Sendable {
  /// The changes that were noted since the last delivery.
  struct PendingChange: Sendable {
    var touched = TouchedRows<ID>()
    var isFetch = false
    var isResumption = false
    var origins: [String] = []
    var writers: FetchWriters = []
    var failures: [FetchError] = []
    var cost: FetchCost?
    var committed: ContinuousClock.Instant?
    /// Since when there is something to be taken.
    var ready: ContinuousClock.Instant?
  }

  private struct Core {
    var pending = PendingChange()
    var hasPending: Bool
    var isFinished = false
    var waiting: SuspendedTask?
    var has: ChangeBroadcaster<ID>.Current?

    mutating func takeWaiting() -> SuspendedTask? {
      defer { waiting = nil }
      return waiting
    }
  }

  /// More origins than this are not kept for a listener that is slow; the newest are.
  static var maximumOrigins: Int { 4_096 }
  /// More failures than this are not kept for a listener that is slow; the newest are.
  static var maximumFailures: Int { 1_000 }

  private let core: Mutex<Core>

  /// Whether there will be nothing more.
  var isFinished: Bool { core.withLock { $0.isFinished } }

  init(hasPending: Bool) { core = Mutex(Core(hasPending: hasPending)) }

  /// - Parameters:
  ///   - update: What is new.
  ///   - last: The last version of the list that was followed until now, when it is of another.
  func note(_ update: FetchUpdate<ID>, besides last: Int?) {
    core.withLock { core in
      // Rows that it has been given may have been touched while a list was followed that they are not in.
      if let last, let has = core.has, has.version != last { core.pending.touched = .all }
      // What came before the first delivery is in it.
      if core.has != nil { core.pending.touched.merge(update.touched) }
      core.pending.isFetch = core.pending.isFetch || update.isFetch
      if update.isResumption {
        // Who learns of both at once learns that it is over.
        core.pending.failures.removeAll { $0.kind == .interrupted }
        core.pending.isResumption = true
      }
      core.pending.origins += update.origins
      if core.has != nil { core.pending.writers.formUnion(update.writers) }
      if core.pending.origins.count > Self.maximumOrigins {
        core.pending.origins.removeFirst(core.pending.origins.count - Self.maximumOrigins)
      }
      // The first delivery has those of the list as it then is.
      if core.has != nil || update.isOfObjects { core.pending.failures += update.failures }
      if core.pending.failures.count > Self.maximumFailures {
        core.pending.failures.removeFirst(core.pending.failures.count - Self.maximumFailures)
      }
      if core.pending.cost == nil {
        core.pending.cost = update.cost
      } else {
        core.pending.cost?.add(update.cost)
      }
      core.pending.committed = update.committed ?? core.pending.committed
    }
  }

  /// Notes that there is something to look at.
  /// - Returns: Who is to be resumed.
  func wake() -> SuspendedTask? {
    core.withLock { core in
      core.hasPending = true
      if core.pending.ready == nil { core.pending.ready = .now }
      return core.takeWaiting()
    }
  }

  /// Notes that there will be nothing more.
  /// - Returns: Who is to be resumed.
  func finish() -> SuspendedTask? {
    core.withLock { core in
      core.isFinished = true
      return core.takeWaiting()
    }
  }

  /// Waits until there is something to look at.
  /// - Returns: false when there will be nothing more.
  func wait() async -> Bool {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let resumed: SuspendedTask? = core.withLock { core in
          if core.hasPending || core.isFinished || Task.isCancelled { return continuation }
          defer { core.waiting = continuation }
          return core.waiting
        }
        resumed?.resume()
      }
    } onCancel: {
      core.withLock { $0.takeWaiting() }?.resume()
    }
    return core.withLock { $0.hasPending } && !Task.isCancelled
  }

  /// Takes what was noted, and what is shown, for given. The broadcaster calls it within its lock, so that nothing is
  /// noted in between.
  /// - Parameter keepsPending: Whether what was noted may belong to what is not shown yet.
  func take(_ current: ChangeBroadcaster<ID>.Current, keepsPending: Bool) -> (
    PendingChange, ChangeBroadcaster<ID>.Current?
  ) {
    core.withLock { core in
      let result = (core.pending, core.has)
      let touched = core.pending.touched
      core.pending = PendingChange()
      if keepsPending { core.pending.touched = touched }
      core.hasPending = false
      core.has = current
      return result
    }
  }
}
