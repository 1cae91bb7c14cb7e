import CCryptoShim
import Foundation

/// A password as it is stored: by scrypt, with its salt and cost, so that whoever reads the file has to try each
/// guess at full price. `$scrypt$ln=15,r=8,p=3$<salt>$<key>`.
struct PasswordHash: Sendable, Hashable {
  /// The cost of one try: 2^`logRounds` rounds over `blockSize` blocks, `parallelism` times over.
  struct Cost: Sendable, Hashable {
    var logRounds: Int
    var blockSize: Int
    var parallelism: Int

    /// 32 MB and, on two cores of today, about an eighth of a second.
    static let usual = Cost(logRounds: 15, blockSize: 8, parallelism: 3)

    /// Whether a try ends in this life and in the memory of a small machine.
    var isReasonable: Bool {
      (4...20).contains(logRounds) && (1...32).contains(blockSize) && (1...16).contains(parallelism)
        && blockSize << logRounds <= 1 << 21
    }
  }

  /// The fewest characters that a password may have.
  static let minimumCharacters = 8
  private static let maximumBytes = 1024
  private static let keyLength = 32

  let cost: Cost
  let salt: [UInt8]
  let key: [UInt8]

  /// Hashes a password with a new salt.
  ///
  /// - Throws: `ContactSheetError.Code.badRequest` where the password is too short or too long.
  init(of password: String, cost: Cost = .usual) throws {
    guard password.count >= Self.minimumCharacters else {
      throw ContactSheetError(
        .badRequest, "The password is too short. Take at least \(Self.minimumCharacters) characters.")
    }
    // scrypt fills short passwords up with zero bytes: one at the end would make no other password.
    guard !password.utf8.contains(0) else {
      throw ContactSheetError(.badRequest, "A password has no zero bytes.")
    }
    guard password.utf8.count <= Self.maximumBytes else {
      throw ContactSheetError(
        .badRequest, "The password is too long. Take at most \(Self.maximumBytes) bytes.")
    }
    self.cost = cost
    salt = SecretBytes.random(16)
    key = try Self.derive(password, salt, cost)
  }

  /// Reads a hash that was stored.
  init?(_ text: String) {
    let parts = text.split(separator: "$", omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 5, parts[0].isEmpty, parts[1] == "scrypt",
      let salt = SecretBytes.decoded(parts[3]), let key = SecretBytes.decoded(parts[4]),
      salt.count >= 8, key.count == Self.keyLength
    else { return nil }
    var numbers: [String: Int] = [:]
    for pair in parts[2].split(separator: ",") {
      let sides = pair.split(separator: "=")
      guard sides.count == 2, let value = Int(sides[1]) else { return nil }
      numbers[String(sides[0])] = value
    }
    guard let logRounds = numbers["ln"], let blockSize = numbers["r"], let parallelism = numbers["p"] else {
      return nil
    }
    let cost = Cost(logRounds: logRounds, blockSize: blockSize, parallelism: parallelism)
    guard cost.isReasonable else { return nil }
    (self.cost, self.salt, self.key) = (cost, salt, key)
  }

  /// The hash as it is stored.
  var text: String {
    "$scrypt$ln=\(cost.logRounds),r=\(cost.blockSize),p=\(cost.parallelism)$"
      + "\(SecretBytes.encoded(salt))$\(SecretBytes.encoded(key))"
  }

  /// Whether a password is the one. Takes the same time whatever is wrong with it; blocks.
  func matches(_ password: String) throws -> Bool {
    guard password.utf8.count <= Self.maximumBytes, !password.utf8.contains(0) else { return false }
    return SecretBytes.areEqual(try Self.derive(password, salt, cost), key)
  }

  /// Letters with accents come in two spellings, by keyboard; both are the same password.
  private static func derive(_ password: String, _ salt: [UInt8], _ cost: Cost) throws -> [UInt8] {
    var password = password.precomposedStringWithCanonicalMapping
    var key = [UInt8](repeating: 0, count: keyLength)
    let result = password.withUTF8 { password in
      password.withMemoryRebound(to: CChar.self) { password in
        cc_scrypt(
          password.baseAddress, password.count, salt, salt.count, UInt32(cost.logRounds),
          UInt32(cost.blockSize), UInt32(cost.parallelism), &key, key.count)
      }
    }
    guard result == 0 else {
      throw ContactSheetError(.busy, "There was not enough memory to look at the password. Try again.")
    }
    return key
  }
}

/// Bytes that nobody should guess.
enum SecretBytes {
  /// New random bytes, from the system's generator.
  static func random(_ count: Int) -> [UInt8] {
    var generator = SystemRandomNumberGenerator()
    return (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
  }

  /// Compares in a time that depends on the lengths alone.
  static func areEqual(_ lhs: some Collection<UInt8>, _ rhs: some Collection<UInt8>) -> Bool {
    guard lhs.count == rhs.count else { return false }
    var difference: UInt8 = 0
    for (a, b) in zip(lhs, rhs) { difference |= a ^ b }
    return difference == 0
  }

  /// Letters, digits, `-` and `_`, which need no quoting in cookies, headers or files.
  static func encoded(_ bytes: [UInt8]) -> String {
    Data(bytes).base64EncodedString().replacingOccurrences(of: "+", with: "-")
      .replacingOccurrences(of: "/", with: "_").replacingOccurrences(of: "=", with: "")
  }

  static func decoded(_ text: String) -> [UInt8]? {
    let plain = text.replacingOccurrences(of: "-", with: "+").replacingOccurrences(of: "_", with: "/")
    let padding = String(repeating: "=", count: (4 - plain.utf8.count % 4) % 4)
    return Data(base64Encoded: plain + padding).map { Array($0) }
  }
}
