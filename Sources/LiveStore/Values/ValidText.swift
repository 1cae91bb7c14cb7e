extension FetchRawValue {
  /// Whether this is no text, or text that is valid UTF-8. A database keeps whatever bytes it is given for text; no `String` has
  /// them, and one that was made of them is another text, for order, comparisons and identity.
  /// - Complexity: O(*n*) for *n* bytes, eight at a time where they are ASCII.
  @inline(__always)
  package var isValid: Bool { kind != .text || bytes.isUTF8 }

  /// A copy of the value; text that is no valid UTF-8 as bytes, so that no two values have one copy.
  package var exact: FetchValue { isValid ? FetchValue(self) : .blob(Array(bytes)) }
}

extension UnsafeRawBufferPointer {
  fileprivate var isUTF8: Bool {
    var position = 0
    while count - position >= 8 {
      guard loadUnaligned(fromByteOffset: position, as: UInt64.self) & 0x8080_8080_8080_8080 == 0 else {
        return isUTF8(from: position)
      }
      position += 8
    }
    while position < count {
      guard self[position] < 0x80 else { return isUTF8(from: position) }
      position += 1
    }
    return true
  }

  /// Compares the bytes with their decoding: the standard library replaces those that are not valid.
  private func isUTF8(from position: Int) -> Bool {
    let rest = UnsafeRawBufferPointer(rebasing: self[position...])
    return String(decoding: rest, as: UTF8.self).utf8.elementsEqual(rest)
  }
}
