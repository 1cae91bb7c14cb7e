import CZlibShim
import Hummingbird
import HTTPTypes
import NIOCore
import Synchronization
import Testing

@testable import ContactSheet
@testable import ContactSheetLibrary

@Suite struct EventCompressionTests {
  /// The pieces that a stream sent.
  final class Received: Sendable {
    let pieces = Mutex<[[UInt8]]>([])
    var bytes: [UInt8] { pieces.withLock { $0.flatMap { $0 } } }
  }

  struct Writer: ResponseBodyWriter {
    let received: Received
    mutating func write(_ buffer: ByteBuffer) async throws {
      received.pieces.withLock { $0.append(Array(buffer.readableBytesView)) }
    }
    consuming func finish(_ trailingHeaders: HTTPFields?) async throws {}
  }

  static let events: [[UInt8]] = [
    [], [65], Array("data: 1\n\n".utf8), [UInt8](repeating: 66, count: EventParts.shortest),
    [UInt8](repeating: 67, count: EventParts.shortest + 1),
    Array("data: ".utf8) + SecretBytes.random(200_000),
    Array(String(repeating: "{\"id\":\"a\"}", count: 50_000).utf8), [0, 255, 10],
  ]

  /// The last eight bytes of what gzip made of these: their checksum and their count.
  private static func end(of bytes: [UInt8]) -> [UInt8] {
    var end: [UInt8] = []
    for number: UInt32 in [cz_crc32(0, bytes, bytes.count), UInt32(bytes.count)] {
      withUnsafeBytes(of: number.littleEndian) { end += $0 }
    }
    return end
  }

  @Test func eachEventCanBeReadAsSoonAsItHasCome() async throws {
    let (received, parts) = (Received(), EventParts())
    var writer = EventWriter(Writer(received: received), parts: parts)
    var expected: [UInt8] = []
    for event in Self.events {
      try await writer.write(event)
      expected += event
      let stream = received.bytes
      #expect(stream.prefix(4) == [0x1F, 0x8B, 8, 0])
      let (unpacked, isOver) = try Self.inflated(Array(stream.dropFirst(10)), room: expected.count + 64)
      #expect(unpacked == expected && !isOver)
    }
    try await writer.finish()
    let stream = received.bytes
    let (unpacked, isOver) = try Self.inflated(Array(stream.dropFirst(10)), room: expected.count + 64)
    #expect(unpacked == expected && isOver)
    #expect(Array(stream.suffix(8)) == Self.end(of: expected))
    #expect(stream.count < expected.count)
  }

  @Test func whatIsAReadersOwnGoesBeforeWhatIsCompressedForAll() async throws {
    let parts = EventParts()
    let event = Self.events[6]
    for name in [[], Array("event: 0\n".utf8), Array("event: 63\n".utf8)] {
      let received = Received()
      var writer = EventWriter(Writer(received: received), parts: parts)
      try await writer.write(event, after: name)
      try await writer.finish()
      let expected = name + event
      let (unpacked, isOver) = try Self.inflated(
        Array(received.bytes.dropFirst(10)), room: expected.count + 64)
      #expect(unpacked == expected && isOver)
      #expect(Array(received.bytes.suffix(8)) == Self.end(of: expected))
    }
    #expect(parts.made == 1)
  }

  @Test func aStreamWithoutEventsIsWholeToo() async throws {
    let received = Received()
    var writer = EventWriter(Writer(received: received), parts: EventParts())
    try await writer.finish()
    let (unpacked, isOver) = try Self.inflated(Array(received.bytes.dropFirst(10)), room: 1)
    #expect(unpacked.isEmpty && isOver)
    #expect(received.bytes.suffix(8).allSatisfy { $0 == 0 })
  }

  @Test func browsersWithoutGzipGetEventsAsTheyAre() async throws {
    let received = Received()
    var writer = EventWriter(Writer(received: received), parts: nil)
    for event in Self.events { try await writer.write(event) }
    try await writer.finish()
    #expect(received.bytes == Self.events.flatMap { $0 })
    // Short ones are not held up by those after them.
    #expect(received.pieces.withLock { $0.first { !$0.isEmpty } } == Self.events.first { !$0.isEmpty })
  }

  @Test func anEventIsCompressedOnceForAllReaders() async throws {
    let parts = EventParts()
    let events = (0..<3).map { number in [UInt8](repeating: UInt8(number), count: 5_000) }
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<50 {
        group.addTask {
          for event in events { _ = parts.part(of: event) }
        }
      }
    }
    #expect(parts.made == 3)
    // The same bytes at another address in memory are another event; nobody compares them.
    _ = parts.part(of: Array(events[0].reversed()))
    #expect(parts.made == 4)
    // What many others came after is made anew.
    let others = (0..<20).map { number in [UInt8](repeating: UInt8(number), count: 5_000) }
    for event in others { _ = parts.part(of: event) }
    #expect(parts.made == 24)
    let again = parts.part(of: events[0])
    #expect(parts.made == 25)
    #expect(try Self.inflated(again, room: 6_000).bytes == events[0])
  }

  /// Undoes deflate; `isOver` after the last block.
  static func inflated(_ bytes: [UInt8], room: Int) throws -> (bytes: [UInt8], isOver: Bool) {
    let inflater = try #require(cz_inflate_start())
    defer { cz_inflate_end(inflater) }
    var isOver = false
    let result = [UInt8](unsafeUninitializedCapacity: room) { target, count in
      var read = 0
      isOver = cz_inflate(inflater, bytes, bytes.count, target.baseAddress, room, &read, &count) == 1
    }
    return (result, isOver)
  }
}
