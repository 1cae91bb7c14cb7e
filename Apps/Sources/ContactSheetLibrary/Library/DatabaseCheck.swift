import CVipsShim
import Foundation
import GRDB

/// Looks for damage in a database, also where the library cannot open it.
enum DatabaseCheck {
  /// The most problems that are named.
  private static let limit = 20

  /// Returns what is wrong with a database's file, in SQLite's words: nothing where it is sound, or where there is
  /// none or an empty one. Blocks.
  ///
  /// - Throws: Where it could not be looked at: another program has locked it, the system does not let it be opened, or there
  ///   is no room.
  static func problems(of path: String) throws -> [String] {
    guard Files.size(path) ?? 0 > 0 else { return [] }
    var header = headerProblems(of: path)
    if !header.isEmpty {
      // Who has locked it may be writing it.
      try checkIsUnlocked(path, byWriters: true)
      // The lock may have gone with the last of what was written.
      header = headerProblems(of: path)
    }
    do {
      let queue = try DatabaseQueue(path: path, configuration: configuration)
      defer { try? queue.close() }
      return header + (try queue.read { try problems($0) })
    } catch let error {
      guard let error = error as? DatabaseError else { throw error }
      if [.SQLITE_BUSY, .SQLITE_LOCKED].contains(error.resultCode) {
        throw DatabaseFailure.explain(error, path)
      }
      // A header that SQLite does not write explains what it says.
      if header.isEmpty, !isDamage(error) { throw DatabaseFailure.explain(error, path) }
      return header + [error.message ?? "\(error)"]
    }
  }

  /// Returns whether an error says that a database's contents are not as they should be. The others say that they could not be
  /// reached, which to make the database anew does not mend.
  static func isDamage(_ error: DatabaseError) -> Bool {
    switch error.resultCode {
    case .SQLITE_BUSY, .SQLITE_LOCKED, .SQLITE_CANTOPEN, .SQLITE_PERM, .SQLITE_READONLY, .SQLITE_AUTH,
      .SQLITE_FULL, .SQLITE_NOMEM, .SQLITE_INTERRUPT, .SQLITE_PROTOCOL, .SQLITE_NOLFS:
      false
    // A disk that cannot be read is damage; one that cannot be written is not.
    case .SQLITE_IOERR: [.SQLITE_IOERR_READ, .SQLITE_IOERR_SHORT_READ].contains(error.extendedResultCode)
    default: true
    }
  }

  /// Returns what is wrong with the header of a database's file: SQLite opens some of those that it would not write. Blocks.
  static func headerProblems(of path: String) -> [String] {
    DatabaseHeader.isDamaged(path) ? ["Its header is not one that SQLite writes."] : []
  }

  /// Throws where another process has locked a database or a part of it, by SQLite or not. Nobody of this process has it open: looking
  /// would give back its locks. Blocks.
  ///
  /// - Parameter byWriters: Whether only locks of those count that write.
  static func checkIsUnlocked(_ path: String, byWriters: Bool) throws(ContactSheetError) {
    guard let file = try? OpenFile(reading: path) else { return }
    let holder = cs_lock_holder(file.descriptor, byWriters ? 1 : 0)
    guard holder != 0 else { return }
    throw ContactSheetError(
      .inUse,
      "“\(path)” is locked by another program\(holder > 0 ? " (process \(holder))" : ""). Close that one and try again."
    )
  }

  /// Returns whether a database has lost its whole schema: it has none, and pages that are in use. To SQLite it is a new one.
  static func lacksSchema(_ db: Database) throws -> Bool {
    guard try Int.fetchOne(db, sql: "SELECT count(*) FROM sqlite_master") == 0 else { return false }
    let pages = try Int.fetchOne(db, sql: "PRAGMA page_count") ?? 0
    return try pages - (Int.fetchOne(db, sql: "PRAGMA freelist_count") ?? 0) > 1
  }

  /// Returns whether a file holds tables, and is not of this program. It is read as it is, without its journal, and
  /// nothing is made beside it; what cannot be read so is nobody else's. Blocks.
  static func isOfAnotherProgram(_ path: String) -> Bool {
    guard Files.size(path) ?? 0 > 0 else { return false }
    var configuration = Configuration()
    configuration.readonly = true
    let encoded = path.parts(between: "/", omittingEmpty: false).map { PercentEncoding.encoded(String($0)) }
    let address = "file:\(encoded.joined(separator: "/"))?immutable=1"
    guard let queue = try? DatabaseQueue(path: address, configuration: configuration) else { return false }
    defer { try? queue.close() }
    return (try? queue.read { db in try !isEmpty(db) && !isOurs(db) }) ?? false
  }

  private static func isEmpty(_ db: Database) throws -> Bool {
    try Int.fetchOne(db, sql: "SELECT count(*) FROM sqlite_master WHERE type = 'table'") == 0
  }

  /// Returns whether a database is of this program: by the migrations that it has seen, or by the columns of its tables,
  /// since one of them may have been lost. A name that other programs use as well proves nothing.
  static func isOurs(_ db: Database) throws -> Bool {
    let tables = try Set(String.fetchAll(db, sql: "SELECT name FROM sqlite_master WHERE type = 'table'"))
    let history = try SchemaHistory(db)
    if let history {
      if history.last != nil { return true }
      // One that was only begun has seen none yet.
      if history.isEmpty, tables.count == 1 { return true }
    }
    let hasPhotos = try DatabaseModel.columns(of: "photo", db).isSuperset(of: [
      "albumID", "contentHash", "importedDate",
    ])
    let hasAlbums = try DatabaseModel.columns(of: "album", db).isSuperset(of: ["id", "title", "createdDate"])
    // Migrations of which none is ours are another program's, or damaged: then both tables have to be ours.
    return history?.isEmpty == false ? hasPhotos && hasAlbums : hasPhotos || hasAlbums
  }

  /// Returns what is wrong with a database: with its pages and indexes, its schema, its references, and the values of its
  /// rows.
  ///
  /// - Throws: Where it could not be looked at.
  static func problems(_ db: Database) throws -> [String] {
    var problems: [String] = []
    func look(_ body: () throws -> Void) throws {
      do {
        try body()
      } catch let error as DatabaseError {
        guard isDamage(error) else { throw error }
        problems.append(error.message ?? "\(error)")
      } catch let error as ContactSheetError {
        problems.append(error.message)
      } catch {
        problems.append("\(error)")
      }
    }
    try look {
      let said = try String.fetchAll(db, sql: "PRAGMA integrity_check(\(limit))")
      if said != ["ok"] { problems += said.flatMap { $0.parts(between: "\n").map(String.init) } }
    }
    try look {
      if try lacksSchema(db) { problems.append("It has pages, and no tables that they belong to.") }
    }
    try look { problems += try schemaProblems(db) }
    try look {
      let broken = try Row.fetchAll(db, sql: "PRAGMA foreign_key_check")
      if !broken.isEmpty { problems.append("\(broken.count) rows refer to others that are not there.") }
    }
    try look {
      let photos = try Photo.fetchCursor(db, sql: "SELECT * FROM photo")
      while try photos.next() != nil {}
      let albums = try Album.fetchCursor(db, sql: "SELECT * FROM album")
      while try albums.next() != nil {}
    }
    return Array(problems.prefix(limit))
  }

  /// The configuration for reading a database that other processes may have open. Nothing is changed.
  static var configuration: Configuration {
    var configuration = Configuration()
    configuration.busyMode = .timeout(5)
    configuration.readonly = false
    configuration.foreignKeysEnabled = false
    return configuration
  }
}
