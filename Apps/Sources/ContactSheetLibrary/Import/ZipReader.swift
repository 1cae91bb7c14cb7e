import CZlibShim
import Foundation

/// Reads zip archives that others made, which may be wrong in every way.
///
/// No name in an archive ever becomes a path. Sizes are believed only as an upper bound: an entry that gives more
/// than it says is refused at the first byte too many. Entries that share bytes, as in archives that blow up to
/// many times their size, are refused before anything is read.
struct ZipReader: Sendable {
  /// A file in the archive.
  struct Entry: Sendable, Hashable {
    var name: String
    var isCompressed: Bool
    var compressedSize: Int
    var size: Int
    var checksum: UInt32
    var offset: Int
    /// Why the entry cannot be read, where it cannot.
    var problem: String?
  }

  /// The archive's file.
  let path: String
  /// The entries of the archive, in its own order; folders are left out.
  let entries: [Entry]
  private let directoryOffset: Int

  private static let maximumEntries = 1_000_000
  private static let directoryLimit = 256 << 20
  /// From this size on, a file that shrinks to less than a two-hundredth is no photo.
  private static let largeSize = 64 << 20
  private static let maximumRatio = 200

  /// Whether a file begins as zip archives do.
  static func isArchive(_ path: String) -> Bool {
    let head = (try? OpenFile(reading: path))?.bytes(at: 0, count: 4)
    return head == [0x50, 0x4B, 3, 4] || head == [0x50, 0x4B, 5, 6]
  }

  /// Whether a file ends as zip archives do, however it begins.
  static func endsAsArchive(_ path: String) -> Bool {
    guard let file = try? OpenFile(reading: path) else { return false }
    let size = file.size
    let start = max(0, size - 65_557)
    return end(in: file.bytes(at: start, count: size - start)) != nil
  }

  /// Reads the list of what an archive holds.
  ///
  /// - Throws: `ContactSheetError.Code.damaged` where it is none, or a trick.
  init(_ path: String) throws {
    self.path = path
    let file = try ArchiveBytes(path)
    let tail = try file.read(max(0, file.size - 65_557), min(file.size, 65_557))
    guard let end = Self.end(in: tail) else { throw Self.damaged(path, "it has no list of its files") }
    var (count, length, offset) = (
      tail.little(end + 10, 2), tail.little(end + 12, 4), tail.little(end + 16, 4)
    )
    if end >= 20, tail.little(end - 20, 4) == 0x0706_4B50 {
      let recordOffset = tail.little(end - 12, 8)
      let record = try file.read(recordOffset, 56)
      guard record.little(0, 4) == 0x0606_4B50 else {
        throw Self.damaged(path, "its list is not where it says")
      }
      (count, length, offset) = (record.little(32, 8), record.little(40, 8), record.little(48, 8))
    }
    guard (0...Self.maximumEntries).contains(count), (0...Self.directoryLimit).contains(length) else {
      throw Self.damaged(path, "its list is too long")
    }
    let directory = try file.read(offset, length)
    directoryOffset = offset
    var entries: [Entry] = []
    var at = 0
    for _ in 0..<count {
      guard at + 46 <= directory.count, directory.little(at, 4) == 0x0201_4B50 else {
        throw Self.damaged(path, "its list ends too early")
      }
      let next = at + 46 + [28, 30, 32].map { directory.little(at + $0, 2) }.reduce(0, +)
      guard next <= directory.count else { throw Self.damaged(path, "its list ends too early") }
      if let entry = Self.entry(directory, at) { entries.append(entry) }
      at = next
    }
    var bound = 0
    for entry in entries.sorted(by: { $0.offset < $1.offset }) {
      // Each of the numbers may be anything: compared first, and then added to.
      guard entry.offset >= bound, entry.offset <= directoryOffset,
        entry.compressedSize <= directoryOffset - entry.offset - 30
      else { throw Self.damaged(path, "its files lie over each other") }
      bound = entry.offset + 30 + max(0, entry.compressedSize)
    }
    self.entries = entries
  }

