import Foundation
import HTTPTypes
import Hummingbird
import Testing

@testable import ContactSheet
@testable import ContactSheetLibrary

/// A server below a path of a name that belongs to others, too.
@Suite struct ServerPathTests {
  private static func options(_ path: String = "/photos") throws -> WebServer.Options {
    var options = WebServer.Options()
    options.path = try ServerPath(path)
    return options
  }

  /// The path that a cookie is for.
  private static func path(of cookie: (value: String, properties: String)?) -> String? {
    cookie?.properties.split(separator: ";").map { $0.trimmingCharacters(in: .whitespaces) }
      .first { $0.hasPrefix("Path=") }.map { String($0.dropFirst(5)) }
  }

  @Test(arguments: [
    ("/", ""), ("/photos", "/photos"), ("/photos/", "/photos"), ("/a/b-c/D.e_f~1/", "/a/b-c/D.e_f~1"),
    ("/...", "/..."),
  ])
  func hasOneSpelling(_ given: String, _ text: String) throws {
    #expect(try ServerPath(given).text == text)
  }

  @Test(arguments: [
    "", "photos", "//", "//evil.example", "/a//b", "/a//", "/..", "/../etc", "/a/../b", "/./a", "/a/.",
    "/a/..",
    "/%2e%2e", "/a%2Fb", "/a b", "/a\tb", "/a\r\nSet-Cookie: x=1", "/a\0", "/a;Path=/", "/a,b", "/a?b",
    "/a#b",
    "/a\\b", "\\a", "/<script>", "/\"onload=", "/'", "/{{plain}}", "/ä", "/photos\u{301}", "/\u{2025}", "/：",
    "http://evil.example/", "/a:b", "/a@b", "/" + String(repeating: "a", count: 200),
  ])
  func refusesWhatMeansSomethingToSomebody(_ given: String) {
    #expect(throws: ContactSheetError.self) { try ServerPath(given) }
  }

