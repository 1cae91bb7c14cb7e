internal import Synchronization

/// The queues within whose work a task was started, or is running.
///
/// Every task that inherits task-local values inherits it: child tasks, and those made by `Task { }`. Detached tasks do
/// not. A task keeps it when the work that started it is over: another one may be waiting for that task.
final class ApplyScope: Sendable {
  /// Names a queue for as long as anyone knows it.
  final class QueueID: Sendable {}

  /// The scope of the running task, or `nil` if no apply is above it.
  @TaskLocal static var current: ApplyScope?

  private let queue: QueueID
  private let outer: ApplyScope?

  private init(queue: QueueID, outer: ApplyScope?) {
    self.queue = queue
    self.outer = outer
  }

  /// The scope of work that a task begins in a queue.
  static func entering(_ queue: QueueID) -> ApplyScope {
    guard let current else { return ApplyScope(queue: queue, outer: nil) }
    return current.queues.contains { $0 === queue } ? current : ApplyScope(queue: queue, outer: current)
  }

  private var queues: some Sequence<QueueID> { sequence(first: self, next: \.outer).lazy.map(\.queue) }

  /// Notes that a task of this scope is about to wait for its turn in a queue that is busy.
  ///
  /// - Returns: Whether it may. It may not if the queue's work may be waiting for the task itself: because the task was
  ///   started within it, or because that work waits for its turn in a queue within which the task was started.
  func beginWaiting(for queue: QueueID) -> Bool {
    let held = queues.map { ObjectIdentifier($0) }
    return Self.waits.withLock { $0.begin(from: held, for: ObjectIdentifier(queue)) }
  }

  /// Notes that a wait is over which ``beginWaiting(for:)`` allowed.
  func endWaiting(for queue: QueueID) {
    let held = queues.map { ObjectIdentifier($0) }
    Self.waits.withLock { $0.end(from: held, for: ObjectIdentifier(queue)) }
  }

  private static let waits = Mutex(Waits())

  /// The waits between queues: for each queue those that its work waits for, and how many times.
  private struct Waits {
    private var counts: [ObjectIdentifier: [ObjectIdentifier: Int]] = [:]

    mutating func begin(from held: [ObjectIdentifier], for wanted: ObjectIdentifier) -> Bool {
      var reached: Set<ObjectIdentifier> = [wanted]
      var ahead = [wanted]
      while let queue = ahead.popLast() {
        for next in counts[queue, default: [:]].keys where reached.insert(next).inserted {
          ahead.append(next)
        }
      }
      guard reached.isDisjoint(with: held) else { return false }
      for queue in held { counts[queue, default: [:]][wanted, default: 0] += 1 }
      return true
    }

    mutating func end(from held: [ObjectIdentifier], for wanted: ObjectIdentifier) {
      for queue in held {
        guard let count = counts[queue]?[wanted] else { continue }
        counts[queue]?[wanted] = count > 1 ? count - 1 : nil
        if counts[queue]?.isEmpty == true { counts[queue] = nil }
      }
    }
  }
}
