import CVipsShim

/// Reads what the header of a picture file says.
enum ImageProbe {
  /// Reads the header, decoding no pixel.
  ///
  /// - Parameters:
  ///   - source: The file.
  ///   - name: The name by which messages call it.
  ///   - pixelLimit: How many pixels are too many.
  static func header(
    of source: OpenFile, named name: String, pixelLimit: Int
  ) throws(ContactSheetError) -> ImageHeader {
    try Vips.start()
    var raw = cs_header()
    if let text = Vips.call({ cs_read_header(source.descriptor, &raw, $0, $1) }) {
      let claimed = ImageFormat.claimed(by: source.bytes(at: 0, count: 16))
      throw DecodingFailure.error(text, name: name, formatIsKnown: raw.format != 0 || claimed != nil)
    }
    guard let format = format(raw.format) else {
      throw DecodingFailure.error("", name: name, formatIsKnown: false)
    }
    var captured = withUnsafeBytes(of: raw.captured) { Self.string($0) }
    var offset = withUnsafeBytes(of: raw.captured_offset) { Self.string($0) }
    if captured.isEmpty, [.tiff, .png].contains(format) {
      (captured, offset) = EXIFDates.read(source, format)
    }
    var header = ImageHeader(
      format: format, width: Int(raw.width), height: Int(raw.height),
      orientation: Int(raw.orientation), hasProfile: raw.has_profile != 0,
      captureDate: Timestamp(exif: captured, offset: offset), decodingBytes: 0,
      camera: CameraDetails(raw))
    guard header.width > 0, header.height > 0 else {
      throw ContactSheetError(.damaged, "“\(name)” is damaged: its picture has no size.")
    }
    guard header.pixelCount <= pixelLimit else {
      throw ContactSheetError(
        .tooManyPixels,
        "“\(name)” has \(header.width) × \(header.height) pixels; the limit is \(pixelLimit / 1_000_000)"
          + " megapixels. Make it smaller, or raise the limit with --max-megapixels.")
    }
    header.decodingBytes = DecodingMemory.estimate(
      header, bytesPerPixel: Int(raw.bytes_per_pixel), isWholeInMemory: raw.is_whole_in_memory != 0)
    return header
  }

  private static func format(_ number: Int32) -> ImageFormat? {
    switch Int(number) {
    case CS_FORMAT_JPEG: .jpeg
    case CS_FORMAT_PNG: .png
    case CS_FORMAT_WEBP: .webp
    case CS_FORMAT_HEIC: .heic
    case CS_FORMAT_GIF: .gif
    case CS_FORMAT_TIFF: .tiff
    default: nil
    }
  }

  private static func string(_ bytes: UnsafeRawBufferPointer) -> String {
    String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
  }
}

/// Turns what the image library says into what the user is told.
enum DecodingFailure {
  static func error(_ text: String, name: String, formatIsKnown: Bool) -> ContactSheetError {
    guard formatIsKnown else {
      return ContactSheetError(
        .notAnImage,
        "“\(name)” is not a picture that ContactSheet can read."
          + " It takes JPEG, PNG, WebP, HEIC, GIF and TIFF files.",
        cause: text)
    }
    let lower = text.lowercased()
    if ["insufficient memory", "out of memory", "memory allocation"].contains(where: lower.contains) {
      return ContactSheetError(
        .tooMuchMemory,
        "“\(name)” takes more memory to read than a picture of its size may. Save it anew with another program.",
        cause: text)
    }
    let signs = [
      "premature end", "unexpected end", "read error", "truncated", "end of file", "not enough data",
    ]
    if signs.contains(where: lower.contains) {
      return ContactSheetError(
        .truncated, "“\(name)” is incomplete: the file ends before its picture does. Copy it again.",
        cause: text)
    }
    return ContactSheetError(
      .damaged, "“\(name)” is damaged and cannot be shown. Try another copy of it.", cause: text)
  }
}
