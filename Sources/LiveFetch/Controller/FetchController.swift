public import LiveStore
public import Snapshots
import Synchronization

/// How a controller goes about its work.
public struct FetchOptions: Sendable, Hashable {
  /// How many rows around an asked one are read with it; where a list is walked row by row, up to eight times as many.
  public var nearbyItemsSize = 40
  /// The most objects that are kept.
  public var cacheSize = 2_000
  /// Whether changed rows are marked as reloaded rather than as reconfigured.
  public var marksReloaded = false
  /// A name for the controller, with which its metrics are exported; nil exports none.
  public var metricsLabel: String?

  /// The usual way.
  public init() {}
}

/// A live list of a table's rows: it stays right with every commit, at a cost that follows the change.
///
/// ```swift
/// let photos = FetchController(request, in: store)
/// show(try await photos.performFetch())
/// for try await change in photos.changes { show(change.snapshot) }
/// ```
///
/// A controller is used from any task. Controllers with equal requests on one store share their index.
public final class FetchController<Model: FetchModel>: SnapshotSource, Sendable {
  /// A list's snapshot: its sections by name, its rows by primary key. A list without sections has one, named "".
  public typealias Snapshot = DiffableSnapshot<String, Model.ID>
  /// What is new in the list.
  public typealias Change = FetchChange<Model.ID>

  private struct Core {
    var request: FetchDescriptor<Model>
    var list: FetchList<Model.ID>?
    /// The list that is followed, or was last.
    var plan: FetchPlan?
    var subscriber = 0
    var generation = 0
    /// The reason why the last fetch came to no list.
    var failure: FetchError?
  }

  /// The store that the rows are in.
  public let store: any FetchStore
  /// How the controller goes about its work.
  public let options: FetchOptions
  let hub = FetchHub<Model.ID>()
  @usableFromInline let cache: ObjectCache<Model>
  @usableFromInline let counters: ControllerCounters
  let readAhead = Mutex(ReadAhead())
  let delegation = Delegation()
  private let core: Mutex<Core>

  /// Creates a controller. It reads nothing yet.
  /// - Parameters:
  ///   - request: What the list holds. A mistake in it is thrown by ``performFetch()``.
  ///   - store: The store that the rows are in.
  ///   - options: How the controller goes about its work.
  public init(_ request: FetchDescriptor<Model>, in store: any FetchStore, options: FetchOptions = .init()) {
    self.store = store
    self.options = options
    core = Mutex(Core(request: request))
    cache = ObjectCache(limit: options.cacheSize)
    counters = ControllerCounters(label: options.metricsLabel)
  }

  deinit {
    core.withLock { core in core.list?.unsubscribe(core.subscriber) }
    hub.close().resumeAll()
    delegation.replace(with: nil)
  }

  /// What the list holds.
  public var request: FetchDescriptor<Model> { core.withLock { $0.request } }

  var list: FetchList<Model.ID>? { core.withLock { $0.list } }

  @usableFromInline var plan: FetchPlan? { core.withLock { $0.plan } }

  /// The list as it is now: the newest snapshot, or nil before the first fetch.
  /// - Complexity: O(1).
  public var snapshot: Snapshot? { hub.shown?.snapshot }

  /// The place in the store's history that ``snapshot`` is as of.
  public var position: FetchPosition? { hub.shown?.position }

  /// The failures of the list as it is: why it could not be read last, and the rows that cannot be listed. While there is no
  /// list, why the last fetch came to none.
  ///
  /// Of many rows some are named. The first change that a listener is given has the same in
  /// ``FetchChange/failures``.
  /// - Complexity: O(1).
  public var failures: [FetchError] {
    let (list, failure) = core.withLock { ($0.list, $0.failure) }
    return list?.failures ?? failure.map { [$0] } ?? []
  }

  /// What happens to the list, from now on. Any number of tasks may listen; each is told everything.
  public var changes: FetchChanges<Model.ID> { changes(owner: self) }

  func changes(owner: any AnyObject & Sendable) -> FetchChanges<Model.ID> {
    FetchChanges(hub: hub, options: options, statistics: counters, owner: owner) { [weak self] in
      self?.failures ?? []
    }
  }

  /// Reads the list, and keeps it live from then on.
  ///
  /// A second call reads it anew. A list that another controller keeps live already is not read for the first call.
  /// - Returns: The list. Rows that cannot be listed are not in it: they are in ``failures``.
  /// - Throws: ``FetchError``: a mistake in the request, a failure of the database, rows of a section that do
  ///   not follow one another, dates that all rows store in another form than the model says. What was there before then
  ///   stays.
  /// - Complexity: O(*n*) for a list of *n* rows.
  @discardableResult
  public func performFetch() async throws(FetchError) -> Snapshot {
    let (request, generation) = core.withLock { ($0.request, $0.generation) }
    return try await fetch(request, generation)
  }

