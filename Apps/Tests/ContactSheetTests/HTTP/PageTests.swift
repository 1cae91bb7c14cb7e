import Foundation
import HTTPTypes
import Hummingbird
import Testing

@testable import ContactSheet
@testable import ContactSheetLibrary

@Suite struct PageTests {
  @Test func leadsToTheFirstAlbumAndMakesOneWhereThereIsNone() async throws {
    let server = try await TestServer()
    try await server.run { client in
      let redirect = try await client.send(.get, "/")
      #expect(redirect.status == .temporaryRedirect)
      let path = try #require(redirect.headers[.location])
      let page = try await client.send(.get, path)
      #expect(page.status == .ok)
      #expect(page.headers[.contentType] == "text/html; charset=utf-8")
      #expect(page.text.contains("My photos"))
      #expect(page.text.contains(path.split(separator: "/").last ?? "?"))
      #expect(!page.text.contains("{{"))
    }
  }

  @Test func escapesWhatUsersCallAlbums() async throws {
    let server = try await TestServer()
    let album = try await server.library.createAlbum("<script>alert(1)</script>\" & 'more'")
    try await server.run { client in
      let page = try await client.send(.get, "/albums/\(album.id.wireText)").text
      #expect(!page.contains("<script>alert"))
      #expect(page.contains("&lt;script&gt;alert(1)&lt;/script&gt;&quot; &amp; &#39;more&#39;"))
    }
  }

  @Test func peopleGetAPageWhereProgramsGetJSON() async throws {
    let server = try await TestServer()
    let album = try await server.library.createAlbum("A")
    try await server.run { client in
      let browser: HTTPFields = [.accept: "text/html,application/xhtml+xml,*/*;q=0.8"]
      let nobody = UUID().wireText
      let missing = [
        "/albums/\(nobody)", "/albums/nonsense", "/nothing", "/originals/0", "/assets/nothing.js",
        "/albums/\(nobody)/photos/\(nobody)", "/albums/nonsense/photos/x",
      ]
      for path in missing {
        let page = try await client.send(.get, path, headers: browser)
        #expect(page.status == .notFound, "\(path)")
        #expect(page.headers[.contentType] == "text/html; charset=utf-8", "\(path)")
        #expect(page.text.contains("<h1>Not found</h1>") && page.text.contains(#"href="/""#), "\(path)")
        #expect(!page.text.contains("{{") && page.headers[.cacheControl] == "no-store")
        #expect(page.headers[.contentSecurityPolicy] != nil)
        for headers in [[:], [.accept: "*/*"], [.accept: "application/json"]] as [HTTPFields] {
          #expect(try await client.send(.get, path, headers: headers).errorCode() == "notFound", "\(path)")
        }
      }
      let api = try await client.send(.get, "/api/albums/\(nobody)/stream", headers: browser)
      #expect(try api.errorCode() == "notFound")
      let form = try await client.send(
        "/albums/\(album.id.wireText)", form: "do=x", headers: browser.with(.secFetchSite, "same-origin"))
      #expect(form.status == .badRequest && form.text.contains("The form does not say what to do."))
      let refused = try await client.send(
        "/albums/x", form: "do=x", headers: browser.with(.secFetchSite, "cross-site"))
      #expect(refused.status == .forbidden && refused.text.contains("<h1>Not allowed</h1>"))
    }
  }

