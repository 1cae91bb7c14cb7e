import Foundation

/// The remains of a database in its journal (the file that ends in `-wal`) where the database's own file is lost.
///
/// All that was committed since the journal was last taken into the database is in it, and often what was committed before:
/// SQLite writes over an old journal from its beginning, so that behind the newest pages older ones stay.
enum JournalRemains {
  private static let headerSize = 32
  private static let frameHeaderSize = 24
  private static let defaultPageSize = 4096
  private static let maximumPages = 1 << 24

  /// Returns whether a journal lies beside a database and holds pages.
  static func exist(of database: String) -> Bool { Files.size(database + "-wal") ?? 0 > headerSize }

  /// The path at which the journal of a lost database is kept. It is not a name that
  /// SQLite takes for the journal of some database: it removes those whose database is empty.
  static func keptPath(of database: String) -> String { Files.unused(database + "-wal.damaged") }

  /// Makes the file that a journal belongs to, as far as the journal holds its pages; SQLite adds the newest when it opens
  /// it. Blocks.
  ///
  /// - Parameters:
  ///   - path: The file to make, whose journal is beside it.
  /// - Throws: `SystemError` where the file cannot be written.
  static func makeDatabase(at path: String) throws {
    let file = try OpenFile(reading: path + "-wal")
    let header = file.bytes(at: 0, count: headerSize)
    let announced = header.bigEndian(8)
    let isSound =
      header.bigEndian(0) | 1 == 0x377F_0683 && announced.nonzeroBitCount == 1
      && (512...65_536).contains(announced)
    let pageSize = isSound ? Int(announced) : defaultPageSize
    // The newest frame of each page: of the latest of earlier rounds, and there the last one.
    var pages: [Int: (round: UInt32, offset: Int)] = [:]
    var newest: Int?
    for offset in stride(from: headerSize, to: file.size, by: frameHeaderSize + pageSize) {
      let frame = file.bytes(at: offset, count: frameHeaderSize)
      let (page, round) = (Int(frame.bigEndian(0)), frame.bigEndian(8))
      guard frame.count == frameHeaderSize, (1...maximumPages).contains(page) else { continue }
      if isSound, round == header.bigEndian(16), frame.bigEndian(12) == header.bigEndian(20) {
        // SQLite reads these itself, up to the last commit. Without the first page it would not begin.
        if page == 1, newest == nil { newest = offset }
      } else if pages[page].map({ $0.round <= round }) ?? true {
        pages[page] = (round, offset)
      }
    }
    if let newest { pages[1] = (0, newest) }
    try OpenFile.make(path)
    let target = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
    defer { try? target.close() }
    for (page, frame) in pages {
      let bytes = file.bytes(at: frame.offset + frameHeaderSize, count: pageSize)
      guard bytes.count == pageSize else { continue }
      try target.seek(toOffset: UInt64((page - 1) * pageSize))
      try target.write(contentsOf: bytes)
    }
  }
}
