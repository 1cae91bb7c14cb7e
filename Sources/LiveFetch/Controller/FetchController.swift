public import LiveStore
public import Snapshots
import Synchronization

/// A live list of a table's rows: it stays right with every commit, at a cost that follows the change.
///
/// ```swift
/// let photos = FetchController(request, in: store)
/// for try await change in photos.changes { show(change.snapshot) }
/// ```
///
/// A controller is used from any task. Controllers with equal requests on one store share their index.
public final class FetchController<Model: FetchModel>: SnapshotSource, Sendable {
  /// A list's snapshot: its sections by their values, its rows by primary key. A list without sections has one, whose
  /// identifier is the empty text.
  public typealias Snapshot = DiffableSnapshot<FetchSectionID, Model.ID>
  /// A change of the list.
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
    /// Whether a list was asked for by ``performFetch()`` or another request since there was none. Until then listeners alone
    /// had it read, and the first ``performFetch()`` need not read it again.
    var isAskedFor = false
    /// The work of the lists that were followed before, and of the present one before it counted.
    var former = FormerStatistics()
  }

  /// The store that the rows are in.
  public let store: any FetchStore
  /// How the controller goes about its work.
  public let options: FetchOptions
  let broadcaster = ChangeBroadcaster<Model.ID>()
  @usableFromInline let cache: ObjectCache<Model>
  @usableFromInline let counters: ControllerCounters
  let readAhead = Mutex(ReadAhead())
  let delegation = Delegation()
  private let configureFetch: (@Sendable () -> FetchDescriptor<Model>)?
  private let core: Mutex<Core>

  /// Creates a controller. It reads nothing yet.
  /// - Parameters:
  ///   - request: The contents of the list. A mistake in it is thrown by ``performFetch()``, or by ``changes``.
  ///   - store: The store that the rows are in.
  ///   - options: How the controller goes about its work.
  public convenience init(
    _ request: FetchDescriptor<Model>, in store: any FetchStore, options: FetchOptions = .init()
  ) {
    self.init(in: store, options: options, request: request, configureFetch: nil)
  }

  /// Creates a controller that is given its request anew for each fetch. It reads nothing yet.
  ///
  /// ```swift
  /// let events = FetchController(in: store) { [settings] in
  ///   FetchDescriptor<Event>().ordered(by: settings.newestFirst ? .descending(\.date) : .ascending(\.date))
  /// }
  /// ```
  /// - Parameters:
  ///   - store: The store that the rows are in.
  ///   - options: How the controller goes about its work.
  ///   - configureFetch: Returns the contents of the list. It is called at each ``performFetch()``, and where a listener has the
  ///     list read, on the task of the caller. A request that is given by ``update(request:)->_`` stands until then.
  public convenience init(
    in store: any FetchStore, options: FetchOptions = .init(),
    configureFetch: @escaping @Sendable () -> FetchDescriptor<Model>
  ) {
    self.init(in: store, options: options, request: FetchDescriptor(), configureFetch: configureFetch)
  }

  private init(
    in store: any FetchStore, options: FetchOptions, request: FetchDescriptor<Model>,
    configureFetch: (@Sendable () -> FetchDescriptor<Model>)?
  ) {
    self.store = store
    self.options = options
    self.configureFetch = configureFetch
    core = Mutex(Core(request: request))
    cache = ObjectCache(limit: options.cacheSize)
    counters = ControllerCounters(label: options.metricsLabel)
  }

  deinit {
    core.withLock { core in core.list?.unsubscribe(core.subscriber) }
    broadcaster.close().resumeAll()
    delegation.replace(with: nil)
  }

  /// The contents of the list. Of a controller with a closure for its request, those that were fetched last.
  public var request: FetchDescriptor<Model> { core.withLock { $0.request } }

  var list: FetchList<Model.ID>? { core.withLock { $0.list } }

  /// The list that is followed, and the work that its own counters lack or have too much of.
  var listAndFormer: (FetchList<Model.ID>?, FormerStatistics) { core.withLock { ($0.list, $0.former) } }

  /// Has the lists' counters begin at 0.
  func forgetFormer() {
    core.withLock { core in
      core.former = FormerStatistics()
      if let list = core.list { core.former.follow(list.statistics, after: nil, isFirst: false) }
    }
  }

  @usableFromInline var plan: FetchPlan? { core.withLock { $0.plan } }

  /// The list as it is now: the newest snapshot, or nil before the first fetch.
  /// - Complexity: O(1).
  public var snapshot: Snapshot? { broadcaster.current?.snapshot }

  /// The position in the store's history that ``snapshot`` is as of.
  public var position: FetchPosition? { broadcaster.current?.position }

  /// The failures of the list as it is: why it could not be read last, the rows that cannot be listed, and why objects could not be
  /// read that were asked for since the list's last change. While there is no list, why the last fetch came to none.
  ///
  /// A list reads the columns by which it filters and sorts. That the table lacks another column of the model, or has it in another type, comes
  /// to light with the first object.
  ///
  /// Of many rows some are named. The first change that a listener is given has the same in
  /// ``FetchChange/failures``.
  /// - Complexity: O(1).
  public var failures: [FetchError] {
    let (list, failure) = core.withLock { ($0.list, $0.failure) }
    guard let list else { return failure.map { [$0] } ?? [] }
    return list.failures + cache.failures
  }

  /// Whether the list is live, and its store knows of all commits. It is false before the first fetch, while the list is read
  /// anew, after a read that failed, and while the store is cut off from its database; ``failures`` has the reason. It is false as well
  /// once the store was closed, which is no failure.
  ///
  /// A store on another machine may learn of a line that hangs only after a while: then it is true until that is noticed.
  /// - Complexity: O(1).
  public var isCurrent: Bool { list?.isCurrent ?? false }

  /// The changes of the list, from now on. Any number of tasks may listen; each receives every change.
  ///
  /// The list is read when somebody begins to listen, unless it is live already: no ``performFetch()`` is needed before. Should
  /// that fail, the listener's sequence throws.
  public var changes: FetchChanges<Model.ID> { changes(owner: self) }

  func changes(owner: any AnyObject & Sendable) -> FetchChanges<Model.ID> {
    FetchChanges(
      broadcaster: broadcaster, options: options, statistics: counters, owner: owner,
      standing: { [weak self] in self?.failures ?? [] },
      fetch: { [weak self] () async throws(FetchError) in try await self?.fetchUnlessLive() })
  }

  /// Reads the list, and keeps it live from then on.
  ///
  /// A second call reads it anew. A list that another controller keeps live already, or that was read because somebody listens,
  /// is not read for the first call.
  /// - Returns: The list. Rows that cannot be listed are not in it: they are in ``failures``.
  /// - Throws: ``FetchError``: a mistake in the request, a failure of the database, rows of a section that do
  ///   not follow one another, dates that all rows store in another form than the model says. What was there before then
  ///   stays.
  /// - Complexity: O(*n*) for a list of *n* rows.
  @discardableResult
  public func performFetch() async throws(FetchError) -> Snapshot {
    let configured = configureFetch?()
    let (request, generation, again) = core.withLock { core in
      defer { core.isAskedFor = true }
      // Of several requests that overlap, the last wins.
      if configured != nil { core.generation += 1 }
      return (configured ?? core.request, core.generation, core.isAskedFor)
    }
    return try await fetch(request, generation, again: again)
  }

  /// Reads the list for a listener where no list is followed.
  func fetchUnlessLive() async throws(FetchError) {
    guard core.withLock({ $0.list == nil }) else { return }
    let configured = configureFetch?()
    let (request, generation) = core.withLock { (configured ?? $0.request, $0.generation) }
    _ = try await fetch(request, generation, again: false)
  }

  /// Gives the live list another request: another filter, order or sections.
  ///
  /// The list stays as it was until the new one has been read; what is new is then delivered as a difference.
  /// Of several calls that overlap, the last wins; the others return what is then shown.
  /// Code that is not asynchronous, such as a search field's, has a form that does not wait.
  /// - Parameter request: The contents of the list.
  /// - Returns: The list.
  /// - Throws: ``FetchError``; the list then stays with its old request.
  @discardableResult
  public func update(request: FetchDescriptor<Model>) async throws(FetchError) -> Snapshot {
    try await fetch(request, beginUpdate(), again: true)
  }

  /// Notes that another request is to replace the present one.
  /// - Returns: The number of the request; that with the highest wins.
  func beginUpdate() -> Int {
    core.withLock { core in
      core.isAskedFor = true
      core.generation += 1
      return core.generation
    }
  }

  func isNewest(_ generation: Int) -> Bool { core.withLock { $0.generation == generation } }

  /// - Parameter again: Whether to read the list even if it is followed already.
  func fetch(
    _ request: FetchDescriptor<Model>, _ generation: Int, again: Bool
  ) async throws(FetchError) -> Snapshot {
    let plan: FetchPlan
    do { plan = try request.plan() } catch { throw note(.request(error)) }
    // A list that another controller keeps live is taken as it is.
    await store.waitUntilCurrent()
    let (current, subscribed) = core.withLock { ($0.list, $0.list?.plan == plan) }
    let list = subscribed ? current ?? makeList(plan) : makeList(plan)
    let before = list.statistics
    let update: FetchUpdate<Model.ID>
    do {
      update = try await list.fetch(again: subscribed && again)
      if subscribed { return broadcaster.latest?.snapshot ?? update.snapshot }
    } catch {
      // Nothing will follow: those who listen are not to wait for it.
      if error.kind == .closed { broadcaster.close().resumeAll() }
      throw note(error)
    }
    if let refusal = update.refusal { throw note(.request(refusal)) }
    switchTo(list, request, generation, update.cost, before)
    return broadcaster.latest?.snapshot ?? update.snapshot
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
  /// - Parameter before: The work of the list before it was fetched.
  private func switchTo(
    _ list: FetchList<Model.ID>, _ request: FetchDescriptor<Model>, _ generation: Int, _ cost: FetchCost,
    _ before: ListStatistics
  ) {
    let waiting = core.withLock { core -> [SuspendedTask] in
      guard core.generation == generation, core.list !== list else { return [] }
      core.list?.unsubscribe(core.subscriber)
      core.former.follow(before, after: core.list?.statistics, isFirst: core.plan == nil)
      // A list does not report what it does not show.
      let isAllKnown = core.plan?.ignoredColumns.isSubset(of: list.plan.ignoredColumns) ?? true
      let known = isAllKnown ? broadcaster.latest?.position : FetchPosition(0)
      core.request = request
      core.failure = nil
      core.list = list
      core.plan = list.plan
      let (subscriber, waiting) = list.join(cost: cost, knowing: known) {
        [weak broadcaster, weak cache, weak counters] event in
        switch event {
        case .joined(var update):
          if update.mayHaveTwins, let former = broadcaster?.latest?.snapshot {
            update.touched.merge(TouchedRows(KeyTwins.replaced(in: former, by: update.snapshot)))
          }
          cache?.begin(with: update.snapshot)
          counters?.noted(update.cost, failures: update.failures.count)
          return broadcaster?.publish(update, ofOtherList: true) ?? []
        case .update(var update):
          cache?.follow(&update)
          counters?.noted(update.cost, failures: update.failures.count)
          return broadcaster?.publish(update) ?? []
        case .hidden(let rows):
          cache?.drop(rows, listed: nil)
          return []
        case .closed: return broadcaster?.close() ?? []
        }
      }
      core.subscriber = subscriber
      return waiting
    }
    waiting.resumeAll()
  }

  /// Ends the streams of all who listen. The list is kept live no longer; its last snapshot stays.
  ///
  /// ``performFetch()`` makes it live again, and so does whoever listens from now on.
  public func stop() {
    core.withLock { core in
      core.list?.unsubscribe(core.subscriber)
      if let list = core.list { core.former.leave(list.statistics) }
      core.list = nil
      core.isAskedFor = false
    }
    cache.end()
    broadcaster.endListeners().resumeAll()
  }

  /// Holds back what is new. The list goes on being kept right.
  public func pause() { broadcaster.pause() }

  /// Shows what is new again; what was held back comes in one step.
  public func resume() { broadcaster.resume() }
}

/// The task that notifies a delegate.
final class Delegation: Sendable {
  private let task = Mutex<Task<Void, Never>?>(nil)

  func replace(with new: Task<Void, Never>?) {
    task.withLock { task in
      task?.cancel()
      task = new
    }
  }
}
