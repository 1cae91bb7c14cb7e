import CZlibShim

/// Compression of what pages are made of.
enum Compression {
  /// Whether files of a type become much smaller: pictures and fonts do not.
  static func isWorthIt(_ contentType: String) -> Bool {
    contentType.hasPrefix("text/") || contentType == "application/json" || contentType == "image/svg+xml"
  }

  /// The bytes as gzip, or `nil` where that would not be smaller.
  static func gzip(_ bytes: [UInt8]) -> [UInt8]? {
    guard bytes.count > 256 else { return nil }
    let capacity = bytes.count + bytes.count / 1000 + 64
    let compressed = [UInt8](unsafeUninitializedCapacity: capacity) { target, count in
      let length = bytes.withUnsafeBufferPointer { source in
        cz_gzip(source.baseAddress, source.count, target.baseAddress, capacity)
      }
      count = max(0, Int(length))
    }
    return compressed.isEmpty || compressed.count >= bytes.count ? nil : compressed
  }
}
