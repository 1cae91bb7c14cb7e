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
  /// - Returns: Whether the act changed anything.
  @discardableResult
  public func transfer(
    _ ids: [Photo.ID], from albumID: Album.ID, to targetID: Album.ID, act: UUID
  ) async throws -> Bool {
    try await transfer(.ids(ids), from: albumID, to: targetID, act: act)
  }

  @discardableResult
  func transfer(
    _ photos: PhotoSelection, from albumID: Album.ID, to targetID: Album.ID, act: UUID
  ) async throws -> Bool {
    let now = Timestamp(Date())
    return try await records.write(origin: act.wireText) { db in
      guard try Self.album(targetID, db) != nil else { throw Self.noSuchAlbum }
      if let known = try Acts.begin(act, in: albumID, db) { return known }
      guard albumID != targetID else { return false }
      let before = try photos.remember(of: act, in: albumID, db)
      try db.execute(
        sql: """
          UPDATE photo SET trashedDate = ? FROM act_photo
          WHERE \(Acts.Before.condition) AND photo.id = act_photo.photoID AND EXISTS (
            SELECT 1 FROM photo AS twin
            WHERE twin.albumID = ? AND twin.contentHash = photo.contentHash AND twin.trashedDate IS NULL)
          """, arguments: [now] + StatementArguments(before.bounds) + [targetID])
      try Self.append(before, to: targetID, db)
      return before.count > 0
    }
  }

  /// How many photos get their ranks at a time, so that no number of them fills the memory.
  private static let portion = 1_000

  /// Puts the photos of an act that are still shown at the end of another album, in the order of the act.
  private static func append(_ photos: Acts.Before, to targetID: Album.ID, _ db: Database) throws {
    let update = try db.makeStatement(sql: "UPDATE photo SET albumID = ?, rank = ? WHERE id = ?")
    let select = try db.makeStatement(
      sql: """
        SELECT place, photoID FROM act_photo JOIN photo ON photo.id = photoID
        WHERE \(Acts.Before.condition) AND photo.trashedDate IS NULL ORDER BY place LIMIT ?
        """)
    var rest = photos.bounds
    while true {
      let found = try Row.fetchAll(select, arguments: [rest[0], rest[1], portion])
      guard let last = found.last else { return }
      let ranks = try AlbumOrder(albumID: targetID, db: db).ranks(found.count, at: .end)
      for (row, rank) in zip(found, ranks) {
        try update.execute(arguments: [targetID, rank, try row.value("photoID") as UUID])
      }
      rest[0] = try last.value("place") + 1
    }
  }

  /// Takes an act back: its photos are put where they were, in a transaction like any other.
  ///
  /// - Parameters:
  ///   - undone: The act to take back: a move, a deletion, a transfer, or the taking back of one.
  ///   - albumID: The album that it was made in.
  ///   - act: The act of taking back.
  /// - Returns: Whether anything was changed by that.
  /// - Throws: `ContactSheetError.Code.notFound` where the act is forgotten, `conflict` where it cannot be
  ///   taken back any more.
  @discardableResult
  public func undo(_ undone: UUID, in albumID: Album.ID, act: UUID) async throws -> Bool {
    try await records.write(origin: act.wireText) { db in
      if let known = try Acts.begin(act, in: albumID, db) { return known }
      guard let before = try Acts.before(undone, db) else {
        throw ContactSheetError(.notFound, "That is too long ago to be undone.")
      }
      let bounds = StatementArguments(before.bounds)
      try Self.checkThatThereIsAWayBack(before, db)
      // What is as it was already is not written, and is no part of this act.
      let differs =
        "(photo.albumID, photo.rank, photo.trashedDate) IS NOT (act_photo.albumID, act_photo.rank, act_photo.trashedDate)"
      let changed = try Acts.remember(of: act, in: albumID, db) { insert in
        try insert(
          """
          SELECT photo.id, photo.albumID, photo.rank, photo.trashedDate
          FROM act_photo JOIN photo ON photo.id = act_photo.photoID
          WHERE \(Acts.Before.condition) AND \(differs) ORDER BY act_photo.place
          """, bounds)
      }
      do {
        try db.execute(
          sql: """
            UPDATE photo
            SET albumID = act_photo.albumID, rank = act_photo.rank, trashedDate = act_photo.trashedDate
            FROM act_photo WHERE \(Acts.Before.condition) AND photo.id = act_photo.photoID AND \(differs)
            """, arguments: bounds)
      } catch let error as DatabaseError where error.resultCode == .SQLITE_CONSTRAINT {
        throw ContactSheetError(.conflict, "The album has the same photo again by now.")
      }
      return changed.count > 0
    }
  }

  /// Photos that were removed for good, and albums that are gone, cannot be gone back to.
  private static func checkThatThereIsAWayBack(_ before: Acts.Before, _ db: Database) throws {
    guard before.count > 0 else { return }
    let bounds = StatementArguments(before.bounds)
    let exists = try Bool.fetchOne(
      db,
      sql: """
        SELECT EXISTS (
          SELECT 1 FROM act_photo JOIN photo ON photo.id = photoID WHERE \(Acts.Before.condition))
        """, arguments: bounds)
    guard exists == true else {
      throw ContactSheetError(.conflict, "The photos have been removed for good.")
    }
    let lacksAlbum = try Bool.fetchOne(
      db,
      sql: """
        SELECT EXISTS (
          SELECT 1 FROM (SELECT DISTINCT albumID FROM act_photo WHERE \(Acts.Before.condition)) AS former
          WHERE NOT EXISTS (SELECT 1 FROM album WHERE id = former.albumID AND deletedDate IS NULL))
        """, arguments: bounds)
    guard lacksAlbum == false else {
      throw ContactSheetError(.conflict, "The album that the photos were in has been deleted.")
    }
  }
}

extension PhotoLibrary {
  /// Whether an act has been carried out.
  func knows(_ act: UUID) async throws -> Bool {
    try await records.read { try Acts.isKnown(act, $0) != nil }
  }
}
