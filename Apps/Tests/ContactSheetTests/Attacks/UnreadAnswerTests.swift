import AsyncAlgorithms
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import Synchronization
import Testing

@testable import ContactSheet
@testable import ContactSheetLibrary

/// Attacks by readers who do not read: what waits for them is bounded. `Tests/Attacks/unread.py` plays them with sockets.
@Suite struct UnreadAnswerTests {
  /// Notes how much it was given at once, and takes nothing after `count` pieces until it is let.
  private final class Reader: Sendable {
    let pieces = Mutex<[Int]>([])
    let isFinished = Mutex(false)
    let allowed = AsyncChannel<Void>()
  }

  private struct SlowWriter: ResponseBodyWriter {
    let reader: Reader

    mutating func write(_ buffer: ByteBuffer) async throws {
      reader.pieces.withLock { $0.append(buffer.readableBytes) }
      for await _ in reader.allowed { return }
    }

    consuming func finish(_ trailingHeaders: HTTPFields?) async throws {
      reader.isFinished.withLock { $0 = true }
    }
  }

  @Test func ofAFileNoMoreIsReadThanTheNetworkTakes() async throws {
    let folder = try TestFolder()
    let path = folder.path + "/file"
    try TestPictures.put((0..<1_000_000).map { UInt8(truncatingIfNeeded: $0) }, at: path)
    let reader = Reader()
    async let written: Void = ResponseBody.file(path, 10..<900_000).write(SlowWriter(reader: reader))
    for number in 1...14 {
      await reader.allowed.send(())
      #expect(reader.pieces.withLock { $0.count } <= number + 1)
    }
    try await written
    let pieces = reader.pieces.withLock { $0 }
    #expect(pieces.reduce(0, +) == 899_990 && pieces.allSatisfy { $0 <= 64 << 10 })
    #expect(reader.isFinished.withLock { $0 })
  }

  private final class Sink: Sendable {
    let bytes = Mutex<[UInt8]>([])
    let longest = Mutex(0)
  }

  private struct SinkWriter: ResponseBodyWriter {
    let sink: Sink

    mutating func write(_ buffer: ByteBuffer) async throws {
      sink.bytes.withLock { $0 += buffer.readableBytesView }
      sink.longest.withLock { $0 = max($0, buffer.readableBytes) }
    }

    consuming func finish(_ trailingHeaders: HTTPFields?) async throws {}
  }

  @Test(arguments: [false, true])
  func anEventGoesOutInPiecesAndWhole(isCompressed: Bool) async throws {
    let sink = Sink()
    var writer = EventWriter(SinkWriter(sink: sink), parts: isCompressed ? EventParts() : nil)
    var dice = SeededGenerator(seed: 5)
    let event = (0..<300_000).map { _ in UInt8.random(in: .min ... .max, using: &dice) }
    let name = Array("event: 1\n".utf8)
    try await writer.write(event, after: name)
    try await writer.write([], after: name)
    try await writer.finish()
    let sent = sink.bytes.withLock { $0 }
    if isCompressed { #expect(sent.count > 300_000) } else { #expect(sent == name + event + name) }
    #expect(sink.longest.withLock { $0 } <= 65 << 10)
  }

  @Test func theListsOfAStreamBeginOneAfterTheOther() async throws {
    let turns = EventTurns(budget: MemoryBudget(limit: 64 << 20), owner: "a")
    var first: EventHold? = try await turns.next()
    let second = Task { try await turns.next() }
    while await turns.waiterCount == 0 { await Task.yield() }
    #expect(first != nil)
    first = nil
    _ = try await second.value
  }

  @Test func memoryOfAnAnswerThatIsDroppedComesBack() async throws {
    let budget = MemoryBudget(limit: 100)
    var share: AnswerShare? = try await budget.share(50, for: "a")
    // An answer may take more memory than was estimated; then the next one waits.
    try await share?.resize(to: 90)
    let next = Task { try await budget.share(40, for: "b") }
    while await budget.waiterCount == 0 { await Task.yield() }
    share = nil
    _ = try await next.value
    #expect(share == nil)
  }

  /// A program that keeps the connection takes the bytes of a body for the start of the next answer.
  @Test func headNeverHasABody() async throws {
    let server = try await TestServer()
    let album = try await server.library.createAlbum("A")
    let addresses = [
      "/nothing", "/api/albums/x", "/api/albums", "/albums/\(album.id.wireText)", "/originals/0",
      "/api/streams", "/assets/no",
      "/api/albums/\(UUID().wireText)/export",
    ]
    try await server.run { client in
      for address in addresses {
        let answer = try await client.send(.head, address)
        #expect(answer.body.readableBytes == 0, "\(address)")
        #expect(
          try await client.send(.get, address).status == answer.status || address == "/api/streams",
          "\(address)")
      }
    }
    let closed = try await TestServer()
    try await closed.run(access: try AccessTests.protected(closed)) { client in
      for address in addresses {
        let answer = try await client.send(.head, address)
        #expect(answer.status.code >= 300 && answer.body.readableBytes == 0, "\(address)")
      }
    }
  }

  @Test func aBodyThatIsEncodedIsRefused() async throws {
    let server = try await TestServer()
    try await server.run { client in
      for (coding, status) in [("gzip", .unsupportedMediaType), ("identity", .created)]
        as [(String, HTTPResponse.Status)]
      {
        let answer = try await client.send(
          .post, "/api/albums", headers: [.contentType: "application/json", .contentEncoding: coding],
          body: Array(#"{"title": "A"}"#.utf8))
        #expect(answer.status == status, "\(coding): \(answer.text)")
      }
    }
  }

  /// Searches are as many as somebody likes, and each list takes memory.
  @Test func thereAreNoMoreListsThanThereMayBe() async throws {
    let folder = try TestFolder()
    let library = try await folder.library()
    let album = try await library.createAlbum("A").id
    let lists = SharedLists(library, capacity: 2)
    let keys = ["a", "b", "c"].map { SharedLists.Key.search(album, [$0]) }
    for key in keys[..<2] { _ = try await lists.enter(key) }
    #expect(await code { try await lists.enter(keys[2]) } == .busy)
    _ = try await lists.enter(keys[0])
    await lists.leave(keys[1])
    _ = try await lists.enter(keys[2])
    #expect(await lists.count == 2)
    await library.close()
  }
}
