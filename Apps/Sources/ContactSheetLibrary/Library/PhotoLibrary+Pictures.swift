import Foundation
import GRDB

/// A file to be served.
package struct StoredFile: Sendable, Hashable {
  package var path: String
  package var contentType: String
}

extension PhotoLibrary {
  /// The original of a photo, or `nil` where no album has one with this content.
  package func original(_ hash: ContentHash) async throws -> (
    file: StoredFile, format: ImageFormat, name: String
  )? {
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
  package func thumbnail(_ hash: ContentHash) async throws -> StoredFile? {
    try await made(hash, at: folder.thumbnail(hash), box: settings.thumbnailBox)
  }

  /// A picture of a screen's size, in a format that every browser shows: a JPEG that was made at import or is made now, or the
  /// original where that is no larger.
  package func preview(_ hash: ContentHash) async throws -> StoredFile? {
    let (path, previews) = (folder.preview(hash), previews)
    let isThere = try await blocking {
      guard WholeJPEG.isAt(path) else { return false }
      previews.use(path)
      return true
    }
    if isThere { return StoredFile(path: path, contentType: "image/jpeg") }
    if let original = try await originalAsPreview(hash) { return original }
    let file = try await made(hash, at: path, box: settings.previewBox)
    if file != nil { try await blocking { previews.add(path) } }
    return file
  }

  /// The original of a photo that needs no preview, or for which the disk has no room; `nil` where browsers do not show it.
  private func originalAsPreview(_ hash: ContentHash) async throws -> StoredFile? {
    let row = try await records.read { db in
      try Row.fetchOne(
        db, sql: "SELECT format, width, height, byteCount FROM photo WHERE contentHash = ? LIMIT 1",
        arguments: [hash.text]
      ).map {
        (
          format: try $0.value("format") as ImageFormat, width: try $0.value("width") as Int,
          height: try $0.value("height") as Int, byteCount: try $0.value("byteCount") as Int
        )
      }
    }
    guard let row, row.format.isShownByBrowsers else { return nil }
    let isWanted = PreviewNeed.isWanted(
      row.format, width: row.width, height: row.height, byteCount: row.byteCount, box: settings.previewBox)
    if isWanted, !hasNoRoom { return nil }
    return StoredFile(path: folder.original(hash), contentType: row.format.contentType)
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
