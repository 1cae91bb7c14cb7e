import HTTPTypes
import Hummingbird
import NIOCore

/// Hands a body to the network in pieces, each when the one before it has arrived there.
///
/// The writer below waits while the network is full, but learns of that from the connection's event loop: where the loop has much to do,
/// a whole file would be handed over until then.
struct PacedWriter: ResponseBodyWriter {
  private var writer: any ResponseBodyWriter
  /// The connection; `nil` where it does not matter.
  private let channel: (any Channel)?

  init(_ writer: any ResponseBodyWriter, to channel: (any Channel)?) {
    self.writer = writer
    self.channel = channel
  }

  mutating func write(_ buffer: ByteBuffer) async throws {
    var rest = buffer
    while let piece = rest.readSlice(length: min(rest.readableBytes, BudgetedAnswers.piece)),
      piece.readableBytes > 0
    {
      try await writer.write(piece)
      // The event loop takes work in turn: bytes handed over before are written by the time this runs.
      try await channel?.eventLoop.submit {}.get()
    }
  }

  consuming func finish(_ trailingHeaders: HTTPFields?) async throws {
    try await writer.finish(trailingHeaders)
  }
}
