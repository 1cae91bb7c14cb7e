public import Foundation
import GRDB
import LiveFetchSQLite

extension PhotoLibrary {
  /// Moves photos to the end of another album. One whose content the other album has already goes to the trash.
  ///
  /// - Parameters:
  ///   - ids: The photos in the order in which they are to arrive. Those that are gone are passed over.
  ///   - albumID: The album that holds them.
  ///   - targetID: The album that is to hold them.
  ///   - act: The user's act; one that was carried out already does nothing.
  /// - Returns: Whether anything was written; where not, no list will tell of the act.
  @discardableResult
  public func transfer(
    _ ids: [Photo.ID], from albumID: Album.ID, to targetID: Album.ID, act: UUID
  ) async throws -> Bool {
    let now = Timestamp(Date())
    return try await records.write(origin: act.wireText) { db in
      guard try Self.album(targetID, db) != nil else { throw Self.noSuchAlbum }
      guard albumID != targetID, try Acts.isNew(act, in: albumID, db) else { return false }
      let photos = try Self.shown(ids, in: albumID, db)
      try Acts.remember(photos, of: act, db)
      let ranks = try AlbumOrder(albumID: targetID, db: db).ranks(photos.count, at: .end)
      for (photo, rank) in zip(photos, ranks) {
        if try Self.photo(photo.contentHash, in: targetID, db) != nil {
          try db.execute(sql: "UPDATE photo SET trashedDate = ? WHERE id = ?", arguments: [now, photo.id])
        } else {
          try db.execute(
            sql: "UPDATE photo SET albumID = ?, rank = ? WHERE id = ?", arguments: [targetID, rank, photo.id])
        }
      }
      return !photos.isEmpty
    }
  }

  /// Takes an act back: its photos are put where they were, in a transaction like any other.
  ///
  /// - Parameters:
  ///   - undone: The act to take back: a move, a deletion, a transfer, or the taking back of one.
  ///   - albumID: The album that it was made in.
  ///   - act: The act of taking back.
  /// - Returns: Whether anything was written; where not, no list will tell of the act.
  /// - Throws: `ContactSheetError.Code.notFound` where the act is forgotten, `conflict` where it cannot be
  ///   taken back any more.
  @discardableResult
  public func undo(_ undone: UUID, in albumID: Album.ID, act: UUID) async throws -> Bool {
    try await records.write(origin: act.wireText) { db in
      guard try Acts.isNew(act, in: albumID, db) else { return false }
      guard let before = try Acts.before(undone, db) else {
        throw ContactSheetError(.notFound, "That is too long ago to be undone.")
      }
      let find = try db.makeStatement(sql: "SELECT * FROM photo WHERE id = ?")
      let photos = try before.compactMap { try Photo.fetchOne(find, arguments: [$0.id]) }
      guard !photos.isEmpty else {
        throw ContactSheetError(.conflict, "The photos have been removed for good.")
      }
      try Acts.remember(photos, of: act, db)
      let update = try db.makeStatement(
        sql: "UPDATE photo SET albumID = ?, rank = ?, trashedDate = ? WHERE id = ?")
      for state in before {
        guard try Self.album(state.albumID, db) != nil else {
          throw ContactSheetError(.conflict, "The album that the photos were in has been deleted.")
        }
        do {
          try update.execute(arguments: [state.albumID, state.rank, state.trashedDate, state.id])
        } catch let error as DatabaseError where error.resultCode == .SQLITE_CONSTRAINT {
          throw ContactSheetError(.conflict, "The album has the same photo again by now.")
        }
      }
      return true
    }
  }
}
