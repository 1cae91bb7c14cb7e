internal import Synchronization

/// The lanes within whose work a task was started, or is running.
///
/// Every task that inherits task-local values inherits it: child tasks, and those made by `Task { }`. Detached tasks do
/// not. A task keeps it when the work that started it is over: another one may be waiting for that task.
final class ApplyScope: Sendable {
  /// Names a lane for as long as anyone knows it.
  final class Lane: Sendable {}

  /// The scope of the running task, or `nil` if no apply is above it.
  @TaskLocal static var current: ApplyScope?

  private let lane: Lane
  private let outer: ApplyScope?

  private init(lane: Lane, outer: ApplyScope?) {
    self.lane = lane
    self.outer = outer
  }

  /// The scope of work that a task begins in a lane.
  static func entering(_ lane: Lane) -> ApplyScope {
    guard let current else { return ApplyScope(lane: lane, outer: nil) }
    return current.lanes.contains { $0 === lane } ? current : ApplyScope(lane: lane, outer: current)
  }

  private var lanes: some Sequence<Lane> { sequence(first: self, next: \.outer).lazy.map(\.lane) }

  /// Notes that a task of this scope is about to wait for its turn in a lane that is busy.
  ///
  /// - Returns: Whether it may. It may not if the lane's work may be waiting for the task itself: because the task was
  ///   started within it, or because that work waits for its turn in a lane within which the task was started.
  func beginWaiting(for lane: Lane) -> Bool {
    let held = lanes.map { ObjectIdentifier($0) }
    return Self.waits.withLock { $0.begin(from: held, for: ObjectIdentifier(lane)) }
  }

  /// Notes that a wait is over which ``beginWaiting(for:)`` allowed.
  func endWaiting(for lane: Lane) {
    let held = lanes.map { ObjectIdentifier($0) }
    Self.waits.withLock { $0.end(from: held, for: ObjectIdentifier(lane)) }
  }

  private static let waits = Mutex(Waits())

  /// The waits between lanes: for each lane those that its work waits for, and how many times.
  private struct Waits {
    private var counts: [ObjectIdentifier: [ObjectIdentifier: Int]] = [:]

    mutating func begin(from held: [ObjectIdentifier], for wanted: ObjectIdentifier) -> Bool {
      var reached: Set<ObjectIdentifier> = [wanted]
      var ahead = [wanted]
      while let lane = ahead.popLast() {
        for next in counts[lane, default: [:]].keys where reached.insert(next).inserted { ahead.append(next) }
      }
      guard reached.isDisjoint(with: held) else { return false }
      for lane in held { counts[lane, default: [:]][wanted, default: 0] += 1 }
      return true
    }

    mutating func end(from held: [ObjectIdentifier], for wanted: ObjectIdentifier) {
      for lane in held {
        guard let count = counts[lane]?[wanted] else { continue }
        counts[lane]?[wanted] = count > 1 ? count - 1 : nil
        if counts[lane]?.isEmpty == true { counts[lane] = nil }
      }
    }
  }
}
