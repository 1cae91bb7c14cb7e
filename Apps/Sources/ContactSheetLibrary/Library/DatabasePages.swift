import Foundation

/// The pages of a database's file, without SQLite.
enum DatabasePages {
  private static let size = 4096
  private static let firstSize = 100
  private static let tableInterior: UInt8 = 5
  private static let tableLeaf: UInt8 = 13

  /// Returns the pages that a database does not use, as far as they can be known: what is on them may be of long ago. Blocks.
  static func freePages(of path: String) -> Set<Int> {
    guard !DatabaseHeader.isDamaged(path), let file = try? OpenFile(reading: path) else { return [] }
    var pages: Set<Int> = []
    var next = Int(file.bytes(at: 32, count: 4).bigEndian(0))
    // A damaged list may lead in a circle.
    while next > 1, pages.insert(next).inserted {
      let page = file.bytes(at: (next - 1) * size, count: size)
      guard page.count == size else { break }
      for index in 0..<min(Int(page.bigEndian(4)), size / 4 - 2) {
        pages.insert(Int(page.bigEndian(8 + 4 * index)))
      }
      next = Int(page.bigEndian(0))
    }
    return pages
  }

  /// Returns the pages at which a table may begin: those of a table to which no other one leads. Blocks.
  ///
  /// - Complexity: O(length of the file).
  static func tableRoots(of path: String) -> Set<Int> {
    guard let file = try? OpenFile(reading: path), file.size > size else { return [] }
    var (roots, children): (Set<Int>, Set<Int>) = ([], [])
    for number in 2...max(2, file.size / size) {
      let page = file.bytes(at: (number - 1) * size, count: size)
      guard page.count == size, page[0] == tableLeaf || page[0] == tableInterior else { continue }
      roots.insert(number)
      guard page[0] == tableInterior else { continue }
      children.insert(Int(page.bigEndian(8)))
      for cell in 0..<min(Int(page[3]) << 8 | Int(page[4]), size / 2 - 6) {
        let offset = Int(page[12 + 2 * cell]) << 8 | Int(page[13 + 2 * cell])
        children.insert(Int(page.bigEndian(offset)))
      }
    }
    return roots.subtracting(children)
  }

  /// Writes an empty schema into the first page of a copy. Blocks.
  ///
  /// - Throws: where the copy cannot be written.
  static func emptySchema(of path: String) throws {
    guard let length = Files.size(path), length >= size else { return }
    let handle = try FileHandle(forUpdating: URL(fileURLWithPath: path))
    defer { try? handle.close() }
    try handle.seek(toOffset: UInt64(firstSize))
    // A leaf without cells, whose content begins at its end.
    let head = [tableLeaf, 0, 0, 0, 0, UInt8(size >> 8), UInt8(size & 255), 0]
    try handle.write(contentsOf: head + [UInt8](repeating: 0, count: size - firstSize - head.count))
  }
}

extension [UInt8] {
  /// A big-endian number of four bytes; 0 beyond the end.
  func bigEndian(_ offset: Int) -> UInt32 {
    guard offset >= 0, offset + 4 <= count else { return 0 }
    return self[offset..<offset + 4].reduce(0) { $0 << 8 | UInt32($1) }
  }
}
