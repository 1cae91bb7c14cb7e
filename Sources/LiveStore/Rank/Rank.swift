/// The position of a row in an order that people make by hand: a key, and between any two there is room for another.
///
/// A list that people order by hand keeps a rank in each row and sorts by it. Moving a row then writes that one
/// row: its new rank lies between those of its new neighbours. Two rows may have the same rank, when two writers
/// dropped them into the same gap at once; the primary key, which ends every order, separates them.
///
/// ```
///  head │ whole number, 1 to 7 bytes │ fraction, any number of bytes, the last one not zero
/// ```
///
/// The head says how long the whole number is and whether it is negative, so that the bytes compare as the
/// numbers do. Ranks at the end of a list count upwards, at its start downwards, and stay two to four bytes
/// long; only dropping between the same neighbours again and again makes them grow, by a byte in eight times.
public struct Rank: Hashable, Sendable {
  /// A rank longer than this is due for ``Rank/place(_:before:after:reachesStart:reachesEnd:)`` to spread its
  /// neighbourhood anew.
  public static let maximumLength = 64

  /// The bytes, in whose order ranks are.
  public let bytes: [UInt8]

  /// Creates a rank from its stored bytes.
  /// - Returns: nil when the bytes are not a rank's.
  public init?(bytes: [UInt8]) {
    guard let head = bytes.first, let length = Self.wholeLength(head), bytes.count > length,
      bytes.count == length + 1 || bytes.last != 0
    else { return nil }
    self.bytes = bytes
  }

  /// A rank from its two parts; nil when the whole number is out of range.
  init?(whole: Int64, fraction: [UInt8]) {
    var magnitude = whole < 0 ? ~whole : whole
    guard magnitude < 1 << 56 else { return nil }
    var digits: [UInt8] = []
    repeat {
      digits.append(UInt8(truncatingIfNeeded: magnitude))
      magnitude >>= 8
    } while magnitude > 0
    let head = UInt8(digits.count - 1)
    bytes =
      whole < 0
      ? [0x7F - head] + digits.reversed().map { ~$0 } + fraction
      : [0x80 + head] + digits.reversed() + fraction
  }

  private static func wholeLength(_ head: UInt8) -> Int? {
    switch head {
    case 0x80...0x86: Int(head) - 0x80 + 1
    case 0x79...0x7F: 0x7F - Int(head) + 1
    default: nil
    }
  }

  var whole: Int64 {
    let isNegative = bytes[0] < 0x80
    var magnitude: Int64 = 0
    for byte in bytes[1...(Self.wholeLength(bytes[0]) ?? 1)] {
      magnitude = magnitude << 8 | Int64(isNegative ? ~byte : byte)
    }
    return isNegative ? ~magnitude : magnitude
  }

  var fraction: [UInt8] { Array(bytes[(1 + (Self.wholeLength(bytes[0]) ?? 0))...]) }
}

extension Rank: Comparable {
  /// Orders ranks by their bytes, as the database does.
  public static func < (lhs: Rank, rhs: Rank) -> Bool {
    lhs.bytes.lexicographicallyPrecedes(rhs.bytes)
  }
}

extension Rank: CustomStringConvertible {
  /// The bytes in hexadecimal.
  public var description: String { hexadecimal(bytes) }
}

extension Rank: Codable {
  /// Reads a rank from its hexadecimal text.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let digits = Array(try container.decode(String.self).utf8)
    var bytes: [UInt8] = []
    for start in stride(from: 0, to: digits.count - 1, by: 2) {
      guard let byte = UInt8(String(decoding: digits[start...(start + 1)], as: UTF8.self), radix: 16) else {
        break
      }
      bytes.append(byte)
    }
    guard bytes.count * 2 == digits.count, let rank = Rank(bytes: bytes) else {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: "This is no rank.")
    }
    self = rank
  }

  /// Writes a rank as hexadecimal text.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}

extension Rank: FetchColumnValue {
  /// Stored as bytes.
  public static var fetchColumnType: FetchColumnType { .blob }

  /// The bytes.
  public func fetchValue(as type: FetchColumnType) -> FetchValue? { type == .blob ? .blob(bytes) : nil }

  /// Creates a rank from its bytes.
  public init?(fetchValue: FetchValue, as type: FetchColumnType) {
    guard case .blob(let bytes) = fetchValue else { return nil }
    self.init(bytes: bytes)
  }
}

/// An error of making ranks.
public enum RankError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The lower bound is not below the upper one.
  case noRoom(Rank, Rank)
  /// The rank at an end is the last that there is.
  case exhausted
  /// The neighbours that were given are too few to spread them anew.
  case crowded

  /// A description of the error.
  public var description: String {
    switch self {
    case .noRoom(let lower, let upper):
      "No rank lies between \(lower) and \(upper); spread the neighbourhood with Rank.place."
    case .exhausted:
      "The whole numbers of ranks are used up at this end. Give all rows new ranks by Rank.between(nil, nil, count:)."
    case .crowded:
      "The neighbours are too crowded to be spread. Give more of them, or all with reachesStart and reachesEnd."
    }
  }
}