  /// The last record of the archive's end in its last bytes.
  private static func end(in tail: [UInt8]) -> Int? {
    guard tail.count >= 22 else { return nil }
    return stride(from: tail.count - 22, through: 0, by: -1).first { at in
      tail[at] == 0x50 && tail.little(at, 4) == 0x0605_4B50
        && at + 22 + tail.little(at + 20, 2) == tail.count
    }
  }

  private static func entry(_ bytes: [UInt8], _ at: Int) -> Entry? {
    let nameLength = bytes.little(at + 28, 2)
    let extraStart = at + 46 + nameLength
    let extraEnd = extraStart + bytes.little(at + 30, 2)
    let name = String(decoding: bytes[(at + 46)..<extraStart], as: UTF8.self)
    guard !name.endsExactly(with: "/") else { return nil }
    let (flags, method) = (bytes.little(at + 8, 2), bytes.little(at + 10, 2))
    var (compressed, size, offset) = (
      bytes.little(at + 20, 4), bytes.little(at + 24, 4), bytes.little(at + 42, 4)
    )
    var field = extraStart
    while field + 4 <= extraEnd {
      let length = bytes.little(field + 2, 2)
      var value = field + 4
      let end = min(extraEnd, value + length)
      if bytes.little(field, 2) == 1 {
        for part in [\Wide.size, \.compressed, \.offset] {
          var wide = Wide(size: size, compressed: compressed, offset: offset)
          guard wide[keyPath: part] == 0xFFFF_FFFF, value + 8 <= end else { continue }
          wide[keyPath: part] = bytes.little(value, 8)
          (size, compressed, offset) = (wide.size, wide.compressed, wide.offset)
          value += 8
        }
      }
      field += 4 + length
    }
    // The file's kind on Unix: a link is no file.
    let isLink = bytes.little(at + 4, 2) >> 8 == 3 && bytes.little(at + 40, 2) & 0xF000 == 0xA000
    return Entry(
      name: name, isCompressed: method == 8, compressedSize: compressed, size: size,
      checksum: UInt32(truncatingIfNeeded: bytes.little(at + 16, 4)), offset: offset,
      problem: problem(name, flags, method, compressed, size, isLink))
  }

  private struct Wide {
    var size: Int
    var compressed: Int
    var offset: Int
  }

  private static func problem(
    _ name: String, _ flags: Int, _ method: Int, _ compressed: Int, _ size: Int, _ isLink: Bool
  ) -> String? {
    let leadsUp = name.parts(between: "/").contains { $0.isExactly("..") }
    if name.beginsExactly(with: "/") || name.containsByte(of: "\\") || name.containsByte(of: "\0") || leadsUp
    {
      return "its name leads out of the archive"
    }
    if isLink { return "it is a link and not a file" }
    if flags & 1 != 0 { return "it is encrypted" }
    if method != 0 && method != 8 { return "it is compressed in a way that ContactSheet does not know" }
    if method == 0 && compressed != size { return "its two sizes contradict each other" }
    if compressed < 0 || size < 0 { return "it has no size" }
    if size > largeSize, size / max(1, compressed) > maximumRatio {
      return "it blows up to many times its size"
    }
    return nil
  }

  private static func damaged(_ path: String, _ what: String) -> ContactSheetError {
    ContactSheetError(
      .damaged, "“\(ImportFile(path: path).name)” cannot be read as a zip archive: \(what).")
  }
}

// MARK: Reading what is in it

