/// The queue of applies: they are performed one at a time, first in, first out.
///
/// The queue holds the jobs and decides; the data source does the work. Each waiting call has its continuation, and is
/// resumed when its turn comes, to do its own work in its own task. A call from inside the running work can't wait for
/// its turn, since the turn would never come; its job stays without a caller, and the call that finishes before it
/// does its work. ``ApplyScope`` says which calls those are.
struct ApplyQueue<Job, Report: Sendable> {
  typealias Waiter = CheckedContinuation<Resumption, Never>

  /// The reason for which a waiting call is resumed.
  enum Resumption: Sendable {
    /// Perform the queue's current job.
    case run
    /// Resume the others and return: another job did this call's work.
    case done(Report, Followers)
  }

  /// The calls that return after one job was done, in their order.
  ///
  /// Each wakes the next before it returns: woken all at once they could return in any order, since a task may come
  /// back by way of another thread.
  struct Followers: Sendable {
    /// The calls that the job did the work for.
    var followers: ArraySlice<Waiter>
    /// The report for the last of them, whose job is the one that was performed.
    var last: Report
    /// The report for all before it.
    var passedOver: Report
    /// The call whose turn comes then.
    var next: Waiter?

    /// Wakes the first of them.
    func resume() {
      guard let first = followers.first else {
        next?.resume(returning: .run)
        return
      }
      var rest = self
      rest.followers = followers.dropFirst()
      first.resume(returning: .done(rest.followers.isEmpty ? last : passedOver, rest))
    }
  }

  /// The next step of a call that enters.
  enum Entry: Equatable {
    case run
    case wait
    case leave
  }

  /// The next step when a job is finished.
  enum Next {
    /// Nobody waits.
    case idle
    /// Resume this call; the current job is its own.
    case resume(Waiter)
    /// Perform the current job as well: no call waits for it.
    case `continue`
  }

  private struct Slot {
    var job: Job
    var waiter: Waiter?
  }

  private var slots: [Slot] = []
  private var head = 0
  private var isBusy = false
  /// Names the queue to tasks that are started within its work.
  let id = ApplyScope.QueueID()
  /// The job whose turn it is.
  private(set) var current: Job?
  /// The calls that are done when the current job is.
  private(set) var followers: [Waiter] = []

  /// Brings a job to the queue.
  ///
  /// - Parameter scope: The scope of the calling task. If the result is `wait`, the caller calls the scope's `endWaiting(for:)`
  ///   when the wait is over.
  mutating func enter(_ job: Job, within scope: ApplyScope?) -> Entry {
    guard isBusy else {
      isBusy = true
      current = job
      return .run
    }
    slots.append(Slot(job: job))
    return scope?.beginWaiting(for: id) ?? true ? .wait : .leave
  }

  /// Leaves the continuation of a call that was told to wait, directly after it entered.
  mutating func wait(_ waiter: Waiter) {
    slots[slots.count - 1].waiter = waiter
  }

  /// Takes the current job, to be performed by the caller.
  mutating func begin() -> Job? {
    defer { current = nil }
    return current
  }

  /// Ends the current job and returns the next step.
  ///
  /// - Parameter merge: Makes one job of two that wait next to each other, or returns `nil` if both are to be done.
  mutating func finish(merge: (Job, Job) -> Job?) -> (done: [Waiter], next: Next) {
    let done = followers
    followers = []
    guard head < slots.count else {
      isBusy = false
      return (done, .idle)
    }
    let slot = takeFirst()
    var job = slot.job
    while head < slots.count, let merged = merge(job, slots[head].job) {
      job = merged
      if let waiter = takeFirst().waiter { followers.append(waiter) }
    }
    current = job
    return (done, slot.waiter.map { .resume($0) } ?? .continue)
  }

  private mutating func takeFirst() -> Slot {
    let slot = slots[head]
    head += 1
    // Used slots are removed in bulk, so that a long queue is not shifted at every turn.
    if head == slots.count {
      slots.removeAll(keepingCapacity: head < 64)
      head = 0
    } else if head >= 64, head * 2 >= slots.count {
      slots.removeFirst(head)
      head = 0
    }
    return slot
  }
}
