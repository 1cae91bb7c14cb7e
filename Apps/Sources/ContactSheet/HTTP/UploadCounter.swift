import Synchronization

/// Counts the photos that are on their way in: there is a most, and the more there are the less memory each gets.
final class UploadCounter: Sendable {
  private let limit: Int
  private let count = Mutex(0)

  /// - Parameter limit: How many may be on their way in at the same time.
  init(_ limit: Int) { self.limit = max(1, limit) }

  /// Runs an upload.
  ///
  /// - Parameter body: Called with how many bytes it may gather before it writes them.
  /// - Throws: `ContactSheetError.Code.busy` where there are too many already.
  func pass<Result>(_ body: (Int) async throws -> Result) async throws -> Result {
    let others = count.withLock { count -> Int? in
      guard count < limit else { return nil }
      count += 1
      return count - 1
    }
    guard let others else {
      throw ContactSheetError(
        .busy, "ContactSheet takes in as many photos as it can at the moment. Try again in a minute.")
    }
    defer { count.withLock { $0 -= 1 } }
    return try await body(max(32 << 10, min(512 << 10, (8 << 20) / (others + 1))))
  }
}
