import ContactSheetLibrary
/// The content of an album in the list of albums, as the page shows it.
struct AlbumContent: Sendable, Hashable, Encodable {
  var title: String
  var count: Int
  var cover: String?
  /// When the first and the last of its photos were taken, in ISO 8601.
  var first: String?
  var last: String?

  init(_ album: Album) {
    title = album.title
    count = album.photoCount
    cover = album.cover
    first = album.firstDate?.iso8601
    last = album.lastDate?.iso8601
  }

  private enum Key: CodingKey { case title, count, cover, first, last }

  /// Written by hand so that what is missing is `null` and not left out.
  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(title, forKey: .title)
    try container.encode(count, forKey: .count)
    try container.encode(cover, forKey: .cover)
    try container.encode(first, forKey: .first)
    try container.encode(last, forKey: .last)
  }
}
