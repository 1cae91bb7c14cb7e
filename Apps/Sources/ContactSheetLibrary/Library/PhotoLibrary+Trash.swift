package import Foundation
import LiveLists
import Logging

/// The contents of the trash.
package struct TrashSummary: Sendable, Hashable, Codable {
  /// How many photos.
  package var count: Int
  /// The size of the files that emptying it would remove: those that no album has.
  package var bytes: Int
  /// After how many days photos are removed for good by themselves; `nil` where they never are.
  package var days: Int?

  private enum Key: CodingKey { case count, bytes, days }

  /// Written by hand so that “never” is `null` and not left out.
  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(count, forKey: .count)
    try container.encode(bytes, forKey: .bytes)
    try container.encode(days, forKey: .days)
  }
}

/// The outcome of bringing photos back from the trash.
package struct TrashReturn: Sendable, Hashable {
  /// How many photos are in an album again.
  package var restored: Int
  /// How many stay in the trash: their album is gone, or has a photo with the same content.
  package var left: Int
}

extension PhotoLibrary {
  /// Returns the contents of the trash.
  package func trash() async throws -> TrashSummary {
    let days = settings.trashDays
    return try await records.read { db in
      let count = try Int.fetchOne(db, sql: "SELECT count(*) FROM photo WHERE trashedDate IS NOT NULL") ?? 0
      let bytes = try Double.fetchOne(
        db,
        sql: """
          SELECT total(byteCount) FROM (
            SELECT max(byteCount) AS byteCount FROM photo AS thrown
            WHERE trashedDate IS NOT NULL AND NOT EXISTS (
              SELECT 1 FROM photo AS twin WHERE twin.contentHash = thrown.contentHash AND twin.trashedDate IS NULL)
            GROUP BY contentHash)
          """)
      return TrashSummary(count: count, bytes: Int(exactly: (bytes ?? 0).rounded()) ?? .max, days: days)
    }
  }

  /// Brings photos of the trash back, each to the position in the album that it came from.
  ///
  /// - Parameters:
  ///   - ids: The photos. Those that are not in the trash are passed over.
  ///   - homeID: The album at whose end photos arrive whose own album has been deleted; without one they stay.
  ///   - mutationID: The identifier of the mutation; one that was performed already does nothing.
  /// - Returns: How many are back, and how many stay: of two photos with the same content an album takes one.
  /// - Throws: `ContactSheetError.Code.notFound` where the album `homeID` is gone, `conflict` where all of the photos stay; the
  ///   message says why.
  @discardableResult
  package func restore(_ ids: [Photo.ID], to homeID: Album.ID? = nil, mutationID: UUID) async throws
    -> TrashReturn
  {
    try await restore(.ids(ids), to: homeID, mutationID: mutationID)
  }

  @discardableResult
  package func restore(_ photos: PhotoSelection, to homeID: Album.ID?, mutationID: UUID) async throws
    -> TrashReturn
  {
    try await records.write(origin: mutationID.wireText) { db in
      if let homeID, try Self.album(homeID, db) == nil { throw Self.noSuchAlbum }
      if try Mutations.begin(mutationID, in: nil, db) != nil { return try Self.result(of: mutationID, db) }
      let before = try photos.rememberTrashed(of: mutationID, db)
      guard before.count > 0 else { return TrashReturn(restored: 0, left: 0) }
      try Self.bringBack(before, to: homeID, db)
      let result = try Self.result(of: mutationID, db)
      if result.restored == 0 { throw try Self.reasonToStay(before, db) }
      return result
    }
  }

  /// - Complexity: O(n log n) for n photos, in constant memory.
  private static func bringBack(_ photos: Mutations.Before, to homeID: Album.ID?, _ db: Database) throws {
    // An album holds each content once, by a unique index. `OR IGNORE` leaves in the trash what it would hold twice.
    try db.execute(
      sql: """
        UPDATE OR IGNORE photo SET trashedDate = NULL FROM act_photo
        WHERE \(Mutations.Before.condition) AND photo.id = act_photo.photoID AND photo.albumID IN (
          SELECT id FROM album WHERE deletedDate IS NULL)
        """, arguments: StatementArguments(photos.bounds))
    guard let homeID else { return }
    let homeless = try db.makeStatement(
      sql: """
        SELECT place, photoID FROM act_photo JOIN photo ON photo.id = photoID
        WHERE \(Mutations.Before.condition) AND photo.trashedDate IS NOT NULL AND photo.albumID IN (
          SELECT id FROM album WHERE deletedDate IS NOT NULL)
        ORDER BY place LIMIT 1000
        """)
    let update = try db.makeStatement(
      sql: "UPDATE OR IGNORE photo SET albumID = ?, rank = ?, trashedDate = NULL WHERE id = ?")
    var rest = photos.bounds
    while true {
      let found = try Row.fetchAll(homeless, arguments: StatementArguments(rest))
      guard let last = found.last else { return }
      let ranks = try AlbumOrder(albumID: homeID, db: db).ranks(found.count, at: .end)
      for (row, rank) in zip(found, ranks) {
        try update.execute(arguments: [homeID, rank, try row.value("photoID") as UUID])
      }
      rest[0] = try last.value("place") + 1
    }
  }

