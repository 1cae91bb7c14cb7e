/// The checksum that zip archives use, eight bytes at a step.
struct CRC32: Sendable {
  private var state: UInt32 = 0xFFFF_FFFF

  /// The checksum of the bytes so far.
  var value: UInt32 { ~state }

  /// Takes more bytes in.
  mutating func update(_ bytes: UnsafeRawBufferPointer) {
    var crc = state
    Self.tables.withUnsafeBufferPointer { tables in
      var at = 0
      let whole = bytes.count & ~7
      while at < whole {
        let low = bytes.loadUnaligned(fromByteOffset: at, as: UInt32.self).littleEndian ^ crc
        let high = bytes.loadUnaligned(fromByteOffset: at + 4, as: UInt32.self).littleEndian
        crc = tables[1792 + Int(low & 255)] ^ tables[1536 + Int(low >> 8 & 255)]
        crc ^= tables[1280 + Int(low >> 16 & 255)] ^ tables[1024 + Int(low >> 24)]
        crc ^= tables[768 + Int(high & 255)] ^ tables[512 + Int(high >> 8 & 255)]
        crc ^= tables[256 + Int(high >> 16 & 255)] ^ tables[Int(high >> 24)]
        at += 8
      }
      while at < bytes.count {
        crc = tables[Int((crc ^ UInt32(bytes[at])) & 255)] ^ crc >> 8
        at += 1
      }
    }
    state = crc
  }

  /// Eight tables of 256: the checksum of a byte that is followed by so many zero bytes.
  private static let tables: [UInt32] = {
    var tables = [UInt32](repeating: 0, count: 2048)
    for byte in 0..<256 {
      var crc = UInt32(byte)
      for _ in 0..<8 { crc = crc & 1 == 1 ? crc >> 1 ^ 0xEDB8_8320 : crc >> 1 }
      tables[byte] = crc
    }
    for place in 256..<2048 {
      let previous = tables[place - 256]
      tables[place] = tables[Int(previous & 255)] ^ previous >> 8
    }
    return tables
  }()
}
