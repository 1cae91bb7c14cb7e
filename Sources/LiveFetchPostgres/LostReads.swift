#if PostgreSQL
  import LiveStore
  import Synchronization

  /// The lists whose reads have failed for a reason that passes, such as a connection that was ended: nothing else would have them read
  /// again before the next commit that concerns them.
  struct LostReads: Sendable {
    private struct Retry: Sendable {
      var failures = 0
      var next = ContinuousClock.now
    }
    private var retries: [FetchPlan: Retry] = [:]

    /// Notes that a read has failed.
    mutating func add(_ plan: FetchPlan) {
      var retry = retries[plan] ?? Retry()
      retry.failures += 1
      retry.next = .now + .milliseconds(min(2_000, 20 << min(retry.failures, 7)))
      retries[plan] = retry
    }

    mutating func remove(_ plan: FetchPlan) { retries[plan] = nil }

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
    func retryLostReads() {
      let plans = lostReads.withLock { lost in
        lost.take { due in
          observers.withLock { observers in Set(observers.all.values.map(\.plan)).intersection(due) }
        }
      }
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
