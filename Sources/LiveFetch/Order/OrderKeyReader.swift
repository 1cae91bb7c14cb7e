/// Reads the parts of a key back, one after another, as ``OrderKeyWriter`` wrote them.
struct OrderKeyReader {
  private let bytes: [UInt8]
  /// Where the next part begins.
  private(set) var offset = 0
  /// Whether the last part ended with a zero: the primary key then has a tag.
  private var isOpen = false

  init(_ key: [UInt8]) { bytes = key }

  /// The bytes of the parts that were read.
  var passed: ArraySlice<UInt8> { bytes[..<offset] }

  /// Passes over a part.
  /// - Returns: The column's value; nil where the key has only what was made of it, such as the folded text.
  mutating func next(_ part: OrderPart) -> FetchValue? {
    // A descending part has all its bits turned.
    let turn: UInt8 = part.isDescending ? 0xFF : 0
    let isNull = bytes[offset] ^ turn != 2
    offset += 1
    isOpen = false
    if isNull { return part.source == .value ? .null : nil }
    guard part.source == .value else {
      _ = open(turn)
      return nil
    }
    return value(part.type, turn)
  }

  /// The primary key, which ends the key.
  mutating func identifier(_ type: FetchColumnType) -> FetchValue {
    if isOpen { offset += 1 }
    return value(type, 0)
  }

  private mutating func value(_ type: FetchColumnType, _ turn: UInt8) -> FetchValue {
    switch type {
    case .integer, .date: return .integer(Int64(bitPattern: word(turn) ^ (1 << 63)))
    case .real, .dateSeconds:
      let bits = word(turn)
      return .real(Double(bitPattern: bits >> 63 == 1 ? bits ^ (1 << 63) : ~bits))
    case .text, .uuidText, .dateText: return .text(String(decoding: open(turn), as: UTF8.self))
    case .blob: return .blob(open(turn))
    case .uuid:
      defer { offset += 16 }
      return .blob(bytes[offset..<offset + 16].map { $0 ^ turn })
    }
  }

  private mutating func word(_ turn: UInt8) -> UInt64 {
    defer { offset += 8 }
    return bytes[offset..<offset + 8].reduce(0) { $0 << 8 | UInt64($1 ^ turn) }
  }

  /// Bytes of any number, up to the zero that ends them.
  private mutating func open(_ turn: UInt8) -> [UInt8] {
    var found: [UInt8] = []
    isOpen = true
    while true {
      let byte = bytes[offset] ^ turn
      offset += 1
      if byte == 0 {
        guard offset < bytes.count, bytes[offset] ^ turn == 0xFF else { return found }
        offset += 1
      }
      found.append(byte)
    }
  }
}
