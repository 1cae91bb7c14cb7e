@testable import ContactSheet
import HTTPTypes
import Hummingbird
import Testing

@testable import ContactSheetLibrary

/// An answer that a browser keeps is shown again only after the server has been asked, so that a password which is set later, a session that
/// ends and logging out count for it, too.
@Suite struct CachingTests {
  /// The one answer that is the same for all and holds nothing of anybody's: files of the program.
  private static let files = ["/assets/{name}", "/live-list/{name}", "/favicon.ico"]

  @Test(arguments: [false, true])
  func noAnswerIsShownAgainWithoutAsking(hasPassword: Bool) async throws {
    let server = try await TestServer()
    let album = try await server.library.createAlbum("A")
    let path = try TestPictures.write(to: server.folder.path + "/0.jpg")
    let imported = try await server.library.importFile(path, to: album.id)
    let hash = try #require(try await server.library.photos(in: album.id).first).contentHash
    let access = hasPassword ? try AccessTests.protected(server) : nil
    let routes = try OpenAPITests.described().sorted()
    #expect(routes.count > 30)
    try await server.run(access: access) { client in
      var headers: HTTPFields = [.secFetchSite: "same-origin"]
      if hasPassword {
        let entered = try await client.send(
          "/login", form: "password=\(PercentEncoding.encoded(AccessTests.password))")
        headers[.cookie] = "contact-sheet=\(try #require(entered.cookie("contact-sheet")).value)"
      }
      for route in routes {
        let parts = route.split(separator: " ", maxSplits: 1).map(String.init)
        let (method, template) = (try #require(HTTPRequest.Method(parts[0])), parts[1])
        // Not to change what the next route is asked about.
        if method == .delete || template == "/logout" || template == "/api/trash/empty" { continue }
        let isStream = template.hasSuffix("/stream") || template == "/api/streams"
        let name = template.hasPrefix("/live-list") ? "live-list.js" : "album.js"
        for (albumID, query) in [(album.id.wireText, "?from=0&count=5&list=/api/albums/stream"), ("x", "")] {
          let address =
            template.replacing("{album}", with: albumID).replacing("{photo}", with: imported.id.wireText)
            .replacing("{hash}", with: albumID == "x" ? "0" : hash).replacing("{name}", with: name) + query
          for extra in [[:], [.accept: "text/html"], [.range: "bytes=0-9"], [.range: "bytes=9999999-"]]
            as [HTTPFields]
          {
            let answer = try await client.send(
              isStream ? .head : method, address, headers: HTTPFields(Array(headers) + Array(extra)))
            let caching = answer.headers[.cacheControl] ?? "nothing"
            let allowed =
              Self.files.contains(template) ? ["no-cache", "no-store"] : ["private, no-cache", "no-store"]
            #expect(allowed.contains(caching), "\(route) \(albumID) \(extra): \(answer.status) \(caching)")
            // Going back shows a page as it was kept, without asking, unless it may not be kept at all.
            if extra[.accept] != nil, !Self.files.contains(template) {
              #expect(caching == "no-store", "\(route) as a page: \(answer.status) \(caching)")
            }
          }
        }
      }
    }
  }

  /// A module that a page has fetched is still there for its import, also where the line is lost between the two.
  @Test(arguments: ["/assets/undo.js", "/live-list/reordering.js"])
  func aModuleThatAScriptFetchesIsKeptForTheImport(path: String) async throws {
    try await TestServer().run { client in
      let fetched = try await client.send(.get, path, headers: [.secFetchDest: "empty"])
      #expect(fetched.status == .ok && fetched.headers[.cacheControl] == "max-age=10")
      #expect(fetched.headers[.vary] != "Sec-Fetch-Dest")
      let again = try await client.send(
        .get, path, headers: [.secFetchDest: "empty", .ifNoneMatch: fetched.headers[.eTag] ?? ""])
      #expect(again.status == .notModified && again.headers[.cacheControl] == "max-age=10")
      let imported = try await client.send(.get, path, headers: [.secFetchDest: "script"])
      #expect(imported.headers[.cacheControl] == "no-cache")
    }
  }

  /// To ask costs no picture: what has not changed is not sent again.
  @Test func aPictureThatIsKeptIsNotSentAgain() async throws {
    let server = try await TestServer()
    let album = try await server.library.createAlbum("A")
    let path = try TestPictures.write(to: server.folder.path + "/0.jpg")
    _ = try await server.library.importFile(path, to: album.id)
    let hash = try #require(try await server.library.photos(in: album.id).first).contentHash
    try await server.run { client in
      for kind in ["originals", "thumbnails", "previews"] {
        let answer = try await client.send(.get, "/\(kind)/\(hash)")
        #expect(answer.status == .ok && answer.headers[.cacheControl] == "private, no-cache")
        let again = try await client.send(
          .get, "/\(kind)/\(hash)", headers: [.ifNoneMatch: answer.headers[.eTag] ?? ""])
        #expect(again.status == .notModified && again.headers[.cacheControl] == "private, no-cache")
        #expect(again.body.readableBytes == 0)
      }
    }
  }
}
