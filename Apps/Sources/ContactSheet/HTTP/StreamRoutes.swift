import ContactSheetLibrary
import Foundation
import HTTPTypes
import Hummingbird
import LiveLists

/// Live lists as server-sent events.
struct StreamRoutes: Sendable {
  let library: PhotoLibrary
  let lists: SharedLists
  private let path: ServerPath
  private let streams: EventStreams
  private let budget: MemoryBudget

  /// The largest position that can be asked for: the largest number that JSON carries exactly.
  private static var maximumPosition: Int { 1 << 53 }

  /// - Parameters:
  ///   - path: The server's path, which is before the addresses of lists that pages name.
  ///   - budget: The memory that events take together until they have been taken.
  init(library: PhotoLibrary, lists: SharedLists, path: ServerPath, budget: MemoryBudget) {
    self.path = path
    self.library = library
    self.budget = budget
    self.lists = lists
    streams = EventStreams(library: library, lists: lists, budget: budget)
  }

  func add(to router: Router<WebContext>) {
    router.get("/api/albums/{album}/stream") { request, context in
      let albumID = try context.albumID
      guard try await library.album(albumID) != nil else {
        throw ContactSheetError(.notFound, "There is no such album. It may have been deleted.")
      }
      return streams.answer(
        StreamedList(key: Self.key(albumID, request), request), to: request, from: context)
    }
    router.get("/api/albums/stream") { request, context in
      streams.answer(StreamedList(key: .albums, request), to: request, from: context)
    }
    router.get("/api/trash/stream") { request, context in
      streams.answer(StreamedList(key: .trash, request), to: request, from: context)
    }
    router.get("/api/search/stream") { request, context in
      streams.answer(StreamedList(key: try Self.search(request), request), to: request, from: context)
    }
    router.get("/api/streams") { request, context in
      let addresses = QueryParameters(request.uri.query).all("list")
      guard (1...EventStreams.maximumLists).contains(addresses.count) else {
        throw ContactSheetError(
          .badRequest,
          "Between 1 and \(EventStreams.maximumLists) lists come in one stream, each named by list."
        )
      }
      // For as long as the stream is open: a list that is followed takes memory also while nothing happens.
      let share = try await budget.share(addresses.count * EventStreams.memoryPerList, for: context.address)
      return streams.answer(
        addresses.map { StreamedList(address: $0, below: path) }, to: request, from: context, holding: share)
    }
    router.get("/api/albums/{album}/items") { request, context in
      try await rows(Self.key(try context.albumID, request), request)
    }
    router.get("/api/albums/items") { request, _ in try await rows(.albums, request) }
    router.get("/api/trash/items") { request, _ in try await rows(.trash, request) }
    router.get("/api/search/items") { request, _ in try await rows(Self.search(request), request) }
  }

  /// Rows of a list that is too long to travel whole, for a page that has come to them: `?from=&count=`, and
  /// `&content=0` for ids alone.
  private func rows(_ key: SharedLists.Key, _ request: Request) async throws -> Response {
    guard let from = request.query("from").flatMap({ OutsideNumber.exact($0, in: 0...Self.maximumPosition) }),
      let count = request.query("count").flatMap({ OutsideNumber.exact($0, in: 0...Self.maximumPosition) })
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

  private static func search(_ request: Request) throws -> SharedLists.Key {
    guard let key = SharedLists.Key.photos(withWordsOf: QueryParameters(request.uri.query)) else {
      throw ContactSheetError(.badRequest, "What to search for in all albums is said by query.")
    }
    return key
  }

  private static func key(_ albumID: UUID, _ request: Request) -> SharedLists.Key {
    .photos(of: albumID, QueryParameters(request.uri.query))
  }
}
