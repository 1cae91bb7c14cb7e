import CZlibShim
import Hummingbird
import NIOCore

/// Writes the events of one stream, as gzip where the browser takes it.
struct EventWriter {
  private var writer: any ResponseBodyWriter
  /// The compressor of events; `nil` for a browser that takes them as they are.
  private let parts: EventParts?
  private var hasBegun = false
  private var checksum: UInt32 = 0
  private var length: UInt32 = 0

  init(_ writer: any ResponseBodyWriter, parts: EventParts?) {
    self.writer = writer
    self.parts = parts
  }

  /// Writes an event, which begins with lines that are this reader's own: those are not part of what is compressed
  /// once for all.
  mutating func write(_ event: [UInt8], after own: [UInt8] = []) async throws {
    var buffer = ByteBuffer()
    guard let parts else {
      buffer.writeBytes(own)
      return try await send(buffer, event)
    }
    let part = parts.part(of: event)
    begin(&buffer)
    if !own.isEmpty { buffer.writeBytes(EventParts.stored(own)) }
    for bytes in [own, event] {
      checksum = cz_crc32(checksum, bytes, bytes.count)
      length &+= UInt32(truncatingIfNeeded: bytes.count)
    }
    try await send(buffer, part)
  }

  /// Sends a beginning and bytes in pieces, each copied when the network has taken the one before: the bytes are the same memory
  /// for all readers, and a copy of a whole list for each would be much.
  private mutating func send(_ start: ByteBuffer, _ bytes: [UInt8]) async throws {
    var buffer = start
    var rest = bytes[...]
    repeat {
      let piece = rest.prefix(BudgetedAnswers.piece)
      buffer.reserveCapacity(buffer.readableBytes + piece.count)
      buffer.writeBytes(piece)
      try await writer.write(buffer)
      rest = rest.dropFirst(piece.count)
      buffer = ByteBuffer()
    } while !rest.isEmpty
  }

  /// Ends the stream, so that readers know it whole.
  mutating func finish() async throws {
    if parts != nil {
      var buffer = ByteBuffer()
      begin(&buffer)
      buffer.writeBytes(Self.lastBlock)
      buffer.writeInteger(checksum, endianness: .little)
      buffer.writeInteger(length, endianness: .little)
      try await writer.write(buffer)
    }
    try await writer.finish(nil)
  }

  private mutating func begin(_ buffer: inout ByteBuffer) {
    if !hasBegun { buffer.writeBytes(Self.head) }
    hasBegun = true
  }

  /// Gzip, deflate, no name, no time, of an unknown system.
  private static let head: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 0xFF]
  /// A block that is the last and has nothing in it.
  private static let lastBlock: [UInt8] = [1, 0, 0, 0xFF, 0xFF]
}
