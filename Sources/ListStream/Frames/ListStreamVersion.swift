/// A state of a list, as frames name it: `<epoch>.<sequence>`.
public struct ListStreamVersion: Hashable, Sendable, LosslessStringConvertible {
  /// One life of one list at its server: 1 to 64 letters, digits, `_` and `-`.
  public let epoch: String
  /// The number of the state in its epoch, from 0 to 2⁵³ − 1.
  public let sequence: Int

  /// Creates a version, or `nil` if the epoch or the number is not one that a version can have.
  public init?(epoch: String, sequence: Int) {
    guard Self.isEpoch(epoch), sequence >= 0, sequence <= Self.maximumSequence else { return nil }
    self.epoch = epoch
    self.sequence = sequence
  }

  init(validEpoch epoch: String, sequence: Int) {
    self.epoch = epoch
    self.sequence = sequence
  }

  /// Reads a version such as `k3v9x2.41`, or `nil` if the text is not one.
  public init?(_ description: String) {
    guard description.utf8.count <= 128, let dot = description.lastIndex(of: ".") else { return nil }
    let digits = description[description.index(after: dot)...]
    guard digits.utf8.allSatisfy({ (48...57).contains($0) }), let sequence = Int(digits) else { return nil }
    self.init(epoch: String(description[..<dot]), sequence: sequence)
  }

  /// The version as `<epoch>.<sequence>`.
  public var description: String { "\(epoch).\(sequence)" }

  /// The largest number that a JSON reader keeps exactly.
  static let maximumSequence = 9_007_199_254_740_991

  static func isEpoch(_ text: String) -> Bool {
    (1...64).contains(text.utf8.count) && text.utf8.allSatisfy(isEpochByte)
  }

  private static func isEpochByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
      UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "_"), UInt8(ascii: "-"):
      true
    default: false
    }
  }

  /// A new epoch, other than any made before as far as chance allows.
  public static func makeEpoch(using generator: inout some RandomNumberGenerator) -> String {
    String(generator.next() as UInt64, radix: 36)
  }

  /// A new epoch, other than any made before as far as chance allows.
  public static func makeEpoch() -> String {
    var generator = SystemRandomNumberGenerator()
    return makeEpoch(using: &generator)
  }
}
