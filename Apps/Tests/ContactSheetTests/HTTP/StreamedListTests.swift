import Foundation
import LiveLists
import Testing

@testable import ContactSheet
@testable import ContactSheetLibrary

@Suite struct StreamedListTests {
  @Test func isNamedByTheAddressOfItsOwnStream() {
    let id = UUID()
    let album = "/api/albums/\(id.uuidString)/stream"
    for (address, key) in [
      ("/api/albums/stream", .albums), ("/api/albums/stream?since=e.4", .albums), (album, .album(id)),
      ("\(album)?query=", .album(id)), ("\(album)?query=a+b%20c", .search(id, ["a", "b", "c"])),
      ("\(album)?sections=month&since=e.1", .months(id)),
      ("\(album)?query=a&sections=month", .search(id, ["a"], byMonth: .newestLast)),
      ("\(album)?sections=month-newest", .months(id, .newestFirst)), ("\(album)?sections=year", .album(id)),
      ("/api/search/stream?query=b+a", .found(["b", "a"])),
    ] as [(String, SharedLists.Key)] {
      #expect(StreamedList(address: address).key == key, "\(address)")
    }
    let list = StreamedList(address: "\(album)?window=5,7&since=k3v9x2.42")
    #expect(list.version == "k3v9x2.42")
    #expect(list.window.map { [$0.from, $0.count] } == [5, 7])
  }

  @Test(arguments: [
    "/api/search/stream", "/api/search/stream?query=+",
    "", "/", "?since=e.1", "stream", "api/albums/stream/x", "/api/albums", "/api/albums/x/stream",
    "/api/albums/stream/",
    "http://example.org/api/albums/stream", "/api/albums//stream", "/x/albums/\(UUID())/stream",
    "/api/albums/\(UUID())/items",
  ])
  func isNoneAtAnyOtherAddress(_ address: String) {
    #expect(StreamedList(address: address).key == nil)
  }
}