  @Test func takesOffItselfAloneAndByBytes() throws {
    let path = try ServerPath("/photos")
    let cases: [(String, String?)] = [
      ("/photos", "/"), ("/photos/", "/"), ("/photos/a/b", "/a/b"),
      ("/photos//evil.example", "//evil.example"),
      ("/", nil), ("/photo", nil), ("/photosx/a", nil), ("/Photos/a", nil), ("/photos\u{301}/a", nil),
      ("/photos%2Fa", nil), ("//photos/a", nil), ("/a/photos/b", nil), ("", nil), ("*", nil),
    ]
    for (given, rest) in cases { #expect(path.rest(of: given) == rest, "\(given)") }
    #expect(ServerPath.top.rest(of: "/photos") == "/photos")
  }

  @Test func answersBelowItsPathAlone() async throws {
    let server = try await TestServer()
    let album = try await server.library.createAlbum("A").id.wireText
    let routes = try WebServer(library: server.library, options: .init(), logger: .quiet).router().routes
      .map { ($0.method, $0.path.description.replacingOccurrences(of: "{album}", with: album)) }
    try await server.run(try Self.options()) { client in
      for (method, path) in routes {
        for address in [path, "/photosx\(path)", "/photo\(path)", "/x/photos\(path)", "/photos%2F\(path)"] {
          let answer = try await client.send(method, address, headers: [.secFetchSite: "same-origin"])
          #expect(answer.status == .notFound, "\(method) \(address)")
          #expect(answer.headers[.contentSecurityPolicy] != nil)
        }
      }
      for path in ["/albums/\(album)", "/api/albums", "/assets/album.js", "/api/build?x=1"] {
        #expect(try await client.send(.get, "/photos\(path)").status == .ok, "\(path)")
      }
      // As a proxy may pass it on, with the server's name in it.
      #expect(try await client.send(.get, "http://localhost/photos/api/albums").status == .ok)
    }
  }

  /// Every address in a page, style sheet or script is below the path, or relative to its file.
  @Test func everyAddressThatIsServedIsBelowThePath() async throws {
    let server = try await TestServer()
    let access = try AccessTests.protected(server)
    let album = try await server.library.createAlbum("A")
    let picture = try TestPictures.write(to: server.folder.path + "/a.jpg")
    let outcome = try await server.library.importFile(picture, to: album.id)
    try await server.run(try Self.options(), access: access) { client in
      let entered = try await client.send(
        "/photos/login", form: "password=\(PercentEncoding.encoded(AccessTests.password))")
      let session = try #require(entered.cookie("contact-sheet")).value
      let headers: HTTPFields = [.cookie: "contact-sheet=\(session)", .accept: "text/html"]
      let own = "/photos/albums/\(album.id.wireText)"
      var pages = [try await client.send(.get, "/photos/login").text]
      for address in [own, "\(own)/photos/\(outcome.id.wireText)", "/photos/nothing"] {
        let page = try await client.send(.get, address, headers: headers)
        pages.append(page.text)
      }
      for page in pages {
        let addresses = page.matches(of: #/(?:href|src|srcset|action|formaction|moves|content)="(\/[^"]*)"/#)
        #expect(!addresses.isEmpty)
        for match in addresses { #expect(match.1.hasPrefix("/photos/"), "\(match.0)") }
        #expect(!page.contains("{{"))
      }
      let files =
        try WebAssets.pages().assets.map { ("assets/" + $0.key, $0.value) }
        + WebAssets.listFiles.assets.map { ("live-list/" + $0.key, $0.value) }
      for (name, file) in files where name.hasSuffix(".js") || name.hasSuffix(".css") {
        let text = String(decoding: file.bytes, as: UTF8.self)
        // A path in a string or in `url()`; a regular expression or a fraction is none.
        let absolute = text.matches(of: #/(?:['"`]|url\()\/[A-Za-z$][^'"`\s]*/#).map { String($0.0) }
        #expect(absolute == [], "\(name)")
      }
    }
  }

  @Test func leadsOnBelowItsPath() async throws {
    let server = try await TestServer()
    let access = try AccessTests.protected(server)
    let album = try await server.library.createAlbum("A")
    try await server.run(try Self.options("/a/photos/"), access: access) { client in
      let led = try await client.send(
        .get, "/a/photos/albums/\(album.id.wireText)?page=2", headers: [.accept: "text/html"])
      let login = try #require(led.headers[.location])
      #expect(login == "/a/photos/login?next=%2Falbums%2F\(album.id.wireText)%3Fpage%3D2")
      for (next, path) in [
        ("/albums/x", "/a/photos/albums/x"), ("//evil.example", "/a/photos/"), ("/../other", "/a/photos/"),
        ("/%2e./other", "/a/photos/"), ("https://evil.example/", "/a/photos/"), ("", "/a/photos/"),
      ] {
        let entered = try await client.send(
          "/a/photos/login",
          form:
            "password=\(PercentEncoding.encoded(AccessTests.password))&next=\(PercentEncoding.encoded(next))")
        #expect(entered.headers[.location] == path, "\(next)")
        let session = try #require(entered.cookie("contact-sheet"))
        #expect(Self.path(of: session) == "/a/photos")
        #expect(Self.path(of: entered.cookie("contact-sheet-device")) == "/a/photos/login")
        // Of two servers at one name, one above the other, browsers send the nearer one's cookie first.
        let headers: HTTPFields = [.cookie: "contact-sheet=\(session.value); contact-sheet=another"]
        let first = try await client.send(.get, "/a/photos", headers: headers)
        #expect(first.headers[.location]?.hasPrefix("/a/photos/albums/") == true)
        let left = try await client.send(
          .post, "/a/photos/logout", headers: headers.with(.secFetchSite, "same-origin"))
        #expect(left.headers[.location] == "/a/photos/login")
        #expect(Self.path(of: left.cookie("contact-sheet")) == "/a/photos")
        #expect(left.headers[.clearSiteData] == #""cache""#)
      }
    }
  }

  @Test func byHTTPSItsCookieHasTheNameThatPathsMayHave() async throws {
    let server = try await TestServer()
    let access = try AccessTests.protected(server)
    var options = try Self.options()
    options.isBehindHTTPS = true
    try await server.run(options, access: access) { client in
      let entered = try await client.send(
        "/photos/login", form: "password=\(PercentEncoding.encoded(AccessTests.password))")
      let cookie = try #require(entered.cookie("__Secure-contact-sheet"))
      #expect(cookie.properties.contains("Secure") && Self.path(of: cookie) == "/photos")
    }
  }

  @Test func listsOfOneStreamAreNamedWithIt() throws {
    let path = try ServerPath("/photos")
    #expect(StreamedList(address: "/photos/api/albums/stream", below: path).key == .albums)
    for address in ["/api/albums/stream", "/photosx/api/albums/stream", "/photos/photos/api/albums/stream"] {
      #expect(StreamedList(address: address, below: path).key == nil, "\(address)")
    }
  }

  /// `--request-megabytes` is about reading bodies, too.
  @Test func readingBodiesKeepsToTheLimitOfItsServer() async throws {
    let server = try await TestServer()
    let library = server.library
    let limit = 1 << 20
    var options = WebServer.Options()
    options.limits.bodyMemory = limit
    let web = WebServer(library: library, options: options, logger: .quiet)
    #expect(web.reading.limit == limit)
    let client = RouteClient(responder: try web.responder())
    // While others use all of it, a request waits.
    let (isHeld, letGo) = (AsyncStream<Void>.makeStream(), AsyncStream<Void>.makeStream())
    async let held: Void = web.reading.pass(limit) { _ in
      isHeld.continuation.finish()
      for await _ in letGo.stream {}
    }
    for await _ in isHeld.stream {}
    async let made = client.send(.post, "/api/albums", json: #"{"title":"B"}"#)
    while await web.reading.waiterCount == 0 { await Task.yield() }
    #expect(try await library.albums().isEmpty)
    letGo.continuation.finish()
    try await held
    #expect(try await made.status == .created)
    await library.close()
  }
}
