package import Foundation
import GRDB

/// The contents of the trash.
package struct TrashSummary: Sendable, Hashable, Codable {
  /// How many photos.
  package var count: Int
  /// The size of their files.
  package var bytes: Int
}

extension PhotoLibrary {
  /// Puts photos of an album into the trash. Those that are gone already are passed over.
  ///
  /// - Parameters:
  ///   - ids: The photos.
  ///   - albumID: The album that holds them.
  ///   - act: The user's act; one that was carried out already does nothing.
  /// - Returns: Whether the act deleted anything.
  /// - Throws: `ContactSheetError.Code.notFound` where the album is gone.
  @discardableResult
  package func delete(_ ids: [Photo.ID], from albumID: Album.ID, act: UUID) async throws -> Bool {
    try await delete(.ids(ids), from: albumID, act: act)
  }

  @discardableResult
  func delete(_ photos: PhotoSelection, from albumID: Album.ID, act: UUID) async throws -> Bool {
    let now = Timestamp(Date())
    return try await records.write(origin: act.wireText) { db in
      if let known = try Acts.begin(act, in: albumID, db) { return known }
      guard try Self.album(albumID, db) != nil else { throw Self.noSuchAlbum }
      let before = try photos.remember(of: act, in: albumID, db)
      try db.execute(
        sql: """
          UPDATE photo SET trashedDate = ? FROM act_photo
          WHERE \(Acts.Before.condition) AND photo.id = act_photo.photoID
          """, arguments: [now] + StatementArguments(before.bounds))
      return before.count > 0
    }
  }

  /// Those of some photos that an album shows, in the order in which they are named.
  static func shown(_ ids: [Photo.ID], in albumID: Album.ID, _ db: Database) throws -> [Photo] {
    let find = try db.makeStatement(
      sql: "SELECT * FROM photo WHERE id = ? AND albumID = ? AND trashedDate IS NULL")
    return try ids.uniqued().compactMap { try Photo.fetchOne(find, arguments: [$0, albumID]) }
  }

  /// Returns the contents of the trash.
  package func trash() async throws -> TrashSummary {
    try await records.read { db in
      let row = try Row.fetchOne(
        db,
        sql: "SELECT count(*) AS count, total(byteCount) AS bytes FROM photo WHERE trashedDate IS NOT NULL")
      guard let row else { return TrashSummary(count: 0, bytes: 0) }
      return TrashSummary(
        count: try row.value("count"), bytes: Int(exactly: try row.value("bytes") as Double) ?? .max)
    }
  }

  /// Empties the trash. What was in it cannot be brought back.
  ///
  /// The rows and the note that their files are to go are one transaction; the files follow, now or, if the
  /// process ends, at the next start. Where there is no room for that, the reserve is given up and the trash emptied in
  /// small portions, each of which makes room for the next.
  package func emptyTrash() async throws {
    let reserve = records.reserve
    do {
      _ = try await removeTrash(atMost: .max)
    } catch let error as ContactSheetError where error.code == .diskFull {
      try await blocking { _ = reserve.release() }
      var portion = 16
      while try await removeTrash(atMost: portion) > 0 { portion = min(portion * 2, 4096) }
    }
    if reserve.isUsedUp { try await blocking { _ = reserve.fill() } }
  }

  /// - Returns: How many photos were removed.
  private func removeTrash(atMost count: Int) async throws -> Int {
    let removed = try await records.write(makesRoom: true) { db in
      let chosen =
        "SELECT rowid FROM photo WHERE trashedDate IS NOT NULL ORDER BY trashedDate, rowid LIMIT \(count)"
      try db.execute(
        sql: """
          INSERT INTO discarded (contentHash)
          SELECT DISTINCT contentHash FROM photo WHERE rowid IN (\(chosen)) ON CONFLICT DO NOTHING
          """)
      try db.execute(sql: "DELETE FROM photo WHERE rowid IN (\(chosen))")
      let removed = db.changesCount
      try db.execute(
        sql: """
          DELETE FROM album WHERE deletedDate IS NOT NULL
          AND NOT EXISTS (SELECT 1 FROM photo WHERE albumID = album.id)
          """)
      return removed
    }
    try await removeDiscarded()
    return removed
  }
}
