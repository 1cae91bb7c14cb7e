import Foundation

/// The manifest of an export, with the data of its photos, so that an import elsewhere can restore their order and titles.
struct AlbumManifest: Codable, Sendable, Hashable {
  /// The name of the manifest in an export.
  static let fileName = "manifest.json"

  struct Entry: Codable, Sendable, Hashable {
    /// The name of the photo's file in the export.
    var file: String
    var title: String
    var fileName: String
    /// When it was taken, in ISO 8601.
    var taken: String?
    /// The SHA-256 of the file.
    var hash: String
    var width: Int
    var height: Int
  }

  var format = 1
  var album: String
  /// The photos in the album's order.
  var photos: [Entry]

  /// How long a manifest may be: enough for a million photos, and not for mischief.
  static let maximumLength = 400 << 20
}
