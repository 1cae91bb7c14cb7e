import Foundation
import LiveLists

extension PhotoLibrary {
  /// Gives a photo another title; without one it gets that of its file's name.
  ///
  /// - Throws: `ContactSheetError.Code.notFound` where the album does not show the photo, `ContactSheetError.Code.badRequest` where the
  ///   title has more than 500 bytes.
  @discardableResult
  package func rename(photo id: Photo.ID, in albumID: Album.ID, to title: String) async throws -> Photo {
    try await records.write { db in
      guard var photo = try Self.shown([id], in: albumID, db).first else {
        throw ContactSheetError(.notFound, "There is no such photo. It may have been deleted.")
      }
      photo.title = try Photo.title(typed: title, fileName: photo.fileName)
      try db.execute(sql: "UPDATE photo SET title = ? WHERE id = ?", arguments: [photo.title, photo.id])
      return photo
    }
  }
}
