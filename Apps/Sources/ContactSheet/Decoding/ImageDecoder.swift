/// Reads one picture and writes a small one of it.
package struct DecodeRequest: Sendable, Hashable, Codable {
  /// The picture's file.
  package var source: String
  /// The JPEG file to write; what is there is replaced.
  package var target: String
  /// The name by which messages call the picture.
  package var name: String
  /// The side of the square that the small picture fits into, in pixels.
  package var box: Int
  /// How many pixels a picture may have.
  package var pixelLimit: Int

  /// Creates a request.
  package init(source: String, target: String, name: String, box: Int, pixelLimit: Int) {
    self.source = source
    self.target = target
    self.name = name
    self.box = box
    self.pixelLimit = pixelLimit
  }
}

/// Whatever reads pictures: the library in this process, or worker processes around it.
package protocol ImageDecoder: Sendable {
  /// Reads the header, refuses what is too large, decodes, and writes the small picture.
  ///
  /// - Throws: A `ContactSheetError` that names the picture.
  func decode(_ request: DecodeRequest) async throws -> DecodedImage

  /// Ends what the decoder keeps running. No request follows.
  func stop() async
}

extension DecodeRequest {
  func openSource() throws(ContactSheetError) -> OpenFile {
    do throws(SystemError) { return try OpenFile(reading: source) } catch { throw .reading(source, error) }
  }

  func openTarget() throws(ContactSheetError) -> OpenFile {
    do throws(SystemError) { return try OpenFile(writing: target) } catch { throw .writing(target, error) }
  }

  /// Carries the request out on this thread.
  func run() throws(ContactSheetError) -> DecodedImage {
    // The header first: a file of a few bytes may claim a picture that no memory holds.
    let source = try openSource()
    let header = try ImageProbe.header(of: source, named: name, pixelLimit: pixelLimit)
    return try header.decoded(from: source, to: try openTarget(), box: box, named: name)
  }
}

extension ImageHeader {
  /// Decodes the picture whose header this is.
  func decoded(
    from source: OpenFile, to target: OpenFile, box: Int, named name: String
  ) throws(ContactSheetError) -> DecodedImage {
    let small = try Thumbnailer.write(from: source, to: target, box: box, hasProfile: hasProfile, named: name)
    return DecodedImage(
      header: self, thumbnailWidth: small.width, thumbnailHeight: small.height, color: small.color)
  }
}
