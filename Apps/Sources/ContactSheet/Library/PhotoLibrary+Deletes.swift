public import Foundation
import GRDB

/// What lies in the trash.
public struct TrashSummary: Sendable, Hashable, Codable {
  /// How many photos.
  public var count: Int
  /// The size of their files.
  public var bytes: Int
}

extension PhotoLibrary {
  /// Puts photos of an album into the trash. Those that are gone already are passed over.
  ///
  /// - Parameters:
  ///   - ids: The photos.
  ///   - albumID: The album that holds them.
  ///   - act: The user's act; one that was carried out already does nothing.
  /// - Returns: Whether the act deleted anything.
  @discardableResult
  public func delete(_ ids: [Photo.ID], from albumID: Album.ID, act: UUID) async throws -> Bool {
    try await delete(.ids(ids), from: albumID, act: act)
  }

  @discardableResult
  func delete(_ photos: PhotoSelection, from albumID: Album.ID, act: UUID) async throws -> Bool {
    let now = Timestamp(Date())
    return try await records.write(origin: act.wireText) { db in
      if let known = try Acts.begin(act, in: albumID, db) { return known }
      let before = try photos.remember(of: act, in: albumID, db)
      try db.execute(
        sql: """
          UPDATE photo SET trashedDate = ? FROM act_photo
          WHERE \(Acts.Before.condition) AND photo.id = act_photo.photoID
          """, arguments: [now] + StatementArguments(before.bounds))
      return before.count > 0
    }
  }

  /// Those of some photos that an album shows, in the order in which they are named.
  static func shown(_ ids: [Photo.ID], in albumID: Album.ID, _ db: Database) throws -> [Photo] {
    let find = try db.makeStatement(
      sql: "SELECT * FROM photo WHERE id = ? AND albumID = ? AND trashedDate IS NULL")
    return try ids.uniqued().compactMap { try Photo.fetchOne(find, arguments: [$0, albumID]) }
  }

  /// What lies in the trash.
  public func trash() async throws -> TrashSummary {
    try await records.read { db in
      let row = try Row.fetchOne(
        db,
        sql: "SELECT count(*) AS count, total(byteCount) AS bytes FROM photo WHERE trashedDate IS NOT NULL")
      guard let row else { return TrashSummary(count: 0, bytes: 0) }
      return TrashSummary(
        count: try row.value("count"), bytes: Int(exactly: try row.value("bytes") as Double) ?? .max)
    }
  }

  /// Empties the trash. What was in it cannot be brought back.
  ///
  /// The rows and the note that their files are to go are one transaction; the files follow, now or, if the
  /// process ends, at the next start.
  public func emptyTrash() async throws {
    try await records.write { db in
      try db.execute(
        sql: """
          INSERT INTO discarded (contentHash)
          SELECT DISTINCT contentHash FROM photo WHERE trashedDate IS NOT NULL ON CONFLICT DO NOTHING;
          DELETE FROM photo WHERE trashedDate IS NOT NULL;
          DELETE FROM album WHERE deletedDate IS NOT NULL;
          """)
    }
    try await removeDiscarded()
  }
}
