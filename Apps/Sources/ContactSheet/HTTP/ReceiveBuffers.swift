import NIOCore

/// The memory in which a connection's bytes lie from when they have come until somebody takes them.
///
/// Of each connection up to eleven pieces wait to be taken, and the network's buffers are kept for the next ones: none of that is
/// in a budget, and it is there whether its connection is owed anything or not. So pieces are small, and only photos, of which
/// few are on their way in at the same time, come in larger ones.
enum ReceiveBuffers {
  /// The most bytes of a piece.
  static let small = 2 << 10
  /// The most bytes of a piece of a photo.
  static let large = 32 << 10

  /// Keeps what comes over a connection from now on in small pieces, one at a time.
  static func keepSmall(_ channel: any Channel) {
    channel.setOption(.maxMessagesPerRead, value: 1).whenComplete { _ in }
    set(small, for: channel)
  }

  /// Lets what comes over a connection be in large pieces while `body` runs.
  static func withLarge<Result>(
    _ channel: any Channel, _ body: () async throws -> Result
  ) async throws -> Result {
    set(large, for: channel)
    defer { set(small, for: channel) }
    return try await body()
  }

  private static func set(_ size: Int, for channel: any Channel) {
    let buffers = AdaptiveRecvByteBufferAllocator(minimum: 512, initial: min(size, 2 << 10), maximum: size)
    channel.setOption(.recvAllocator, value: buffers).whenComplete { _ in }
  }
}
