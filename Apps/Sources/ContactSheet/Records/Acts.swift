import Foundation
import GRDB
import LiveFetch
import LiveFetchSQLite

/// The acts that were carried out: one that is sent twice counts once, and one that was a mistake can be undone.
enum Acts {
  /// How long acts are remembered, in microseconds: a week.
  private static let memory: Int64 = 7 * 86_400 * 1_000_000
  /// How many acts of an album are remembered even longer.
  private static let remembered = 50

  /// What a photo was before an act.
  struct Before: Codable, Sendable, Hashable {
    var id: UUID
    var albumID: UUID
    var rank: Rank
    var trashedDate: Timestamp?
  }

  /// Notes an act.
  ///
  /// - Returns: `false` where the act has been carried out already and must not be again.
  static func isNew(_ act: UUID, in albumID: UUID? = nil, _ db: Database, now: Date = Date()) throws -> Bool {
    let known = try Bool.fetchOne(
      db, sql: "SELECT EXISTS (SELECT 1 FROM act WHERE id = ?)", arguments: [act])
    if known == true { return false }
    let moment = Timestamp(now).microseconds
    try db.execute(
      sql: "INSERT INTO act (id, date, albumID) VALUES (?, ?, ?)", arguments: [act, moment, albumID])
    try db.execute(
      sql: """
        DELETE FROM act WHERE date < ? AND albumID IS ?
        AND id NOT IN (SELECT id FROM act WHERE albumID IS ? ORDER BY date DESC LIMIT ?)
        """, arguments: [moment - memory, albumID, albumID, remembered])
    return true
  }

  /// Remembers what photos were, before an act changes them.
  static func remember(_ photos: [Photo], of act: UUID, _ db: Database) throws {
    let before = photos.map {
      Before(id: $0.id, albumID: $0.albumID, rank: $0.rank, trashedDate: $0.trashedDate)
    }
    let text = String(decoding: try JSONEncoder().encode(before), as: UTF8.self)
    try db.execute(sql: "UPDATE act SET before = ? WHERE id = ?", arguments: [text, act])
  }

  /// What photos were before an act, or `nil` where it is forgotten or cannot be undone.
  static func before(_ act: UUID, _ db: Database) throws -> [Before]? {
    guard
      let text = try String.fetchOne(
        db, sql: "SELECT before FROM act WHERE id = ? AND before IS NOT NULL", arguments: [act])
    else { return nil }
    return try JSONDecoder().decode([Before].self, from: Data(text.utf8))
  }
}

extension UUID {
  /// The id as it travels to browsers: lower-case.
  var wireText: String { uuidString.lowercased() }
}
