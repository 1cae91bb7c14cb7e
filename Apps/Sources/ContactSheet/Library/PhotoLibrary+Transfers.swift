package import Foundation
import LiveLists

extension PhotoLibrary {
  /// Moves photos to the end of another album. One whose content the other album has already goes to the trash.
  ///
  /// - Parameters:
  ///   - ids: The photos in the order in which they are to arrive. Those that are gone are passed over.
  ///   - albumID: The album that holds them.
  ///   - targetID: The album that is to hold them.
  ///   - mutationID: The identifier of the mutation; one that was performed already does nothing.
  /// - Returns: Whether the mutation changed anything.
  /// - Throws: `ContactSheetError.Code.notFound` where one of the albums is gone.
  @discardableResult
  package func transfer(
    _ ids: [Photo.ID], from albumID: Album.ID, to targetID: Album.ID, mutationID: UUID
  ) async throws -> Bool {
    try await transfer(.ids(ids), from: albumID, to: targetID, mutationID: mutationID)
  }

  @discardableResult
  func transfer(
    _ photos: PhotoSelection, from albumID: Album.ID, to targetID: Album.ID, mutationID: UUID
  ) async throws -> Bool {
    let now = Timestamp(Date())
    return try await records.write(origin: mutationID.wireText) { db in
      guard try Self.album(targetID, db) != nil else { throw Self.noSuchAlbum }
      if let known = try Mutations.begin(mutationID, in: albumID, db) { return known }
      guard try Self.album(albumID, db) != nil else { throw Self.noSuchAlbum }
      guard albumID != targetID else { return false }
      let before = try photos.remember(of: mutationID, in: albumID, db)
      try db.execute(
        sql: """
          UPDATE photo SET trashedDate = ? FROM act_photo
          WHERE \(Mutations.Before.condition) AND photo.id = act_photo.photoID AND EXISTS (
            SELECT 1 FROM photo AS twin
            WHERE twin.albumID = ? AND twin.contentHash = photo.contentHash AND twin.trashedDate IS NULL)
          """, arguments: [now] + StatementArguments(before.bounds) + [targetID])
      try Self.append(before, to: targetID, db)
      return before.count > 0
    }
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
  func knows(_ mutationID: UUID) async throws -> Bool {
    try await records.read { try Mutations.isKnown(mutationID, $0) != nil }
  }

  /// The newest mutations of an album, or of the list of albums, that a page may still wait for; the oldest first.
  func recentMutationIDs(in albumID: Album.ID?) async throws -> [UUID] {
    try await records.read { try Mutations.recent(in: albumID, $0) }
  }
}
