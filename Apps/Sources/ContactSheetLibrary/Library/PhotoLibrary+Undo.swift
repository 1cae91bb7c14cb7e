package import Foundation
import LiveLists

extension PhotoLibrary {
  /// Takes a mutation back, in a transaction like any other: what it changed of its photos, and of that only what nobody
  /// has changed since. A photo that was moved by the mutation and deleted, transferred or moved again later stays as it is.
  ///
  /// - Parameters:
  ///   - undone: The mutation to take back: a move, a deletion, a transfer, or the taking back of one.
  ///   - albumID: The album that it was made in; `nil` for a mutation on the trash.
  ///   - mutationID: The mutation of taking back.
  /// - Returns: Whether anything was changed by that; `false` where all is as it was before the mutation.
  /// - Throws: `ContactSheetError.Code.notFound` where the mutation can never be taken back: it is forgotten, its photos were
  ///   removed for good, or their album was deleted. `conflict` where others have changed all of it since: that may
  ///   change again.
  /// - Complexity: O(n) for n photos of this mutation and of those that were performed later.
  @discardableResult
  package func undo(_ undone: UUID, in albumID: Album.ID?, mutationID: UUID) async throws -> Bool {
    try await records.write(origin: mutationID.wireText) { db in
      if let known = try Mutations.begin(mutationID, in: albumID, db) { return known }
      guard let before = try Mutations.before(undone, db) else {
        throw ContactSheetError(.notFound, "That is too long ago to be undone.")
      }
      return try PhotoUndo(before: before, db: db).perform(as: mutationID, in: albumID)
    }
  }
}

/// The taking back of a mutation inside its transaction.
///
/// The table holds what photos were before each mutation. What a photo was after a mutation is what it was before the next mutation
/// on it or, without one, what it is now.
private struct PhotoUndo {
  let before: Mutations.Before
  let db: Database

  /// The rows of the mutation, each with that of the next mutation on the same photo.
  private static let rows = """
    act_photo
    LEFT JOIN (
      SELECT photoID, min(place) AS place FROM act_photo WHERE place >= ? AND place < ? GROUP BY photoID
    ) AS later ON later.photoID = act_photo.photoID
    LEFT JOIN act_photo AS next ON next.place = later.place
    """

  /// True of photos that are not as they were before the mutation.
  private static let differs =
    "(photo.albumID, photo.rank, photo.trashedDate) IS NOT (act_photo.albumID, act_photo.rank, act_photo.trashedDate)"

  /// True of photos that are still as the mutation left them. For a mutation that took a photo elsewhere its position there does
  /// not count: it is left either way. Albums are deleted without a mutation.
  private static let standsStill = """
    (next.place IS NULL OR (
      (photo.albumID, photo.trashedDate) IS (next.albumID, next.trashedDate)
      AND (photo.rank = next.rank
        OR (act_photo.albumID, act_photo.trashedDate) IS NOT (next.albumID, next.trashedDate))))
    AND (photo.trashedDate IS NULL
      OR EXISTS (SELECT 1 FROM album WHERE album.id = photo.albumID AND album.deletedDate IS NULL))
    """

  func perform(as mutationID: UUID, in albumID: UUID?) throws -> Bool {
    try checkThatThereIsAWayBack()
    let end = try Int64.fetchOne(db, sql: "SELECT coalesce(max(place), 0) + 1 FROM act_photo") ?? 1
    let arguments = StatementArguments([before.bounds[1], end] + before.bounds)
    let changed = try Mutations.remember(of: mutationID, in: albumID, db) { insert in
      try insert(
        """
        SELECT photo.id, photo.albumID, photo.rank, photo.trashedDate
        FROM \(Self.rows) JOIN photo ON photo.id = act_photo.photoID
        WHERE \(Mutations.Before.condition) AND \(Self.differs) AND \(Self.standsStill) ORDER BY act_photo.place
        """, arguments)
    }
    guard changed.count > 0 else {
      try checkThatAllIsAsItWas()
      return false
    }
    do {
      try db.execute(
        sql: """
          UPDATE photo
          SET albumID = act_photo.albumID, rank = act_photo.rank, trashedDate = act_photo.trashedDate
          FROM \(Self.rows)
          WHERE \(Mutations.Before.condition) AND photo.id = act_photo.photoID AND \(Self.differs) AND \(Self.standsStill)
          """, arguments: arguments)
    } catch let error as DatabaseError where error.resultCode == .SQLITE_CONSTRAINT {
      throw ContactSheetError(.conflict, "The album has the same photo again by now.")
    }
    return true
  }

  /// Throws where a photo is not as it was, with the reason of the first such one.
  private func checkThatAllIsAsItWas() throws {
    let row = try Row.fetchOne(
      db,
      sql: """
        SELECT photo.trashedDate IS NOT NULL AS isDeleted, photo.albumID <> act_photo.albumID AS isElsewhere
        FROM act_photo JOIN photo ON photo.id = act_photo.photoID
        WHERE \(Mutations.Before.condition) AND \(Self.differs) ORDER BY act_photo.place LIMIT 1
        """, arguments: StatementArguments(before.bounds))
    guard let row else { return }
    let (isDeleted, isElsewhere): (Bool, Bool) = try (row.value("isDeleted"), row.value("isElsewhere"))
    let photos = before.count == 1 ? "The photo has" : "The photos have"
    let since = isDeleted ? "been deleted" : isElsewhere ? "been moved to another album" : "been moved again"
    throw ContactSheetError(.conflict, "\(photos) \(since) since then.")
  }

  /// Photos that were removed for good, and albums that are gone, cannot be gone back to; the trash can, whatever became of the
  /// album of its photos.
  private func checkThatThereIsAWayBack() throws {
    guard before.count > 0 else { return }
    let bounds = StatementArguments(before.bounds)
    let exists = try Bool.fetchOne(
      db,
      sql: """
        SELECT EXISTS (
          SELECT 1 FROM act_photo JOIN photo ON photo.id = photoID WHERE \(Mutations.Before.condition))
        """, arguments: bounds)
    guard exists == true else {
      throw ContactSheetError(.notFound, "The photos have been removed for good.")
    }
    let lacksAlbum = try Bool.fetchOne(
      db,
      sql: """
        SELECT EXISTS (
          SELECT 1 FROM (
            SELECT DISTINCT albumID, trashedDate IS NOT NULL AS isTrash FROM act_photo
            WHERE \(Mutations.Before.condition)) AS former
          WHERE NOT EXISTS (
            SELECT 1 FROM album WHERE id = former.albumID AND (deletedDate IS NULL OR former.isTrash)))
        """, arguments: bounds)
    guard lacksAlbum == false else {
      throw ContactSheetError(.notFound, "The album that the photos were in has been deleted.")
    }
  }
}
