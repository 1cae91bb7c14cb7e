import LiveStore
import Metrics
import Synchronization

/// The work of a controller so far, or since ``FetchController/resetStatistics()``. It goes on where the list is given another
/// request.
public struct FetchStatistics: Sendable, Hashable {
  /// Times the whole list was read.
  public var fetches = 0
  /// Commits that were looked at, on behalf of all controllers that share the list.
  public var commits = 0
  /// Commits that changed the list.
  public var effectiveCommits = 0
  /// Statements run for the list.
  public var statements = 0
  /// Rows read for the list.
  public var rowsRead = 0
  /// Failures: reads of the list that failed, rows that could not be listed, each time that is new, and rows that could not
  /// be made into objects.
  public var failures = 0
  /// Time spent on the index and on snapshots.
  public var indexing: Duration = .zero
  /// Bytes that the index takes.
  public var indexBytes = 0
  /// Snapshots that were made: one for each fetch and each commit that changed the list.
  public var snapshots = 0
  /// Those who listen to this controller at present.
  public var listeners = 0
  /// Differences that were looked for by comparing snapshots. A difference is found once for all listeners that are
  /// in step, and that of a commit by which no section comes or goes is known without comparing.
  public var differences = 0
  /// Changes delivered to this controller's listeners.
  public var deliveries = 0
  /// Commits that listeners skipped because they were slow.
  public var skippedCommits = 0
  /// Objects that were at hand when they were asked for.
  public var cacheHits = 0
  /// Times objects had to be read.
  public var cacheMisses = 0
  /// Objects that were read.
  public var objectsRead = 0
  /// The longest time from a commit to its delivery.
  public var maximumLatency: Duration = .zero
  /// The sum of the times from a commit to its delivery.
  public var totalLatency: Duration = .zero
  /// The longest time for which a change lay ready until its listener took it.
  public var maximumQueueDelay: Duration = .zero
  /// The sum of the times for which changes lay ready until their listeners took them.
  public var totalQueueDelay: Duration = .zero
}

extension FetchController {
  /// The work of the controller so far.
  public var statistics: FetchStatistics {
    var statistics = counters.statistics
    let (list, former) = listAndFormer
    let shared = former.total(with: list?.statistics)
    statistics.fetches = shared.reads
    statistics.commits = shared.commits
    statistics.effectiveCommits = shared.deliveries
    statistics.statements = shared.statements
    statistics.rowsRead = shared.rowsRead
    statistics.failures += shared.failures
    statistics.indexing = shared.indexing
    statistics.indexBytes = list?.indexBytes ?? 0
    statistics.snapshots = shared.reads + shared.deliveries
    statistics.listeners = broadcaster.listenerCount
    statistics.differences = broadcaster.differenceCount
    return statistics
  }

  /// Has all that ``statistics`` counts begin at 0. What is as it is, such as the bytes of the index, stays.
  ///
  /// Exported metrics are not concerned: whoever collects them looks at their growth.
  public func resetStatistics() {
    counters.reset()
    broadcaster.resetDifferenceCount()
    forgetFormer()
  }
}

/// The work of the lists that a controller followed before, and of the present one before the controller's own time.
///
/// The counters of a list are shared by the controllers that follow it. A controller's first list counts from its beginning,
/// whoever had it read; a list that it changes to counts from then on.
struct FormerStatistics: Sendable {
  private var past = ListStatistics()
  private var base = ListStatistics()

  /// Adds the work of a list that is no longer followed.
  mutating func leave(_ last: ListStatistics) {
    past = past.adding(last, minus: base)
    base = ListStatistics()
  }

  /// Begins to count a list.
  mutating func follow(_ before: ListStatistics, after last: ListStatistics?, isFirst: Bool) {
    if let last { leave(last) }
    base = isFirst ? ListStatistics() : before
  }

  /// Returns the work of all lists together.
  func total(with present: ListStatistics?) -> ListStatistics {
    past.adding(present ?? base, minus: base)
  }
}

extension ListStatistics {
  fileprivate func adding(_ other: Self, minus base: Self) -> Self {
    var sum = self
    sum.reads += other.reads - base.reads
    sum.commits += other.commits - base.commits
    sum.deliveries += other.deliveries - base.deliveries
    sum.failures += other.failures - base.failures
    sum.statements += other.statements - base.statements
    sum.rowsRead += other.rowsRead - base.rowsRead
    sum.indexing += other.indexing - base.indexing
    return sum
  }
}

/// Counts what one controller does, and exports it.
@usableFromInline
final class ControllerCounters: Sendable {
  private struct Exported {
    let deliveries: Counter
    let latency: Timer
    let queueDelay: Timer
    let rowsRead: Counter
    let statements: Counter
    let failures: Counter
    let hits: Counter
    let misses: Counter
  }

  private let counts = Mutex(FetchStatistics())
  private let exported: Exported?

  init(label: String?) {
    exported = label.map { label in
      let dimensions = [("controller", label)]
      return Exported(
        deliveries: Counter(label: "livelists_deliveries", dimensions: dimensions),
        latency: Timer(label: "livelists_latency", dimensions: dimensions),
        queueDelay: Timer(label: "livelists_queue_delay", dimensions: dimensions),
        rowsRead: Counter(label: "livelists_rows_read", dimensions: dimensions),
        statements: Counter(label: "livelists_statements", dimensions: dimensions),
        failures: Counter(label: "livelists_failures", dimensions: dimensions),
        hits: Counter(label: "livelists_cache_hits", dimensions: dimensions),
        misses: Counter(label: "livelists_cache_misses", dimensions: dimensions))
    }
  }

  var statistics: FetchStatistics { counts.withLock { $0 } }

  func reset() { counts.withLock { $0 = FetchStatistics() } }

  /// Notes what it took to bring the list up to date, however many listen to it.
  func noted(_ cost: FetchCost, failures: Int) {
    guard let exported else { return }
    exported.rowsRead.increment(by: cost.rowsRead)
    exported.statements.increment(by: cost.statements)
    if failures > 0 { exported.failures.increment(by: failures) }
  }

  func delivered(_ cost: FetchCost) {
    counts.withLock { counts in
      counts.deliveries += 1
      counts.skippedCommits += max(0, cost.commits - 1)
      counts.totalLatency += cost.latency
      counts.maximumLatency = max(counts.maximumLatency, cost.latency)
      counts.totalQueueDelay += cost.queueDelay
      counts.maximumQueueDelay = max(counts.maximumQueueDelay, cost.queueDelay)
    }
    guard let exported else { return }
    exported.deliveries.increment()
    if cost.latency > .zero { exported.latency.record(duration: cost.latency) }
    exported.queueDelay.record(duration: cost.queueDelay)
  }

  /// Counts objects that could not be had.
  func failed(_ count: Int) { counts.withLock { $0.failures += count } }

  @usableFromInline
  func hit(_ count: Int = 1) {
    counts.withLock { $0.cacheHits += count }
    exported?.hits.increment(by: count)
  }

  @usableFromInline
  func loaded(_ count: Int) {
    counts.withLock { counts in
      counts.cacheMisses += 1
      counts.objectsRead += count
    }
    exported?.misses.increment()
  }
}
