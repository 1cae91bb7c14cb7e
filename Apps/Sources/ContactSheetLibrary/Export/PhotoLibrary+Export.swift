import Foundation
import LiveLists
package import NIOCore

/// An album made ready to be sent as a zip archive.
package struct AlbumExport: Sendable {
  /// The album's title, as the archive's name.
  package let fileName: String
  /// How long the archive is, in bytes.
  package let length: Int
  let pieces: [ZipArchive.Piece]
  /// The photos' titles by the paths of their files.
  let titles: [String: String]

  /// Sends the archive, a portion at a time: while one is sent the next is read. No file is ever whole in memory.
  ///
  /// - Parameter write: Takes the bytes in order.
  /// - Throws: What `write` throws, or a `ContactSheetError` that names a photo whose file is not what was imported; what
  ///   was written until then is no archive.
  package func send(to write: (ByteBuffer) async throws -> Void) async throws {
    let reader = ArchiveReader(pieces, titles: titles)
    var next = try await blocking { try reader.next() }
    while let portion = next.take() {
      async let following = blocking { try reader.next() }
      try await write(portion)
      next = try await following
    }
  }
}

extension PhotoLibrary {
  /// Throws where a file that an export is to replace is an earlier export with photos that the library does not have, in no album and
  /// not in the trash, or whose files are not whole: the archive may be all that there is of them.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - albumID: The album that is exported, whose files are compared while they are written.
  /// - Complexity: O(*n*) in the number of photos in the earlier export; reads the files of those that are not in the album.
  package func checkHasAll(ofExportAt path: String, exporting albumID: Album.ID) async throws {
    let (target, folder) = (ExportTarget(path: path, folder: folder, isReplacing: false), folder)
    guard let photos = try await blocking({ target.earlierExport }) else { return }
    let (known, exported) = try await records.read { db in
      let known = try db.cachedStatement(
        sql: "SELECT byteCount, checksum FROM photo WHERE contentHash = ? LIMIT 1")
      let had = try photos.filter { photo in
        guard let hash = photo.hash, let row = try Row.fetchOne(known, arguments: [hash.text]) else {
          return false
        }
        let (size, checksum): (Int, Int64?) = (row[0], row[1])
        return size == photo.size && checksum.map { $0 == Int64(photo.checksum) } != false
      }
      return (Set(had), try Set(Self.photos(in: albumID, db).map(\.contentHash)))
    }
    let missing = try await blocking {
      photos.filter { photo in
        guard known.contains(photo), let hash = photo.hash else { return true }
        if exported.contains(hash.text) { return false }
        return (try? OriginalStore.hash(of: folder.original(hash))) != hash
      }
    }
    guard let first = missing.first else { return }
    let others = missing.count == 1 ? "" : " and \(missing.count - 1) others"
    throw target.refusal(
      "an earlier export is there, and this library has no photo like “\(TextCleaning.fileName(first.name))”\(others) in it, in no"
        + " album and not in the trash. Name another file, or say --replace to lose that one")
  }

  /// Makes an album ready to be sent as a zip archive in its order, with a manifest that tells it.
  ///
  /// - Parameter numbered: Whether names begin with `001_` and so on, so that a folder shows the order.
  /// - Throws: `ContactSheetError.Code.notFound` where the album, or a photo's file, does not exist.
  package func export(_ albumID: Album.ID, numbered: Bool) async throws -> AlbumExport {
    guard let album = try await album(albumID) else { throw Self.noSuchAlbum }
    let photos = try await photos(in: albumID)
    let names = ExportNames.make(for: photos.map(\.fileName), numbered: numbered)
    var entries: [ZipArchive.Entry] = []
    var titles: [String: String] = [:]
    for (photo, name) in zip(photos, names) {
      guard let hash = ContentHash(photo.contentHash) else { continue }
      let path = folder.original(hash)
      // The others are compared while they are sent.
      let (size, known) = try await blocking {
        (Files.size(path), try photo.checksum ?? FileChecksum.of(path, ifItIs: hash))
      }
      guard size == photo.byteCount, let checksum = known else {
        throw ContactSheetError(
          .notFound, "The file of “\(photo.title)” is missing or damaged. “contact-sheet check” says more.")
      }
      titles[path] = photo.title
      entries.append(
        ZipArchive.Entry(
          name: name, source: .file(path), size: photo.byteCount, checksum: checksum,
          date: photo.captureDate ?? photo.importedDate))
    }
    let manifest = AlbumManifest(
      album: album.title,
      photos: zip(photos, names).map { photo, name in
        AlbumManifest.Entry(
          file: name, title: photo.title, fileName: photo.fileName, taken: photo.captureDate?.exactISO8601,
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
      fileName: ExportNames.harmless(TextCleaning.fileName(album.title + ".zip")), length: length,
      pieces: pieces,
      titles: titles)
  }
}

/// The CRC-32 of a file that was imported before they were kept.
enum FileChecksum {
  /// - Returns: `nil` where the file has not the content that it should have.
  static func of(_ path: String, ifItIs hash: ContentHash) throws -> UInt32? {
    guard let handle = Files.handle(path) else { return nil }
    defer { try? handle.close() }
    var checksum = CRC32()
    var hasher = SHA256()
    while let data = try handle.read(upToCount: 1 << 20), !data.isEmpty {
      data.withUnsafeBytes { checksum.update($0) }
      hasher.update(data)
    }
    return ContentHash(digest: hasher.finish()) == hash ? checksum.value : nil
  }
}
