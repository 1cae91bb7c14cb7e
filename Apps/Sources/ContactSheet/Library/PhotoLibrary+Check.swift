import Crypto
import Foundation
import GRDB
import LiveFetchSQLite

/// What a check of the data folder found.
public struct CheckReport: Sendable, Hashable {
  /// How many photos there are, those in the trash included.
  public var photos = 0
  /// Photos whose file is missing, by title.
  public var missing: [String] = []
  /// Photos whose file is not what was imported, by title.
  public var damaged: [String] = []
  /// Photos without a thumbnail, by title. They are made again when they are needed.
  public var withoutThumbnail: [String] = []
  /// Originals that no photo has, as after the loss of a database.
  public var orphans: [String] = []

  /// Whether nothing is wrong that costs photos.
  public var isGood: Bool { missing.isEmpty && damaged.isEmpty && orphans.isEmpty }
}

extension PhotoLibrary {
  /// Compares the database with the files, reading every original.
  public func check() async throws -> CheckReport {
    let photos = try await records.read { db in try Photo.fetchAll(db, sql: "SELECT * FROM photo") }
    var report = CheckReport()
    report.photos = photos.count
    let folder = folder
    for photo in photos {
      guard let hash = ContentHash(photo.contentHash) else {
        report.damaged.append(photo.title)
        continue
      }
      let found = try await blocking { try Self.hash(of: folder.original(hash)) }
      if found == nil { report.missing.append(photo.title) }
      if let found, found != hash { report.damaged.append(photo.title) }
      if try await blocking({ !WholeJPEG.isAt(folder.thumbnail(hash)) }) {
        report.withoutThumbnail.append(photo.title)
      }
    }
    let known = Set(photos.map(\.contentHash))
    report.orphans = try await blocking {
      Files.names(in: folder.originals).flatMap { Files.names(in: "\(folder.originals)/\($0)") }
        .filter { !known.contains($0) }.sorted()
    }
    return report
  }

  /// Mends what can be mended: thumbnails are made again, and originals that no photo has become photos of the
  /// album “Recovered”. What is missing cannot be mended.
  ///
  /// - Returns: How many photos were recovered.
  public func repair(_ report: CheckReport) async throws -> Int {
    let hashes = try await records.read { db in
      try String.fetchAll(db, sql: "SELECT DISTINCT contentHash FROM photo")
    }
    for hash in hashes.compactMap({ ContentHash($0) }) { _ = try? await thumbnail(hash) }
    guard !report.orphans.isEmpty else { return 0 }
    let album = try await albumTitled("Recovered")
    var recovered = 0
    for hash in report.orphans.compactMap({ ContentHash($0) }) {
      let outcome = try? await importFile(folder.original(hash), to: album.id)
      if outcome?.status == .imported { recovered += 1 }
    }
    return recovered
  }

  /// Copies the library into another folder, while it is in use. The copy is a data folder of its own.
  ///
  /// The database goes first, in one state; then the originals that it names. Those that the other folder has
  /// already are not copied again.
  ///
  /// - Returns: How many originals were copied.
  public func backUp(to target: DataFolder) async throws -> Int {
    let (folder, records) = (folder, records)
    return try await blocking {
      try target.prepare()
      let lock = try FolderLock.acquire(target)
      defer { lock.release() }
      do {
        let copy = try DatabaseQueue(path: target.database)
        try records.store.pool.backup(to: copy)
        let hashes = try copy.read { try String.fetchAll($0, sql: "SELECT DISTINCT contentHash FROM photo") }
        try copy.close()
        var copied = 0
        for hash in hashes.compactMap({ ContentHash($0) }) {
          let (from, to) = (folder.original(hash), target.original(hash))
          guard let size = Files.size(from), Files.size(to) != size else { continue }
          let (file, received) = try IncomingFile.copy(
            of: from, into: target, named: hash.text, byteLimit: .max)
          defer { file.discard() }
          try file.sync()
          guard received.hash == hash else { continue }
          do throws(SystemError) {
            try Files.makeFolder("\(target.originals)/\(hash.prefix)")
            try Files.rename(received.path, to: to)
            try Files.syncFolder("\(target.originals)/\(hash.prefix)")
          } catch {
            throw ContactSheetError.writing(to, error)
          }
          copied += 1
        }
        return copied
      } catch {
        throw DatabaseFailure.explain(error, target.database)
      }
    }
  }

  private static func hash(of path: String) throws -> ContentHash? {
    guard let handle = FileHandle(forReadingAtPath: path) else { return nil }
    defer { try? handle.close() }
    var hasher = SHA256()
    while let data = try handle.read(upToCount: 1 << 20), !data.isEmpty { hasher.update(data: data) }
    return ContentHash(digest: hasher.finalize())
  }
}
