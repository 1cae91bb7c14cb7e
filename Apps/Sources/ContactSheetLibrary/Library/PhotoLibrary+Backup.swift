import Foundation
import LiveLists

/// The result of a backup.
package struct BackupReport: Sendable, Hashable {
  /// The number of photos in the copy, those in the trash included.
  package var photos = 0
  /// The number of originals that were copied; the others were there already.
  package var copied = 0
  /// Photos whose file is missing here and in the copy, by title.
  package var missing: [String] = []
  /// Photos whose file cannot be read here, and is not in the copy, by title.
  package var unreadable: [String] = []
  /// Photos whose file is damaged here, and not whole in the copy either, by title.
  package var damaged: [String] = []

  /// Photos that the copy has, and whose file here is missing, cannot be read or has another length, by title.
  package var onlyInCopy: [String] = []

  /// A Boolean value that indicates whether the copy and the library have everything.
  package var isComplete: Bool {
    missing.isEmpty && unreadable.isEmpty && damaged.isEmpty && onlyInCopy.isEmpty
  }
}

extension PhotoLibrary {
  /// Copies the library into another folder, while it is in use. The copy is a data folder of its own.
  ///
  /// The database goes first, in one state; then the originals that it names, which stay here until the copy is complete,
  /// deleted or not. Those that the other folder has already are read, and copied again only if they are not whole. The
  /// database that was there is replaced last: a backup that is cut off leaves the one before.
  ///
  /// - Parameters:
  ///   - target: The other folder.
  ///   - replacing: Whether photos, albums, titles and positions that only the other folder has may be lost.
  /// - Returns: What was copied, and what could not be since it is missing or damaged.
  /// - Throws: `ContactSheetError.Code.conflict` where the other folder holds the albums of another library, something of this one that
  ///   it does not know (it is a backup of a newer state, or has been used since it was one), or photos that have lost their database.
  /// - Complexity: reads every original, here or there.
  package func backUp(to target: DataFolder, replacing: Bool = false) async throws -> BackupReport {
    let (folder, records) = (folder, records)
    return try await blocking {
      try Self.checkIsAnother(target, than: folder)
      try Self.checkIsApart(target, from: folder)
      try Self.checkHasOwnOriginals(target, besides: folder)
      try Self.checkHasOwnFiles(target, besides: folder)
      try Self.checkLinksLeadElsewhere(folder, than: target)
      try Self.checkHasNoJournalAlone(target)
      try target.prepare()
      let lock = try FolderLock.acquire(target, isTarget: true)
      defer { lock.release() }
      let turn = try DeletionTurn.keepingFiles(of: folder)
      let temporary = target.temporary("sqlite")
      defer { for name in ["", "-journal", "-wal", "-shm"] { try? Files.remove(temporary + name) } }
      do {
        try OpenFile.make(temporary)
        let copy = try DatabaseQueue(path: temporary)
        try records.store.pool.backup(to: copy)
        // In one file from now on, since it is renamed.
        _ = try copy.inDatabase { try String.fetchOne($0, sql: "PRAGMA journal_mode = DELETE") }
        let rows = try copy.read { db in
          try Row.fetchAll(db, sql: "SELECT contentHash, title FROM photo ORDER BY contentHash")
        }
        var wanted: [String: [String]] = [:]
        for row in rows { wanted[try row.value("contentHash"), default: []].append(try row.value("title")) }
        let names = Set(wanted.keys)
        let originals = BackupOriginals(in: target)
        try Self.checkNothingIsLost(of: target, by: copy, replacing: replacing)
        try originals.checkNoneIsOrphaned(besides: names, replacing: replacing)
        let (state, mark) = (UUID(), try copy.read { try BackupHistory.mark($0) })
        // Noted here first: a backup of which its library does not know would not be overwritten by the next one.
        try Self.note { try records.store.pool.write { try BackupHistory.note(state, mark, $0) } }
        try copy.write { try BackupHistory.note(state, mark, $0) }
        try copy.close()
        var report = BackupReport()
        report.photos = rows.count
        try originals.noteBegin(of: names)
        for (text, titles) in wanted.sorted(by: { $0.key < $1.key }) {
          guard let hash = ContentHash(text) else {
            report.damaged += titles
            continue
          }
          switch try Self.copyOriginal(hash, from: folder, to: target) {
          case .there: break
          case .onlyThere: report.onlyInCopy += titles
          case .copied: report.copied += 1
          case .missing: report.missing += titles
          case .unreadable: report.unreadable += titles
          case .damaged: report.damaged += titles
          }
        }
        try Self.replaceDatabase(of: target, by: temporary)
        // An earlier release left one.
        try? Files.remove(target.backupMark)
        originals.removeGone(besides: names)
        try? Files.remove(target.unfinishedBackup)
        withExtendedLifetime(turn) {}
        return report
      } catch {
        throw DatabaseFailure.explain(error, target.database)
      }
    }
  }

  private enum CopyOutcome { case there, onlyThere, copied, missing, unreadable, damaged }

  private static func copyOriginal(
    _ hash: ContentHash, from folder: DataFolder, to target: DataFolder
  ) throws -> CopyOutcome {
    let (from, to) = (folder.original(hash), target.original(hash))
    // A link to the library's own file, as `cp -a` makes it of a link, is no copy of it.
    if !Files.areOne(from, to), (try? OriginalStore.hash(of: to)) == hash {
      return OriginalStore.obstacle(from) != nil || Files.size(from) != Files.size(to) ? .onlyThere : .there
    }
    if let obstacle = OriginalStore.obstacle(from) { return obstacle == .unreadable ? .unreadable : .missing }
    guard
      let (file, received) = try readable({
        try IncomingFile.copy(of: from, into: target, named: hash.text, byteLimit: .max)
      })
    else { return .damaged }
    defer { file.discard() }
    guard received.hash == hash else { return .damaged }
    try file.sync()
    try OriginalStore(folder: target).mend(received)
    return .copied
  }

  /// Returns what `body` gives, or `nil` where the file that it reads cannot be read; errors of writing are thrown.
  private static func readable<Result>(_ body: () throws -> Result) throws -> Result? {
    do {
      return try body()
    } catch let error as ContactSheetError {
      if error.code == .unreadable || error.code == .empty { return nil }
      throw error
    }
  }

  /// Throws where a database was lost whose journal is there: a backup never leaves one.
  private static func checkHasNoJournalAlone(_ target: DataFolder) throws(ContactSheetError) {
    guard target.hasEmptyDatabase, JournalRemains.exist(of: target.database) else { return }
    throw ContactSheetError(
      .conflict,
      "“\(target.path)” holds what is left of other albums, which a backup would overwrite. Name another folder."
    )
  }

  /// Replaces the database of a folder, which nobody uses.
  private static func replaceDatabase(of folder: DataFolder, by path: String) throws {
    // What an old journal holds would be written into the new database. The old one gets it before, to be whole whenever this ends.
    do {
      let old = try DatabaseQueue(path: folder.database)
      defer { try? old.close() }
      _ = try old.inDatabase { try $0.checkpoint(.truncate) }
    } catch let error as DatabaseError where DatabaseCheck.isDamage(error) {
      // Nothing of it can be whole.
    }
    do throws(SystemError) {
      for name in ["-wal", "-shm", "-journal"] { try Files.remove(folder.database + name) }
      try Files.sync(path)
      try Files.rename(path, to: folder.database)
      try Files.syncFolder(folder.path)
    } catch {
      throw ContactSheetError.writing(folder.database, error)
    }
  }
}
