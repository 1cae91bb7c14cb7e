package import Foundation
package import LiveLists

/// A photo in an album.
package struct Photo: Sendable, Hashable, Identifiable {
  /// The photo's name in the database.
  package var id: UUID
  /// The album that holds it.
  package var albumID: UUID
  /// The title that the user gave it; at first the file's name without its suffix.
  package var title: String
  /// The name of the file that was imported, made safe to show and to save under.
  package var fileName: String
  /// When it was taken, where the file says so.
  package var captureDate: Timestamp?
  /// When it was imported.
  package var importedDate: Timestamp
  /// The SHA-256 of the file, by which it is stored.
  package var contentHash: String
  /// Width of the upright picture in pixels.
  package var width: Int
  /// Height of the upright picture in pixels.
  package var height: Int
  /// Size of the file.
  package var byteCount: Int
  /// The kind of file.
  package var format: ImageFormat
  /// Its position in the album.
  package var rank: Rank
  /// Its average colour; `nil` for photos of old databases.
  package var color: AverageColor?
  /// The file's CRC-32, which zip archives want; `nil` for photos of old databases.
  package var checksum: UInt32?
  /// The capture date as people would search for it, such as “2024-05-06 6 May 2024”.
  package var dateText: String
  /// When it was put into the trash; `nil` for photos that are shown.
  package var trashedDate: Timestamp?
}

extension Photo: FetchModel {
  /// The table, with the columns that live lists show, filter and order by.
  package static let fetchTable = FetchTable<Photo>(
    "photo", id: .column("id", \.id),
    columns: [
      .column("albumID", \.albumID), .column("title", \.title), .column("fileName", \.fileName),
      .column("captureDate", \.captureDate), .column("importedDate", \.importedDate),
      .column("contentHash", \.contentHash), .column("rank", \.rank), .column("dateText", \.dateText),
      .column("trashedDate", \.trashedDate),
    ])
}

extension Photo: FetchableRecord, PersistableRecord {
  /// The table.
  package static let databaseTableName = "photo"

  /// Takes a photo from a row of the table.
  package init(row: Row) throws {
    id = try row.value("id")
    albumID = try row.value("albumID")
    title = try row.value("title")
    fileName = try row.value("fileName")
    captureDate = try row.optionalValue("captureDate")
    importedDate = try row.value("importedDate")
    contentHash = try row.value("contentHash")
    width = try row.value("width")
    height = try row.value("height")
    byteCount = try row.value("byteCount")
    format = try row.value("format")
    rank = try row.value("rank")
    color = try row.optionalValue("color")
    checksum = try row.optionalValue("checksum")
    dateText = try row.value("dateText")
    trashedDate = try row.optionalValue("trashedDate")
  }

  /// Fills a row of the table.
  package func encode(to container: inout PersistenceContainer) throws {
    container["id"] = id
    container["albumID"] = albumID
    container["title"] = title
    container["fileName"] = fileName
    container["captureDate"] = captureDate
    container["importedDate"] = importedDate
    container["contentHash"] = contentHash
    container["width"] = width
    container["height"] = height
    container["byteCount"] = byteCount
    container["format"] = format
    container["rank"] = rank
    container["color"] = color
    container["checksum"] = checksum
    container["dateText"] = dateText
    container["trashedDate"] = trashedDate
  }
}

extension Photo {
  /// Makes a title from what a user typed: one line, no control characters. Without one it is the file's name.
  ///
  /// - Throws: `ContactSheetError.Code.badRequest` where it is too long.
  static func title(typed text: String, fileName: String) throws(ContactSheetError) -> String {
    let title = try Titles.typed(text)
    return title.isEmpty ? TextCleaning.title(ofFile: fileName) : title
  }

  /// The title that an import brings along: to the byte, where it is fit to be stored; else as much of it as is, of which the
  /// import says so.
  package static func title(imported text: String, fileName: String) -> String {
    if TextCleaning.isFit(text, limit: Titles.limit) { return text }
    let title = TextCleaning.oneLine(text, limit: Titles.limit)
    return title.isEmpty ? TextCleaning.title(ofFile: fileName) : title
  }
}

extension Timestamp: FetchColumnValue, DatabaseValueConvertible {
  /// Stored as whole microseconds since 1970.
  package static var fetchColumnType: FetchColumnType { .date }

  /// The microseconds.
  package func fetchValue(as type: FetchColumnType) -> FetchValue? {
    type == .date || type == .integer ? .integer(microseconds) : nil
  }

  /// Creates a moment from microseconds.
  package init?(fetchValue: FetchValue, as type: FetchColumnType) {
    guard case .integer(let value) = fetchValue else { return nil }
    self.init(microseconds: value)
  }
}

extension ImageFormat: FetchColumnValue, DatabaseValueConvertible {}
extension AverageColor: FetchColumnValue, DatabaseValueConvertible {}
