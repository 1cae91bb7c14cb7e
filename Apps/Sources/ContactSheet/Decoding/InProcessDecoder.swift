/// Reads pictures in this process, one at a time. For tests and tools: a decoder that crashes takes the
/// process with it. Servers use `WorkerDecoder`.
package final class InProcessDecoder: ImageDecoder {
  /// Creates a decoder.
  package init() {}

  /// Reads the picture while no other is being read.
  package func decode(_ request: DecodeRequest) async throws -> DecodedImage {
    try await blocking { try request.run() }
  }

  /// Does nothing: there is nothing to end.
  package func stop() async {}
}
