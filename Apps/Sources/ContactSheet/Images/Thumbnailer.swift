import CVipsShim

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Makes the small pictures of the grid.
enum Thumbnailer {
  /// Writes a JPEG thumbnail, upright and in sRGB. Damaged and truncated files are refused.
  ///
  /// - Parameters:
  ///   - source: The picture.
  ///   - target: The file to write, which is empty.
  ///   - box: The side of the square that the thumbnail fits into, in pixels.
  ///   - hasProfile: Whether the picture's header names a colour profile.
  ///   - name: The name by which messages call the picture.
  static func write(
    from source: OpenFile, to target: OpenFile, box: Int, hasProfile: Bool, named name: String
  ) throws(ContactSheetError) -> (width: Int, height: Int, color: AverageColor) {
    try Vips.start()
    var info = cs_thumbnail_info()
    let failure = Vips.call {
      cs_make_thumbnail(
        source.descriptor, target.descriptor, CInt(clamping: box), 80, hasProfile ? 1 : 0, &info, $0, $1)
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
