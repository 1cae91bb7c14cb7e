public import Foundation
public import GRDB

/// An album: photos in an order of one's own.
public struct Album: Sendable, Hashable, Identifiable {
  /// The album's name in the database; its title may change.
  public var id: UUID
  /// What the user calls it.
  public var title: String
  /// When it was made.
  public var createdDate: Timestamp
}

extension Album: FetchableRecord, PersistableRecord {
  /// The table.
  public static let databaseTableName = "album"

  /// Takes an album from a row of the table.
  public init(row: Row) throws {
    id = try row.value("id")
    title = try row.value("title")
    createdDate = try row.value("createdDate")
  }

  /// Fills a row of the table.
  public func encode(to container: inout PersistenceContainer) throws {
    container["id"] = id
    container["title"] = title
    container["createdDate"] = createdDate
  }

  /// Makes a title from what a user typed: one line, no control characters, not too long, never empty.
  static func title(from text: String) -> String {
    let title = TextCleaning.oneLine(text, limit: 200)
    return title.isEmpty ? "Untitled" : title
  }
}
