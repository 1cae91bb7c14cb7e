import CZlibShim

/// The checksum that zip archives use.
struct CRC32: Sendable {
  /// The checksum of the bytes so far.
  private(set) var value: UInt32 = 0

  /// Takes more bytes in.
  mutating func update(_ bytes: UnsafeRawBufferPointer) {
    guard let start = bytes.baseAddress else { return }
    value = cz_crc32(value, start.assumingMemoryBound(to: UInt8.self), bytes.count)
  }
}
