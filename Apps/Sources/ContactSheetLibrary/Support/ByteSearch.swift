import Foundation

// By the C library: a debug build looks at each byte of the pages whenever the program starts, and would take a third of a start for it.
extension [UInt8] {
  /// Returns the position of the first byte in a range that is this one, or nil where there is none.
  func position(of byte: UInt8, in range: Range<Int>) -> Int? {
    withUnsafeBytes { bytes in
      guard !range.isEmpty, let base = bytes.baseAddress else { return nil }
      return memchr(base + range.lowerBound, Int32(byte), range.count).map {
        $0 - UnsafeMutableRawPointer(mutating: base)
      }
    }
  }

  /// Returns the position of the first two bytes in a range that follow one another and are these, or nil where there are none.
  package func position(of first: UInt8, _ second: UInt8, in range: Range<Int>) -> Int? {
    var next = range.lowerBound
    while let found = position(of: first, in: next..<range.upperBound), found + 1 < range.upperBound {
      if self[found + 1] == second { return found }
      next = found + 1
    }
    return nil
  }

  /// The positions of lines, without the newlines that end them. What follows the last newline is a line, too.
  package var lines: [Range<Int>] {
    var lines: [Range<Int>] = []
    var start = 0
    while let end = position(of: UInt8(ascii: "\n"), in: start..<count) {
      lines.append(start..<end)
      start = end + 1
    }
    return lines + [start..<count]
  }
}
