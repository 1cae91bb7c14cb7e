import Logging
import Synchronization

/// Counts what strangers could fill the log with.
final class RequestCounters: Sendable {
  private let refused = Atomic(0)
  private let logger: Logger

  /// - Parameter logger: Where the count goes, each time that it has doubled.
  init(logger: Logger) { self.logger = logger }

  /// The number of requests that their senders broke off, or that were malformed.
  var malformed: Int { refused.load(ordering: .relaxed) }

  /// Counts a request that its sender broke off, or that was none.
  func countMalformed() {
    let count = refused.wrappingAdd(1, ordering: .relaxed).newValue
    // At 1, 2, 4, 8 …: a flood of a million costs twenty lines.
    if count & (count - 1) == 0 {
      logger.info("Requests that were broken off or malformed so far", metadata: ["count": "\(count)"])
    }
  }
}
