/// A kind of picture file that ContactSheet takes.
package enum ImageFormat: String, Sendable, Hashable, CaseIterable, Codable {
  /// JPEG.
  case jpeg
  /// PNG.
  case png
  /// WebP.
  case webp
  /// HEIC, as phones write it.
  case heic
  /// GIF; the first picture of an animation stands for it in the grid.
  case gif
  /// TIFF; the first page.
  case tiff

  /// The media type that the file is served with.
  package var contentType: String { "image/\(rawValue)" }

  /// Whether every browser shows the format in a page.
  package var isShownByBrowsers: Bool {
    switch self {
    case .jpeg, .png, .webp, .gif: true
    case .heic, .tiff: false
    }
  }

  /// The usual suffix of a file's name, without the dot.
  package var fileExtension: String {
    switch self {
    case .jpeg: "jpg"
    case .tiff: "tif"
    default: rawValue
    }
  }

  /// Suffixes by which a folder import picks the files to try, lower-case.
  package static let importedExtensions: Set<String> = [
    "jpg", "jpeg", "jpe", "png", "webp", "heic", "heif", "gif", "tif", "tiff",
  ]

  /// Returns the format that the first bytes of a file claim.
  ///
  /// - Parameter head: The first bytes of the file; twelve are enough.
  /// - Returns: The format, or `nil` where it is none that ContactSheet takes.
  package static func claimed(by head: some Collection<UInt8>) -> ImageFormat? {
    let head = Array(head.prefix(12))
    func has(_ bytes: [UInt8], at offset: Int = 0) -> Bool {
      head.count >= offset + bytes.count && Array(head[offset..<(offset + bytes.count)]) == bytes
    }
    if has([0xFF, 0xD8, 0xFF]) { return .jpeg }
    if has([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) { return .png }
    if has(Array("RIFF".utf8)), has(Array("WEBP".utf8), at: 8) { return .webp }
    if has(Array("GIF8".utf8)) { return .gif }
    if has([0x49, 0x49, 0x2A, 0x00]) || has([0x4D, 0x4D, 0x00, 0x2A]) { return .tiff }
    if has([0x49, 0x49, 0x2B, 0x00]) || has([0x4D, 0x4D, 0x00, 0x2B]) { return .tiff }
    if has(Array("ftyp".utf8), at: 4) {
      let brands = ["heic", "heix", "heim", "heis", "hevc", "hevx", "mif1", "msf1"]
      if brands.contains(where: { has(Array($0.utf8), at: 8) }) { return .heic }
    }
    return nil
  }
}
