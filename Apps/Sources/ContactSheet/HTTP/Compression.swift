import CZlibShim
import ContactSheetLibrary

/// Compression of what pages are made of.
enum Compression {
  /// How much work is put into it.
  enum Effort: Int32 {
    /// For answers that are made for one request.
    case quick = 6
    /// For files that are compressed once and sent often.
    case thorough = 12
  }

  /// Whether files of a type become much smaller: pictures and fonts do not.
  static func isWorthIt(_ contentType: String) -> Bool {
    contentType.beginsExactly(with: "text/") || contentType == "application/json"
      || contentType == "image/svg+xml"
  }

  /// The bytes as gzip, or `nil` where that would not be smaller.
  static func gzip(_ bytes: [UInt8], _ effort: Effort) -> [UInt8]? {
    guard bytes.count > 256 else { return nil }
    let compressed = made(from: bytes) { cz_gzip($0, $1, $2, $3, effort.rawValue) }
    return compressed.isEmpty || compressed.count >= bytes.count ? nil : compressed
  }

  /// The bytes as a part of a deflate stream, which others can follow; `nil` where there is no memory for it.
  static func deflatePart(_ bytes: [UInt8]) -> [UInt8]? {
    let part = made(from: bytes) { cz_deflate_part($0, $1, $2, $3) }
    return part.isEmpty ? nil : part
  }

  private static func made(
    from bytes: [UInt8], _ make: (UnsafePointer<UInt8>?, Int, UnsafeMutablePointer<UInt8>?, Int) -> Int64
  ) -> [UInt8] {
    let capacity = bytes.count + bytes.count / 1000 + 64
    return [UInt8](unsafeUninitializedCapacity: capacity) { target, count in
      let length = bytes.withUnsafeBufferPointer { source in
        make(source.baseAddress, source.count, target.baseAddress, capacity)
      }
      count = max(0, Int(length))
    }
  }
}
