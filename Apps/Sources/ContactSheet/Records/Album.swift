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
  public static let databaseTableName = "album"

  public init(row: Row) throws {
    id = row["id"]
    title = row["title"]
    createdDate = Timestamp(microseconds: row["createdDate"])
  }

  public func encode(to container: inout PersistenceContainer) throws {
    container["id"] = id
    container["title"] = title
    container["createdDate"] = createdDate.microseconds
  }

  /// Makes a title from what a user typed: one line, no control characters, not too long, never empty.
  static func title(from text: String) -> String {
    let title = TextCleaning.oneLine(text, limit: 200)
    return title.isEmpty ? "Untitled" : title
  }
}
