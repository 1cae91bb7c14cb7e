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
  /// A larger picture that is made in the same pass, where the picture needs one.
  package var preview: PreviewTarget?

  /// A preview that is made together with the small picture.
  package struct PreviewTarget: Sendable, Hashable, Codable {
    /// The JPEG file to write; what is there is replaced. There is none afterwards where the picture needs none.
    package var path: String
    /// The side of the square that it fits into, in pixels; not smaller than that of the small picture.
    package var box: Int

    /// Creates a target.
    package init(path: String, box: Int) {
      self.path = path
      self.box = box
    }
  }

  /// Creates a request.
  package init(
    source: String, target: String, name: String, box: Int, pixelLimit: Int, preview: PreviewTarget? = nil
  ) {
    self.source = source
    self.target = target
    self.name = name
    self.box = box
    self.pixelLimit = pixelLimit
    self.preview = preview
  }
}

/// Whatever reads pictures: the library in this process, or worker processes around it.
package protocol ImageDecoder: Sendable {
  /// Reads the header, refuses what is too large, decodes, and writes the small picture.
  ///
  /// - Throws: A `ContactSheetError` that names the picture.
  func decode(_ request: DecodeRequest) async throws -> DecodedImage

  /// Reads the header alone; no target is written.
  ///
  /// - Throws: A `ContactSheetError` that names the picture.
  func header(_ request: DecodeRequest) async throws -> ImageHeader

  /// Ends what the decoder keeps running. No request follows.
  func stop() async
}

extension DecodeRequest {
  func openSource() throws(ContactSheetError) -> OpenFile {
    do throws(SystemError) { return try OpenFile(reading: source) } catch { throw .reading(source, error) }
  }

  func openTarget() throws(ContactSheetError) -> OpenFile { try Self.open(target) }

  /// Opens the file of the preview; `nil` where the picture with this header needs none.
  func openPreview(of header: ImageHeader, _ source: OpenFile) throws(ContactSheetError) -> OpenFile? {
    guard let preview,
      PreviewNeed.isWanted(
        header.format, width: header.width, height: header.height, byteCount: source.size, box: preview.box)
    else { return nil }
    return try Self.open(preview.path)
  }

  private static func open(_ path: String) throws(ContactSheetError) -> OpenFile {
    do throws(SystemError) { return try OpenFile(writing: path) } catch { throw .writing(path, error) }
  }

  /// Reads the header on this thread.
  func readHeader() throws(ContactSheetError) -> ImageHeader {
    try ImageProbe.header(of: try openSource(), named: name, pixelLimit: pixelLimit)
  }

  /// Carries the request out on this thread.
  func run() throws(ContactSheetError) -> DecodedImage {
    // The header first: a file of a few bytes may claim a picture that no memory holds.
    let source = try openSource()
    let header = try ImageProbe.header(of: source, named: name, pixelLimit: pixelLimit)
    let larger = try openPreview(of: header, source).map {
      Thumbnailer.Target(file: $0, box: preview?.box ?? box)
    }
    let small = Thumbnailer.Target(file: try openTarget(), box: box)
    return try header.decoded(from: source, to: small, preview: larger, named: name)
  }
}

extension ImageHeader {
  /// Decodes the picture whose header this is.
  func decoded(
    from source: OpenFile, to target: Thumbnailer.Target, preview: Thumbnailer.Target?, named name: String
  ) throws(ContactSheetError) -> DecodedImage {
    let small = try Thumbnailer.write(
      from: source, to: target, preview: preview, hasProfile: hasProfile, named: name)
    return DecodedImage(
      header: self, thumbnailWidth: small.width, thumbnailHeight: small.height, color: small.color,
      hasPreview: preview != nil)
  }
}
