package import Foundation
import LiveLists

/// How many photos went to another album, and how many stay because that has the same photo.
package struct TransferResult: Sendable, Equatable {
  package var moved = 0
  package var left = 0
}

extension PhotoLibrary {
  /// Moves photos to the end of another album. One whose content the other album has already stays where it is.
  ///
  /// - Parameters:
  ///   - ids: The photos in the order in which they are to arrive. Those that are gone are passed over.
  ///   - albumID: The album that holds them.
  ///   - targetID: The album that is to hold them.
  ///   - mutationID: The identifier of the mutation; one that was performed already does nothing.
  /// - Returns: How many photos went, and how many stay because the other album has them; of a mutation that was performed before,
  ///   as it is remembered.
  /// - Throws: `ContactSheetError.Code.notFound` where one of the albums is gone.
  @discardableResult
  package func transfer(
    _ ids: [Photo.ID], from albumID: Album.ID, to targetID: Album.ID, mutationID: UUID
  ) async throws -> TransferResult {
    try await transfer(.ids(ids), from: albumID, to: targetID, mutationID: mutationID)
  }

  @discardableResult
  package func transfer(
    _ photos: PhotoSelection, from albumID: Album.ID, to targetID: Album.ID, mutationID: UUID
  ) async throws -> TransferResult {
    try await records.write(origin: mutationID.wireText) { db in
      guard try Self.album(targetID, db) != nil else { throw Self.noSuchAlbum }
      if try Mutations.begin(mutationID, in: albumID, db) != nil {
        return try Self.transferred(by: mutationID, db)
      }
      guard try Self.album(albumID, db) != nil else { throw Self.noSuchAlbum }
      guard albumID != targetID else { return TransferResult() }
      let before = try photos.remember(of: mutationID, in: albumID, db)
      // Those that stay are none of the mutation's: to take it back leaves them alone.
      try db.execute(
        sql: """
          DELETE FROM act_photo WHERE \(Mutations.Before.condition) AND EXISTS (
            SELECT 1 FROM photo JOIN photo AS twin ON twin.contentHash = photo.contentHash
            WHERE photo.id = act_photo.photoID AND twin.albumID = ? AND twin.trashedDate IS NULL)
          """, arguments: StatementArguments(before.bounds) + [targetID])
      if db.changesCount == before.count {
        try db.execute(sql: "UPDATE act SET changed = 0 WHERE id = ?", arguments: [mutationID])
      }
      try Self.append(before, to: targetID, db)
      return try Self.transferred(by: mutationID, db)
    }
  }

  /// Counts the photos that a mutation has moved, and those that it was about and left.
  private static func transferred(by mutationID: UUID, _ db: Database) throws -> TransferResult {
    guard let before = try Mutations.before(mutationID, db) else { return TransferResult() }
    let moved =
      try Int.fetchOne(
        db, sql: "SELECT count(*) FROM act_photo WHERE \(Mutations.Before.condition)",
        arguments: StatementArguments(before.bounds)) ?? 0
    return TransferResult(moved: moved, left: before.count - moved)
  }

  /// How many photos get their ranks at a time, so that no number of them fills the memory.
  private static let portion = 1_000

  /// Puts the photos of a mutation that are still shown at the end of another album, in the order of the mutation.
  private static func append(_ photos: Mutations.Before, to targetID: Album.ID, _ db: Database) throws {
    let update = try db.makeStatement(sql: "UPDATE photo SET albumID = ?, rank = ? WHERE id = ?")
    let select = try db.makeStatement(
      sql: """
        SELECT place, photoID FROM act_photo JOIN photo ON photo.id = photoID
        WHERE \(Mutations.Before.condition) AND photo.trashedDate IS NULL ORDER BY place LIMIT ?
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
}

extension PhotoLibrary {
  /// Whether a mutation has been performed.
  package func knows(_ mutationID: UUID) async throws -> Bool {
    try await records.read { try Mutations.isKnown(mutationID, $0) != nil }
  }

  /// The newest mutations of an album, or of the list of albums, that a page may still wait for; the oldest first.
  package func recentMutationIDs(in albumID: Album.ID?) async throws -> [UUID] {
    try await records.read { try Mutations.recent(in: albumID, $0) }
  }
}
