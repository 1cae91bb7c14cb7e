/// Reads the parts of a key back, one after another, as ``OrderKeyWriter`` wrote them.
package struct OrderKeyReader {
  private let bytes: [UInt8]
  /// Where the next part begins.
  package private(set) var offset = 0
  /// Whether the last part ended with a zero: the primary key then has a tag.
  private var isOpen = false
  /// The mask by which the bits of the last part are turned.
  private var mask: UInt8 = 0

  package init(_ key: [UInt8]) { bytes = key }

  /// The bytes of the parts that were read.
  package var passed: ArraySlice<UInt8> { bytes[..<offset] }

  // A key begins with the parts that were read of it, and so do others with the same values. So do, where the last ended
  // with a zero, those that have more bytes there: the zero is then one of theirs, and FF behind it says so.

  /// Not after the first key with the values that were read, and after all before it.
  package var start: [UInt8] { isOpen && mask != 0 ? passed + [1] : Array(passed) }

  /// After the last key with the values that were read, and not after any behind it; nil where there can be none.
  package var end: [UInt8]? {
    if isOpen, mask == 0 { return passed + [0xFF] }
    var successor = Array(passed)
    while successor.last == 0xFF { successor.removeLast() }
    guard let last = successor.indices.last else { return nil }
    successor[last] += 1
    return successor
  }

  /// Passes over a part.
  /// - Returns: The column's value; nil where the key has only what was made of it, such as the folded text.
  package mutating func next(_ part: OrderPart) -> FetchValue? {
    // A descending part has all its bits turned.
    mask = part.isDescending ? 0xFF : 0
    let isNull = bytes[offset] ^ mask != 2
    offset += 1
    isOpen = false
    if isNull { return part.source == .value ? .null : nil }
    guard part.source == .value else {
      _ = open(mask)
      return nil
    }
    return value(part.type, mask)
  }

  /// The primary key, which ends the key.
  package mutating func identifier(_ type: FetchColumnType) -> FetchValue {
    if isOpen { offset += 1 }
    isOpen = false
    mask = 0
    return value(type, 0)
  }

  private mutating func value(_ type: FetchColumnType, _ mask: UInt8) -> FetchValue {
    switch type {
    case .integer, .date: return .integer(Int64(bitPattern: word(mask) ^ (1 << 63)))
    case .real, .dateSeconds:
      let bits = word(mask)
      return .real(Double(bitPattern: bits >> 63 == 1 ? bits ^ (1 << 63) : ~bits))
    case .text, .uuidText, .dateText: return .text(String(decoding: open(mask), as: UTF8.self))
    case .blob: return .blob(open(mask))
    case .uuid:
      defer { offset += 16 }
      return .blob(bytes[offset..<offset + 16].map { $0 ^ mask })
    }
  }

  private mutating func word(_ mask: UInt8) -> UInt64 {
    defer { offset += 8 }
    return bytes[offset..<offset + 8].reduce(0) { $0 << 8 | UInt64($1 ^ mask) }
  }

  /// Bytes of any number, up to the zero that ends them.
  private mutating func open(_ mask: UInt8) -> [UInt8] {
    var found: [UInt8] = []
    isOpen = true
    while true {
      let byte = bytes[offset] ^ mask
      offset += 1
      if byte == 0 {
        guard offset < bytes.count, bytes[offset] ^ mask == 0xFF else { return found }
        offset += 1
      }
      found.append(byte)
    }
  }
}
