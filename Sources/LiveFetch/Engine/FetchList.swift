import LiveStore
import Snapshots
import Synchronization

/// What a list tells the controllers that show it.
struct ListUpdate<ID: FetchIdentifier>: Sendable {
  var snapshot: DiffableSnapshot<String, ID>
  var position: FetchPosition
  /// The rows that changed or left the list since the update before, whether or not it is known how. A row that left and
  /// came back may have changed meanwhile without a report.
  var touched: TouchedRows<ID>
  /// The rows of which only columns changed that the list does not show.
  var hidden = TouchedRows<ID>()
  /// What leads from the snapshot before to this one, where it is known.
  var step: SnapshotDifference<String, ID>?
  /// The places of the touched rows that stayed, where they are known.
  var stayers: [ListStayer<ID>]?
  var isFetch = false
  /// Whether it is no change of the list: some of its rows could not be made into objects.
  var isOfObjects = false
  var origins: [String] = []
  var failures: [FetchError] = []
  /// Whether there is a key that may make the identifier of another row.
  var mayHaveTwins = false
  /// The reason why a list that has just been read cannot be what is meant.
  var refusal: FetchDescriptorError?
  var cost = FetchCost()
  var committed: ContinuousClock.Instant?
}

/// One live list: a state, the lock around it, and the effects of its events.
///
/// ```
///  idle ──▶ reading ──▶ live ──▶ closed
///             ▲  ▲        │
///             │  └─reset──┤
///             └── failed ◀┘   (the next event reads again)
/// ```
///
/// While a read is under way, events wait; of those at or before its position the tags and the touched rows are then
/// told, the others are carried out in order. Subscribers are called within the lock, so that they learn of changes in order; they do not
/// call back, and say who is to be resumed when the lock is free.
final class FetchList<ID: FetchIdentifier>: Sendable {
  typealias Subscriber = @Sendable (Event) -> [FetchWaiting]

  enum Event: Sendable {
    /// The list as it is, for a subscriber that has just come.
    case joined(ListUpdate<ID>)
    case update(ListUpdate<ID>)
    /// Rows of which only columns changed that the list does not show. There is nothing else to be told.
    case hidden(TouchedRows<ID>)
    case closed
  }

  private struct Core {
    var state: ListState<ID>
    var phase = Phase.idle
    var waiting: [FetchStoreEvent] = []
    /// So many events waited that reading again is simpler; then these are the tags of those that are not kept.
    var overflow: [String]?
    /// Who is to be resumed when the lock is free.
    var woken: [FetchWaiting] = []
    var reading: Task<Void, any Error>?
    var subscribers: [Int: Subscriber] = [:]
    var nextSubscriber = 0
    var observation: FetchObservation?
    /// The reason why the list is not live, in the phase `failed`.
    var failure: FetchError?
    var statistics = ListStatistics()
  }

  private enum Phase {
    case idle, reading, live, failed, closed
  }

  private static var mostWaiting: Int { 1_000 }

  let plan: FetchPlan
  private let store: any FetchStore
  private let core: Mutex<Core>

  init(_ plan: FetchPlan, in store: any FetchStore) {
    self.plan = plan
    self.store = store
    core = Mutex(Core(state: ListState(plan)))
  }

  var statistics: ListStatistics { core.withLock { $0.statistics } }

  /// Bytes of the index, for the statistics.
  var indexBytes: Int { core.withLock { $0.state.index.byteCount } }

  /// See ``ListState/range(from:through:atMost:)``.
  func range(from first: ID, through last: ID, atMost most: Int) -> FetchOrderRange? {
    core.withLock { $0.state.range(from: first, through: last, atMost: most) }
  }

  // MARK: Subscribers

  /// The failures of the list as it is: why it is not live, and the rows that cannot be listed, as far as they are told.
  var failures: [FetchError] {
    core.withLock { core in (core.failure.map { [$0] } ?? []) + Self.failures(core.state) }
  }

