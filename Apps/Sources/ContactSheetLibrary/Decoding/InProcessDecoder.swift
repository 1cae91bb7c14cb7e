/// Reads pictures in this process, one at a time. For tests and tools: a decoder that crashes takes the
/// process with it. Servers use `WorkerDecoder`.
package final class InProcessDecoder: ImageDecoder {
  /// Creates a decoder.
  package init() {}

  /// Reads the picture while no other is being read.
  package func decode(_ request: DecodeRequest) async throws -> DecodedImage {
    try await blocking { try request.run() }
  }

  /// Reads the header while no picture is being read.
  package func header(_ request: DecodeRequest) async throws -> ImageHeader {
    try await blocking { try request.readHeader() }
  }

  /// Does nothing: there is nothing to end.
  package func stop() async {}
}
