import Foundation
import Testing

@testable import ContactSheetLibrary

/// libcrypto through our own few lines, by published test vectors.
@Suite struct SHA256Tests {
  static func hexadecimal(_ bytes: [UInt8]) -> String {
    bytes.map { String(format: "%02x", $0) }.joined()
  }

  /// Examples of FIPS 180-2.
  @Test(arguments: [
    ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
    ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    (
      "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
      "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
    ),
    (
      String(repeating: "a", count: 1_000_000),
      "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"
    ),
  ])
  func isTheHash(of text: String, _ expected: String) {
    #expect(Self.hexadecimal(SHA256.hash(Array(text.utf8))) == expected)
  }

  @Test func comesOutTheSameHoweverTheBytesAreCut() {
    let bytes = (0..<10_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }
    let whole = SHA256.hash(bytes)
    for size in [1, 63, 64, 65, 4096] {
      var hash = SHA256()
      for start in stride(from: 0, to: bytes.count, by: size) {
        hash.update(Array(bytes[start..<min(start + size, bytes.count)]))
      }
      hash.update([UInt8]())
      #expect(hash.finish() == whole, "in pieces of \(size)")
    }
  }

  /// Examples of RFC 4231: a usual key, one that is shorter than the code, and one that is longer than a block.
  @Test(arguments: [
    (
      [UInt8](repeating: 0x0b, count: 20), "Hi There",
      "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"
    ),
    (
      Array("Jefe".utf8), "what do ya want for nothing?",
      "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
    ),
    (
      [UInt8](repeating: 0xaa, count: 131), "Test Using Larger Than Block-Size Key - Hash Key First",
      "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"
    ),
  ])
  func codesAMessage(key: [UInt8], _ message: String, _ expected: String) {
    #expect(Self.hexadecimal(SHA256.code(of: Array(message.utf8), key: key)) == expected)
  }
}
