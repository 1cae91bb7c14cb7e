/// JSON as a text, looked at before it is decoded: Foundation takes commas behind the last member, and of a member that is there twice
/// the first one, where browsers take the last. So whoever checks a text and whoever uses it may see different ones.
///
/// A mark of the byte order at the beginning is passed over, as some editors write it; a text in UTF-16 is none.
package struct JSONText {
  /// The text is no JSON by the rules (RFC 8259).
  package struct Malformed: Error {}

  private enum Next { case value, valueOrEnd, name, nameOrEnd, commaOrEnd, nothing }

  /// An object or a list that has been opened.
  private struct Container {
    /// The names so far, in UTF-16 as escapes write them; `nil` for a list.
    var names: Set<[UInt16]>?
  }

  private let bytes: UnsafeBufferPointer<UInt8>
  private var at = 0
  private var open: [Container] = []
  private var repeated: String?

  /// Returns the first name of an object's members that the object has had before, by what the names mean and not how they are written.
  ///
  /// - Parameters:
  ///   - bytes: The text.
  ///   - names: The names that matter, of the outermost object alone; without them all do, in all objects.
  /// - Throws: `Malformed`.
  /// - Complexity: O(*n*) time and memory in the length of the text, whatever is nested in it.
  package static func repeatedName(in bytes: [UInt8], of names: [String]? = nil) throws -> String? {
    guard String(validating: bytes, as: UTF8.self) != nil else { throw Malformed() }
    return try bytes.withUnsafeBufferPointer { bytes in
      var text = JSONText(bytes: bytes)
      try text.read(names.map { Set($0.map { Array($0.utf16) }) })
      return text.repeated
    }
  }

  private init(bytes: UnsafeBufferPointer<UInt8>) {
    self.bytes = bytes
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { at = 3 }
  }

  private mutating func read(_ known: Set<[UInt16]>?) throws {
    var next = Next.value
    while true {
      while let byte = peek, [0x20, 0x0A, 0x0D, 0x09].contains(byte) { at += 1 }
      guard let byte = peek else {
        guard next == .nothing else { throw Malformed() }
        return
      }
      switch (next, byte) {
      case (.valueOrEnd, UInt8(ascii: "]")), (.nameOrEnd, UInt8(ascii: "}")): next = close()
      case (.commaOrEnd, UInt8(ascii: "]")) where open.last?.names == nil: next = close()
      case (.commaOrEnd, UInt8(ascii: "}")) where open.last?.names != nil: next = close()
      case (.commaOrEnd, UInt8(ascii: ",")):
        at += 1
        next = open.last?.names == nil ? .value : .name
      case (.name, UInt8(ascii: "\"")), (.nameOrEnd, UInt8(ascii: "\"")):
        try readName(known)
        next = .value
      case (.value, UInt8(ascii: "{")), (.valueOrEnd, UInt8(ascii: "{")):
        at += 1
        open.append(Container(names: []))
        next = .nameOrEnd
      case (.value, UInt8(ascii: "[")), (.valueOrEnd, UInt8(ascii: "[")):
        at += 1
        open.append(Container(names: nil))
        next = .valueOrEnd
      case (.value, _), (.valueOrEnd, _):
        try readScalar(byte)
        next = afterValue
      default: throw Malformed()
      }
    }
  }

  private var peek: UInt8? { at < bytes.count ? bytes[at] : nil }
  private var afterValue: Next { open.isEmpty ? .nothing : .commaOrEnd }

  private mutating func close() -> Next {
    at += 1
    open.removeLast()
    return afterValue
  }

  private mutating func readName(_ known: Set<[UInt16]>?) throws {
    let start = at
    try readString()
    let name = meaning(of: bytes[(start + 1)..<(at - 1)])
    while let byte = peek, [0x20, 0x0A, 0x0D, 0x09].contains(byte) { at += 1 }
    guard peek == UInt8(ascii: ":") else { throw Malformed() }
    at += 1
    if let known, open.count > 1 || !known.contains(name) { return }
    if open[open.count - 1].names?.insert(name).inserted == false {
      repeated = repeated ?? String(decoding: name, as: UTF16.self)
    }
  }

  private mutating func readString() throws {
    at += 1
    while let byte = peek {
      at += 1
      switch byte {
      case UInt8(ascii: "\""): return
      case ..<0x20: throw Malformed()
      case UInt8(ascii: "\\"):
        guard let escape = peek else { throw Malformed() }
        at += 1
        if escape == UInt8(ascii: "u") {
          for _ in 0..<4 {
            guard let digit = peek, Self.digit(digit) != nil else { throw Malformed() }
            at += 1
          }
        } else if !"\"\\/bfnrt".utf8.contains(escape) {
          throw Malformed()
        }
      default: break
      }
    }
    throw Malformed()
  }

  private mutating func readScalar(_ byte: UInt8) throws {
    switch byte {
    case UInt8(ascii: "\""): try readString()
    case UInt8(ascii: "t"): try readWord("true")
    case UInt8(ascii: "f"): try readWord("false")
    case UInt8(ascii: "n"): try readWord("null")
    default: try readNumber()
    }
  }

  private mutating func readWord(_ word: StaticString) throws {
    let word = UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount)
    guard bytes[at...].starts(with: word) else { throw Malformed() }
    at += word.count
  }

  private mutating func readNumber() throws {
    if peek == UInt8(ascii: "-") { at += 1 }
    if peek == UInt8(ascii: "0") { at += 1 } else { try readDigits() }
    if peek == UInt8(ascii: ".") {
      at += 1
      try readDigits()
    }
    guard let byte = peek, byte | 0x20 == UInt8(ascii: "e") else { return }
    at += 1
    if let sign = peek, "+-".utf8.contains(sign) { at += 1 }
    try readDigits()
  }

  private mutating func readDigits() throws {
    let start = at
    while let byte = peek, (0x30...0x39).contains(byte) { at += 1 }
    guard at > start else { throw Malformed() }
  }

  /// The letters that a name stands for, without its quotes; the name has been read before.
  private func meaning(of name: Slice<UnsafeBufferPointer<UInt8>>) -> [UInt16] {
    guard name.contains(UInt8(ascii: "\\")) else { return Array(String(decoding: name, as: UTF8.self).utf16) }
    var units: [UInt16] = []
    var plain: [UInt8] = []
    func take() {
      units += Array(String(decoding: plain, as: UTF8.self).utf16)
      plain.removeAll()
    }
    var at = name.startIndex
    while at < name.endIndex {
      guard name[at] == UInt8(ascii: "\\") else {
        plain.append(name[at])
        at += 1
        continue
      }
      take()
      switch name[at + 1] {
      case UInt8(ascii: "u"):
        units.append(name[(at + 2)..<(at + 6)].reduce(0) { $0 << 4 | (Self.digit($1) ?? 0) })
        at += 4
      case UInt8(ascii: "b"): units.append(8)
      case UInt8(ascii: "f"): units.append(12)
      case UInt8(ascii: "n"): units.append(10)
      case UInt8(ascii: "r"): units.append(13)
      case UInt8(ascii: "t"): units.append(9)
      case let other: units.append(UInt16(other))
      }
      at += 2
    }
    take()
    return units
  }

  private static func digit(_ byte: UInt8) -> UInt16? {
    switch byte {
    case 0x30...0x39: UInt16(byte - 0x30)
    case 0x41...0x46, 0x61...0x66: UInt16((byte | 0x20) - 0x61 + 10)
    default: nil
    }
  }
}
