import Foundation

/// The first hundred bytes of a database, of which most are the same in all databases that this program makes.
enum DatabaseHeader {
  static let size = 100
  private static let pageSize = 4096
  /// The bytes that are always the same, by offset: the name of the format, the bytes that pages keep free and the shares of payload,
  /// that free pages are not given back, and those that are kept for later.
  private static let fixed: [Int: [UInt8]] = [
    0: Array("SQLite format 3\0".utf8), 20: [0, 64, 32, 32], 52: [0, 0, 0, 0], 64: [0, 0, 0, 0],
    72: [UInt8](repeating: 0, count: 20),
  ]
  /// The numbers that are written with the first table, by offset: the format of the schema, and the encoding of texts, which is
  /// UTF-8. Of a database whose first tables are in its journal they are 0.
  private static let written: [Int: [UInt8]] = [44: [0, 0, 0, 4], 56: [0, 0, 0, 1]]

  /// Returns whether a database's header is none that SQLite would write for this program, where SQLite itself
  /// may notice nothing, or call the file one that cannot be written. Blocks.
  static func isDamaged(_ path: String) -> Bool {
    guard let file = try? OpenFile(reading: path) else { return false }
    let bytes = file.bytes(at: 0, count: size)
    guard bytes.count == size else { return false }
    let isSound = fixed.allSatisfy { offset, value in
      bytes[offset..<offset + value.count].elementsEqual(value)
    }
    let isWritten = written.allSatisfy { offset, value in
      let found = bytes[offset..<offset + value.count]
      return found.elementsEqual(value) || found.allSatisfy { $0 == 0 }
    }
    // Each is 1 with a journal of the old kind, and 2 with one of the new.
    return !isSound || !isWritten || !(1...2).contains(bytes[18]) || !(1...2).contains(bytes[19])
  }

  /// The number that a database has for programs to use as they like (`user_version`); `nil` where the bytes are no header.
  static func number(_ header: [UInt8]) -> Int32? {
    guard header.count == size, let name = fixed[0], header.starts(with: name) else { return nil }
    return Int32(bitPattern: header.bigEndian(60))
  }

  /// Returns whether a header says that the database is written by a journal of the new kind (`-wal`).
  static func hasJournalOfNewKind(_ header: [UInt8]) -> Bool { header[18] == 2 && header[19] == 2 }

  /// Makes the header of a copy anew, so that SQLite reads the pages behind it. Their number is that which the file has, and
  /// none counts as free. Blocks.
  ///
  /// - Throws: where the copy cannot be written.
  static func rebuild(_ path: String) throws {
    guard let length = Files.size(path), length >= pageSize else { return }
    let handle = try FileHandle(forUpdating: URL(fileURLWithPath: path))
    defer { try? handle.close() }
    var values = fixed.merging(written) { $1 }
    if length.isMultiple(of: pageSize) { values[16] = [UInt8(pageSize >> 8), UInt8(pageSize & 255)] }
    values[18] = [2, 2]
    values[28] = [UInt8](repeating: 0, count: 12)
    for (offset, value) in values {
      try handle.seek(toOffset: UInt64(offset))
      try handle.write(contentsOf: value)
    }
  }
}
