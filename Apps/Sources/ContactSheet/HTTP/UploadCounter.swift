import ContactSheetLibrary
import Synchronization

/// Counts the photos that are on their way in: there is a most, and the more there are the less memory each gets.
final class UploadCounter: Sendable {
  private struct Counts {
    var all = 0
    var byAddress: [String: Int] = [:]
  }

  private let limit: Int
  private let limitPerAddress: Int
  private let counts = Mutex(Counts())

  /// - Parameters:
  ///   - limit: How many may be on their way in at the same time.
  ///   - limitPerAddress: How many of them may come from one address.
  init(_ limit: Int, perAddress limitPerAddress: Int = .max) {
    self.limit = max(1, limit)
    self.limitPerAddress = max(1, limitPerAddress)
  }

  /// Runs an upload.
  ///
  /// - Parameters:
  ///   - address: Where it comes from; `nil` is not counted by itself.
  ///   - body: Called with how many bytes it may gather before it writes them.
  /// - Throws: `ContactSheetError.Code.busy` where there are too many already.
  func pass<Result>(from address: String? = nil, _ body: (Int) async throws -> Result) async throws -> Result
  {
    let others = counts.withLock { counts -> Int? in
      let own = address.map { counts.byAddress[$0, default: 0] } ?? 0
      guard counts.all < limit, own < limitPerAddress else { return nil }
      counts.all += 1
      if let address { counts.byAddress[address] = own + 1 }
      return counts.all - 1
    }
    guard let others else {
      throw ContactSheetError(
        .busy, "ContactSheet takes in as many photos as it can at the moment. Try again in a minute.")
    }
    defer {
      counts.withLock { counts in
        counts.all -= 1
        if let address {
          let rest = counts.byAddress[address, default: 1] - 1
          counts.byAddress[address] = rest > 0 ? rest : nil
        }
      }
    }
    return try await body(max(32 << 10, min(512 << 10, (8 << 20) / (others + 1))))
  }
}
