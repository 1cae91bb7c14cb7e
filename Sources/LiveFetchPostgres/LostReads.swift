#if PostgreSQL
  import LiveStore
  import Synchronization

  /// The lists whose reads have failed: nothing else would have them read again before the next commit that concerns them.
  ///
  /// The reason may be over at any time, be it a connection that was ended, a right that was taken away, or a state of the
  /// schema while a dump is being restored. They are read again until they can be, more and more rarely.
  struct LostReads: Sendable {
    private struct Retry: Sendable {
      var pause: Duration
      let maximumPause: Duration
      var next: ContinuousClock.Instant
    }
    private var retries: [FetchPlan: Retry] = [:]

    /// Notes that a read has failed.
    /// - Parameter pauses: How long to wait before the list is read again, at first and at most.
    mutating func add(_ plan: FetchPlan, pauses: ClosedRange<Duration>) {
      if retries[plan]?.maximumPause == pauses.upperBound { return }
      retries[plan] = Retry(
        pause: pauses.lowerBound, maximumPause: pauses.upperBound, next: .now + pauses.lowerBound)
    }

    mutating func remove(_ plan: FetchPlan) { retries[plan] = nil }

    /// Returns the lists that are to be read again now. They stay noted until they were read: who is told may not know of the failure yet.
    /// - Parameter areWanted: Returns the lists of some that anybody still follows.
    mutating func take(_ areWanted: (Set<FetchPlan>) -> Set<FetchPlan>) -> Set<FetchPlan> {
      let due = Set(retries.filter { $0.value.next <= .now }.keys)
      if due.isEmpty { return [] }
      let wanted = areWanted(due)
      for plan in due {
        guard wanted.contains(plan), var retry = retries.removeValue(forKey: plan) else {
          remove(plan)
          continue
        }
        retry.pause = min(retry.maximumPause, retry.pause * 2)
        retry.next = .now + retry.pause
        retries[plan] = retry
      }
      return wanted
    }
  }

  extension PostgresStore {
    /// Notes that a list could not be read.
    func noteLostRead(_ plan: FetchPlan, _ error: any Error) {
      // An interval may be zero: a pause that doubles cannot begin with that.
      let minimumPause: Duration = .milliseconds(40)
      let pauses: ClosedRange<Duration> =
        error.isPassing
        ? minimumPause...(.seconds(2))
        : max(minimumPause, options.schemaInterval)...max(.seconds(60), options.schemaInterval)
      lostReads.withLock { $0.add(plan, pauses: pauses) }
    }

    /// Has lists read again whose reads have failed.
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
