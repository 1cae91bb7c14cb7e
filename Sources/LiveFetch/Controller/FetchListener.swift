import LiveStore
import Foundation
import Snapshots
import Synchronization

/// One who listens: what it has, and what was touched since.
final class FetchListener<ID: FetchIdentifier>: Sendable {
  /// The changes that were noted since the last delivery.
  struct News: Sendable {
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

    @_specialize(where ID == UUID)
    @_specialize(where ID == Int64)
    @_specialize(where ID == Int)
    @_specialize(where ID == String)
    mutating func merge(_ rows: TouchedRows<ID>) { touched.merge(rows) }
  }

  private struct Core {
    var news = News()
    var hasNews: Bool
    var isFinished = false
    var waiting: FetchWaiting?
    var has: FetchHub<ID>.Shown?

    mutating func takeWaiting() -> FetchWaiting? {
      defer { waiting = nil }
      return waiting
    }
  }

  /// More tags than this are not kept for a listener that is slow; the newest are.
  static var mostOrigins: Int { 4_096 }
  /// More failures than this are not kept for a listener that is slow; the newest are.
  static var mostFailures: Int { 1_000 }

  private let core: Mutex<Core>

  /// Whether there will be nothing more.
  var isFinished: Bool { core.withLock { $0.isFinished } }

  init(hasNews: Bool) { core = Mutex(Core(hasNews: hasNews)) }

  /// - Parameters:
  ///   - update: What is new.
  ///   - last: The last version of the list that was followed until now, when it is of another.
  func note(_ update: ListUpdate<ID>, besides last: Int?) {
    core.withLock { core in
      // Rows that it has been given may have been touched while a list was followed that they are not in.
      if let last, let has = core.has, has.version != last { core.news.touched = .all }
      // What came before the first delivery is in it.
      if core.has != nil { core.news.merge(update.touched) }
      core.news.isFetch = core.news.isFetch || update.isFetch
      if update.isResumption {
        // Who learns of both at once learns that it is over.
        core.news.failures.removeAll { $0.kind == .interrupted }
        core.news.isResumption = true
      }
      core.news.origins += update.origins
      if core.has != nil { core.news.writers.formUnion(update.writers) }
      if core.news.origins.count > Self.mostOrigins {
        core.news.origins.removeFirst(core.news.origins.count - Self.mostOrigins)
      }
      // The first delivery has those of the list as it then is.
      if core.has != nil || update.isOfObjects { core.news.failures += update.failures }
      if core.news.failures.count > Self.mostFailures {
        core.news.failures.removeFirst(core.news.failures.count - Self.mostFailures)
      }
      if core.news.cost == nil { core.news.cost = update.cost } else { core.news.cost?.add(update.cost) }
      core.news.committed = update.committed ?? core.news.committed
    }
  }

  /// Notes that there is something to look at.
  /// - Returns: Who is to be resumed.
  func wake() -> FetchWaiting? {
    core.withLock { core in
      core.hasNews = true
      if core.news.ready == nil { core.news.ready = .now }
      return core.takeWaiting()
    }
  }

  /// Notes that there will be nothing more.
  /// - Returns: Who is to be resumed.
  func finish() -> FetchWaiting? {
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
        let resumed: FetchWaiting? = core.withLock { core in
          if core.hasNews || core.isFinished || Task.isCancelled { return continuation }
          defer { core.waiting = continuation }
          return core.waiting
        }
        resumed?.resume()
      }
    } onCancel: {
      core.withLock { $0.takeWaiting() }?.resume()
    }
    return core.withLock { $0.hasNews } && !Task.isCancelled
  }

  /// Takes what was noted, and what is shown, for given. The hub calls it within its lock, so that nothing is
  /// noted in between.
  /// - Parameter keepsNews: Whether what was noted may belong to what is not shown yet.
  func take(_ shown: FetchHub<ID>.Shown, keepsNews: Bool) -> (News, FetchHub<ID>.Shown?) {
    core.withLock { core in
      let result = (core.news, core.has)
      let touched = core.news.touched
      core.news = News()
      if keepsNews { core.news.touched = touched }
      core.hasNews = false
      core.has = shown
      return result
    }
  }
}
