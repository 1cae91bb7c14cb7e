public import Foundation
import GRDB
import LiveFetchSQLite
public import NIOCore

/// An album made ready to be sent as a zip archive.
public struct AlbumExport: Sendable {
  /// The album's title, as the archive's name.
  public let fileName: String
  /// How long the archive is, in bytes.
  public let length: Int
  let pieces: [ZipArchive.Piece]

  /// Sends the archive, a portion at a time: while one is sent the next is read. No file is ever whole in memory.
  ///
  /// - Parameter write: Takes the bytes in order.
  /// - Throws: What `write` throws, or a `ContactSheetError` where a photo's file changed its length meanwhile.
  public func send(to write: (ByteBuffer) async throws -> Void) async throws {
    let reader = ArchiveReader(pieces)
    var next = try await blocking { try reader.next() }
    while let portion = next.take() {
      async let following = blocking { try reader.next() }
      try await write(portion)
      next = try await following
    }
  }
}

extension PhotoLibrary {
  /// Makes an album ready to be sent as a zip archive in its order, with a manifest that tells it.
  ///
  /// - Parameter numbered: Whether names begin with `001_` and so on, so that a folder shows the order.
  /// - Throws: `ContactSheetError.Code.notFound` where the album, or a photo's file, does not exist.
  public func export(_ albumID: Album.ID, numbered: Bool) async throws -> AlbumExport {
    guard let album = try await album(albumID) else { throw Self.noSuchAlbum }
    let photos = try await photos(in: albumID)
    let names = ExportNames.make(for: photos.map(\.fileName), numbered: numbered)
    var entries: [ZipArchive.Entry] = []
    for (photo, name) in zip(photos, names) {
      guard let hash = ContentHash(photo.contentHash) else { continue }
      let path = folder.original(hash)
      let (size, checksum) = try await blocking {
        (Files.size(path), try photo.checksum ?? FileChecksum.of(path))
      }
      guard size == photo.byteCount else {
        throw ContactSheetError(
          .notFound, "The file of “\(photo.title)” is missing or damaged. “contact-sheet check” says more.")
      }
      entries.append(
        ZipArchive.Entry(
          name: name, source: .file(path), size: photo.byteCount, checksum: checksum,
          date: photo.captureDate ?? photo.importedDate))
    }
    let manifest = AlbumManifest(
      album: album.title,
      photos: zip(photos, names).map { photo, name in
        AlbumManifest.Entry(
          file: name, title: photo.title, fileName: photo.fileName, taken: photo.captureDate?.iso8601,
          hash: photo.contentHash, width: photo.width, height: photo.height)
      })
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    let bytes = Array(try encoder.encode(manifest))
    var checksum = CRC32()
    bytes.withUnsafeBytes { checksum.update($0) }
    entries.append(
      ZipArchive.Entry(
        name: AlbumManifest.fileName, source: .bytes(bytes), size: bytes.count, checksum: checksum.value,
        date: album.createdDate))
    let (pieces, length) = ZipArchive(entries: entries).pieces()
    return AlbumExport(
      fileName: TextCleaning.fileName(album.title + ".zip"), length: length, pieces: pieces)
  }
}

/// Names for the files of an export, no two alike, also where case does not count.
enum ExportNames {
  static func make(for names: [String], numbered: Bool) -> [String] {
    let digits = max(3, String(names.count).count)
    var taken: Set<String> = [AlbumManifest.fileName]
    return names.enumerated().map { index, name in
      let number = String(index + 1)
      let prefix = numbered ? String(repeating: "0", count: digits - number.count) + number + "_" : ""
      let dot = name.lastIndex(of: ".") ?? name.endIndex
      var candidate = prefix + name
      var copy = 2
      while !taken.insert(candidate.lowercased()).inserted {
        candidate = "\(prefix)\(name[..<dot]) (\(copy))\(name[dot...])"
        copy += 1
      }
      return candidate
    }
  }
}

/// The CRC-32 of a file that was imported before they were kept.
enum FileChecksum {
  static func of(_ path: String) throws -> UInt32 {
    guard let handle = FileHandle(forReadingAtPath: path) else { return 0 }
    defer { try? handle.close() }
    var checksum = CRC32()
    while let data = try handle.read(upToCount: 1 << 20), !data.isEmpty {
      data.withUnsafeBytes { checksum.update($0) }
    }
    return checksum.value
  }
}