extension ZipReader {
  /// Reads a file of the archive, a piece at a time. Blocks.
  ///
  /// - Parameters:
  ///   - limit: How many bytes are too many.
  ///   - write: Takes the bytes in order. What it gets is right only if this function returns.
  /// - Throws: `ContactSheetError` that names the file.
  func read(_ entry: Entry, limit: Int, to write: ([UInt8]) throws -> Void) throws {
    if let problem = entry.problem { throw Self.refused(entry, .damaged, problem) }
    guard entry.size <= limit else {
      throw Self.refused(entry, .tooLarge, "it is larger than the limit of \(limit >> 20) MB")
    }
    let file = try ArchiveBytes(path)
    let header = try file.read(entry.offset, 30)
    let start = entry.offset + 30 + header.little(26, 2) + header.little(28, 2)
    guard header.little(0, 4) == 0x0403_4B50, entry.compressedSize <= directoryOffset - start else {
      throw Self.refused(entry, .damaged, "it is not where the archive says")
    }
    var checksum = CRC32()
    var count = 0
    func take(_ bytes: [UInt8]) throws {
      count += bytes.count
      guard count <= entry.size else {
        throw Self.refused(entry, .damaged, "it is longer than the archive says")
      }
      bytes.withUnsafeBytes { checksum.update($0) }
      try write(bytes)
    }
    if entry.isCompressed {
      try inflate(entry, file, start, take)
    } else {
      try file.pieces(start, entry.compressedSize, take)
    }
    guard count == entry.size, checksum.value == entry.checksum else {
      throw Self.refused(entry, .damaged, "it is not what the archive says")
    }
  }

  private func inflate(
    _ entry: Entry, _ file: ArchiveBytes, _ start: Int, _ take: ([UInt8]) throws -> Void
  ) throws {
    guard let inflater = cz_inflate_start() else {
      throw ContactSheetError(.internal, "There is no memory to unpack “\(entry.name)”.")
    }
    defer { cz_inflate_end(inflater) }
    var isOver = false
    try file.pieces(start, entry.compressedSize) { piece in
      var rest = piece[...]
      while !isOver {
        var (read, written, result) = (0, 0, Int32(0))
        let bytes = [UInt8](unsafeUninitializedCapacity: 128 << 10) { target, count in
          result = rest.withUnsafeBufferPointer { source in
            cz_inflate(
              inflater, source.baseAddress, source.count, target.baseAddress, target.count, &read, &written)
          }
          count = written
        }
        guard result >= 0 else { throw Self.refused(entry, .damaged, "its compressed data is damaged") }
        rest = rest.dropFirst(read)
        if !bytes.isEmpty { try take(bytes) }
        isOver = result == 1
        if read == 0, written == 0 { break }
      }
    }
    guard isOver else { throw Self.refused(entry, .truncated, "its compressed data ends too early") }
  }

  private static func refused(
    _ entry: Entry, _ code: ContactSheetError.Code, _ what: String
  ) -> ContactSheetError {
    ContactSheetError(code, "“\(TextCleaning.fileName(entry.name))” was not imported: \(what).")
  }
}

/// The bytes of an archive's file.
private final class ArchiveBytes {
  let size: Int
  private let path: String
  private let handle: FileHandle

  init(_ path: String) throws(ContactSheetError) {
    guard let handle = Files.handle(path), let size = Files.size(path) else {
      throw ContactSheetError(.unreadable, "“\(PathBytes.shown(path))” could not be read.")
    }
    (self.path, self.handle, self.size) = (path, handle, size)
  }

  deinit { try? handle.close() }

  func read(_ offset: Int, _ count: Int) throws -> [UInt8] {
    guard offset >= 0, count >= 0, offset <= size, count <= size - offset else { throw endsEarly }
    try handle.seek(toOffset: UInt64(offset))
    var bytes: [UInt8] = []
    while bytes.count < count {
      guard let piece = try handle.read(upToCount: count - bytes.count), !piece.isEmpty else {
        throw endsEarly
      }
      bytes += piece
    }
    return bytes
  }

  func pieces(_ offset: Int, _ count: Int, _ take: ([UInt8]) throws -> Void) throws {
    var at = offset
    while at < offset + count {
      let piece = try read(at, min(256 << 10, offset + count - at))
      at += piece.count
      try take(piece)
    }
  }

  private var endsEarly: ContactSheetError {
    ContactSheetError(
      .truncated, "“\(ImportFile(path: path).name)” is incomplete: the archive ends before its files do.")
  }
}

extension [UInt8] {
  /// A little-endian number; 0 beyond the end, -1 where it is too large to be a size.
  fileprivate func little(_ at: Int, _ width: Int) -> Int {
    guard at >= 0, at + width <= count else { return 0 }
    var value: UInt64 = 0
    for offset in (0..<width).reversed() { value = value << 8 | UInt64(self[at + offset]) }
    return Int(exactly: value) ?? -1
  }
}
