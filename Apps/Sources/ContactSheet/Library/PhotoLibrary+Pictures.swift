import Foundation
import GRDB

/// A file to be served.
struct StoredFile: Sendable, Hashable {
  var path: String
  var contentType: String
}

extension PhotoLibrary {
  /// The original of a photo, or `nil` where no album has one with this content.
  func original(_ hash: ContentHash) async throws -> (file: StoredFile, format: ImageFormat, name: String)? {
    let row = try await records.read { db in
      try Row.fetchOne(
        db, sql: "SELECT format, fileName FROM photo WHERE contentHash = ? LIMIT 1", arguments: [hash.text]
      ).map { (format: try $0.value("format") as ImageFormat, name: try $0.value("fileName") as String) }
    }
    guard let row else { return nil }
    return (
      StoredFile(path: folder.original(hash), contentType: row.format.contentType), row.format, row.name
    )
  }

  /// The thumbnail of a photo, made again where it is missing or damaged.
  func thumbnail(_ hash: ContentHash) async throws -> StoredFile? {
    try await made(hash, at: folder.thumbnail(hash), box: settings.thumbnailBox)
  }

  /// A JPEG of a screen's size, made when it is first asked for.
  func preview(_ hash: ContentHash) async throws -> StoredFile? {
    try await made(hash, at: folder.preview(hash), box: settings.previewBox)
  }

  private func made(_ hash: ContentHash, at path: String, box: Int) async throws -> StoredFile? {
    let file = StoredFile(path: path, contentType: "image/jpeg")
    if try await blocking({ WholeJPEG.isAt(path) }) { return file }
    return try await contents.pass(hash) { [self] in
      if try await blocking({ WholeJPEG.isAt(path) }) { return file }
      guard let original = try await original(hash) else { return nil }
      let temporary = folder.temporary("jpg")
      defer { try? Files.remove(temporary) }
      _ = try await decoder.decode(
        DecodeRequest(
          source: original.file.path, target: temporary, name: original.name, box: box,
          pixelLimit: settings.pixelLimit))
      try await blocking {
        do throws(SystemError) {
          try Files.makeFolder(String(path.prefix(upTo: path.lastByte(of: "/") ?? path.endIndex)))
          try Files.rename(temporary, to: path)
        } catch {
          throw ContactSheetError.writing(path, error)
        }
      }
      return file
    }
  }
}

/// Whether a JPEG file that we wrote is whole: it begins and ends as a JPEG does. A power cut may leave less.
enum WholeJPEG {
  static func isAt(_ path: String) -> Bool {
    guard let size = Files.size(path), size > 4, let handle = Files.handle(path) else {
      return false
    }
    defer { try? handle.close() }
    guard let head = try? handle.read(upToCount: 2), Array(head) == [0xFF, 0xD8] else { return false }
    try? handle.seek(toOffset: UInt64(size - 2))
    return (try? handle.read(upToCount: 2)).map { Array($0) == [0xFF, 0xD9] } ?? false
  }
}
