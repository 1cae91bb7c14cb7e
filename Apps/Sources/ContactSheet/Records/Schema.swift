import Foundation
import GRDB
import LiveFetch
import LiveFetchSQLite

/// The history of the database. A migration that has been released is never changed again.
enum Schema {
  static func migrator() -> DatabaseMigrator {
    var migrator = DatabaseMigrator()
    migrator.registerMigration("1: photos by capture date", migrate: photosByCaptureDate)
    migrator.registerMigration("2: an order of one's own", migrate: displayOrder)
    migrator.registerMigration("3: colours, acts, discarded files", migrate: colorsActsDiscarded)
    return migrator
  }

  /// Version 1: photos are shown by capture date; those without one follow, in the order of their import.
  static let orderOfVersion1 = "captureDate IS NULL, captureDate, importedDate, id"

  private static func photosByCaptureDate(_ db: Database) throws {
    try db.execute(
      sql: """
        CREATE TABLE album (
          id BLOB PRIMARY KEY NOT NULL,
          title TEXT NOT NULL,
          createdDate INTEGER NOT NULL
        );
        CREATE TABLE photo (
          id BLOB PRIMARY KEY NOT NULL,
          albumID BLOB NOT NULL REFERENCES album(id) ON DELETE CASCADE,
          title TEXT NOT NULL,
          fileName TEXT NOT NULL,
          captureDate INTEGER,
          importedDate INTEGER NOT NULL,
          contentHash TEXT NOT NULL,
          width INTEGER NOT NULL,
          height INTEGER NOT NULL,
          byteCount INTEGER NOT NULL,
          format TEXT NOT NULL
        );
        CREATE UNIQUE INDEX photo_content ON photo(albumID, contentHash);
        CREATE INDEX photo_hash ON photo(contentHash);
        CREATE INDEX photo_captureDate ON photo(albumID, captureDate, importedDate, id);
        """)
  }

  /// Version 2: each photo gets a rank; the ranks begin in the order that was shown until then.
  private static func displayOrder(_ db: Database) throws {
    try db.execute(sql: "ALTER TABLE photo ADD COLUMN rank BLOB NOT NULL DEFAULT x''")
    for album in try Row.fetchAll(db, sql: "SELECT DISTINCT albumID FROM photo") {
      let albumID: DatabaseValue = album["albumID"]
      let rowIDs = try Int64.fetchAll(
        db, sql: "SELECT rowid FROM photo WHERE albumID = ? ORDER BY \(orderOfVersion1)",
        arguments: [albumID])
      let ranks = try Rank.between(nil, nil, count: rowIDs.count)
      let update = try db.makeStatement(sql: "UPDATE photo SET rank = ? WHERE rowid = ?")
      for (rowID, rank) in zip(rowIDs, ranks) { try update.execute(arguments: [rank, rowID]) }
    }
    try db.execute(sql: "CREATE INDEX photo_rank ON photo(albumID, rank, id)")
  }

  /// Version 3: the average colour; the acts that were carried out, so that one sent twice counts once;
  /// and the files that are to be removed now that their rows are gone.
  private static func colorsActsDiscarded(_ db: Database) throws {
    try db.execute(
      sql: """
        ALTER TABLE photo ADD COLUMN color INTEGER;
        CREATE TABLE act (
          id BLOB PRIMARY KEY NOT NULL,
          date INTEGER NOT NULL
        );
        CREATE INDEX act_date ON act(date);
        CREATE TABLE discarded (
          contentHash TEXT PRIMARY KEY NOT NULL
        );
        """)
  }
}
