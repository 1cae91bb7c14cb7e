package import Foundation
package import LiveLists

/// An album: photos in an order of one's own.
package struct Album: Sendable, Hashable, Identifiable {
  /// The album's name in the database; its title may change.
  package var id: UUID
  /// The name that the user gave it.
  package var title: String
  /// When it was made.
  package var createdDate: Timestamp
  /// Its position among the albums.
  package var rank: Rank
  /// How many photos it shows. The database keeps count by itself.
  package var photoCount = 0
  /// The content of its cover: of the photo that was chosen, where the album shows it, else of its first. The database keeps this
  /// by itself, too.
  package var cover: String?
  /// The photo that was chosen for its cover.
  package var coverID: Photo.ID?
  /// When the first of its photos was taken, of those that say so. The database keeps this by itself.
  package var firstDate: Timestamp?
  /// When the last of them was taken.
  package var lastDate: Timestamp?
  /// When it was deleted; it is kept for as long as its photos are in the trash.
  package var deletedDate: Timestamp?
}

extension Album: FetchModel {
  /// The table, with the columns that live lists show, filter and order by.
  package static let fetchTable = FetchTable<Album>(
    "album", id: .column("id", \.id),
    columns: [
      .column("title", \.title), .column("rank", \.rank), .column("photoCount", \.photoCount),
      .column("cover", \.cover), .column("deletedDate", \.deletedDate),
      .column("firstDate", \.firstDate), .column("lastDate", \.lastDate),
    ])
}

extension Album: FetchableRecord, PersistableRecord {
  /// The table.
  package static let databaseTableName = "album"

  /// Takes an album from a row of the table.
  package init(row: Row) throws {
    id = try row.value("id")
    title = try row.value("title")
    createdDate = try row.value("createdDate")
    rank = try row.value("rank")
    photoCount = try row.value("photoCount")
    cover = try row.optionalValue("cover")
    deletedDate = try row.optionalValue("deletedDate")
    coverID = try row.optionalValue("coverID")
    firstDate = try row.optionalValue("firstDate")
    lastDate = try row.optionalValue("lastDate")
  }

  /// Fills a row of the table.
  package func encode(to container: inout PersistenceContainer) throws {
    container["id"] = id
    container["title"] = title
    container["createdDate"] = createdDate
    container["rank"] = rank
    container["photoCount"] = photoCount
    container["cover"] = cover
    container["deletedDate"] = deletedDate
    container["coverID"] = coverID
    container["firstDate"] = firstDate
    container["lastDate"] = lastDate
  }

  /// Makes a title from what a user typed: one line, no control characters, never empty.
  ///
  /// - Throws: `ContactSheetError.Code.badRequest` where it is too long.
  package static func title(typed text: String) throws(ContactSheetError) -> String {
    let title = try Titles.typed(text)
    return title.isEmpty ? "Untitled" : title
  }

  /// Returns as much of a title that an import brings along as can be stored; never an empty one.
  static func title(imported text: String) -> String {
    let title = TextCleaning.oneLine(text, limit: Titles.limit)
    return title.isEmpty ? "Untitled" : title
  }
}
