import Foundation
import LiveStore
import Snapshots

/// A live list as a value: its state, the list as it last was, and the answer to each event.
///
/// Nothing is called, started or waited for here: each event returns an ``Action``, which ``FetchList`` performs before the
/// next event comes. Decision 0009 has the diagram.
///
/// Commits are followed by specialized code, and so is what looks at each row of a read. The rest is large, happens once for a
/// read or more rarely, and is compiled once for all kinds of identifiers (`optimize.sil.specialize.generic.never`): see
/// decision 0007.
struct ListMachine<ID: FetchIdentifier>: Sendable {
  /// The most events that wait for a read.
  let waitingCapacity: Int
  private(set) var state = State.idle
  /// The list as it last was. While it is read again, a snapshot may be left of it alone.
  private(set) var list: ListState<ID>
  private(set) var statistics = ListStatistics()
  /// The reason why the store does not know of commits at present. It stands beside the state: a list that is cut off from
  /// its database is as it was.
  var interruption: FetchError?
  /// Whether subscribers are still to be notified that an interruption is over.
  var owesResumption = false

  init(_ plan: FetchPlan, waitingCapacity: Int = 1_000) {
    self.waitingCapacity = waitingCapacity
    list = ListState(plan)
  }

  // MARK: Questions

  var plan: FetchPlan { list.plan }

  /// The reason why the list is not live.
  private var failure: FetchError? {
    switch state {
    case .idle, .live: nil
    case .reading(let reading): reading.failure
    case .failed(let failure): failure
    case .closed(let failure): failure
    }
  }

  /// The failures of the list as it is: why it is not live, and the rows that cannot be listed, as far as they are reported.
  var failures: [FetchError] { [failure, interruption].compactMap(\.self) + Self.failures(of: list) }

  /// Whether the list is live, and its store knows of all commits.
  var isCurrent: Bool {
    if case .live = state { interruption == nil } else { false }
  }

  /// The read that is under way.
  var readTask: Task<Void, any Error>? {
    if case .reading(let reading) = state { reading.task } else { nil }
  }

  /// The list as it is.
  @inline(never) @_semantics("optimize.sil.specialize.generic.never")
  func whole(_ cost: FetchCost) -> FetchUpdate<ID> {
    FetchUpdate(
      snapshot: list.snapshot, position: list.position, touched: [], isFetch: true,
      failures: [interruption].compactMap(\.self) + Self.failures(of: list),
      mayHaveTwins: list.twins.isPossible, refusal: list.refusal, cost: cost)
  }

  /// See ``ListState/range(from:through:atMost:)``.
  func range(from first: ID, through last: ID, atMost most: Int) -> FetchOrderRange? {
    list.range(from: first, through: last, atMost: most)
  }

  /// The most failures that are reported at once.
  private static var failureLimit: Int { 100 }

  private static func failures(of list: borrowing ListState<ID>) -> [FetchError] {
    list.failedRows.values.prefix(failureLimit).map { .row($0) }
  }

  // MARK: Subscribers

  /// Returns the notifications of a subscriber that has just joined.
  /// - Parameters:
  ///   - cost: The cost of having the list for it.
  ///   - known: The commit up to which the subscriber knows what was touched; nil when it has no rows yet.
  @inline(never) @_semantics("optimize.sil.specialize.generic.never")
  func joined(cost: FetchCost, knowing known: FetchPosition?) -> [ListEvent<ID>] {
    var whole = whole(cost)
    // A commit that is in this list and that the subscriber was not notified of may have touched any row.
    if let known, list.position > known { whole.touched = .all }
    if case .closed = state { return [.joined(whole), .closed] }
    return [.joined(whole)]
  }

  /// Answers a fetch of the list.
  /// - Parameter again: Whether to read it even if it is live.
  @inline(never) @_semantics("optimize.sil.specialize.generic.never")
  func fetch(again: Bool) -> FetchAction {
    switch state {
    case .closed: .fail(.closed)
    case .reading(let reading): .wait(reading.task)
    case .live where !again: .take(whole(FetchCost()))
    case .idle, .live, .failed: .read(ReadRequest(touched: .all))
    }
  }

