import Foundation
import LiveLists

/// The history of the database. A migration that has been released is never changed again.
enum Schema {
  static func migrator() -> DatabaseMigrator {
    var migrator = DatabaseMigrator()
    migrator.registerMigration("1: photos by capture date", migrate: photosByCaptureDate)
    migrator.registerMigration("2: an order of one's own", migrate: displayOrder)
    migrator.registerMigration("3: colours, acts, discarded files", migrate: colorsActsDiscarded)
    migrator.registerMigration("4: trash, albums in order, search", migrate: trashAlbumsSearch)
    migrator.registerMigration("5: acts of any size", migrate: actsOfAnySize)
    migrator.registerMigration("6: days in the trash", migrate: daysInTrash)
    migrator.registerMigration("7: covers of one's own, dates of albums", migrate: coversAndDates)
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

  /// Version 3: the average colour; the mutations that were performed, so that one sent twice counts once;
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

  /// Version 4: photos and albums that are deleted are kept until the trash is emptied; mutations remember what they
  /// changed; albums have an order, a count and a cover, which the database itself keeps right.
  private static func trashAlbumsSearch(_ db: Database) throws {
    try db.execute(
      sql: """
        ALTER TABLE photo ADD COLUMN trashedDate INTEGER;
        ALTER TABLE photo ADD COLUMN dateText TEXT NOT NULL DEFAULT '';
        ALTER TABLE photo ADD COLUMN checksum INTEGER;
        DROP INDEX photo_content;
        CREATE UNIQUE INDEX photo_content ON photo(albumID, contentHash) WHERE trashedDate IS NULL;
        CREATE INDEX photo_shown ON photo(albumID, rank, id) WHERE trashedDate IS NULL;
        CREATE INDEX photo_trashed ON photo(trashedDate) WHERE trashedDate IS NOT NULL;
        ALTER TABLE act ADD COLUMN albumID BLOB;
        ALTER TABLE act ADD COLUMN before TEXT;
        CREATE INDEX act_album ON act(albumID, date);
        ALTER TABLE album ADD COLUMN rank BLOB NOT NULL DEFAULT x'';
        ALTER TABLE album ADD COLUMN photoCount INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE album ADD COLUMN cover TEXT;
        ALTER TABLE album ADD COLUMN deletedDate INTEGER;
        """)
    let dated = try Row.fetchAll(
      db, sql: "SELECT rowid, captureDate FROM photo WHERE captureDate IS NOT NULL")
    let describe = try db.makeStatement(sql: "UPDATE photo SET dateText = ? WHERE rowid = ?")
    for row in dated {
      let date: Timestamp = try row.value("captureDate")
      try describe.execute(arguments: [date.searchText, try row.value("rowid") as Int64])
    }
    let albums = try Int64.fetchAll(db, sql: "SELECT rowid FROM album ORDER BY createdDate, id")
    let update = try db.makeStatement(sql: "UPDATE album SET rank = ? WHERE rowid = ?")
    for (rowID, rank) in zip(albums, try Rank.between(nil, nil, count: albums.count)) {
      try update.execute(arguments: [rank, rowID])
    }
    let cover = """
      (SELECT contentHash FROM photo WHERE albumID = album.id AND trashedDate IS NULL ORDER BY rank, id LIMIT 1)
      """
    try db.execute(
      sql: """
        UPDATE album SET
          photoCount = (SELECT count(*) FROM photo WHERE albumID = album.id AND trashedDate IS NULL),
          cover = \(cover);
        CREATE TRIGGER photo_inserted AFTER INSERT ON photo WHEN new.trashedDate IS NULL BEGIN
          UPDATE album SET photoCount = photoCount + 1, cover = \(cover) WHERE id = new.albumID;
        END;
        CREATE TRIGGER photo_deleted AFTER DELETE ON photo WHEN old.trashedDate IS NULL BEGIN
          UPDATE album SET photoCount = photoCount - 1, cover = \(cover) WHERE id = old.albumID;
        END;
        CREATE TRIGGER photo_left AFTER UPDATE OF albumID, trashedDate ON photo
        WHEN old.trashedDate IS NULL AND (new.trashedDate IS NOT NULL OR new.albumID <> old.albumID) BEGIN
          UPDATE album SET photoCount = photoCount - 1, cover = \(cover) WHERE id = old.albumID;
        END;
        CREATE TRIGGER photo_came AFTER UPDATE OF albumID, trashedDate ON photo
        WHEN new.trashedDate IS NULL AND (old.trashedDate IS NOT NULL OR new.albumID <> old.albumID) BEGIN
          UPDATE album SET photoCount = photoCount + 1, cover = \(cover) WHERE id = new.albumID;
        END;
        CREATE TRIGGER photo_moved AFTER UPDATE OF rank ON photo
        WHEN new.trashedDate IS NULL AND old.trashedDate IS NULL AND new.albumID = old.albumID BEGIN
          UPDATE album SET cover = \(cover) WHERE id = new.albumID AND cover IS NOT \(cover);
        END;
        """)
  }

  /// Version 5: what photos were before a mutation is kept in rows, and not in one text, so that a mutation may be about a
  /// million; and mutations say whether they changed anything.
  private static func actsOfAnySize(_ db: Database) throws {
    try db.execute(
      sql: """
        CREATE TABLE act_photo (
          place INTEGER PRIMARY KEY NOT NULL,
          photoID BLOB NOT NULL,
          albumID BLOB NOT NULL,
          rank BLOB NOT NULL,
          trashedDate INTEGER
        );
        ALTER TABLE act ADD COLUMN firstPlace INTEGER;
        ALTER TABLE act ADD COLUMN photoCount INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE act ADD COLUMN changed INTEGER NOT NULL DEFAULT 0;
        UPDATE act SET changed = 1;
        """)
    /// As version 4 wrote it.
    struct Before: Decodable {
      var id: UUID
      var albumID: UUID
      var rank: Rank
      var trashedDate: Timestamp?
    }
    let insert = try db.makeStatement(
      sql: "INSERT INTO act_photo (place, photoID, albumID, rank, trashedDate) VALUES (?, ?, ?, ?, ?)")
    let note = try db.makeStatement(sql: "UPDATE act SET firstPlace = ?, photoCount = ? WHERE id = ?")
    var position: Int64 = 1
    for row in try Row.fetchAll(db, sql: "SELECT id, before FROM act WHERE before IS NOT NULL") {
      let text: String = try row.value("before")
      let photos = try JSONDecoder().decode([Before].self, from: Data(text.utf8))
      try note.execute(arguments: [position, photos.count, try row.value("id") as UUID])
      for photo in photos {
        try insert.execute(arguments: [position, photo.id, photo.albumID, photo.rank, photo.trashedDate])
        position += 1
      }
    }
    try db.execute(sql: "ALTER TABLE act DROP COLUMN before")
  }

  /// Version 6: photos do not lie in the trash for ever. Those that were there already have been promised more: their days begin
  /// now.
  private static func daysInTrash(_ db: Database) throws {
    try db.execute(sql: "CREATE TABLE trash_rule (since INTEGER NOT NULL)")
    try db.execute(sql: "INSERT INTO trash_rule (since) VALUES (?)", arguments: [Timestamp(Date())])
  }

  /// Version 7: an album may have a photo for its cover that somebody chose, for as long as it shows that photo; and it has the dates
  /// of the first and the last capture. The database keeps both right, as it does counts.
  private static func coversAndDates(_ db: Database) throws {
    let shown = "FROM photo WHERE albumID = album.id AND trashedDate IS NULL"
    let cover = """
      coalesce((SELECT contentHash \(shown) AND id = album.coverID), (SELECT contentHash \(shown) ORDER BY rank, id LIMIT 1))
      """
    let dates =
      "firstDate = (SELECT min(captureDate) \(shown)), lastDate = (SELECT max(captureDate) \(shown))"
    try db.execute(
      sql: """
        ALTER TABLE album ADD COLUMN coverID BLOB;
        ALTER TABLE album ADD COLUMN firstDate INTEGER;
        ALTER TABLE album ADD COLUMN lastDate INTEGER;
        CREATE INDEX photo_dated ON photo(albumID, captureDate) WHERE trashedDate IS NULL;
        DROP TRIGGER photo_inserted;
        DROP TRIGGER photo_deleted;
        DROP TRIGGER photo_left;
        DROP TRIGGER photo_came;
        DROP TRIGGER photo_moved;
        UPDATE album SET \(dates);
        CREATE TRIGGER photo_inserted AFTER INSERT ON photo WHEN new.trashedDate IS NULL BEGIN
          UPDATE album SET photoCount = photoCount + 1, cover = \(cover), \(dates) WHERE id = new.albumID;
        END;
        CREATE TRIGGER photo_deleted AFTER DELETE ON photo WHEN old.trashedDate IS NULL BEGIN
          UPDATE album SET photoCount = photoCount - 1, cover = \(cover), \(dates) WHERE id = old.albumID;
        END;
        CREATE TRIGGER photo_left AFTER UPDATE OF albumID, trashedDate ON photo
        WHEN old.trashedDate IS NULL AND (new.trashedDate IS NOT NULL OR new.albumID <> old.albumID) BEGIN
          UPDATE album SET photoCount = photoCount - 1, cover = \(cover), \(dates) WHERE id = old.albumID;
        END;
        CREATE TRIGGER photo_came AFTER UPDATE OF albumID, trashedDate ON photo
        WHEN new.trashedDate IS NULL AND (old.trashedDate IS NOT NULL OR new.albumID <> old.albumID) BEGIN
          UPDATE album SET photoCount = photoCount + 1, cover = \(cover), \(dates) WHERE id = new.albumID;
        END;
        CREATE TRIGGER photo_moved AFTER UPDATE OF rank ON photo
        WHEN new.trashedDate IS NULL AND old.trashedDate IS NULL AND new.albumID = old.albumID BEGIN
          UPDATE album SET cover = \(cover) WHERE id = new.albumID AND cover IS NOT \(cover);
        END;
        CREATE TRIGGER album_covered AFTER UPDATE OF coverID ON album BEGIN
          UPDATE album SET cover = \(cover) WHERE id = new.id;
        END;
        """)
  }
}
