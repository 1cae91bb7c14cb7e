/// Picture files of a few bytes with very many pixels.
enum SparsePictures {
  /// A JPEG that comes in several passes, so that its decoder keeps all coefficients. Blocks that are missing are grey.
  static func progressiveJPEG(width: Int, height: Int) -> [UInt8] {
    func segment(_ marker: UInt8, _ body: [UInt8]) -> [UInt8] {
      [0xFF, marker, UInt8((body.count + 2) >> 8), UInt8((body.count + 2) & 0xFF)] + body
    }
    func number(_ value: Int) -> [UInt8] { [UInt8(value >> 8), UInt8(value & 0xFF)] }
    let tables = [UInt8](repeating: 1, count: 64)
    // One code of one bit, for the value 0: each block is "the difference is zero".
    let code = [UInt8(1)] + [UInt8](repeating: 0, count: 15) + [0]
    return [0xFF, 0xD8] + segment(0xDB, [0] + tables)
      + segment(
        0xC2, [8] + number(height) + number(width) + [3, 1, 0x11, 0, 2, 0x11, 0, 3, 0x11, 0])
      + segment(0xC4, [0x00] + code) + segment(0xC4, [0x10] + code)
      + segment(0xDA, [3, 1, 0, 2, 0, 3, 0, 0, 0, 0])
      + [UInt8](repeating: 0, count: 300) + [0xFF, 0xD9]
  }

  /// A WebP picture without loss and of one colour: each of its codes has one symbol, which takes no bit.
  ///
  /// - Parameters:
  ///   - width: The width, 1…16,384.
  ///   - height: The height, 1…16,384.
  static func losslessWebP(width: Int, height: Int) -> [UInt8] {
    var bits: [Bool] = []
    func put(_ value: Int, _ count: Int) { bits += (0..<count).map { value >> $0 & 1 == 1 } }
    put(0x2F, 8)
    put(width - 1, 14)
    put(height - 1, 14)
    // No alpha, version 0, no transform, no cache of colours, one group of codes.
    put(0, 1 + 3 + 1 + 1 + 1)
    // Green, red, blue, alpha, distance: a simple code of one symbol of eight bits.
    for symbol in [120, 200, 40, 255, 0] {
      put(0b101, 3)
      put(symbol, 8)
    }
    var bytes = stride(from: 0, to: bits.count, by: 8).map { at in
      (0..<8).reduce(UInt8(0)) { $0 | (at + $1 < bits.count && bits[at + $1] ? 1 << $1 : 0) }
    }
    if bytes.count % 2 == 1 { bytes.append(0) }
    func number(_ value: Int) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) } }
    return Array("RIFF".utf8) + number(bytes.count + 12) + Array("WEBPVP8L".utf8) + number(bytes.count)
      + bytes
  }
}
