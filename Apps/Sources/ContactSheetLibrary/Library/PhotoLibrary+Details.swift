import Foundation
import GRDB

/// All that is known of a photo: its row in the database, and what its file says of the camera.
package struct AllDetails: Sendable {
  package var photo: Photo
  /// The data in the file; `nil` where there is none, or the file cannot be read.
  package var camera: CameraDetails?
}

extension PhotoLibrary {
  /// Returns the details of a photo that an album shows, or the trash. The camera's are read from the file each time.
  ///
  /// - Parameter albumID: The album; `nil`: the trash.
  /// - Throws: `ContactSheetError.Code.notFound` where the photo is not there.
  /// - Complexity: O(1); a decoder reads the header of the file, and no pixel.
  package func details(of id: Photo.ID, in albumID: Album.ID?) async throws -> AllDetails {
    let photo = try await records.read { db in
      if let albumID { return try Self.shown([id], in: albumID, db).first }
      return try Photo.fetchOne(
        db, sql: "SELECT * FROM photo WHERE id = ? AND trashedDate IS NOT NULL", arguments: [id])
    }
    guard let photo, let hash = ContentHash(photo.contentHash) else {
      throw ContactSheetError(.notFound, "There is no such photo. It may have been deleted.")
    }
    let request = DecodeRequest(
      source: folder.original(hash), target: "", name: photo.fileName, box: settings.thumbnailBox,
      pixelLimit: .max)
    do {
      return AllDetails(photo: photo, camera: try await decoder.header(request).camera)
    } catch let error as CancellationError {
      throw error
    } catch {
      // A file that is missing or damaged is no reason to keep back what the database knows.
      return AllDetails(photo: photo)
    }
  }
}