  @Test func theAddressOfAPhotoThatIsGoneShowsPeopleTheAlbumAndSaysSo() async throws {
    let server = try await TestServer()
    let album = try await server.library.createAlbum("Iceland")
    let ids = try await server.library.insertRows(3, in: album.id)
    try await server.library.delete([ids[1]], from: album.id, mutationID: UUID())
    try await server.run { client in
      let browser: HTTPFields = [.accept: "text/html,application/xhtml+xml,*/*;q=0.8"]
      let path = "/albums/\(album.id.wireText)"
      for photo in [ids[1].wireText, UUID().wireText, "x"] {
        let page = try await client.send(.get, "\(path)/photos/\(photo)", headers: browser)
        #expect(page.status == .notFound && page.headers[.cacheControl] == "no-store")
        #expect(page.text.contains("That photo is not in this album any more."))
        #expect(page.text.contains("<h1 ") && page.text.contains("Iceland") && !page.text.contains("{{"))
        for row in [ids[0], ids[2]] { #expect(page.text.contains("\(path)/photos/\(row.wireText)")) }
        for headers in [[:], [.accept: "*/*"], [.accept: "application/json"]] as [HTTPFields] {
          let answer = try await client.send(.get, "\(path)/photos/\(photo)", headers: headers)
          #expect(try answer.errorCode() == "notFound")
        }
      }
    }
  }

  @Test func servesTheFilesOfThePagesAndNothingElse() async throws {
    let server = try await TestServer()
    try await server.run { client in
      for (path, type) in [
        ("/assets/album.js", "text/javascript; charset=utf-8"),
        ("/assets/styles/base.css", "text/css; charset=utf-8"),
        ("/live-list/live-list.js", "text/javascript; charset=utf-8"),
      ] {
        let answer = try await client.send(.get, path)
        #expect(answer.status == .ok, "\(path)")
        #expect(answer.headers[.contentType] == type)
        let again = try await client.send(.get, path, headers: [.ifNoneMatch: answer.headers[.eTag] ?? ""])
        #expect(again.status == .notModified)
      }
      for path in [
        "/assets/../Package.swift", "/assets/%2e%2e/secret", "/live-list/nothing.js", "/assets/", "/x",
      ] {
        #expect(try await client.send(.get, path).status == .notFound, "\(path)")
      }
    }
  }

  @Test func everyAnswerForbidsWhatPagesDoNotNeed() async throws {
    let server = try await TestServer()
    try await server.run { client in
      for path in ["/", "/api/albums", "/assets/icon.svg", "/nothing", "/assets/nothing.js"] {
        let headers = try await client.send(.get, path).headers
        #expect(headers[.contentSecurityPolicy]?.contains("default-src 'self'") == true, "\(path)")
        #expect(headers[.contentSecurityPolicy]?.contains("script-src") == false)
        #expect(headers[.openerPolicy] == "same-origin" && headers[.referrerPolicy] == "same-origin")
        #expect(headers[.xContentTypeOptions] == "nosniff" && headers[.resourcePolicy] == "same-origin")
      }
    }
  }

  @Test func scriptsAndStylesSayOnlyWhatAppliesToThem() async throws {
    let server = try await TestServer()
    try await server.run { client in
      for path in ["/assets/album.js", "/live-list/live-list.js", "/assets/styles/base.css"] {
        let headers = try await client.send(.get, path).headers
        // Nor where the browser has them already.
        let known = try await client.send(.get, path, headers: [.ifNoneMatch: headers[.eTag] ?? ""])
        #expect(known.status == .notModified)
        for headers in [headers, known.headers] {
          #expect(headers[.contentSecurityPolicy] == nil && headers[.openerPolicy] == nil, "\(path)")
          #expect(headers[.xContentTypeOptions] == "nosniff" && headers[.resourcePolicy] == "same-origin")
        }
      }
    }
  }
}

@Suite struct RequestGuardTests {
  @Test(arguments: [
    ("localhost:8080", true), ("127.0.0.1:8080", true), ("[::1]:8080", true), ("LOCALHOST", true),
    ("evil.example", false), ("localhost.evil.example", false), ("192.168.1.5:8080", false), ("", false),
  ])
  func answersOnlyToNamesOfThisMachine(_ authority: String, _ accepted: Bool) {
    #expect(HostPolicy().accepts(authority: authority) == accepted)
  }

  @Test func answersToAddressesWhereOthersMayReachIt() {
    var policy = HostPolicy()
    policy.acceptsAddresses = true
    policy.names.insert("photos.home")
    for authority in ["192.168.1.5:8080", "[fe80::1]:80", "photos.home"] {
      #expect(policy.accepts(authority: authority), "\(authority)")
    }
    for authority in ["evil.example", "1.2.3.4.example", "999.1.1.1"] {
      #expect(!policy.accepts(authority: authority), "\(authority)")
    }
  }

  @Test(
    arguments: [
      ([:], true), ([.origin: "http://localhost:8080"], true), ([.origin: "http://localhost:9090"], false),
      ([.origin: "http://evil.example"], false), ([.origin: "null"], false),
      ([.secFetchSite: "cross-site"], false),
      ([.secFetchSite: "same-site"], false), ([.secFetchSite: "same-origin"], true),
      ([.secFetchSite: "none"], true),
    ] as [(HTTPFields, Bool)])
  func letsOnlyItsOwnPagesWrite(_ headers: HTTPFields, _ accepted: Bool) {
    #expect(HostPolicy().acceptsWrite(headers: headers, authority: "localhost:8080") == accepted)
  }

  /// Whoever can answer for the name without https has a page of that name, and not of the server. The same goes for whoever
  /// answers by https where the server does not.
  @Test func onlyPagesOfTheServersOwnSchemeMayWrite() {
    var policy = HostPolicy()
    policy.names.insert("club.example")
    for (isSecure, origin, accepted) in [
      (true, "https://club.example", true), (true, "http://club.example", false),
      (true, "HTTPS://club.example", true),
      (false, "http://club.example", true), (true, "://club.example", false),
      (false, "https://club.example", false), (false, "ftp://club.example", false),
      (false, "://club.example", false),
    ] {
      policy.isSecure = isSecure
      #expect(
        policy.acceptsWrite(headers: [.origin: origin], authority: "club.example") == accepted, "\(origin)")
    }
  }

  @Test func refusesWritesOfOtherSites() async throws {
    let server = try await TestServer()
    let library = server.library
    try await server.run { client in
      let answer = try await client.send(
        .post, "/api/albums", headers: [.origin: "http://evil.example"], body: Array(#"{"title":"x"}"#.utf8))
      #expect(answer.status == .forbidden)
      #expect(try answer.errorCode() == "forbidden")
      #expect(try await library.albums().isEmpty)
    }
  }
}

extension HTTPFields {
  func with(_ name: HTTPField.Name, _ value: String) -> HTTPFields {
    var fields = self
    fields[name] = value
    return fields
  }
}
