import Foundation
import LiveLists

extension PhotoLibrary {
  /// Notes a backup in the library's own database. On a disk without room there is no note: the next backup to the same folder then is
  /// refused where it would remove or change something, which is better than none today.
  static func note(_ write: () throws -> Void) throws {
    do {
      try write()
    } catch let error as DatabaseError where error.resultCode == .SQLITE_FULL {}
  }

  /// Throws where a folder holds something that a backup would overwrite for good, and its library does not know.
  ///
  /// - Parameters:
  ///   - target: The folder, which nobody uses.
  ///   - copy: The database that is to take the place of the folder's.
  ///   - replacing: Whether that may be lost; of another library it may not.
  static func checkNothingIsLost(
    of target: DataFolder, by copy: DatabaseQueue, replacing: Bool
  ) throws {
    guard Files.size(target.database) ?? 0 > 0 else { return }
    let old = try? DatabaseQueue(path: target.database)
    defer { try? old?.close() }
    guard let old, (try? old.read { try DatabaseCheck.isOurs($0) }) == true else {
      throw ContactSheetError(
        .conflict,
        "“\(target.database)” is no backup of ContactSheet, or is damaged, and was not overwritten. Take it away, or name"
          + " another folder.")
    }
    // Without all of its columns it is of an earlier release, and has no history either.
    let mark = try? old.read { try BackupHistory.mark($0) }
    try copy.writeWithoutTransaction { db in
      try db.execute(sql: "ATTACH DATABASE ? AS theirs", arguments: [target.database])
      defer { try? db.execute(sql: "DETACH DATABASE theirs") }
      try checkIsOfThisLibrary(target, db)
      if try replacing || mark.map({ try BackupHistory.isPast(of: $0, db) }) == true { return }
      let loss = try BackupLoss(db)
      guard !loss.isEmpty else { return }
      throw ContactSheetError(
        .conflict,
        "“\(target.path)” holds what this library does not know: \(loss.description). It is a backup of a newer state, or has been"
          + " used since, and a backup would overwrite that. Nothing was changed. Name another folder, or say --replace to lose it."
      )
    }
  }

  /// Throws where the databases `main` and `theirs` are of two libraries.
  private static func checkIsOfThisLibrary(_ target: DataFolder, _ db: Database) throws {
    let isOther = try Bool.fetchOne(
      db,
      sql: """
        SELECT EXISTS (SELECT 1 FROM theirs.album)
          AND NOT EXISTS (SELECT 1 FROM theirs.album WHERE id IN (SELECT id FROM main.album))
        """)
    guard isOther == true, try !BackupHistory.isShared(db) else { return }
    throw ContactSheetError(
      .conflict,
      "“\(target.path)” holds the albums of another library, and was not overwritten, nor would it be with --replace. Name another"
        + " folder; or, if nobody needs those albums, remove that folder first.")
  }
}
