/// A JSON object as it comes, byte by byte, of which only the members that are known are kept; of those a value that is too
/// long is kept as `0`, so that it is no text. What somebody else writes beside them may be as long as it likes.
struct KnownMembers: Sendable {
  /// The meaning of a byte to the object, as opposed to what is nested in it.
  enum Role {
    /// The brace that opens the object.
    case opening
    /// The colon between a member's name and its value.
    case colon
    /// The comma between two members.
    case comma
    /// The brace that closes the object.
    case closing
    case content
  }

  /// The most bytes of a text of a manifest, as it is meant. Those of exports are far shorter.
  static let textLimit = 64 << 10
  /// The most bytes of a member as it is written: each of a text may be an escape of six, beside the name and what is around it. What is longer
  /// is no text within the limit.
  static let maximumLength = 6 * textLimit + 256

  /// The bytes that are kept: the object with the known members; something else as it came.
  private(set) var bytes: [UInt8] = []
  /// Whether there is more than the limit; further bytes are not kept.
  private(set) var isTooLong = false
  /// Whether it is an object.
  private(set) var isObject = false
  /// Whether the object has any member, known or not.
  private(set) var hasMembers = false

  private let names: [[UInt8]]
  private let limit: Int
  private var isInside = false
  private var isPassedOver = false
  private var hasComma = false
  private var memberStart = 0
  private var valueStart: Int?

  /// Creates an empty text.
  ///
  /// - Parameters:
  ///   - names: The members to keep.
  ///   - limit: The most bytes that are kept.
  init(_ names: [String], limit: Int) {
    self.names = names.map { Array("\"\($0)\"".utf8) }
    self.limit = limit
  }

  /// Begins anew, with the memory that there is.
  mutating func removeAll() {
    bytes.removeAll(keepingCapacity: true)
    (isTooLong, isObject, hasMembers, isInside, hasComma) = (false, false, false, false, false)
    startMember()
  }

  /// Takes the next byte. Blanks between tokens are left out by the caller.
  mutating func append(_ byte: UInt8, as role: Role) {
    guard isInside || role == .opening && !isObject else {
      keep(byte)
      return
    }
    switch role {
    case .opening:
      keep(byte)
      (isObject, isInside) = (true, true)
      startMember()
    case .comma:
      let lacksMember = lacksMember
      startMember()
      hasComma = true
      // The members before may all have been left out; where there was none, the comma makes the object none.
      if bytes.last != UInt8(ascii: "{") || lacksMember { keep(byte) }
    case .closing:
      if hasComma, lacksMember, bytes.last != UInt8(ascii: ",") { keep(UInt8(ascii: ",")) }
      isInside = false
      keep(byte)
    case .colon where valueStart == nil && !isPassedOver:
      hasMembers = true
      keep(byte)
      valueStart = bytes.count
      if isUnknown { passOver(from: memberStart) }
    case .colon, .content:
      guard !isPassedOver else { return }
      keep(byte)
      guard bytes.count - memberStart > Self.maximumLength else { return }
      hasMembers = true
      passOver(from: valueStart ?? memberStart)
      if valueStart != nil { keep(UInt8(ascii: "0")) }
    }
  }

  /// Whether nothing has come since the last comma, or the beginning.
  private var lacksMember: Bool {
    !isPassedOver && valueStart == nil && bytes[memberStart...].allSatisfy { $0 == UInt8(ascii: ",") }
  }

  private mutating func startMember() {
    (isPassedOver, memberStart, valueStart) = (false, bytes.count, nil)
  }

  private mutating func passOver(from start: Int) {
    bytes.removeSubrange(start...)
    isPassedOver = true
  }

  private mutating func keep(_ byte: UInt8) {
    if bytes.count < limit { bytes.append(byte) } else { isTooLong = true }
  }

  /// Whether the name of the member, which has just come, is a text and none of those to keep.
  private var isUnknown: Bool {
    let quote = UInt8(ascii: "\"")
    var name = bytes[memberStart...].dropLast()
    if name.first == UInt8(ascii: ",") { name.removeFirst() }
    guard name.count >= 2, name.first == quote, name.last == quote else { return false }
    // One with escapes may be a known one.
    guard !name.contains(UInt8(ascii: "\\")) else { return false }
    return !names.contains { $0.elementsEqual(name) }
  }
}