  // MARK: Reading

  /// Notes that the read was started which the last action asked for.
  mutating func readStarted(_ request: ReadRequest, _ task: Task<Void, any Error>) {
    state = .reading(Reading(request: request, task: task, failure: failure))
  }

  /// Takes the list that was read.
  /// - Returns: The actions, in order. A read is the last of them.
  @inline(never) @_semantics("optimize.sil.specialize.generic.never")
  mutating func readFinished(_ new: ListState<ID>, at position: FetchPosition, took: Duration) -> [Action] {
    guard case .reading(let reading) = state else { return [] }
    let reset = reading.request.reset
    // What was committed before the read is in it, and is reported with it.
    let seen = reading.request.waiting.filter { $0.position <= position }
    let later = reading.request.waiting.filter { $0.position > position }
    // Events of which the origins alone are kept may be of commits that were read.
    let touched = reading.overflow == nil ? self.touched(reading.request, by: new, seen) : .all
    statistics.failures += new.failedRows.count { list.failedRows[$0.key] == nil }
    list = new
    list.position = position
    state = .live
    statistics.reads += 1
    statistics.statements += 1
    statistics.rowsRead += new.rowsRead
    var update = FetchUpdate(
      snapshot: list.snapshot, position: position, touched: touched, isFetch: reset == nil,
      origins: (reset?.origins ?? []) + seen.flatMap(\.origins),
      writers: seen.reduce(reset?.writers ?? []) { $0.union($1.writers) },
      failures: [interruption].compactMap(\.self) + Self.failures(of: list),
      cost: FetchCost(rowsRead: list.rowsRead, statements: 1, indexing: took, isReread: true),
      committed: reset?.committed)
    takeResumption(&update)
    // Also where the list is as it was: who was told of the failure is told that it is over.
    if reading.failure != nil, interruption == nil { update.isResumption = true }
    if let overflow = reading.overflow {
      let origins = later.flatMap(\.origins) + overflow
      let reset = FetchReset(position: position, reason: .manyRows, origins: origins, writers: .all)
      return [.notify(.update(update)), .read(ReadRequest(touched: .all, reset: reset))]
    }
    return [.notify(.update(update))] + receive(later)
  }

  /// The rows that a read may have changed, each once: listeners take the rows of one update for that.
  /// - Parameters:
  ///   - request: What the read was asked for.
  ///   - new: The list that was read.
  ///   - seen: The events that waited for the read, and are of commits that it has seen.
  @_specialize(where ID == UUID)
  @_specialize(where ID == Int64)
  @_specialize(where ID == Int)
  @_specialize(where ID == String)
  private func touched(
    _ request: ReadRequest, by new: ListState<ID>, _ seen: [FetchStoreEvent]
  ) -> TouchedRows<ID> {
    if request.touched.isAll { return .all }
    var ids: [ID] = []
    if new.isWindow {
      for id in list.snapshot.items where !new.snapshot.containsItem(id) { ids.append(id) }
    }
    // An identifier may now stand for another row, although no commit touched that row.
    if new.twins.isPossible { ids += KeyTwins.replaced(in: list.snapshot, by: new.snapshot) }
    var touched = request.touched
    touched.merge(TouchedRows(ids))
    for event in seen { touched.merge(rows(of: event)) }
    touched.removeRepetitions()
    return touched
  }

  /// Takes events that have waited. From the first on that has the list read again, they wait for that read.
  @inline(never) @_semantics("optimize.sil.specialize.generic.never")
  private mutating func receive(_ events: [FetchStoreEvent]) -> [Action] {
    var actions: [Action] = []
    for (offset, event) in events.enumerated() {
      switch follow(event) {
      case .none: break
      case .read(var request):
        request.waiting = Array(events[(offset + 1)...])
        return actions + [.read(request)]
      case let action: actions.append(action)
      }
    }
    return actions
  }

