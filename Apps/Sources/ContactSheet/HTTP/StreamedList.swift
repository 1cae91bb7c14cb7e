import Foundation
import Hummingbird
import ListStream

/// A list that a reader wants to follow, and what it has of it.
struct StreamedList: Sendable {
  /// The list; `nil` where the address that the reader gave is none of a list.
  let key: LiveLists.Key?
  private(set) var version: String?
  let window: ListStreamWindow?

  /// A list with a stream of its own.
  init(key: LiveLists.Key, _ request: Request) {
    self.init(key, QueryParameters(request.uri.query))
    // The address says what the page has; the header is what the browser adds when it reconnects by itself.
    version = request.headers[.lastEventID] ?? version
  }

  /// A list that comes with others: named by the address that its own stream has.
  init(address: String) {
    let parts = address.parts(between: "?", maxSplits: 1, omittingEmpty: false)
    let query = QueryParameters(parts.dropFirst().first)
    let path = parts.first?.parts(between: "/", omittingEmpty: false).dropFirst().map(
      String.init)
    switch path {
    case ["api", "albums", "stream"]: self.init(.albums, query)
    case let path? where path.count == 4 && path[..<2] == ["api", "albums"] && path[3] == "stream":
      self.init(UUID(uuidString: path[2]).map { .photos(of: $0, query) }, query)
    default: self.init(nil, query)
    }
  }

  private init(_ key: LiveLists.Key?, _ query: QueryParameters) {
    self.key = key
    version = query["since"]
    window = query["window"].flatMap { ListStreamWindow($0) }
  }
}

extension LiveLists.Key {
  /// The list of an album's photos that a page asks for: in the album's order, by months, or what a search finds.
  static func photos(of albumID: UUID, _ query: QueryParameters) -> Self {
    let words = TextCleaning.oneLine(query["query"] ?? "", limit: 200)
      .parts(between: " ").prefix(10).map(String.init)
    if !words.isEmpty { return .search(albumID, words) }
    return query["sections"] == "month" ? .months(albumID) : .album(albumID)
  }
}
