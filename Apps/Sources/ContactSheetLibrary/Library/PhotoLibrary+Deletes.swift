package import Foundation
import GRDB

extension PhotoLibrary {
  /// Puts photos of an album into the trash. Those that are gone already are passed over.
  ///
  /// - Parameters:
  ///   - ids: The photos.
  ///   - albumID: The album that holds them.
  ///   - mutationID: The identifier of the mutation; one that was performed already does nothing.
  /// - Returns: Whether the mutation deleted anything.
  /// - Throws: `ContactSheetError.Code.notFound` where the album is gone.
  @discardableResult
  package func delete(_ ids: [Photo.ID], from albumID: Album.ID, mutationID: UUID) async throws -> Bool {
    try await delete(.ids(ids), from: albumID, mutationID: mutationID)
  }

  @discardableResult
  package func delete(_ photos: PhotoSelection, from albumID: Album.ID, mutationID: UUID) async throws -> Bool
  {
    let now = Timestamp(Date())
    return try await records.write(origin: mutationID.wireText) { db in
      if let known = try Mutations.begin(mutationID, in: albumID, db) { return known }
      guard try Self.album(albumID, db) != nil else { throw Self.noSuchAlbum }
      let before = try photos.remember(of: mutationID, in: albumID, db)
      try db.execute(
        sql: """
          UPDATE photo SET trashedDate = ? FROM act_photo
          WHERE \(Mutations.Before.condition) AND photo.id = act_photo.photoID
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
}
