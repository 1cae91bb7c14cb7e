/// The readers of a stream that wait for its next frame, or for a heartbeat.
struct StreamWaiters: Sendable {
  /// The reason for which a reader is resumed.
  enum Wake: Sendable {
    case ask
    case heartbeat
  }

  typealias Waiter = CheckedContinuation<Wake, Never>

  /// Whether somebody calls ``tick()``.
  private(set) var isBeating = false

  /// By their tickets: the readers, and in which beat those that want a heartbeat began to wait.
  private var waiting: [Int: (waiter: Waiter, beat: Int?)] = [:]
  private var lastTicket = 0
  private var beat = 0

  /// A number for a reader that is about to wait.
  mutating func ticket() -> Int {
    lastTicket += 1
    return lastTicket
  }

  /// Lets a reader wait.
  mutating func add(_ waiter: Waiter, ticket: Int, wantsHeartbeat: Bool) {
    waiting[ticket] = (waiter, wantsHeartbeat ? beat : nil)
  }

  /// Takes back a reader, because its task was cancelled.
  mutating func remove(_ ticket: Int) -> Waiter? { waiting.removeValue(forKey: ticket)?.waiter }

  /// Takes all readers, because there is something for them.
  mutating func removeAll() -> [Waiter] {
    defer { waiting = [:] }
    return waiting.values.map(\.waiter)
  }

  /// Starts the beat. Returns whether it did not beat before.
  mutating func startBeating() -> Bool {
    defer { isBeating = true }
    return !isBeating
  }

  /// Takes, at one beat, those who have waited since before the last one. `nil`, and the end of the beat, if nobody waits for a
  /// heartbeat any more.
  mutating func tick() -> [Waiter]? {
    let due = waiting.filter { $0.value.beat.map { $0 < beat } ?? false }
    beat += 1
    for ticket in due.keys { waiting[ticket] = nil }
    if due.isEmpty, !waiting.values.contains(where: { $0.beat != nil }) {
      isBeating = false
      return nil
    }
    return due.values.map(\.waiter)
  }
}
