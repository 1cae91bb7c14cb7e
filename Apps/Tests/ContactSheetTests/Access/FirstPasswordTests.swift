#if os(Linux)
  @testable import ContactSheetLibrary
  import Foundation
  import Testing

  @testable import ContactSheet

  /// A password that is set, changed or removed beside a running server counts at once, also for what is under way.
  @Suite struct FirstPasswordTests {
    let folder: TestFolder
    init() throws { folder = try TestFolder() }

    private static let password = "correct horse"
    private let page = ["Accept: text/html"]

    private func setPassword(_ password: String = password) throws {
      try AccessTests.setPassword(password, of: folder.data)
    }

    private func logIn(_ server: RunningProgram, _ password: String = password) throws -> [String] {
      let form = "password=\(PercentEncoding.encoded(password))"
      let connection = try RawConnection(port: server.port)
      try connection.send(
        server.head(
          "POST", "/login",
          [
            "Content-Type: application/x-www-form-urlencoded", "Sec-Fetch-Site: same-origin",
            "Connection: close",
          ],
          length: form.utf8.count) + form)
      let answer = connection.receiveAll()
      let cookie = try #require(answer.firstMatch(of: /contact-sheet=[^;]+/), "\(answer)")
      return ["Cookie: \(cookie.output)"]
    }

    @Test func theFirstPasswordCountsAtOnceAtARunningServer() async throws {
      let server = try await RunningProgram(folder)
      #expect(try server.status("GET", "/api/albums") == 200)
      #expect(try server.ask("GET", "/login").contains("303 "), "there is nothing to log in to")
      let path = try #require(try server.ask("GET", "/").firstMatch(of: /ocation: (\S+)/)).output.1
      #expect(try !server.ask("GET", String(path), page).contains("logout"))
      try setPassword()
      #expect(try server.status("GET", "/api/albums") == 401)
      #expect(try server.ask("GET", "/", page).contains("/login"))
      let cookie = try logIn(server)
      #expect(try server.status("GET", "/api/albums", cookie) == 200)
      #expect(try server.ask("GET", String(path), page + cookie).contains("logout"))
      // Commands of the folder's owner need none.
      let picture = try TestPictures.write(to: folder.path + "/a.jpg")
      let done = try await folder.run("import", picture)
      #expect(done.status == 0 && done.text.contains("Imported 1 photo"), "\(done.text)")
      // Another one ends the sessions of the first.
      try setPassword("another password")
      #expect(try server.status("GET", "/api/albums", cookie) == 401)
      await server.stop()
    }

    @Test(arguments: [[], ["Accept-Encoding: gzip"]])
    func streamsThatAreOpenEndAndTellNothingMore(_ headers: [String]) async throws {
      let server = try await RunningProgram(folder)
      let streams = try ["/api/albums/stream", "/api/streams?list=/api/albums/stream"].map {
        try server.begin("GET", $0, headers)
      }
      for stream in streams { #expect(stream.receive().hasPrefix("HTTP/1.1 200 ")) }
      try setPassword()
      let picture = try TestPictures.write(to: folder.path + "/a.jpg")
      #expect(try await folder.run("import", picture, "--album", "Secret").status == 0)
      for stream in streams { #expect(!stream.receiveAll().contains("Secret")) }
      await server.stop()
    }

    /// A body counts only if whoever sent it is still logged in when it has come.
    @Test(arguments: [false, true])
    func whatWasBegunBeforeAChangeIsNotDoneAfterIt(hasPassword: Bool) async throws {
      if hasPassword { try setPassword("first password") }
      let server = try await RunningProgram(folder)
      let cookie = hasPassword ? try logIn(server, "first password") : []
      let found = try server.ask("GET", "/", cookie).firstMatch(of: /albums\/([0-9a-f-]+)/)
      let album = try #require(found).output.1
      let picture = try TestPictures.bytes(try TestPictures.write(to: folder.path + "/a.jpg"))
      // As text it keeps no byte of a picture above 127, but an upload without a byte of the rest is no picture either way.
      let upload = try RawConnection(port: server.port)
      try upload.send(
        server.head(
          "POST", "/api/albums/\(album)/photos?name=a.jpg", cookie + ["Connection: close"],
          length: picture.count))
      try upload.send(bytes: picture.prefix(1000))
      let title = try RawConnection(port: server.port)
      try title.send(
        server.head(
          "POST", "/api/albums", cookie + ["Content-Type: application/json", "Connection: close"], length: 13)
          + "{\"title")
      // Both are under way when another request has been answered and an incoming file is there.
      while folder.files(in: "incoming").isEmpty { await Task.yield() }
      try setPassword()
      try upload.send(bytes: picture.dropFirst(1000))
      try title.send("\":\"B\"}")
      for answer in [upload.receiveAll(), title.receiveAll()] {
        #expect(answer.hasPrefix("HTTP/1.1 401 "), "\(answer)")
      }
      #expect(folder.files(in: "incoming").isEmpty && folder.files(in: "originals").isEmpty)
      let albums = try server.ask("GET", "/api/albums", try logIn(server))
      #expect(!albums.contains("\"B\"") && !albums.contains("\"count\":1"), "\(albums)")
      await server.stop()
    }

    @Test func aDownloadThatIsUnderWayEnds() async throws {
      let photo = try await folder.makeLargeOriginal()
      let server = try await RunningProgram(folder)
      let downloads = try ["/originals/\(photo.contentHash)", "/api/albums/\(photo.albumID.wireText)/export"]
        .map {
          try server.begin("GET", $0)
        }
      for download in downloads { #expect(download.receive().hasPrefix("HTTP/1.1 200 ")) }
      try setPassword()
      for download in downloads { #expect(download.receiveAll().utf8.count < 40 << 20) }
      await server.stop()
    }

    @Test func aPasswordThatIsRemovedIsNotAskedForAnyMore() async throws {
      try setPassword()
      let server = try await RunningProgram(folder)
      #expect(try server.status("GET", "/api/albums") == 401)
      #expect(try await folder.run("password", "--remove").status == 0)
      #expect(try server.status("GET", "/api/albums") == 200)
      try setPassword()
      #expect(try server.status("GET", "/api/albums") == 401)
      // A data folder that was moved away has no password at its path, and was not removed.
      try FileManager.default.moveItem(atPath: folder.data.path, toPath: folder.path + "/moved")
      #expect(try server.status("GET", "/api/albums") == 401)
      try Files.makeFolder(folder.data.path)
      #expect(try server.status("GET", "/api/albums") == 401)
      await server.stop()
    }

    @Test func aServerThatNeedsAPasswordLetsNobodyInWithoutOne() async throws {
      try setPassword()
      let server = try await RunningProgram(folder, "--with-password")
      #expect(try await folder.run("password", "--remove").status == 0)
      #expect(try server.status("GET", "/api/albums") == 401)
      await server.stop()
      let open = try await RunningProgram(folder, "--without-password")
      try setPassword()
      #expect(try open.status("GET", "/api/albums") == 200)
      await open.stop()
    }
  }
#endif
