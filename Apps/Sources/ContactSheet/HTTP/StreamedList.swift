import ContactSheetLibrary
import Foundation
import Hummingbird
import LiveLists

/// A list that a reader wants to follow, and what it has of it.
struct StreamedList: Sendable {
  /// The list; `nil` where the address that the reader gave is none of a list.
  let key: SharedLists.Key?
  private(set) var version: String?
  let window: ListStreamWindow?

  /// A list with a stream of its own.
  init(key: SharedLists.Key, _ request: Request) {
    self.init(key, QueryParameters(request.uri.query))
    // The address says what the page has; the header is what the browser adds when it reconnects by itself.
    version = request.headers[.lastEventID] ?? version
  }

  /// A list that comes with others: named by the address that its own stream has.
  ///
  /// - Parameter path: The server's path, with which such addresses begin.
  init(address: String, below path: ServerPath = .top) {
    let parts = address.parts(between: "?", maxSplits: 1, omittingEmpty: false)
    let query = QueryParameters(parts.dropFirst().first)
    let rest = parts.first.flatMap { path.rest(of: String($0)) }
    let steps = rest?.parts(between: "/", omittingEmpty: false).dropFirst().map(String.init)
    switch steps {
    case ["api", "albums", "stream"]: self.init(.albums, query)
    case ["api", "trash", "stream"]: self.init(.trash, query)
    case ["api", "search", "stream"]: self.init(.photos(withWordsOf: query), query)
    case let steps? where steps.count == 4 && steps[..<2] == ["api", "albums"] && steps[3] == "stream":
      self.init(UUID(uuidString: steps[2]).map { .photos(of: $0, query) }, query)
    default: self.init(nil, query)
    }
  }

  private init(_ key: SharedLists.Key?, _ query: QueryParameters) {
    self.key = key
    version = query["since"]
    window = query["window"].flatMap { ListStreamWindow($0) }
  }
}

extension SharedLists.Key {
  /// The list of what a search finds in all albums; `nil` where there is no word to search for.
  static func photos(withWordsOf query: QueryParameters) -> Self? {
    let words = words(of: query)
    return words.isEmpty ? nil : .found(words)
  }

  private static func words(of query: QueryParameters) -> [String] {
    TextCleaning.oneLine(query["query"] ?? "", limit: 200).parts(between: " ").prefix(10).map(String.init)
  }

  /// The list of an album's photos that a page asks for: all or what a search finds, in the album's order or by months.
  static func photos(of albumID: UUID, _ query: QueryParameters) -> Self {
    let words = words(of: query)
    let months = query["sections"].flatMap(SharedLists.MonthOrder.init)
    if !words.isEmpty { return .search(albumID, words, byMonth: months) }
    return months.map { .months(albumID, $0) } ?? .album(albumID)
  }
}
