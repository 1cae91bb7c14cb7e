import ContactSheetLibrary
import HTTPTypes
import Hummingbird

/// Makes answers within a budget: each takes its memory before it is made and keeps it until its reader has taken it, so that
/// readers who do not read hold up those who come later, and not the machine. Readers of large answers hold up none but large
/// ones.
///
/// Streams of events are left out: they take memory for each of their events.
struct BudgetedAnswers: RouterMiddleware {
  typealias Context = WebContext

  let budget: MemoryBudget

  /// The memory taken for an answer of unknown length, until it has been made.
  static let unknown = 1 << 20
  /// The memory of an answer that is read as it is sent: a piece that the network has, and one that waits.
  static let streamed = 2 * piece
  /// The most bytes that are handed to the network at once.
  static let piece = 64 << 10
  /// Answers that are no longer are handed over whole.
  private static let short = 16 << 10

  /// Returns how much of a budget is for small answers alone: a quarter, and enough to make one for an address.
  static func reserve(of limit: Int) -> Int { max(limit / 4, min(2 * unknown, limit / 2)) }

  func handle(
    _ request: Request, context: Context, next: (Request, Context) async throws -> Response
  ) async throws -> Response {
    let path = request.uri.path
    guard request.method == .get || request.method == .head, !Self.isStream(path) else {
      return try await next(request, context)
    }
    let isLarge = Self.isLarge(path)
    let isStreamed = isLarge || Self.isStreamed(path)
    // An export takes all of its memory at once: who holds a part of it and waits for the rest keeps others from theirs.
    let memory = path.endsExactly(with: "/export") ? 0 : isStreamed ? Self.streamed : Self.unknown
    let share = try await budget.share(memory, for: context.address, isLarge: isLarge)
    var response = try await next(request, context)
    let body = response.body
    if let length = body.contentLength, !isLarge {
      // An answer that is made before it is sent takes memory for all of its length.
      try await share.resize(to: isStreamed ? min(length, AnswerShare.small) : length)
      if length <= Self.short { return response }
    }
    let channel = context.channel
    response.body = ResponseBody(contentLength: body.contentLength) { writer in
      try await body.write(PacedWriter(writer, to: channel))
      withExtendedLifetime(share) {}
    }
    return response
  }

  private static func isStream(_ path: String) -> Bool {
    path.endsExactly(with: "/stream") || path.isExactly("/api/streams")
  }

  /// Whether the answer is read as it is sent, and may be as long as it likes.
  private static func isLarge(_ path: String) -> Bool {
    path.beginsExactly(with: "/originals/") || path.beginsExactly(with: "/previews/")
      || path.endsExactly(with: "/export")
  }

  /// Whether the answer is read from a small file, or is the same memory for all, so that its length does not count.
  private static func isStreamed(_ path: String) -> Bool {
    ["/thumbnails/", "/assets/", "/live-list/"].contains { path.beginsExactly(with: $0) }
  }
}

/// Answers to HEAD have no body, whatever they are about: of one that was an error's, a program that keeps the connection would
/// take the bytes for the start of the next answer.
struct HeadAnswers<Context: RequestContext>: RouterMiddleware {
  func handle(
    _ request: Request, context: Context, next: (Request, Context) async throws -> Response
  ) async throws -> Response {
    let response = try await next(request, context)
    return request.method == .head ? response.createHeadResponse() : response
  }
}
