import AsyncAlgorithms
import Foundation
import HTTPTypes
import Hummingbird
import ListStream
import NIOCore
import ServiceLifecycle

/// Live lists as server-sent events.
struct StreamRoutes<Context: RequestContext>: Sendable {
  let library: PhotoLibrary
  let lists: LiveLists
  private let parts = EventParts()

  /// The largest position that can be asked for: the largest number that JSON carries exactly.
  private static var largestPosition: Int { 1 << 53 }

  init(library: PhotoLibrary, lists: LiveLists) {
    self.library = library
    self.lists = lists
  }

  func add(to router: Router<Context>) {
    router.get("/api/albums/{album}/stream") { request, context in
      let albumID = try context.albumID
      guard try await library.album(albumID) != nil else {
        throw ContactSheetError(.notFound, "There is no such album. It may have been deleted.")
      }
      return stream(Self.key(albumID, request), request)
    }
    router.get("/api/albums/stream") { request, _ in stream(.albums, request) }
    router.get("/api/albums/{album}/items") { request, context in
      try await rows(Self.key(try context.albumID, request), request)
    }
    router.get("/api/albums/items") { request, _ in try await rows(.albums, request) }
  }

  /// Rows of a list that is too long to travel whole, for a page that has come to them: `?from=&count=`, and
  /// `&content=0` for ids alone.
  private func rows(_ key: LiveLists.Key, _ request: Request) async throws -> Response {
    guard let from = request.query("from").flatMap({ OutsideNumber.exact($0, in: 0...Self.largestPosition) }),
      let count = request.query("count").flatMap({ OutsideNumber.exact($0, in: 0...Self.largestPosition) })
    else { throw ContactSheetError(.badRequest, "Rows are asked for with from and count.") }
    if let albumID = key.albumID, try await library.album(albumID) == nil {
      throw ContactSheetError(.notFound, "There is no such album. It may have been deleted.")
    }
    let list = try await lists.enter(key)
    let window = ListStreamWindow(from: from, count: count)
    let withContents = request.query("content") != "0"
    let bytes: [UInt8]?
    do {
      bytes = try await list.range(window, withContents: withContents)
    } catch {
      await lists.leave(key)
      throw error
    }
    await lists.leave(key)
    guard let bytes else {
      // The list has ended meanwhile; it is made anew for who asks again.
      return Response(status: .serviceUnavailable, headers: [.retryAfter: "1", .cacheControl: "no-store"])
    }
    return .compressible(bytes, contentType: "application/json", for: request)
  }

  /// The list that a page asks for: the album in its order, by months, or what a search finds in it.
  private static func key(_ albumID: UUID, _ request: Request) -> LiveLists.Key {
    let words = TextCleaning.oneLine(request.query("query") ?? "", limit: 200)
      .split(separator: " ").prefix(10).map(String.init)
    if !words.isEmpty { return .search(albumID, words) }
    return request.query("sections") == "month" ? .months(albumID) : .album(albumID)
  }

  private func stream(_ key: LiveLists.Key, _ request: Request) -> Response {
    // The address says what the page has; the header is what the browser adds when it reconnects by itself.
    let version = request.headers[.lastEventID] ?? request.query("since")
    let window = request.query("window").flatMap { ListStreamWindow($0) }
    let isCompressed = request.takesGzip
    var headers: HTTPFields = [
      .contentType: "text/event-stream", .cacheControl: "no-store", .vary: "Accept-Encoding",
      .xAccelBuffering: "no",
    ]
    if isCompressed { headers[.contentEncoding] = "gzip" }
    return Response(
      status: .ok, headers: headers,
      body: ResponseBody { writer in
        var writer = EventWriter(writer, parts: isCompressed ? parts : nil)
        // To read an album of a million takes a while. A page that has nothing sees its first photos meanwhile.
        async let entering = lists.enter(key)
        if version == nil, let window, await !lists.isReady(key),
          let opening = try? await library.opening(key, window)
        {
          do {
            try await writer.write(opening.serverSentEvent)
          } catch {
            if (try? await entering) != nil { await lists.leave(key) }
            throw error
          }
        }
        let list = try await entering
        do {
          try await Self.pass(list, since: version, window: window, on: &writer, request)
        } catch {
          await lists.leave(key)
          throw error
        }
        await lists.leave(key)
        try await writer.finish()
      })
  }

  /// Writes events as fast as the reader takes them, until it hangs up or the server stops.
  private static func pass(
    _ list: any LiveListing, since version: String?, window: ListStreamWindow?,
    on writer: inout EventWriter, _ request: Request
  ) async throws {
    let channel = AsyncChannel<[UInt8]>()
    let sending = Task { await list.send(since: version, window: window, to: channel) }
    defer { sending.cancel() }
    let end: @Sendable () -> Void = {
      sending.cancel()
      channel.finish()
    }
    try await withTaskCancellationHandler {
      try await withGracefulShutdownHandler {
        try await request.body.consumeWithInboundCloseHandler { _ in
          for await event in channel { try await writer.write(event) }
        } onInboundClosed: {
          end()
        }
      } onGracefulShutdown: {
        end()
      }
    } onCancel: {
      end()
    }
  }
}
