/// Reads pictures in this process, one at a time. For tests and tools: a decoder that crashes takes the
/// process with it. Servers use `WorkerDecoder`.
public final class InProcessDecoder: ImageDecoder {
  /// Creates a decoder.
  public init() {}

  /// Reads the picture while no other is being read.
  public func decode(_ request: DecodeRequest) async throws -> DecodedImage {
    try await blocking { try request.run() }
  }

  /// Does nothing: there is nothing to end.
  public func stop() async {}
}
