/// Paths of any bytes, as texts.
///
/// To the system a name is bytes, and on old disks many are not UTF-8. A byte that is none stands in the text of a path as one of the last
/// scalars of Unicode, which are for private use, and file calls get the byte back. To show a path, take `shown`.
package enum PathBytes {
  /// The first two bytes of all stand-ins, U+10FF80 to U+10FFFF; the third is 0xBE or 0xBF.
  private static let lead: [UInt8] = [0xF4, 0x8F]

  /// Returns the text of a path, from which `bytes(of:)` makes the same bytes again.
  package static func text(_ bytes: some Sequence<UInt8>) -> String {
    let bytes = Array(bytes)
    var text = String.UnicodeScalarView()
    var parser = Unicode.UTF8.ForwardParser()
    var (rest, index) = (bytes.makeIterator(), 0)
    while true {
      switch parser.parseScalar(from: &rest) {
      case .emptyInput: return String(text)
      case .valid(let encoded):
        let scalar = Unicode.UTF8.decode(encoded)
        // A scalar that looks like a stand-in is written as stand-ins for its own bytes.
        if isStandIn(scalar) { text += encoded.map(standIn) } else { text.append(scalar) }
        index += encoded.count
      case .error(let length):
        text += bytes[index..<index + length].map(standIn)
        index += length
      }
    }
  }

  /// Returns the bytes of a path as the system has them.
  static func bytes(of path: String) -> [UInt8] {
    guard hasStandIns(path) else { return Array(path.utf8) }
    return path.unicodeScalars.flatMap {
      isStandIn($0) ? [UInt8($0.value & 0xFF)] : Array(String($0).utf8)
    }
  }

  /// Returns a path to be read by people: a byte that is no text is U+FFFD.
  package static func shown(_ path: String) -> String {
    hasStandIns(path) ? String(decoding: bytes(of: path), as: UTF8.self) : path
  }

  /// Calls the system with the path's bytes, which end with a zero.
  static func with<Result>(_ path: String, _ body: (UnsafePointer<CChar>) throws -> Result) rethrows -> Result
  {
    guard hasStandIns(path) else { return try path.withCString(body) }
    return try (bytes(of: path) + [0]).withUnsafeBufferPointer { buffer in
      try buffer.withMemoryRebound(to: CChar.self) { try body($0.baseAddress!) }
    }
  }

  /// Returns whether a text has bytes in it that are no text.
  package static func hasStandIns(_ path: String) -> Bool {
    path.utf8.firstRange(of: lead) != nil && path.unicodeScalars.contains(where: isStandIn)
  }

  private static func isStandIn(_ scalar: Unicode.Scalar) -> Bool { scalar.value >= 0x10_FF80 }

  private static func standIn(_ byte: UInt8) -> Unicode.Scalar {
    // The scalar exists: 0x10FF00 to 0x10FFFF are no surrogates, and the last of Unicode.
    Unicode.Scalar(0x10_FF00 + UInt32(byte)).unsafelyUnwrapped
  }
}
