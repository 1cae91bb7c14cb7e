import CVipsShim

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Makes the small pictures of the grid, and those of a screen's size.
enum Thumbnailer {
  /// A JPEG to write.
  struct Target {
    /// The file, which is empty.
    var file: OpenFile
    /// The side of the square that it fits into, in pixels.
    var box: Int
    /// The quality, 1…100.
    var quality = 80

    var raw: cs_target {
      cs_target(descriptor: file.descriptor, box: CInt(clamping: box), quality: CInt(clamping: quality))
    }
  }

  /// Writes a JPEG thumbnail, upright and in sRGB, and on request a preview, of which the thumbnail is made then: the
  /// picture is decoded once. Damaged and truncated files are refused.
  ///
  /// - Parameters:
  ///   - source: The picture.
  ///   - target: The thumbnail.
  ///   - preview: The preview, where one is wanted; its box is not smaller than the thumbnail's.
  ///   - hasProfile: Whether the picture's header names a colour profile.
  ///   - name: The name by which messages call the picture.
  static func write(
    from source: OpenFile, to target: Target, preview: Target? = nil, hasProfile: Bool, named name: String
  ) throws(ContactSheetError) -> (width: Int, height: Int, color: AverageColor) {
    try Vips.start()
    var info = cs_thumbnail_info()
    var small = target.raw
    var larger = preview?.raw ?? cs_target()
    let failure = Vips.call { text, capacity in
      withUnsafePointer(to: &larger) {
        cs_make_pictures(
          source.descriptor, &small, preview == nil ? nil : $0, hasProfile ? 1 : 0, &info, text, capacity)
      }
    }
    // A picture is not to blame for the disk that its small one finds no room on.
    if info.write_error != 0 { throw unwritten(name, SystemError(number: info.write_error, call: "write")) }
    if let failure { throw DecodingFailure.error(failure, name: name, formatIsKnown: true) }
    return (
      Int(info.width), Int(info.height),
      AverageColor(red: info.red, green: info.green, blue: info.blue)
    )
  }
}

extension Thumbnailer {
  private static func unwritten(_ name: String, _ error: SystemError) -> ContactSheetError {
    switch error.number {
    case ENOSPC, EDQUOT:
      ContactSheetError(
        .diskFull,
        "There is no room on the disk for the small picture of “\(name)”. Make room and try again.",
        cause: error.reason)
    default:
      ContactSheetError(
        .storage, "The small picture of “\(name)” could not be written: \(error.reason).", cause: error.reason
      )
    }
  }
}

/// Writes picture files from pixels.
enum PictureWriter {
  /// Writes pixels as a picture file; the suffix of the path picks the format.
  ///
  /// - Parameters:
  ///   - pixels: `width` × `height` × 3 bytes, red, green, blue.
  ///   - captured: EXIF's capture date, `2024:05:06 07:08:09`.
  ///   - orientation: EXIF's orientation, 1 for upright.
  static func write(
    _ pixels: [UInt8], width: Int, height: Int, to path: String, quality: Int = 85,
    captured: String? = nil, orientation: Int = 1
  ) throws(ContactSheetError) {
    try Vips.start()
    guard width > 0, height > 0, pixels.count == width * height * 3 else {
      throw ContactSheetError(.internal, "\(pixels.count) bytes are not \(width) × \(height) pixels.")
    }
    let failure = pixels.withUnsafeBufferPointer { buffer in
      Vips.call {
        cs_write_picture(
          buffer.baseAddress, CInt(clamping: width), CInt(clamping: height), 3, path,
          CInt(clamping: quality), captured, CInt(clamping: orientation), $0, $1)
      }
    }
    if let failure {
      throw ContactSheetError(.storage, "“\(path)” could not be written.", cause: failure)
    }
  }
}