  /// Adds a subscriber, and gives it the list as it is.
  /// - Parameters:
  ///   - cost: What having it has cost.
  ///   - known: The commit up to which the subscriber knows what was touched; nil when it has no rows yet.
  /// - Returns: The subscriber's number, by which it is removed, and who is to be resumed when no lock is held.
  func join(cost: FetchCost, knowing known: FetchPosition?, _ subscriber: @escaping Subscriber) -> (
    Int, [FetchWaiting]
  ) {
    core.withLock { core in
      core.nextSubscriber += 1
      core.subscribers[core.nextSubscriber] = subscriber
      var whole = Self.whole(core, cost)
      // A commit that is in this list and that the subscriber was not told of may have touched any row.
      if let known, core.state.position > known { whole.touched = .all }
      var woken = subscriber(.joined(whole))
      if core.phase == .closed { woken += subscriber(.closed) }
      return (core.nextSubscriber, woken)
    }
  }

  private static func whole(_ core: borrowing Core, _ cost: FetchCost) -> ListUpdate<ID> {
    ListUpdate(
      snapshot: core.state.snapshot, position: core.state.position, touched: [], isFetch: true,
      failures: failures(core.state), mayHaveTwins: core.state.twins.isPossible, refusal: core.state.refusal,
      cost: cost)
  }

  /// The most failures that are reported at once.
  private static var mostFailures: Int { 100 }

  private static func failures(_ state: borrowing ListState<ID>) -> [FetchError] {
    state.badRows.values.prefix(mostFailures).map { .row($0) }
  }

  func unsubscribe(_ subscriber: Int) {
    core.withLock { _ = $0.subscribers.removeValue(forKey: subscriber) }
  }

  // MARK: Reading

  /// Reads the list unless it is live already.
  /// - Parameter again: Whether to read even so.
  /// - Returns: The list as it then is.
  func fetch(again: Bool) async throws(FetchError) -> ListUpdate<ID> {
    let task: Task<Void, any Error>? = try core.withLock { (core) throws(FetchError) in
      switch core.phase {
      case .closed: throw .closed
      case .reading: return core.reading
      case .live where !again: return nil
      default: return startReading(&core, touched: .all, reset: nil)
      }
    }
    do { try await task?.value } catch { throw .database(error) }
    return core.withLock { core in
      // Who finds the list live has it for nothing.
      Self.whole(core, task == nil ? FetchCost() : FetchCost(rowsRead: core.state.rowsRead, statements: 1))
    }
  }

  /// Waits until no read is under way.
  func settle() async {
    while let task = core.withLock({ $0.phase == .reading ? $0.reading : nil }) { _ = try? await task.value }
  }

  private func startReading(
    _ core: inout Core, touched: TouchedRows<ID>, reset: FetchReset?
  ) -> Task<Void, any Error> {
    core.phase = .reading
    core.waiting = []
    core.overflow = nil
    if core.observation == nil {
      core.observation = store.observe(plan) { [weak self] event in self?.receive(event) }
    }
    let task = Task { [plan, store] in
      do {
        let started = ContinuousClock.now
        let (state, position) = try await store.read(plan) { try ListState<ID>(plan, reading: $0) }
        self.finishReading(state, position, touched, reset, took: .now - started)
      } catch {
        self.failReading(.database(error), reset)
        throw error
      }
    }
    core.reading = task
    return task
  }

