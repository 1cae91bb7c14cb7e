package import Foundation
import LiveLists

/// The result of restoring from a backup.
package struct RestoreReport: Sendable, Hashable {
  /// Photos that have their rows again.
  package var rows = 0
  /// Photos whose titles could not be read and are known again.
  package var titles = 0
  /// Albums that are there again, with their photos or without.
  package var albums = 0
  /// Originals that were missing or damaged and are whole again.
  package var files = 0
  /// Photos whose titles could not be read and are known again.
  package var titledPhotos: Set<UUID> = []
  /// Albums whose titles could not be read and are known again.
  package var titledAlbums: Set<UUID> = []
  /// Albums whose chosen cover is there again.
  package var coveredAlbums: Set<UUID> = []
  /// Albums that were made for photos of which the backup knows a better place, and that are gone.
  package var leftAlbums: Set<UUID> = []
}

/// The rows of a backup.
package struct BackupContents: Sendable {
  let folder: DataFolder
  let albums: [Album]
  let photos: [Photo]
}

extension PhotoLibrary {
  /// Fills from a backup what is lost here: the files of photos that are missing or damaged, and the titles, albums and positions
  /// of originals that no album has. What was deleted here does not come back, unless rows were lost and nobody knows
  /// which.
  ///
  /// - Parameters:
  ///   - backup: The rows of the backup, whose folder nobody uses.
  ///   - rebuilt: What is known to lack its title.
  /// - Returns: How much was restored.
  /// - Complexity: reads every original once, and those of the backup that are wanted.
  func restore(
    from backup: BackupContents, rebuilt: RebuildReport, _ originals: OriginalConditions
  ) async throws -> RestoreReport {
    let (albums, photos) = (backup.albums, backup.photos)
    var report = RestoreReport()
    let mended = try await check(originals)
    report.files = try await copyOriginals(mended, from: backup.folder, originals)
    let orphans = Set(mended.orphans)
    let files = report.files
    return try await records.write { db in
      var report = RestoreReport(files: files)
      func hasOriginal(_ photo: Photo) -> Bool {
        ContentHash(photo.contentHash).map { Files.size(self.folder.original($0)) != nil } ?? false
      }
      func add(_ album: Album) throws {
        var album = album
        (album.photoCount, album.cover) = (0, nil)
        (album.firstDate, album.lastDate) = (nil, nil)
        guard try Album.fetchOne(db, key: ["id": album.id]) == nil else { return }
        try album.insert(db)
        report.albums += 1
      }
      for album in albums {
        if rebuilt.mayLackAlbums { try add(album) }
        if rebuilt.untitledAlbums.contains(album.id) {
          try db.execute(
            sql:
              "UPDATE album SET title = ?, rank = ?, createdDate = ?, deletedDate = ?, coverID = ? WHERE id = ?",
            arguments: [
              album.title, album.rank, album.createdDate, album.deletedDate, album.coverID, album.id,
            ])
          report.titledAlbums.insert(album.id)
        }
      }
      for photo in photos {
        if let title = rebuilt.untitled[photo.id] {
          try db.execute(
            sql:
              "UPDATE photo SET title = ?, fileName = ?, captureDate = ?, dateText = ? WHERE id = ? AND title = ?",
            arguments: [photo.title, photo.fileName, photo.captureDate, photo.dateText, photo.id, title])
          report.titles += db.changesCount
          if db.changesCount > 0 { report.titledPhotos.insert(photo.id) }
        }
        if let date = photo.trashedDate, rebuilt.withoutTrash.contains(photo.id) {
          try db.execute(
            sql: "UPDATE photo SET trashedDate = ? WHERE id = ?", arguments: [date, photo.id])
        }
        // Of photos that share their original with others no orphan tells that they were lost.
        guard orphans.contains(photo.contentHash) || rebuilt.mayLackPhotos && hasOriginal(photo) else {
          continue
        }
        if let album = albums.first(where: { $0.id == photo.albumID }) { try add(album) }
        try photo.insert(db, onConflict: .ignore)
        report.rows += db.changesCount > 0 ? 1 : 0
      }
      let strangers = rebuilt.untitledAlbums.subtracting(albums.map(\.id))
      report.leftAlbums = try Self.moveHome(photos, of: albums, from: strangers, db)
      for id in rebuilt.lostCovers.keys {
        let isThere = try Bool.fetchOne(
          db, sql: "SELECT EXISTS (SELECT 1 FROM photo JOIN album ON photo.id = coverID WHERE album.id = ?)",
          arguments: [id])
        if isThere == true { report.coveredAlbums.insert(id) }
      }
      return report
    }
  }

