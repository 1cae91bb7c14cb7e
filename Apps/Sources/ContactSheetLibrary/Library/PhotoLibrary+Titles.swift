import Foundation
import LiveLists

extension PhotoLibrary {
  /// Gives a photo another title; without one it gets that of its file's name.
  ///
  /// - Parameter former: The title that it must have, as for taking a title back; `nil`: whichever it has.
  /// - Returns: The photo, and the title that it had.
  /// - Throws: `ContactSheetError.Code.notFound` where the album does not show the photo, `ContactSheetError.Code.badRequest` where the
  ///   title has more than 500 bytes, `ContactSheetError.Code.conflict` where the photo has another title than the former one.
  @discardableResult
  package func rename(photo id: Photo.ID, in albumID: Album.ID, to title: String, from former: String? = nil)
    async throws -> (photo: Photo, former: String)
  {
    try await records.write { db in
      guard var photo = try Self.shown([id], in: albumID, db).first else {
        throw ContactSheetError(.notFound, "There is no such photo. It may have been deleted.")
      }
      let before = photo.title
      guard former == nil || former == before else { throw Self.renamedSince }
      photo.title = try Photo.title(typed: title, fileName: photo.fileName)
      try db.execute(sql: "UPDATE photo SET title = ? WHERE id = ?", arguments: [photo.title, photo.id])
      return (photo, before)
    }
  }

  /// Refuses to take back a title that somebody has changed since.
  static var renamedSince: ContactSheetError {
    ContactSheetError(.conflict, "It has been renamed since then.")
  }
}
