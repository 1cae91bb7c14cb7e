import CProcessShim
import Synchronization

/// Memory of a budget that an answer holds from before it is made until it has been written. It is given back with the last
/// reference, also where the answer is dropped or its reader has gone.
final class AnswerShare: Sendable {
  private let budget: MemoryBudget
  private let owner: String
  private let bytes: Mutex<Int>

  fileprivate init(_ bytes: Int, of budget: MemoryBudget, for owner: String) {
    self.budget = budget
    self.owner = owner
    self.bytes = Mutex(bytes)
  }

  deinit {
    let (budget, owner, bytes) = (budget, owner, bytes.withLock { $0 })
    Task { await budget.release(bytes, of: owner) }
  }

  /// Holds another number of bytes from now on, without waiting: what has been made takes what it takes.
  func resize(to count: Int) async {
    let more = bytes.withLock { bytes in
      defer { bytes = count }
      return count - bytes
    }
    if more > 0 { await budget.charge(more, to: owner) }
    if more < 0 { await budget.release(-more, of: owner) }
  }
}

extension MemoryBudget {
  /// Takes memory for an answer that is to be made, waiting where there is none.
  ///
  /// - Throws: `ContactSheetError.Code.busy` where there was none in time.
  nonisolated func share(_ bytes: Int, for owner: String) async throws -> AnswerShare {
    try await take(bytes, for: owner)
    return AnswerShare(bytes, of: self, for: owner)
  }

  /// Counts memory that is in use already, also beyond the limit: whoever comes next waits longer.
  nonisolated func share(charging bytes: Int, to owner: String) async -> AnswerShare {
    await charge(bytes, to: owner)
    return AnswerShare(bytes, of: self, for: owner)
  }
}

/// The heap of the process.
enum Heap {
  /// Gives freed memory back to the system, some time from now. What many answers took would stay the process's own otherwise.
  static func giveBack() {
    Task { try? await blocking { cs_release_memory() } }
  }
}