  /// Counts the photos of a mutation that are in an album now, and those that are not.
  private static func result(of mutationID: UUID, _ db: Database) throws -> TrashReturn {
    guard let before = try Mutations.before(mutationID, db) else { return TrashReturn(restored: 0, left: 0) }
    let restored =
      try Int.fetchOne(
        db,
        sql: """
          SELECT count(*) FROM act_photo JOIN photo ON photo.id = photoID
          WHERE \(Mutations.Before.condition) AND photo.trashedDate IS NULL
          """, arguments: StatementArguments(before.bounds)) ?? 0
    return TrashReturn(restored: restored, left: before.count - restored)
  }

  private static func reasonToStay(_ photos: Mutations.Before, _ db: Database) throws -> ContactSheetError {
    let twins = try Row.fetchAll(
      db,
      sql: """
        SELECT photo.title, twin.title AS twinTitle, album.title AS albumTitle
        FROM act_photo JOIN photo ON photo.id = photoID JOIN album ON album.id = photo.albumID
        JOIN photo AS twin
          ON twin.albumID = album.id AND twin.contentHash = photo.contentHash AND twin.trashedDate IS NULL
        WHERE \(Mutations.Before.condition) AND album.deletedDate IS NULL LIMIT 2
        """, arguments: StatementArguments(photos.bounds))
    if let twin = twins.first {
      let (title, other): (String, String) = (try twin.value("title"), try twin.value("twinTitle"))
      let album: String = try twin.value("albumTitle")
      let name = title == other ? "" : ", as “\(other)”"
      return ContactSheetError(
        .conflict,
        twins.count == 1
          ? "“\(album)” has “\(title)” already\(name)." : "Their albums have the same photos already.")
    }
    return ContactSheetError(
      .conflict,
      "The album that \(photos.count == 1 ? "the photo was" : "the photos were") in has been deleted. Choose another."
    )
  }

  /// Removes photos of the trash for good. They cannot be brought back.
  ///
  /// - Parameters:
  ///   - ids: The photos. Those that are not in the trash are passed over.
  ///   - mutationID: The identifier of the mutation; one that was performed already does nothing.
  /// - Returns: Whether any were removed.
  @discardableResult
  package func removeForGood(_ ids: [Photo.ID], mutationID: UUID) async throws -> Bool {
    try await removeForGood(.ids(ids), mutationID: mutationID)
  }

  @discardableResult
  package func removeForGood(_ photos: PhotoSelection, mutationID: UUID) async throws -> Bool {
    let changed = try await records.write(origin: mutationID.wireText, makesRoom: true) { db in
      if let known = try Mutations.begin(mutationID, in: nil, db) { return known }
      let chosen = try photos.rememberTrashed(of: mutationID, db)
      try Self.removeRows(
        of: "id IN (SELECT photoID FROM act_photo WHERE \(Mutations.Before.condition))",
        StatementArguments(chosen.bounds), db)
      // There is nothing to go back to.
      try Mutations.forgetPhotos(of: mutationID, db)
      return chosen.count > 0
    }
    try await removeDiscarded()
    return changed
  }

  /// Removes the photos for good whose days in the trash are over.
  ///
  /// - Parameter now: The moment.
  /// - Returns: How many were removed.
  @discardableResult
  package func removeExpired(now: Date = Date()) async throws -> Int {
    guard let days = settings.trashDays else { return 0 }
    let limit = TrashRule.limit(days: days, now: now)
    let removed = try await records.write(makesRoom: true) { db in
      // A folder of an earlier release promised its photos more: their days begin with the upgrade.
      guard try TrashRule.since(db).microseconds <= limit else { return 0 }
      return try Self.removeRows(of: "trashedDate <= ?", [limit], db)
    }
    if removed > 0 { try await removeDiscarded() }
    return removed
  }

  /// Removes for good what expires, at once and then every hour, until the task is cancelled.
  package func keepTrashSwept() async {
    while !Task.isCancelled {
      do {
        let removed = try await removeExpired()
        if removed > 0 {
          logger.notice(
            "Removed photos whose days in the trash were over", metadata: ["photos": "\(removed)"])
        }
      } catch {
        logger.warning("The trash cannot be swept", metadata: ["error": "\(error)"])
      }
      try? await Task.sleep(for: .seconds(3600))
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
      try Self.removeRows(
        of: """
          rowid IN (
            SELECT rowid FROM photo WHERE trashedDate IS NOT NULL ORDER BY trashedDate, rowid LIMIT \(count))
          """, [], db)
    }
    try await removeDiscarded()
    return removed
  }

  /// Removes the rows of photos in the trash, notes their files, which go where no other row wants them, and lets go of the
  /// deleted albums that have none left.
  ///
  /// - Returns: How many there were.
  @discardableResult
  private static func removeRows(
    of condition: String, _ arguments: StatementArguments, _ db: Database
  ) throws -> Int {
    let chosen = "trashedDate IS NOT NULL AND \(condition)"
    try db.execute(
      sql: """
        INSERT INTO discarded (contentHash)
        SELECT DISTINCT contentHash FROM photo WHERE \(chosen) ON CONFLICT DO NOTHING
        """, arguments: arguments)
    try db.execute(sql: "DELETE FROM photo WHERE \(chosen)", arguments: arguments)
    let removed = db.changesCount
    try db.execute(
      sql: """
        DELETE FROM album WHERE deletedDate IS NOT NULL
        AND NOT EXISTS (SELECT 1 FROM photo WHERE albumID = album.id)
        """)
    return removed
  }
}
