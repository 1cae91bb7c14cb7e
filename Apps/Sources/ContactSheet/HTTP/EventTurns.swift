import ContactSheetLibrary
import Synchronization

/// The turns of a stream's lists to begin: one at a time, and within the memory that events take together.
final class EventTurns: Sendable {
  private let gate = WeightedGate(limit: 1)
  private let budget: MemoryBudget
  private let owner: String

  /// Events that are no longer are not counted.
  private static let short = 16 << 10

  /// - Parameters:
  ///   - budget: The memory that events take together until they have been taken.
  ///   - owner: The address that they are counted for.
  init(budget: MemoryBudget, owner: String) {
    self.budget = budget
    self.owner = owner
  }

  /// The number of lists that wait for their turn.
  var waiterCount: Int { get async { await gate.waiterCount } }

  /// Waits for the turn of a list, and for memory for its first event.
  ///
  /// - Returns: The turn, which is over when the last reference to it goes.
  /// - Throws: `ContactSheetError.Code.busy` where there was no memory in time, `CancellationError` where the reader has gone.
  func next() async throws -> EventHold {
    try await gate.enter(1)
    do {
      // Memory for making the answer; most are small.
      return EventHold(
        try await budget.share(BudgetedAnswers.unknown, for: owner, isLarge: false), turn: gate)
    } catch {
      await gate.leave(1)
      throw error
    }
  }

  /// Counts an event that came later: most of those are small, or the same memory for all readers.
  fileprivate func hold(_ count: Int) async -> EventHold? {
    count > Self.short ? EventHold(await budget.share(charging: count, to: owner), turn: nil) : nil
  }
}

/// The resources of an event until it has been written: memory and, where it is the first of its list, the turn to begin.
final class EventHold: Sendable {
  private let share: AnswerShare
  private let turn: WeightedGate?

  fileprivate init(_ share: AnswerShare, turn: WeightedGate?) {
    self.share = share
    self.turn = turn
  }

  deinit { if let turn { Task { await turn.leave(1) } } }

  /// Counts the event's own length from now on.
  ///
  /// - Throws: `ContactSheetError.Code.busy` where it is large, and there is no room for that.
  func resize(to count: Int) async throws { try await share.resize(to: count) }
}

/// The turn of a list until its first event is there.
final class FirstEvent: Sendable {
  private let hold: Mutex<EventHold?>

  init(_ hold: EventHold) { self.hold = Mutex(hold) }

  /// Returns what an event takes: the turn, if it is the first, and its length.
  ///
  /// - Throws: `ContactSheetError.Code.busy` where it is the first and large, and there is no room for that.
  func take(_ count: Int, _ turns: EventTurns) async throws -> EventHold? {
    guard let first = hold.withLock({ $0.take() }) else { return await turns.hold(count) }
    try await first.resize(to: count)
    return first
  }
}