  /// Puts photos whose album's name was damaged where the backup has them.
  ///
  /// - Parameter strangers: The albums that were made for such photos.
  /// - Returns: Those of them that have no photo any more, and are removed.
  private static func moveHome(
    _ photos: [Photo], of albums: [Album], from strangers: Set<UUID>, _ db: Database
  ) throws -> Set<UUID> {
    guard !strangers.isEmpty else { return [] }
    let homes = Set(albums.map(\.id))
    for photo in photos where homes.contains(photo.albumID) {
      guard
        let albumID = try UUID.fetchOne(
          db, sql: "SELECT albumID FROM photo WHERE id = ?", arguments: [photo.id]),
        strangers.contains(albumID),
        // It may have been deleted here since.
        try Album.fetchOne(db, key: ["id": photo.albumID]) != nil
      else { continue }
      // Where the album has the same content already, the photo stays where it is.
      try db.execute(
        sql: "UPDATE OR IGNORE photo SET albumID = ?, rank = ? WHERE id = ?",
        arguments: [photo.albumID, photo.rank, photo.id])
    }
    var left: Set<UUID> = []
    for id in strangers {
      try db.execute(
        sql: "DELETE FROM album WHERE id = ? AND NOT EXISTS (SELECT 1 FROM photo WHERE albumID = album.id)",
        arguments: [id])
      if db.changesCount > 0 { left.insert(id) }
    }
    return left
  }

  /// Reads the rows of a backup, from a copy: the backup stays as it is, whatever release made it.
  ///
  /// - Parameters:
  ///   - backup: The folder of the backup, which nobody uses.
  ///   - folder: The data folder, which the caller has locked.
  /// - Throws: `ContactSheetError.Code.notFound` where the folder is no backup, or one that was not finished.
  package static func contents(
    of backup: DataFolder, for folder: DataFolder
  ) async throws -> BackupContents {
    try await blocking { try checkIsAnother(backup, than: folder) }
    try await blocking { try backup.checkJournalsAreFiles() }
    guard try await blocking({ !backup.lacksDatabase }) else {
      throw ContactSheetError(
        .notFound, "“\(backup.path)” is a backup that was not finished: it has photos and no database.")
    }
    guard Files.size(backup.database) != nil else {
      throw ContactSheetError(
        .notFound, "“\(backup.path)” is not a backup of ContactSheet: it has no database.")
    }
    let path = folder.temporary("backup.sqlite")
    defer { for name in ["", "-wal", "-shm", "-journal"] { try? Files.remove(path + name) } }
    do {
      return try await blocking {
        for name in ["", "-wal"] where Files.size(backup.database + name) != nil {
          try FileManager.default.copyItem(atPath: backup.database + name, toPath: path + name)
          // A copy from media that cannot be written is as little writable.
          _ = chmod(path + name, 0o600)
        }
        let queue = try DatabaseQueue(path: path)
        defer { try? queue.close() }
        try Schema.migrator().migrate(queue)
        return try queue.read { db in
          BackupContents(
            folder: backup, albums: try Album.fetchAll(db, sql: "SELECT * FROM album"),
            photos: try Photo.fetchAll(db, sql: "SELECT * FROM photo"))
        }
      }
    } catch {
      throw DatabaseFailure.explain(error, backup.database)
    }
  }

  private func copyOriginals(
    _ report: CheckReport, from backup: DataFolder, _ originals: OriginalConditions
  ) async throws -> Int {
    guard !report.missing.isEmpty || !report.damaged.isEmpty else { return 0 }
    let hashes = try await records.read { db in
      try String.fetchAll(db, sql: "SELECT DISTINCT contentHash FROM photo")
    }
    let folder = folder
    var count = 0
    for hash in hashes.compactMap({ ContentHash($0) }) {
      // What is there and cannot be read is not replaced: there may be nothing wrong with it.
      guard [.missing, .damaged].contains(try await originals.condition(of: hash)) else { continue }
      let isCopied = try await blocking {
        let (file, received): (IncomingFile, IncomingFile.Received)
        do throws(ContactSheetError) {
          (file, received) = try IncomingFile.copy(
            of: backup.original(hash), into: folder, named: hash.text, byteLimit: .max)
        } catch {
          // The backup has not got it, or it cannot be read there.
          guard error.code == .unreadable || error.code == .empty else { throw error }
          return false
        }
        defer { file.discard() }
        // The backup's may be damaged, too.
        guard received.hash == hash else { return false }
        try file.sync()
        try OriginalStore(folder: folder).mend(received)
        return true
      }
      guard isCopied else { continue }
      originals.noteStored(hash)
      count += 1
    }
    return count
  }
}
