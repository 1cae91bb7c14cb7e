import CVipsShim
import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The folder that holds everything: the database, the photos, their thumbnails.
///
/// ```
/// contactsheet.sqlite       the records
/// originals/ab/<sha256>     the photos, named by their content
/// thumbnails/ab/<sha256>    small JPEGs, which can be made again
/// previews/ab/<sha256>      JPEGs of a screen's size, kept within a budget; they too can be made again
/// incoming/                 what is being imported
/// backup.mark               in a backup that an earlier release made
/// backup.unfinished         in a backup that is being made, or was cut off
/// backup.lock               held by backups, so that no original is removed meanwhile
/// lock                      held by the process that uses the folder
/// reserve                   room that is set aside for when the disk is full
/// password.json             the password's hash, where there is one
/// sessions.json             who is logged in
/// token                     lets commands of the same user in while a server with a password runs
/// ```
package struct DataFolder: Sendable, Hashable {
  /// The folder's absolute path.
  package let path: String

  /// Names a folder; nothing is made or read.
  ///
  /// - Parameter path: Its path, absolute or relative to the working directory.
  package init(path: String) {
    let absolute =
      path.beginsExactly(with: "/") ? path : FileManager.default.currentDirectoryPath + "/" + path
    self.path =
      absolute.utf8.count > 1 && absolute.endsExactly(with: "/")
      ? String(Substring(absolute.utf8.dropLast())) : absolute
  }

  /// The database file.
  package var database: String { path + "/contactsheet.sqlite" }
  /// The name of a journal that does not belong to the database any more.
  static func journalAside(of database: String) -> String { database + "-wal.replaced" }
  /// The journals that were put aside since another database took the name of theirs, by their names.
  package var journalsAside: [String] {
    let name = Self.journalAside(of: "contactsheet.sqlite")
    return Files.names(in: path).filter { $0.beginsExactly(with: name) }.sorted()
  }
  /// The endings of the names of the database and of the files that SQLite has beside it.
  static let databaseEndings = ["", "-wal", "-shm", "-journal"]
  var originals: String { path + "/originals" }
  var thumbnails: String { path + "/thumbnails" }
  var previews: String { path + "/previews" }
  var incoming: String { path + "/incoming" }
  /// The folders in it.
  var parts: [String] { [originals, thumbnails, previews, incoming] }
  /// The files in it besides the database.
  var files: [String] {
    [lock, backupLock, backupMark, unfinishedBackup, reserve, credentials, sessions, token]
  }
  var lock: String { path + "/lock" }
  var backupLock: String { path + "/backup.lock" }
  var backupMark: String { path + "/backup.mark" }
  var unfinishedBackup: String { path + "/backup.unfinished" }
  var reserve: String { path + "/reserve" }
  var credentials: String { path + "/password.json" }
  var sessions: String { path + "/sessions.json" }
  package var token: String { path + "/token" }

  /// Where the photo with this content lies.
  package func original(_ hash: ContentHash) -> String { "\(originals)/\(hash.prefix)/\(hash.text)" }
  /// Where the photo's small JPEG lies.
  package func thumbnail(_ hash: ContentHash) -> String { "\(thumbnails)/\(hash.prefix)/\(hash.text)" }
  /// Where the photo's JPEG of a screen's size lies, if there is one.
  package func preview(_ hash: ContentHash) -> String { "\(previews)/\(hash.prefix)/\(hash.text)" }
  /// The intent: while it exists, the photo is being stored and may not be complete.
  func intent(_ hash: ContentHash) -> String { "\(incoming)/\(hash.text)" }
  /// A name of our own in `incoming/` that no other task has. What is there at the next start is removed.
  package func temporary(_ suffix: String) -> String {
    "\(incoming)/\(UUID().uuidString.lowercased()).\(suffix)"
  }

  /// Makes the folder and its parts where they are missing, sees that they can be written, and that nobody but their
  /// owner can look into them: older versions left that to the system.
  ///
  /// - Throws: `ContactSheetError` that names the part which cannot be made or written;
  ///   `ContactSheetError.Code.diskFull` where a new folder finds no room, and nothing of it is made then.
  package func prepare() throws(ContactSheetError) {
    try checkIsFolderOrMissing()
    try checkFiles()
    try checkRoomToBegin()
    for folder in [path] + parts {
      do throws(SystemError) {
        try Files.makeFolder(folder, withParents: folder == path)
      } catch {
        // A part that older versions did not have, on a disk that is full: what can be made again makes room for it.
        guard error.number == ENOSPC, Reserve(self).release(),
          (try? Files.makeFolder(folder, withParents: false)) != nil
        else { throw .writing(folder, error) }
      }
      guard access(folder, W_OK | X_OK) == 0 else { throw .writing(folder, .last("access")) }
    }
    OwnersAlone.close(self)
    // SQLite gives its own files beside the database the rights of the database.
    try OpenFile.make(database)
  }

  /// Throws where the path leads to something that is no folder, or is a link that leads to nothing.
  private func checkIsFolderOrMissing() throws(ContactSheetError) {
    guard cs_is_folder(path) == 0, cs_is_link_to_folder(path) == 0 else { return }
    if access(path, F_OK) == 0 {
      throw ContactSheetError(
        .readOnly, "“\(path)” is a file, and no folder. Name a folder, or one that does not exist yet.")
    }
    if errno == ENOENT, cs_is_no_file(path) != 0 {
      throw ContactSheetError(
        .readOnly,
        "“\(path)” is a link to a folder that does not exist. Make that folder, or bring the disk back that holds it."
      )
    }
  }

  /// Throws where a link, a pipe, a device or a folder has the name of a file that only ContactSheet uses, or whatever is
  /// no file that of the database.
  private func checkFiles() throws(ContactSheetError) {
    for path in [lock, backupLock, reserve] where cs_is_no_file(path) != 0 {
      throw .writing(path, .notRegular)
    }
    try checkFolders()
    try checkDatabaseIsOurs()
  }

  /// Throws where something else has the name of a folder that only ContactSheet uses. A link is not followed: `incoming` is
  /// emptied at each start, and what it led to is somebody else's.
  private func checkFolders() throws(ContactSheetError) {
    for part in parts {
      guard Files.isOwnFolder(part) else { throw .writing(part, .notFolder) }
      // Of `incoming` all goes, and a link itself is removed there.
      guard !part.isExactly(incoming) else { continue }
      for name in Files.names(in: part) where name.utf8.count == 2 {
        guard Files.isOwnFolder("\(part)/\(name)") else { throw .writing("\(part)/\(name)", .notFolder) }
      }
    }
  }

  /// Throws where something that is no file has the name of the database, or the database of another program. A link to a
  /// file may have it.
  private func checkDatabaseIsOurs() throws(ContactSheetError) {
    try checkJournalsAreFiles()
    guard access(database, F_OK) == 0 else {
      guard cs_is_no_file(database) != 0 else { return }
      throw ContactSheetError(
        .storage,
        "“\(database)” is a link that leads nowhere, and nothing was changed. Bring the disk or the file back to which it leads, or"
          + " take the link away.")
    }
    if Files.size(database) != nil {
      guard DatabaseCheck.isOfAnotherProgram(database) else { return }
      throw ContactSheetError(
        .storage,
        "“\(database)” is a database of another program, and was not changed. Choose another folder with --data."
      )
    }
    throw ContactSheetError(
      .storage,
      "“\(database)” is no file, and the database of the photos belongs there. Take it away, and bring the database back."
    )
  }

  /// Throws where something that is no file has the name of one of SQLite's own files: it would wait for a pipe for ever, remove it, or
  /// say of a sound database that it cannot be read.
  func checkJournalsAreFiles() throws(ContactSheetError) {
    // They lie beside what a link leads to.
    let target = cs_is_no_file(database) != 0 ? Files.real(database) ?? database : database
    for name in Self.databaseEndings.dropFirst() where cs_is_no_file(target + name) != 0 {
      throw .writing(target + name, .notRegular)
    }
  }

  /// The room that a folder takes before its first photo: the reserve, the database and its journal.
  private static let firstBytes = 2 << 20
  /// The folders and files of it, and a few for the first photo.
  private static let firstFiles = 16

  /// Throws where a folder that holds no records yet would not find room for its first ones.
  private func checkRoomToBegin() throws(ContactSheetError) {
    guard hasEmptyDatabase else { return }
    var existing = path
    var missing = 0
    while access(existing, F_OK) != 0, existing.utf8.count > 1 {
      existing = Files.parent(of: existing)
      missing += 1
    }
    // A missing right to write is another failure, with a message of its own.
    guard access(existing, W_OK | X_OK) == 0 else { return }
    // A start looks twice; what the first look was followed by is there already.
    let made = ([path, lock, database] + parts).count { access($0, F_OK) == 0 }
    let hasBytes = Files.hasRoom(existing + "/new", bytes: Self.firstBytes, files: 0)
    let count = Self.firstFiles - made + max(0, missing - 1)
    if hasBytes, Files.hasRoom(existing + "/new", bytes: 0, files: count) { return }
    let needed = hasBytes ? "room for \(count) files and folders (inodes)" : "\(Self.firstBytes >> 20) MB"
    throw ContactSheetError(
      .diskFull,
      "The disk that holds “\(path)” is full. Make room and try again: a new data folder takes \(needed)."
        + (made == 0 ? " Nothing was made." : ""))
  }

  /// A Boolean value that indicates whether there are photos or a journal, and no database of them: the database was lost, or this is a
  /// backup that was not finished.
  package var lacksDatabase: Bool {
    hasEmptyDatabase && (JournalRemains.exist(of: database) || !OriginalStore(folder: self).names.isEmpty)
  }

  /// A Boolean value that indicates whether the database is missing, or holds nothing at all.
  package var hasEmptyDatabase: Bool { (Files.size(database) ?? 0) == 0 }

  /// Throws where the folder holds neither a database nor photos.
  package func checkIsDataFolder() throws(ContactSheetError) {
    try checkDatabaseIsOurs()
    guard Files.size(database) == nil, !lacksDatabase else { return }
    throw ContactSheetError(
      .notFound, "“\(path)” is not a data folder of ContactSheet. Name one with --data.")
  }

  /// Throws where the folder holds photos and no database.
  package func checkDatabaseExists() throws(ContactSheetError) {
    try checkDatabaseIsOurs()
    guard lacksDatabase else { return }
    if JournalRemains.exist(of: database) {
      throw ContactSheetError(
        .storage,
        "The database “\(database)” is missing; what was written last may still be in “\(database)-wal”. “contact-sheet check"
          + " --repair” reads what can be read of it; “contact-sheet check --from BACKUP” takes the rest from a backup."
      )
    }
    throw ContactSheetError(
      .storage,
      "The database “\(database)” is missing; the photos in “originals” are there. “contact-sheet check --from BACKUP”"
        + " brings titles, albums and order back from a backup; without one, “contact-sheet check --repair” makes an album"
        + " “Recovered” of the photos. If the folder is a backup that was not finished, make the backup again."
    )
  }
}

/// The SHA-256 of a file's content, by which it is stored.
package struct ContentHash: Sendable, Hashable {
  /// 64 hexadecimal digits, lower-case.
  package let text: String

  /// Takes a hash from its digits.
  ///
  /// - Returns: `nil` where the text is not 64 lower-case hexadecimal digits; so that no text from outside
  ///   becomes a path.
  package init?(_ text: some StringProtocol) {
    guard text.utf8.count == 64,
      text.utf8.allSatisfy({ (48...57).contains($0) || (97...102).contains($0) })
    else { return nil }
    self.text = String(text)
  }

  package init(digest: some Sequence<UInt8>) {
    let digits = Array("0123456789abcdef".utf8)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(64)
    for byte in digest {
      bytes.append(digits[Int(byte >> 4)])
      bytes.append(digits[Int(byte & 15)])
    }
    text = String(decoding: bytes, as: UTF8.self)
  }

  /// The folder inside `originals/`.
  var prefix: Substring { text.prefix(2) }
}
