import Foundation
import NIOCore
import NIOPosix
import Testing

@testable import ContactSheetLibrary

/// Bodies of which far more is announced than any request has: they are refused at once, and nothing is waited for.
@Suite struct LengthAttackTests {
  let folder: TestFolder
  init() throws { folder = try TestFolder() }

  private static let maximumLength = "9223372036854775807"

  /// Sends the beginning of a request and gives all that comes until the server closes its side; ours stays open.
  private func answer(_ head: [String], _ body: String = "{", at server: (host: String, port: Int))
    async throws -> String
  {
    let wire = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .channelOption(.allowRemoteHalfClosure, value: true)
      .connect(host: server.host, port: server.port) { channel in
        channel.eventLoop.makeCompletedFuture {
          try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
        }
      }
    let text = (head + ["Host: 127.0.0.1", "", body]).joined(separator: "\r\n")
    return try await wire.executeThenClose { inbound, outbound in
      try await outbound.write(ByteBuffer(string: text))
      var answer = ""
      for try await piece in inbound { answer += String(buffer: piece) }
      return answer
    }
  }

  private func run(
    _ arguments: [String] = [], _ body: ((host: String, port: Int)) async throws -> Void
  ) async throws {
    let server = try Run(["serve", "--port", "0", "--data", folder.data.path] + arguments)
    // A request that is not refused by its length waits for its body, and gets another answer.
    let guardian = Guardian(server)
    try await body(try await server.url())
    guardian.dismiss()
    server.signal(SIGTERM)
    #expect(await server.wait() == 0, "\(server.text)")
  }

  @Test func anAbsurdLengthIsRefusedWhoeverAnnouncesIt() async throws {
    try await run { server in
      for length in [Self.maximumLength, "\(8 << 20 + 1)", "99999999999"] {
        let said = try await answer(
          ["POST /api/albums HTTP/1.1", "Content-Type: application/json", "Content-Length: \(length)"],
          at: server)
        #expect(
          said.hasPrefix("HTTP/1.1 413 ") && said.contains("The request is too long."), "\(length): \(said)")
        #expect(said.lowercased().contains("connection: close"), "\(said)")
      }
      let photo = try await answer(
        ["POST /api/albums/\(UUID().wireText)/photos HTTP/1.1", "Content-Length: \(Self.maximumLength)"],
        at: server
      )
      #expect(photo.hasPrefix("HTTP/1.1 413 ") && photo.contains("larger than the limit"), "\(photo)")
      for (target, status) in [("GET /api/albums", 200), ("POST /nothing", 413), ("GET /nothing", 404)] {
        let said = try await answer(
          ["\(target) HTTP/1.1", "Content-Length: \(Self.maximumLength)"], at: server)
        #expect(said.hasPrefix("HTTP/1.1 \(status) "), "\(target): \(said)")
        #expect(said.lowercased().contains("connection: close"), "\(target): \(said)")
      }
      // What is no number at all is no HTTP.
      for length in ["9223372036854775808", "18446744073709551616", "-1", "1e9"] {
        let said = try await answer(["POST /api/albums HTTP/1.1", "Content-Length: \(length)"], at: server)
        #expect(said.isEmpty || said.hasPrefix("HTTP/1.1 4"), "\(length): \(said)")
      }
    }
  }

  @Test func strangersAreNotWaitedForEither() async throws {
    try AccessTests.setPassword("correct horse", of: folder.data)
    try await run { server in
      for (target, status) in [("POST /api/albums", 401), ("POST /login", 413), ("GET /login", 200)] {
        let said = try await answer(
          ["\(target) HTTP/1.1", "Content-Length: \(Self.maximumLength)"], at: server)
        #expect(said.hasPrefix("HTTP/1.1 \(status) "), "\(target): \(said)")
      }
    }
  }

  /// A browser reads no answer before it has sent a photo; then it goes on with the connection.
  @Test func aBodyOfAnyRealSizeIsDroppedAndTheConnectionGoesOn() async throws {
    try await run { server in
      let size = 1 << 20
      let rest =
        String(repeating: "x", count: size) + "GET /api/albums HTTP/1.1\r\nHost: 127.0.0.1\r\n"
        + "Content-Length: \(Self.maximumLength)\r\n\r\n"
      let said = try await answer(
        ["POST /api/albums/\(UUID().wireText)/photos HTTP/1.1", "Content-Length: \(size)"], rest, at: server)
      #expect(said.hasPrefix("HTTP/1.1 404 ") && said.contains("HTTP/1.1 200 "), "\(said)")
    }
  }
}
