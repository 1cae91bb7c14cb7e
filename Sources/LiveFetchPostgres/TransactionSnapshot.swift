#if PostgreSQL
  /// Which transactions a read sees, as `pg_current_snapshot()` says it: all below `end` but those that were running.
  struct TransactionSnapshot: Hashable, Sendable, CustomStringConvertible {
    /// The first number that was not given out yet.
    let end: UInt64
    /// The transactions below `end` that were running.
    let running: Set<UInt64>
    /// As PostgreSQL writes it: `xmin:xmax:xip,xip`.
    let description: String

    init?(_ text: String) {
      let parts = text.split(separator: ":", omittingEmptySubsequences: false)
      guard parts.count == 3, let end = UInt64(parts[1]) else { return nil }
      let numbers = parts[2].split(separator: ",").map { UInt64($0) }
      guard !numbers.contains(nil) else { return nil }
      self.end = end
      running = Set(numbers.compactMap(\.self))
      description = text
    }

    func sees(_ transaction: UInt64) -> Bool { transaction < end && !running.contains(transaction) }

    /// Whether all that another snapshot sees is seen.
    /// - Complexity: O(*k*) for *k* transactions that were running.
    func seesAll(of other: TransactionSnapshot) -> Bool {
      // What is not seen here must not be seen there: what was running here, …
      if running.contains(where: { other.sees($0) }) { return false }
      // … and what came later.
      guard other.end > end else { return true }
      return UInt64(other.running.count { $0 >= end }) == other.end - end
    }
  }
#endif
