import ContactSheetLibrary
import Foundation

/// The content of a photo that was found in one of all albums, as the page shows it.
struct FoundContent: Sendable, Hashable, Encodable {
  var photo: PhotoContent
  /// The album that it is in.
  var album: UUID

  init(_ photo: Photo) {
    self.photo = PhotoContent(photo)
    album = photo.albumID
  }

  private enum Key: CodingKey { case album }

  /// Written by hand so that it is the photo's content with one member more.
  func encode(to encoder: any Encoder) throws {
    try photo.encode(to: encoder)
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(album.wireText, forKey: .album)
  }
}