  /// Notes that a read has failed. The last good list stays.
  /// - Returns: The actions, in order. A read is the last of them.
  @inline(never) @_semantics("optimize.sil.specialize.generic.never")
  mutating func readFailed(_ error: FetchError) -> [Action] {
    guard case .reading(let reading) = state else { return [] }
    if error.kind == .closed { return [close()] }
    state = .failed(error)
    statistics.failures += 1
    let (reset, waiting) = (reading.request.reset, reading.request.waiting)
    // Beside the last good snapshot, which each controller has.
    let update = FetchUpdate<ID>(
      snapshot: DiffableSnapshot(), position: reset?.position ?? list.position, touched: [],
      origins: (reset?.origins ?? []) + waiting.dropLast().flatMap(\.origins) + (reading.overflow ?? []),
      writers: waiting.dropLast().reduce(reset?.writers ?? []) { $0.union($1.writers) },
      failures: [error], cost: FetchCost(hasFailed: true), committed: reset?.committed)
    // What came while the read was under way may be what mends it.
    let isBack = waiting.isEmpty && reading.isResumed && interruption == nil
    // Nobody waits for a read that nothing but the store's return has asked for, and its failure is known.
    let isKnown =
      reset?.isRetry == true && waiting.isEmpty && reading.failure?.description == error.description
    return (isKnown ? [] : [.notify(.update(update))])
      + (isBack ? [resume()] : receive(Array(waiting.suffix(1))))
  }

  /// Notes that the store is back while a read is under way, which may have begun before.
  mutating func noteResumption() {
    guard case .reading(var reading) = state else { return }
    reading.isResumed = true
    state = .reading(reading)
  }

  // MARK: Events of the store

  /// Takes an event of the store.
  mutating func receive(_ event: FetchStoreEvent) -> Action {
    switch event {
    case .closed: return close()
    case .interrupted(let error): return interrupt(error)
    case .resumed: return resume()
    case .changes, .reset:
      endInterruption()
      let action = follow(event)
      return owesResumption ? resumed(with: action) : action
    }
  }

  /// Follows a commit.
  private mutating func follow(_ event: FetchStoreEvent) -> Action {
    switch state {
    case .idle, .closed: return .none
    case .reading, .failed: return hold(event)
    case .live:
      guard event.position > list.position else { return known(event) }
      switch event {
      case .changes(let changes): return apply(changes)
      case .reset(let reset): return read(reset)
      case .interrupted, .resumed, .closed: return .none
      }
    }
  }

  /// Keeps an event for after the read that is under way, or has the list read again after one that failed.
  @inline(never) @_semantics("optimize.sil.specialize.generic.never")
  private mutating func hold(_ event: FetchStoreEvent) -> Action {
    if case .reading(var reading) = state {
      // Not held twice, or the events that wait would be copied.
      state = .idle
      reading.hold(event, capacity: waitingCapacity)
      state = .reading(reading)
      return .none
    }
    let reset = FetchReset(
      position: event.position, reason: .unresumable, origins: event.origins, writers: event.writers,
      committed: event.committed)
    return .read(ReadRequest(touched: .all, reset: reset))
  }

  /// Returns an update with the touched rows of a commit that the last read has seen already.
  @inline(never) @_semantics("optimize.sil.specialize.generic.never")
  private func known(_ event: FetchStoreEvent) -> Action {
    var update = whole(FetchCost())
    update.touched = rows(of: event)
    update.touched.removeRepetitions()
    (update.isFetch, update.failures) = (false, [])
    (update.origins, update.writers, update.committed) = (event.origins, event.writers, event.committed)
    return .notify(.update(update))
  }

  @inline(never) @_semantics("optimize.sil.specialize.generic.never")
  private func read(_ reset: FetchReset) -> Action {
    .read(ReadRequest(touched: rows(of: .reset(reset)), reset: reset))
  }

