import Foundation
import HTTPTypes
import Hummingbird
import NIOCore

/// The memory that bodies of requests, or answers, take together. One that finds none left waits: nothing more is read from
/// its connection meanwhile.
actor MemoryBudget {
  private struct Waiter {
    let id: Int
    let bytes: Int
    let owner: String
    let continuation: CheckedContinuation<Bool, Never>
  }

  /// The most bytes that all take together.
  nonisolated let limit: Int
  private let patience: Duration
  private let clock: any Clock<Duration>
  private var taken = 0
  /// The most that was taken since nothing was.
  private var peak = 0
  private var shares: [String: Int] = [:]
  private var waiters: [Waiter] = []
  private var next = 0

  /// The number of bodies that wait.
  var waiterCount: Int { waiters.count }

  /// Creates a budget.
  ///
  /// - Parameters:
  ///   - limit: The most bytes that all take together. One address gets half of it.
  ///   - patience: How long one waits before it is refused.
  ///   - clock: What that is measured by.
  init(limit: Int, patience: Duration = .seconds(10), clock: any Clock<Duration> = ContinuousClock()) {
    self.limit = max(1, limit)
    self.patience = patience
    self.clock = clock
  }

  /// Takes memory, waiting where there is none.
  ///
  /// - Parameter owner: The address that it is counted for.
  /// - Throws: `ContactSheetError.Code.busy` where there was none in time.
  nonisolated func take(_ bytes: Int, for owner: String) async throws {
    if await takeNow(bytes, for: owner) { return }
    let (patience, clock) = (patience, clock)
    let granted = await withTaskGroup(of: Bool.self) { group in
      group.addTask { await self.wait(bytes, for: owner) }
      group.addTask {
        try? await clock.sleep(for: patience)
        return false
      }
      let first = await group.next() ?? false
      group.cancelAll()
      // A grant that came together with the end of the wait counts.
      let second = await group.next() ?? false
      return first || second
    }
    guard granted else {
      throw ContactSheetError(
        .busy, "ContactSheet has as many requests as it has memory for. Try again in a minute.")
    }
  }

  /// Counts memory that is in use already, also beyond the limit.
  func charge(_ bytes: Int, to owner: String) {
    taken += bytes
    peak = max(peak, taken)
    shares[owner, default: 0] += bytes
  }

  /// Gives memory back.
  func release(_ bytes: Int, of owner: String) {
    taken -= bytes
    let rest = shares[owner, default: bytes] - bytes
    shares[owner] = rest > 0 ? rest : nil
    var left: [Waiter] = []
    for waiter in waiters {
      if takeNow(waiter.bytes, for: waiter.owner) {
        waiter.continuation.resume(returning: true)
      } else {
        left.append(waiter)
      }
    }
    waiters = left
    if taken == 0 {
      if peak > limit / 8 { Heap.giveBack() }
      peak = 0
    }
  }

  private func takeNow(_ bytes: Int, for owner: String) -> Bool {
    guard bytes <= limit - taken, shares[owner, default: 0] + bytes <= max(bytes, limit / 2) else {
      return false
    }
    charge(bytes, to: owner)
    return true
  }

  private func wait(_ bytes: Int, for owner: String) async -> Bool {
    if takeNow(bytes, for: owner) { return true }
    let id = next
    next += 1
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        if Task.isCancelled { return continuation.resume(returning: false) }
        waiters.append(Waiter(id: id, bytes: bytes, owner: owner, continuation: continuation))
      }
    } onCancel: {
      Task { await self.giveUp(id) }
    }
  }

  private func giveUp(_ id: Int) {
    guard let index = waiters.firstIndex(where: { $0.id == id }) else { return }
    waiters.remove(at: index).continuation.resume(returning: false)
  }
}

/// Gathers the body of a request within the budget before anybody looks at it. Photos pass: they go to the disk as
/// they come.
struct GatheredBodies: RouterMiddleware {
  typealias Context = WebContext

  let budget: MemoryBudget
  /// The longest body that is gathered.
  static let longest = 8 << 20
  /// The longest that comes from somebody who is still to log in.
  private static let longestOfStrangers = 32 << 10
  /// Bodies are paid for by portions of so many bytes.
  private static let portion = 64 << 10

  func handle(
    _ request: Request, context: Context, next: (Request, Context) async throws -> Response
  ) async throws -> Response {
    guard ![.get, .head, .options].contains(request.method), !Self.isUpload(request) else {
      return try await next(request, context)
    }
    let longest = request.uri.path.isExactly("/login") ? Self.longestOfStrangers : Self.longest
    // Refused before a byte of it has come, where its length is announced.
    guard request.headers.announcedLength ?? 0 <= longest else { throw Self.tooLong }
    var paid = 0
    do {
      var buffer = ByteBuffer()
      for try await piece in request.body {
        let wanted = buffer.readableBytes + piece.readableBytes
        guard wanted <= longest else { throw Self.tooLong }
        while paid < wanted {
          try await budget.take(Self.portion, for: context.address)
          paid += Self.portion
        }
        buffer.writeImmutableBuffer(piece)
      }
      var request = request
      request.body = RequestBody(buffer: buffer)
      let response = try await next(request, context)
      await budget.release(paid, of: context.address)
      return response
    } catch {
      await budget.release(paid, of: context.address)
      throw error
    }
  }

  private static var tooLong: ContactSheetError { ContactSheetError(.tooLarge, "The request is too long.") }

  /// `POST /api/albums/{album}/photos`.
  static func isUpload(_ request: Request) -> Bool {
    let parts = request.uri.path.parts(between: "/")
    return request.method == .post && parts.count == 4 && parts[0].isExactly("api")
      && parts[3].isExactly("photos")
  }
}
