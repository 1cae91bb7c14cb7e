/// Writes a row's position in the order as bytes that `memcmp` compares.
///
/// ```
///  section │ sort keys │ primary key      each  =  tag, value
/// ```
///
/// The tag says whether there is a value and puts NULLs first or last; the primary key, which is never NULL,
/// has none except behind text or bytes. Numbers are eight bytes, the most significant first, with the sign turned so
/// that negative ones come first. Text and bytes end with a zero; a zero inside becomes 00 FF, and since no tag is FF,
/// nothing that follows can be taken for it. A descending part has all its bits turned.
public struct OrderKeyWriter: Sendable {
  /// The bytes written so far.
  public private(set) var bytes: [UInt8] = []
  private var start = 0
  /// Whether what was written last ends with a zero: a primary key that began with FF would then seem to go on with it.
  private var isOpen = false

  /// Creates a writer that has written nothing.
  public init() {
    bytes.reserveCapacity(64)
  }

  /// Forgets everything written; the memory stays.
  public mutating func reset() {
    bytes.removeAll(keepingCapacity: true)
    isOpen = false
  }

  /// Removes the keys that were written from an offset on.
  package mutating func forget(from offset: Int) {
    bytes.removeSubrange(offset...)
    isOpen = false
  }

  /// A position within a key that is being written: what follows depends on what is before it.
  package struct Mark: Sendable {
    fileprivate var offset = 0
    fileprivate var isOpen = false
  }

  /// The end of what was written so far.
  package var mark: Mark { Mark(offset: bytes.count, isOpen: isOpen) }

  /// Removes what was written since a mark was taken, so that the key goes on from there.
  package mutating func rewind(to mark: Mark) {
    bytes.removeSubrange(mark.offset...)
    isOpen = mark.isOpen
  }

  /// Writes a key that is there already.
  package mutating func append(_ key: [UInt8]) {
    bytes += key
    isOpen = false
  }

  /// Writes a value.
  /// - Returns: false when a column of that type cannot hold the value; the key is then of no use.
  public mutating func append(_ value: FetchValue, _ component: OrderComponent) -> Bool {
    append(value, component.part)
  }

  /// Writes a value.
  /// - Returns: false when a column of that type cannot hold the value; the key is then of no use.
  package mutating func append(_ value: FetchValue, _ part: OrderPart) -> Bool {
    guard part.type.admits(value) else { return false }
    begin(isNull: value.isNull, part)
    switch part.source {
    case .value: appendValue(value, part.type)
    case .folded:
      if case .text(let text) = value { appendText(TextFolding.fold(text)) }
    case .section(let kind, let zone):
      if !value.isNull { appendText(kind.name(of: value, part.type, in: zone)) }
    }
    finish(part)
    return true
  }

  /// Writes a value where the database has it.
  /// - Returns: false when a column of that type cannot hold the value; the key is then of no use.
  package mutating func append(_ raw: FetchRawValue, _ part: OrderPart) -> Bool {
    guard part.source == .value, raw.kind != .null else { return append(FetchValue(raw), part) }
    begin(isNull: false, part)
    guard appendRaw(raw, part.type) else { return false }
    finish(part)
    return true
  }

  /// Writes the primary key.
  /// - Returns: false when the value is NULL or not of the type.
  public mutating func appendIdentifier(_ value: FetchValue, _ type: FetchColumnType) -> Bool {
    guard !value.isNull, type.admits(value) else { return false }
    separateIdentifier()
    appendValue(value, type)
    // The key ends with it.
    isOpen = false
    return true
  }

  /// Writes the primary key where the database has it.
  /// - Returns: false when the value is NULL or not of the type.
  package mutating func appendIdentifier(_ raw: FetchRawValue, _ type: FetchColumnType) -> Bool {
    separateIdentifier()
    guard raw.kind != .null, appendRaw(raw, type) else { return false }
    isOpen = false
    return true
  }

  private mutating func separateIdentifier() {
    if isOpen { bytes.append(2) }
    isOpen = false
  }

  private mutating func appendRaw(_ raw: FetchRawValue, _ type: FetchColumnType) -> Bool {
    switch (type, raw.kind) {
    case (.integer, .integer), (.date, .integer): appendInteger(raw.integer)
    case (.real, .real), (.dateSeconds, .real): appendReal(raw.real)
    case (.real, .integer), (.dateSeconds, .integer):
      guard let number = Double(exactly: raw.integer) else { return false }
      appendReal(number)
    case (.text, .text), (.uuidText, .text), (.dateText, .text), (.blob, .blob): appendBytes(raw.bytes)
    case (.uuid, .blob):
      guard raw.bytes.count == 16 else { return false }
      bytes.append(contentsOf: raw.bytes)
    default: return false
    }
    return true
  }

  /// Writes the tag of a part.
  private mutating func begin(isNull: Bool, _ part: OrderPart) {
    start = bytes.count
    // Turned bits would turn the tags as well: they are chosen so that they are right afterwards.
    let tag: UInt8 = isNull ? (part.nullsFirst != part.isDescending ? 1 : 3) : 2
    bytes.append(tag)
    isOpen = false
  }

  /// Ends a part.
  private mutating func finish(_ part: OrderPart) {
    guard part.isDescending else { return }
    for position in start..<bytes.count { bytes[position] = ~bytes[position] }
  }

  private mutating func appendValue(_ value: FetchValue, _ type: FetchColumnType) {
    switch value {
    case .null: break
    case .integer(let number):
      if type == .real || type == .dateSeconds { appendReal(Double(number)) } else { appendInteger(number) }
    case .real(let number): appendReal(number)
    case .text(let text): appendText(text)
    case .blob(let blob):
      if type == .uuid { bytes += blob } else { blob.withUnsafeBytes { appendBytes($0) } }
    }
  }

  private mutating func appendInteger(_ number: Int64) {
    append(UInt64(bitPattern: number) ^ (1 << 63))
  }

  private mutating func appendReal(_ number: Double) {
    // The two zeros are one number. A negative one has all bits turned: the larger, the earlier.
    let bits = (number == 0 ? 0.0 : number).bitPattern
    append(bits >> 63 == 0 ? bits | (1 << 63) : ~bits)
  }

  private mutating func append(_ bits: UInt64) {
    withUnsafeBytes(of: bits.bigEndian) { bytes.append(contentsOf: $0) }
  }

  private mutating func appendText(_ text: String) {
    var text = text
    text.withUTF8 { appendBytes(UnsafeRawBufferPointer($0)) }
  }

  /// Writes bytes of any number.
  private mutating func appendBytes(_ raw: UnsafeRawBufferPointer) {
    var rest = raw
    while let zero = rest.firstIndex(of: 0) {
      bytes.append(contentsOf: UnsafeRawBufferPointer(rebasing: rest[...zero]))
      bytes.append(0xFF)
      rest = UnsafeRawBufferPointer(rebasing: rest[(zero + 1)...])
    }
    bytes.append(contentsOf: rest)
    bytes.append(0)
    isOpen = true
  }
}
