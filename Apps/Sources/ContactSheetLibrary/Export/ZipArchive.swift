import Foundation

/// A zip archive of files that are stored as they are, planned before the first byte is sent: sizes and
/// checksums are known, so the whole length is, too. Long archives and long files use the 64-bit form.
struct ZipArchive: Sendable {
  /// A file in the archive.
  struct Entry: Sendable {
    enum Source: Sendable {
      case file(String)
      case bytes([UInt8])
    }

    var name: String
    var source: Source
    var size: Int
    var checksum: UInt32
    var date: Timestamp
  }

  /// A piece of the archive, sent in order.
  enum Piece: Sendable {
    case bytes([UInt8])
    case file(String, size: Int, checksum: UInt32)
  }

  let entries: [Entry]

  private static let limit32 = 0xFFFF_FFFF

  /// The pieces of the archive and its length.
  func pieces() -> (pieces: [Piece], length: Int) {
    var pieces: [Piece] = []
    var directory: [UInt8] = []
    var offset = 0
    for entry in entries {
      let header = Self.localHeader(entry)
      directory += Self.directoryHeader(entry, offset: offset)
      pieces.append(.bytes(header))
      switch entry.source {
      case .bytes(let bytes): pieces.append(.bytes(bytes))
      case .file(let path): pieces.append(.file(path, size: entry.size, checksum: entry.checksum))
      }
      offset += header.count + entry.size
    }
    let end = Self.end(count: entries.count, directory: directory.count, offset: offset)
    pieces.append(.bytes(directory + end))
    return (pieces, offset + directory.count + end.count)
  }

  private static func localHeader(_ entry: Entry) -> [UInt8] {
    let isLarge = entry.size >= limit32
    var extra: [UInt8] = []
    if isLarge { extra = little(1, 2) + little(16, 2) + little(entry.size, 8) + little(entry.size, 8) }
    let name = Array(entry.name.utf8)
    return little(0x0403_4B50, 4) + common(entry, needed: isLarge ? 45 : 20)
      + little(min(entry.size, limit32), 4) + little(min(entry.size, limit32), 4)
      + little(name.count, 2) + little(extra.count, 2) + name + extra
  }

  private static func directoryHeader(_ entry: Entry, offset: Int) -> [UInt8] {
    var extra: [UInt8] = []
    if entry.size >= limit32 { extra += little(entry.size, 8) + little(entry.size, 8) }
    if offset >= limit32 { extra += little(offset, 8) }
    let needed = extra.isEmpty ? 20 : 45
    if !extra.isEmpty { extra = little(1, 2) + little(extra.count, 2) + extra }
    let name = Array(entry.name.utf8)
    // Made on Unix; a regular file that everybody may read.
    return little(0x0201_4B50, 4) + little(3 << 8 | needed, 2) + common(entry, needed: needed)
      + little(min(entry.size, limit32), 4) + little(min(entry.size, limit32), 4)
      + little(name.count, 2) + little(extra.count, 2) + little(0, 2) + little(0, 2) + little(0, 2)
      + little(0o100644 << 16, 4) + little(min(offset, limit32), 4) + name + extra
  }

  /// The fields of both headers: version, flags (names in UTF-8), method (stored), time, date, checksum.
  private static func common(_ entry: Entry, needed: Int) -> [UInt8] {
    let (time, date) = dosTime(entry.date)
    return little(needed, 2) + little(0x0800, 2) + little(0, 2) + little(time, 2) + little(date, 2)
      + little(Int(entry.checksum), 4)
  }

  private static func end(count: Int, directory: Int, offset: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    if count >= 0xFFFF || directory >= limit32 || offset >= limit32 {
      bytes += little(0x0606_4B50, 4) + little(44, 8) + little(3 << 8 | 45, 2) + little(45, 2) + little(0, 4)
      bytes += little(0, 4) + little(count, 8) + little(count, 8) + little(directory, 8) + little(offset, 8)
      bytes += little(0x0706_4B50, 4) + little(0, 4) + little(offset + directory, 8) + little(1, 4)
    }
    bytes += little(0x0605_4B50, 4) + little(0, 2) + little(0, 2)
    bytes += little(min(count, 0xFFFF), 2) + little(min(count, 0xFFFF), 2)
    return bytes + little(min(directory, limit32), 4) + little(min(offset, limit32), 4) + little(0, 2)
  }

  private static func little(_ value: Int, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
  }

  /// The time as DOS counts it: from 1980 to 2107, in steps of two seconds.
  private static func dosTime(_ moment: Timestamp) -> (time: Int, date: Int) {
    let text = moment.iso8601.split { "-T:Z".contains($0) }.compactMap { Int($0) }
    guard text.count == 6, (1980...2107).contains(text[0]) else { return (0, 1 << 5 | 1) }
    return (text[3] << 11 | text[4] << 5 | text[5] / 2, (text[0] - 1980) << 9 | text[1] << 5 | text[2])
  }
}