  /// Gives the live list another request: another filter, order or sections.
  ///
  /// The list stays as it was until the new one has been read; what is new is then delivered as a difference.
  /// Of several calls that overlap, the last wins; the others return what is then shown.
  /// - Parameter request: What the list is to hold.
  /// - Returns: The list.
  /// - Throws: ``FetchError``; the list then stays with its old request.
  @discardableResult
  public func reconfigure(_ request: FetchDescriptor<Model>) async throws(FetchError) -> Snapshot {
    let generation = core.withLock { core in
      core.generation += 1
      return core.generation
    }
    return try await fetch(request, generation)
  }

  private func fetch(_ request: FetchDescriptor<Model>, _ generation: Int) async throws(FetchError)
    -> Snapshot
  {
    let plan: FetchPlan
    do { plan = try request.plan() } catch { throw note(.request(error)) }
    // A list that another controller keeps live is taken as it is.
    await store.settle()
    let (current, subscribed) = core.withLock { ($0.list, $0.list?.plan == plan) }
    let list = subscribed ? current ?? makeList(plan) : makeList(plan)
    let update: ListUpdate<Model.ID>
    do {
      update = try await list.fetch(again: subscribed)
      if subscribed { return hub.latest?.snapshot ?? update.snapshot }
    } catch {
      // Nothing will follow: those who listen are not to wait for it.
      if error.kind == .closed { hub.close().resumeAll() }
      throw note(error)
    }
    if let refusal = update.refusal { throw note(.request(refusal)) }
    switchTo(list, request, generation, update.cost)
    return hub.latest?.snapshot ?? Snapshot()
  }

  /// Keeps a failure for those who ask later, where there is no list to ask.
  private func note(_ error: FetchError) -> FetchError {
    core.withLock { $0.failure = error }
    return error
  }

  private func makeList(_ plan: FetchPlan) -> FetchList<Model.ID> {
    FetchLists.list(plan, in: store, of: Model.ID.self)
  }

  /// Follows another list from now on, unless a later request has been made.
  private func switchTo(
    _ list: FetchList<Model.ID>, _ request: FetchDescriptor<Model>, _ generation: Int, _ cost: FetchCost
  ) {
    let waiting = core.withLock { core -> [FetchWaiting] in
      guard core.generation == generation, core.list !== list else { return [] }
      core.list?.unsubscribe(core.subscriber)
      // What a list does not show it does not tell of.
      let isAllKnown = core.plan?.hiddenColumns.isSubset(of: list.plan.hiddenColumns) ?? true
      let known = isAllKnown ? hub.latest?.position : FetchPosition(0)
      core.request = request
      core.failure = nil
      core.list = list
      core.plan = list.plan
      let (subscriber, waiting) = list.join(cost: cost, knowing: known) {
        [weak hub, weak cache, weak counters] event in
        switch event {
        case .joined(var update):
          if update.mayHaveTwins, let former = hub?.latest?.snapshot {
            update.touched.merge(TouchedRows(KeyTwins.replaced(in: former, by: update.snapshot)))
          }
          cache?.begin(with: update.snapshot)
          counters?.noted(update.cost, failures: update.failures.count)
          return hub?.publish(update, ofOtherList: true) ?? []
        case .update(let update):
          cache?.follow(update)
          counters?.noted(update.cost, failures: update.failures.count)
          return hub?.publish(update) ?? []
        case .hidden(let rows):
          cache?.drop(rows, listed: nil)
          return []
        case .closed: return hub?.close() ?? []
        }
      }
      core.subscriber = subscriber
      return waiting
    }
    waiting.resumeAll()
  }

  /// Ends the streams of all who listen. The list is kept live no longer; its last snapshot stays.
  ///
  /// ``performFetch()`` makes it live again. Whoever listens from now on is given the last snapshot, and what comes
  /// after the next fetch.
  public func stop() {
    core.withLock { core in
      core.list?.unsubscribe(core.subscriber)
      core.list = nil
    }
    cache.end()
    hub.endListeners().resumeAll()
  }

  /// Holds back what is new. The list goes on being kept right.
  public func pause() { hub.pause() }

  /// Shows what is new again; what was held back comes in one step.
  public func resume() { hub.resume() }
}

extension FetchController {
  /// Waits until the list is not being read: until all commits made before the call are in ``snapshot``, or have
  /// failed to be.
  public func settle() async {
    await store.settle()
    await list?.settle()
  }
}

/// The task that tells a delegate.
final class Delegation: Sendable {
  private let task = Mutex<Task<Void, Never>?>(nil)

  func replace(with new: Task<Void, Never>?) {
    task.withLock { task in
      task?.cancel()
      task = new
    }
  }
}
