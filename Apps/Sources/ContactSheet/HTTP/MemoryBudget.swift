import ContactSheetLibrary
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import ServiceLifecycle

/// The memory that bodies of requests, or answers, take together. One that finds none left waits: nothing more is read from
/// its connection meanwhile.
///
/// A part of it is for small ones alone, of all together and of each address: large ones are held for as long as their reader
/// likes, and hold up each other and no small one.
actor MemoryBudget {
  private struct Waiter {
    let id: Int
    let bytes: Int
    let isLarge: Bool
    let owner: String
    let continuation: CheckedContinuation<Bool, Never>
  }

  /// The bytes that are taken.
  private struct Use {
    var all = 0
    var large = 0

    /// The bytes that count for one who wants more: large ones that were charged beyond their part take nothing of the rest.
    func counted(reserve: Int, of limit: Int) -> Int { all - large + min(large, limit - reserve) }
  }

  /// The most bytes that all take together.
  nonisolated let limit: Int
  /// The bytes that are for small ones alone.
  private let reserve: Int
  private let patience: Duration
  private let clock: any Clock<Duration>
  private var taken = Use()
  /// The most that was taken since nothing was.
  private var peak = 0
  private var shares: [String: Use] = [:]
  private var waiters: [Waiter] = []
  private var next = 0

  /// The number of bodies that wait.
  var waiterCount: Int { waiters.count }
  /// The number of those that have had to wait.
  private(set) var waitCount = 0

  /// Creates a budget.
  ///
  /// - Parameters:
  ///   - limit: The most bytes that all take together. One address gets half of it.
  ///   - reserve: The bytes of it that are for small ones alone. One address gets half of these, too.
  ///   - patience: How long one waits before it is refused.
  ///   - clock: What that is measured by.
  init(
    limit: Int, reserve: Int = 0, patience: Duration = .seconds(10),
    clock: any Clock<Duration> = ContinuousClock()
  ) {
    self.limit = max(1, limit)
    self.reserve = min(reserve, self.limit)
    self.patience = patience
    self.clock = clock
  }

  /// Takes memory, waiting where there is none.
  ///
  /// - Parameters:
  ///   - bytes: The number of bytes.
  ///   - owner: The address that it is counted for.
  ///   - isLarge: Whether what is reserved for small ones is out of reach.
  /// - Throws: `ContactSheetError.Code.busy` where there was none in time.
  nonisolated func take(_ bytes: Int, for owner: String, isLarge: Bool = false) async throws {
    var waited = Duration.zero
    try await take(bytes, for: owner, isLarge: isLarge, waited: &waited)
  }

  /// Takes memory for a part of something that comes in parts, waiting where there is none. All of its waits together take no longer
  /// than one may.
  ///
  /// Whoever has a part and waits for the next one holds up the others, who do the same. With patience anew for each part, a crowd that
  /// has long gone would keep the memory for minutes: what one of them leaves goes to the others, and they wait again.
  ///
  /// - Parameter waited: How long the parts before have waited; what this one waits is added.
  /// - Throws: `ContactSheetError.Code.busy` where there was none in time.
  nonisolated func take(
    _ bytes: Int, for owner: String, isLarge: Bool = false, waited: inout Duration
  ) async throws {
    if await takeNow(bytes, for: owner, isLarge: isLarge) { return }
    guard waited < patience else { throw Self.busy }
    let elapsed = clock.stopwatch()
    defer { waited += elapsed() }
    try await takeLater(bytes, for: owner, isLarge: isLarge, patience: patience - waited)
  }

  private nonisolated func takeLater(
    _ bytes: Int, for owner: String, isLarge: Bool, patience: Duration
  ) async throws {
    let clock = clock
    let granted = await withTaskGroup(of: Bool.self) { group in
      group.addTask { await self.wait(bytes, for: owner, isLarge: isLarge) }
      group.addTask {
        try? await clock.sleep(for: patience)
        return false
      }
      // Requests that wait are refused when the server ends, so that it does not wait for them.
      group.addTask {
        try? await gracefulShutdown()
        return false
      }
      var isGranted = await group.next() ?? false
      group.cancelAll()
      // A grant that came together with the end of the wait counts.
      for await isGrant in group { isGranted = isGranted || isGrant }
      return isGranted
    }
    guard granted else { throw Self.busy }
  }

  /// The refusal of who found no memory in time.
  nonisolated static var busy: ContactSheetError {
    ContactSheetError(.busy, "ContactSheet has as many requests as it has memory for. Try again in a minute.")
  }

  /// Counts memory that is in use already, also beyond the limit.
  func charge(_ bytes: Int, to owner: String, isLarge: Bool = false) {
    add(bytes, to: owner, isLarge: isLarge)
    peak = max(peak, taken.all)
  }

  /// Counts memory of a small one as that of a large one from now on, which has turned out to have another size. Does not wait.
  ///
  /// - Returns: Whether there is room for a large one; if not, nothing has changed.
  func enlarge(_ bytes: Int, to count: Int, of owner: String) -> Bool {
    add(-bytes, to: owner, isLarge: false)
    if takeNow(count, for: owner, isLarge: true) { return true }
    add(bytes, to: owner, isLarge: false)
    return false
  }

  private func add(_ bytes: Int, to owner: String, isLarge: Bool) {
    var share = shares[owner] ?? Use()
    taken.all += bytes
    share.all += bytes
    if isLarge {
      taken.large += bytes
      share.large += bytes
    }
    shares[owner] = share.all > 0 ? share : nil
  }

  /// Gives memory back.
  func release(_ bytes: Int, of owner: String, isLarge: Bool = false) {
    add(-bytes, to: owner, isLarge: isLarge)
    var left: [Waiter] = []
    for waiter in waiters {
      if takeNow(waiter.bytes, for: waiter.owner, isLarge: waiter.isLarge) {
        waiter.continuation.resume(returning: true)
      } else {
        left.append(waiter)
      }
    }
    waiters = left
    if taken.all == 0 {
      if peak > limit / 8 { Heap.giveBack() }
      peak = 0
    }
  }

  private func takeNow(_ bytes: Int, for owner: String, isLarge: Bool) -> Bool {
    let share = shares[owner] ?? Use()
    let (half, part) = (limit / 2, reserve / 2)
    guard bytes <= limit - taken.counted(reserve: reserve, of: limit),
      share.counted(reserve: part, of: half) + bytes <= max(bytes, half)
    else { return false }
    // One of each address goes, however large it is, where there is room for it at all.
    guard
      !isLarge
        || (taken.large + bytes <= max(bytes, limit - reserve)
          && share.large + bytes <= max(bytes, half - part))
    else { return false }
    charge(bytes, to: owner, isLarge: isLarge)
    return true
  }

  private func wait(_ bytes: Int, for owner: String, isLarge: Bool) async -> Bool {
    if takeNow(bytes, for: owner, isLarge: isLarge) { return true }
    let id = next
    next += 1
    waitCount += 1
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        if Task.isCancelled { return continuation.resume(returning: false) }
        waiters.append(
          Waiter(id: id, bytes: bytes, isLarge: isLarge, owner: owner, continuation: continuation))
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

extension Clock<Duration> {
  /// Begins to measure time.
  ///
  /// - Returns: The time since then, whenever it is called.
  fileprivate func stopwatch() -> @Sendable () -> Duration {
    let start = now
    return { start.duration(to: self.now) }
  }
}

/// Gathers the body of a request within the budget before anybody looks at it. Photos pass: they go to the disk as
/// they come.
struct GatheredBodies: RouterMiddleware {
  typealias Context = WebContext

  let budget: MemoryBudget
  /// The longest body that is gathered.
  static let maximumLength = 8 << 20
  /// The longest that comes from somebody who is still to log in.
  private static let strangersLimit = 32 << 10
  /// Bodies are paid for by portions of so many bytes.
  private static let portion = 64 << 10

  func handle(
    _ request: Request, context: Context, next: (Request, Context) async throws -> Response
  ) async throws -> Response {
    guard ![.get, .head, .options].contains(request.method), !Self.isUpload(request) else {
      return try await next(request, context)
    }
    let limit = request.uri.path.isExactly("/login") ? Self.strangersLimit : Self.maximumLength
    // Refused before a byte of it has come, where its length is announced.
    guard request.headers.announcedLength ?? 0 <= limit else { throw Self.tooLong }
    var paid = 0
    var waited = Duration.zero
    do {
      var buffer = ByteBuffer()
      for try await piece in request.body {
        let wanted = buffer.readableBytes + piece.readableBytes
        guard wanted <= limit else { throw Self.tooLong }
        while paid < wanted {
          try await budget.take(Self.portion, for: context.address, waited: &waited)
          paid += Self.portion
        }
        buffer.writeImmutableBuffer(piece)
      }
      // The sender may have lost the right to it meanwhile.
      try context.checkAdmission()
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
