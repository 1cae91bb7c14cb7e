import Foundation
import LiveStore
import Snapshots
import Synchronization

/// The list that a controller shows, and its listeners.
///
/// A listener keeps what it was given last and the rows touched since; what is new is worked out when it asks.
/// However slow it is, nothing queues up for it but the identifiers of touched rows.
final class ChangeBroadcaster<ID: FetchIdentifier>: Sendable {
  struct Current: Sendable {
    var snapshot: DiffableSnapshot<FetchSectionID, ID>
    var version: Int
    var position: FetchPosition
  }

  /// The difference of two versions.
  struct Step: Sendable {
    var difference: SnapshotDifference<FetchSectionID, ID>
    /// The touched rows that stayed, if their index paths are known.
    var retained: [RetainedItem<ID>]?
  }

  private struct Core {
    /// The list that is shown; nil before the first fetch.
    var current: Current?
    /// The list that would be shown, were the controller not paused.
    var latest: Current?
    var isPaused = false
    var isClosed = false
    var listeners: [Int: FetchListener<ID>] = [:]
    var nextListener = 0
    /// Differences that were worked out by comparing.
    var differences = 0
    /// The origins that listeners received last, the newest last.
    var recentOrigins: [String] = []
    /// The difference known last, for listeners that are in step.
    var cached: (from: Int, to: Int, step: Step)?
  }

  private let core = Mutex(Core())

  var current: Current? { core.withLock { $0.current } }
  var latest: Current? { core.withLock { $0.latest } }
  var isClosed: Bool { core.withLock { $0.isClosed } }
  var differenceCount: Int { core.withLock { $0.differences } }
  var listenerCount: Int { core.withLock { $0.listeners.count } }

  func resetDifferenceCount() { core.withLock { $0.differences = 0 } }

  /// The number of delivered origins that are remembered.
  private static var originCapacity: Int { 512 }

  /// - Parameters:
  ///   - update: What is new.
  ///   - isOther: Whether it is of another list than what came before.
  /// - Returns: Who is to be resumed, as soon as the caller holds no lock.
  @_specialize(where ID == UUID)
  @_specialize(where ID == Int64)
  @_specialize(where ID == Int)
  @_specialize(where ID == String)
  func publish(_ update: FetchUpdate<ID>, ofOtherList isOther: Bool = false) -> [SuspendedTask] {
    core.withLock { Self.publish(update, ofOtherList: isOther, &$0) }
  }

  /// Delivers origins that came with no change, except those that were delivered before.
  /// - Returns: Who is to be resumed, as soon as the caller holds no lock.
  func acknowledge(_ origins: [String]) -> [SuspendedTask] {
    core.withLock { core in
      guard let latest = core.latest else { return [] }
      var known = Set(core.recentOrigins)
      let origins = origins.filter { known.insert($0).inserted }
      if origins.isEmpty { return [] }
      var cost = FetchCost()
      cost.commits = 0
      let update = FetchUpdate<ID>(
        snapshot: latest.snapshot, position: latest.position, touched: [], step: SnapshotDifference(),
        retained: [], origins: origins, cost: cost)
      return Self.publish(update, ofOtherList: false, &core)
    }
  }

  private static func publish(
    _ update: FetchUpdate<ID>, ofOtherList isOther: Bool, _ core: inout Core
  ) -> [SuspendedTask] {
    let last = core.latest?.version
    // After a failure the snapshot stays, and so does what it is as of; the failure stands beside it.
    if !update.cost.hasFailed {
      let version = (core.latest?.version ?? 0) + 1
      // A list that no commit concerned for a while, and is followed only now, has an older position than was current.
      let position = max(update.position, core.latest?.position ?? update.position)
      core.latest = Current(snapshot: update.snapshot, version: version, position: position)
      if let step = update.step {
        core.cached = (version - 1, version, Step(difference: step, retained: update.retained))
      }
    }
    if !update.origins.isEmpty {
      core.recentOrigins += update.origins
      if core.recentOrigins.count > 2 * originCapacity {
        core.recentOrigins.removeFirst(core.recentOrigins.count - originCapacity)
      }
    }
    for listener in core.listeners.values { listener.note(update, besides: isOther ? last : nil) }
    return core.isPaused ? [] : show(&core)
  }

  private static func show(_ core: inout Core) -> [SuspendedTask] {
    core.current = core.latest
    return core.listeners.values.compactMap { $0.wake() }
  }

  func pause() { core.withLock { $0.isPaused = true } }

  func resume() {
    let waiting = core.withLock { core -> [SuspendedTask] in
      guard core.isPaused else { return [] }
      core.isPaused = false
      return Self.show(&core)
    }
    waiting.resumeAll()
  }

  /// - Returns: Who is to be resumed, as soon as the caller holds no lock.
  func close() -> [SuspendedTask] {
    core.withLock { core in
      core.isClosed = true
      return core.listeners.values.compactMap { $0.finish() }
    }
  }

  /// Ends the streams of those who listen now.
  /// - Returns: Who is to be resumed, as soon as the caller holds no lock.
  func endListeners() -> [SuspendedTask] {
    core.withLock { core in
      defer { core.listeners = [:] }
      return core.listeners.values.compactMap { $0.finish() }
    }
  }

  func addListener() -> (Int, FetchListener<ID>) {
    core.withLock { core in
      let listener = FetchListener<ID>(hasPending: core.current != nil)
      core.nextListener += 1
      core.listeners[core.nextListener] = listener
      if core.isClosed { _ = listener.finish() }
      return (core.nextListener, listener)
    }
  }

  func removeListener(_ number: Int) {
    core.withLock { _ = $0.listeners.removeValue(forKey: number) }
  }

  /// Takes the changes for a listener, or nil when nothing is shown yet.
  func take(
    _ listener: FetchListener<ID>
  ) -> (current: Current, pending: FetchListener<ID>.PendingChange, old: Current?)? {
    core.withLock { core in
      guard let current = core.current else { return nil }
      let (pending, old) = listener.take(current, keepsPending: current.version != core.latest?.version)
      return (current, pending, old)
    }
  }

  /// Returns the difference of two versions, computed once for all listeners that are in step.
  func step(from old: Current?, to new: Current) -> Step {
    let from = old?.version ?? 0
    if let cached = core.withLock({ $0.cached }), cached.from == from, cached.to == new.version {
      return cached.step
    }
    let step = Step(difference: new.snapshot.leanDifference(from: old?.snapshot ?? DiffableSnapshot()))
    core.withLock { core in
      core.cached = (from, new.version, step)
      core.differences += 1
    }
    return step
  }
}
