import ContactSheetLibrary
import Foundation

/// The content of a photo in the trash, as the page shows it.
struct TrashContent: Sendable, Hashable, Encodable {
  var photo: PhotoContent
  /// The album that it came from, which may have been deleted.
  var album: UUID
  /// When it is removed for good; `nil` where it is kept until the trash is emptied.
  var expires: String?

  /// - Parameters:
  ///   - since: Since when the database has the rule.
  ///   - days: After how many days photos are removed.
  init(_ photo: Photo, since: Timestamp, days: Int?) {
    self.photo = PhotoContent(photo)
    album = photo.albumID
    if let days, let trashed = photo.trashedDate {
      expires = TrashRule.expiry(of: trashed, since: since, days: days).iso8601
    }
  }

  private enum Key: CodingKey { case album, expires }

  /// Written by hand so that it is the photo's content with two members more, and “never” is `null`.
  func encode(to encoder: any Encoder) throws {
    try photo.encode(to: encoder)
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(album.wireText, forKey: .album)
    try container.encode(expires, forKey: .expires)
  }
}
