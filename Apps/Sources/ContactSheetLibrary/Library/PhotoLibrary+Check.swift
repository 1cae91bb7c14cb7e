import Foundation
import LiveLists

/// The result of mending a data folder.
package struct MendReport: Sendable, Hashable {
  /// The things that came from the backup; `nil` without one.
  package var restored: RestoreReport?
  /// The number of originals without a row that are photos of the album “Recovered” now.
  package var recovered = 0
  /// The problems that are left.
  package var left = CheckReport()
}

/// The findings of a check of the data folder.
package struct CheckReport: Sendable, Hashable {
  /// How many photos there are, those in the trash included.
  package var photos = 0
  /// Photos whose file is missing, by title.
  package var missing: [String] = []
  /// Photos whose file cannot be read for want of the right to, or for another reason of the system's, by title.
  package var unreadable: [String] = []
  /// Photos whose file is not what was imported, by title.
  package var damaged: [String] = []
  /// Photos of whose file the database has another size or checksum than it has, by title. The file itself is whole.
  package var mismeasured: [String] = []
  /// Photos without a thumbnail, by title. They are made again when they are needed.
  package var withoutThumbnail: [String] = []
  /// Originals that no photo has, as after the loss of a database.
  package var orphans: [String] = []

  /// The problems of the database. Where there are any, the photos were compared as far as they could be read.
  package var database: [String] = []

  /// Whether nothing is wrong that costs photos.
  package var isGood: Bool {
    missing.isEmpty && unreadable.isEmpty && damaged.isEmpty && mismeasured.isEmpty && orphans.isEmpty
      && database.isEmpty
  }

  /// A Boolean value that indicates whether the folder is a backup that was cut off: its database is that of the one before, and originals of the
  /// next are there.
  package var isUnfinishedBackup = false

  /// Creates an empty report.
  package init() {}
}

extension PhotoLibrary {
  /// Looks for damage in the database, and compares it with the files.
  ///
  /// - Returns: What is wrong, by the titles of photos.
  /// - Throws: `ContactSheetError` where the database cannot be read at all.
  /// - Complexity: reads the whole database, and every original once.
  package func check() async throws -> CheckReport { try await check(OriginalConditions(folder)) }

  func check(_ originals: OriginalConditions) async throws -> CheckReport {
    var report = CheckReport()
    let path = folder.database
    report.database = try await blocking { DatabaseCheck.headerProblems(of: path) }
    report.database += try await records.read { try DatabaseCheck.problems($0) }
    let photos: [Photo]
    do {
      photos = try await records.read { db in try Photo.fetchAll(db, sql: "SELECT * FROM photo") }
    } catch  where !report.database.isEmpty {
      return report
    }
    report.photos = photos.count
    let folder = folder
    for photo in photos {
      guard let hash = ContentHash(photo.contentHash) else {
        report.damaged.append(photo.title)
        continue
      }
      switch try await originals.condition(of: hash) {
      case .missing: report.missing.append(photo.title)
      case .damaged: report.damaged.append(photo.title)
      case .unreadable: report.unreadable.append(photo.title)
      case .whole:
        if let measures = originals.measures(of: hash), !photo.has(measures) {
          report.mismeasured.append(photo.title)
        }
      }
      if try await blocking({ !WholeJPEG.isAt(folder.thumbnail(hash)) }) {
        report.withoutThumbnail.append(photo.title)
      }
    }
    report.isUnfinishedBackup = Files.size(folder.unfinishedBackup) != nil
    let known = Set(photos.map(\.contentHash))
    report.orphans = try await blocking {
      OriginalStore(folder: folder).names.filter { !known.contains($0) }
    }
    return report
  }

  /// Mends what can be mended, first from a backup, where there is one. Nobody else uses the folder.
  ///
  /// - Parameters:
  ///   - backup: The rows of the backup, whose folder nobody uses.
  ///   - rebuilt: What is known to lack its title.
  /// - Returns: What was mended, and what is wrong still.
  /// - Complexity: reads every original once, and those that are recovered twice more.
  package func mend(
    from backup: BackupContents? = nil, rebuilt: RebuildReport = RebuildReport()
  ) async throws -> MendReport {
    try await mend(from: backup, rebuilt: rebuilt, OriginalConditions(folder))
  }

  func mend(
    from backup: BackupContents?, rebuilt: RebuildReport, _ originals: OriginalConditions
  ) async throws -> MendReport {
    var report = MendReport()
    if let backup { report.restored = try await restore(from: backup, rebuilt: rebuilt, originals) }
    let found = try await check(originals)
    if !found.mismeasured.isEmpty { try await correctMeasures(originals) }
    report.recovered = try await repair(found)
    report.left = try await check(originals)
    return report
  }

  /// Takes the sizes and checksums of photos from their files, where the files are whole.
  private func correctMeasures(_ originals: OriginalConditions) async throws {
    try await records.write { db in
      let update = try db.makeStatement(sql: "UPDATE photo SET byteCount = ?, checksum = ? WHERE id = ?")
      for photo in try Photo.fetchAll(db, sql: "SELECT * FROM photo") {
        guard let hash = ContentHash(photo.contentHash), let measures = originals.measures(of: hash),
          !photo.has(measures)
        else { continue }
        try update.execute(arguments: [measures.byteCount, measures.checksum, photo.id])
      }
    }
  }

  /// Mends what can be mended: thumbnails are made again, and originals that no photo has become photos of the
  /// album “Recovered”. What is missing cannot be mended.
  ///
  /// - Returns: How many photos were recovered.
  package func repair(_ report: CheckReport) async throws -> Int {
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
}

extension Photo {
  /// Returns whether the row has the size and the checksum of a file. A row of an old database has no checksum.
  fileprivate func has(_ measures: OriginalStore.Measures) -> Bool {
    byteCount == measures.byteCount && (checksum ?? measures.checksum) == measures.checksum
  }
}
