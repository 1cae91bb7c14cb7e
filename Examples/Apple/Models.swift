import Foundation
import LiveLists

/// An event of the list in sections.
struct Event: Identifiable, Sendable, FetchModel {
  var id: UUID
  var sectionName: String
  var timestamp: Date

  static let fetchTable = FetchTable<Event>(
    "event", id: .column("id", \.id),
    columns: [.column("sectionName", \.sectionName), .column("timestamp", \.timestamp)])

  init(id: UUID, sectionName: String, timestamp: Date) {
    (self.id, self.sectionName, self.timestamp) = (id, sectionName, timestamp)
  }

  init(fetchRow row: FetchRow) throws {
    id = try row["id"]
    sectionName = try row["sectionName"]
    timestamp = try row["timestamp"]
  }
}

/// A photo of the list that is ordered by hand.
struct Photo: Identifiable, Sendable, FetchModel {
  var id: UUID
  var title: String
  var rank: Rank

  static let fetchTable = FetchTable<Photo>(
    "photo", id: .column("id", \.id), columns: [.column("title", \.title), .column("rank", \.rank)])

  init(fetchRow row: FetchRow) throws {
    id = try row["id"]
    title = try row["title"]
    rank = try row["rank"]
  }
}
