import Foundation
import HTTPTypes
import Hummingbird
import Logging
import Synchronization
import Testing

@testable import ContactSheet
@testable import ContactSheetLibrary

@Suite struct AccessTests {
  static let password = "correct horse battery"

  /// A server with a password whose hash is cheap enough for a test.
  static func protected(_ server: TestServer) throws -> Access {
    try setPassword(password, of: server.folder.data)
    // Time stands still, so that no wait is over before it is looked at.
    return try Access(server.folder.data, logger: .quiet, elapsed: { .zero })
  }

  static func setPassword(_ password: String, of folder: DataFolder) throws {
    try folder.prepare()
    let hash = try PasswordHash(of: password, cost: PasswordHashTests.cheap)
    try AccessFile(folder: folder).write(
      AccessFile.Credentials(password: hash.text, deviceKey: SecretBytes.encoded(SecretBytes.random(32))))
  }

  private static func form(_ password: String, next: String = "") -> String {
    "password=\(PercentEncoding.encoded(password))&next=\(PercentEncoding.encoded(next))"
  }

  private func cookies(_ answer: RouteAnswer) -> HTTPFields {
    let names = ["contact-sheet", "contact-sheet-device"]
    let pairs = names.compactMap { name in answer.cookie(name).map { "\(name)=\($0.value)" } }
    return [.cookie: pairs.joined(separator: "; ")]
  }

  @Test func everyRouteButTheLoginAndItsFilesIsClosed() async throws {
    let server = try await TestServer()
    let access = try Self.protected(server)
    let album = try await server.library.createAlbum("Secret title")
    let router = try WebServer(
      library: server.library, options: .init(), access: access, logger: .quiet
    ).router()
    let routes = router.routes.map { ($0.method, $0.path.description) }
    #expect(routes.count > 25)
    try await server.run(access: access) { client in
      for (method, path) in routes where path != "/login" {
        var address = path.replacingOccurrences(of: "{album}", with: album.id.wireText)
        address = address.replacingOccurrences(of: "{photo}", with: UUID().wireText)
        address = address.replacingOccurrences(of: "{hash}", with: String(repeating: "0", count: 64))
        address = address.replacingOccurrences(of: "**", with: "album.js")
        let answer = try await client.send(method, address, headers: [.secFetchSite: "same-origin"])
        if address == "/favicon.ico" { continue }
        #expect(answer.status == .unauthorized, "\(method) \(address)")
        #expect(try answer.errorCode() == "loginNeeded", "\(method) \(address)")
        #expect(!answer.text.contains("Secret title"))
      }
      for path in [
        "/login", "/assets/login.css", "/assets/login.js", "/assets/icon.svg", "/assets/icon-192.png",
        "/assets/manifest.webmanifest",
      ] {
        #expect(try await client.send(.get, path).status == .ok, "\(path)")
      }
      // What looks like an open path and is not.
      for path in ["/assets/album.js", "/assets/login.css/../album.js", "//login", "/login/x", "/LOGIN"] {
        #expect(try await client.send(.get, path).status != .ok, "\(path)")
      }
    }
  }

