import Foundation
import LiveStore
import Synchronization

/// One live list, shared by all controllers with the same request.
///
/// The decisions are those of ``ListMachine``, a value. This is the shell around it, which performs its actions with two locks.
/// The value's own is held for a transition alone. `delivery` is held from a transition to the end of its notifications, so
/// that subscribers learn of changes in their order. Subscribers do not call back; they return the tasks to be
/// resumed, which is done when no lock is held, like all else that may run code of others.
final class FetchList<ID: FetchIdentifier>: Sendable {
  typealias Machine = ListMachine<ID>
  typealias Subscriber = @Sendable (ListEvent<ID>) -> [SuspendedTask]

  private struct Delivery {
    var subscribers: [Int: Subscriber] = [:]
    var nextSubscriber = 0
    var observation: FetchObservation?
  }

  /// Things to be done when no lock is held.
  private struct Afterwards: Sendable {
    var resumed: [SuspendedTask] = []
    var ended: FetchObservation?
    var cancelled: Task<Void, any Error>?

    consuming func perform() {
      ended?.cancel()
      cancelled?.cancel()
      resumed.resumeAll()
    }
  }

  let plan: FetchPlan
  private let store: any FetchStore
  private let delivery = Mutex(Delivery())
  private let machine: Mutex<Machine>

  init(_ plan: FetchPlan, in store: any FetchStore) {
    self.plan = plan
    self.store = store
    machine = Mutex(Machine(plan))
  }

  var statistics: ListStatistics { machine.withLock { $0.statistics } }

  /// Bytes of the index, for the statistics.
  var indexBytes: Int { machine.withLock { $0.list.index.byteCount } }

  /// See ``ListMachine/failures``.
  var failures: [FetchError] { machine.withLock { $0.failures } }

  /// See ``ListMachine/isCurrent``.
  var isCurrent: Bool { machine.withLock { $0.isCurrent } }

  /// See ``ListState/range(from:through:atMost:)``.
  func range(from first: ID, through last: ID, atMost most: Int) -> FetchOrderRange? {
    machine.withLock { $0.range(from: first, through: last, atMost: most) }
  }

  // MARK: Subscribers

  /// Adds a subscriber, and gives it the list as it is.
  /// - Parameters:
  ///   - cost: The cost of having the list for it.
  ///   - known: The commit up to which the subscriber knows what was touched; nil when it has no rows yet.
  /// - Returns: The subscriber's number, by which it is removed, and the tasks to be resumed when no lock is held.
  func join(cost: FetchCost, knowing known: FetchPosition?, _ subscriber: @escaping Subscriber) -> (
    Int, [SuspendedTask]
  ) {
    delivery.withLock { delivery in
      delivery.nextSubscriber += 1
      delivery.subscribers[delivery.nextSubscriber] = subscriber
      let events = machine.withLock { $0.joined(cost: cost, knowing: known) }
      return (delivery.nextSubscriber, events.flatMap(subscriber))
    }
  }

  func unsubscribe(_ subscriber: Int) {
    delivery.withLock { _ = $0.subscribers.removeValue(forKey: subscriber) }
  }

  // MARK: Reading

  /// Reads the list unless it is live already.
  /// - Parameter again: Whether to read even so.
  /// - Returns: The list as it then is.
  func fetch(again: Bool) async throws(FetchError) -> FetchUpdate<ID> {
    let task: Task<Void, any Error>
    let action = delivery.withLock { delivery -> Machine.FetchAction in
      let action = machine.withLock { $0.fetch(again: again) }
      guard case .read(let request) = action else { return action }
      return .wait(startReading(request, &delivery))
    }
    switch action {
    case .take(let update): return update
    case .fail(let error): throw error
    case .wait(let reading): task = reading
    case .read: preconditionFailure("A read that was asked for was not started.")
    }
    do { try await task.value } catch { throw .database(error) }
    return machine.withLock { $0.whole(FetchCost(rowsRead: $0.list.rowsRead, statements: 1)) }
  }

  /// Waits until no read is under way, and its notifications have been delivered.
  func waitUntilCurrent() async {
    while let task = delivery.withLock({ _ in machine.withLock { $0.readTask } }) {
      _ = try? await task.value
    }
  }

  // A list is read once for many commits, and what each row of it takes has entries of its own: this is compiled once for all
  // kinds of identifiers (decision 0007).
  @inline(never) @_semantics("optimize.sil.specialize.generic.never")
  private func startReading(
    _ request: Machine.ReadRequest, _ delivery: inout Delivery
  ) -> Task<Void, any Error> {
    if delivery.observation == nil {
      delivery.observation = store.observe(plan) { [weak self] event in self?.receive(event) }
    }
    let task = Task { [plan, store] in
      do {
        let started = ContinuousClock.now
        let (list, position) = try await store.read(plan) { try ListState<ID>(plan, reading: $0) }
        let took = ContinuousClock.now - started
        self.endReading { $0.readFinished(list, at: position, took: took) }
      } catch {
        self.endReading { $0.readFailed(.database(error)) }
        throw error
      }
    }
    // It may have ended already: what it then does waits for `delivery`.
    machine.withLock { $0.readStarted(request, task) }
    return task
  }

  // MARK: Events

  @_specialize(where ID == UUID)
  @_specialize(where ID == Int64)
  @_specialize(where ID == Int)
  @_specialize(where ID == String)
  private func receive(_ event: FetchStoreEvent) {
    delivery.withLock { delivery in
      var afterwards = Afterwards()
      perform(machine.withLock { $0.receive(event) }, &delivery, &afterwards)
      return afterwards
    }.perform()
  }

  @inline(never) @_semantics("optimize.sil.specialize.generic.never")
  private func endReading(_ transition: (inout Machine) -> [Machine.Action]) {
    delivery.withLock { delivery in
      var afterwards = Afterwards()
      for action in machine.withLock({ transition(&$0) }) { perform(action, &delivery, &afterwards) }
      return afterwards
    }.perform()
  }

  private func perform(
    _ action: Machine.Action, _ delivery: inout Delivery, _ afterwards: inout Afterwards
  ) {
    switch action {
    case .none: break
    case .notify(let event): notify(event, delivery, &afterwards)
    case .read(let request): _ = startReading(request, &delivery)
    case .close(let task):
      afterwards.ended = delivery.observation
      afterwards.cancelled = task
      delivery.observation = nil
      notify(.closed, delivery, &afterwards)
    }
  }

  @inline(never)
  private func notify(_ event: ListEvent<ID>, _ delivery: Delivery, _ afterwards: inout Afterwards) {
    for subscriber in delivery.subscribers.values { afterwards.resumed += subscriber(event) }
  }
}