  private func finishReading(
    _ state: ListState<ID>, _ position: FetchPosition, _ touched: TouchedRows<ID>,
    _ reset: FetchReset?,
    took: Duration
  ) {
    withCore { core in
      guard core.phase == .reading else { return }
      var touched = touched
      if state.isWindow {
        touched.merge(TouchedRows(core.state.snapshot.items.lazy.filter { !state.snapshot.containsItem($0) }))
      }
      // An identifier may now stand for another row, although no commit touched that row.
      if state.twins.isPossible {
        touched.merge(TouchedRows(KeyTwins.replaced(in: core.state.snapshot, by: state.snapshot)))
      }
      core.statistics.failures += state.badRows.count { core.state.badRows[$0.key] == nil }
      core.state = state
      core.state.position = position
      core.phase = .live
      core.failure = nil
      core.reading = nil
      core.statistics.reads += 1
      core.statistics.statements += 1
      core.statistics.rowsRead += state.rowsRead
      let waiting = core.waiting
      core.waiting = []
      // What was committed before the read is in it, and is told of with it.
      let (seen, later) = (
        waiting.filter { $0.position <= position }, waiting.filter { $0.position > position }
      )
      for event in seen { touched.merge(self.touched(by: event)) }
      // Listeners take the rows of one update for named once each.
      touched.removeRepetitions()
      publish(
        ListUpdate(
          snapshot: state.snapshot, position: position, touched: touched, isFetch: reset == nil,
          origins: (reset?.origins ?? []) + seen.flatMap(\.origins),
          failures: Self.failures(state),
          cost: FetchCost(rowsRead: state.rowsRead, statements: 1, indexing: took, isReread: true),
          committed: reset?.committed), to: &core)
      if let overflow = core.overflow {
        let origins = later.flatMap(\.origins) + overflow
        _ = startReading(
          &core, touched: .all, reset: FetchReset(position: position, reason: .manyRows, origins: origins))
        return
      }
      for event in later { process(event, &core) }
    }
  }

  private func failReading(_ error: FetchError, _ reset: FetchReset?) {
    withCore { core in
      guard core.phase == .reading else { return }
      if error.kind == .closed { return close(&core) }
      core.phase = .failed
      core.reading = nil
      let waiting = core.waiting
      core.waiting = []
      let origins = (reset?.origins ?? []) + waiting.dropLast().flatMap(\.origins) + (core.overflow ?? [])
      fail(error, &core, reset?.position, origins, reset?.committed)
      // What came while the read was under way may be what mends it.
      if let last = waiting.last { process(last, &core) }
    }
  }

  // MARK: Events

  private func receive(_ event: FetchStoreEvent) {
    withCore { process(event, &$0) }
  }

  /// Does something within the lock, and resumes those who are to look when it is free.
  private func withCore(_ body: (inout Core) -> Void) {
    let woken = core.withLock { core in
      body(&core)
      defer { core.woken = [] }
      return core.woken
    }
    woken.resumeAll()
  }

  private func process(_ event: FetchStoreEvent, _ core: inout Core) {
    if case .closed = event { return close(&core) }
    switch core.phase {
    case .idle, .closed: return
    case .reading:
      if core.waiting.count < Self.mostWaiting {
        core.waiting.append(event)
      } else {
        core.overflow = (core.overflow ?? []) + event.origins
      }
    case .failed:
      let reset = FetchReset(
        position: event.position, reason: .unresumable, origins: event.origins, committed: event.committed)
      _ = startReading(&core, touched: .all, reset: reset)
    case .live:
      guard event.position > core.state.position else { return tellKnown(event, &core) }
      switch event {
      case .changes(let changes): apply(changes, &core)
      case .reset(let reset): read(again: reset, &core)
      case .closed: close(&core)
      }
    }
  }

  private func read(again reset: FetchReset, _ core: inout Core) {
    _ = startReading(&core, touched: touched(by: .reset(reset)), reset: reset)
  }

  /// The rows that an event names. What it did to them is left out: they may have come into the list or left it, and then
  /// be touched without a word.
  private func touched(by event: FetchStoreEvent) -> TouchedRows<ID> {
    let named: [FetchValue]
    switch event {
    case .changes(let changes): named = changes.rows.map(\.id)
    case .reset(let reset):
      if reset.touched.isAll { return .all }
      named = reset.touched.rows.map(\.id)
    case .closed: named = []
    }
    return TouchedRows(named.compactMap { ID(fetchValue: $0, as: plan.columns[0].type) })
  }

