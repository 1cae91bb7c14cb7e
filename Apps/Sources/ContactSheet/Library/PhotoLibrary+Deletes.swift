public import Foundation
import GRDB

extension PhotoLibrary {
  /// Deletes photos from an album. Those that are gone already are passed over.
  ///
  /// The rows and the note that their files are to go are one transaction; the files follow, now or, if the
  /// process ends, at the next start.
  ///
  /// - Parameters:
  ///   - ids: The photos.
  ///   - albumID: The album that holds them.
  ///   - act: The user's act; one that was carried out already does nothing.
  /// - Returns: Whether anything was deleted; where not, no list will tell of the act.
  @discardableResult
  public func delete(_ ids: [UUID], from albumID: UUID, act: UUID) async throws -> Bool {
    let changed = try await records.write(origin: act.wireText) { db in
      guard try Acts.isNew(act, db) else { return false }
      var changed = false
      for id in ids {
        guard
          let hash = try String.fetchOne(
            db, sql: "SELECT contentHash FROM photo WHERE id = ? AND albumID = ?", arguments: [id, albumID])
        else { continue }
        try db.execute(sql: "DELETE FROM photo WHERE id = ?", arguments: [id])
        try db.execute(
          sql: "INSERT INTO discarded (contentHash) VALUES (?) ON CONFLICT DO NOTHING", arguments: [hash])
        changed = true
      }
      return changed
    }
    try await removeDiscarded()
    return changed
  }
}
