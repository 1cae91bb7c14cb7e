/// Estimates of the memory that decoding takes, from what a header announces. A file of a few hundred bytes may
/// announce a picture that takes a gigabyte.
enum DecodingMemory {
  /// The memory that every picture may take, in bytes: rows under way, the small picture, the library's own.
  static let base = 64 << 20

  /// The memory that decoding takes together with a preview, whose pixels and file are in memory, in bytes.
  static func withPreview(_ bytes: Int, box: Int) -> Int {
    let (sum, overflow) = bytes.addingReportingOverflow(2 * 3 * box * box)
    return overflow ? .max : sum
  }

  /// The memory that reading a header may take, in bytes. For a WebP picture the library sets memory for all its pixels aside, which it does
  /// not touch before they are wanted; no such picture has a longer side than 16,383.
  static func header(of head: [UInt8]) -> Int {
    ImageFormat.claimed(by: head) == .webp ? base + (4 << 28) : base
  }

  /// An upper estimate, measured for each format with libvips 8.14.
  ///
  /// - Parameters:
  ///   - header: What the header says.
  ///   - bytesPerPixel: How many bytes one decoded pixel takes.
  ///   - isWholeInMemory: Whether the file comes in several passes.
  static func estimate(_ header: ImageHeader, bytesPerPixel: Int, isWholeInMemory: Bool) -> Int {
    let perPixel =
      switch header.format {
      // In several passes, the coefficients of the whole picture are kept, two bytes for each sample.
      case .jpeg: isWholeInMemory ? 2 * bytesPerPixel : 0
      case .png: isWholeInMemory ? bytesPerPixel : 0
      case .webp: 8
      case .gif: 16
      // A strip or tile may be the whole picture.
      case .tiff: 2 * bytesPerPixel
      case .heic: 20
      }
    let (pixels, overflow) = header.pixelCount.multipliedReportingOverflow(by: perPixel)
    let rows = 64 * max(header.width, header.height) * max(1, bytesPerPixel)
    return overflow ? .max : min(.max / 2, pixels) + rows + base
  }
}
