import Foundation
import LiveLists

/// The states in which a library was backed up, by random ids, in a table of its database.
///
/// A copy of the library, a backup or a folder put back from one, has the ids with it, and each goes on with ids of its own. So a library
/// whose history has the state of a backup is newer than the backup, or is the same: what the backup has more was removed or changed here. Any
/// other may be older, and then the contents decide.
///
/// The table is made by the first backup, and not by a migration: an earlier release opens the folder as before. A database that was made
/// anew of a damaged one has none, since nobody knows what it lacks.
enum BackupHistory {
  private static let columns: Set<String> = ["number", "id", "mark"]
  /// So many states are remembered: one an hour for five years.
  private static let limit = 50_000

  /// Returns the albums and photos of a database in brief: another text where one of them was added, removed or changed.
  ///
  /// - Complexity: O(*n*) in the number of photos.
  static func mark(_ db: Database) throws -> String {
    var hasher = SHA256()
    for (table, columns) in [
      ("album", "quote(title) || quote(rank) || quote(deletedDate)"),
      ("photo", "quote(albumID) || quote(title) || quote(rank) || quote(contentHash) || quote(trashedDate)"),
    ] {
      let rows = try String.fetchCursor(db, sql: "SELECT quote(id) || \(columns) FROM \(table) ORDER BY id")
      while let row = try rows.next() { hasher.update(Array((row + "\n").utf8)) }
    }
    return ContentHash(digest: hasher.finish()).text
  }

  /// Notes that a database was backed up in a state.
  ///
  /// - Parameters:
  ///   - id: The random id of the state.
  ///   - mark: Its albums and photos in brief.
  static func note(_ id: UUID, _ mark: String, _ db: Database) throws {
    if try !exists("main", db) {
      try db.execute(
        sql: """
          DROP TABLE IF EXISTS backup;
          CREATE TABLE backup (
            number INTEGER PRIMARY KEY NOT NULL,
            id BLOB NOT NULL UNIQUE,
            mark TEXT NOT NULL
          )
          """)
    }
    try db.execute(sql: "INSERT INTO backup (id, mark) VALUES (?, ?)", arguments: [id, mark])
    try db.execute(
      sql: "DELETE FROM backup WHERE number <= ?", arguments: [db.lastInsertedRowID - Int64(limit)])
  }

  /// Returns whether a database of a schema has a history that can be read.
  static func exists(_ schema: String, _ db: Database) throws -> Bool {
    try columns.isSubset(of: columns(of: "backup", in: schema, db))
  }

  static func columns(of table: String, in schema: String, _ db: Database) throws -> Set<String> {
    try Set(
      String.fetchAll(db, sql: "SELECT name FROM pragma_table_info(?, ?)", arguments: [table, schema]))
  }

  /// Returns whether the library `main` has been in the state in which the database `theirs` is.
  ///
  /// The newest ids of `theirs` are of the state in which it is, as long as their marks say so: a backup gets further ones when it is
  /// backed up itself. Those before are of earlier states, also where it was the same once.
  static func isPast(of mark: String, _ db: Database) throws -> Bool {
    guard try exists("main", db), try exists("theirs", db) else { return false }
    return try Bool.fetchOne(
      db,
      sql: """
        SELECT EXISTS (
          SELECT 1 FROM theirs.backup AS state JOIN main.backup AS known ON known.id = state.id
          WHERE state.number > coalesce((SELECT max(number) FROM theirs.backup WHERE mark <> ?), -1)
        )
        """, arguments: [mark]) ?? false
  }

  /// Returns whether the databases `main` and `theirs` come from one library.
  static func isShared(_ db: Database) throws -> Bool {
    guard try exists("main", db), try exists("theirs", db) else { return false }
    return try Bool.fetchOne(
      db, sql: "SELECT EXISTS (SELECT 1 FROM theirs.backup WHERE id IN (SELECT id FROM main.backup))")
      ?? false
  }
}