  /// Publishes the touched rows of a commit that the last read has seen already.
  private func tellKnown(_ event: FetchStoreEvent, _ core: inout Core) {
    var update = Self.whole(core, FetchCost())
    update.touched = touched(by: event)
    update.touched.removeRepetitions()
    (update.isFetch, update.failures) = (false, [])
    (update.origins, update.committed) = (event.origins, event.committed)
    publish(update, to: &core)
  }

  /// The most touched rows that are carried out.
  ///
  /// Measured: from 3,000 to 1,000,000 rows one touched row costs as much as 13 to 17 rows read anew, the difference
  /// of the unrelated snapshots included. In shorter lists either takes some milliseconds, and reading anew has to be
  /// asked for and waited for. `make bench SUITE=fetch` measures it as “touched rows, from which on reading … anew is
  /// cheaper”.
  private static func mostRows(inListOf count: Int) -> Int { max(200, count / 16) }

  private func apply(_ changes: ChangeSet, _ core: inout Core) {
    let started = ContinuousClock.now
    core.statistics.commits += 1
    core.statistics.rowsRead += changes.rows.count
    core.statistics.statements += changes.statements
    if changes.rows.count > Self.mostRows(inListOf: core.state.snapshot.numberOfItems) {
      return read(
        again: FetchReset(
          position: changes.position, reason: .manyRows, touched: TouchedRows(changes.rows.lazy.map(\.id)),
          origins: changes.origins, committed: changes.committed), &core)
    }
    let rereading = FetchReset(
      position: changes.position, reason: .unresumable, touched: TouchedRows(changes.rows.lazy.map(\.id)),
      origins: changes.origins, committed: changes.committed)
    let last = core.state.snapshot
    do {
      let change = try core.state.apply(changes)
      core.statistics.failures += change.failures.count
      if change.needsReading { return read(again: rereading, &core) }
      guard !change.isEmpty else {
        if !change.hidden.isEmpty { publish(.hidden(change.hidden), to: &core) }
        return
      }
      let now = ContinuousClock.now
      core.statistics.deliveries += 1
      core.statistics.indexing += now - started
      publish(
        ListUpdate(
          snapshot: core.state.snapshot, position: changes.position, touched: change.touched,
          hidden: change.hidden, step: change.step, stayers: change.stayers, origins: changes.origins,
          failures: change.failures.prefix(Self.mostFailures).map { .row($0) },
          cost: FetchCost(
            rowsRead: changes.rows.count, statements: changes.statements, indexing: now - started),
          committed: changes.committed), to: &core)
    } catch {
      // Reading again shows whether the rows are at fault, or what the state knows of them: rows behind a limit are unknown.
      core.state.abandon(showing: last)
      read(again: rereading, &core)
    }
  }

  /// Tells of a failure beside the last good snapshot, which each controller has.
  private func fail(
    _ error: FetchError, _ core: inout Core, _ position: FetchPosition?, _ origins: [String],
    _ committed: ContinuousClock.Instant?
  ) {
    core.statistics.failures += 1
    core.failure = error
    publish(
      ListUpdate(
        snapshot: DiffableSnapshot(), position: position ?? core.state.position, touched: [],
        origins: origins, failures: [error], cost: FetchCost(hasFailed: true), committed: committed),
      to: &core)
  }

  private func publish(_ update: ListUpdate<ID>, to core: inout Core) { publish(.update(update), to: &core) }

  private func publish(_ event: Event, to core: inout Core) {
    for subscriber in core.subscribers.values { core.woken += subscriber(event) }
  }

  private func close(_ core: inout Core) {
    guard core.phase != .closed else { return }
    core.phase = .closed
    core.observation = nil
    core.reading?.cancel()
    for subscriber in core.subscribers.values { core.woken += subscriber(.closed) }
  }
}

/// What a list counts.
struct ListStatistics: Sendable {
  var reads = 0
  var commits = 0
  var deliveries = 0
  var failures = 0
  var statements = 0
  var rowsRead = 0
  var indexing = Duration.zero
}
