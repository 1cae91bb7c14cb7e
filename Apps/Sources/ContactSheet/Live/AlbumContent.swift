/// The content of an album in the list of albums, as the page shows it.
struct AlbumContent: Sendable, Hashable, Encodable {
  var title: String
  var count: Int
  var cover: String?

  init(_ album: Album) {
    title = album.title
    count = album.photoCount
    cover = album.cover
  }

  private enum Key: CodingKey { case title, count, cover }

  /// Written by hand so that a missing cover is `null` and not left out.
  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(title, forKey: .title)
    try container.encode(count, forKey: .count)
    try container.encode(cover, forKey: .cover)
  }
}
