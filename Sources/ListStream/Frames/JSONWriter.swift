internal import Snapshots

/// Writes JSON into bytes: no more than frames need.
struct JSONWriter {
  private(set) var bytes: [UInt8] = []
  /// Whether the next member or element has one before it.
  private var needsComma = false

  mutating func reserve(_ count: Int) {
    bytes.reserveCapacity(bytes.count + count)
  }

  mutating func beginObject() { open("{") }
  mutating func endObject() { close("}") }
  mutating func beginArray() { open("[") }
  mutating func endArray() { close("]") }

  mutating func key(_ name: String) {
    separate()
    write(name)
    bytes.append(UInt8(ascii: ":"))
    needsComma = false
  }

  mutating func string(_ text: String) {
    separate()
    write(text)
  }

  mutating func integer(_ number: Int) {
    separate()
    bytes += String(number).utf8
  }

  mutating func null() {
    separate()
    bytes += "null".utf8
  }

  /// Takes over a value that is JSON already. Its line breaks, which JSON allows between tokens only, become spaces.
  mutating func raw(_ value: [UInt8]) {
    separate()
    bytes += value
  }

  mutating func strings(_ texts: some Sequence<String>) {
    beginArray()
    for text in texts { string(text) }
    endArray()
  }

  mutating func path(_ path: ListIndexPath) {
    integer(path.section)
    integer(path.item)
  }

  private mutating func open(_ brace: Unicode.Scalar) {
    separate()
    bytes.append(UInt8(ascii: brace))
    needsComma = false
  }

  private mutating func close(_ brace: Unicode.Scalar) {
    bytes.append(UInt8(ascii: brace))
    needsComma = true
  }

  private mutating func separate() {
    if needsComma { bytes.append(UInt8(ascii: ",")) }
    needsComma = true
  }

  private mutating func write(_ text: String) {
    bytes.append(UInt8(ascii: "\""))
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\""): bytes += [UInt8(ascii: "\\"), UInt8(ascii: "\"")]
      case UInt8(ascii: "\\"): bytes += [UInt8(ascii: "\\"), UInt8(ascii: "\\")]
      case 0..<0x20:
        let digits = String(byte, radix: 16)
        bytes += "\\u00\(digits.count < 2 ? "0" : "")\(digits)".utf8
      default: bytes.append(byte)
      }
    }
    bytes.append(UInt8(ascii: "\""))
  }
}
