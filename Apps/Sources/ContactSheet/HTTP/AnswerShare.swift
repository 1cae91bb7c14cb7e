import CProcessShim
import ContactSheetLibrary
import Synchronization

/// Memory of a budget that an answer holds from before it is made until it has been written. It is given back with the last
/// reference, also where the answer is dropped or its reader has gone.
final class AnswerShare: Sendable {
  private let budget: MemoryBudget
  private let owner: String
  private let held: Mutex<Held>

  private struct Held {
    var bytes: Int
    var isLarge: Bool
  }

  /// The most bytes of an answer that counts as small, and may take what is reserved for these.
  static let small = 64 << 10

  fileprivate init(_ bytes: Int, isLarge: Bool, of budget: MemoryBudget, for owner: String) {
    self.budget = budget
    self.owner = owner
    held = Mutex(Held(bytes: bytes, isLarge: isLarge))
  }

  deinit {
    let (budget, owner, held) = (budget, owner, held.withLock { $0 })
    Task { await budget.release(held.bytes, of: owner, isLarge: held.isLarge) }
  }

  /// Holds another number of bytes from now on, without waiting: what has been made takes what it takes. Called by one task at a
  /// time.
  ///
  /// - Throws: `ContactSheetError.Code.busy` where it has turned out to be large, and there is no room for that: it would be held
  ///   for as long as its reader likes, in the place of many small ones.
  func resize(to count: Int) async throws {
    let before = held.withLock { $0 }
    if !before.isLarge, count > Self.small {
      guard await budget.enlarge(before.bytes, to: count, of: owner) else { throw MemoryBudget.busy }
      held.withLock { $0 = Held(bytes: count, isLarge: true) }
      return
    }
    held.withLock { $0.bytes = count }
    let more = count - before.bytes
    if more > 0 { await budget.charge(more, to: owner, isLarge: before.isLarge) }
    if more < 0 { await budget.release(-more, of: owner, isLarge: before.isLarge) }
  }
}

extension MemoryBudget {
  /// Takes memory for an answer that is to be made, waiting where there is none.
  ///
  /// - Parameters:
  ///   - bytes: The number of bytes.
  ///   - owner: The address that they are counted for.
  ///   - isLarge: Whether the answer is held for long; by default, whether it is longer than a small one.
  /// - Throws: `ContactSheetError.Code.busy` where there was none in time.
  nonisolated func share(
    _ bytes: Int, for owner: String, isLarge: Bool? = nil
  ) async throws -> AnswerShare {
    let isLarge = isLarge ?? (bytes > AnswerShare.small)
    try await take(bytes, for: owner, isLarge: isLarge)
    return AnswerShare(bytes, isLarge: isLarge, of: self, for: owner)
  }

  /// Counts memory that is in use already, also beyond the limit: whoever comes next waits longer.
  nonisolated func share(charging bytes: Int, to owner: String) async -> AnswerShare {
    let isLarge = bytes > AnswerShare.small
    await charge(bytes, to: owner, isLarge: isLarge)
    return AnswerShare(bytes, isLarge: isLarge, of: self, for: owner)
  }
}

/// The heap of the process.
enum Heap {
  /// Gives freed memory back to the system, some time from now. What many answers took would stay the process's own otherwise.
  static func giveBack() {
    Task { try? await blocking { cs_release_memory() } }
  }
}
