@testable import ContactSheet
import Foundation
import HTTPTypes
import Hummingbird
import Testing

@testable import ContactSheetLibrary

/// Pages without scripts: a window of photos in the page, and forms.
@Suite struct PlainPageTests {
  private func form(_ fields: [(String, String)]) -> String {
    fields.map { "\($0)=\(PercentEncoding.encoded($1))" }.joined(separator: "&")
  }

  @Test func theFirstWindowIsInThePageAndTheOthersArePages() async throws {
    let server = try await TestServer()
    let album = try await server.library.createAlbum("A & B")
    let ids = try await server.library.insertRows(70, in: album.id)
    try await server.run { client in
      let path = "/albums/\(album.id.wireText)"
      for (query, range) in [("", 0..<60), ("?page=1", 0..<60), ("?page=2", 60..<70), ("?page=99", 60..<70)] {
        let page = try await client.send(.get, path + query).text
        for (number, id) in ids.enumerated() {
          #expect(page.contains("value=\"\(id.wireText)\"") == range.contains(number), "\(query) \(number)")
        }
        #expect(page.contains("A &amp; B"))
      }
    }
  }

  @Test func aPhotoHasAPageWithLinksToItsNeighboursAndItsAlbum() async throws {
    let server = try await TestServer()
    let album = try await server.library.createAlbum("A")
    let other = try await server.library.createAlbum("B")
    let ids = try await server.library.insertRows(62, in: album.id)
    try await server.library.delete([ids[1]], from: album.id, mutationID: UUID())
    try await server.run { client in
      let path = "/albums/\(album.id.wireText)"
      func address(_ number: Int) -> String { "\(path)/photos/\(ids[number].wireText)" }
      func page(_ number: Int) async throws -> String { try await client.send(.get, address(number)).text }
      let first = try await page(0)
      #expect(first.contains("data-position=\"1\"") && first.contains("1 of 61"))
      #expect(!first.contains("rel=\"prev\"") && first.contains("rel=\"next\" href=\"\(address(2))\""))
      #expect(first.contains("href=\"\(path)?page=1#plain\""))
      let last = try await page(61)
      #expect(last.contains("data-position=\"61\"") && last.contains("61 of 61"))
      #expect(last.contains("rel=\"prev\" href=\"\(address(60))\"") && !last.contains("rel=\"next\""))
      #expect(last.contains("href=\"\(path)?page=2#plain\""))
      #expect(try await client.send(.get, path).text.contains("href=\"\(address(3))\""))
      // Neither what is in the trash nor what is in another album is at this address.
      #expect(try await client.send(.get, address(1)).status == .notFound)
      let elsewhere = "/albums/\(other.id.wireText)/photos/\(ids[0].wireText)"
      #expect(try await client.send(.get, elsewhere).status == .notFound)
    }
  }

  @Test func movesDeletesAndTakesBack() async throws {
    let server = try await TestServer()
    let album = try await server.library.createAlbum("A")
    let ids = try await server.library.insertRows(5, in: album.id)
    let library = server.library
    try await server.run { client in
      let path = "/albums/\(album.id.wireText)"
      func order() async throws -> [Int] {
        try await library.photos(in: album.id).compactMap { photo in ids.firstIndex(of: photo.id) }
      }
      func send(_ deed: String, _ photos: [Int], _ more: [(String, String)] = []) async throws -> RouteAnswer
      {
        let fields =
          [("act", UUID().wireText), ("page", "1"), ("do", deed)] + more
          + photos.map { ("ids", ids[$0].wireText) }
        return try await client.send(path, form: form(fields))
      }
      let toStart = try await send("start", [3, 4])
      #expect(toStart.status == .seeOther)
      #expect(try await order() == [3, 4, 0, 1, 2])
      let back = try #require(toStart.headers[.location])
      #expect(back.hasPrefix(path + "?page=1&did=moved&count=2&act="))
      #expect(try await client.send(.get, back).text.contains("Moved 2 photos."))
      _ = try await send("end", [4])
      #expect(try await order() == [3, 0, 1, 2, 4])
      _ = try await send("place", [4], [("position", "2")])
      #expect(try await order() == [3, 4, 0, 1, 2])
      _ = try await send("place", [3], [("position", "99")])
      #expect(try await order() == [4, 0, 1, 2, 3])
      let deleted = try await send("delete", [0, 2])
      #expect(try await order() == [4, 1, 3])
      let mutationID = try #require(
        deleted.headers[.location]?.firstMatch(of: #/act=([-0-9a-f]+)/#)?.1)
      let undone = try await send("undo", [], [("undoes", String(mutationID))])
      #expect(undone.headers[.location]?.contains("did=undone") == true)
      #expect(try await order() == [4, 0, 1, 2, 3])
      let none = try await send("delete", [])
      #expect(none.headers[.location]?.contains("said=none") == true)
      #expect(try await send("nonsense", [1]).status == .badRequest)
    }
  }

  @Test func aFormThatIsSentTwiceCountsOnceAndFormsOfOthersDoNotCount() async throws {
    let server = try await TestServer()
    let album = try await server.library.createAlbum("A")
    let ids = try await server.library.insertRows(3, in: album.id)
    let library = server.library
    try await server.run { client in
      let path = "/albums/\(album.id.wireText)"
      let fields = [("act", UUID().wireText), ("do", "end"), ("ids", ids[0].wireText)]
      for headers in [[.origin: "http://evil.example"], [.secFetchSite: "same-site"], [:]] as [HTTPFields] {
        #expect(try await client.send(path, form: form(fields), headers: headers).status == .forbidden)
      }
      #expect(try await library.photos(in: album.id).map(\.id) == ids)
      for _ in 0..<2 { #expect(try await client.send(path, form: form(fields)).status == .seeOther) }
      let again = [("act", fields[0].1), ("do", "delete"), ("ids", ids[1].wireText)]
      _ = try await client.send(path, form: form(again))
      #expect(try await library.photos(in: album.id).map(\.id) == [ids[1], ids[2], ids[0]])
    }
  }

  @Test func whatItSaysIsItsOwn() async throws {
    let server = try await TestServer()
    let album = try await server.library.createAlbum("A")
    try await server.run { client in
      let path = "/albums/\(album.id.wireText)"
      let page = try await client.send(.get, path + "?did=%3Cb%3Eowned&said=evil&count=%3Ci%3E").text
      #expect(!page.contains("owned") && !page.contains("evil"))
    }
  }
}
