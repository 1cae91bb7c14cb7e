import CCryptoShim
package import Foundation

/// The SHA-256 of bytes that come piece by piece, by the system's libcrypto, which uses the processor's instructions
/// for it.
package struct SHA256: ~Copyable, @unchecked Sendable {
  // Nobody else has the context, and only mutating calls use it.
  private let context: OpaquePointer

  // Without memory for the 200 bytes of a context the program ends, as Swift itself does wherever an array finds none.
  init() {
    guard let context = cc_sha256_start() else { fatalError("There is no memory for a SHA-256.") }
    self.context = context
  }

  deinit { cc_sha256_end(context) }

  mutating func update(_ bytes: UnsafeRawBufferPointer) {
    let result = cc_sha256_update(context, bytes.baseAddress, bytes.count)
    precondition(result == 0, "libcrypto refuses to take a SHA-256")
  }

  mutating func update(_ bytes: some ContiguousBytes) { bytes.withUnsafeBytes { update($0) } }

  /// The hash of all bytes that came; none may follow.
  mutating func finish() -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: Int(CC_SHA256_COUNT)) { buffer, count in
      let result = cc_sha256_finish(context, buffer.baseAddress)
      precondition(result == 0, "libcrypto refuses to end a SHA-256")
      count = buffer.count
    }
  }

  /// The hash of bytes that are all there.
  package static func hash(_ bytes: some ContiguousBytes) -> [UInt8] {
    var hash = SHA256()
    hash.update(bytes)
    return hash.finish()
  }

  /// The code of a message under a key (HMAC).
  static func code(of message: [UInt8], key: [UInt8]) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: Int(CC_SHA256_COUNT)) { buffer, count in
      let result = cc_hmac_sha256(key, key.count, message, message.count, buffer.baseAddress)
      precondition(result == 0, "libcrypto refuses to code a message")
      count = buffer.count
    }
  }
}
