#if os(Linux)
  @testable import ContactSheetLibrary
  import Foundation
  import Testing

  @testable import ContactSheet

  /// Requests that two programs may read differently: where they end, whom they are for, and whether others follow.
  @Suite struct FramingAttackTests {
    let folder: TestFolder
    init() throws { folder = try TestFolder() }

    /// Runs a test against a server. Where an answer has no end it fails, and does not hang.
    private func run(_ body: (_ port: Int) async throws -> Void) async throws {
      let server = try Run(["serve", "--port", "0", "--data", folder.data.path])
      let guardian = Guardian(server, seconds: 120)
      try await body(try await server.url().port)
      guardian.dismiss()
      server.signal(SIGTERM)
      #expect(await server.wait() == 0, "\(server.text)")
    }

    /// Sends a text, leaves the connection open, and gives all that comes until the server closes it.
    private func answer(_ text: String, at port: Int) throws -> String {
      let connection = try RawConnection(port: port)
      try connection.send(text)
      return connection.receiveAll()
    }

    @Test func anAnswerInHTTP10EndsTheConnection() async throws {
      try await run { port in
        let host = "Host: 127.0.0.1:\(port)\r\n"
        for more in ["", "Connection: keep-alive\r\n", "Connection: Keep-Alive, TE\r\n"] {
          for (target, status) in [("/api/albums", 200), ("/nothing", 404), ("/assets/none", 404)] {
            let said = try answer("GET \(target) HTTP/1.0\r\n\(host)\(more)\r\n", at: port)
            #expect(said.hasPrefix("HTTP/1.0 \(status) "), "\(said)")
            #expect(said.lowercased().contains("\r\nconnection: close\r\n"), "\(said)")
            #expect(!said.lowercased().contains("transfer-encoding"), "\(said)")
          }
        }
        let posted = try answer(
          "POST /api/albums HTTP/1.0\r\n\(host)Content-Type: application/json\r\nContent-Length: 13\r\n\r\n{\"title\":\"B\"}",
          at: port)
        #expect(posted.hasPrefix("HTTP/1.0 201 "), "\(posted)")
        // A request that follows all the same is not answered.
        let two = String(repeating: "GET /api/albums HTTP/1.0\r\n\(host)\r\n", count: 2)
        #expect(try answer(two, at: port).components(separatedBy: " 200 OK").count == 2)
        // HTTP/1.0 has no chunks.
        let stream = try RawConnection(port: port)
        try stream.send("GET /api/albums/stream HTTP/1.0\r\n\(host)\r\n")
        var events = ""
        while !events.contains("snapshot") {
          let piece = stream.receive()
          if piece.isEmpty { break }
          events += piece
        }
        #expect(
          events.contains("\r\n\r\ndata:") || events.contains("\r\n\r\nid:") || events.contains("\r\n\r\n:"),
          "\(events)")
        #expect(!events.lowercased().contains("transfer-encoding"), "\(events)")
      }
    }

    @Test func whoAsksForTheEndOfTheConnectionGetsIt() async throws {
      try await run { port in
        for value in ["close", "Close", "TE, CLOSE"] {
          let said = try answer(
            "GET /api/albums HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nConnection: \(value)\r\n\r\n", at: port)
          #expect(said.hasPrefix("HTTP/1.1 200 "), "\(said)")
          #expect(said.lowercased().contains("\r\nconnection: close\r\n"), "\(said)")
        }
        // Nobody else does.
        let connection = try RawConnection(port: port)
        for _ in 0..<3 {
          try connection.send("GET /api/albums HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n\r\n")
          let said = connection.receive()
          #expect(
            said.hasPrefix("HTTP/1.1 200 ") && !said.lowercased().contains("connection: close"), "\(said)")
        }
        // The first answer is not the last where only the second request says so.
        let both = try answer(
          "GET /api/albums HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\nGET /nothing HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n",
          at: port)
        let parts = both.components(separatedBy: "HTTP/1.1 ")
        #expect(parts.count == 3 && parts[1].hasPrefix("200") && parts[2].hasPrefix("404"), "\(both)")
        #expect(!parts[1].lowercased().contains("connection: close"), "\(both)")
      }
    }

    @Test func theHostOfAnAbsoluteTargetCounts() async throws {
      try await run { port in
        for (target, host, status) in [
          ("http://evil.example/api/albums", "127.0.0.1", 403),
          ("http://127.0.0.1/api/albums", "127.0.0.1", 200),
          ("http://127.0.0.1:\(port)/api/albums", "evil.example", 200),
          ("HTTP://LOCALHOST/api/albums", "x", 200),
          ("http://127.0.0.1@evil.example/api/albums", "127.0.0.1", 403),
          ("http:///api/albums", "127.0.0.1", 400),
          ("http://127.0.0.1?x", "127.0.0.1", 303), ("ftp://127.0.0.1/api/albums", "127.0.0.1", 400),
          ("http://evil.example\\@127.0.0.1/api/albums", "127.0.0.1", 403),
        ] {
          let said = try answer(
            "GET \(target) HTTP/1.1\r\nHost: \(host)\r\nConnection: close\r\n\r\n", at: port)
          #expect(
            said.hasPrefix("HTTP/1.1 \(status) ") || status != 200 && said.hasPrefix("HTTP/1.1 4")
              || status == 303 && said.hasPrefix("HTTP/1.1 3"), "\(target): \(said.prefix(200))")
        }
        let several = try answer(
          "GET http://127.0.0.1/api/albums HTTP/1.1\r\nHost: 127.0.0.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n",
          at: port)
        #expect(several.hasPrefix("HTTP/1.1 403 "), "\(several)")
      }
    }

    @Test func noTransferCodingButChunkedIsTaken() async throws {
      try await run { port in
        let body = "d\r\n{\"title\":\"B\"}\r\n0\r\n\r\n"
        func post(_ codings: String, _ version: String = "1.1") throws -> String {
          try answer(
            "POST /api/albums HTTP/\(version)\r\nHost: 127.0.0.1:\(port)\r\nContent-Type: application/json\r\n\(codings)\r\n\(body)",
            at: port)
        }
        for codings in [
          "Transfer-Encoding: gzip, chunked\r\n", "Transfer-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n",
          "Transfer-Encoding: gzip\r\n", "Transfer-Encoding: identity\r\n",
          "Transfer-Encoding: chunked, chunked\r\n",
          "Transfer-Encoding: chunked\r\nContent-Length: \(body.utf8.count)\r\n",
          "Transfer-Encoding: chunked;x=1\r\n",
          "Transfer-Encoding:\r\n", "Transfer-Encoding: x\u{b}chunked\r\n",
        ] {
          let said = try post(codings)
          #expect(said.hasPrefix("HTTP/1.1 400 "), "\(codings): \(said)")
          #expect(said.lowercased().contains("\r\nconnection: close\r\n"), "\(codings): \(said)")
        }
        let old = try post("Transfer-Encoding: chunked\r\n", "1.0")
        #expect(old.hasPrefix("HTTP/1.1 400 "), "\(old)")
        for right in ["Chunked", "chunked"] {
          let said = try post("Transfer-Encoding: \(right)\r\nConnection: close\r\n")
          #expect(said.hasPrefix("HTTP/1.1 201 "), "\(said)")
        }
      }
    }

    @Test(arguments: ["extension", "trailer"])
    func whatIsInABodyAndNoneOfItHasALimit(_ what: String) async throws {
      try await run { port in
        func post(_ junk: Int) throws -> String {
          let more = String(repeating: "x", count: junk)
          let body =
            what == "extension"
            ? "d;\(more)\r\n{\"title\":\"B\"}\r\n0\r\n\r\n"
            : "d\r\n{\"title\":\"B\"}\r\n0\r\nX: \(more)\r\n\r\n"
          return try answer(
            "POST /api/albums HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nContent-Type: application/json\r\n"
              + "Transfer-Encoding: chunked\r\nConnection: close\r\n\r\n\(body)", at: port)
        }
        #expect(try post(100).hasPrefix("HTTP/1.1 201 "))
        let said = (try? post(400_000)) ?? ""
        #expect(said.isEmpty || said.hasPrefix("HTTP/1.1 400 "), "\(said)")
        // A body of very many chunks is all body.
        let letters = (0..<20_000).map { _ in "1\r\nx\r\n" }.joined()
        let many = try answer(
          "POST /api/albums HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nContent-Type: application/json\r\n"
            + "Transfer-Encoding: chunked\r\nConnection: close\r\n\r\na\r\n{\"title\":\"\r\n\(letters)2\r\n\"}\r\n0\r\n\r\n",
          at: port)
        #expect(many.contains("The title is too long: it has 20000 bytes"), "\(many)")
      }
    }
  }
#endif