  /// Has the list read instead of following a commit.
  @inline(never) @_semantics("optimize.sil.specialize.generic.never")
  private func read(instead changes: ChangeSet, _ reason: FetchReset.Reason) -> Action {
    read(
      FetchReset(
        position: changes.position, reason: reason, touched: TouchedRows(changes.rows.lazy.map(\.id)),
        origins: changes.origins, writers: changes.writers, committed: changes.committed))
  }

  /// The rows that an event names. Its effect on them is left out: they may have come into the list or left it, and then
  /// be touched without a word.
  @_specialize(where ID == UUID)
  @_specialize(where ID == Int64)
  @_specialize(where ID == Int)
  @_specialize(where ID == String)
  private func rows(of event: FetchStoreEvent) -> TouchedRows<ID> {
    guard let named = event.named else { return .all }
    let type = plan.columns[0].type
    return TouchedRows(named.compactMap { ID(fetchValue: $0, as: type) })
  }

  /// The most touched rows that are looked at singly.
  ///
  /// Measured: from 3,000 to 1,000,000 rows one touched row costs as much as 13 to 17 rows read anew, the difference
  /// of the unrelated snapshots included. In shorter lists either takes some milliseconds, and reading anew has to be
  /// asked for and waited for. `make bench SUITE=fetch` measures it as “touched rows, from which on reading … anew is
  /// cheaper”.
  private static func rowLimit(inListOf count: Int) -> Int { max(200, count / 16) }

  private mutating func apply(_ changes: ChangeSet) -> Action {
    let started = ContinuousClock.now
    statistics.commits += 1
    statistics.rowsRead += changes.rows.count
    statistics.statements += changes.statements
    if changes.rows.count > Self.rowLimit(inListOf: list.snapshot.numberOfItems) {
      return read(instead: changes, .manyRows)
    }
    let last = list.snapshot
    let change: ListChange<ID>
    do {
      change = try list.apply(changes)
    } catch {
      // Reading again shows whether the rows are at fault, or what the state knows of them: rows behind a limit are unknown.
      list.abandon(showing: last)
      return read(instead: changes, .unresumable)
    }
    statistics.failures += change.failures.count
    if change.needsReading { return read(instead: changes, .unresumable) }
    if change.isEmpty { return change.hidden.isEmpty ? .none : .notify(.hidden(change.hidden)) }
    let took = ContinuousClock.now - started
    statistics.deliveries += 1
    statistics.indexing += took
    return .notify(
      .update(
        FetchUpdate(
          snapshot: list.snapshot, position: changes.position, touched: change.touched,
          hidden: change.hidden, step: change.step, retained: change.retained, origins: changes.origins,
          writers: changes.writers,
          failures: change.failures.prefix(Self.failureLimit).map { .row($0) },
          cost: FetchCost(rowsRead: changes.rows.count, statements: changes.statements, indexing: took),
          committed: changes.committed)))
  }

  @inline(never) @_semantics("optimize.sil.specialize.generic.never")
  private mutating func close() -> Action {
    if case .closed = state { return .none }
    let task = readTask
    state = .closed(failure)
    return .close(task)
  }
}

extension FetchReset {
  /// A reset by which a list is read again that could not be, when its store says that it is back.
  static func retry(at position: FetchPosition) -> Self {
    FetchReset(position: position, reason: .unresumable, writers: [])
  }

  fileprivate var isRetry: Bool { reason == .unresumable && writers.isEmpty && origins.isEmpty }
}

extension FetchStoreEvent {
  /// The keys of the rows that it names; nil where any row may have been touched.
  fileprivate var named: [FetchValue]? {
    switch self {
    case .changes(let changes): changes.rows.map(\.id)
    case .reset(let reset): reset.touched.isAll ? nil : reset.touched.rows.map(\.id)
    case .interrupted, .resumed, .closed: []
    }
  }
}
