import ContactSheetLibrary
/// The content of a photo, as the page shows it.
struct PhotoContent: Sendable, Hashable, Encodable {
  var title: String
  var fileName: String
  var width: Int
  var height: Int
  var hash: String
  var taken: String?
  var color: String

  init(_ photo: Photo) {
    title = photo.title
    fileName = photo.fileName
    width = photo.width
    height = photo.height
    hash = photo.contentHash
    taken = photo.captureDate?.iso8601
    color = (photo.color ?? AverageColor(rgb: 0x8A8A8A)).css
  }

  private enum Key: CodingKey { case title, fileName, width, height, hash, taken, color }

  /// Written by hand so that a missing date is `null` and not left out.
  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(title, forKey: .title)
    try container.encode(fileName, forKey: .fileName)
    try container.encode(width, forKey: .width)
    try container.encode(height, forKey: .height)
    try container.encode(hash, forKey: .hash)
    try container.encode(taken, forKey: .taken)
    try container.encode(color, forKey: .color)
  }
}
