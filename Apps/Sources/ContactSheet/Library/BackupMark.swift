import Foundation
import GRDB

/// Tells a backup that is as it was made from a folder that has been used since: to overwrite that would lose what was done in it.
enum BackupMark {
  /// The albums and photos of a database in brief: another text where one of them came, went or was changed.
  ///
  /// - Complexity: O(*n*) in the number of photos.
  static func of(_ db: Database) throws -> String {
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

  /// Writes the mark of a backup, which is about to be made or was just made. Without one, a backup that has been opened is compared
  /// by its ids alone.
  ///
  /// - Parameter others: Whether the marks that are there count as well: until the database is replaced, it has one of them.
  static func write(_ mark: String, in folder: DataFolder, besides others: Bool) {
    let marks = (others ? read(folder).suffix(mostMarks) : []) + [mark]
    try? Files.writePrivately(Array(marks.joined(separator: "\n").utf8), to: folder.backupMark)
  }

  /// A backup that is cut off leaves its mark; so many of them are kept.
  private static let mostMarks = 64

  /// The marks of a folder, the newest last; none where it has no file of them.
  private static func read(_ folder: DataFolder) -> [String] {
    guard let bytes = try? Files.ownContents(folder.backupMark) else { return [] }
    let text = String(decoding: bytes, as: UTF8.self)
    return text.parts(between: "\n").map(String.init)
  }

  /// Throws where a folder holds albums or photos that a backup would overwrite for good.
  ///
  /// - Parameters:
  ///   - target: The folder.
  ///   - copy: The database that is to take the place of the folder's.
  static func checkNothingIsLost(of target: DataFolder, by copy: DatabaseQueue) throws {
    guard Files.size(target.database) ?? 0 > 0, !isUnopened(target) else { return }
    let marks = read(target)
    let old = try DatabaseQueue(path: target.database)
    let isAsMade = try? old.read { db in try marks.contains(of(db)) }
    try old.close()
    if isAsMade == true { return }
    let lost = try copy.writeWithoutTransaction { db -> (albums: Int, photos: Int) in
      try db.execute(sql: "ATTACH DATABASE ? AS theirs", arguments: [target.database])
      defer { try? db.execute(sql: "DETACH DATABASE theirs") }
      func count(_ table: String, _ columns: [String]) throws -> Int {
        let same = columns.map { "ours.\($0) IS theirs.\($0)" }.joined(separator: " AND ")
        return try Int.fetchOne(
          db,
          sql: """
            SELECT count(*) FROM theirs.\(table) AS theirs
            WHERE NOT EXISTS (SELECT 1 FROM main.\(table) AS ours WHERE \(same))
            """) ?? 0
      }
      // Without a mark nobody knows who changed a title, and where; with one, the folder did.
      return marks.isEmpty
        ? (try count("album", ["id"]), try count("photo", ["id"]))
        : (
          try count("album", ["id", "title", "rank", "deletedDate"]),
          try count("photo", ["id", "title", "rank", "albumID", "trashedDate"])
        )
    }
    guard lost.albums + lost.photos > 0 else { return }
    throw ContactSheetError(
      .conflict,
      "“\(target.path)” has been used, or is another copy: \(lost.photos) photos and \(lost.albums) albums in it are not here, or"
        + " otherwise, and a backup would overwrite them. Nothing was changed. Name another folder, or say --replace to lose them."
    )
  }

  /// Whether no library has opened the database since a backup made it: that gives it a journal of another kind.
  private static func isUnopened(_ folder: DataFolder) -> Bool {
    guard let file = try? OpenFile(reading: folder.database) else { return false }
    let kinds = file.bytes(at: 18, count: 2)
    return kinds.elementsEqual([1, 1]) && Files.size(folder.database + "-wal") ?? 0 == 0
  }
}