  @Test func leadsPeopleToTheLoginAndBack() async throws {
    let server = try await TestServer()
    let access = try Self.protected(server)
    let album = try await server.library.createAlbum("A")
    try await server.run(access: access) { client in
      let path = "/albums/\(album.id.wireText)?page=2"
      let led = try await client.send(.get, path, headers: [.accept: "text/html"])
      #expect(led.status == .seeOther)
      let login = try #require(led.headers[.location])
      let page = try await client.send(.get, login)
      #expect(page.text.contains("value=\"\(path)\""))
      // No more of a script than what leads on when somebody has logged in in another tab.
      #expect(
        page.text.components(separatedBy: "<script").count == 2 && page.text.contains("/login.js\"></script>")
      )
      #expect(page.headers[.cacheControl] == "no-store")

      let wrong = try await client.send("/login", form: Self.form("wrong password", next: path))
      #expect(wrong.status == .unauthorized)
      #expect(wrong.text.contains("not the password"))
      #expect(wrong.cookie("contact-sheet") == nil)

      let entered = try await client.send("/login", form: Self.form(Self.password, next: path))
      #expect(entered.status == .seeOther)
      #expect(entered.headers[.location] == path)
      let cookie = try #require(entered.cookie("contact-sheet"))
      #expect(cookie.properties.contains("HttpOnly") && cookie.properties.contains("SameSite=Lax"))
      #expect(!cookie.properties.contains("Secure"))
      let headers: HTTPFields = [.cookie: "other=1; contact-sheet=\(cookie.value)"]
      #expect(try await client.send(.get, path, headers: headers).status == .ok)
      #expect(try await client.send(.get, "/login", headers: headers).status == .seeOther)

      let left = try await client.send(
        .post, "/logout", headers: [.cookie: headers[.cookie] ?? "", .secFetchSite: "same-origin"])
      #expect(left.status == .seeOther)
      #expect(left.cookie("contact-sheet")?.properties.contains("Max-Age=0") == true)
      #expect(try await client.send(.get, "/api/albums", headers: headers).status == .unauthorized)
    }
  }

  @Test func byHTTPSTheCookieTravelsOnlySo() async throws {
    let server = try await TestServer()
    let access = try Self.protected(server)
    var options = WebServer.Options()
    options.isBehindHTTPS = true
    try await server.run(options, access: access) { client in
      let entered = try await client.send("/login", form: Self.form(Self.password))
      let cookie = try #require(entered.cookie("__Host-contact-sheet"))
      #expect(cookie.properties.contains("Secure") && cookie.properties.contains("Path=/"))
    }
  }

  @Test(arguments: [
    ("//evil.example", "/"), ("https://evil.example", "/"), ("/\\evil.example", "/"), ("", "/"),
    ("/albums/x?page=2", "/albums/x?page=2"), ("/login?next=/login", "/"), ("/a\nb", "/"), ("/ü", "/"),
    ("/../other", "/"), ("/albums/%2E%2e/../other", "/"), ("/.%2e/other?x", "/"),
    ("/a?next=/../b", "/a?next=/../b"),
    ("/a..b/...", "/a..b/..."),
  ])
  func leadsNowhereElse(_ next: String, _ path: String) {
    #expect(AccessRoutes.path(next) == path)
  }

  @Test func formsOfOtherSitesAndOfNobodyAreRefused() async throws {
    let server = try await TestServer()
    let access = try Self.protected(server)
    try await server.run(access: access) { client in
      for headers in [[.origin: "http://evil.example"], [.secFetchSite: "cross-site"], [:]] as [HTTPFields] {
        let answer = try await client.send("/login", form: Self.form(Self.password), headers: headers)
        #expect(answer.status == .forbidden)
        #expect(answer.cookie("contact-sheet") == nil)
      }
    }
  }

  @Test func slowsDownGuessesButNotABrowserThatIsKnown() async throws {
    let server = try await TestServer()
    let access = try Self.protected(server)
    try await server.run(access: access) { client in
      let entered = try await client.send("/login", form: Self.form(Self.password))
      let device = try #require(entered.cookie("contact-sheet-device"))
      for _ in 0..<LoginThrottle.freeTries {
        #expect(try await client.send("/login", form: Self.form("a wrong guess")).status == .unauthorized)
      }
      let slowed = try await client.send("/login", form: Self.form(Self.password))
      #expect(slowed.status == .tooManyRequests)
      #expect(slowed.headers[.retryAfter] == "1")
      #expect(slowed.text.contains("Wait a second"))
      var known: HTTPFields = [.secFetchSite: "same-origin", .cookie: "contact-sheet-device=\(device.value)"]
      #expect(
        try await client.send("/login", form: Self.form(Self.password), headers: known).status == .seeOther)
      known[.cookie] = "contact-sheet-device=\(device.value.dropLast())x"
      #expect(
        try await client.send("/login", form: Self.form(Self.password), headers: known).status
          == .tooManyRequests)
    }
  }

  @Test func staysLoggedInOverARestartUntilThePasswordChanges() async throws {
    let folder = try TestFolder()
    try Self.setPassword(Self.password, of: folder.data)
    let first = try Access(folder.data, logger: .quiet)
    guard case .accepted(let token, _) = try await first.logIn(Self.password, from: "x", device: nil) else {
      Issue.record("the password was refused")
      return
    }
    let second = try Access(folder.data, logger: .quiet)
    #expect(second.standing(of: token) == .valid)
    let stored = try String(contentsOfFile: folder.data.sessions, encoding: .utf8)
    #expect(!stored.contains(token))
    try Self.setPassword("another password", of: folder.data)
    #expect(second.standing(of: token) == .none)
    #expect(try Access(folder.data, logger: .quiet).standing(of: token) == .none)
    guard case .wrong = try await second.logIn(Self.password, from: "x", device: nil) else {
      Issue.record("the old password was taken")
      return
    }
    try Access.removePassword(of: folder.data)
    guard case .wrong = try await second.logIn("another password", from: "x", device: nil) else {
      Issue.record("a password that was removed was taken")
      return
    }
  }

  @Test func endsAfterAMonthWithoutAVisit() async throws {
    let folder = try TestFolder()
    try Self.setPassword(Self.password, of: folder.data)
    let clock = Mutex(Date(timeIntervalSince1970: 1_700_000_000))
    let access = try Access(folder.data, logger: .quiet, now: { clock.withLock { $0 } }, elapsed: { .zero })
    guard case .accepted(let token, _) = try await access.logIn(Self.password, from: "x", device: nil) else {
      Issue.record("the password was refused")
      return
    }
    #expect(access.standing(of: token) == .valid)
    clock.withLock { $0 += 20 * 86_400 }
    #expect(access.standing(of: token) == .renewed)
    #expect(access.standing(of: token) == .valid)
    clock.withLock { $0 += 29 * 86_400 }
    #expect(access.standing(of: token) == .renewed)
    clock.withLock { $0 += 31 * 86_400 }
    #expect(access.standing(of: token) == .none)
  }

  @Test func itsFilesAreForTheOwnerAlone() async throws {
    let folder = try TestFolder()
    try Self.setPassword(Self.password, of: folder.data)
    let access = try Access(folder.data, logger: .quiet)
    _ = try await access.logIn(Self.password, from: "x", device: nil)
    try access.admitCommands()
    for path in [folder.data.credentials, folder.data.sessions, folder.data.token] {
      let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
      #expect(mode == 0o600, "\(path)")
    }
    access.dismissCommands()
    #expect(Files.size(folder.data.token) == nil)
  }

  @Test func aDamagedFileLetsNobodyIn() async throws {
    let folder = try TestFolder()
    try Self.setPassword(Self.password, of: folder.data)
    let access = try Access(folder.data, logger: .quiet)
    try TestPictures.put(Array("{}".utf8), at: folder.data.credentials)
    guard case .wrong = try await access.logIn(Self.password, from: "x", device: nil) else {
      Issue.record("somebody got in")
      return
    }
    #expect(throws: ContactSheetError.self) { try Access(folder.data, logger: .quiet) }
  }

  @Test(arguments: [
    ("192.0.2.7", "192.0.2.7"), ("::ffff:192.0.2.7", "192.0.2.7"),
    ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
    ("2001:db8::1", "2001:db8:0:0::/64"), ("::1", "0:0:0:0::/64"),
  ])
  func countsAnIPv6CustomerOnce(_ address: String, _ name: String) throws {
    #expect(WebContext.name(of: try .init(ipAddress: address, port: 1)) == name)
  }
}
