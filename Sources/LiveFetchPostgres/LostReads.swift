#if PostgreSQL
  import LiveStore
  import Synchronization

  /// The lists whose reads have failed: nothing else would have them read again before the next commit that concerns them.
  ///
  /// Where the reason passes, such as a connection that was ended, they are read until it is over. Others are read once more: the reason
  /// may have been a state of the schema that was over before it was known that the list had failed, as of a dump that is being restored.
  struct LostReads: Sendable {
    private struct Retry: Sendable {
      var failures = 0
      var next = ContinuousClock.now
    }
    private var retries: [FetchPlan: Retry] = [:]
    /// The lists whose reads have failed for other reasons, and whether they were read once more.
    private var others: [FetchPlan: Bool] = [:]

    /// Notes that a read has failed for a reason that passes.
    mutating func add(_ plan: FetchPlan) {
      var retry = retries[plan] ?? Retry()
      retry.failures += 1
      retry.next = .now + .milliseconds(min(2_000, 20 << min(retry.failures, 7)))
      retries[plan] = retry
    }

    /// Notes that a read has failed for a reason that does not pass by itself.
    mutating func addOther(_ plan: FetchPlan) { others[plan] = others[plan] ?? false }

    mutating func remove(_ plan: FetchPlan) { (retries[plan], others[plan]) = (nil, nil) }

    /// Has lists that were read once more, and have failed again, read once more again: what they fail for may be another thing now.
    mutating func forgetOthers(_ isConcerned: (FetchPlan) -> Bool = { _ in true }) {
      others = others.filter { !isConcerned($0.key) }
    }

    /// Returns the lists that are to be read once more.
    /// - Parameter areWanted: Returns the lists of some that anybody still follows.
    mutating func takeOthers(_ areWanted: (Set<FetchPlan>) -> Set<FetchPlan>) -> Set<FetchPlan> {
      let wanted = others.isEmpty ? [] : areWanted(Set(others.keys))
      let due = wanted.filter { others[$0] == false }
      others = Dictionary(uniqueKeysWithValues: wanted.map { ($0, true) })
      return due
    }

    /// Returns the lists that are to be read again now. They stay noted until they were read: who is told may not know of the failure yet.
    /// - Parameter areWanted: Returns the lists of some that anybody still follows.
    mutating func take(_ areWanted: (Set<FetchPlan>) -> Set<FetchPlan>) -> Set<FetchPlan> {
      let due = Set(retries.filter { $0.value.next <= .now }.keys)
      if due.isEmpty { return [] }
      let wanted = areWanted(due)
      for plan in due { if wanted.contains(plan) { add(plan) } else { remove(plan) } }
      return wanted
    }
  }

  extension PostgresStore {
    /// Has lists read again whose reads have failed for a reason that passes.
    func retryLostReads() { readAgain(lostReads.withLock { lost in lost.take(followed) }) }

    /// Has lists read once more whose reads have failed for another reason.
    func retryOtherReads() { readAgain(lostReads.withLock { lost in lost.takeOthers(followed) }) }

    private func followed(_ plans: Set<FetchPlan>) -> Set<FetchPlan> {
      observers.withLock { observers in Set(observers.all.values.map(\.plan)).intersection(plans) }
    }

    private func readAgain(_ plans: Set<FetchPlan>) {
      if plans.isEmpty { return }
      feed.withLock { _ in
        for observer in observers.withLock({ Array($0.all.values) }) where plans.contains(observer.plan) {
          // A list that has failed is read again; to any other it says nothing new.
          observer.receive(.resumed)
        }
      }
    }
  }

  extension Error {
    /// Whether the same may go well a moment later: the connection was lost or the statement was cancelled, or the server lacks something.
    var isPassing: Bool {
      guard let error = self as? PostgresError else { return false }
      return error.isConnectionLost || ["40", "53", "55", "57", "58"].contains(error.code?.prefix(2) ?? "")
    }
  }
#endif
