/// The header of a picture file, read without decoding a pixel.
package struct ImageHeader: Sendable, Hashable, Codable {
  /// The kind of file.
  package var format: ImageFormat
  /// Width of the picture as it is shown, turned upright.
  package var width: Int
  /// Height of the picture as it is shown, turned upright.
  package var height: Int
  /// The EXIF orientation that is stored, 1…8; 1 where there is none or the file's kind turns it by itself.
  package var orientation: Int
  /// Whether the file has a colour profile of its own.
  package var hasProfile: Bool
  /// When the picture was taken, where the file says so.
  package var captureDate: Timestamp?

  /// The memory that decoding the picture takes, in bytes: an upper estimate from its header.
  package var decodingBytes: Int
  /// The data of the camera, where the file has any.
  package var camera: CameraDetails?

  /// Width times height; `Int.max` where the product is larger than that.
  package var pixelCount: Int {
    let (product, overflow) = width.multipliedReportingOverflow(by: height)
    return overflow ? .max : product
  }
}

/// The data of a picture that has been decoded.
package struct DecodedImage: Sendable, Hashable, Codable {
  /// The data of the header.
  package var header: ImageHeader
  /// Width of the thumbnail that was written.
  package var thumbnailWidth: Int
  /// Height of the thumbnail that was written.
  package var thumbnailHeight: Int
  /// The average colour.
  package var color: AverageColor
  /// A Boolean value that indicates whether a preview was written as well.
  package var hasPreview = false
}

/// The average colour of a picture, shown before its thumbnail has arrived.
package struct AverageColor: Sendable, Hashable, Codable, RawRepresentable {
  /// 0xRRGGBB.
  package var rgb: Int

  /// 0xRRGGBB, as the database stores it.
  package var rawValue: Int { rgb }

  /// Creates a colour from what the database stores.
  package init(rawValue: Int) { self.init(rgb: rawValue) }

  /// Creates a colour from 0xRRGGBB.
  package init(rgb: Int) { self.rgb = rgb & 0xFF_FFFF }

  /// Creates a colour from its parts.
  init(red: UInt8, green: UInt8, blue: UInt8) {
    rgb = Int(red) << 16 | Int(green) << 8 | Int(blue)
  }

  /// The colour as CSS writes it: `#rrggbb`.
  package var css: String {
    let digits = String(rgb, radix: 16)
    return "#" + String(repeating: "0", count: max(0, 6 - digits.count)) + digits
  }
}
