public import Foundation
public import GRDB

/// A photo in an album.
public struct Photo: Sendable, Hashable, Identifiable {
  /// The photo's name in the database.
  public var id: UUID
  /// The album that holds it.
  public var albumID: UUID
  /// What the user calls it; at first the file's name without its suffix.
  public var title: String
  /// The name of the file that was imported, made safe to show and to save under.
  public var fileName: String
  /// When it was taken, where the file says so.
  public var captureDate: Timestamp?
  /// When it was imported.
  public var importedDate: Timestamp
  /// The SHA-256 of the file, by which it is stored.
  public var contentHash: String
  /// Width of the upright picture in pixels.
  public var width: Int
  /// Height of the upright picture in pixels.
  public var height: Int
  /// Size of the file.
  public var byteCount: Int
  /// The kind of file.
  public var format: ImageFormat
  /// Its place in the album.
  public var rank: Data
  /// Its average colour; `nil` for photos of old databases.
  public var color: AverageColor?
}

extension Photo: FetchableRecord, PersistableRecord {
  /// The table.
  public static let databaseTableName = "photo"

  /// Takes a photo from a row of the table.
  public init(row: Row) throws {
    id = row["id"]
    albumID = row["albumID"]
    title = row["title"]
    fileName = row["fileName"]
    captureDate = (row["captureDate"] as Int64?).map { Timestamp(microseconds: $0) }
    importedDate = Timestamp(microseconds: row["importedDate"])
    contentHash = row["contentHash"]
    width = row["width"]
    height = row["height"]
    byteCount = row["byteCount"]
    format = ImageFormat(rawValue: row["format"]) ?? .jpeg
    rank = row["rank"]
    color = (row["color"] as Int?).map { AverageColor(rgb: $0) }
  }

  /// Fills a row of the table.
  public func encode(to container: inout PersistenceContainer) throws {
    container["id"] = id
    container["albumID"] = albumID
    container["title"] = title
    container["fileName"] = fileName
    container["captureDate"] = captureDate?.microseconds
    container["importedDate"] = importedDate.microseconds
    container["contentHash"] = contentHash
    container["width"] = width
    container["height"] = height
    container["byteCount"] = byteCount
    container["format"] = format.rawValue
    container["rank"] = rank
    container["color"] = color?.rgb
  }
}
